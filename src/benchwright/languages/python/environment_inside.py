"""Runs inside a box, on the task's interpreter (Python 3.6 and later), without site packages:
standard library only.

`install`: unpack wheels into `/env` (uv does it), take out what is denied, compile.
`build`: call the build backend of the tree at `/src` for a wheel or its metadata, into `/out`.
"""

import compileall
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from typing import Any, Iterator

ENV = "/env"
VENDOR = re.compile(
    r"_?(vendor|vendored|vendors|extern|external|third_party|thirdparty|bundled)|_deps"
)
INFOS = (".dist-info", ".egg-info")
ARCHIVES = (".whl", ".zip", ".egg", ".pyz", ".tar.gz")


def install(config: "dict[str, Any]") -> None:
    """Make `/env`; the paths that were taken out are printed."""
    minor = config["version"]
    os.makedirs(ENV + "/bin", exist_ok=True)
    site = "%s/lib/python%s/site-packages" % (ENV, minor)
    os.makedirs(site, exist_ok=True)
    with open(ENV + "/pyvenv.cfg", "w") as file:
        file.write(
            "home = /python/bin\ninclude-system-site-packages = false\nversion = %s\n" % minor
        )
    for name in ("python", "python3", "python" + minor):
        os.symlink("/python/bin/python" + minor, "%s/bin/%s" % (ENV, name))
    if config["requirements"]:
        command = [
            "/tool/uv", "pip", "install", "--quiet", "--python", ENV + "/bin/python", "--offline",
            "--no-index", "--find-links", "/wheels", "--no-deps", "--no-build", "--require-hashes",
            "--link-mode", "copy", "--no-cache", "--no-config", "-r", "/tool/requirements.txt",
        ]  # fmt: skip
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    forget(site)
    removed = list(take_out(site, config["denied"]))
    compile_tree(ENV + "/lib")
    print(json.dumps(removed))


def forget(site: str) -> None:
    """Remove what uv notes down about this one installation, such as the time of day."""
    if os.path.exists(ENV + "/.lock"):
        os.unlink(ENV + "/.lock")
    for name in os.listdir(site):
        noted = os.path.join(site, name, "uv_cache.json")
        if name.endswith(".dist-info") and os.path.exists(noted):
            os.unlink(noted)
            record = os.path.join(site, name, "RECORD")
            with open(record, encoding="utf-8") as file:
                rows = [row for row in file if not row.startswith(name + "/uv_cache.json,")]
            with open(record, "w", encoding="utf-8") as file:
                file.writelines(rows)


def take_out(site: str, denied: "list[str]") -> "Iterator[str]":
    """Remove every denied distribution and module: installed, vendored, or in an archive."""
    names = {flat(name) for name in denied}
    for folder, folders, files in os.walk(site):
        top = folder == site
        vendored = any(VENDOR.fullmatch(part) for part in os.path.relpath(folder, site).split("/"))
        for name in sorted(folders + files):
            path = os.path.join(folder, name)
            known = flat(name.split("-")[0] if name.endswith(INFOS) else name.split(".")[0])
            installed = (top or vendored) and known in names and known not in ("", "init")
            if installed or (name in files and name.endswith(ARCHIVES) and holds(path, names)):
                yield from remove(path, site)
        folders[:] = [f for f in folders if os.path.isdir(os.path.join(folder, f))]


def flat(name: str) -> str:
    """A name as it compares: case and separators don't count."""
    return re.sub(r"[-_.]+", "_", name).lower().strip("_")


def holds(path: str, names: "set[str]") -> bool:
    """Whether an archive is, or holds, something denied."""
    if flat(os.path.basename(path).split("-")[0]) in names:
        return True
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
    return any(flat(part.split(".")[0]) in names for m in members for part in m.split("/"))


def remove(path: str, site: str) -> "Iterator[str]":
    """Remove a path and give its name below site-packages."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
    yield os.path.relpath(path, site)


def compile_tree(root: str) -> None:
    """Compile all modules; nothing is ever compared with its source, since nothing changes."""
    modes = getattr(importlib.import_module("py_compile"), "PycInvalidationMode", None)
    never = {"invalidation_mode": modes.UNCHECKED_HASH} if modes else {}
    compileall.compile_dir(root, quiet=2, maxlevels=40, workers=1, **never)


def build(config: "dict[str, Any]") -> None:
    """Ask the backend for metadata, or for a wheel; the name of what it made is printed."""
    os.chdir("/src")
    sys.path[:0] = ["/src/" + part for part in config["path"]]
    name, _, attribute = config["backend"].partition(":")
    backend = importlib.import_module(name)
    for part in filter(None, attribute.split(".")):
        backend = getattr(backend, part)
    hook = getattr(backend, "prepare_metadata_for_build_wheel", None)
    if config["what"] == "metadata" and hook:
        made = hook("/out")
    else:
        made = backend.build_wheel("/out")
        if config["what"] == "metadata":
            with zipfile.ZipFile("/out/" + made) as wheel:
                members = [m for m in wheel.namelist() if m.split("/")[0].endswith(".dist-info")]
                wheel.extractall("/out", members)
            made = members[0].split("/")[0]
    with open("/out/made.json", "w") as file:
        json.dump(made, file)


if __name__ == "__main__":
    with open("/tool/config.json") as config_file:
        {"install": install, "build": build}[sys.argv[1]](json.load(config_file))
