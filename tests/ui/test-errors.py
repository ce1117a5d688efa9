#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""When something is not as it should be the window says so in a sentence, goes on, and lies to
nobody."""
import ctypes
import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import (WINDOW, Fathom, Target, choose_folder, give_short_quick, go_to, is_running, make_run,
                    newest_run, outcome, reads, save_figure, start_run, wait_figures,
                    wait_idle)

cases = Cases("errors")


def wait_read(app, pattern):
    wait_for(lambda: reads(app, pattern), f"nobody reads “{pattern}”", pause_s=0.3)


def prepare(desk, target, step="1s", **options):
    give_short_quick(desk, step)
    app = Fathom(desk, **options)
    choose_folder(app, target)
    return app


@cases.add("a-folder-that-vanished-is-named")
def vanished(desk):
    with Target() as target:
        app = prepare(desk, target)
        shutil.rmtree(target)
        desk.key("ctrl+r")
        wait_read(app, "target.*No such file or directory")
        assert not is_running(app)


@cases.add("a-folder-that-vanishes-ends-the-run")
def vanishes(desk):
    with Target() as target:
        app = prepare(desk, target)
        start_run(app)
        path = newest_run(desk)
        time.sleep(1)
        shutil.rmtree(target)
        wait_idle(app, 60)
        wait_read(app, "can't be opened|No such file")
        assert outcome(desk, path) == "failed", outcome(desk, path)


@cases.add("a-worker-that-refuses-to-start-is-told-of")
def worker(desk):
    with Target() as target:
        app = prepare(desk, target, extra={"FATHOM_WORKER": "/bin/false"})
        desk.key("ctrl+r")
        wait_read(app, "[Tt]he worker ended before the run did")
        wait_idle(app)


def mount_small(folder, kind):
    """A file system of our own, gone with this process; None where that is not allowed."""
    os.makedirs(folder)
    if kind == "tmpfs":
        options = ["-t", "tmpfs", "-o", "size=16k", "none"]
    else:
        with open(folder + ".img", "wb") as file:
            file.truncate(8 << 20)
        subprocess.run(["mkfs.ext4", "-q", folder + ".img"], check=True, capture_output=True)
        options = ["-o", "loop", folder + ".img"]
    mounted = subprocess.run(["mount", *options, folder], check=False, capture_output=True)
    return folder if mounted.returncode == 0 else None


def enter_mount_namespace():
    clone_newns, ms_rec, ms_private = 0x00020000, 0x4000, 1 << 18
    libc = ctypes.CDLL(None)
    return libc.unshare(clone_newns) == 0 and \
        libc.mount(b"none", b"/", None, ms_rec | ms_private, None) == 0


@cases.add("a-disk-that-is-too-small-is-refused")
def small(desk):
    folder = enter_mount_namespace() and mount_small(os.path.join(desk.folder, "small"), "ext4")
    if not folder:
        return "this user may not mount"
    try:
        app = prepare(desk, folder)
        go_to(app, "Test plan")
        wait_read(app, "can be written here")
        desk.key("ctrl+r")
        time.sleep(1)
        assert not is_running(app)
    finally:
        subprocess.run(["umount", "-l", folder], check=False, capture_output=True)
    return None


@cases.add("a-full-disk-is-told-of-when-saving")
def full(desk):
    folder = enter_mount_namespace() and mount_small(os.path.join(desk.folder, "full"), "tmpfs")
    if not folder:
        return "this user may not mount"
    try:
        app = Fathom(desk, make_run(desk, "cdm"))
        wait_figures(app)[0].focus()
        save_figure(app, os.path.join(folder, "figure.png"))
        wait_read(app, "No space left")
        assert os.listdir(folder) == [], "half a picture is left"
    finally:
        subprocess.run(["umount", "-l", folder], check=False, capture_output=True)
    return None


@cases.add("a-file-that-is-no-run-is-refused")
def foreign(desk):
    path = os.path.join(desk.folder, "letter.fathom")
    with open(path, "w", encoding="utf-8") as file:
        file.write("Dear Sir or Madam,\n" * 100)
    app = Fathom(desk, path)
    wait_read(app, "letter.fathom|no run|not a run")
    go_to(app, "Drives")


@cases.add("a-plan-file-that-can't-be-read-stays-chosen")
def plan_file(desk):
    paths = [os.path.join(desk.folder, name) for name in ("first.json", "second.json")]
    for path in paths:
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"nonsense": 1}')
    app = Fathom(desk, paths[0])
    wait_read(app, "first.json:1:2: ")
    desk.start([WINDOW, paths[1]])
    wait_read(app, "second.json:1:2: ")
    app.find(role="list item", name="second.json", state="selected")
    desk.key("Tab", "Tab", "Tab", "shift+Tab", "shift+Tab")
    time.sleep(0.5)
    assert reads(app, "second.json:1:2: "), "moving the focus chose another plan"


sys.exit(cases.main())
