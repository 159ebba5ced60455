# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Runs functions as tests and reports their results to meson in the Test
# Anything Protocol. A test is skipped if the machine lacks its requirements.

import concurrent.futures
import functools
import itertools
import os
import shutil
import subprocess
import sys
import traceback


# In the quick tier, pipelines share the kernels of other tests (builds.h).
if os.environ.get('AMPHISTO_TEST_SIZE') == 'quick':
    os.environ['LD_PRELOAD'] = os.environ['AMPHISTO_TEST_BUILDS']


class Skip(Exception):
    """Skips the test; the text names the missing part."""


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Skip(f'the program {program} is missing')


def execute(arguments, timeout=120, stderr=subprocess.STDOUT, **options):
    """Runs a program to its end. Its `stdout` is text, with its complaints."""
    return subprocess.run(arguments, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=stderr, text=True,
                          timeout=timeout, **options)


def launch(description, *options):
    """Runs a pipeline in gst-launch-1.0."""
    return execute(['gst-launch-1.0', '--no-fault', *options,
                    *description.split()])


def run_ffmpeg(*arguments, stdout=subprocess.DEVNULL):
    """Returns the finished process; its `stderr` is the log."""
    run = subprocess.run(['ffmpeg', '-hide_banner', '-nostdin', *arguments],
                         stdout=stdout, stderr=subprocess.PIPE, text=True,
                         timeout=120)
    equal(run.returncode, 0, f'exit status of FFmpeg\n{run.stderr}')
    return run


@functools.cache
def need_device():
    """Skips the test if amphisto finds no device."""
    run = launch('videotestsrc num-buffers=1 ! amphisto ! fakesink')
    if run.returncode == 0:
        return
    if 'OpenCL' in run.stdout:
        raise Skip('there is no OpenCL device, or not the one asked for')
    raise AssertionError(run.stdout)


def list_strangers(actual, expected):
    return ([f'{item!r} is missing' for item in expected if item not in actual]
            + [f'{item!r} is unexpected' for item in actual
               if item not in expected])


def difference(actual, expected):
    """Says in which parts the values differ; of lists of one length, in the first
    that does."""
    parts = []
    if isinstance(actual, list) and len(actual) == len(expected) > 1:
        return next(f'item {i} {difference(*items)}'
                    for i, items in enumerate(zip(actual, expected))
                    if items[0] != items[1])
    if isinstance(actual, dict):
        parts = [f'{name!r} {difference(value, expected[name])}'
                 for name, value in actual.items()
                 if expected.get(name, value) != value]
    if isinstance(actual, (dict, list, set)):
        parts += list_strangers(actual, expected)
    return '; '.join(parts) or f'is {actual!r}, not {expected!r}'


def equal(actual, expected, what):
    if actual != expected:
        raise AssertionError(f'{what}: {difference(actual, expected)}')


def result_of(name, test):
    """Returns whether the test succeeds, and what to say of it."""
    try:
        test()
        return True, name
    except Skip as skip:
        return True, f'{name} # SKIP {skip}'
    except Exception:
        traceback.print_exc()
        return False, name


def run(tests, n_at_once=1, first=()):
    """Runs the tests, pairs of a name and a function, and exits: those of `first`
    one after the other, before the others."""
    print(f'1..{len(first) + len(tests)}', flush=True)
    done = [result_of(*test) for test in first]
    with concurrent.futures.ThreadPoolExecutor(n_at_once) as threads:
        results = itertools.chain(done, threads.map(result_of, *zip(*tests)))
        for number, (is_ok, text) in enumerate(results, 1):
            print(f'{"ok" if is_ok else "not ok"} {number} - {text}', flush=True)
    sys.exit(0)
