# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The examples of the documents work when pasted. Arguments: GStreamer's version,
# the readme, and the other documents: Markdown, or C with launch lines between
# |[ and ]| in its comments, as GStreamer's documentation has them.
#
# Fenced blocks in sh, python and c are examples. Blocks in sh and python are run
# and must succeed, as launch lines must; blocks in c must be saved. A comment on
# the line before a block, invisible on the page, gives the details:
#
#   <!-- test: save NAME -->                  save the block as NAME instead
#   <!-- test: run first -->                  what it leaves is there for all others
#   <!-- test: run, N messages -->            it prints N of amphisto's messages
#   <!-- test: run, prints its comments -->   it prints its own comments
#   <!-- test: run, logs A; B -->             it writes A and B to
#                                             amphisto.log
#   <!-- test: run, prints its comments, other ones for bars -->
#                                             and see check_bars
#   <!-- test: run, fails for bad clips -->   and for other files in the place of
#                                             video.avi: see check_bad_clips
#   <!-- test: run, fails for a stalled stream -->
#                                             see check_stalled
#   <!-- test: run, needs its capssetter -->  it fails without
#   <!-- test: run, prints the exit status of each file -->
#                                             see check_folder
#   <!-- test: run, prints CSV of N frames -->
#                                             see check_csv
#   <!-- test: run, prints JSON of A, later of A B -->
#                                             it prints messages, the first with
#                                             the histogram of channel A, the
#                                             last with those of A and B
#   <!-- test: send -->                       from GStreamer 1.24 on, it sends
#                                             frames to the Python program,
#                                             changed as the readme says
#   <!-- test: run on a new machine -->       in an empty home directory: no
#                                             plugin, no compiled kernels
#
# Links in the documents lead to files, and to headings in them.
#
# The readme's first two blocks, the two commands, are not run, since they would run this
# test. Only the pipeline at the end of the first is run.
#
# Three run at a time, since some wait for live sources: each in a folder of its own,
# with a user's environment and the kernels that other tests have compiled.
# Stand-ins in the folder: build, a link to the build directory; video.avi (the
# first 19 seconds), photo.jpg and the folder videos, from the package opencv-doc;
# full-range.mp4, made by FFmpeg; python3, the interpreter of meson.
# Stand-ins in commands: see replace_devices.

import functools
import json
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import tap

TIMEOUT = 600
IS_QUICK = os.environ.get('AMPHISTO_TEST_SIZE') == 'quick'
GST_VERSION = tuple(map(int, sys.argv[1].split('.')))
DOCUMENTS = [pathlib.Path(name) for name in sys.argv[2:]]
README = DOCUMENTS[0]
DATA = pathlib.Path('/usr/share/doc/opencv-doc/examples/data')
STAND_INS = {'video.avi': DATA / 'vtest.avi', 'photo.jpg': DATA / 'fruits.jpg',
             'videos/a video.avi': DATA / 'vtest.avi',
             'videos/b.avi': DATA / 'Megamind.avi'}
MOST_BYTES = 2_000_000   # of a stand-in: decoding more takes seconds, and shows no more
FULL_RANGE = 'full-range.mp4'
PLUGIN_FOLDER = os.environ['GST_PLUGIN_PATH_1_0']
TEST_REGISTRY = os.environ['GST_REGISTRY']
# Variables of the tests that users do not have.
TEST_VARIABLES = ['CK_DEFAULT_TIMEOUT', 'GST_PLUGIN_PATH_1_0', 'GST_REGISTRY',
                  'XDG_CACHE_HOME', 'XDG_DATA_HOME']
NEW_HOME = 'new-home'
CACHE_VARIABLES = ['LD_PRELOAD', 'POCL_CACHE_DIR', 'POCL_PREGION_VALUE_REMAT']
EXAMPLE_LANGUAGES = {'sh', 'python', 'c'}
INTERPRETERS = {'sh': ['bash', '-e', '-o', 'pipefail', '-c'],
                'python': ['python3', '-c']}
BLOCK = re.compile(r'(?:^<!-- test: (?P<mark>[^>]*) -->\n)?'
                   r'^```(?P<language>\w*)\n(?P<text>.*?)^```$',
                   flags=re.MULTILINE | re.DOTALL)


class Example:
    def __init__(self, document, match):
        line = match.string.count('\n', 0, match.start('language')) + 1
        self.place = f'{document.name}, line {line}'
        self.mark = match['mark'] or 'run'
        self.language = match['language']
        self.text = match['text']


