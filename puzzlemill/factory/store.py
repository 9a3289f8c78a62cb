"""Where releases are published: a repository with commits, of which one is the head, and tags.

A store is a folder on this machine (`FolderStore`, below) or a data set on the Hub (factory/hub.py). Both keep one promise:
a commit is made whole or not at all, on the head that its maker has seen, and a tag is set once. What the release protocol
(factory/release.py) needs of a store is in `Store`, and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from puzzlemill.core.errors import BadFile


class Moved(BadFile):
    """The head is another one than that on which a commit was to be made: somebody else published in between."""


class TagTaken(BadFile):
    """The tag stands already, on another commit."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest commit. files: every path in it with its SHA-256, or "" where the store does not know it before it is read."""

    commit: str
    files: Mapping[str, str]


class Store(Protocol):
    """A repository. Paths are relative, with "/". Every method raises BadFile, with one line that says what to do, where the
    store cannot be reached or refuses; none of them ever tells a token.
    """

    @property
    def name(self) -> str:
        """What users call it: a path, or org/name."""
        ...

    def create(self, *, private: bool) -> None:
        """Make the repository unless it is there. private: who may read it, where the store knows of that."""
        ...

    def head(self) -> Head | None:
        """The newest commit; None if there is no repository or nothing was committed yet."""
        ...

    def tags(self) -> Mapping[str, str]:
        """Tag -> commit."""
        ...

    def fetch(self, path: str, commit: str, into: Path) -> None:
        """Write one file of a commit to the local path `into`, whole or not at all."""
        ...

    def commit(self, add: Mapping[str, Path], delete: Sequence[str], parent: str | None, message: str) -> str:
        """One commit that adds or replaces files and deletes others; returns its name.

        parent: the head that it is made on, None for the first. Raises Moved if the head is another one.
        """
        ...

    def hashes(self, commit: str, paths: Sequence[str]) -> Mapping[str, str]:
        """SHA-256 of these files as the store holds them; a path that is not there is left out."""
        ...

    def tag(self, name: str, commit: str, message: str) -> None:
        """Set a tag; nothing happens if it stands on this commit. Raises TagTaken if it stands on another."""
        ...
