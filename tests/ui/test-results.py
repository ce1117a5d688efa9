#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured: opened from elsewhere, read without seeing it, saved as picture and numbers."""
import os
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import (Fathom, Target, make_run, open_and_run, open_file,
                    reads, save_figure, wait_figures, wait_idle)

PNG = b"\x89PNG\r\n\x1a\n"

cases = Cases("results")


@cases.add("a-file-made-elsewhere-opens-by-double-click")
def double_click(desk):
    app = Fathom(desk, make_run(desk, "cdm"))
    wait_figures(app)
    assert reads(app, "Samsung SSD 990 PRO 2TB"), "nobody says which drive it was"


@cases.add("every-figure-has-a-summary-and-a-table")
def summary(desk):
    app = Fathom(desk)
    open_file(app, make_run(desk, "cdm"))
    shown = wait_figures(app)
    # Figures far below the edge are drawn when they come into sight.
    for figure in shown:
        assert len(figure.description) > 20, f"{figure} has no summary: “{figure.description}”"
    tables = app.look_all(role="push button", name="Show data table")
    assert len(tables) == len(shown), f"{len(shown)} figures, {len(tables)} tables"

    shown[0].focus()
    desk.key("ctrl+t")
    window = wait_for(lambda: next((node for node in app.windows() if node.name == shown[0].name), None),
                      "no table opens")
    table = window.find(role=("table", "tree table"))
    rows = wait_for(lambda: table.look_all(role="table row"), "the table is empty")
    assert len(rows) > 1, "the table has nothing but a head"
    assert any(label.name for label in table.look_all(role="label")), "the table says nothing"


@cases.add("the-keyboard-gets-out-of-a-figure-both-ways")
def ways_out(desk):
    app = Fathom(desk, make_run(desk, "cdm"))
    figure = wait_figures(app)[0].focus()
    app.find(role="page tab", name="Figures").focus(("shift+Tab",), most=10)
    figure.focus(most=10)
    app.find(role="push button", name="Show data table").focus(most=10)


@cases.add("a-figure-is-saved-as-picture-and-as-numbers")
def save(desk):
    app = Fathom(desk, make_run(desk, "cdm"))
    figure = wait_figures(app)[0]
    figure.focus()
    picture, numbers = (os.path.join(desk.folder, "saved." + kind) for kind in ("png", "csv"))
    save_figure(app, picture)
    wait_for(lambda: os.path.exists(picture), "no picture is saved")
    with open(picture, "rb") as file:
        assert file.read(8) == PNG
    app.wait_gone(role="frame", name="Save figure")
    figure.focus(("shift+Tab",))
    save_figure(app, numbers, format_number=3)
    wait_for(lambda: os.path.exists(numbers), "no numbers are saved")
    with open(numbers, encoding="utf-8") as file:
        assert "SEQ1M Q8T1" in file.read()


@cases.add("the-result-of-a-run-is-one-key-away")
def after_run(desk):
    with Target() as target:
        app = open_and_run(desk, target, "100ms")
        wait_idle(app, 60)
        app.find(role="push button", name="Show Result").press()
        shown = wait_figures(app)
        assert all(figure.description for figure in shown)


@cases.add("twelve-hours-open-at-once")
def long(desk):
    path = make_run(desk, "long")
    app = Fathom(desk)
    begun = time.monotonic()
    desk.start([app.command[0], path])
    wait_figures(app)
    print(f"# 432,000 rows: a figure is there {time.monotonic() - begun:.2f} s after a double click, "
          "the search for it included")


sys.exit(cases.main())
