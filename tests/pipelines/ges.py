# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A project of GStreamer Editing Services, as Pitivi makes them, is saved with
# all properties of its effects as text. It opens again, and the effects are as
# they were.

import os
import pathlib
import re
import tempfile

import gstreamer
import tap

TIMEOUT = 60
# GStreamer 1.28.8 takes few elements from a project that it does not trust
os.environ['GES_ALLOW_UNTRUSTED'] = '1'
SETTINGS = ('channels=chroma+rgb percentiles=<1,50.5> interval=5 '
            'expect="luma.mean\\ >=\\ 2,\\ u.max\\ <\\ 200" device="" '
            'equalization=match scopes=histogram+vectorscope vectorscope-zoom=4 '
            'exposure=zebra zebra-low=12.3 strength=0.1 graticule=false')


def load():
    Gst = gstreamer.load()
    try:
        import gi
        gi.require_version('GES', '1.0')
        from gi.repository import GES
    except (ImportError, ValueError) as error:
        raise tap.Skip(f'GStreamer Editing Services are missing: {error}')
    GES.init()
    return Gst, GES


def read_properties(GES, effect):
    """Returns property -> value of the effect's amphisto."""
    amphisto = GES.TimelineElement.lookup_child(effect, 'reference')[1]
    values = {spec.name: amphisto.get_property(spec.name)
              for spec in amphisto.list_properties()
              if spec.name not in ('name', 'parent')}
    return {**values, 'reference': values['reference'].get_data(),
            'percentiles': list(values['percentiles']),
            'reference-lines': list(values['reference-lines'])}


def read_effects(GES, timeline):
    return [read_properties(GES, effect)
            for layer in timeline.get_layers() for clip in layer.get_clips()
            for effect in clip.get_top_effects()]


def make_timeline(Gst, GES):
    """Returns a timeline with effects of default properties, and of others."""
    from gi.repository import GLib
    timeline = GES.Timeline.new_audio_video()
    asset = GES.Asset.request(GES.TestClip, None)
    clip = timeline.append_layer().add_asset(asset, 0, 0, Gst.SECOND,
                                             GES.TrackType.VIDEO)
    default, other = [GES.Effect.new(text)
                      for text in ('amphisto', f'amphisto {SETTINGS}')]
    for effect in (default, other):
        tap.equal(clip.add(effect), True, 'the clip takes the effect')
    reference = GLib.Bytes.new(bytes(i % 7 if i % 4 == 0 else 0
                                     for i in range(1024)))
    tap.equal(other.set_child_property('reference', reference), True,
              'the effect takes a reference')
    return timeline


def open_project(GES, uri):
    """Returns the project's timeline, when it has been loaded."""
    from gi.repository import GLib
    loop = GLib.MainLoop()
    ends = []
    project = GES.Project.new(uri)

    def end(text):
        ends.append(text)
        loop.quit()

    project.connect('loaded', lambda *_: end('loaded'))
    project.connect('error-loading', lambda *args: end(f'error {args}'))
    GLib.timeout_add_seconds(TIMEOUT, lambda: end('time is up'))
    timeline = project.extract()
    loop.run()
    tap.equal(ends, ['loaded'], 'loading ends')
    return timeline


def test_project():
    Gst, GES = load()
    timeline = make_timeline(Gst, GES)
    saved = read_effects(GES, timeline)
    tap.equal(len(saved), 2, 'number of effects')
    tap.equal({name for name in saved[0] if saved[0][name] != saved[1][name]},
              {'reference', *re.findall('(?:^| )([a-z-]+)=', SETTINGS)},
              'properties of others')
    with tempfile.TemporaryDirectory() as folder:
        uri = pathlib.Path(folder, 'project.xges').as_uri()
        timeline.save_to_uri(uri, None, True)
        opened = read_effects(GES, open_project(GES, uri))
    tap.equal(opened, saved, 'properties of the effects')


tap.run([('project', test_project)])
