"""Reading and forging releases, for the end-to-end tests."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.core.errors import BadInput
from puzzlemill.factory import example
from puzzlemill.factory import verify as verifying
from puzzlemill.factory.bundle import scorer_zip
from puzzlemill.factory.card import card
from puzzlemill.factory.read import batches, open_release
from puzzlemill.factory.reasoning import length
from puzzlemill.factory.recipe import Recipe, read_reasoning
from puzzlemill.factory.run import run
from puzzlemill.factory.verify_row import NONSENSE, Checked, Task, check_one
from puzzlemill.factory.writer import checksum, entry, manifest_text, memory_of, traces_of

Rows = list[dict[str, Any]]
Shared = Callable[[str, Callable[[Path], object]], Path]  # the fixture `shared` of tests/conftest.py
Spoil = Callable[[Rows], Rows]

TWINS: list[dict[str, Any]] = [
    {"family": "sudoku", "params": {"size": 9}, "counts": {"train": 3, "test": 2}},
    {
        "family": "binario",
        "params": {"rows": 8, "cols": 10},
        "variants": [{"name": "unsolvable", "transforms": ["clash"]}],
        "counts": {"train": 2, "test": 2},
    },
    {"family": "zebra", "params": {"positions": 4, "attributes": 4}, "counts": {"train": 3, "test": 2}},
    {"family": "hanoi", "params": {"pegs": 3, "disks": 3}, "counts": {"train": 1}},
]
TOWER = {"family": "hanoi", "params": {"pegs": 4, "disks": 5, "start": "random", "goal": "random"}, "counts": {"test": 1}}


def parquet(family: str, split: str) -> str:
    return f"data/{family}/{split}-00000-of-00001.parquet"


def release_of(plain: dict[str, Any]) -> Callable[[Path], object]:
    """What fills a folder with the release of a recipe, for `shared`."""
    return lambda folder: run(Recipe.from_plain(plain), folder)


def twins(shared: Shared) -> list[Path]:
    """Two releases of one recipe under different words: other puzzles of the same templates. The first has one tower more."""
    plain = {"name": "audited", "strata": TWINS}
    return [
        shared("twin_one", release_of({**plain, "seed": "mine", "strata": [*TWINS, TOWER]})),
        shared("twin_two", release_of({**plain, "seed": "other"})),
    ]


def rows_of(folder: Path, family: str, split: str) -> list[dict[str, Any]]:
    return [row for batch in batches(folder / parquet(family, split)) for row in batch]


def settle(folder: Path, *, everything: bool = True, counts: bool = True) -> None:
    """Make the manifest fit the files again, as a forger would; everything: also the scorer and the card, and what the manifest
    counts (not without `counts`)."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    if everything:
        files = {name: [row for batch in batches(folder / name) for row in batch] for name in open_release(folder).data_files()}
        every = [row for rows in files.values() for row in rows]
        if counts:
            _count(manifest, files, every)
        scorer_zip(every, folder / "scorer.zip")
        _show(folder, manifest, files)
    manifest["files"] = {name: {**old, **entry(folder / name)} for name, old in manifest["files"].items()}
    if everything and counts:
        for name in files:
            manifest["files"][name]["memory"] = memory_of(folder / name)
    if everything:
        (folder / "README.md").write_text(card(manifest), encoding="utf-8")
        manifest["files"]["README.md"] = entry(folder / "README.md")
    manifest["checksum"] = checksum(manifest)
    path.write_text(manifest_text(manifest), encoding="utf-8")


def _show(folder: Path, manifest: dict[str, Any], files: dict[str, Rows]) -> None:
    """Put a row of these into the card, where one can be shown."""
    cells = [(cell["family"], cell["split"]) for cell in manifest["content"] if cell["rows"]]
    with suppress(*NONSENSE, BadInput):
        shown = example.chosen(cells, lambda family, split: iter(files[parquet(family, split)]))
        if shown is not None:
            text = example.picture(shown)
            manifest["example"] = example.told(shown)
            (folder / example.PICTURE).write_text(text, encoding="utf-8")


def _count(manifest: dict[str, Any], files: dict[str, Rows], every: Rows) -> None:
    for cell in manifest["content"]:
        if (name := parquet(cell["family"], cell["split"])) in files:
            rows = list({row["id"]: row for row in files[name]}.values())
            cell["groups"], cell["rows"] = len({row["group_id"] for row in rows}), len(rows)
            cell["variants"] = dict(sorted(Counter(row["variant"] for row in rows).items()))
            cell["difficulty"] = dict(sorted(Counter(row["difficulty"]["band"] for row in rows).items()))
    if "traces" in manifest:
        how = read_reasoning(manifest["recipe"].get("reasoning", {}))
        traces: dict[str, Counter[tuple[int, bool]]] = {}
        for row in {row["id"]: row for row in every}.values():
            if row.get("play") is None and type(row.get("trace")) is list:
                traces.setdefault(row["family"], Counter())[length(row, how)] += 1
        manifest["traces"] = traces_of(list(traces.items()))


_CHECKED: dict[tuple[object, ...], Checked] = {}  # of the rows that were checked before in this process, in their places


def _checked_once(row: dict[str, Any], family: str, split: str, recipe: Recipe, task: Task, checked: Checked) -> None:
    """check_one(), whose outcome follows from what it is given."""
    known = (repr(row), family, split, task.path, task.engine, task.recipe, task.same_solver)
    if known not in _CHECKED:
        check_one(row, family, split, recipe, task, found := Checked())
        _CHECKED[known] = found
    found = _CHECKED[known]
    checked.problems += found.problems
    checked.facts += found.facts
    checked.proved += found.proved
    checked.undecided += found.undecided
    checked.smt += found.smt


@pytest.fixture(autouse=True)
def rows_are_checked_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """For the tests of a module that imports this: one row is altered of thirty, the others are those of the test before, and
    are not proved again in this process. A test that patches anything proves all."""
    with pytest.MonkeyPatch.context() as patch:
        if "monkeypatch" not in request.fixturenames:
            patch.setattr(verifying, "check_one", _checked_once)
        yield
