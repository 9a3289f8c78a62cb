"""Results on standard output."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from puzzlemill.core.errors import BadParams

Found = TypeVar("Found")


def text_of(found: Found, as_json: bool, to_json: Callable[[Found], Any], to_text: Callable[[Found], str]) -> str:
    """The result as one JSON object or in words."""
    return json.dumps(to_json(found), indent=2) if as_json else to_text(found)


def line(text: str) -> None:
    """Print a line at once, for whoever watches."""
    print(text, flush=True)


def tokens(used: Mapping[str, int]) -> str:
    """The end of a sentence: the tokens that models used, if any."""
    listed = ", ".join(f"{name} {count}" for name, count in sorted(used.items()))
    return f"; tokens: {listed}" if listed else ""


def in_order(release: Path, replies: Sequence[Path], command: str) -> None:
    """Raise BadParams where the release stands behind the replies."""
    if release.is_file() and (folders := [path for path in replies if path.is_dir()]):
        raise BadParams(f"{release}: the release comes first: puzzlemill {command} {folders[0]} {release}")
