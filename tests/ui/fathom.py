# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of Fathom on a desk: where it is built, what it is given to run, and the ways of a
person through it.  Tests say what is expected; this only goes there."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from driver import App, wait_for

BUILD = os.environ.get("FATHOM_BUILD", os.path.abspath("build"))
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLI = os.path.join(BUILD, "fathom-cli")
WINDOW = os.path.join(BUILD, "fathom")


def shorten(value, step, key=None):
    """@value of a plan with every time cut to @step and every pause gone."""
    if isinstance(value, dict):
        return {name: shorten(child, step, name) for name, child in value.items()}
    if isinstance(value, list):
        return [shorten(child, step, key) for child in value]
    if key == "time":
        return step
    return "0s" if key == "between" else value


def give_short_quick(desk, step="100ms", n_groups=1, size="16MiB"):
    """A Quick plan of the user that stands in for the built-in one: of its first group the first
    and the last row, read and written."""
    with open(os.path.join(SOURCE, "resources/plans/quick.json"), encoding="utf-8") as file:
        plan = shorten(json.load(file), step)
    plan["options"][0]["default"] = size
    plan["phases"] = plan["phases"][:n_groups]
    for rows in plan["phases"][0]["phases"]:
        rows["phases"] = rows["phases"][::3]
    folder = os.path.join(desk.environment["XDG_CONFIG_HOME"], "fathom/plans")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "quick.json"), "w", encoding="utf-8") as file:
        json.dump(plan, file)


class Target:
    """A folder to measure, on the disk of the build folder, since /tmp may be memory."""

    def __init__(self, name="target"):
        self.parent = tempfile.mkdtemp(prefix="ui-", dir=BUILD)
        self.path = os.path.join(self.parent, name)
        os.makedirs(self.path)

    def __enter__(self):
        return self.path

    def __exit__(self, *_exception):
        shutil.rmtree(self.parent, ignore_errors=True)


def cli(desk, *arguments, check=True):
    """fathom-cli as the user of @desk; its standard output."""
    result = subprocess.run([CLI, *arguments], env=desk.environment, capture_output=True, text=True,
                            check=False)
    if check and result.returncode != 0:
        raise AssertionError(f"fathom-cli {' '.join(arguments)} ended with {result.returncode}: "
                             + result.stderr)
    return result.stdout


def library(desk):
    """The run files of the user of @desk, oldest first."""
    folder = os.path.join(desk.environment["XDG_DATA_HOME"], "fathom")
    found = [os.path.join(parent, name) for parent, _, names in os.walk(folder)
             for name in names if name.endswith(".fathom")]
    return sorted(found, key=os.path.getmtime)


def outcome(desk, path):
    """How a run ended, "complete" or "stopped" or other; None while it goes on."""
    _, end, last = cli(desk, "dump", path, check=False).rpartition(": END ")
    found = re.search(r"outcome: '(\w+)'", last) if end else None
    return found.group(1) if found else None


# --- Ways through the window -------------------------------------------------------------------

# In the order of the sidebar: how it is brought up, and its class.
PAGES = {"Drives": ("alt+1", "FmDrivesPage"), "Test plan": ("alt+2", "FmPlanPage"),
         "Run": ("alt+3", "FmRunPage"), "Results": ("alt+4", "FmResultsPage")}


class Fathom(App):
    """The window; what can be perceived of it is what the page shows that is up."""

    def __init__(self, desk, *arguments, extra=None, program=WINDOW):
        super().__init__(desk, [program, *arguments], extra, patience_s=60)
        self.pages = None
        # Not there in a narrow window; then all pages that were visited are walked.
        self.find(role="push button")
        self.pages = self.look(role="list", name=re.compile("^(Pages|페이지 목록)$"))

    def walk(self, skip=None):
        if self.pages is None:
            return super().walk()
        rows = list(self.pages.children())
        classes = [page_class for _, page_class in PAGES.values()]
        hidden = {page_class for row, page_class in zip(rows, classes) if not row.has("selected")}
        return super().walk(lambda node: node.raw_name in hidden)


def go_to(app, page):
    """Brings up a page by its shortcut; its row in the sidebar says that it is there."""
    app.desk.key(PAGES[page][0])
    number = list(PAGES).index(page)
    wait_for(lambda: list(app.pages.children())[number].has("selected"), f"the page {page} does not come")


