#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of CONTRIBUTING.md that a machine can check.

Usage: lint.py CHECK [ARGUMENT]…      where CHECK is one of the functions in CHECKS below.
Prints one line a problem, "file:line: what is wrong", and exits 1 if there was any, 77 if
the tool a check needs is not there.  test-lint.py plants violations in a scratch tree
and fails unless every check finds its own: a lint that can't fail is no lint.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77

# Who may include whom: folder under app/ or platform/ -> first parts of what it includes.
# platform.h and process.h are for all but the pure layers; platform-io.h, platform-file.h
# and backend.h only for those that do benchmark I/O.
SYSTEM = {"platform/platform.h", "platform/process.h"}
SYSTEM_IO = {"platform/platform-io.h", "platform/platform-file.h", "platform/backend.h"}
LAYERS = {
    "app/base": {"base"},
    "app/model": {"base", "model"},
    "app/analysis": {"base", "model", "analysis"},
    "app/import": {"base", "model", "import"},
    "app/engine": {"base", "model", "engine"} | SYSTEM | SYSTEM_IO,
    "app/worker": {"base", "model", "engine", "worker"} | SYSTEM | SYSTEM_IO,
    "app/store": {"base", "model", "analysis", "store"} | SYSTEM,
    "app/host": {"base", "model", "store", "host", "platform/local-socket.h"} | SYSTEM,
    "app/plot": {"base", "plot"},
    "app/figures": {"base", "model", "analysis", "plot", "figures"},
    "app/cli": {"base", "model", "store", "import", "analysis", "host", "plot", "figures",
                "cli"} | SYSTEM,
    "app/ui": {"base", "model", "store", "import", "analysis", "host", "plot", "figures",
               "ui"} | SYSTEM,
    "platform": {"base", "model", "platform"},
}

# One module may be reached against the arrows: the hot loop is a template that each backend
# instantiates on its own ring, because a call per I/O would cost more than the loop itself.
BACKEND = re.compile(r"^platform/\w+/backend-[\w-]+\.c$")
EDGE_EXEMPTIONS = [(BACKEND, "engine/hot-loop.h"), (BACKEND, "engine/loop.h")]

# Included again and again with other parameters: neither guarded nor able to stand alone.
TEMPLATES = {"app/engine/hot-loop.h"}

NO_GIO = {"app/base", "app/model", "app/analysis", "app/import", "app/engine", "app/worker", "app/plot",
          "app/figures"}
OS_MACRO = re.compile(r"\b(_WIN32|_WIN64|__linux__|__unix__|__APPLE__|G_OS_WIN32|G_OS_UNIX)\b")
OS_HEADER = re.compile(
    r"^(windows|winioctl|winsock2|ntddstor|nvme|setupapi|liburing|libaio|libnvme|mntent|dirent"
    r"|poll|pwd|grp|sched|syslog|glib-unix)\.h$|^(linux|asm|blkid|libmount)/"
    r"|^sys/(?!types\.h|stat\.h|time\.h)|^gio/gunix")

MAX_FUNCTION_LINES = 80
MAX_FILE_LINES = 800
MAX_PARAMETERS = 5
# Path -> why it may be longer.  Tables only; an entry is a decision, not a habit.
LONG_FILES = {}
# (path, function) -> why it may be longer or take more parameters.
LONG_FUNCTIONS = {
    ("app/ui/figure-canvas.c", "fm_figure_canvas_measure"): "GTK gives GtkWidgetClass.measure seven",
    ("app/ui/column.c", "fm_column_measure"): "GTK gives GtkWidgetClass.measure seven",
    ("platform/linux/appearance.c", "setting_changed_cb"): "GIO gives GDBusSignalCallback seven",
}

BANNED_CALL = re.compile(
    r"(?<![\w.>])(alloca|strcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atof|system|popen"
    r"|rand|srand|localtime|gmtime|ctime)\s*\(")
