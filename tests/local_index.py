"""A package index on this machine, with packages that the tests write."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

JSON = "application/vnd.pypi.simple.v1+json"


@dataclass
class Index:
    """What the index has: file name -> bytes."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    uploaded: dict[str, str] = field(default_factory=dict)
    promised: dict[str, str] = field(default_factory=dict)
    """sha256 that is told instead of the true one."""
    asked: list[str] = field(default_factory=list)

    def add(self, name: str, data: bytes, uploaded: str = "2020-01-01T00:00:00Z") -> None:
        self.files[name], self.uploaded[name] = data, uploaded

    def page(self, project: str) -> bytes | None:
        mine = [n for n in self.files if project_of(n) == project]
        listed = [
            {
                "filename": name,
                "url": f"{self.url}/files/{name}",
                "hashes": {
                    "sha256": self.promised.get(name, hashlib.sha256(self.files[name]).hexdigest())
                },
                "upload-time": self.uploaded[name],
            }
            for name in mine
        ]
        page = {"meta": {"api-version": "1.1"}, "name": project, "files": listed, "versions": []}
        return json.dumps(page).encode() if mine else None


def project_of(filename: str) -> str:
    name = filename.split("-")[0] if filename.endswith(".whl") else filename.rpartition("-")[0]
    return name.lower().replace("_", "-").replace(".", "-")


@contextmanager
def serve() -> Iterator[Index]:
    index = Index()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            index.asked.append(self.path)
            kind, _, name = self.path.strip("/").partition("/")
            data = index.page(name) if kind == "simple" else index.files.get(name)
            self.send_response(200 if data is not None else 404)
            self.send_header("Content-Type", JSON if kind == "simple" else "application/zip")
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data or b"")

        do_HEAD = do_GET  # noqa: N815 - the server's name for it

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    index.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield index
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def wheel(
    name: str, version: str, files: Mapping[str, str], requires: tuple[str, ...] = (),
    entry_points: str = "",
) -> tuple[str, bytes]:  # fmt: skip
    """A pure wheel's file name and bytes."""
    info = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {r}" for r in requires]
    whole = {
        **files,
        f"{info}/METADATA": "\n".join(lines) + "\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **({f"{info}/entry_points.txt": entry_points} if entry_points else {}),
    }
    rows = []
    for path, text in whole.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        rows.append(f"{path},sha256={digest.decode()},{len(text.encode())}")
    whole[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    return f"{name}-{version}-py3-none-any.whl", zipped(whole)


def zipped(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), text)
    return buffer.getvalue()


def tarred(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, text in files.items():
            item = tarfile.TarInfo(path)
            item.size = len(text.encode())
            archive.addfile(item, io.BytesIO(text.encode()))
    return buffer.getvalue()


BACKEND = """
import os, zipfile

def build_wheel(directory, config_settings=None, metadata_directory=None):
    name, info = "{name}-{version}-py3-none-any.whl", "{name}-{version}.dist-info/"
    about = "Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n"
    points = "[console_scripts]\\n{name} = {name}:main\\n[other.group]\\nx = {name}:main\\n"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as archive:
        archive.write("{name}.py")
        archive.writestr(info + "METADATA", about)
        archive.writestr(
            info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
        )
        archive.writestr(info + "entry_points.txt", points)
        archive.writestr(info + "RECORD", "")
    return name
"""


def sdist(name: str, version: str) -> tuple[str, bytes]:
    """A source distribution with a build backend of its own, which needs nothing."""
    top = f"{name}-{version}"
    return f"{top}.tar.gz", tarred(
        {
            f"{top}/pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\n'
            f'backend-path = ["."]\n[project]\nname = "{name}"\nversion = "{version}"\n',
            f"{top}/backend.py": BACKEND.format(name=name, version=version),
            f"{top}/{name}.py": "VALUE = 7\ndef main():\n    print('ran', VALUE)\n",
            f"{top}/PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        }
    )
