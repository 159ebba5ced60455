# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The readme's examples work as they are pasted. Argument: the readme.
#
# Fenced blocks are examples where their language is sh, python or c. A comment
# on the line before, which is not shown on the page, says what to do with one:
#
#   <!-- test: save NAME -->    it is the file NAME
#   <!-- test: run -->          it is run, and must succeed
#   <!-- test: run, N messages -->            and print N of amphisto's messages
#   <!-- test: run, prints what follows -->   and print the next text block
#   <!-- test: run, prints the lines that follow -->   and others
#
# Only the first two blocks, the two commands, have none: they would run this
# test. Of the first, the pipeline at its end is run.
#
# All run in one folder, in order. These are stand-ins there: video.avi and
# photo.jpg, from the package opencv-doc; python3, which is the one that meson
# runs under; and where a command has a camera and a window, a live test source
# and a sink that keeps time but shows nothing (replace_devices).

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import tap

TIMEOUT = 600
README = pathlib.Path(sys.argv[1])
DATA = pathlib.Path('/usr/share/doc/opencv-doc/examples/data')
STAND_INS = {'video.avi': DATA / 'vtest.avi', 'photo.jpg': DATA / 'fruits.jpg'}
EXAMPLE_LANGUAGES = {'sh', 'python', 'c'}
BLOCK = re.compile(r'(?:^<!-- test: (?P<mark>[^>]*) -->\n)?'
                   r'^```(?P<language>\w*)\n(?P<text>.*?)^```$',
                   flags=re.MULTILINE | re.DOTALL)


class Example:
    def __init__(self, match):
        self.line = match.string.count('\n', 0, match.start('language')) + 1
        self.mark = match['mark']
        self.language = match['language']
        self.text = match['text']


def replace_devices(command):
    command = command.replace('v4l2src',
                              'videotestsrc is-live=true num-buffers=30')
    return command.replace('autovideosink', 'fakesink sync=true')


def run(command, folder):
    """Runs a block as a shell would; returns what it printed."""
    environment = {**os.environ,
                   'PATH': f'{folder}/bin:{os.environ["PATH"]}'}
    process = subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', command],
                             cwd=folder, env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True,
                             timeout=TIMEOUT)
    tap.equal(process.returncode, 0,
              f'exit status of\n{command}\n{process.stdout}{process.stderr}')
    tap.equal(process.stderr, '', f'complaints of\n{command}')
    return process.stdout


def need_peers(command):
    tap.need_device()
    for name, path in STAND_INS.items():
        if name in command and not path.exists():
            raise tap.Skip(f'{path} of the package opencv-doc is missing')
    for element in set(re.findall(r'(?:^|! )(\w+dec|decodebin|pngenc)\b',
                                  command)):
        if subprocess.run(['gst-inspect-1.0', '--exists', element]).returncode:
            raise tap.Skip(f'the element {element} is missing')
    if 'avi' in command and subprocess.run(
            ['gst-inspect-1.0', '--exists', 'avdec_msmpeg4']).returncode:
        raise tap.Skip('the element avdec_msmpeg4 is missing')
    if command.startswith('python3'):
        try:
            import gi
            gi.require_version('Gst', '1.0')
        except (ImportError, ValueError) as error:
            raise tap.Skip(f'GStreamer for Python is missing: {error}')


def test_command(example, following, folder):
    command = replace_devices(example.text)
    need_peers(command)
    printed = run(command, folder)
    wanted = re.fullmatch(r'run, (\d+) messages', example.mark)
    if wanted:
        tap.equal(printed.count('(element): amphisto, timestamp='),
                  int(wanted[1]), 'messages')
    elif example.mark == 'run, prints what follows':
        tap.equal(printed, following.text, 'printed')
    elif example.mark == 'run, prints the lines that follow':
        missing = set(following.text.splitlines()) - set(printed.splitlines())
        tap.equal(missing, set(), f'missing in\n{printed}')
    else:
        tap.equal(example.mark, 'run', 'mark')


def test_first_command(example, folder):
    """The pipeline at its end prints a histogram, and draws it into a
    picture."""
    pipeline = example.text.rpartition('&&\n')[2]
    devenv = 'meson devenv -C build -w . '
    tap.equal(pipeline.startswith(devenv), True, 'its last part is a pipeline')
    tap.need_device()
    lines = run(pipeline[len(devenv):], folder).splitlines()
    tap.equal([line.partition(',')[0] for line in lines], ['stream-time=0'],
              'lines')
    bins = re.search(r'bins=< ([0-9, ]+) >', lines[0])[1].split(', ')
    tap.equal(len(bins), 256, 'bins')
    tap.equal(sum(map(int, bins)), 1280 * 720, 'samples')
    with open(os.path.join(folder, 'scope.png'), 'rb') as picture:
        header = picture.read(24)
    tap.equal(header[:8], b'\x89PNG\r\n\x1a\n', 'signature')
    tap.equal(struct.unpack('>II', header[16:]), (1280, 720), 'size')


def prepare(folder):
    """The stand-ins."""
    pathlib.Path(folder, 'bin').mkdir()
    pathlib.Path(folder, 'bin/python3').symlink_to(sys.executable)
    for name, path in STAND_INS.items():
        pathlib.Path(folder, name).symlink_to(path)


def list_tests(folder):
    blocks = [Example(match) for match in BLOCK.finditer(README.read_text())]
    commands = [block for block in blocks if block.language == 'sh'][:2]
    tests = [('first command', lambda: test_first_command(commands[0], folder))]
    for block, following in zip(blocks, blocks[1:] + [None]):
        if block in commands or block.language not in EXAMPLE_LANGUAGES:
            continue
        if block.mark and block.mark.startswith('save '):
            pathlib.Path(folder, block.mark[5:]).write_text(block.text)
            continue
        name = f'line {block.line}: {" ".join(block.text.split()[:2])}'
        if block.mark is None:
            tests.append((name, lambda: tap.equal(None, 'run', 'mark')))
            continue
        tests.append((name, lambda block=block, following=following:
                      test_command(block, following, folder)))
    return tests


with tempfile.TemporaryDirectory() as folder:
    prepare(folder)
    tap.run(list_tests(folder))
