# SPDX-License-Identifier: GPL-3.0-or-later
"""A desk of its own for a test: a virtual screen, a window manager, a message bus and the
accessibility bus, with a home folder that is thrown away.  Programs on it are driven as a person
who sees nothing would: by keyboard, and by what they tell a screen reader.

Everything started here is a child of this process, dies with it, and is ended by its id; what
outlives its parent on purpose, as the host of a run does, becomes a child of this process and is
ended at last.
"""
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
PYTHON_WITH_GI = "/usr/bin/python3"
TOOLS = ("Xvfb", "openbox", "dbus-daemon", "xdotool", "import")
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
# A busy machine is not a bug: how long something may take before it is taken for missing.
PATIENCE_S = 20 * float(os.environ.get("FATHOM_UI_PATIENCE", "1"))
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def skip(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(SKIPPED)


def require_tools():
    """Skips the whole program where the desk can't be set up."""
    for tool in TOOLS:
        if shutil.which(tool) is None:
            skip(f"{tool} is not installed")
    if not any(map(os.path.exists, LAUNCHERS)):
        skip("at-spi2-core is not installed")
    try:
        import gi
        gi.require_version("Atspi", "2.0")
    except (ImportError, ValueError):
        # Another python3 may come first in PATH; the one of the system has the module.
        if os.path.realpath(sys.executable) != os.path.realpath(PYTHON_WITH_GI) and \
                os.path.exists(PYTHON_WITH_GI) and "FATHOM_UI_PYTHON" not in os.environ:
            os.environ["FATHOM_UI_PYTHON"] = "1"
            os.execv(PYTHON_WITH_GI, [PYTHON_WITH_GI] + sys.argv)
        skip("gir1.2-atspi-2.0 or python3-gi is not installed")


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_orphans():
    """Ends whatever is still a child of ours, and what becomes one by that."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + 5
        asked = set()
        while time.monotonic() < deadline:
            try:
                while os.waitpid(-1, os.WNOHANG)[0] > 0:
                    pass
            except ChildProcessError:
                return
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
                for pid in set(map(int, file.read().split())) - asked:
                    os.kill(pid, how)
                    asked.add(pid)
            time.sleep(0.02)


def wait_for(condition, what, patience_s=None, pause_s=0.05):
    """The first true value of @condition; an error that names @what when none comes."""
    patience_s = PATIENCE_S if patience_s is None else patience_s
    deadline = time.monotonic() + patience_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {patience_s:.0f} s")
        time.sleep(pause_s)


def has_korean_locale():
    """Without it, LANGUAGE still chooses the translation; only dates and numbers stay plain."""
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    made = os.path.join(os.environ.get("LOCPATH", "/nonexistent"), "ko_KR.UTF-8")
    return "ko_KR.utf8" in listed or os.path.isdir(made)


class Desk:
    """Use as `with Desk() as desk`.  One at a time: it owns the environment of the process."""

    def __init__(self, size=(1280, 800), scale=1, language="en", dark=False):
        self.size, self.scale, self.language, self.dark = size, scale, language, dark
        self.children = []
        self.folder = tempfile.mkdtemp(prefix="fathom-ui-")
        self.log = open(os.path.join(self.folder, "log"), "w+", encoding="utf-8", errors="replace")
        self.environment = {}
        self.atspi = None

    # --- Setting up and clearing away --------------------------------------------------

    def __enter__(self):
        try:
            self._set_up()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_exception):
        for child in reversed(self.children):
            self.end(child)
        end_orphans()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _set_up(self):
        adopt_orphans()
        keep = ("PATH", "LOCPATH", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CI")
        self.environment = {key: os.environ[key] for key in keep if key in os.environ}
        for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
                     "XDG_RUNTIME_DIR"):
            self.environment[name] = self.make_folder(name.lower().replace("_", "-"))
            os.chmod(self.environment[name], 0o700)
        locale = "ko_KR.UTF-8" if self.language == "ko" and has_korean_locale() else "C.UTF-8"
        self.environment.update(
            LC_ALL=locale, LANG=locale, LANGUAGE=self.language, G_DEBUG="fatal-criticals",
            GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="atspi", GDK_SCALE=str(self.scale),
            GSETTINGS_BACKEND="memory", GIO_USE_VFS="local", GTK_USE_PORTAL="0",
            XDG_DATA_DIRS="/usr/local/share:/usr/share", GTK_THEME="Adwaita:dark" if self.dark else "")
        if not self.dark:
            del self.environment["GTK_THEME"]
        self._start_screen()
        self._start_bus()
        self.start(["openbox", "--sm-disable"])
        launcher = next(filter(os.path.exists, LAUNCHERS))
        self.start([launcher, "--launch-immediately"])
        self._connect()

    def _start_screen(self):
        reading, writing = os.pipe()
        width, height = self.size
        self.start(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24",
                    "-nolisten", "tcp", "-noreset", "-dpi", "96"], pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise AssertionError("Xvfb did not start")
        self.environment["DISPLAY"] = ":" + number

    def _start_bus(self):
        reading, writing = os.pipe()
        self.start(["dbus-daemon", "--session", "--nofork", f"--print-address={writing}"],
                   pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as pipe:
            address = pipe.readline().strip()
        if not address:
            raise AssertionError("dbus-daemon did not start")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    def _connect(self):
        """Our own side of the accessibility bus; it looks into the environment."""
        for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
            os.environ[name] = self.environment[name]
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi
        self.atspi = Atspi
        Atspi.init()
        Atspi.set_timeout(3000, 15000)

    def make_folder(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    # --- Processes ---------------------------------------------------------------------

    def start(self, command, extra=None, **options):
        environment = dict(self.environment, **(extra or {}))
        child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log,
                                 stderr=self.log, preexec_fn=die_with_parent, **options)
        self.children.append(child)
        return child

    def end(self, child, how=signal.SIGTERM):
        """Ends one child of ours and waits for it."""
        if child.poll() is None:
            child.send_signal(how)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if child in self.children:
            self.children.remove(child)

    def read_log(self):
        self.log.flush()
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            return file.read()

    # --- Keyboard and picture ----------------------------------------------------------

    def activate(self, pid):
        """Asks the window manager to give the focus to the window of a program."""
        subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(pid), "windowactivate"],
                       env=self.environment, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _xdotool(self, *arguments):
        subprocess.run(["xdotool", *arguments], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def key(self, *keys):
        """Presses keys by their X names, one after the other: "ctrl+s", "Tab", "space"."""
        self._xdotool("key", "--delay", "20", *keys)

    def type(self, text):
        self._xdotool("type", "--delay", "15", text)

    def shot(self, path):
        subprocess.run(["import", "-window", "root", path], env=self.environment, check=True)
        return path
