"""lm-evaluation-harness: a group `puzzlemill` with one task per family, generated replies, scores by the row's own rules."""

from __future__ import annotations

from json import dumps
from pathlib import Path

from puzzlemill.envs.columns import COLUMNS_READ, MARKED, marked
from puzzlemill.envs.export import copy_source, data_files, families_of, rows, write_scorer
from puzzlemill.factory.read import Release
from puzzlemill.factory.record import SCHEMA_VERSION
from puzzlemill.factory.writer import write_parquet
from puzzlemill.generators import family_named

EVALUATED = ("test", "validation")  # the split that is asked, if there is one of these; else the family's first


def export(release: Release, out: Path) -> None:
    """A YAML file per family and one for the group, the rows that are asked as Parquet, the code, the scorer."""
    label = dumps(str(release.manifest.get("release")))
    for family in families_of(release):
        splits = [data.split for data in data_files(release) if data.family == family]
        split = next(name for name in (*EVALUATED, *splits) if name in splits)
        path = f"data/{family}-{split}.parquet"
        columns = {"prompt": "string", "gold_reply": "string", **MARKED}
        asked = rows(release, COLUMNS_READ, split=split, family=family)
        write_parquet(
            out / path, columns, ({"prompt": row["prompt"], "gold_reply": row["gold_reply"], **marked(row)} for row in asked)
        )
        task = {"family": family, "split": split, "path": path, "version": family_named(family).version, "release": label}
        copy_source("lm_eval_task.yaml", out / f"puzzlemill_{family}.yaml", **task)
    tasks = [f"puzzlemill_{family}" for family in families_of(release)]
    listed = "\n".join(f"  - {task}" for task in tasks)
    copy_source("lm_eval_group.yaml", out / "puzzlemill.yaml", tasks=listed, version=SCHEMA_VERSION, release=label)
    copy_source("lm_eval_common.yaml", out / "_puzzlemill_yaml")
    copy_source("lm_eval.md", out / "README.md", tasks=", ".join(f"`{task}`" for task in tasks))
    copy_source("lm_eval_puzzles.py", out / "lm_eval_puzzles.py")
    write_scorer(release, out)