def type_path(desk, dialog, path):
    """Gives a path to a file chooser of GTK."""
    desk.type("/")
    dialog.find(role="text", state="focused")
    desk.type(path[1:])
    # It completes as it goes and would take the first Return for that.
    time.sleep(0.3)
    desk.key("Return")


def choose_folder(app, path):
    app.desk.key("ctrl+shift+o")
    dialog = app.find(name="Choose where to test")
    dialog.find(role="push button", name="Choose")
    type_path(app.desk, dialog, path)
    app.wait_gone(name="Choose where to test")
    app.find(role="push button", name=re.compile(r"^Target: "))


def open_file(app, path):
    app.desk.key("ctrl+o")
    dialog = app.find(name="Open a run or a plan")
    type_path(app.desk, dialog, path)
    app.wait_gone(name="Open a run or a plan")


def choose_plan(app, name):
    """Chooses a plan in the list of the page Test plan: into the list by Tab, then by arrows."""
    go_to(app, "Test plan")
    plans = app.find(role="list", name="Plans").focus()
    plan = plans.find(role="list item", name=name)
    plan.choose()
    wait_for(lambda: plan.has("selected"), f"{plan} does not become the chosen one")
    wait_for(lambda: app.pages.look(role="label", name=name), f"{plan} is not what Run would run")


# --- A run ---------------------------------------------------------------------------------------

def button(app, name):
    """A button of the tool bar, looked for once: they stay where they are."""
    kept = app.__dict__.setdefault("buttons", {})
    if name not in kept:
        kept[name] = app.find(role="push button", name=name)
    return kept[name]


def is_running(app):
    return button(app, "Stop").has("sensitive")


def start_run(app):
    app.desk.key("ctrl+r")
    wait_for(lambda: is_running(app), "the run does not start")


def stop_run(app):
    app.desk.key("ctrl+period")
    wait_idle(app)


def wait_idle(app, patience_s=None):
    """Until a run may be started again."""
    wait_for(lambda: button(app, "Run").has("sensitive") and not is_running(app),
             "the run does not end", patience_s)


def reads(app, pattern):
    """Whether a person reads something like @pattern anywhere in the window."""
    wanted = re.compile(pattern)
    return any(wanted.search(node.name) or wanted.search(node.text or "") for node in app.walk()
               if node.is_on_screen())


def open_and_run(desk, target, step):
    """A window that runs the short Quick plan in @target."""
    give_short_quick(desk, step)
    app = Fathom(desk)
    choose_folder(app, target)
    start_run(app)
    return app


def newest_run(desk, count=1):
    """The newest file, when there are @count."""
    return wait_for(lambda: len(library(desk)) >= count and library(desk)[-1], "no run file")


# --- Results --------------------------------------------------------------------------------------

MAKE_RUN = os.path.join(BUILD, "tests/ui/make-run")


def make_run(desk, kind):
    """A run file that this machine did not measure (make-run.c)."""
    path = os.path.join(desk.folder, kind + ".fathom")
    subprocess.run([MAKE_RUN, kind, path], check=True)
    return path


def figures(app):
    """The figures of the page, as a screen reader finds them: pictures with a name."""
    return [node for node in app.look_all(role="image") if node.name]


def wait_figures(app):
    return wait_for(lambda: figures(app), "no figure comes")


def read_table(app, figure):
    """The rows of the data table of a figure, each a list of its texts; opened and closed again."""
    figure.focus(("Tab",))
    app.desk.key("ctrl+t")
    window = wait_for(lambda: next((node for node in app.windows() if node.name == figure.name), None),
                      f"no table of {figure} opens")
    table = window.find(role=("table", "tree table"))
    found = wait_for(lambda: table.look_all(role="table row"), f"the table of {figure} is empty")
    rows = [[label.name for label in row.look_all(role="label")] for row in found]
    app.desk.key("Escape")
    wait_for(lambda: all(node.name != figure.name for node in app.windows()), "the table does not close")
    return rows


def save_figure(app, path, format_number=0):
    """Saves the figure that has the focus; formats by their place in the list."""
    desk = app.desk
    desk.key("ctrl+s")
    options = app.find(role="frame", name="Save figure")
    if format_number > 0:
        options.find(role="combo box", name="Format").focus()
        desk.key("space")
        time.sleep(0.5)
        desk.key(*["Down"] * format_number, "Return")
        time.sleep(0.3)
    options.find(role="push button", name="Save…").press()
    app.find(role="push button", name="Save")
    time.sleep(0.5)
    desk.key("ctrl+a")
    desk.type(path)
    time.sleep(0.5)
    desk.key("Return")
