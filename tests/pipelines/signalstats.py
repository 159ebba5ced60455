# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Statistics of saturation equal FFmpeg's signalstats, frame by frame. FFmpeg
# truncates hypot(), too. Its SATLOW and SATHIGH are the values that a tenth and
# nine tenths of the samples do not exceed, numbers that it rounds; here they
# are whole.

import re
import subprocess
import tempfile

import gstreamer
import tap

N_FRAMES = 3
SIZE = 320, 240   # a multiple of GStreamer's alignment in all formats

# FFmpeg's formats, GStreamer's, and bytes of four pixels
FORMATS = [('yuv420p', 'I420', 6), ('yuv422p', 'Y42B', 8),
           ('yuv444p', 'Y444', 12), ('yuv411p', 'Y41B', 6)]
# Noise has any U beside any V.
SOURCES = {'moving': 'testsrc2={size}', 'bars': 'smptehdbars={size}',
           'fractal': 'mandelbrot={size}', 'primaries': 'rgbtestsrc={size}',
           'grey': 'color=gray:{size}',
           'noise': 'color=gray:{size},format={format},noise=alls=100:allf=t,'
                    'lutyuv=u=clip(2*val-128\\,0\\,255)'
                    ':v=clip(3*val-256\\,0\\,255)'}


def measure_with_ffmpeg(source, ffmpeg_format, path):
    """Stores the frames. Returns the statistics of each as numbers."""
    size = f'size={SIZE[0]}x{SIZE[1]}'
    graph = (f'{source.format(size=size, format=ffmpeg_format)},'
             f'format={ffmpeg_format},signalstats,metadata=print:file=-')
    run = tap.run_ffmpeg('-f', 'lavfi', '-i', graph, '-frames:v', str(N_FRAMES),
                         '-f', 'rawvideo', '-y', path, stdout=subprocess.PIPE)
    return [dict(re.findall(r'signalstats\.(SAT\w+)=(\S+)', frame))
            for frame in run.stdout.split('frame:')[1:N_FRAMES + 1]]


def read_statistics(structure):
    """Returns them as FFmpeg prints them."""
    # a message's structure has the channel's as escaped text
    text = structure.to_string().replace('\\', '')
    low, high = re.search(r'percentiles=\(uint\)< (\d+), (\d+) >', text).groups()
    least, most, mean = (re.search(fr' {name}=\(\w+\)([^,]+)', text)[1]
                         for name in ('min', 'max', 'mean'))
    return {'SATMIN': least, 'SATLOW': low, 'SATAVG': f'{float(mean):g}',
            'SATHIGH': high, 'SATMAX': most}


def measure(gst_format, frames):
    Gst = gstreamer.load()
    width, height = SIZE
    pipeline = Gst.parse_launch(
        f'appsrc name=source format=time caps="video/x-raw,format={gst_format},'
        f'width={width},height={height},framerate=25/1" ! amphisto '
        'channels=saturation percentiles="<10,90>" post-messages=true '
        'interval=0 qos=false ! fakesink')
    source = pipeline.get_by_name('source')
    for frame in frames:
        source.emit('push-buffer', Gst.Buffer.new_wrapped(frame))
    source.emit('end-of-stream')
    return [read_statistics(structure)
            for structure in gstreamer.play(Gst, pipeline)]


def test_saturation(source, ffmpeg_format, gst_format, bytes_of_four):
    tap.need('ffmpeg')
    size = SIZE[0] * SIZE[1] * bytes_of_four // 4
    with tempfile.NamedTemporaryFile() as file:
        expected = measure_with_ffmpeg(source, ffmpeg_format, file.name)
        frames = file.read()
    tap.equal(len(frames), N_FRAMES * size, 'bytes from FFmpeg')
    found = measure(gst_format, [frames[i * size:(i + 1) * size]
                                 for i in range(N_FRAMES)])
    tap.equal(found, expected, 'statistics')


tap.run([(f'{name} as {formats[1]}',
          lambda source=source, formats=formats: test_saturation(source,
                                                                 *formats))
         for name, source in SOURCES.items() for formats in FORMATS])
