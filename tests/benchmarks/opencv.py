# SPDX-License-Identifier: LGPL-2.1-or-later
#
# opencv.py WORK FILE WIDTH HEIGHT: runs OpenCV's calcHist or CLAHE, or finds the
# variance of its Laplacian (WORK), on the grey frame in FILE. Each line on stdin
# is a number of runs; the answer is the seconds that they took. Exit status 77:
# OpenCV is not installed.

import sys
import time

try:
    import cv2
    import numpy
except ImportError:
    sys.exit(77)

work, path, width, height = *sys.argv[1:3], int(sys.argv[3]), int(sys.argv[4])
frame = numpy.fromfile(path, numpy.uint8).reshape(height, width)
result = numpy.empty_like(frame)
clahe = cv2.createCLAHE(3, (8, 8))
functions = {
    'calcHist': lambda: cv2.calcHist([frame], [0], None, [256], [0, 256]),
    'CLAHE': lambda: clahe.apply(frame, result),
    'Laplacian': lambda: cv2.Laplacian(frame, cv2.CV_64F).var()}
function = functions[work]
print('ready', flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    for _ in range(int(line)):
        function()
    print(time.perf_counter() - start, flush=True)
