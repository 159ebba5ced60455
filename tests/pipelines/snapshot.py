# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Snapshots of a player: there is none of a frame with scopes as an overlay, or
# they are not in it. They are if the overlay is refused behind amphisto, as the
# reference says. Argument: the reference.

import pathlib
import re
import sys
import tempfile

import gstreamer
import tap

REFERENCE = pathlib.Path(sys.argv[1])
FILTER = re.search(r'`(amphisto [^`]*)` as\s+its\s+`video-filter`',
                   REFERENCE.read_text())[1]
BLACK = ('videotestsrc pattern=black num-buffers=30 ! '
         'video/x-raw,width=320,height=240 ! jpegenc ! avimux ! filesink')


def take_snapshot(Gst, uri, video_filter):
    """Returns the RGB pixels of a frame in a player that shows overlays; black
    without a snapshot."""
    player = Gst.ElementFactory.make('playbin')
    player.set_property('uri', uri)
    player.set_property('video-filter',
                        Gst.parse_bin_from_description(video_filter, True))
    player.set_property('video-sink', Gst.ElementFactory.make('fakevideosink'))
    player.set_state(Gst.State.PAUSED)
    state = player.get_state(60 * Gst.SECOND)
    gstreamer.check_bus(Gst, player)
    tap.equal(state[:2], (Gst.StateChangeReturn.SUCCESS, Gst.State.PAUSED),
              'state')
    sample = player.emit('convert-sample',
                         Gst.Caps.from_string('video/x-raw,format=RGB'))
    buffer = sample.get_buffer() if sample else Gst.Buffer.new_wrapped(bytes(3))
    pixels = buffer.extract_dup(0, buffer.get_size())
    player.set_state(Gst.State.NULL)
    return pixels


def test_snapshot():
    Gst = gstreamer.load()
    gstreamer.need_elements(Gst, 'playbin', 'fakevideosink', 'avimux', 'jpegdec')
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, 'black.avi')
        run = tap.launch(f'{BLACK} location={path}')
        tap.equal(run.returncode, 0, run.stdout)
        drawn = take_snapshot(Gst, path.as_uri(), FILTER)
        sent_along = take_snapshot(Gst, path.as_uri(), FILTER.split(' ! ')[0])
    tap.equal(max(drawn) > 200, True, 'scopes are in the snapshot')
    tap.equal(max(sent_along) < 20, True, 'scopes are not in the snapshot')


tap.run([('snapshot', test_snapshot)])
