# SPDX-License-Identifier: GPL-3.0-or-later
"""A program on a desk, as a screen reader knows it, and cases that drive it.

Nothing is read from the screen and no pointer is used: a case finds things by role and name, moves
the focus there and presses keys.  A failed case leaves a picture, the accessible tree and the
program's messages in the build folder.
"""
import os
import re
import sys
import time
import traceback

from desk import Desk, require_tools, wait_for

__all__ = ["App", "Cases", "Desk", "Node", "require_tools", "wait_for"]


CLASS_NAME = re.compile(r"^(Gtk|Fm|Gdk)[A-Z]\w+$")


class Node:
    """One accessible object.  Every question is asked anew, nothing is remembered."""

    def __init__(self, desk, accessible):
        self.desk, self.accessible = desk, accessible

    def _ask(self, question, default):
        """Objects come and go; one that is gone answers nothing."""
        from gi.repository import GLib
        try:
            return question()
        except GLib.Error:
            return default

    @property
    def role(self):
        return self._ask(self.accessible.get_role_name, "")

    @property
    def raw_name(self):
        return self._ask(self.accessible.get_name, "") or ""

    @property
    def name(self):
        """Without what GTK 4.8 adds to a button with a mnemonic, whose name it reads as
        "_Open Open", and with "" for what nobody has named and GTK calls by its class."""
        name = self.raw_name
        for cut in (i for i, letter in enumerate(name) if letter == " "):
            if name[:cut].replace("_", "") == name[cut + 1:]:
                return name[cut + 1:]
        return "" if CLASS_NAME.match(name) else name

    @property
    def description(self):
        return self._ask(self.accessible.get_description, "") or ""

    @property
    def text(self):
        """What a text field holds."""
        def question():
            if "Text" not in self.accessible.get_interfaces():
                return None
            return self.desk.atspi.Text.get_text(self.accessible, 0, -1)
        return self._ask(question, None)

    @property
    def value(self):
        def question():
            if "Value" not in self.accessible.get_interfaces():
                return None
            return self.desk.atspi.Value.get_current_value(self.accessible)
        return self._ask(question, None)

    def has(self, state):
        """Whether a state such as "focused", "sensitive", "showing", "checked" is set."""
        kind = getattr(self.desk.atspi.StateType, state.upper())
        states = self._ask(self.accessible.get_state_set, None)
        return states is not None and states.contains(kind)

    def is_here(self):
        """GTK 4.8 calls only windows "showing"; the rest is told apart by being visible."""
        return self.has("visible")

    def is_on_screen(self):
        """Pages of a stack that are not shown are visible to GTK 4.8, but have no place."""
        def question():
            return self.desk.atspi.Component.get_extents(self.accessible, self.desk.atspi.CoordType.WINDOW)
        extents = self._ask(question, None)
        return extents is not None and extents.width > 0 and extents.height > 0

    def children(self):
        count = self._ask(self.accessible.get_child_count, 0)
        for index in range(count):
            child = self._ask(lambda i=index: self.accessible.get_child_at_index(i), None)
            if child is not None:
                yield Node(self.desk, child)

    def walk(self, skip=lambda node: False):
        """This object and everything below that can be perceived now."""
        yield self
        for child in self.children():
            if child.is_here() and not skip(child):
                yield from child.walk(skip)

    def matches(self, role=None, name=None, state=None):
        if role is not None and self.role not in ((role,) if isinstance(role, str) else role):
            return False
        if name is not None:
            own = self.name
            if not (name.search(own) if isinstance(name, re.Pattern) else own == name):
                return False
        return state is None or self.has(state)

    def look(self, **wanted):
        """The first match below, or None."""
        return next((node for node in self.walk() if node.matches(**wanted)), None)

    def look_all(self, **wanted):
        return [node for node in self.walk() if node.matches(**wanted)]

    def find(self, patience_s=None, **wanted):
        """The first match below, as soon as there is one."""
        return wait_for(lambda: self.look(**wanted), f"nothing like {wanted}", patience_s)

    def wait_gone(self, patience_s=None, **wanted):
        wait_for(lambda: self.look(**wanted) is None, f"{wanted} is still there", patience_s)

    def has_focus(self):
        return self.has("focused") or any(node.has("focused") for node in self.walk())

    def focus(self, keys=("Tab",), most=80):
        """Moves the keyboard focus here, by the keys a person would press again and again."""
        for _ in range(most):
            if self.has_focus():
                return self
            self.desk.key(*keys)
            time.sleep(0.05)
        raise AssertionError(f"{self} is not reached with {' '.join(keys)}")

    def choose(self):
        """Moves to this row of a list: into the list by Tab, then by arrows."""
        self.desk.key("Home")
        return self.focus(keys=("Down",))

    def press(self, key="space"):
        self.focus()
        self.desk.key(key)

    def fill(self, text):
        """Replaces what a text field holds."""
        self.focus()
        self.desk.key("ctrl+a", "Delete")
        if text:
            self.desk.type(text)

    def describe(self, depth=0):
        """The tree below as text, for people."""
        states = [state for state in ("focused", "checked", "selected", "expanded") if self.has(state)]
        if not self.has("sensitive"):
            states.append("insensitive")
        line = f"{'  ' * depth}{self.role} “{self.name}”"
        if self.description:
            line += f" ({self.description})"
        lines = [line + (" [" + " ".join(states) + "]" if states else "")]
        for child in self.children():
            if child.is_here():
                lines += child.describe(depth + 1)
        return lines

    def __str__(self):
        return f"{self.role} “{self.name}”"


