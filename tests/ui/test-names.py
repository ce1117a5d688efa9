#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever does not see the window meets no control without a name, and reaches all by keyboard."""
import re
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases
from fathom import PAGES, Fathom, give_short_quick, go_to

TITLE_BUTTONS = {"Minimize", "Maximize", "Close"} # of GTK; window managers have keys for them
MOST_TABS = 100
MNEMONIC = re.compile(r"_\w")

cases = Cases("names")


def controls(node):
    return [child for child in node.walk() if child.has("focusable") and child.is_on_screen()]


def says(node):
    """What a screen reader has to say of a control: its name, else the texts in it."""
    own = node.name
    if own:
        return own
    if node.role in ("list item", "table row", "table cell"):
        return " ".join(child.name for child in node.walk() if child.role == "label")
    return ""


def problems(node):
    for control in controls(node):
        name = says(control)
        if control.role in ("", "unknown", "invalid"):
            yield f"“{name}” has no role"
        if control.role in ("scroll pane", "list", "table", "tree table", "filler", "panel"):
            continue # takes the focus for what is inside
        if not name.strip():
            yield f"{control} says nothing"
        elif MNEMONIC.search(name) and "/" not in name:
            yield f"{control} is read with its mnemonic"


@cases.add("no-control-of-any-page-is-without-name")
def pages(desk):
    give_short_quick(desk)
    app = Fathom(desk)
    found = []
    for page in PAGES:
        go_to(app, page)
        found += [f"{page}: {problem}" for problem in problems(app)]
    assert not found, "\n".join(found)


@cases.add("tab-reaches-every-control-of-a-page")
def tab(desk):
    give_short_quick(desk)
    app = Fathom(desk)
    for page in PAGES:
        go_to(app, page)
        missing = [control for control in controls(app) if control.role == "push button"
                   and control.has("sensitive") and control.name not in TITLE_BUTTONS]
        for _ in range(MOST_TABS):
            missing = [control for control in missing if not control.has("focused")]
            if not missing:
                break
            desk.key("Tab")
            time.sleep(0.05)
        assert not missing, f"{page}: Tab does not reach {', '.join(map(str, missing))}"


sys.exit(cases.main())
