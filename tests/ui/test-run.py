#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from the window: started, stopped, run again to the end."""
import os
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import (Target, give_short_quick, newest_run, open_and_run, outcome, start_run, stop_run,
                    wait_idle)

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


sys.exit(cases.main())
