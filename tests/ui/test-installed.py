#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An installation that was moved to a place with a blank in its name works as a whole: window,
translation, run host, worker, fonts."""
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases
from fathom import BUILD, Fathom

cases = Cases("installed")


def install(desk):
    """The prefix of a fresh installation somewhere else."""
    staged = desk.make_folder("staged")
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", staged],
                   check=True, capture_output=True)
    programs = next(parent for parent, _, names in os.walk(staged) if "fathom" in names)
    moved = os.path.join(desk.folder, "moved here")
    shutil.move(os.path.dirname(programs), moved)
    return moved


@cases.add("speaks-korean-wherever-it-is")
def korean(desk):
    app = Fathom(desk, program=os.path.join(install(desk), "bin/fathom"))
    app.find(role="list item", name="드라이브")


korean.desk = {"language": "ko"}

sys.exit(cases.main())
