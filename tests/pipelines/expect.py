# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Conditions fail when FFmpeg's blackdetect, blackframe, freezedetect and scdet
# find black frames, frozen ones and cuts, to within one frame: in a video with
# fades, black, a frozen picture, noise and cuts, and in black with a logo or noise.

import fractions
import functools
import os
import re
import tempfile

import gstreamer
import tap

SIZE = '160x120'
FADE = 10   # frames
# of the parts of the video, in seconds; the last one is black
PARTS = [1.5, 1.2, 1.5, 2, 1, 0.8, 0.9]
LONG = 'expect-duration=500000000'   # as FFmpeg's d=0.5
# Luma up to 37, 16 + 219 / 10, is black.
BLACKDETECT = 'blackdetect=d=0.5:pix_th=0.10'
# 98 % of the pixels are below 32
BLACKFRAME = 'blackframe=98:32'
# 0.001 of 256
FREEZEDETECT = 'freezedetect=d=0.5:n=0.001'
FROZEN = 'picture.difference > 0.25'

videos = tempfile.TemporaryDirectory()


def encode(path, rate, coding, graphs):
    """Makes a video of the graphs, one after the other."""
    labels = ''.join(f'[p{i}]' for i in range(len(graphs)))
    chains = ';'.join(f'{graph},setsar=1[p{i}]'
                      for i, graph in enumerate(graphs))
    tap.run_ffmpeg('-filter_complex',
                   f'{chains};{labels}concat=n={len(graphs)}[v]', '-map', '[v]',
                   '-r', str(rate), *coding, '-y', path)


@functools.cache
def make_video(name, rate, *coding):
    """Returns the path of a video with `rate` frames a second. Tests share it."""
    def seconds(part):
        return f'd={PARTS[part]}'

    def moving(part):
        return f'testsrc2=s={SIZE}:r={rate}:{seconds(part)},format=yuv420p'

    def black(part):
        return f'color=black:s={SIZE}:r={rate}:{seconds(part)},format=yuv420p'

    path = os.path.join(videos.name, name)
    encode(path, rate, coding, [
        f'{moving(0)},reverse,fade=in:0:{FADE},reverse',   # fades out
        black(1),
        f'{moving(2)},fade=in:0:{FADE}',
        f'{moving(3)},loop=-1:1:0,trim=duration={PARTS[3]}',   # frozen
        f'{moving(4)},noise=alls=40:allf=t',
        f'smptebars=s={SIZE}:r={rate}:{seconds(5)},format=yuv420p',   # a cut
        black(6)])
    return path


def make_almost_black(path, rate, coding):
    """Makes a video of black with logos, of 1.6 and 2.5 % of the pixels, and with
    noise, less and more; pictures are between."""
    def source(name):
        return f'{name}s={SIZE}:r={rate}:d=0.6,format=yuv420p'

    picture, black = source('testsrc2='), source('color=black:')
    filters = ['drawbox=120:8:20:15:white:t=fill',
               'drawbox=120:8:24:20:white:t=fill',
               *(f'noise=c0s={strength}:c0f=t' for strength in (10, 16, 18, 30))]
    encode(path, rate, coding,
           [graph for filter in filters for graph in (picture, f'{black},{filter}')]
           + [picture])


def detect(path, filters, pattern):
    """Returns what the pattern finds in the filters' log."""
    run = tap.run_ffmpeg('-i', path, '-vf', filters, '-f', 'null', '-')
    return re.findall(pattern, run.stderr)


def detect_black(path, options=''):
    """Returns FFmpeg's starts and ends, in seconds."""
    return [tuple(map(float, found)) for found in
            detect(path, BLACKDETECT + options,
                   r'black_start:(\S+) black_end:(\S+)')]


def detect_black_frames(path, frame):
    """Returns starts and ends of runs of FFmpeg's black frames, in seconds."""
    runs = []
    for time in map(float, detect(path, BLACKFRAME, r' t:(\S+) type:')):
        if runs and time - runs[-1][1] < frame / 2:
            runs[-1] = (runs[-1][0], time + frame)
        else:
            runs.append((time, time + frame))
    return runs


def detect_freezes(path):
    """Returns FFmpeg's starts and ends, in seconds."""
    times = detect(path, FREEZEDETECT, r'freeze_(start|end): (\S+)')
    return list(zip(*([float(time) for name, time in times if name == end]
                      for end in ('start', 'end'))))


def detect_cuts(path):
    """Returns FFmpeg's times of cuts, in seconds."""
    return [(float(time),) for time in
            detect(path, 'scdet=t=30', r'scd.time: (\S+)')]


def pipeline_of(path, expect, *properties):
    return (f'filesrc location={path} ! decodebin ! videoconvert ! '
            f'amphisto name=amphisto expect="{expect}" qos=false '
            f'attach-meta=false {" ".join(properties)} ! fakesink')


