#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that are markup, right-to-left, without a font or 300 characters long are shown as they are
and harm nobody; any critical message ends the window, and so the case."""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import PAGES, Fathom, Target, go_to, make_run, reads, wait_figures

MARKUP = "<b>bold</b> & <span size='99999'>huge"
RIGHT_TO_LEFT = "\u202e\u05e2\u05d1\u05e8\u05d9\u05ea \u0627\u0644\u0639\u0631\u0628\u064a\u0629"
NO_FONT = "\U00012000\u0d9a\u0378"

cases = Cases("hostile")


def is_alive(app):
    return app.process.poll() is None


@cases.add("a-run-with-hostile-names-is-shown-as-it-is")
def run(desk):
    app = Fathom(desk, make_run(desk, "hostile"))
    assert all(figure.description for figure in wait_figures(app))
    assert reads(app, "<b>bold</b> & <span size='99999'>huge"), "the markup is not shown as text"
    tabs = app.look_all(role="page tab")
    tabs[0].focus(("shift+Tab",))
    for tab in tabs[1:]:
        tab.focus(("Right",))
        desk.key("space")
        wait_for(lambda t=tab: is_alive(app) and t.has("selected"), f"{tab} does not open")


@cases.add("a-folder-with-a-hostile-name-can-be-chosen")
def folder(desk):
    for number, name in enumerate(("a <b>&amp; %s_x", RIGHT_TO_LEFT, "W" * 255)):
        with Target(name) as target:
            # Settings of its own each time: the last target is remembered.
            settings = desk.make_folder(f"settings-{number}")
            app = Fathom(desk, extra={"HOME": target, "XDG_CONFIG_HOME": settings})
            # What would turn the text around is written as an escape, the rest as it is.
            shown = name.lstrip("\u202e")[:10]
            wait_for(lambda s=shown, a=app: reads(a, re.escape(s)), f"{name} is not shown")
            for page in PAGES:
                go_to(app, page)
            desk.key("ctrl+q")
            assert app.wait_ended() == 0, f"{name}: {desk.read_log()[-500:]}"


@cases.add("a-plan-with-a-hostile-name-can-be-chosen")
def plan(desk):
    text = {"fathom-plan": 1, "id": "x", "name": {"en": MARKUP}, "file-size": "16MiB",
            "summary": {"en": " ".join((MARKUP, RIGHT_TO_LEFT, NO_FONT, "W" * 300))},
            "phases": [{"kind": "measure", "id": "m", "label": NO_FONT + "W" * 100,
                        "streams": [{"read": "100%", "pattern": "random", "block": "4KiB",
                                     "in-flight": 1}],
                        "stop": {"time": "100ms"}}]}
    plans = os.path.join(desk.environment["XDG_CONFIG_HOME"], "fathom/plans")
    os.makedirs(plans)
    with open(os.path.join(plans, "x.json"), "w", encoding="utf-8") as file:
        json.dump(text, file)
    app = Fathom(desk)
    go_to(app, "Test plan")
    wait_for(lambda: reads(app, "<b>bold</b> & <span"), "the plan is not listed as it is named")
    assert is_alive(app)


sys.exit(cases.main())
