#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window is a viewer: a run goes on without it, is found again, and is asked about."""
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import (Fathom, Target, cli, give_short_quick, is_running, newest_run, open_and_run,
                    outcome, stop_run, wait_idle)

QUESTION = "A run is in progress"

cases = Cases("attach")


def close_and_answer(app, answer):
    app.desk.key("ctrl+w")
    app.find(role="label", name=QUESTION)
    app.find(role="push button", name=answer).press("Return")


@cases.add("goes-on-without-the-window-and-is-found-again")
def attach(desk):
    with Target() as target:
        app = open_and_run(desk, target, "1s")
        path = newest_run(desk)
        close_and_answer(app, "Keep Running")
        assert app.wait_ended() == 0
        assert outcome(desk, path) is None, "the run ended with the window"

        again = Fathom(desk)
        wait_for(lambda: is_running(again), "the run is not found again")
        stop_run(again)
        wait_for(lambda: outcome(desk, path) == "stopped", "Stop does not reach the run")


@cases.add("may-be-stopped-with-the-window")
def close(desk):
    with Target() as target:
        app = open_and_run(desk, target, "2s")
        path = newest_run(desk)
        close_and_answer(app, "Cancel")
        app.wait_gone(role="label", name=QUESTION)
        assert is_running(app), "Cancel has stopped the run"
        close_and_answer(app, "Stop the Run")
        assert app.wait_ended() == 0
        wait_for(lambda: outcome(desk, path) == "stopped", "the run goes on")


@cases.add("started-in-a-terminal-is-watched-as-well")
def terminal(desk):
    give_short_quick(desk, "2s")
    with Target() as target:
        cli(desk, "run", "quick", target, "--detach")
        path = newest_run(desk)
        app = Fathom(desk)
        wait_for(lambda: is_running(app), "the run is not found")
        cli(desk, "stop")
        wait_idle(app)
        assert outcome(desk, path) == "stopped", outcome(desk, path)


sys.exit(cases.main())
