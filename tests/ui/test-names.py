#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever does not see the window meets no control without a name, and reaches all by keyboard."""
import re
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import App, Cases
from fathom import PAGES, WINDOW, give_short_quick, go_to

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
        elif MNEMONIC.search(name):
            yield f"{control} is read with its mnemonic"


@cases.add("no-control-of-any-page-is-without-name")
def pages(desk):
    give_short_quick(desk)
    app = App(desk, [WINDOW])
    found = []
    for page in PAGES:
        go_to(app, page)
        found += [f"{page}: {problem}" for problem in problems(app)]
    assert not found, "\n".join(found)


@cases.add("tab-reaches-every-control-of-a-page")
def tab(desk):
    give_short_quick(desk)
    app = App(desk, [WINDOW])
    for page in PAGES:
        go_to(app, page)
        reached, first = [], None
        for _ in range(80):
            focused = app.focused()
            if focused is not None:
                here = (focused.role, says(focused))
                first = first or here
                reached.append(here)
                if len(reached) > 3 and here == first:
                    break
            desk.key("Tab")
        buttons = {(control.role, says(control)) for control in controls(app)
                   if control.role == "push button" and control.has("sensitive")}
        missing = buttons - set(reached)
        assert not missing, f"{page}: Tab does not reach {missing}"


sys.exit(cases.main())
