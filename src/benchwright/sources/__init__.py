"""Upstream projects, fetched and pinned. Fetching runs no code of the project."""

from .fetch import fetch
from .git import Repository, open_repository
from .index import download, files
from .spec import Fetched, Fetcher, Progress

__all__ = [
    "Fetched",
    "Fetcher",
    "Progress",
    "Repository",
    "download",
    "fetch",
    "files",
    "open_repository",
]
