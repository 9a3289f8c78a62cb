"""The store that a `repo=` names, secrets, and other settings of commands that publish."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.publish.secret import read_secret
from puzzlemill.publish.store import FolderStore, Store

_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+\Z")


def store_of(repo: str, gated: str | None = None) -> Store:
    """A folder if it begins with /, ./, ../ or ~ (or is . or ..), else org/name on the Hub. Raises BadParams for anything else.

    The Hub's address and token are the client's own affair: HF_ENDPOINT, HF_TOKEN, `hf auth login`, or trusted publishing in CI.
    """
    if repo in (".", "..") or repo.startswith(("/", "./", "../", "~")) or Path(repo).is_absolute():
        try:
            return FolderStore(Path(repo).expanduser())
        except RuntimeError:
            raise BadParams(f"repo: {repo}: there is no such home folder; write the whole path") from None
    if not _HUB.match(repo):
        raise BadParams(
            f"repo: expected org/name for the Hub, or a folder that begins with ./ or /, got {repo!r}"
            if repo
            else "repo: missing; name a folder, as in repo=./published, or a data set on the Hub, as in repo=org/name"
        )
    if Path(repo).is_dir():
        raise BadParams(f"repo: {repo} is a folder here and could be a data set on the Hub; write ./{repo} for the folder")
    from puzzlemill.publish.hub import HubStore  # it loads the Hub's client

    # no token: the client finds it, and a token named here would go before trusted publishing
    return HubStore(repo, gated=gated, bars=sys.stderr.isatty())


def is_folder(store: Store) -> bool:
    return isinstance(store, FolderStore)


def secret_in(file: str) -> bytes | None:
    """The secret in a file; None if none is named."""
    return read_secret(Path(file).expanduser()) if file else None


def secrets_in(folder: str) -> list[bytes]:
    """Every secret in a folder of secret files. Raises BadFile if one of its files is none."""
    if not folder:
        return []
    path = Path(folder).expanduser()
    try:
        files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    except OSError as error:
        raise BadFile(f"secrets: {path}: {error.strerror}; name a folder of files that `puzzlemill secret` made") from None
    return [read_secret(file) for file in files]


def split_settings(settings: Sequence[str], texts: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Settings that are taken as they stand (paths may hold any sign), and the others. Raises BadParams for one given twice."""
    taken: dict[str, str] = {}
    others = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if equals and name in texts:
            if name in taken:
                raise BadParams(f"{name}: is given twice; leave one out")
            taken[name] = value
        else:
            others.append(setting)
    return taken, others


def flag(value: object, name: str) -> bool:
    if str(value).lower() not in ("true", "false"):
        raise BadParams(f"{name}: expected true or false, got {value!r}")
    return str(value).lower() == "true"


def number(texts: Mapping[str, str], name: str, usual: int) -> int:
    value = texts.get(name, str(usual))
    if not re.fullmatch(r"[0-9]{1,6}", value):
        raise BadParams(f"{name}: expected a number, got {value!r}")
    return int(value)
