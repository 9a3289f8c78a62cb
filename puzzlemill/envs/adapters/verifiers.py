"""verifiers (v1): an installable package with a taskset, an environment of one or several turns, and a plain chat harness."""

from __future__ import annotations

import re
from pathlib import Path

from puzzlemill.envs import turns
from puzzlemill.envs.adapters.jsonl import write_jsonl
from puzzlemill.envs.columns import COLUMNS_READ, marked
from puzzlemill.envs.export import copy_source, rows, write_scorer, write_text
from puzzlemill.factory.read import Release

_PYPROJECT = """\
[project]
name = "{name}"
version = "0.0.0"
description = "Puzzles with proved answers: the tasks of one release"
requires-python = ">=3.11"
dependencies = ["verifiers>=0.4"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build]
ignore-vcs = true

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""
_README = """\
# {name}

A taskset of verifiers (v1), with its scorer.

```sh
pip install .
vf-eval {name} --model NAME --client.base-url http://127.0.0.1:8000/v1 --no-push -n 10
```

Add `--env.taskset.splits '["test"]'` or `--env.taskset.families '["sudoku"]'` to choose tasks, and `--env.turns 3` to let the
model reply again after it was told what is wrong with its reply. Tasks that are dialogues are played to their end, whatever that
number is; an episode that was lost earns 0.
"""


def export(release: Release, out: Path) -> None:
    """A package puzzlemill-<release> with the rows, the code that travels with them, and the scorer."""
    slug = re.sub(r"[^a-z0-9]+", "-", str(release.manifest.get("release")).lower()).strip("-") or "release"
    name = f"puzzlemill-{slug}"
    home = out / name.replace("-", "_")
    write_text(out / "pyproject.toml", _PYPROJECT.format(name=name, package=home.name))
    write_text(out / "README.md", _README.format(name=name))
    copy_source("verifiers_taskset.py", home / "__init__.py")
    write_text(home / "turns.py", Path(turns.__file__).read_text(encoding="utf-8"))
    write_jsonl(home / "tasks.jsonl", ({**marked(row), "prompt": row["prompt"]} for row in rows(release, COLUMNS_READ)))
    write_scorer(release, home)
