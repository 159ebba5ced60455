# SPDX-License-Identifier: LGPL-2.1-or-later
#
# measure-sharpness is the variance of OpenCV's Laplacian(), to twelve digits: of
# photographs and their blurred copies, and of noise with random sizes, of fields
# too; in GRAY8, and in luma of other formats.

import random

import gstreamer
import opencv
import tap
from opencv import numpy

TIMEOUT = 60
BT709 = [13933, 46871, 4732]   # in 1/65536


class Pipeline:
    """amphisto between an appsrc and an appsink."""

    def __init__(self):
        self.gst = gstreamer.load()
        self.pipeline = self.gst.parse_launch(
            'appsrc name=source format=time ! amphisto measure-sharpness=true '
            'qos=false ! appsink name=sink sync=false')
        self.source = self.pipeline.get_by_name('source')
        self.sink = self.pipeline.get_by_name('sink')
        self.pipeline.set_state(self.gst.State.PLAYING)

    def run(self, data, caps):
        """Returns the sharpness of the frame in `data`."""
        self.source.set_property('caps', self.gst.Caps.from_string(
            f'video/x-raw,framerate=25/1,{caps}'))
        self.source.emit('push-buffer',
                         self.gst.Buffer.new_wrapped(data.tobytes()))
        sample = self.sink.emit('try-pull-sample', TIMEOUT * self.gst.SECOND)
        gstreamer.check_bus(self.gst, self.pipeline)
        tap.equal(sample is not None, True, 'a frame comes out')
        meta = sample.get_buffer().get_custom_meta('AmphistoHistogramMeta')
        structure = meta.get_structure()
        picture = structure['picture']
        return picture['sharpness']

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(self.gst.State.NULL)


def read_photograph(path, sigma):
    """Returns it in RGB, blurred if sigma is not 0."""
    import cv2
    frame = cv2.imread(path, cv2.IMREAD_COLOR)[:, :, ::-1].copy()
    return cv2.GaussianBlur(frame, (0, 0), sigma) if sigma > 0 else frame


def sum_laplacians(pictures):
    """Returns the variance of the Laplacians of all pictures together."""
    import cv2
    return numpy.concatenate([cv2.Laplacian(picture, cv2.CV_64F).ravel()
                              for picture in pictures]).var()


def compare(pipeline, luma, data, caps, pictures=None):
    height, width = luma.shape
    expected = opencv.ask(sum_laplacians, pictures or [luma])
    actual = pipeline.run(data, f'{caps},width={width},height={height}')
    tap.equal(abs(actual - expected) <= 1e-12 * expected, True,
              f'{actual} of {caps}, {width}x{height}, is {expected}')
    return actual


def compare_formats(pipeline, rgb):
    """Returns the sharpness of the picture's luma."""
    wide = rgb.astype(numpy.uint32)
    luma = (wide @ numpy.array(BT709, numpy.uint32) + 32768 >> 16).astype(
        numpy.uint8)
    rgbx = numpy.dstack([rgb, rgb[:, :, 0]])
    yuy2 = numpy.dstack([luma, rgb[:, :, 0]])[:, :luma.shape[1] // 2 * 2]
    compare(pipeline, luma, rgbx, 'format=RGBx,colorimetry=1:1:5:1')
    compare(pipeline, yuy2[:, :, 0], yuy2, 'format=YUY2')
    compare(pipeline, luma, opencv.padded(luma), 'format=GRAY8,interlace-mode='
            'interleaved', [luma[0::2], luma[1::2]])
    return compare(pipeline, luma, opencv.padded(luma), 'format=GRAY8')


def test_photograph(name):
    opencv.check_numpy()
    path = opencv.photograph(name)
    with Pipeline() as pipeline:
        sharp, blurred = [
            compare_formats(pipeline, opencv.ask(read_photograph, path, sigma))
            for sigma in (0, 3)]
        tap.equal(blurred < sharp / 10, True, f'{blurred} is less than {sharp}')


def test_random(seed):
    opencv.check_numpy()
    rng = random.Random(seed)
    generator = numpy.random.default_rng(seed)
    with Pipeline() as pipeline:
        for _ in range(60):
            width = rng.randrange(1, rng.choice([9, 70, 1400]))
            height = rng.randrange(1, rng.choice([9, 70, 300]))
            frame = generator.normal(rng.randrange(256), rng.choice([2, 20, 500]),
                                     (height, width)).clip(0, 255).astype(
                                         numpy.uint8)
            compare(pipeline, frame, opencv.padded(frame), 'format=GRAY8')


if __name__ == '__main__':
    opencv.run(test_photograph, test_random)
