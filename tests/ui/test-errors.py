#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""When something is not as it should be the window says so in a sentence, goes on, and lies to
nobody."""
import ctypes
import errno
import os
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases, wait_for
from fathom import (BUILD, WINDOW, Fathom, Target, choose_folder, give_short_quick, go_to, is_running,
                    make_run, newest_run, outcome, reads, save_figure, start_run, wait_figures,
                    wait_idle)

WORKER = os.path.join(BUILD, "fathom-worker")
KEPT_FREE = 1 << 30 # of every disk, when a run begins
SMALL_DISK = 2 << 30 # a hole: only what is written takes room
TEST_FILE = "800MiB"

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


def mount_unreserved(folder):
    """An ext4 that can't set room aside for a file: it may become full while one is written."""
    image = folder + ".img"
    with open(image, "wb") as file:
        file.truncate(SMALL_DISK)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", "-O", "^extent,^64bit", image], check=True,
                   capture_output=True)
    # One that keeps its data in memory would be refused.
    made = subprocess.run(["losetup", "--find", "--show", "--direct-io=on", image], check=False,
                          capture_output=True, text=True)
    if made.returncode != 0:
        return False
    device = made.stdout.strip()
    mounted = subprocess.run(["mount", device, folder], check=False, capture_output=True)
    subprocess.run(["losetup", "--detach", device], check=True) # as soon as it is unmounted
    return mounted.returncode == 0


def free_bytes(folder):
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def fill_up(path):
    """Somebody else's file, as large as there is room."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 20))
        except OSError as error:
            assert error.errno == errno.ENOSPC, error


def hold_worker():
    """Stops the worker of the run where it is, as a busy machine may; its process id."""
    def question():
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if file.read().split(b"\0")[0] == os.fsencode(WORKER):
                        return int(name)
            except OSError:
                pass # it ended meanwhile
        return None
    pid = wait_for(question, "no worker is there", pause_s=0.002)
    os.kill(pid, signal.SIGSTOP)
    return pid


@cases.add("a-disk-that-fills-up-during-a-run-ends-it")
def fills_up(desk):
    """Room for the file is set aside where the file system can; where it can't, the disk may become
    full while the file is written, and only then: a step writes only where the file is already."""
    with Target("filling") as folder:
        if not enter_mount_namespace() or not mount_unreserved(folder):
            return "this user may not mount"
        try:
            fill_up_during_run(desk, folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=False, capture_output=True)
    return None


def fill_up_during_run(desk, folder):
    give_short_quick(desk, size=TEST_FILE)
    app = Fathom(desk)
    choose_folder(app, folder)
    before, free = sorted(os.listdir(folder)), free_bytes(folder)
    desk.key("ctrl+r")
    # A small file comes first, to see how the disk answers.
    wait_for(lambda: free_bytes(folder) < free - (32 << 20), "the test file is not written", pause_s=0.002)
    worker_id = hold_worker()
    assert free_bytes(folder) > KEPT_FREE, "the file was written too fast for this test"
    fill_up(os.path.join(folder, "foreign"))
    os.kill(worker_id, signal.SIGCONT)
    wait_idle(app, 60)
    wait_read(app, "No space left on device at offset .* of the test file in “.*filling”")
    path = newest_run(desk)
    assert outcome(desk, path) == "failed", outcome(desk, path)
    assert sorted(os.listdir(folder)) == sorted(before + ["foreign"]), "the test file is left"

    os.remove(os.path.join(folder, "foreign"))
    give_short_quick(desk)
    start_run(app)
    wait_idle(app, 60)
    path = newest_run(desk, 2)
    assert outcome(desk, path) == "complete", outcome(desk, path)
    assert sorted(os.listdir(folder)) == before, "the test file is left"


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
