"""Upstream projects, fetched and pinned. Fetching runs no code of the project."""

from .fetch import fetch
from .index import download, files
from .spec import Fetched, Fetcher, Progress

__all__ = ["Fetched", "Fetcher", "Progress", "download", "fetch", "files"]
