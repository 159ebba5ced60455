# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A screen is recorded, equalized and shown in a window, each frame within half
# a second. Queued frames are never dropped: a pipeline that is too slow falls
# behind further and further, but catches up if the machine was busy only for a
# moment. The argument is the number of seconds; for a minute, run
# `meson test -C build live --test-args=60`.

import os
import subprocess
import sys

import gstreamer
import tap

FRAMERATE = 25
DEADLINE = 500 * 1000 * 1000
END_TIMEOUT = 60


def start_screen():
    """Starts a virtual screen; returns its process and the display's name."""
    tap.need('Xvfb')
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ['Xvfb', '-displayfd', str(write_end), '-screen', '0', '640x480x24',
         '-nolisten', 'tcp'],
        pass_fds=[write_end], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        raise AssertionError('Xvfb did not start')
    return server, f':{number}'


def watch(pipeline, Gst, seconds):
    """Plays to the end; returns the sources of the QoS messages."""
    late = []
    wanted = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.QOS
    pipeline.set_state(Gst.State.PLAYING)
    while True:
        message = pipeline.get_bus().timed_pop_filtered(
            (seconds + END_TIMEOUT) * Gst.SECOND, wanted)
        if message is None:
            raise AssertionError('no end of stream')
        if message.type == Gst.MessageType.ERROR:
            gstreamer.raise_error(message)
        if message.type == Gst.MessageType.EOS:
            return late
        late.append(message.src.get_name())


def check_device(Gst):
    """Skips on llvmpipe, a GPU in software: too slow for live video."""
    amphisto = Gst.ElementFactory.make('amphisto')
    amphisto.set_state(Gst.State.READY)
    name = amphisto.get_property('device-name')
    amphisto.set_state(Gst.State.NULL)
    if 'llvmpipe' in name:
        raise tap.Skip(f'no device for live video: {name}')


def test_screen(seconds):
    Gst = gstreamer.load()
    gstreamer.need_elements(Gst, 'ximagesrc', 'ximagesink')
    check_device(Gst)
    server, display = start_screen()
    try:
        n_frames = seconds * FRAMERATE
        pipeline = Gst.parse_launch(
            f'ximagesrc display-name={display} use-damage=false '
            f'num-buffers={n_frames} ! video/x-raw,framerate={FRAMERATE}/1 ! '
            'queue max-size-bytes=0 max-size-buffers=0 max-size-time=0 ! '
            'amphisto equalization=global ! videoconvert ! '
            f'ximagesink display={display} processing-deadline={DEADLINE} '
            'name=sink')
        late = watch(pipeline, Gst, seconds)
        stats = pipeline.get_by_name('sink').get_property('stats')
        pipeline.set_state(Gst.State.NULL)
        tap.equal(late, [], 'elements that were late')
        tap.equal(stats.get_value('dropped'), 0, 'frames dropped')
        tap.equal(stats.get_value('rendered'), n_frames, 'frames shown')
    finally:
        server.terminate()
        server.wait()


seconds = int(sys.argv[-1])
tap.run([(f'{seconds} s of a screen', lambda: test_screen(seconds))])
