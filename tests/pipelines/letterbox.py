# SPDX-License-Identifier: LGPL-2.1-or-later
#
# find-letterbox finds the edges that FFmpeg's cropdetect finds in a frame alone,
# in pictures between bars of several widths. FFmpeg rounds means down: rows and
# columns whose mean is between 24 and 25 are bars there, so there are none here.

import os
import re
import tempfile

import gstreamer
import tap

SIZE = (184, 100)   # rows of GStreamer and FFmpeg have no padding
# left, right, top, bottom
BARS = [(0, 0, 0, 0), (0, 0, 13, 13), (21, 20, 0, 0), (3, 50, 7, 1),
        (60, 60, 40, 40)]
SOURCES = ['testsrc2', 'smptebars', 'mandelbrot', 'color=black',
           'color=0x191919', 'pal75bars']


def make_frame(path, source, bars):
    """Makes a raw I420 frame."""
    left, right, top, bottom = bars
    width, height = SIZE
    separator = ':' if '=' in source else '='
    tap.run_ffmpeg('-f', 'lavfi', '-i',
               f'{source}{separator}s={width - left - right}x'
               f'{height - top - bottom}',
               '-vf', f'format=yuv444p,pad={width}:{height}:{left}:{top},'
               'format=gray,format=yuv420p',
               '-frames:v', '1', '-f', 'rawvideo', '-y', path)


def detect(path):
    """Returns x, y, width and height by FFmpeg; None: it finds no picture."""
    width, height = SIZE
    log = tap.run_ffmpeg('-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s',
                         f'{width}x{height}', '-i', path, '-vf',
                         'cropdetect=skip=0', '-f', 'null', '-').stderr
    found = re.findall(r'x1:(\d+) x2:(\d+) y1:(\d+) y2:(\d+)', log)
    tap.equal(len(found), 1, f'frames found by FFmpeg\n{log}')
    x1, x2, y1, y2 = map(int, found[0])
    return (x1, y1, x2 - x1 + 1, y2 - y1 + 1) if x2 > x1 and y2 > y1 else None


def find(path):
    """Returns x, y, width and height by amphisto."""
    Gst = gstreamer.load()
    width, height = SIZE
    pipeline = Gst.parse_launch(
        f'filesrc location={path} blocksize={width * height * 3 // 2} ! '
        f'rawvideoparse format=i420 width={width} height={height} ! '
        'amphisto find-letterbox=true post-messages=true ! fakesink')
    # Python loses the memory of structures in structures
    texts = [structure.to_string().replace('\\', '')
             for structure in gstreamer.play(Gst, pipeline)]
    tap.equal(len(texts), 1, 'number of messages')
    return tuple(int(re.search(fr'active-{name}=\(uint\)(\d+)', texts[0])[1])
                 for name in ('x', 'y', 'width', 'height'))


def test_bars():
    tap.need('ffmpeg')
    Gst = gstreamer.load()
    gstreamer.need_elements(Gst, 'rawvideoparse')
    n_found = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'frame.yuv')
        for source in SOURCES:
            for bars in BARS:
                make_frame(path, source, bars)
                expected = detect(path)
                n_found += expected is not None
                tap.equal(find(path), expected or (0, 0, 0, 0),
                          f'{source} between bars of {bars}')
    tap.equal(n_found >= len(BARS) * 3, True, f'{n_found} pictures')


tap.run([('bars', test_bars)])