def read_markdown(document):
    """Returns the document; a comment's launch lines as blocks in sh."""
    text = document.read_text()
    if document.suffix == '.c':
        for pattern, line in [(r'\|\[', '```sh'), (r'\]\|.*', '```'),
                              (r'(.*)', r'\1')]:
            text = re.sub(fr'^ \* {pattern}$', line, text, flags=re.MULTILINE)
    return text


def find_examples(document):
    examples = [Example(document, match)
                for match in BLOCK.finditer(read_markdown(document))]
    tap.equal(examples != [], True, f'{document} has examples')
    return examples


def anchors_of(document):
    """The names that GitHub gives to the headings."""
    headings = re.findall('^#+ (.*)$', document.read_text(), flags=re.MULTILINE)
    return {re.sub(r'[^\w -]', '', heading).lower().replace(' ', '-')
            for heading in headings}


def test_links(document):
    links = re.findall(r'\]\((?!http)([^)#]*)(?:#([^)]*))?\)',
                       document.read_text())
    tap.equal(links != [], True, 'there are links')
    for path, anchor in links:
        target = document.parent / path if path else document
        tap.equal(target.is_file(), True, f'{path} exists')
        if anchor:
            tap.equal(anchor in anchors_of(target), True,
                      f'{target} has {anchor}')


def replace_devices(command):
    """Replaces the camera by a live test source, the window by a sink that keeps
    time but shows nothing, and the CPU by the tested device."""
    command = command.replace('v4l2src',
                              'videotestsrc is-live=true num-buffers=30')
    command = command.replace('autovideosink', 'fakesink sync=true')
    return command.replace('device=cpu ', '')


def user_environment(folder, home):
    """A user's; in the home directory of a new machine, no kernel is compiled."""
    hidden = TEST_VARIABLES + (CACHE_VARIABLES if home == NEW_HOME else [])
    environment = {name: value for name, value in os.environ.items()
                   if name not in hidden}
    return {**environment, 'HOME': f'{folder}/{home}',
            'PATH': f'{folder}/bin:{os.environ["PATH"]}'}


def run(language, text, folder, home='home', **variables):
    """Runs a block; returns its output."""
    process = tap.execute([*INTERPRETERS[language], text], TIMEOUT,
                          subprocess.PIPE, cwd=folder,
                          env={**user_environment(folder, home), **variables})
    tap.equal(process.returncode, 0,
              f'exit status of\n{text}\n{process.stdout}{process.stderr}')
    tap.equal(process.stderr, '', f'complaints of\n{text}')
    return process.stdout


def need_python_modules():
    try:
        import gi
        import numpy
        gi.require_version('Gst', '1.0')
    except (ImportError, ValueError) as error:
        raise tap.Skip(f'GStreamer or numpy for Python is missing: {error}')


@functools.cache
def has_element(name):
    return subprocess.run(['gst-inspect-1.0', '--exists', name]).returncode == 0


def need_element(name):
    if not has_element(name):
        raise tap.Skip(f'the element {name} is missing')


def need_peers(command):
    tap.need_device()
    for name, path in STAND_INS.items():
        if name.partition('/')[0] in command and not path.exists():
            raise tap.Skip(f'{path} of the package opencv-doc is missing')
    for element in set(re.findall(
            r'(?:^|!\s[\\\s]*)(\w+dec|decodebin|pngenc|watchdog|capssetter)\b',
            command)):
        need_element(element)
    for suffix, decoder in {'avi': 'avdec_msmpeg4', 'mp4': 'avdec_h264'}.items():
        if f'.{suffix}' in command:
            need_element(decoder)


def make_full_range(path):
    """Makes H.264 of full range without a matrix: a dark picture, which is black
    in limited range."""
    tap.need('ffmpeg')
    tap.run_ffmpeg('-f', 'lavfi', '-i', 'color=0x0a0a0a:s=160x120:d=1',
                   '-vf', 'format=yuvj420p', '-c:v', 'libx264', '-y', path)


def make_avi(source, name, folder):
    run('sh', f'gst-launch-1.0 -q {source} ! video/x-raw,framerate=30/1 ! '
        f'jpegenc ! avimux ! filesink location={name}', folder)


# Checks of what an example has printed, which may run it again with changes:
# `text` is the example without devices.

def check_plain(printed, text, folder):
    tap.equal('(element): amphisto, ' in printed, ' -m ' in text,
              'messages are printed')


