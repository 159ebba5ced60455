# SPDX-License-Identifier: LGPL-2.1-or-later
#
# equalization=clahe of grey frames equals OpenCV's createCLAHE(), byte for byte:
# for photographs, and for noise with random sizes, tiles and limits, the same
# in every run.

import random

import gstreamer
import opencv
import tap
from opencv import numpy

TIMEOUT = 60


class Pipeline:
    """amphisto between an appsrc and an appsink."""

    def __init__(self):
        self.gst = gstreamer.load()
        self.pipeline = self.gst.parse_launch(
            'appsrc name=source format=time ! amphisto name=amphisto '
            'equalization=clahe qos=false ! appsink name=sink sync=false')
        self.source = self.pipeline.get_by_name('source')
        self.amphisto = self.pipeline.get_by_name('amphisto')
        self.sink = self.pipeline.get_by_name('sink')
        self.pipeline.set_state(self.gst.State.PLAYING)

    def run(self, frame, tiles, limit):
        """Returns the frame, an array of rows, as amphisto equalizes it."""
        height, width = frame.shape
        rows = opencv.padded(frame)
        self.amphisto.set_property('tiles-x', tiles[0])
        self.amphisto.set_property('tiles-y', tiles[1])
        self.amphisto.set_property('clip-limit', limit)
        self.source.set_property('caps', self.gst.Caps.from_string(
            f'video/x-raw,format=GRAY8,width={width},height={height},'
            'framerate=25/1'))
        self.source.emit('push-buffer',
                         self.gst.Buffer.new_wrapped(rows.tobytes()))
        sample = self.sink.emit('try-pull-sample', TIMEOUT * self.gst.SECOND)
        gstreamer.check_bus(self.gst, self.pipeline)
        tap.equal(sample is not None, True, 'a frame comes out')
        buffer = sample.get_buffer()
        result = buffer.extract_dup(0, buffer.get_size())
        return numpy.frombuffer(result, numpy.uint8).reshape(
            rows.shape)[:, :width]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(self.gst.State.NULL)


def read_photograph(path):
    import cv2
    return cv2.imread(path, cv2.IMREAD_GRAYSCALE)


def apply_clahe(frame, tiles, limit):
    import cv2
    return cv2.createCLAHE(limit, tiles).apply(frame)


def compare(pipeline, frame, tiles, limit):
    expected = opencv.ask(apply_clahe, frame, tiles, limit)
    actual = pipeline.run(frame, tiles, limit)
    tap.equal(int((actual != expected).sum()), 0,
              f'pixels that differ of {frame.shape[1]}x{frame.shape[0]} in '
              f'{tiles} tiles, limit {limit}')


def test_photograph(name):
    opencv.check_numpy()
    frame = opencv.ask(read_photograph, opencv.photograph(name))
    with Pipeline() as pipeline:
        for limit in 0.0, 1.0, 2.0, 40.0:
            for tiles in (8, 8), (1, 1), (3, 5), (64, 64):
                compare(pipeline, frame, tiles, limit)


def draw(rng, width, height):
    """Returns normally distributed noise, of any brightness and contrast."""
    generator = numpy.random.default_rng(rng.randrange(1 << 30))
    frame = generator.normal(rng.randrange(256),
                             rng.choice([0, 2, 20, 500]), (height, width))
    return frame.clip(0, 255).astype(numpy.uint8)


def test_random(seed):
    opencv.check_numpy()
    rng = random.Random(seed)
    with Pipeline() as pipeline:
        for _ in range(100):
            frame = draw(rng,
                         rng.randrange(1, rng.choice([9, 70, 700])),
                         rng.randrange(1, rng.choice([9, 70, 300])))
            tiles = rng.randrange(1, 65), rng.randrange(1, 65)
            compare(pipeline, frame, rng.choice([tiles, (8, 8), (2, 3)]),
                    rng.choice([0.0, 0.1, 1.0, 2.5, 40.0, 255.0]))


if __name__ == '__main__':
    opencv.run(test_photograph, test_random)
