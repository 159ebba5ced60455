# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Imports GStreamer into a test's process.

import ctypes
import ctypes.util
import os
import sys

import tap

WARNING, CRITICAL = 1 << 4, 1 << 3
TIMEOUT = 120


@ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p,
                  ctypes.c_void_p)
def abort_at_warnings(domain, level, message, _):
    print(domain, message, file=sys.stderr, flush=True)
    if level & (WARNING | CRITICAL):
        os.abort()


def load():
    """Returns the module Gst, initialized; skips the test if GStreamer for
    Python or an OpenCL device is missing. From now on, GLib's warnings end the
    process: G_DEBUG=fatal-warnings alone does not, since LLVM, which PoCL loads,
    catches the signal."""
    try:
        import gi
        gi.require_version('Gst', '1.0')
        from gi.repository import Gst
    except (ImportError, ValueError) as error:
        raise tap.Skip(f'GStreamer for Python is missing: {error}')
    tap.need_device()
    glib = ctypes.CDLL(ctypes.util.find_library('glib-2.0'))
    glib.g_log_set_default_handler(abort_at_warnings, None)
    Gst.init(None)
    return Gst


def need_elements(Gst, *names):
    for name in names:
        if Gst.ElementFactory.find(name) is None:
            raise tap.Skip(f'the element {name} is missing')


def check_bus(Gst, pipeline):
    """Fails with the error, if an element has posted one."""
    message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    if message is not None:
        raise_error(message)


def raise_error(message):
    error, details = message.parse_error()
    raise AssertionError(f'{message.src.get_name()}: {error.message}\n{details}')


def play(Gst, pipeline):
    """Plays to the end of the stream. Yields the structures of the elements'
    messages."""
    wanted = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT
    pipeline.set_state(Gst.State.PLAYING)
    while True:
        message = pipeline.get_bus().timed_pop_filtered(TIMEOUT * Gst.SECOND,
                                                        wanted)
        tap.equal(message is not None, True, 'an end of stream')
        if message.type == Gst.MessageType.ERROR:
            raise_error(message)
        if message.type == Gst.MessageType.EOS:
            break
        yield message.get_structure()
    pipeline.set_state(Gst.State.NULL)
