# SPDX-License-Identifier: LGPL-2.1-or-later
#
# equalization=clahe of grey frames equals OpenCV's createCLAHE(), byte for byte:
# for photographs, and for noise with random sizes, tiles and limits, the same
# in every run. OpenCV runs in a separate process, because PoCL crashes in a
# process that has loaded OpenCV.

import multiprocessing
import pathlib
import random

import gstreamer
import tap

DATA = pathlib.Path('/usr/share/doc/opencv-doc/examples/data')
PHOTOGRAPHS = ['fruits.jpg', 'baboon.jpg', 'building.jpg', 'left01.jpg']
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
        stride = (width + 3) // 4 * 4   # GStreamer's default
        padded = numpy.zeros((height, stride), numpy.uint8)
        padded[:, :width] = frame
        self.amphisto.set_property('tiles-x', tiles[0])
        self.amphisto.set_property('tiles-y', tiles[1])
        self.amphisto.set_property('clip-limit', limit)
        self.source.set_property('caps', self.gst.Caps.from_string(
            f'video/x-raw,format=GRAY8,width={width},height={height},'
            'framerate=25/1'))
        self.source.emit('push-buffer',
                         self.gst.Buffer.new_wrapped(padded.tobytes()))
        sample = self.sink.emit('try-pull-sample', TIMEOUT * self.gst.SECOND)
        gstreamer.check_bus(self.gst, self.pipeline)
        tap.equal(sample is not None, True, 'a frame comes out')
        buffer = sample.get_buffer()
        result = buffer.extract_dup(0, buffer.get_size())
        return numpy.frombuffer(result, numpy.uint8).reshape(
            height, stride)[:, :width]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(self.gst.State.NULL)


def read_photograph(name):
    import cv2
    return cv2.imread(str(DATA / name), cv2.IMREAD_GRAYSCALE)


def apply_clahe(frame, tiles, limit):
    import cv2
    return cv2.createCLAHE(limit, tiles).apply(frame)


def ask_opencv(function, *arguments):
    try:
        return opencv.apply(function, arguments)
    except ImportError as error:
        raise tap.Skip(f'OpenCV for Python is missing: {error}')


def import_numpy():
    global numpy
    try:
        import numpy
    except ImportError as error:
        raise tap.Skip(f'NumPy is missing: {error}')


def compare(pipeline, frame, tiles, limit):
    expected = ask_opencv(apply_clahe, frame, tiles, limit)
    actual = pipeline.run(frame, tiles, limit)
    tap.equal(int((actual != expected).sum()), 0,
              f'pixels that differ of {frame.shape[1]}x{frame.shape[0]} in '
              f'{tiles} tiles, limit {limit}')


def test_photograph(name):
    import_numpy()
    if not (DATA / name).exists():
        raise tap.Skip(f'{DATA / name} of the package opencv-doc is missing')
    frame = ask_opencv(read_photograph, name)
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
    import_numpy()
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
    with multiprocessing.get_context('spawn').Pool(1) as opencv:
        tap.run([(name, lambda name=name: test_photograph(name))
                 for name in PHOTOGRAPHS]
                + [(f'random {seed}', lambda seed=seed: test_random(seed))
                   for seed in range(3)])