def check_messages(printed, text, folder, n):
    tap.equal(printed.count('(element): amphisto, timestamp='), int(n),
              'messages')


def check_comments(printed, text, folder):
    tap.equal(printed.splitlines(), re.findall('# (.*)', text), 'printed')


def check_log(printed, text, folder, parts):
    log = pathlib.Path(folder, 'amphisto.log').read_text()
    for part in parts.split('; '):
        tap.equal(part in log, True, f'{part} in\n{log}')
    tap.equal('\x1b' in log, False, 'colours')


def check_json(printed, text, folder, first, last):
    lines = printed.splitlines()
    check_json_line(lines[0], first)
    check_json_line(lines[-1], last)


def check_csv(printed, text, folder, n):
    """Frames of 10 per second."""
    names, *rows = printed.splitlines()
    tap.equal(names, 'stream-time,min,mean,max', 'names')
    tap.equal(len(rows), int(n), 'rows')
    for i, row in enumerate(rows):
        time, minimum, mean, maximum = map(float, row.split(','))
        tap.equal(time, i * 1e8, f'time of {row}')
        tap.equal(0 <= minimum < mean < maximum <= 255, True, row)


def check_bars(printed, text, folder):
    """The picture is in two places, one after the other, behind black frames."""
    check_comments(printed, text, folder)
    white = ('videotestsrc pattern=white num-buffers=2 ! '
             'video/x-raw,width=64,height=96,framerate=30/1 ! videobox')
    make_avi('videotestsrc pattern=black num-buffers=2 ! '
             'video/x-raw,width=192,height=144,framerate=30/1 ! c. '
             f'{white} left=-16 right=-112 top=-32 bottom=-16 ! c. '
             f'{white} left=-48 right=-80 top=-48 ! c. concat name=c',
             'bars.avi', folder)
    tap.equal(run('python', text.replace('video.avi', 'bars.avi'), folder),
              '96x112 at 16, 32\n', 'picture between bars')


def check_stalled(printed, text, folder):
    """The second frame does not come; frames are black, or frozen."""
    text = 'timeout 30 ' + text.replace(' num-buffers=30', '')
    check_failure(text.replace('timeout=5000', 'timeout=1000').replace(
        'videoconvert', 'video/x-raw,framerate=1/60 ! videoconvert', 1), folder,
        'Watchdog triggered')
    for pattern, complaint in {'black': 'luma.p98 > 37 is not met: ',
                               'gradient': 'picture.difference > 0 is not met: 0 at '}.items():
        check_failure(text.replace('is-live=true', f'is-live=true pattern={pattern}'), folder,
                      complaint)


def check_folder(printed, text, folder):
    """Of a black file, too."""
    names = [name for name in STAND_INS if name.startswith('videos/')]
    tap.equal(sorted(printed.splitlines()), [f'0 {name}' for name in names],
              'statuses')
    make_avi('videotestsrc pattern=black num-buffers=60', 'videos/black.avi',
             folder)
    check_failure(text, folder, '1 videos/black.avi\n')
    log = pathlib.Path(folder, 'videos/black.avi.log').read_text()
    tap.equal('luma.p98 > 37 is not met: ' in log, True, log)


def check_capssetter(printed, text, folder):
    check_plain(printed, text, folder)
    check_failure(re.sub(r'capssetter [^!]* !', '', text), folder,
                  'luma.clipped-low < 0.05 is not met: 1 at ')


def check_json_line(line, channels):
    message = json.loads(line)
    histograms = {name: value for name, value in message.items()
                  if isinstance(value, dict)}
    tap.equal(list(histograms), channels.split(), 'channels')
    for histogram in histograms.values():
        tap.equal(len(histogram['percentiles']), 6, 'percentiles')
        tap.equal(len(histogram['bins']), 256, 'bins')
        tap.equal(sum(histogram['bins']), histogram['samples'], 'samples')


def test_example(example, folder):
    text = replace_devices(example.text)
    need_peers(text)
    if example.language == 'python':
        need_python_modules()
    if FULL_RANGE in text:
        make_full_range(f'{folder}/{FULL_RANGE}')
    if example.mark == 'run on a new machine':
        make_home(folder, NEW_HOME)
        run(example.language, text, folder, home=NEW_HOME)
        return
    printed = run(example.language, text, folder)
    matches = [(check, match) for pattern, check in CHECKS
               if (match := re.fullmatch(pattern, example.mark))]
    tap.equal(len(matches), 1, f'checks of {example.mark}')
    for check, match in matches:
        check(printed, text, folder, *match.groups())


