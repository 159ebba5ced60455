# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The plugin in gst-launch-1.0 and gst-inspect-1.0, and installed by meson.
# Arguments: the build directory, the readme, and the reference.

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import tap

TIMEOUT = 120
BUILD = pathlib.Path(sys.argv[1])
README, REFERENCE = map(pathlib.Path, sys.argv[2:])
INHERITED = {'name', 'parent', 'qos'}


def launch(description):
    """Runs a pipeline to its end; returns the output of gst-launch-1.0 -m."""
    run = tap.launch(description, '-m')
    tap.equal(run.returncode, 0, f'exit status of {description}\n{run.stdout}')
    check_clean(run.stdout)
    return run.stdout


def check_clean(text):
    tap.equal([line for line in text.splitlines()
               if re.search('CRITICAL|WARN|ERROR', line)], [], 'complaints')


def launch_refused(description):
    """Runs a pipeline that can't start; returns the output of
    gst-launch-1.0. That of GStreamer 1.22 sometimes hangs after it has printed
    the error, and is ended then (124)."""
    run = tap.execute(['timeout', '20', 'gst-launch-1.0', '--no-fault',
                       *description.split()])
    tap.equal(run.returncode in (1, 124), True,
              f'exit status {run.returncode} of {description}\n{run.stdout}')
    return run.stdout


def count_messages(text, element):
    return text.count(f'from element "{element}" (element): amphisto,')


