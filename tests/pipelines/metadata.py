# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The reference's lists of elements that keep the metadata, and that drop it.
# Argument: the reference.

import pathlib
import re
import sys

import gstreamer
import tap

REFERENCE = pathlib.Path(sys.argv[1])
N_FRAMES = 4
SOURCE = (f'videotestsrc num-buffers={N_FRAMES} pattern=ball ! video/x-raw,'
          'format=I420,width=64,height=48,framerate=30/1 ! '
          'amphisto channels=luma+chroma name=meter')

# what has an element do something
LAUNCH = {
    'alpha': 'alpha alpha=0.5',
    'capsfilter': 'capsfilter caps=video/x-raw',
    'deinterlace': 'deinterlace mode=interlaced',
    'gamma': 'gamma gamma=2',
    'pngenc': 'videoconvert ! pngenc',
    'textoverlay': 'textoverlay text=A',
    'videobalance': 'videobalance contrast=0.5',
    'videobox': 'videobox left=-8',
    'videoconvert': 'videoconvert ! video/x-raw,format=RGB',
    'videocrop': 'videocrop left=8',
    'videoflip': 'videoflip method=clockwise',
    'videorate': 'videorate ! video/x-raw,framerate=60/1',
    'videoscale': 'videoscale ! video/x-raw,width=32,height=32',
}


def list_elements(beginning):
    """Returns the names in the reference's sentence."""
    text = ' '.join(REFERENCE.read_text().split())
    return re.search(re.escape(beginning) + r'([^.]*)\.', text)[1].split(', ')


def read_meta(buffer):
    meta = buffer.get_custom_meta('AmphistoHistogramMeta')
    return meta.get_structure().to_string() if meta else None


def run(Gst, name):
    """Returns the metadata of the buffers before and behind the element."""
    before, behind = [], []
    pipeline = Gst.parse_launch(f'{SOURCE} ! {LAUNCH.get(name, name)} ! '
                                'appsink name=sink sync=false')
    pad = pipeline.get_by_name('meter').get_static_pad('src')
    sink = pipeline.get_by_name('sink')
    pad.add_probe(Gst.PadProbeType.BUFFER, lambda _, info: before.append(
        read_meta(info.get_buffer())) or Gst.PadProbeReturn.OK)
    pipeline.set_state(Gst.State.PLAYING)
    while sample := sink.emit('pull-sample'):
        behind.append(read_meta(sample.get_buffer()))
    gstreamer.check_bus(Gst, pipeline)
    pipeline.set_state(Gst.State.NULL)
    return before, behind


def test(name, keeps):
    """All buffers behind the element have the metadata of a frame, or none."""
    Gst = gstreamer.load()
    gstreamer.need_elements(Gst, name)
    before, behind = run(Gst, name)
    tap.equal(len(set(before)), N_FRAMES, f'metadata in {before}')
    tap.equal(len(behind) >= N_FRAMES, True, f'{len(behind)} buffers')
    tap.equal(set(behind), set(before) if keeps else {None}, 'metadata')


tap.run([(name, lambda name=name, keeps=keeps: test(name, keeps))
         for beginning, keeps in [('These elements keep it: ', True),
                                  ('These make new frames, and drop it: ', False)]
         for name in list_elements(beginning) if name != 'unixfdsrc'])
