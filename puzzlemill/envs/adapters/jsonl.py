"""Lines of JSON, for tools that read nothing else without further packages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_jsonl(path: Path, made: Iterable[Mapping[str, Any]]) -> None:
    """Write one object per line, one in memory at a time."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for item in made:
            file.write(json.dumps(item, ensure_ascii=False, allow_nan=False) + "\n")