def test_interrupt():
    """A live pipeline that is interrupted ends cleanly."""
    tap.need_device()
    gst_launch = subprocess.Popen(
        ['gst-launch-1.0', '--no-fault', '-e', '-m', 'videotestsrc',
         'is-live=true', '!', 'queue', '!', 'amphisto', 'post-messages=true',
         'equalization=global', '!', 'queue', '!', 'fakesink', 'sync=true'],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    try:
        seen = ''
        while count_messages(seen, 'amphisto0') < 2:
            line = gst_launch.stdout.readline()
            tap.equal(line != '', True, f'more output after\n{seen}')
            seen += line
        gst_launch.send_signal(signal.SIGINT)
        seen += gst_launch.communicate(timeout=TIMEOUT)[0]
    finally:
        gst_launch.kill()
        gst_launch.wait()
    tap.equal(gst_launch.returncode, 0, f'exit status\n{seen}')
    tap.equal('EOS received' in seen or 'Got EOS' in seen, True,
              f'end of stream in\n{seen}')
    check_clean(seen)


def test_queues():
    tap.need_device()
    text = launch('videotestsrc num-buffers=100 ! '
                  'video/x-raw,format=NV12,width=321,height=241 ! queue ! '
                  'amphisto name=a post-messages=true interval=0 '
                  'channels=luma+chroma verify=true qos=false ! queue ! '
                  'amphisto name=b post-messages=true interval=0 '
                  'equalization=global verify=true qos=false ! queue ! '
                  'fakesink')
    tap.equal(count_messages(text, 'a'), 100, 'messages of the first')
    tap.equal(count_messages(text, 'b'), 100, 'messages of the second')


def test_tee():
    """Two branches measure and equalize; the third gets the same buffers
    unchanged."""
    tap.need_device()
    source = ('videotestsrc num-buffers=50 ! '
              'video/x-raw,format=BGRx,width=320,height=240')
    with tempfile.TemporaryDirectory() as folder:
        launch(f'{source} ! filesink location={folder}/alone')
        text = launch(f'{source} ! tee name=t '
                      't. ! queue ! amphisto name=a post-messages=true '
                      'interval=0 channels=luma+rgb verify=true qos=false ! '
                      'fakesink '
                      't. ! queue ! amphisto name=b post-messages=true '
                      'interval=0 equalization=global verify=true qos=false ! '
                      'fakesink '
                      f't. ! queue ! filesink location={folder}/shared')
        alone = pathlib.Path(folder, 'alone').read_bytes()
        shared = pathlib.Path(folder, 'shared').read_bytes()
    tap.equal(count_messages(text, 'a'), 50, 'messages of the first')
    tap.equal(count_messages(text, 'b'), 50, 'messages of the second')
    tap.equal(alone == shared, True, 'frames of the third branch are unchanged')


def test_refused_frames():
    """Frames that amphisto refuses: gst-launch-1.0 says what the readme quotes,
    and the readme's cure helps."""
    tap.need_device()
    head, body = re.search(r'^- \*\*(`could not link`.*?)\*\*(.*?)^- ',
                           README.read_text(),
                           flags=re.MULTILINE | re.DOTALL).groups()
    ten_bits = 'videotestsrc num-buffers=2 ! video/x-raw,format=I420_10LE'
    bayer = 'videotestsrc num-buffers=2 ! video/x-bayer,format=bggr'
    fields = ('videotestsrc num-buffers=2 ! video/x-raw,format=I420,'
              'interlace-mode=interleaved ! '
              'capssetter caps=video/x-raw,interlace-mode=fields')
    scopes = ('videotestsrc num-buffers=2 ! amphisto scopes=waveform '
              'scopes-only=true')
    tall = 'video/x-raw,width=360,height=288,pixel-aspect-ratio=16/15'
    for before, behind, words, cure in [
            (ten_bits, 'amphisto', 'could not link', 'videoconvert'),
            (bayer, 'amphisto', 'could not link',
             'bayer2rgb ! videoconvert ! video/x-raw,format=I420'),
            (scopes, tall, 'could not link', 'videoscale'),
            (fields, 'amphisto', 'streaming stopped, reason not-negotiated (-4)',
             'deinterlace')]:
        tap.equal(f'`{words}`' in head, True, f'the readme has {words}')
        tap.equal(f'`{cure}`' in ' '.join(body.split()), True,
                  f'the readme has {cure}')
        text = launch_refused(f'{before} ! {behind} ! fakesink')
        tap.equal(words in text, True, f'{words} in\n{text}')
        launch(f'{before} ! {cure} ! {behind} ! fakesink')


def mean_luma(description):
    text = launch(f'videotestsrc num-buffers=1 pattern=red ! {description} ! '
                  'amphisto post-messages=true ! fakesink')
    return float(re.search(r'mean\\*=\\*\(double\\*\)([0-9.]+)', text)[1])


def test_red():
    """Luma of red, in RGB and as videoconvert makes it, is as the reference
    says."""
    tap.need_device()
    sentence = re.search(r'Luma of RGB, and red.*?range\.',
                         REFERENCE.read_text(), flags=re.DOTALL)[0]
    for lines in 576, 577:
        rgb = f'video/x-raw,format=RGB,width=32,height={lines}'
        made = [mean_luma(rgb)] + [
            mean_luma(f'{rgb} ! videoconvert ! video/x-raw,format={format}')
            for format in ('GRAY8', 'I420')]
        tap.equal(made, [54, 76, 81 if lines == 576 else 62], f'{lines} lines')
    tap.equal(re.findall(r'\d\d+', sentence.replace('BT.709', '')),
              ['54', '76', '576', '81'], 'numbers in the reference')


def inspect(environment):
    run = tap.execute(['gst-inspect-1.0', '--no-colors', 'amphisto'],
                      env={**os.environ, **environment},
                      stderr=subprocess.PIPE)
    tap.equal(run.returncode, 0, f'exit status of gst-inspect\n{run.stderr}')
    tap.equal(run.stderr, '', 'complaints of gst-inspect')
    return run.stdout


def inspected_properties(text):
    """Property -> default, as gst-inspect-1.0 prints them."""
    text = text.partition('Element Properties:\n')[2]
    names = re.split(r'^  ([a-z-]+) +: ', text, flags=re.MULTILINE)[1:]
    default = re.compile(r'(?:Default: +(?:0x\w+, |\d+, )?("<.*>"|\S+)'
                         r'|Boxed pointer)')   # its default is not shown
    return {name: default.search(body)[1] or 'zeros'
            for name, body in zip(names[::2], names[1::2])
            if name not in INHERITED}


def defaults_of(names, defaults):
    """Property -> default, of a row with one default for all, or one each."""
    each = defaults.split(', ') if len(names) > 1 else [defaults]
    return dict(zip(names, each if len(each) > 1 else each * len(names)))


def properties_in(document):
    return re.search(r'^## Properties\n(.*?)^## ', document.read_text(),
                     flags=re.MULTILINE | re.DOTALL)[1]


def listed_properties():
    """Properties, as the readme's table of purposes has them."""
    return {name for cell in re.findall(r'^\| [^|]+ \| ([^|]+) \|$',
                                        properties_in(README),
                                        flags=re.MULTILINE)
            for name in re.findall('`([a-z-]+)`', cell)}


def documented_properties():
    """Property -> default, as the reference's table has them."""
    rows = re.findall(r'^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| [^|]+ '
                      r'\| `?([^|`]+?)`? \|', properties_in(REFERENCE),
                      flags=re.MULTILINE)
    return {name: default for names, defaults in rows
            for name, default in defaults_of(
                re.findall('[a-z-]+', names), defaults).items()}


def plain(defaults):
    """Defaults in one way of writing: TRUE is true, and 1.0 is 1."""
    return {name: re.sub(r'"|[<>]|\(double\)|\.0$', '', default).strip().lower()
            for name, default in defaults.items()}


def test_inspect():
    """The reference's table of properties is complete and has the defaults; the
    readme's table of purposes is complete."""
    text = inspect({})
    inspected = inspected_properties(text)
    tap.equal(plain(inspected), plain(documented_properties()), 'properties')
    tap.equal(sorted(listed_properties()), sorted(inspected), 'purposes')
    tap.equal(re.search(r'Klass +(\S+)', text)[1],
              'Filter/Effect/Analyzer/Video', 'klass')
    for detail, pattern in [('Origin URL', 'The amphisto developers'),
                            ('Source release date', r'\d{4}-\d\d-\d\d')]:
        tap.equal(re.search(fr'^ *{detail} +{pattern}$', text,
                            flags=re.MULTILINE) is not None, True, detail)


def test_install():
    """The installed plugin is found by GStreamer, and is the only file."""
    tap.need('meson')
    with tempfile.TemporaryDirectory() as folder:
        run = tap.execute(['meson', 'install', '--no-rebuild', '-C', BUILD,
                           '--destdir', folder])
        tap.equal(run.returncode, 0, f'exit status of meson\n{run.stdout}')
        installed = [path for path in pathlib.Path(folder).rglob('*')
                     if not path.is_dir()]
        tap.equal([path.name for path in installed], ['libgstamphisto.so'],
                  'files installed')
        place = installed[0].parent
        tap.equal(place.name, 'gstreamer-1.0', 'the plugin\'s directory')
        # other packages' plugins need not be loaded for it again
        registry = shutil.copy(os.environ['GST_REGISTRY'], folder)
        text = inspect({'GST_PLUGIN_PATH_1_0': str(place),
                        'GST_REGISTRY': registry})
        tap.equal(re.search(r'Filename +(\S+)', text)[1], str(installed[0]),
                  'the file that gst-inspect found')


TESTS = [
    ('interrupt', test_interrupt),
    ('refused frames', test_refused_frames),
    ('red', test_red),
    ('gst-inspect', test_inspect),
    ('meson install', test_install)]
if os.environ.get('AMPHISTO_TEST_SIZE') != 'quick':
    TESTS += [('queues', test_queues), ('tee', test_tee)]
tap.run(TESTS)
