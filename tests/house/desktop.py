#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the desktop reads of us: desktop entry, AppStream data, MIME type, icons, resources, and
that `meson install` puts all of it in place.

Usage: desktop.py CHECK BUILD      where CHECK is one of the functions in CHECKS below.
Prints one line a problem and exits 1 if there was any, 77 if the tool a check needs is missing.
"""
import configparser
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RESOURCES = os.path.join(ROOT, "resources")
APP_ID = "io.github.fathom.Fathom"
MIME_TYPE = "application/x-fathom-run"
HELLO = b"FmFr\x01\x00" # how every run begins: magic and the kind of the first frame
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
SKIPPED = 77
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def require(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            print(f"{tool} is not installed")
            sys.exit(SKIPPED)


def resource(ending):
    return os.path.join(RESOURCES, APP_ID + ending)


def read_entry():
    parser = configparser.RawConfigParser()
    parser.optionxform = str
    parser.read(resource(".desktop"), encoding="utf-8")
    return parser["Desktop Entry"]


def introspect(build, what):
    return json.loads(run("meson", "introspect", what, build).stdout)


def complaints(result, what):
    """One problem for a tool that was not content."""
    if result.returncode != 0:
        yield f"{what}: {(result.stdout + result.stderr).strip()}"


# --- Checks -------------------------------------------------------------------------------

def check_entry(_build):
    """The menu entry is valid, and names programs, icons and types that there are."""
    require("desktop-file-validate")
    yield from complaints(run("desktop-file-validate", resource(".desktop")), "desktop entry")
    entry = read_entry()
    if not entry["Exec"].startswith("fathom "):
        yield "desktop entry: starts something else than fathom"
    if entry["Icon"] != APP_ID:
        yield "desktop entry: the icon is not named like the program"
    if MIME_TYPE not in entry["MimeType"]:
        yield f"desktop entry: does not open {MIME_TYPE}"


def check_metainfo(build):
    """AppStream is content, the newest release is this version, and the pictures are here."""
    require("appstreamcli")
    result = run("appstreamcli", "validate", "--no-net", "--no-color", resource(".metainfo.xml"))
    yield from complaints(result, "metainfo")
    component = ET.parse(resource(".metainfo.xml")).getroot()
    version = introspect(build, "--projectinfo")["version"]
    if component.find("releases/release").get("version") != version:
        yield f"metainfo: the newest release is not {version}"
    for image in component.iter("image"):
        picture = os.path.join(RESOURCES, "screenshots", image.text.rsplit("/", 1)[-1])
        if not os.path.exists(picture):
            yield f"metainfo: there is no {picture}"
        elif shutil.which("identify"):
            size = run("identify", "-format", "%w %h", picture).stdout.split()
            if size != [image.get("width"), image.get("height")]:
                yield f"metainfo: {picture} is {size[0]} x {size[1]} pixels"


def type_of(path, data_home):
    environment = dict(os.environ, XDG_DATA_HOME=data_home, XDG_DATA_DIRS="/nonexistent",
                       LC_ALL="C.UTF-8")
    attribute = "standard::content-type"
    result = run("gio", "info", "-a", attribute, path, env=environment)
    match = re.search(attribute + r": (\S+)", result.stdout)
    return match.group(1) if match else None


def check_mime(_build):
    """A run is known by its name and by its first bytes."""
    require("update-mime-database", "gio")
    with tempfile.TemporaryDirectory() as scratch:
        os.makedirs(os.path.join(scratch, "mime/packages"))
        shutil.copy(resource(".mime.xml"), os.path.join(scratch, "mime/packages"))
        yield from complaints(run("update-mime-database", os.path.join(scratch, "mime")), "MIME")
        for name, data, expected in (("a.fathom", b"cut off", True), ("no-suffix", HELLO + b"\0\0", True),
                                     ("other", b"FmFr\x07\0\0\0", False)):
            path = os.path.join(scratch, name)
            with open(path, "wb") as file:
                file.write(data)
            if (type_of(path, scratch) == MIME_TYPE) != expected:
                yield f"MIME: {name} is taken for {type_of(path, scratch)}"


def icon_paths():
    return sorted(glob.glob(os.path.join(RESOURCES, "icons/hicolor/*/*/*.svg")))


def check_icons(_build):
    """All icons are there, well-formed, drawn at every size, and symbolic ones can be recoloured."""
    require("xmllint", "rsvg-convert")
    names = {os.path.relpath(path, RESOURCES) for path in icon_paths()}
    document = MIME_TYPE.replace("/", "-")
    for kind, stem in (("apps", APP_ID), ("mimetypes", document)):
        for name in (f"icons/hicolor/scalable/{kind}/{stem}.svg",
                     f"icons/hicolor/symbolic/{kind}/{stem}-symbolic.svg"):
            if name not in names:
                yield f"icons: no {name}"
    for path in icon_paths():
        yield from complaints(run("xmllint", "--noout", "--nonet", path), path)
        for size in ICON_SIZES:
            drawn = subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size), path],
                                   capture_output=True, check=False)
            if drawn.returncode != 0 or len(drawn.stdout) < 80:
                yield f"{path}: draws nothing at {size} px"
        if path.endswith("-symbolic.svg"):
            for element in ET.parse(path).iter():
                if element.get("stroke") or element.get("fill") not in (None, "#2e3436"):
                    yield f"{path}: only #2e3436 and only fill can be recoloured"


def languages():
    with open(os.path.join(ROOT, "po/LINGUAS"), encoding="utf-8") as file:
        return [line for line in file.read().split() if not line.startswith("#")]


def untranslated(path, tags, language):
    """Elements of @tags whose neighbours hold fewer sentences of @language than of English."""
    for parent in ET.parse(path).iter():
        for tag in tags:
            children = [child for child in parent if child.tag.rsplit("}", 1)[-1] == tag]
            english = [child for child in children if child.get(XML_LANG) is None]
            other = [child for child in children if child.get(XML_LANG) == language]
            if len(english) != len(other):
                yield f"{os.path.basename(path)}: a <{tag}> is not there in {language}"


def check_languages(_build):
    """What people read in a menu or a software centre is there in every language."""
    entry = read_entry()
    for language in languages():
        for key in ("GenericName", "Comment", "Keywords"):
            if f"{key}[{language}]" not in entry:
                yield f"desktop entry: no {key}[{language}]"
        yield from untranslated(resource(".metainfo.xml"), ("summary", "p", "li", "caption"),
                                language)
        yield from untranslated(resource(".mime.xml"), ("comment",), language)


def check_resources(build):
    """What is compiled into the programs can be listed, and is all that the lists name."""
    require("gresource")
    for path in glob.glob(os.path.join(RESOURCES, "*.gresource.xml")):
        yield from complaints(run("xmllint", "--noout", "--nonet", path), path)
        named = set()
        for group in ET.parse(path).iter("gresource"):
            for file in group.iter("file"):
                named.add(f"{group.get('prefix')}/{file.get('alias') or file.text}")
        programs = [os.path.join(build, name) for name in ("fathom", "fathom-cli")]
        found = set()
        for program in filter(os.path.exists, programs):
            found |= set(run("gresource", "list", program).stdout.split())
        for name in sorted(named - found):
            if os.path.exists(programs[0]) or "/plans/" in name:
                yield f"{os.path.basename(path)}: {name} is in no program"


INSTALLED = ["bin/fathom-cli", "libexec/fathom/fathom-worker", "share/fathom/models/tlc.json",
             "share/fathom/fonts/Pretendard-Regular.otf", "share/fathom/fonts/OFL"]
INSTALLED_WINDOW = [
    "bin/fathom",
    f"share/applications/{APP_ID}.desktop", f"share/metainfo/{APP_ID}.metainfo.xml",
    f"share/mime/packages/{APP_ID}.xml",
    f"share/icons/hicolor/scalable/apps/{APP_ID}.svg",
    f"share/icons/hicolor/symbolic/apps/{APP_ID}-symbolic.svg",
    "share/icons/hicolor/scalable/mimetypes/application-x-fathom-run.svg",
    "share/icons/hicolor/symbolic/mimetypes/application-x-fathom-run-symbolic.svg"]


def check_install(build):
    """`meson install` puts everything in place, and it works wherever it is moved to."""
    with tempfile.TemporaryDirectory() as scratch:
        yield from complaints(run("meson", "install", "-C", build, "--no-rebuild", "--quiet",
                                  "--destdir", scratch), "meson install")
        options = {option["name"]: option["value"] for option in introspect(build, "--buildoptions")}
        prefix = os.path.join(scratch, options["prefix"].lstrip("/"))
        expected = INSTALLED + [f"share/locale/{name}/LC_MESSAGES/fathom.mo" for name in languages()]
        if options["window"] != "disabled":
            expected += INSTALLED_WINDOW
        for name in expected:
            if not os.path.exists(os.path.join(prefix, name)):
                yield f"meson install: no {name}"
        moved = os.path.join(scratch, "moved here")
        os.rename(prefix, moved)
        yield from check_moved(moved)


def check_moved(prefix):
    """The simulated drive needs program, worker and data; the library stays in @prefix."""
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith(("FATHOM_", "LC_", "LANG"))}
    environment.update(HOME=prefix, XDG_DATA_HOME=os.path.join(prefix, "data"), LC_ALL="C.UTF-8",
                       XDG_STATE_HOME=os.path.join(prefix, "state"))
    program = os.path.join(prefix, "bin/fathom-cli")
    result = run(program, "run", "quick", "sim:tlc", env=environment, timeout=120)
    yield from complaints(result, "an installation that was moved")


CHECKS = {name[len("check_"):]: function for name, function in list(globals().items())
          if name.startswith("check_") and name != "check_moved"}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        print(__doc__, "\nChecks:", ", ".join(CHECKS))
        return 2
    problems = list(CHECKS[sys.argv[1]](sys.argv[2]))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