# Split, so that this file does not match itself.
FORBIDDEN_WORDS = re.compile("/" + r"(work|root|home)" + r"/\w")
UNNUMBERED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b(?!\s*\(?#\d+)")


# --- Reading the tree -------------------------------------------------------------------

def walk(root, suffixes, folders=("app", "platform", "tests", "resources", "po", ".ci", "")):
    """Yields paths relative to @root of the project's own files with one of @suffixes."""
    for folder in folders:
        for parent, names, files in os.walk(os.path.join(root, folder)):
            names[:] = sorted(n for n in names if n not in ("__pycache__", "corpus", "data"))
            if folder == "":
                names[:] = []
            for name in sorted(files):
                if name.endswith(tuple(suffixes)):
                    yield os.path.relpath(os.path.join(parent, name), root)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def blank(match):
    """Keeps the line breaks of what is removed, so that line numbers stay true."""
    return '""' if match.group()[0] in "\"'" else re.sub(r"[^\n]", " ", match.group())


def strip_code(text):
    """C code without comments, string and character literals."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)


def includes(text):
    """Yields (line, name, is_system) of every #include."""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
        if match:
            yield number, match.group(2), match.group(1) == "<"


def layer_of(path):
    parts = path.split("/")
    return parts[0] if parts[0] == "platform" else "/".join(parts[:2])


def is_public_tree(path):
    return path.startswith(("app/", "platform/"))


# --- Layers -----------------------------------------------------------------------------

def edge_is_allowed(path, name):
    allowed = LAYERS.get(layer_of(path), set())
    if name == "config.h" or name in allowed or name.split("/")[0] in allowed:
        return True
    return any(who.match(path) and name == what for who, what in EDGE_EXEMPTIONS)


def check_edges(root):
    """Layers: no include against the arrows of the dependency picture."""
    for path in walk(root, (".c", ".h"), ("app", "platform")):
        if layer_of(path) not in LAYERS:
            yield f"{path}:1: this folder has no entry in LAYERS"
            continue
        for line, name, is_system in includes(read(root, path)):
            if is_system:
                if name.startswith("gio/") and layer_of(path) in NO_GIO:
                    yield f"{path}:{line}: <{name}>: no GIO in {layer_of(path)}"
                if name.startswith(("gtk/", "gdk/", "adwaita")) and layer_of(path) != "app/ui":
                    yield f"{path}:{line}: <{name}>: GTK belongs to app/ui"
            elif not edge_is_allowed(path, name):
                yield f'{path}:{line}: "{name}" may not be included from {layer_of(path)}'


def check_os(root):
    """No operating system outside platform/: neither its macros nor its headers."""
    for path in walk(root, (".c", ".h"), ("app", "tests")):
        text = read(root, path)
        for number, line in enumerate(strip_code(text).splitlines(), 1):
            if OS_MACRO.search(line):
                yield f"{path}:{number}: {OS_MACRO.search(line).group()} outside platform/"
        if path.startswith("app/"):
            for number, name, is_system in includes(text):
                if is_system and OS_HEADER.search(name):
                    yield f"{path}:{number}: <{name}> outside platform/"


# --- Form -------------------------------------------------------------------------------

def functions(text):
    """Yields (line, name, length, parameters) of each function in clang-formatted C."""
    lines = strip_code(text).splitlines()
    start = None
    for index, line in enumerate(lines):
        if line == "{":
            start = index
        elif line.startswith("}") and start is not None:
            first = start - 1
            while first > 0 and not re.match(r"\w+\(", lines[first]):
                first -= 1
            signature = " ".join(lines[first:start])
            inner = signature[signature.find("(") + 1:signature.rfind(")")]
            inner = re.sub(r"\([^()]*\)", "", inner)
            name = signature[:max(signature.find("("), 0)]
            yield first + 1, name, index - start + 1, inner.count(",") + 1
            start = None


def check_length(root):
    """Functions of at most 80 lines and 5 parameters, files of at most 800 lines."""
    for path in walk(root, (".c", ".h", ".py", "dev", "run")):
        text = read(root, path)
        n_lines = text.count("\n")
        if n_lines > MAX_FILE_LINES and path not in LONG_FILES:
            yield f"{path}:1: {n_lines} lines; the limit is {MAX_FILE_LINES}"
        if not path.endswith((".c", ".h")):
            continue
        for line, name, length, n_parameters in functions(text):
            if (path, name) in LONG_FUNCTIONS:
                continue
            if length > MAX_FUNCTION_LINES:
                yield f"{path}:{line}: {name} has {length} lines; the limit is {MAX_FUNCTION_LINES}"
            if n_parameters > MAX_PARAMETERS:
                yield (f"{path}:{line}: {name} has {n_parameters} parameters; from "
                       f"{MAX_PARAMETERS + 1} on use an options struct")


def head_problem(path, text):
    lines = text.splitlines() + ["", "", ""]
    if path.endswith((".c", ".h")):
        if lines[0] != "/* SPDX-License-Identifier: GPL-3.0-or-later */":
            return "line 1 is not the SPDX line"
        comment = text.split("\n", 1)[1]
        if not comment.startswith("/*") or len(comment.split("*/")[0].split()) < 6:
            return "line 2 does not begin a paragraph that says what the file is for"
    elif "SPDX-License-Identifier: GPL-3.0-or-later" not in lines[0] + lines[1]:
        return "no SPDX line at the top"
    return None


def own_header_problem(root, path, text):
    """An own header that comes first proves that it compiles alone."""
    own = re.sub(r"^app/", "", path)[:-2] + ".h"
    base = "app" if path.startswith("app/") else "."
    if not os.path.exists(os.path.join(root, base, own)):
        return None
    names = [name for _, name, _ in includes(text) if name != "config.h"]
    return None if names[:1] == [own] else f'the first include is not "{own}"'


def check_heads(root):
    """SPDX, a paragraph on top, #pragma once, the log domain, the own header first."""
    for path in walk(root, (".c", ".h", ".py", "meson.build", "dev", "run")):
        text = read(root, path)
        problems = [head_problem(path, text)]
        if path.endswith(".h") and path not in TEMPLATES and "#pragma once\n" not in text:
            problems.append("no #pragma once")
        if path.endswith(".c") and is_public_tree(path):
            if '#define G_LOG_DOMAIN "fathom"\n' not in text.split("#include")[0]:
                problems.append("G_LOG_DOMAIN is not defined before the first include")
            problems.append(own_header_problem(root, path, text))
        yield from (f"{path}:1: {problem}" for problem in problems if problem)


def check_text(root):
    """No tabs, no trailing blanks, no bare TO-DO, no paths of one machine, no banned calls."""
    suffixes = (".c", ".h", ".py", ".build", ".json", ".md", ".txt", "dev", "run", "POTFILES")
    for path in walk(root, suffixes):
        text = read(root, path)
        is_c = path.endswith((".c", ".h"))
        code = strip_code(text).splitlines() if is_c else []
        for number, line in enumerate(text.split("\n"), 1):
            where = f"{path}:{number}:"
            if "\t" in line:
                yield f"{where} a tab"
            if line != line.rstrip() and not path.endswith(".md"):
                yield f"{where} blanks at the end of the line"
            if UNNUMBERED.search(line):
                yield f"{where} a to-do without the number of an issue"
            if FORBIDDEN_WORDS.search(line):
                yield f"{where} a path of somebody's machine"
        for number, line in enumerate(code, 1):
            if BANNED_CALL.search(line):
                yield f"{path}:{number}: {BANNED_CALL.search(line).group(1)}() is banned"
            if re.search(r"\bgoto\s+(?!out\b)", line):
                yield f"{path}:{number}: goto to something else than out"


def check_listed(root):
    """Every source is built: a test that a merge dropped from its list tests nothing."""
    for path in walk(root, (".c",), ("app", "platform", "tests")):
        folder, name = os.path.split(path)
        stems = {name, re.sub(r"^(test|fuzz)-|\.c$", "", name), name[:-2]}
        lists = [os.path.join(folder, "meson.build"), "meson.build"]
        if folder == "platform":
            lists += [f"platform/{system}/meson.build" for system in ("linux", "win32")]
        texts = "".join(read(root, file) for file in lists
                        if os.path.exists(os.path.join(root, file)))
        quoted = {os.path.basename(word) for word in re.findall(r"'([^'\n]+)'", texts)}
        if not stems & quoted:
            yield f"{path}:1: in no meson.build, so it is never built"


# Who makes errors for the others.
ERROR_MAKER = "app/base/error.c"
RAW_ERROR = re.compile(r"\b(g_set_error|g_set_error_literal|g_error_new|g_error_new_literal)\s*"
                       r"\(([^;]*?\bFM_ERROR\b)")
RAW_PREFIX = re.compile(r"\b(g_prefix_error|g_prefix_error_literal|g_propagate_prefixed_error)\b")
PRINTF_FAMILY = re.compile(r"G_GU?INT64_FORMAT")


def check_messages(root):
    """Sentences can be told in every language: errors keep their message, xgettext sees it."""
    for path in walk(root, (".c", ".h"), ("app", "platform")):
        text = read(root, path)
        code = strip_code(text)
        for found in RAW_ERROR.finditer(code) if path != ERROR_MAKER else []:
            line = code.count("\n", 0, found.start()) + 1
            yield f"{path}:{line}: {found.group(1)}() for FM_ERROR; use fm_error_set()"
        for found in RAW_PREFIX.finditer(code):
            line = code.count("\n", 0, found.start()) + 1
            yield f'{path}:{line}: {found.group(1)}(); use fm_error_set() with "%p"'
        for word in keywords(root):
            for found in re.finditer(rf'\b{word.split(":")[0]}\s*\([^;{{]*""[^;]*;', code):
                if PRINTF_FAMILY.search(found.group()):
                    line = code.count("\n", 0, found.start()) + 1
                    yield f"{path}:{line}: xgettext can't read this format; use %ju or %jd"


# --- Checks that need a tool -------------------------------------------------------------

def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def require(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            print(f"{tool} is not installed")
            sys.exit(SKIPPED)


def compile_flags():
    flags = []
    for package in ("gio-2.0", "jansson", "gtk4"):
        flags += run("pkg-config", "--cflags", package).stdout.split()
    return flags


def check_headers(root, build=None, compiler="cc"):
    """Every header compiles alone, and twice.

    Where a source of the same stem includes its header first (check_heads sees to it), the
    build has proved that already.
    """
    require(compiler, "pkg-config")
    flags = compile_flags() + ["-I", root, "-I", os.path.join(root, "app")]
    flags += ["-I", build] if build else []
    for path in walk(root, (".h",), ("app", "platform")):
        if path in TEMPLATES:
            continue
        if os.path.exists(os.path.join(root, path[:-2] + ".c")):
            continue
        name = re.sub(r"^app/", "", path)
        result = run(compiler, "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wundef", "-Werror",
                     "-Wno-unused-function", "-fsyntax-only", "-x", "c", "-", *flags, cwd=root,
                     input=f'#include "{name}"\n#include "{name}"\n')
        if result.returncode != 0:
            errors = [line for line in result.stderr.splitlines() if "error:" in line]
            yield f"{path}:1: does not compile alone: {(errors or ['?'])[0]}"


def check_format(root):
    """clang-format 14 agrees; other versions format differently and are not asked."""
    require("clang-format-14")
    paths = list(walk(root, (".c", ".h")))
    result = run("clang-format-14", "--dry-run", *paths, cwd=root)
    for line in result.stderr.splitlines():
        match = re.match(r"(\S+?):(\d+):\d+: (warning|error)", line)
        if match:
            yield f"{match.group(1)}:{match.group(2)}: not formatted; run ./dev format"


def check_links(root, build=None):
    """The worker links no GIO and no GTK, the command line no GTK, not even through others."""
    require("ldd")
    forbidden = {"fathom-worker": ("libgio", "libgtk", "libgdk", "libcairo", "libpango"),
                 "fathom-cli": ("libgtk", "libgdk")}
    n_found = 0
    for program, libraries in forbidden.items():
        path = os.path.join(build or os.path.join(root, "build"), program)
        if not os.path.exists(path):
            continue
        n_found += 1
        for line in run("ldd", path).stdout.splitlines():
            if line.strip().startswith(libraries):
                yield f"{program}:1: links {line.split()[0]}"
    if n_found == 0:
        yield f"{build}:1: there is no program to look at"


def keywords(root):
    """What po/meson.build gives xgettext beside the words of GLib: name:argument."""
    return re.findall(r"'--keyword=(\w+:\d+)'", read(root, "po/meson.build"))


def marks_strings(root, text):
    code = strip_code(text)
    makers = "|".join(word.split(":")[0] for word in keywords(root))
    return (re.search(r"\b(_|N_|C_|NC_|ngettext|g_dngettext)\s*\(", code) is not None
            or re.search(rf'\b({makers})\s*\([^;{{]*""', code) is not None)


def check_potfiles(root):
    """po/POTFILES names exactly the sources with translatable strings, sorted."""
    listed = [line for line in read(root, "po/POTFILES").splitlines()
              if line and not line.startswith("#")]
    marked = [path for path in walk(root, (".c", ".h"), ("app", "platform"))
              if marks_strings(root, read(root, path))]
    marked += [path for path in walk(root, (".ui",), ("resources",))
               if 'translatable="yes"' in read(root, path)]
    for path in sorted(set(marked) ^ set(listed)):
        yield f"po/POTFILES:1: {path} is {'missing' if path in marked else 'too much'}"
    if listed != sorted(listed):
        yield "po/POTFILES:1: not sorted"


def messages(po_text):
    """The msgid lines of the entries in @po_text, without the head."""
    ids = re.findall(r'^msgid ((?:"(?:\\.|[^"\\])*"\n)+)', po_text, re.M)
    joined = ("".join(re.findall(r'"((?:\\.|[^"\\])*)"', entry)) for entry in ids)
    return [message for message in joined if message]


def check_po(root):
    """Every string of every source is translated in every language, and well-formed."""
    require("xgettext", "msgmerge", "msgattrib", "msgfmt")
    yield from check_potfiles(root)
    with tempfile.TemporaryDirectory() as scratch:
        pot = os.path.join(scratch, "fathom.pot")
        run("xgettext", "--from-code=UTF-8", "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2",
            "--keyword=NC_:1c,2", "--flag=g_strdup_printf:1:c-format", "--force-po",
            *(f"--keyword={word}" for word in keywords(root)),
            "-f", "po/POTFILES", "-o", pot, cwd=root)
        with open(pot, encoding="utf-8") as file:
            for message in messages(file.read()):
                if message.count('\\"') > 1:
                    yield f'po/POTFILES:1: straight quotes; write “x”: "{message}"'
        for language in read(root, "po/LINGUAS").split():
            po = os.path.join(root, "po", language + ".po")
            formed = run("msgfmt", "--check", "-o", os.devnull, po)
            if formed.returncode != 0:
                yield f"po/{language}.po:1: {formed.stderr.splitlines()[0]}"
            merged = os.path.join(scratch, language + ".po")
            run("msgmerge", "--quiet", "--no-fuzzy-matching", "-o", merged, po, pot)
            for option, what in (("--untranslated", "not translated"), ("--fuzzy", "fuzzy")):
                found = run("msgattrib", option, "--no-obsolete", merged).stdout
                for message in messages(found):
                    yield f'po/{language}.po:1: {what}: "{message}"'


# --- Commits ----------------------------------------------------------------------------

SUBJECT = re.compile(r"^[a-z0-9][a-z0-9./_-]*(, [a-z0-9][a-z0-9./_-]*)?: (?![A-Z][a-z])\S.*[^.\s]$")
# Commits that were pushed before somebody looked; history is not rewritten.
OLD_COMMITS = set()


def subject_problem(subject):
    if len(subject) > 72:
        return f"{len(subject)} characters; the limit is 72"
    if not SUBJECT.match(subject):
        return 'not "area: what it does", in lower case and without a full stop'
    return None


def check_commits(root, revisions="HEAD"):
    """Subjects read "area: lower-case imperative", at most 72 characters."""
    require("git")
    log = run("git", "-C", root, "log", "--no-merges", "--format=%h %s", revisions)
    if log.returncode != 0:
        print("this is no git clone")
        sys.exit(SKIPPED)
    for line in log.stdout.splitlines():
        commit, subject = line.split(" ", 1)
        problem = subject_problem(subject)
        if problem and commit[:7] not in OLD_COMMITS:
            yield f"{commit}: {problem}: {subject}"


CHECKS = {
    "edges": check_edges,
    "os": check_os,
    "length": check_length,
    "heads": check_heads,
    "text": check_text,
    "listed": check_listed,
    "messages": check_messages,
    "headers": check_headers,
    "format": check_format,
    "links": check_links,
    "po": check_po,
    "commits": check_commits,
}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in CHECKS:
        print(f"usage: lint.py {'|'.join(CHECKS)} [ARGUMENT]…", file=sys.stderr)
        return 2
    problems = list(CHECKS[sys.argv[1]](ROOT, *sys.argv[2:]))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
