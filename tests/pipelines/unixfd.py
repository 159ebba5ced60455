# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The metadata arrives unchanged in another process, through unixfdsink and
# unixfdsrc, which carry it as text from GStreamer 1.24 on. The sink takes only
# memory with file descriptors, and offers it to the element that allocates the
# buffers: here videoconvert.

import multiprocessing
import tempfile
import time

import gstreamer
import tap

WIDTH, HEIGHT = 33, 17
CAPS = f'video/x-raw,format=RGBA,width={WIDTH},height={HEIGHT},framerate=25/1'
N_RECEIVED = 5
TIMEOUT = 60


def read_meta(buffer):
    meta = buffer.get_custom_meta('AmphistoHistogramMeta')
    return meta.get_structure().to_string() if meta else 'no metadata'


def receive(path):
    """Returns the metadata of the first frames that come through the socket."""
    Gst = gstreamer.load()
    Gst.Plugin.load_by_name('amphisto')
    pipeline = Gst.parse_launch(f'unixfdsrc socket-path={path} ! '
                                'appsink name=sink sync=false')
    sink = pipeline.get_by_name('sink')
    received = []
    pipeline.set_state(Gst.State.PLAYING)
    for _ in range(N_RECEIVED):
        sample = sink.emit('try-pull-sample', TIMEOUT * Gst.SECOND)
        gstreamer.check_bus(Gst, pipeline)
        tap.equal(sample is not None, True, 'a frame arrives')
        received.append(read_meta(sample.get_buffer()))
    pipeline.set_state(Gst.State.NULL)
    return received


def frame(Gst, n):
    """Returns the nth RGBA frame, which differs from the others, with two
    regions of interest."""
    from gi.repository import GstVideo
    buffer = Gst.Buffer.new_wrapped(bytes((n + i * i) % 251
                                          for i in range(4 * WIDTH * HEIGHT)))
    buffer.pts = n * 40 * Gst.MSECOND
    GstVideo.buffer_add_video_region_of_interest_meta(
        buffer, 'a face', 1, 2, 20, 10)
    GstVideo.buffer_add_video_region_of_interest_meta(
        buffer, 'hand', n % WIDTH, 0, 3, 3)
    return buffer


def start_sender(Gst, path, elements):
    """Returns a pipeline from an appsrc through the elements to the socket, and
    a list, to which the metadata of each frame sent will be added."""
    pipeline = Gst.parse_launch(
        f'appsrc name=source format=time caps={CAPS} ! videoconvert ! {elements} '
        f'! unixfdsink name=sink socket-path={path} sync=false async=false')
    sent = []

    def remember(_, info):
        sent.append(read_meta(info.get_buffer()))
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name('sink').get_static_pad('sink').add_probe(
        Gst.PadProbeType.BUFFER, remember)
    pipeline.set_state(Gst.State.PLAYING)
    return pipeline, sent


def send_until(Gst, pipeline, is_done):
    deadline = time.monotonic() + TIMEOUT
    n = 0
    while not is_done():
        gstreamer.check_bus(Gst, pipeline)
        tap.equal(time.monotonic() < deadline, True, 'the receiver answers')
        pipeline.get_by_name('source').emit('push-buffer', frame(Gst, n))
        n += 1
        time.sleep(0.01)
    pipeline.set_state(Gst.State.NULL)


def test_frames(elements, fields):
    Gst = gstreamer.load()
    gstreamer.need_elements(Gst, 'unixfdsink', 'unixfdsrc')
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/socket'
        pipeline, sent = start_sender(Gst, path, elements)
        result = receiver.apply_async(receive, (path,))
        send_until(Gst, pipeline, result.ready)
        received = result.get()
    tap.equal(received[0] in sent, True, f'sent: {received[0]}')
    first = sent.index(received[0])
    tap.equal(received, sent[first:first + N_RECEIVED], 'metadata')
    tap.equal(set(Gst.Structure.from_string(received[0])[0].keys()),
              {'format', 'width', 'height', *fields}, 'fields')


if __name__ == '__main__':
    with multiprocessing.get_context('spawn').Pool(1) as receiver:
        tap.run([
            ('every channel, and regions', lambda: test_frames(
                'video/x-raw,format=VUYA ! '
                'amphisto channels=luma+chroma+rgb+alpha roi-meta=true',
                ['luma', 'u', 'v', 'red', 'green', 'blue', 'alpha', 'regions'])),
            ('equalized', lambda: test_frames(
                'video/x-raw,format=GRAY8 ! amphisto equalization=global',
                ['luma']))])