def check_bad_clips(printed, text, folder):
    """The job fails for each clip, and prints why, also if gst-launch-1.0 hangs
    after the error. In the quick tier: for the first."""
    tap.equal('timeout 3600 ' in text, True, 'the job has a time limit')
    text = text.replace('timeout 3600 ', 'timeout 30 ')
    black = 'videotestsrc pattern=black num-buffers=15'   # half a second
    logo = ('videotestsrc pattern=white num-buffers=15 ! video/x-raw,width=40,'
            'height=30 ! videobox left=-20 top=-20 right=-260 bottom=-190')
    noise = ('videotestsrc pattern=snow num-buffers=15 ! '
             'videobalance brightness=-0.78')
    frozen = 'videotestsrc pattern=gradient num-buffers=60'
    video = STAND_INS['video.avi'].read_bytes()
    bad = {'black.avi': '37 is not met: 16 at 0:00:00.000, for all 15 frames',
           'logo.avi': 'luma.p98 > 37 is not met: 16 at 0:00:00.000, for all',
           'dark-noise.avi': 'luma.p98 > 37 is not met: ',
           'frozen.avi': 'picture.difference > 0.25 is not met: 0 at 0:00:00.033',
           'missing.avi': 'No such file "missing.avi"',
           'empty.avi': 'Stream contains no data',
           'header.avi': 'luma.p98 > 37 was never tested: no frame came',
           'noise.avi': 'Could not determine type of stream'}
    make_avi(black, 'black.avi', folder)
    if IS_QUICK:
        check_failure(text.replace('video.avi', 'black.avi'), folder,
                      bad['black.avi'])
        return
    for name, source in {'logo.avi': logo, 'dark-noise.avi': noise,
                         'frozen.avi': frozen}.items():
        make_avi(source, name, folder)
    pathlib.Path(folder, 'empty.avi').touch()
    pathlib.Path(folder, 'header.avi').write_bytes(video[:6000])
    pathlib.Path(folder, 'noise.avi').write_bytes(bytes(range(7, 251)) * 100)
    for name, complaint in bad.items():
        check_failure(text.replace('video.avi', name), folder, complaint)
    check_failure(text.replace('luma.p98', 'luma.p980'), folder,
                  '"luma.p980" stands where luma.FIELD')


def check_failure(text, folder, complaint):
    process = tap.execute([*INTERPRETERS['sh'], text], TIMEOUT, cwd=folder,
                          env=user_environment(folder, 'home'))
    tap.equal(process.returncode != 0, True, f'failure of\n{text}')
    tap.equal(complaint in process.stdout, True,
              f'{complaint} in\n{process.stdout}')


# The marks of examples, as regular expressions.
CHECKS = [(r'run|run first', check_plain),
          (r'run, (\d+) messages', check_messages),
          (r'run, logs (.*)', check_log),
          (r'run, prints JSON of (.*), later of (.*)', check_json),
          (r'run, prints CSV of (\d+) frames', check_csv),
          (r'run, prints its comments', check_comments),
          (r'run, prints its comments, other ones for bars', check_bars),
          (r'run, prints the exit status of each file', check_folder),
          (r'run, fails for bad clips', check_bad_clips),
          (r'run, fails for a stalled stream', check_stalled),
          (r'run, needs its capssetter', check_capssetter)]


def test_first_command(example, folder):
    """Its pipeline prints a histogram, and draws it into a picture."""
    pipeline = example.text.rpartition('&&\n')[2]
    devenv = 'meson devenv -C build -w . '
    tap.equal(pipeline.startswith(devenv), True, 'its last part is a pipeline')
    tap.need_device()
    lines = run('sh', pipeline[len(devenv):], folder,
                GST_PLUGIN_PATH=PLUGIN_FOLDER).splitlines()
    tap.equal([line.partition(',')[0] for line in lines], ['stream-time=0'],
              'lines')
    bins = re.search(r'bins=< ([0-9, ]+) >', lines[0])[1].split(', ')
    tap.equal(len(bins), 256, 'bins')
    tap.equal(sum(map(int, bins)), 1280 * 720, 'samples')
    with open(os.path.join(folder, 'scope.png'), 'rb') as picture:
        header = picture.read(24)
    tap.equal(header[:8], b'\x89PNG\r\n\x1a\n', 'signature')
    tap.equal(struct.unpack('>II', header[16:]), (1280, 720), 'size')