def find(path, expect, *properties):
    """Returns starts and ends of the condition's failures, in seconds."""
    Gst = gstreamer.load()
    gstreamer.need_elements(Gst, 'avdec_h264', 'avdec_mpeg2video')
    pipeline = Gst.parse_launch(pipeline_of(
        path, expect, 'expect-error=false', *properties))
    return [(structure['stream-time'] / Gst.SECOND,
             (structure['stream-time'] + structure['duration']) / Gst.SECOND)
            for structure in gstreamer.play(Gst, pipeline)
            if structure.get_name() == 'amphisto-expect'
            and structure.has_field('duration')]


def assert_near(found, expected, frame):
    """The times are within one frame. FFmpeg logs microseconds."""
    tap.equal(len(found), len(expected), f'numbers of {found} and {expected}')
    for pair, expected_pair in zip(found, expected):
        for time, expected_time in zip(pair, expected_pair):
            tap.equal(abs(time - expected_time) <= frame + 1e-3, True,
                      f'{found} is near {expected}')


def frame_duration(rate):
    """Returns it in seconds."""
    return float(1 / fractions.Fraction(rate))


def test_black(name, rate, coding):
    tap.need('ffmpeg')
    frame = frame_duration(rate)
    path = make_video(name, rate, *coding)
    every = detect_black(path, ':pic_th=1')
    tap.equal(len(every), 2, f'{every} found by FFmpeg')
    # the same test, so the same frames; FFmpeg's last one has no end
    found = find(path, 'luma.max > 37', LONG)
    assert_near(found, every, frame)
    assert_near(found[:1], every[:1], 0)
    assert_near(find(path, 'luma.mean >= 20', LONG, 'frames-in-flight=4'),
                detect_black(path), frame)


def test_percentile(name, rate, coding):
    """The same frames are black if at least 98 % of their pixels are."""
    tap.need('ffmpeg')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        make_almost_black(path, rate, coding)
        black = detect_black(path, ':d=0')
        tap.equal(2 <= len(black), True, f'{black} found by FFmpeg')
        assert_near(find(path, 'luma.p98 > 37'), black, 0)
        tap.equal(find(path, 'luma.max > 37', LONG), [], 'black to the last '
                  'pixel')
        frames = detect_black_frames(path, frame_duration(rate))
        tap.equal(2 <= len(frames), True, f'{frames} found by FFmpeg')
        assert_near(find(path, 'luma.p98 >= 32'), frames, 0)


def test_comparison(name, rate, coding):
    """Pictures that stand still, black ones too, and a cut to black. FFmpeg logs
    no end for the last one, and the frame before as the start."""
    tap.need('ffmpeg')
    path = make_video(name, rate, *coding)
    frozen = detect_freezes(path)
    tap.equal(len(frozen) >= 2, True, f'{frozen} found by FFmpeg')
    found = find(path, FROZEN, LONG)
    tap.equal(len(found), len(frozen) + 1, f'number of {found}')
    assert_near(found[:-1], frozen, frame_duration(rate))
    cuts = find(path, 'luma.distance < 32', 'compare-frames=true')
    assert_near([(start,) for start, _ in cuts], detect_cuts(path), 0)


def test_colours():
    """Colours alone move: only luma stands still."""
    tap.need('ffmpeg')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'video.mp4')
        tap.run_ffmpeg('-f', 'lavfi', '-i', f'smptebars=s={SIZE}:d=2', '-vf',
                       'format=yuv420p,hue=H=PI*t', '-c:v', 'libx264', '-qp',
                       '0', '-y', path)
        tap.equal(detect_freezes(path), [], 'found by FFmpeg')
        tap.equal(find(path, FROZEN, LONG), [], 'found')
        tap.equal(len(find(path, 'luma.difference > 0.25', LONG)), 1,
                  'number found in luma')


def test_exit_status():
    """gst-launch-1.0 fails with the first black frame's time."""
    tap.need('ffmpeg')
    tap.need_device()
    path = make_video(*VIDEOS[1][:2], *X264)
    for duration, status in [(1100000000, 1), (2000000000, 0)]:
        run = tap.launch(pipeline_of(path, 'luma.max>37',
                                     f'expect-duration={duration}'))
        tap.equal(run.returncode, status, f'exit status\n{run.stdout}')
        tap.equal(re.findall(r'luma.max>37 is not met: \d+ at (\S+)',
                             run.stdout),
                  ['0:00:01.480'] * status, f'times in\n{run.stdout}')


X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-g', '48',
        '-crf', '18']
MPEG2 = ['-c:v', 'mpeg2video', '-bf', '2', '-q:v', '3']

VIDEOS = [('24.mp4', '24', X264), ('25.mp4', '25', X264),
          ('ntsc.mkv', '30000/1001', X264), ('30.mkv', '30', MPEG2),
          ('60.mp4', '60', X264)]

tap.run([(f'{test.__name__}: {video[0]} at {video[1]}',
          lambda test=test, video=video: test(*video))
         for test in [test_black, test_percentile, test_comparison] for video in VIDEOS]
        + [('colours', test_colours), ('exit status', test_exit_status)])
