# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# GStreamer in the process of a test.

import tap


def load():
    """Returns the module Gst, initialized; skips the test where GStreamer for
    Python or an OpenCL device is missing."""
    try:
        import gi
        gi.require_version('Gst', '1.0')
        from gi.repository import Gst
    except (ImportError, ValueError) as error:
        raise tap.Skip(f'GStreamer for Python is missing: {error}')
    tap.need_device()
    Gst.init(None)
    return Gst


def need_elements(Gst, *names):
    for name in names:
        if Gst.ElementFactory.find(name) is None:
            raise tap.Skip(f'the element {name} is missing')