def receiver_of(text):
    """Returns the readme's Python program with the receiving pipeline of the
    readme's text."""
    program = re.search(r'^```python\n(.*?)^```$', text,
                        flags=re.MULTILINE | re.DOTALL)[1]
    load = re.search(r'`(Gst\.Plugin\.load_by_name\(.*?\))`', text)[1]
    launch = re.search(r"`(Gst\.parse_launch\('unixfdsrc .*?\))`", text)[1]
    return re.sub(r'Gst\.parse_launch\(.*?\)', launch,
                  program.replace('Gst.init(None)\n',
                                  f'Gst.init(None)\n{load}\n'))


def start(language, text, folder):
    return subprocess.Popen([*INTERPRETERS[language], text], cwd=folder,
                            env=user_environment(folder, 'home'),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def test_send(example, folder):
    """Both run until the first frame has arrived."""
    need_python_modules()
    command = replace_devices(example.text).replace('num-buffers=30 ', '')
    need_peers(command)
    sender = start('sh', f'exec {command}', folder)
    try:
        while not pathlib.Path(folder, 'frames').exists():
            tap.equal(sender.poll(), None, 'exit status of the sender')
            time.sleep(0.1)
        program = start('python', receiver_of(README.read_text()), folder)
        printed = program.stdout.readline()
        program.terminate()
        complaints = program.communicate(timeout=TIMEOUT)[1]
    finally:
        sender.terminate()
    complaints += sender.communicate(timeout=TIMEOUT)[1]
    tap.equal(complaints, '', 'complaints')
    tap.equal(re.fullmatch(r'\d+ of 76800 samples are black\n',
                           printed) is not None, True, f'printed {printed!r}')


def make_home(folder, name):
    """Makes a home directory with nothing but GStreamer's registry: GStreamer may
    complain of other packages' plugins when it loads them for the first time.
    It begins as the tests' registry, in which only amphisto is out of place."""
    has_element('fakesink')   # makes the tests' registry
    cache = pathlib.Path(folder, name, '.cache/gstreamer-1.0')
    cache.mkdir(parents=True)
    shutil.copy(TEST_REGISTRY, cache / f'registry.{platform.machine()}.bin')
    subprocess.run(['gst-inspect-1.0', '--exists', 'fakesink'], check=True,
                   env=user_environment(folder, name),
                   stderr=subprocess.DEVNULL)


def prepare(folder):
    """Makes the stand-ins."""
    make_home(folder, 'home')
    pathlib.Path(folder, 'build').symlink_to(pathlib.Path(PLUGIN_FOLDER).parent)
    pathlib.Path(folder, 'bin').mkdir()
    pathlib.Path(folder, 'bin/python3').symlink_to(sys.executable)
    pathlib.Path(folder, 'videos').mkdir()
    for name, path in STAND_INS.items():
        if path.exists():
            with path.open('rb') as file:
                pathlib.Path(folder, name).write_bytes(file.read(MOST_BYTES))


def in_own_folder(stand_ins, test, *arguments):
    """Runs the test with a copy of the folder `stand_ins`."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(stand_ins, folder, symlinks=True, dirs_exist_ok=True)
        test(*arguments, folder)


def run_tests(stand_ins):
    blocks = [example for document in DOCUMENTS
              for example in find_examples(document)]
    commands = [block for block in blocks if block.language == 'sh'][:2]
    tests = [(f'links of {document.name}', functools.partial(test_links, document))
             for document in DOCUMENTS if document.suffix == '.md']
    first = []
    examples = [('first command', test_first_command, commands[0])]
    for block in blocks:
        name = f'{block.place}: {" ".join(block.text.split()[:2])}'
        if block.mark.startswith('save '):
            pathlib.Path(stand_ins, block.mark[5:]).write_text(block.text)
        elif block.mark == 'run first':
            first.append((name, functools.partial(test_example, block, stand_ins)))
        elif block.mark == 'send':
            if GST_VERSION >= (1, 24):
                examples.append((name, test_send, block))
        elif block.language in EXAMPLE_LANGUAGES and block not in commands:
            examples.append((name, test_example, block))
    tests += [(name, functools.partial(in_own_folder, stand_ins, test, block))
              for name, test, block in examples]
    tap.run(tests, n_at_once=3, first=first)


with tempfile.TemporaryDirectory() as folder:
    prepare(folder)
    run_tests(folder)