class App(Node):
    """A program with a window.  Its node is the application."""

    def __init__(self, desk, command, extra=None, patience_s=None):
        self.command = command
        self.asked_s = time.monotonic()
        self.process = desk.start(command, extra)
        accessible = wait_for(lambda: self._look_for(desk), f"{command[0]} shows no window", patience_s)
        super().__init__(desk, accessible)
        # Keys that come before the window manager has given it the focus are lost.
        wait_for(lambda: self._is_active(desk), f"{command[0]} does not get the focus", patience_s)

    def _is_active(self, desk):
        """Whether a window has the focus.  The window manager keeps it from one that opens just
        when another goes; then it is asked, as by a click on the window's title."""
        if any(window.has("active") for window in self.windows()):
            return True
        if time.monotonic() - self.asked_s > 2:
            self.asked_s = time.monotonic()
            desk.activate(self.process.pid)
        return False

    def _look_for(self, desk):
        if self.process.poll() is not None:
            raise AssertionError(f"{self.command[0]} ended with {self.process.returncode}:\n"
                                 + desk.read_log()[-2000:])
        from gi.repository import GLib
        root = desk.atspi.get_desktop(0)
        root.set_cache_mask(desk.atspi.Cache.NONE)
        for index in range(root.get_child_count()):
            try:
                child = root.get_child_at_index(index)
                if child is not None and child.get_process_id() == self.process.pid \
                        and child.get_child_count() > 0:
                    child.set_cache_mask(desk.atspi.Cache.NONE)
                    return child
            except GLib.Error:
                pass
        return None

    def windows(self):
        """GTK 4.8 gives some windows the role of a filler."""
        return list(self.children())

    def focused(self):
        return self.look(state="focused")

    def wait_ended(self, patience_s=None):
        wait_for(lambda: self.process.poll() is not None, "the program is still running", patience_s)
        return self.process.returncode


class Cases:
    """Runs cases one after the other and prints TAP."""

    def __init__(self, stem):
        self.stem, self.cases = stem, []
        self.shots = os.path.join(os.environ.get("FATHOM_UI_SHOTS", "."), "shots")

    def add(self, claim):
        def keep(function):
            self.cases.append((claim, function))
            return function
        return keep

    def keep_evidence(self, desk, claim):
        """Picture, tree and messages of a failed case."""
        os.makedirs(self.shots, exist_ok=True)
        base = os.path.join(self.shots, f"{self.stem}-{claim}")
        try:
            print(f"# picture: {desk.shot(base + '.png')}")
            root = desk.atspi.get_desktop(0)
            with open(base + ".txt", "w", encoding="utf-8") as file:
                for index in range(root.get_child_count()):
                    child = root.get_child_at_index(index)
                    if child is not None:
                        file.write("\n".join(Node(desk, child).describe()) + "\n")
                file.write("\n" + desk.read_log())
        except Exception as problem: # the case has failed already; this is only its evidence
            print(f"# no evidence: {problem}")

    def run_case(self, number, claim, function, options):
        """True if it went well.  Runs in a process of its own."""
        with Desk(**dict(options, **getattr(function, "desk", {}))) as desk:
            try:
                begun = time.monotonic()
                reason = function(desk)
                print(f"# {claim} took {time.monotonic() - begun:.1f} s")
                ending = f" # SKIP {reason}" if isinstance(reason, str) else ""
                print(f"ok {number} /ui/{self.stem}/{claim}{ending}")
                return True
            except Exception: # whatever it was, the next case is to run
                print(f"not ok {number} /ui/{self.stem}/{claim}")
                for line in traceback.format_exc().splitlines():
                    print("# " + line)
                self.keep_evidence(desk, claim)
                return False

    def main(self, **options):
        """Each case gets a desk of its own, so that none depends on another, and a process of its
        own, since a process sees one accessibility bus in its life."""
        require_tools()
        wanted = sys.argv[1:]
        cases = [case for case in self.cases if not wanted or case[0] in wanted]
        print(f"1..{len(cases)}")
        n_failed = 0
        for number, (claim, function) in enumerate(cases, 1):
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                went_well = self.run_case(number, claim, function, options)
                sys.stdout.flush()
                os._exit(0 if went_well else 1)
            _, status = os.waitpid(child, 0)
            n_failed += status != 0
            if os.WIFSIGNALED(status):
                print(f"not ok {number} /ui/{self.stem}/{claim} # signal {os.WTERMSIG(status)}")
        return 1 if n_failed else 0
