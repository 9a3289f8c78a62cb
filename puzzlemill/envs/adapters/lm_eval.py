"""lm-evaluation-harness: a group `puzzlemill` with one task per family, generated replies, scores by the row's own rules."""

from __future__ import annotations

from json import dumps
from pathlib import Path

from puzzlemill.envs.columns import COLUMNS_READ, MARKED, marked
from puzzlemill.envs.export import copy_source, data_files, families_of, rows, write_scorer, write_text
from puzzlemill.factory.read import Release
from puzzlemill.factory.record import SCHEMA_VERSION
from puzzlemill.factory.writer import write_parquet
from puzzlemill.generators import family_named

EVALUATED = ("test", "validation")  # the split that is asked, if there is one of these; else the family's first
_MEAN, _KNOWN = "mean", "!function lm_eval_puzzles.mean_of_known"
_METRICS = (
    ("acc", _MEAN, True),
    ("acc_solvable", _KNOWN, True),
    ("acc_unsolvable", _KNOWN, True),
    ("subtask", _MEAN, True),
    ("format_failure", _MEAN, False),
)
_COMMON = """\
dataset_path: parquet
custom_dataset: !function lm_eval_puzzles.load
output_type: generate_until
num_fewshot: 0
doc_to_text: "{{prompt}}"
doc_to_target: "{{gold_reply}}"
target_delimiter: "\\n\\n"
process_results: !function lm_eval_puzzles.process_results
generation_kwargs:
  until: []
  do_sample: false
  max_gen_toks: 16384
metric_list:
""" + "".join(
    f"  - metric: {name}\n    aggregation: {how}\n    higher_is_better: {str(better).lower()}\n" for name, how, better in _METRICS
)
_TASK = """\
include: _puzzlemill_yaml
task: puzzlemill_{family}
task_alias: {family}
dataset_kwargs:
  data_files:
    {split}: {path}
test_split: {split}
metadata:
  version: {version}
  release: {release}
"""
_GROUP = """\
group: puzzlemill
task:
{tasks}
aggregate_metric_list:
  - metric: acc
    weight_by_size: true
  - metric: format_failure
    weight_by_size: true
metadata:
  version: {version}
  release: {release}
"""
_README = """\
# Tasks of lm-evaluation-harness

```sh
lm_eval run --include_path . --tasks puzzlemill --apply_chat_template \\
  --model local-chat-completions --model_args model=NAME,base_url=http://127.0.0.1:8000/v1/chat/completions
```

The group `puzzlemill` has these tasks: {tasks}. Figures: `acc`, `acc_solvable` and `acc_unsolvable` (where a puzzle
has no solution, only saying so is right), `subtask` (share of the open places that are right) and `format_failure` (no answer in
the form that is asked for). The code is in `lm_eval_puzzles.py` and `scorer.zip`; the folder can be moved.
"""


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
        task = _TASK.format(family=family, split=split, path=path, version=family_named(family).version, release=label)
        write_text(out / f"puzzlemill_{family}.yaml", task)
    tasks = [f"puzzlemill_{family}" for family in families_of(release)]
    listed = "\n".join(f"  - {task}" for task in tasks)
    write_text(out / "puzzlemill.yaml", _GROUP.format(tasks=listed, version=SCHEMA_VERSION, release=label))
    write_text(out / "_puzzlemill_yaml", _COMMON)
    write_text(out / "README.md", _README.format(tasks=", ".join(f"`{task}`" for task in tasks)))
    copy_source("lm_eval_puzzles.py", out / "lm_eval_puzzles.py")
    write_scorer(release, out)
