"""The package index, asked for files. Nothing that is downloaded is run.

The index is the user's own: what `PIP_INDEX_URL` or `UV_INDEX_URL` name, else the client's default.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from pypi_simple import (
    PYPI_SIMPLE_ENDPOINT,
    DigestMismatchError,
    DistributionPackage,
    NoSuchProjectError,
    PyPISimple,
    UnsupportedContentTypeError,
    UnsupportedRepoVersionError,
)
from requests import RequestException

from benchwright.formats import BuildError, SourceError, boundary

INDEX_VARIABLES = ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL")
FAILURES = (
    RequestException,
    DigestMismatchError,
    UnsupportedContentTypeError,
    UnsupportedRepoVersionError,
)
BUNDLE_VARIABLES = ("REQUESTS_CA_BUNDLE", "PIP_CERT", "SSL_CERT_FILE")


def files(project: str) -> list[DistributionPackage]:
    """Every file the index has of a project.

    Raises:
        SourceError: there is no such project.
        BuildError: the index can't be reached.
    """
    with _client() as client:
        try:
            return client.get_project_page(canonicalize_name(project)).packages
        except NoSuchProjectError:
            raise SourceError(
                f"{project}: the package index has no such project", hint="check the spelling"
            ) from None


def download(package: DistributionPackage, dest: Path) -> str:
    """Download one file to `dest`, check it against the index, and give its sha256.

    Raises:
        SourceError: the index gives no sha256, so that the file can't be pinned.
        BuildError: the download failed or doesn't have the bytes that the index promises.
    """
    digest = package.digests.get("sha256", "")
    if not digest:
        raise SourceError(f"{package.filename}: the package index gives no sha256 for it")
    with _client() as client, boundary(BuildError, f"{package.filename}: can't be kept"):
        client.download_package(package, dest, timeout=60)
    return digest


def parsed(version: str | None) -> Version | None:
    """A version, or None where it isn't one."""
    try:
        return Version(version or "")
    except InvalidVersion:
        return None


@contextmanager
def _client() -> Iterator[PyPISimple]:
    endpoint = next((os.environ[v] for v in INDEX_VARIABLES if os.environ.get(v)), None)
    bundle = next((os.environ[v] for v in BUNDLE_VARIABLES if os.environ.get(v)), None)
    with PyPISimple(endpoint or PYPI_SIMPLE_ENDPOINT) as client:
        if bundle:
            client.s.verify = bundle
        try:
            yield client
        except FAILURES as error:
            # The cause is named by its kind only: an index URL may hold a password.
            raise BuildError(
                f"the package index didn't answer as it should: {type(error).__name__}",
                hint="check the network, PIP_INDEX_URL and SSL_CERT_FILE",
            ) from None
