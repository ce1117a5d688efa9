#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever does not see the window meets no control without a name, and reaches all by keyboard."""
import re
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import (PAGES, Fathom, Target, choose_folder, give_short_quick, go_to, make_run, start_run,
                    stop_run, wait_figures)

TITLE_BUTTONS = {"Minimize", "Maximize", "Close"} # of GTK; window managers have keys for them
MOST_TABS = 100
FIGURE_WITH_AXES = "CrystalDiskMark-style rows"
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


def check_window(app, least, *keys):
    """Opens a window by @keys, says what is wrong with it and closes it; it has at least @least
    controls, or it was looked at too early."""
    before = [window.accessible for window in app.windows()]
    app.desk.key(*keys)
    window = wait_for(lambda: next((window for window in app.windows()
                                    if window.accessible not in before), None),
                      f"{keys} opens no window")
    wait_for(lambda: len(controls(window)) >= least, f"{window} has few controls")
    wait_for(window.has_focus, f"{window} does not get the focus")
    found = [f"{window}: {problem}" for problem in problems(window)]
    if not window.name:
        found.append(f"{keys} opens a window without a name")
    app.desk.key("Escape")
    wait_for(lambda: len(app.windows()) == len(before), f"{window} is not closed by Escape")
    return found


def check_menu(app, *items):
    """What is wrong with the menu that is open; it has @items."""
    menu = app.find(role="menu item", name=items[0])
    for name in items[1:]:
        app.find(role="menu item", name=name)
    return [f"menu of {menu}: {problem}" for item in app.look_all(role="menu item")
            for problem in problems(item)]


@cases.add("no-control-of-any-window-or-menu-is-without-name")
def windows(desk):
    give_short_quick(desk, "2s")
    app = Fathom(desk, make_run(desk, "cdm"))
    figure = wait_figures(app)[0].focus()
    found = check_window(app, 8, "ctrl+comma") + check_window(app, 1, "ctrl+question")
    desk.key("F10")
    found += check_menu(app, "About Fathom", "Preferences", "Quit")
    app.find(role="menu item", name="About Fathom").focus(("Down",))
    found += check_window(app, 2, "Return")

    figure.focus(("shift+Tab",))
    found += check_window(app, 6, "ctrl+s")
    figure.focus(("shift+Tab",))
    found += check_window(app, 2, "ctrl+t")
    app.find(role="image", name=FIGURE_WITH_AXES).focus()
    desk.key("shift+F10")
    found += check_menu(app, "Copy image", "Axis limits…")
    app.find(role="menu item", name="Axis limits…").focus(("Down",))
    desk.key("Return")
    found += [f"limits: {problem}" for problem in problems(app.find(role="text", state="focused"))]
    found += [f"limits: {problem}" for problem in problems(app)]
    desk.key("Escape")

    app.find(role="push button", name="Sidebar").focus(("F6",), most=10)
    app.find(role="push button", name="Export").press()
    found += check_menu(app, "Copy table", "Save as CSV…")
    desk.key("Escape")
    assert not found, "\n".join(found)


@cases.add("no-control-of-the-question-at-closing-is-without-name")
def question(desk):
    give_short_quick(desk, "2s")
    with Target() as target:
        app = Fathom(desk)
        choose_folder(app, target)
        start_run(app)
        found = check_window(app, 3, "ctrl+w")
        stop_run(app)
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
