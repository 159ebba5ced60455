# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# calchist.py FILE WIDTH HEIGHT: the grey frame in FILE, as many times through
# OpenCV's calcHist() as each line on stdin says; prints the seconds that took.
# Exit status 77: OpenCV is not installed.

import sys
import time

try:
    import cv2
    import numpy
except ImportError:
    sys.exit(77)

path, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
frame = numpy.fromfile(path, numpy.uint8).reshape(height, width)
print('ready', flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    for _ in range(int(line)):
        cv2.calcHist([frame], [0], None, [256], [0, 256])
    print(time.perf_counter() - start, flush=True)
