# SPDX-License-Identifier: LGPL-2.1-or-later
#
# OpenCV as a test's peer, with its photographs. It runs in a separate process,
# because PoCL crashes in a process that has loaded OpenCV.

import multiprocessing
import pathlib

import tap

try:
    import numpy
except ImportError:
    numpy = None   # check_numpy() skips the test

DATA = pathlib.Path('/usr/share/doc/opencv-doc/examples/data')
PHOTOGRAPHS = ['fruits.jpg', 'baboon.jpg', 'building.jpg', 'left01.jpg']

process = None


def check_numpy():
    if numpy is None:
        raise tap.Skip('NumPy is missing')


def ask(function, *arguments):
    """Returns what the function, which imports cv2, returns in OpenCV's process.
    """
    try:
        return process.apply(function, arguments)
    except ImportError as error:
        raise tap.Skip(f'OpenCV for Python is missing: {error}')


def photograph(name):
    """Returns its path."""
    path = DATA / name
    if not path.exists():
        raise tap.Skip(f'{path} of the package opencv-doc is missing')
    return str(path)


def padded(frame):
    """Returns rows of GStreamer's default stride."""
    height, width = frame.shape
    rows = numpy.zeros((height, (width + 3) // 4 * 4), numpy.uint8)
    rows[:, :width] = frame
    return rows


def run(test_photograph, test_random):
    """Runs the tests: one for each photograph, and one for each of three seeds.
    """
    global process
    with multiprocessing.get_context('spawn').Pool(1) as process:
        tap.run([(name, lambda name=name: test_photograph(name))
                 for name in PHOTOGRAPHS]
                + [(f'random {seed}', lambda seed=seed: test_random(seed))
                   for seed in range(3)])
