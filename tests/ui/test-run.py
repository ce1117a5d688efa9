#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from the window: chosen, started, stopped, run again to the end, and what it found read and
saved."""
import csv
import os
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import (Fathom, Target, choose_folder, choose_plan, cli, figures, give_short_quick, newest_run,
                    open_and_run, outcome, read_table, save_figure, start_run, stop_run, wait_figures,
                    wait_idle)

OTHER_PLAN = "CDM-style, Default"
PNG = b"\x89PNG\r\n\x1a\n"

cases = Cases("run")


@cases.add("stops-at-once-and-then-runs-to-the-end")
def stop(desk):
    with Target() as target:
        app = open_and_run(desk, target, "2s")
        path = newest_run(desk)
        time.sleep(1)
        stop_run(app)
        wait_for(lambda: outcome(desk, path) == "stopped", "the run does not say that it was stopped")
        assert os.listdir(target) == [], "the test file is left"

        give_short_quick(desk, "100ms")
        start_run(app)
        path = newest_run(desk, 2)
        wait_idle(app, 60)
        assert outcome(desk, path) == "complete", outcome(desk, path)
        assert os.listdir(target) == [], "the test file is left"


def check_figures(app):
    """Each is told in a sentence and has its numbers in a table; the figures and what stands first in
    the rows of each."""
    shown = wait_figures(app)
    tables = app.look_all(role="push button", name="Show data table")
    assert len(tables) == len(shown), f"{len(shown)} figures, {len(tables)} tables"
    names = {}
    for figure in shown:
        assert len(figure.description) > 20, f"{figure} has no summary: “{figure.description}”"
        rows = read_table(app, figure)
        assert len(rows) > 1, f"the table of {figure} has nothing but a head"
        assert all(row and row[0] for row in rows), f"the table of {figure} has a row that says nothing"
        names[figure.name] = [row[0] for row in rows]
    return shown, names


@cases.add("quick-is-chosen-run-and-its-figure-saved")
def quick(desk):
    give_short_quick(desk)
    with Target() as target:
        app = Fathom(desk)
        choose_folder(app, target)
        choose_plan(app, OTHER_PLAN)
        desk.key("ctrl+q")
        app.wait_ended()

        app = Fathom(desk)
        assert app.pages.look(role="label", name=OTHER_PLAN), "the plan of last time is forgotten"
        choose_plan(app, "Quick")
        start_run(app)
        path = newest_run(desk)
        wait_idle(app, 60)
        assert outcome(desk, path) == "complete", outcome(desk, path)
        assert "name: 'Quick'" in cli(desk, "dump", path), "another plan was run"
        app.find(role="push button", name="Show Result").press()

        shown, names = check_figures(app)
        figure = shown[0].focus(("shift+Tab",))
        picture, numbers = (os.path.join(desk.folder, "quick." + kind) for kind in ("png", "csv"))
        save_figure(app, picture)
        wait_for(lambda: os.path.exists(picture), "no picture is saved")
        with open(picture, "rb") as file:
            assert file.read(8) == PNG
        app.wait_gone(role="frame", name="Save figure")
        figure.focus(("shift+Tab",))
        save_figure(app, numbers, format_number=3)
        wait_for(lambda: os.path.exists(numbers), "no numbers are saved")
        with open(numbers, encoding="utf-8") as file:
            saved = [row[0] for row in csv.reader(file) if row]
        assert saved == names[figure.name], f"saved {saved}, the table reads {names[figure.name]}"


sys.exit(cases.main())
