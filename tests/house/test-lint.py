#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants one violation after the other in a scratch tree; lint.py must find each of them,
and nothing in the same tree without it.  Also the counts of tally.py.  Prints TAP."""
import importlib.util
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def load(stem):
    spec = importlib.util.spec_from_file_location(stem, os.path.join(HERE, stem + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
lint, tally = load("lint"), load("tally")

SPDX = "/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
HEAD = SPDX + "/*\n * What this file of the test is for, in words.\n */\n"
SOURCE = HEAD + '#define G_LOG_DOMAIN "fathom"\n\n'
HEADER = HEAD + "#pragma once\n\n"

GOOD_TREE = {
    "app/base/good.h": HEADER + "#include <glib.h>\n\nint fm_good(int value);\n",
    "app/base/good.c": SOURCE + '#include "base/good.h"\n\nint\nfm_good(int value)\n{\n'
                                "    return value;\n}\n",
    "app/base/meson.build": "# SPDX-License-Identifier: GPL-3.0-or-later\nfiles('good.c')\n",
    "platform/linux/meson.build": "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                                  "files('backend-uring.c')\n",
    "app/engine/hot-loop.h": HEADER + "#include <stdint.h>\n",
    "platform/backend.h": HEADER + "#include <stdint.h>\n",
    "platform/linux/backend-uring.c": SOURCE + '#include "engine/hot-loop.h"\n',
    "po/POTFILES": "# nothing yet\n",
    "po/LINGUAS": "ko\n",
    "po/meson.build": "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                      "args: ['--keyword=fm_error_set:3']\n",
    "po/ko.po": 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
                '"Language: ko\\n"\n',
}
PO_HEAD = GOOD_TREE["po/ko.po"]
GREETING = SOURCE + 'const char *x = N_("Hello");\n'
SEVEN = ", ".join(f"int p{i}" for i in range(7))

# (check, claim, files planted, part of the complaint)
CASES = [
    ("edges", "model-may-not-include-engine",
     {"app/model/a.c": SOURCE + '#include "engine/hot-loop.h"\n'}, '"engine/hot-loop.h" may not'),
    ("edges", "host-may-not-include-backend",
     {"app/host/a.c": SOURCE + '#include "platform/backend.h"\n'}, "platform/backend.h"),
    ("edges", "cli-may-not-include-platform-io",
     {"app/cli/a.c": SOURCE + '#include "platform/platform-io.h"\n'}, "platform/platform-io.h"),
    ("edges", "only-a-backend-may-reach-the-hot-loop",
     {"platform/linux/clock.c": SOURCE + '#include "engine/hot-loop.h"\n'}, "clock.c:7"),
    ("edges", "a-backend-may-reach-nothing-else-of-the-engine",
     {"platform/linux/backend-aio.c": SOURCE + '#include "engine/driver.h"\n'}, "driver.h"),
    ("edges", "no-gio-in-the-engine",
     {"app/engine/a.c": SOURCE + "#include <gio/gio.h>\n"}, "no GIO"),
    ("edges", "no-gtk-in-the-command-line",
     {"app/cli/a.c": SOURCE + "#include <gtk/gtk.h>\n"}, "GTK belongs"),
    ("edges", "a-new-folder-needs-a-layer",
     {"app/stuff/a.c": SOURCE}, "no entry in LAYERS"),
    ("os", "no-os-macro-in-app",
     {"app/base/a.c": SOURCE + "#ifdef __linux__\n#endif\n"}, "__linux__"),
    ("os", "no-os-header-in-app",
     {"app/base/a.c": SOURCE + "#include <linux/fs.h>\n"}, "<linux/fs.h>"),
    ("length", "a-function-of-81-lines",
     {"app/base/a.c": SOURCE + "int\nfm_long(void)\n{\n" + "    ;\n" * 79 + "}\n"}, "fm_long has 81"),
    ("length", "seven-parameters",
     {"app/base/a.c": SOURCE + f"int\nfm_wide({SEVEN})\n{{\n}}\n"}, "fm_wide has 7"),
    ("length", "a-file-of-801-lines", {"app/base/a.c": SOURCE + "\n" * 795}, "801 lines"),
    ("heads", "no-spdx", {"app/base/a.c": SOURCE[len(SPDX):]}, "SPDX"),
    ("heads", "no-paragraph",
     {"app/base/a.c": SPDX + '#define G_LOG_DOMAIN "fathom"\n'}, "paragraph"),
    ("heads", "no-pragma-once", {"app/base/a.h": HEAD}, "pragma once"),
    ("heads", "no-log-domain", {"app/base/a.c": HEAD + "#include <glib.h>\n"}, "G_LOG_DOMAIN"),
    ("heads", "own-header-not-first",
     {"app/base/good.c": SOURCE + '#include <glib.h>\n#include "base/good.h"\n'}, "first include"),
    ("text", "a-tab", {"app/base/a.c": SOURCE + "\tint x;\n"}, "a tab"),
    ("text", "trailing-blanks", {"app/base/a.c": SOURCE + "int x; \n"}, "blanks"),
    ("text", "a-to-do-without-number", {"app/base/a.c": SOURCE + "/* TO" + "DO later */\n"}, "to-do"),
    ("text", "a-machine-path", {"app/base/a.c": SOURCE + '"/ho' + 'me/me/x"\n'}, "machine"),
    ("text", "a-banned-call", {"app/base/a.c": SOURCE + "strcpy(a, b);\n"}, "strcpy"),
    ("text", "a-wild-goto", {"app/base/a.c": SOURCE + "goto retry;\n"}, "goto"),
    ("listed", "a-source-that-is-not-built", {"app/base/a.c": SOURCE}, "app/base/a.c:1"),
    ("listed", "a-test-that-is-not-built", {"tests/base/test-a.c": HEAD}, "tests/base/test-a.c"),
    ("messages", "an-error-made-by-hand",
     {"app/base/a.c": SOURCE + 'g_set_error(error,\nFM_ERROR, FM_ERROR_IO, "x");\n'},
     "a.c:7: g_set_error()"),
    ("messages", "a-new-error-made-by-hand",
     {"app/base/a.c": SOURCE + 'e = g_error_new_literal(FM_ERROR, 1, "x");\n'}, "fm_error_set"),
    ("messages", "a-prefix", {"app/base/a.c": SOURCE + 'g_prefix_error(error, "x");\n'}, "%p"),
    ("messages", "a-format-that-xgettext-cannot-read",
     {"app/base/a.c": SOURCE + 'fm_error_set(error, 1, "x %" G_GUINT64_FORMAT, n);\n'}, "%ju"),
    ("headers", "a-header-that-needs-another",
     {"app/base/a.h": HEADER + "gboolean fm_a(void);\n"}, "does not compile alone"),
    ("format", "an-unformatted-line", {"app/base/a.c": SOURCE + "int  x ;\n"}, "not formatted"),
    ("po", "a-source-not-in-potfiles", {"app/base/a.c": GREETING}, "app/base/a.c is missing"),
    ("po", "an-untranslated-error",
     {"app/base/a.c": SOURCE + 'fm_error_set(error, 1, "Hello");\n',
      "po/POTFILES": "app/base/a.c\n"}, 'not translated: "Hello"'),
    ("po", "an-error-not-in-potfiles",
     {"app/base/a.c": SOURCE + 'fm_error_set(error, 1, "Hello");\n'}, "app/base/a.c is missing"),
    ("po", "straight-quotes",
     {"app/base/a.c": SOURCE + 'const char *x = N_("the \\"x\\"");\n',
      "po/POTFILES": "app/base/a.c\n"}, "straight quotes"),
    ("po", "a-source-too-much-in-potfiles", {"po/POTFILES": "app/base/good.c\n"}, "too much"),
    ("po", "an-untranslated-string",
     {"app/base/a.c": GREETING, "po/POTFILES": "app/base/a.c\n"}, 'not translated: "Hello"'),
    ("po", "a-fuzzy-string",
     {"app/base/a.c": GREETING, "po/POTFILES": "app/base/a.c\n",
      "po/ko.po": PO_HEAD + '\n#, fuzzy\nmsgid "Hello"\nmsgstr "x"\n'}, 'fuzzy: "Hello"'),
    ("po", "a-broken-catalogue", {"po/ko.po": PO_HEAD + '\nmsgid "a'}, "po/ko.po:1"),
]

SUBJECTS = [
    ("plot, figures: say what figures are made of", True),
    ("plot figures: say what figures are made of", False),
    ("engine: judge steady state from the rows", True),
    ("win32/iocp: reap by thread", True),
    ("dev: add `fuzz`", True),
    ("cli: print CDM's columns", True),
    ("Engine: judge", False),
    ("engine judge", False),
    ("engine: Judge steady state", False),
    ("engine: judge.", False),
    ("engine: " + "x" * 70, False),
]

LOGS = [
    ("a TAP program counts by its cases",
     {"result": "OK", "stdout": "TAP version 13\n1..3\nok 1 /a\nok 2 /b # SKIP no disk\nok 3 /c\n"},
     (2, 0, [("/b", "no disk")])),
    ("a failed case", {"result": "FAIL", "stdout": "ok 1 /a\nnot ok 2 /b\n"}, (1, 1, [])),
    ("a crash after passed cases is a failure",
     {"result": "FAIL", "stdout": "ok 1 /a\n"}, (1, 1, [])),
    ("a program without TAP is one case", {"result": "OK", "stdout": "fine\n"}, (1, 0, [])),
    ("a time-out is a failure", {"result": "TIMEOUT", "stdout": ""}, (0, 1, [])),
    ("a skipped program tells why",
     {"result": "SKIP", "stdout": "no valgrind\n"}, (0, 0, [("", "no valgrind")])),
]


def plant(folder, files):
    for path, content in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(content)


def complaints(check, files):
    with tempfile.TemporaryDirectory() as folder:
        plant(folder, {**GOOD_TREE, **files})
        with open(os.path.join(lint.ROOT, ".clang-format"), encoding="utf-8") as rules:
            plant(folder, {".clang-format": rules.read()})
        return list(lint.CHECKS[check](folder))


def can_run(check):
    """Whether the tools of @check are here; it exits when they are not."""
    if check == "format":
        return lint.shutil.which("clang-format-14") is not None
    if check == "po":
        return lint.shutil.which("xgettext") is not None
    return True


def results():
    """Yields (name, verdict): True, False or a reason to skip."""
    for check in sorted({case[0] for case in CASES}):
        found = complaints(check, {}) if can_run(check) else []
        yield f"/house/{check}/accepts-a-good-tree", not found
    for check, claim, files, fragment in CASES:
        if not can_run(check):
            yield f"/house/{check}/finds-{claim}", "the tool is not installed"
            continue
        yield f"/house/{check}/finds-{claim}", any(fragment in c for c in complaints(check, files))
    for subject, is_good in SUBJECTS:
        verdict = (lint.subject_problem(subject) is None) == is_good
        yield f"/house/commits/{'accepts' if is_good else 'refuses'} {subject[:30]}", verdict
    for claim, entry, expected in LOGS:
        yield f"/house/tally/{claim}", tally.count_program(entry) == expected
    yield "/house/links/finds-a-forbidden-library", links_are_seen()


def links_are_seen():
    """A program that links GIO, under the worker's name."""
    with tempfile.TemporaryDirectory() as folder:
        flags = lint.run("pkg-config", "--libs", "gio-2.0").stdout.split()
        subprocess.run(["cc", "-x", "c", "-", "-Wl,--no-as-needed", *flags, "-o",
                        os.path.join(folder, "fathom-worker")],
                       input="int main(void) { return 0; }", text=True, check=True)
        return any("libgio" in line for line in lint.check_links(folder, folder))


def main():
    n_cases, n_failed = 0, 0
    for name, verdict in results():
        n_cases += 1
        if isinstance(verdict, str):
            print(f"ok {n_cases} {name} # SKIP {verdict}")
            continue
        n_failed += not verdict
        print(f"{'ok' if verdict else 'not ok'} {n_cases} {name}")
    print(f"1..{n_cases}")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
