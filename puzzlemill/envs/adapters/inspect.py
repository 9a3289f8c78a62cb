"""Inspect: a task file with a scorer, and the rows as lines of JSON."""

from __future__ import annotations

from pathlib import Path

from puzzlemill.envs.adapters.jsonl import write_jsonl
from puzzlemill.envs.columns import COLUMNS_READ, marked
from puzzlemill.envs.export import copy_source, rows, write_scorer, write_text
from puzzlemill.factory.read import Release

TASK = "puzzlemill_task.py"
_README = f"""\
# A task of Inspect

```sh
inspect eval {TASK} --model PROVIDER/NAME -T split=test --limit 10
inspect view
```

`-T split=NAME` and `-T family=NAME` choose rows. A reply is correct if its answer keeps every rule and clue of the puzzle.
Accuracy is also given by family, variant and status; each score tells why a reply was not correct. The folder can be moved.
"""


def export(release: Release, out: Path) -> None:
    """The task, its rows and its scorer."""
    made = ({"prompt": row["prompt"], "gold_reply": row["gold_reply"], **marked(row)} for row in rows(release, COLUMNS_READ))
    write_jsonl(out / "rows.jsonl", made)
    copy_source("inspect_puzzles.py", out / TASK)
    write_text(out / "README.md", _README)
    write_scorer(release, out)
