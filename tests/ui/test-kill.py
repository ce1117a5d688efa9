#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window is a viewer: killed at any instant of a run, it never harms the run."""
import random
import signal
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import WINDOW, Target, cli, give_short_quick, newest_run, outcome

N_ROUNDS = 10

cases = Cases("kill")


@cases.add("at-random-instants-never-harms-the-run")
def kill(desk):
    seed = random.randrange(1 << 30)
    print(f"# seed {seed}")
    chance = random.Random(seed)
    give_short_quick(desk, step="50ms")
    with Target() as target:
        for number in range(N_ROUNDS):
            cli(desk, "run", "quick", target, "--detach")
            window = desk.start([WINDOW])
            time.sleep(chance.uniform(0, 2.0))
            desk.end(window, signal.SIGKILL)
            path = newest_run(desk, number + 1)
            ending = wait_for(lambda p=path: outcome(desk, p), f"run {number} does not end")
            assert ending == "complete", f"round {number}: {ending}"
            errors = [line for line in cli(desk, "dump", path).splitlines() if "kind: 'error'" in line]
            assert not errors, f"round {number}: {errors}"


sys.exit(cases.main())
