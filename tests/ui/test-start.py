#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window starts, says what it is, and ends; also under sanitizers, so no more than that."""
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases
from fathom import WINDOW, Fathom

cases = Cases("start")


@cases.add("shows-a-window-and-ends-in-order")
def window(desk):
    app = Fathom(desk)
    frame = app.find(role="frame", name="Fathom")
    frame.find(role="push button", name="Run")
    desk.key("ctrl+q")
    assert app.wait_ended() == 0, desk.read_log()


@cases.add("a-second-start-comes-to-the-first")
def second(desk):
    app = Fathom(desk)
    again = desk.start([WINDOW])
    again.wait(30)
    assert again.returncode == 0, desk.read_log()
    assert app.process.poll() is None
    assert len(app.windows()) == 1, app.windows()


@cases.add("closes-like-any-window")
def close(desk):
    app = Fathom(desk)
    app.find(role="push button", name="Run")
    desk.key("ctrl+w")
    assert app.wait_ended() == 0, desk.read_log()


sys.exit(cases.main())
