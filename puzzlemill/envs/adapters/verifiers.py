"""verifiers (v1): an installable package with a taskset, an environment of one or several turns, and a plain chat harness."""

from __future__ import annotations

import re
from pathlib import Path

from puzzlemill.envs import turns
from puzzlemill.envs.adapters.jsonl import write_jsonl
from puzzlemill.envs.columns import COLUMNS_READ, marked
from puzzlemill.envs.export import copy_source, rows, write_scorer, write_text
from puzzlemill.factory.read import Release


def export(release: Release, out: Path) -> None:
    """A package puzzlemill-<release> with the rows, the code that travels with them, and the scorer."""
    slug = re.sub(r"[^a-z0-9]+", "-", str(release.manifest.get("release")).lower()).strip("-") or "release"
    name = f"puzzlemill-{slug}"
    home = out / name.replace("-", "_")
    copy_source("verifiers_pyproject.toml", out / "pyproject.toml", name=name, package=home.name)
    copy_source("verifiers.md", out / "README.md", name=name)
    copy_source("verifiers_taskset.py", home / "__init__.py")
    write_text(home / "turns.py", Path(turns.__file__).read_text(encoding="utf-8"))
    write_jsonl(home / "tasks.jsonl", ({**marked(row), "prompt": row["prompt"]} for row in rows(release, COLUMNS_READ)))
    write_scorer(release, home)
