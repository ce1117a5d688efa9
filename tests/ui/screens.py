#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes pictures of every page and dialog: light and dark, English and Korean, at 100 and 200 %, in
the smallest window and in a large one; and a contact sheet of each page, so that somebody can look
at all of them.

Usage: screens.py FOLDER [WORD]…      only variants whose names hold all words, such as ko dark
"""
import itertools
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Desk, require_tools, wait_for
from fathom import BUILD, Fathom, PAGES, Target, cli, give_short_quick, make_run

SIZES = {"small": (640, 480), "large": (1400, 900)}


class Tour:
    """One walk through the window of one variant."""

    def __init__(self, desk, folder, variant):
        self.desk, self.folder, self.variant = desk, folder, variant
        self.app = None
        self.window = None

    def shot(self, screen):
        time.sleep(1.2)
        path = os.path.join(self.folder, screen)
        os.makedirs(path, exist_ok=True)
        self.desk.shot(os.path.join(path, self.variant + ".png"))

    def fit(self, size):
        """The window at @size in the corner, as a tiling window manager would have it."""
        xdotool = ["xdotool", "search", "--onlyvisible", "--name", "Fathom"]
        window = subprocess.run(xdotool, env=self.desk.environment, capture_output=True, text=True,
                                check=True).stdout.split()[-1]
        for command in (["windowsize", window, *map(str, size)], ["windowmove", window, "0", "0"]):
            subprocess.run(["xdotool", *command], env=self.desk.environment, check=True)

    def keys(self, *keys, pause_s=0.6):
        for key in keys:
            self.desk.key(key)
            time.sleep(pause_s)

    def dialog(self, name, *keys):
        self.keys(*keys)
        self.shot(name)
        self.keys("Escape")

    def show(self, target):
        for name, (key, _) in PAGES.items():
            self.keys(key)
            if name != "Run":
                self.shot(name.lower().replace(" ", "-"))
        self.dialog("menu", "F10")
        self.dialog("preferences", "ctrl+comma")
        self.dialog("shortcuts", "ctrl+question")
        self.dialog("choose-folder", "ctrl+shift+o")
        self.desk.start([self.app.command[0], make_run(self.desk, "cdm")])
        wait_for(lambda: [node for node in self.app.look_all(role="image") if node.description],
                 "no figure")
        self.shot("run-figures")
        self.figure()
        for number, name in enumerate(("steps", "facts", "note")):
            self.tab(number + 1)
            self.shot("run-" + name)
        self.keys("alt+2", "ctrl+r")
        self.keys("alt+3")
        time.sleep(6)
        self.shot("running")
        self.dialog("close-question", "ctrl+w")
        self.keys("ctrl+period")
        time.sleep(2)
        self.shot("stopped")

    def figure(self):
        figure = next(node for node in self.app.look_all(role="image") if node.description)
        figure.focus()
        self.keys("Right", "Right")
        self.shot("figure-reading")
        self.dialog("save-figure", "ctrl+s")
        figure.focus(("shift+Tab",))
        self.dialog("data-table", "ctrl+t")

    def tab(self, number):
        tabs = self.app.look_all(role="page tab")
        if number == 1:
            tabs[0].focus(("shift+Tab",))
        tabs[number].focus(("Right",))
        self.keys("space")


def walk(folder, scale, language, look, size_name):
    width, height = (side * scale for side in SIZES[size_name])
    variant = f"{size_name}-{scale}00-{language}-{look}"
    with Desk(size=(width, height), scale=scale, language=language, dark=look == "dark") as desk, \
            Target() as target:
        tour = Tour(desk, folder, variant)
        give_short_quick(desk, "100ms")
        cli(desk, "run", "quick", target)
        cli(desk, "run", "quick", "sim:tlc")
        give_short_quick(desk, "2s")
        tour.app = Fathom(desk, extra={"HOME": target})
        tour.fit((width, height))
        tour.show(target)


def sheet(folder):
    """One picture of all variants of each screen."""
    screens = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    for screen in screens:
        pictures = sorted(os.path.join(folder, screen, name)
                          for name in os.listdir(os.path.join(folder, screen)))
        subprocess.run(["montage", "-label", "%t", *pictures, "-geometry", "700x525>+6+6", "-tile",
                        "4x", "-background", "#888", os.path.join(folder, screen + ".png")],
                       check=True)


def main():
    require_tools()
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    folder, words = os.path.join(sys.argv[1], "screens"), sys.argv[2:]
    failed = 0
    for variant in itertools.product((1, 2), ("en", "ko"), ("light", "dark"), SIZES):
        name = "{}00 {} {} {}".format(*variant)
        if not all(word in name.split() for word in words):
            continue
        print(name, flush=True)
        child = os.fork()
        if child == 0:
            walk(folder, *variant)
            os._exit(0)
        failed += os.waitpid(child, 0)[1] != 0
    sheet(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    assert os.path.isdir(BUILD), BUILD
    sys.exit(main())
