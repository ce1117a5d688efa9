#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library and a run read by keyboard, and what a screen reader is told meanwhile."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import BUILD, Fathom, go_to, reads

cases = Cases("reading")
FIGURE = "CrystalDiskMark-style result"


def put_run(desk, kind, name):
    """A run made elsewhere in the library of the user."""
    folder = os.path.join(desk.environment["XDG_DATA_HOME"], "fathom/runs")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    subprocess.run([os.path.join(BUILD, "tests/ui/make-run"), kind, path], check=True)
    return path


def open_first(desk, app):
    """Opens the newest run of the list by keyboard alone."""
    go_to(app, "Results")
    wait_for(lambda: reads(app, "Samsung SSD 990 PRO"), "the run is not listed")
    table = app.find(role="tree table", name="Saved runs")
    for _ in range(20):
        if any(row.has_focus() for row in table.look_all(role="table row")):
            break
        desk.key("Tab")
    desk.key("Return")
    return app.find(role="image", name=FIGURE)


@cases.add("a-run-is-opened-read-and-left-by-keyboard")
def keyboard(desk):
    put_run(desk, "cdm", "one.fathom")
    app = Fathom(desk)
    figure = open_first(desk, app)
    assert len(figure.description) > 20, f"no summary: {figure.description!r}"
    assert reads(app, "I/Os failed"), "the remark is missing"
    desk.key("alt+Left")
    app.find(role="tree table", name="Saved runs")


@cases.add("every-control-has-a-role-and-a-name")
def names(desk):
    app = Fathom(desk, put_run(desk, "cdm", "one.fathom"))
    app.find(role="image", name=FIGURE)
    kinds = ("push button", "toggle button", "combo box", "text", "image", "page tab")
    nameless = [str(node) for node in app.walk()
                if node.role in kinds and not node.name and node.has("focusable")]
    assert not nameless, f"no names: {nameless}"


@cases.add("a-figure-is-read-point-by-point")
def reading(desk):
    path = put_run(desk, "cdm", "one.fathom")
    app = Fathom(desk, path)
    app.find(role="image", name=FIGURE).focus()
    figure = app.find(role="image", name="CrystalDiskMark-style rows").focus()
    before = figure.description
    desk.key("Right")
    wait_for(lambda: figure.description != before, "the first point is not told")
    first = figure.description
    desk.key("Right")
    wait_for(lambda: figure.description not in (before, first), "the second point is not told")
    desk.key("Escape")
    wait_for(lambda: figure.description == before, "the summary does not come back")


@cases.add("a-note-is-kept-in-the-file")
def note(desk):
    path = put_run(desk, "cdm", "one.fathom")
    app = Fathom(desk, path)
    app.find(role="image", name=FIGURE)
    app.find(role="page tab", name="Your note").press()
    app.find(role="text", name="Note").focus()
    desk.type("worth a look")
    desk.key("ctrl+Return")
    wait_for(lambda: reads(app, "The note is saved"), "nobody says that it was saved")
    with open(path, "rb") as file:
        assert b"worth a look" in file.read()


sys.exit(cases.main())
