"""`verify`: a sound release has no problems, and whatever is done to one is found and named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from releases import Rows, Spoil, parquet, rows_are_checked_once, rows_of, settle  # noqa: F401

from puzzlemill.cli import main
from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadFile
from puzzlemill.core.family import puzzle_type
from puzzlemill.factory import verify as verifying
from puzzlemill.factory import workers
from puzzlemill.factory.read import open_release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.record import content_id, group_id, trace
from puzzlemill.factory.run import run
from puzzlemill.factory.verify import Report, verify
from puzzlemill.factory.writer import write_rows
from puzzlemill.generators import family_named
from puzzlemill.scoring.prompt import gold_reply, prompt, reply_schema
from puzzlemill.solvers import smt
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.engines import ENGINES
from puzzlemill.vocabulary.wordings import FIRST, LAST

Forge = Callable[[str, str, Spoil], Path]


def told(folder: Path, engine: str | None = "kernel", **options: Any) -> list[str]:
    """What verify finds; with the quickest engine, where another is not what is asked for."""
    lines: list[str] = []
    report = verify(folder, lines.append, engine=engine, **options)
    assert report.problems == len(lines)
    return lines


def with_id(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The row with other columns and an id that fits them again, without Z3's figures: the id may be of the sample no longer."""
    changed = {**row, **changes, "effort": row["effort"] | {"smt_decisions": None, "smt_conflicts": None}}
    return {**changed, "id": content_id(changed)}


# ---- a sound release --------------------------------------------------------------------------------------------------


def test_a_release_as_it_was_made_has_no_problems(small: Path) -> None:
    """verify complains of what run() writes."""
    lines: list[str] = []
    sample = sum(map(of_the_sample, all_rows(open_release(small))))
    assert verify(small, lines.append) == Report(rows=31, files=12, proved=31, undecided=0, problems=0, smt=sample)
    assert lines == []


def test_the_row_of_the_card_is_a_row_and_its_picture_that_of_it(copy: Path) -> None:
    """A card shows a puzzle that is none, or another board."""
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    shown = manifest["example"]
    row = next(row for row in rows_of(copy, "sudoku", "train") if row["id"] == shown["id"])
    assert (shown["prompt"], shown["split"], row["variant"]) == (row["prompt"], "train", "canonical")
    assert shown["prompt"] in (copy / "README.md").read_text()
    (copy / "example.svg").write_text("<svg/>")
    settle(copy, everything=False)
    assert told(copy) == ["manifest.json: example: example.svg is not the picture of its row"]
    manifest["example"] = {**shown, "prompt": "Solve this."}
    path.write_text(json.dumps(manifest))
    settle(copy, everything=False)
    problems = told(copy)
    assert "manifest.json: example: is not the row that the card is to show" in problems and len(problems) == 2  # and the card


@pytest.mark.parametrize(
    ("engine", "undecided"),
    [
        ("kernel", 0),
        ("sat", 3),
        pytest.param("smt", 3, marks=pytest.mark.slow),
        pytest.param("checker", None, marks=pytest.mark.slow),
    ],
)
def test_each_engine_alone(small: Path, engine: str, undecided: int | None) -> None:
    """An engine cannot prove the rows again, or what it cannot decide (moves, for SAT) is counted as passed."""
    lines: list[str] = []
    report = verify(small, lines.append, engine=engine)
    assert lines == []
    assert report.proved + report.undecided == report.rows == 31
    if undecided is not None:
        assert report.undecided == undecided


def of_the_sample(row: dict[str, Any]) -> bool:
    """Return whether Z3 decided the row when it was made."""
    return row["effort"]["smt_conflicts"] is not None


def test_the_rows_that_z3_decided_are_those_that_the_recipe_names(small: Path) -> None:
    """The card states a sample that nobody drew."""
    recipe = Recipe.from_plain(open_release(small).manifest["recipe"])
    clauses = [row for row in all_rows(open_release(small)) if row["family"] != "hanoi"]
    assert [of_the_sample(row) for row in clauses] == [recipe.asks_smt(row["id"]) for row in clauses]
    assert 0 < sum(map(of_the_sample, clauses)) < len(clauses)


def test_z3_s_part_is_checked(forge: Forge, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures can be taken from a row of the sample or put beside it, or verify does not ask Z3 at all."""
    nothing = {"smt_decisions": None, "smt_conflicts": None}
    (taken, given) = [
        next(row for row in rows_of(copy, "sudoku", "train") if of_the_sample(row) is sampled) for sampled in (True, False)
    ]
    changed = {taken["id"]: nothing, given["id"]: {"sat_decisions": 7, "smt_conflicts": 7}}
    folder = forge("sudoku", "train", lambda rows: [row | {"effort": row["effort"] | changed.get(row["id"], {})} for row in rows])
    null = f"{taken['id']}: effort: smt_decisions, smt_conflicts null, but the row is of the 40 % that have figures"
    extra = f"{given['id']}: effort: sat_decisions, smt_conflicts given, but the row is not of the 40 % that have figures"
    assert sorted(told(folder, engine=None)) == sorted([null, extra])
    assert told(folder) == [extra]  # the engine that was named is asked, and no other
    monkeypatch.setattr(smt, "effort", lambda *_: (2, {}))
    assert f"{taken['id']}: answer: engines disagree: model:smt says 2 answers, proved says 1 answers" in told(
        folder, engine=None
    )


@pytest.mark.slow
def test_two_workers_tell_the_same(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    """What verify finds, or its order, depends on the number of processes."""
    monkeypatch.setattr(workers, "FEW", 1)
    monkeypatch.setattr(verifying, "PART", 2)
    folder = forge("zebra", "train", lambda rows: [rows[0] | {"prompt": "Hello."}, *rows[1:], rows[-1]])
    assert told(folder, workers=2) == told(folder, workers=1) != []


def test_the_command_prints_problems_and_a_summary(forge: Forge, small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code or the last line no longer say whether all is well."""
    assert main(["verify", str(small), "--workers", "1", "--engine", "kernel"]) == 0
    assert capsys.readouterr().out == "0 problems: 12 files, 31 rows, 31 proved again, 0 not decided\n"
    folder = forge("hanoi", "test", lambda rows: [with_id(rows[0], optimum=rows[0]["optimum"] + 1)])
    assert main(["verify", str(folder), "--workers", "1"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1].startswith(f"{len(out) - 1} problems: 12 files, 31 rows, 30 proved again")
    assert all(line.startswith("hanoi-") for line in out[:-1])


# ---- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["README.md", "scorer.zip", parquet("sudoku", "train"), "manifest.json"])
@pytest.mark.parametrize("place", [0.5, *[pytest.param(place, marks=pytest.mark.slow) for place in (0.02, 0.97)]])
def test_one_altered_byte(copy: Path, name: str, place: float) -> None:
    """A byte of a release can be changed and nobody notices, or nobody is told where."""
    path = copy / name
    raw = bytearray(path.read_bytes())
    raw[int(place * len(raw))] ^= 1
    path.write_bytes(raw)
    lines: list[str] = []
    try:
        verify(copy, lines.append, engine="kernel")
    except BadFile as error:  # the file cannot be read any more
        lines.append(str(error))
    assert any(name in line for line in lines)


def test_missing_and_additional_files(copy: Path) -> None:
    """A file can vanish from a release or be slipped into it."""
    (copy / "scorer.zip").unlink()
    (copy / "data" / "sudoku" / "train-00001-of-00002.parquet").write_bytes(b"x")
    assert told(copy) == [
        "scorer.zip: missing, though the manifest lists it",
        "data/sudoku/train-00001-of-00002.parquet: is not in the manifest",
    ]


def test_a_file_that_vanished_with_its_rows(copy: Path) -> None:
    """The rows of a missing file are not missed."""
    (copy / parquet("zebra", "test")).unlink()
    lines = told(copy)
    assert f"{parquet('zebra', 'test')}: missing, though the manifest lists it" in lines
    assert f"{parquet('zebra', 'test')}: holds 0 groups, the recipe asks for 2" in lines


def test_a_file_exchanged_for_another_split_s(copy: Path) -> None:
    """Two splits can be exchanged, manifest and all."""
    train, test = copy / parquet("hanoi", "train"), copy / parquet("hanoi", "test")
    shutil.copy(train, copy / "aside")
    shutil.copy(test, train)
    (copy / "aside").replace(test)
    settle(copy)
    lines = told(copy)
    assert sum(": split: test, but it stands in data/hanoi/train" in line for line in lines) == 1
    assert sum(": split: train, but it stands in data/hanoi/test" in line for line in lines) == 2


def test_a_card_and_a_scorer_that_were_made_to_fit(copy: Path) -> None:
    """A card or scorer.zip with other content passes once the manifest is rewritten."""
    (copy / "README.md").write_text((copy / "README.md").read_text().replace("proved", "guessed"))
    raw = bytearray((copy / "scorer.zip").read_bytes())
    raw[-1] ^= 1
    (copy / "scorer.zip").write_bytes(raw)
    settle(copy, everything=False)
    assert [line.partition(":")[0] for line in told(copy)] == ["README.md", "scorer.zip"]


# ---- rows, with a manifest that fits ----------------------------------------------------------------------------------


def other_answer(rows: Rows) -> Rows:
    """The first row with the second solvable row's answer, gold reply and all."""
    first, second = [row for row in rows if row["answer"] is not None][:2]
    return [with_id(row, answer=second["answer"]) if row is first else row for row in rows]


@pytest.mark.parametrize("engine", [None, *[pytest.param(name, marks=pytest.mark.slow) for name in ENGINES]])
def test_a_swapped_answer(forge: Forge, small: Path, engine: str | None) -> None:
    """Another puzzle's answer passes when id and manifest are made to fit."""
    folder = forge("sudoku", "train", other_answer)
    changed = {row["id"] for row in rows_of(folder, "sudoku", "train")} - {row["id"] for row in rows_of(small, "sudoku", "train")}
    (name,) = changed
    lines = told(folder, engine=engine)
    assert any(line.startswith(f"{name}: ") and "answer" in line for line in lines)


SPOILED: dict[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "answer, id left": (
        "sudoku",
        lambda row: row | {"answer": row["answer"].replace("1", "2", 1)},
        "id: the content was altered",
    ),
    "prompt": ("zebra", lambda row: with_id(row, prompt=row["prompt"] + " "), "prompt: differs at character"),
    "gold reply": ("binario", lambda row: with_id(row, gold_reply=row["gold_reply"].replace("0", "1", 1)), "gold_reply: "),
    "status": ("sudoku", lambda row: with_id(row, status="any", proof=row["proof"] | {"status": "any"}), "status: is any"),
    "unsolvable": (
        "sudoku",
        lambda row: with_id(row, status="unsolvable", answer=None, proof=row["proof"] | {"status": "unsolvable"}),
        "status",
    ),
    "a given": ("sudoku", lambda row: with_id(row, puzzle=without_clue(row["puzzle"])), "status: is unique, but"),
    "optimum": ("hanoi", lambda row: with_id(row, optimum=row["optimum"] + 2), "optimum"),
    "split column": ("hanoi", lambda row: with_id(row, split="test"), "split: test, but it stands in"),
    "group": ("binario", lambda row: with_id(row, group_id=row["group_id"][:-1] + "x"), "group_id: does not go with"),
    "key": ("binario", lambda row: with_id(row, canonical_key="binario:1:" + "0" * 32), "canonical_key: is "),
    "format": ("zebra", lambda row: with_id(row, reply_format="xml"), "reply format 'xml'"),
    "family": ("zebra", lambda row: with_id(row, family="nonogram"), "family"),
    "version": ("hanoi", lambda row: with_id(row, family_version=9), "family_version: 9"),
    "release": ("hanoi", lambda row: row | {"release": "other"}, "release: is 'other'"),
    "license": ("hanoi", lambda row: row | {"license": "none"}, "license: is 'none'"),
    "canary": ("hanoi", lambda row: row | {"canary": "tweet"}, "canary: is 'tweet'"),
    "guess": ("sudoku", lambda row: row | {"guess_baseline": 0.9}, "guess_baseline: is 0.9"),
    "space": ("sudoku", lambda row: row | {"search_space_log10": 1.5}, "search_space_log10: is 1.5"),
    "difficulty": (
        "sudoku",
        lambda row: row | {"difficulty": row["difficulty"] | {"band": "hard", "score": 9.0}},
        "difficulty: is",
    ),
    "nodes": (
        "binario",
        lambda row: row | {"effort": row["effort"] | {"nodes": row["effort"]["nodes"] + 1}},
        "effort.nodes: ",
    ),
    "generated": (
        "hanoi",
        lambda row: row | {"effort": row["effort"] | {"generated": row["effort"]["generated"] + 1}},
        "effort.generated: ",
    ),
    "formulations": (
        "binario",
        lambda row: row | {"proof": row["proof"] | {"formulations": ["faith"]}},
        "proof.formulations: faith",
    ),
    "not JSON": ("zebra", lambda row: with_id(row, puzzle=row["puzzle"][:-1]), "puzzle: not JSON"),
    "a board that does not fit": (
        "hanoi",
        lambda row: with_id(row, puzzle=row["puzzle"].replace('"start":[0,', '"start":[', 1)),
        "answer: ",
    ),
    "huge": ("sudoku", lambda row: with_id(row, puzzle=row["puzzle"].replace('"size":6', '"size":1000000')), "sudoku.size"),
    "too many clues": ("sudoku", lambda row: with_id(row, puzzle=more_clues(row["puzzle"], 2_001)), "clues, at most"),
    "another question": (
        "hanoi",
        lambda row: with_id(row, puzzle=row["puzzle"].replace('"kind":"least"', '"kind":"whole"')),
        "question: hanoi is not asked for 'whole'",
    ),
    "clues that exclude the answer": ("sudoku", lambda row: with_id(row, puzzle=other_values(row["puzzle"])), "answer: breaks r"),
    "no number": ("hanoi", lambda row: row | {"optimum": None}, ""),
    "no id": ("hanoi", lambda row: row | {"id": None}, "id: null"),
}


def without_clue(puzzle: str) -> str:
    plain = json.loads(puzzle)
    plain["clues"] = plain["clues"][1:]
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def more_clues(puzzle: str, count: int) -> str:
    plain = json.loads(puzzle)
    plain["clues"] = [[f"x{i}", *plain["clues"][0][1:]] for i in range(count)]
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def other_values(puzzle: str) -> str:
    """All givens' values exchanged: a puzzle with an answer, which is another one."""
    plain = json.loads(puzzle)
    plain["clues"] = [[*clue[:-1], 5 - clue[-1]] for clue in plain["clues"]]
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


QUICK = (
    "clues that exclude the answer",
    "another question",
    "answer, id left",
    "prompt",
    "a given",
    "optimum",
    "not JSON",
    "no id",
)


def rounds(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The changes in rounds of one of each family, since the families' files are verified apart."""
    by_family: dict[str, list[str]] = {}
    for name in names:
        by_family.setdefault(SPOILED[name][0], []).append(name)
    return [tuple([name for name in some if name]) for some in zip_longest(*by_family.values())]


SELDOM = [pytest.param(some, marks=pytest.mark.slow) for some in rounds([name for name in SPOILED if name not in QUICK])]


@pytest.mark.parametrize("names", [*rounds(QUICK), *SELDOM], ids=", ".join)
def test_a_column_of_the_first_row(forge: Forge, copy: Path, names: tuple[str, ...]) -> None:
    """A column can say something untrue although hashes and ids fit."""
    wanted, folder = list[tuple[str, str]](), Path()
    for name in names:
        family, change, expected = SPOILED[name]
        rows = rows_of(copy, family, "train")
        changed = change(rows[0])
        wanted.append((changed["id"] or parquet(family, "train"), expected))
        folder = forge(family, "train", lambda rows, changed=changed: [changed, *rows[1:]])  # type: ignore[misc]
    lines = told(folder, None)
    for name, expected in wanted:
        assert any(line.startswith(f"{name}: ") and expected in line for line in lines), (expected, lines)


def spoken(row: dict[str, Any], phrasing: int, **question: Any) -> dict[str, Any]:
    """The row in another voice, or with another question, everything made to fit."""
    family = family_named(row["family"])
    puzzle = loads(puzzle_type(family), row["puzzle"])
    style, asked = replace(puzzle.style, phrasing=phrasing), replace(puzzle.question, **question)
    puzzle = replace(puzzle, style=style, question=asked)
    schema = json.dumps(reply_schema(puzzle), separators=(",", ":"), ensure_ascii=False)
    fitting = {"prompt": prompt(puzzle, row["reply_format"]), "reply_schema": schema, "group_id": group_id(row["split"], puzzle)}
    steps = trace(family, puzzle, grade(family, puzzle, loads(family.answer, row["answer"])).steps)
    return with_id(row, puzzle=dumps(puzzle), ask=asked.ask.value, trace=steps, **fitting)


@pytest.mark.parametrize(("phrasing", "of"), [(FIRST, "many"), (-LAST, "short"), (-1, "none"), (LAST + 1, "none")])
def test_a_voice_that_the_recipe_does_not_ask_for(forge: Forge, phrasing: int, of: str) -> None:
    """A release of one wording can hold rows in any other."""
    lines = told(forge("binario", "train", lambda rows: [spoken(rows[0], phrasing), *rows[1:]]))
    assert [line.partition(": ")[2] for line in lines] == [f"puzzle: its voice is of {of}, the recipe asks for plain"]


def test_voices_are_those_of_the_row_s_own_part(tmp_path: Path) -> None:
    """A family's parts have voices and requests of their own, and a row of one part passes for one of another."""
    part = {"family": "binario", "params": {"rows": 6, "cols": 6}, "reply_formats": ["json"], "counts": {"train": 1}}
    larger = {**part, "params": {"rows": 6, "cols": 8}, "asks": ["cell"], "voices": "many"}
    run(Recipe.from_plain({"name": "parts", "seed": "voices", "strata": [part, larger]}), tmp_path / "release")
    folder = tmp_path / "release"
    assert told(folder) == []
    plain, many = rows_of(folder, "binario", "train")
    cell = loads(puzzle_type(family_named("binario")), many["puzzle"]).question
    write_rows(folder / parquet("binario", "train"), [spoken(plain, FIRST, ask=cell.ask, about=cell.about), spoken(many, 7)])
    settle(folder)
    lines = told(folder)
    assert len([line for line in lines if line.endswith("its question asks for cell, the recipe for whole")]) == 1
    assert [line.partition("its voice ")[2] for line in lines if "its voice" in line] == [
        "is of many, the recipe asks for plain",
        "is of plain, the recipe asks for many",
    ]


def of_clash(row: dict[str, Any], labels: list[str]) -> dict[str, Any]:
    return row | {"proof": row["proof"] | {"unsat_core": labels}}


def other_format(row: dict[str, Any]) -> dict[str, Any]:
    """The row asked for in another format, everything made to fit."""
    puzzle = loads(puzzle_type(family_named(row["family"])), row["puzzle"])
    name = "tags" if row["reply_format"] == "boxed" else "boxed"
    return with_id(row, reply_format=name, prompt=prompt(puzzle, name), gold_reply=gold_reply(puzzle, None, name))


def other_symbols(row: dict[str, Any]) -> dict[str, Any]:
    """The row with two symbols that are the same, everything made to fit."""
    puzzle = loads(puzzle_type(family_named(row["family"])), row["puzzle"])
    puzzle = replace(puzzle, style=replace(puzzle.style, symbols=(puzzle.style.symbols[1], *puzzle.style.symbols[1:])))
    schema = json.dumps(reply_schema(puzzle), separators=(",", ":"), ensure_ascii=False)
    return with_id(row, puzzle=dumps(puzzle), prompt=prompt(puzzle, row["reply_format"]), reply_schema=schema)


def test_figures_of_another_solver_are_not_compared(forge: Forge) -> None:
    """Another version, or another machine, may take other ways to the same end; its release is sound."""

    def spoil(rows: Rows) -> Rows:
        return [row | {"effort": row["effort"] | ({"sat_conflicts": 10_000} if of_the_sample(row) else {})} for row in rows]

    folder = forge("sudoku", "train", spoil)
    lines = told(folder, engine=None)
    assert lines and all("effort.sat_conflicts: 10000, but" in line for line in lines)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["environment"]["python-sat"] = "0.1"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    settle(folder)
    assert told(folder, engine=None) == []


@pytest.mark.parametrize("name", ["groups", "rows", "variants", "difficulty"])
def test_what_a_manifest_states_of_its_rows(copy: Path, name: str) -> None:
    """The card can say more rows, other variants or harder puzzles than there are."""
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    cell = next(cell for cell in manifest["content"] if (cell["family"], cell["split"]) == ("binario", "train"))
    cell[name] = 99 if type(cell[name]) is int else {**cell[name], "easy" if name == "difficulty" else "canonical": 99}
    path.write_text(json.dumps(manifest))
    settle(copy, counts=False)
    (line,) = told(copy)
    assert line.startswith(f"manifest.json: content: {name} of binario/train: is ") and "should be" in line


@pytest.mark.parametrize("lie", [{"p95": 7}, {"too_long": 3}, None])
def test_what_a_manifest_states_of_its_traces(copy: Path, lie: dict[str, int] | None) -> None:
    """The card can promise shorter reasoning than there is, or none that is left out."""
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    traces = manifest["traces"]
    assert set(traces) == {cell["family"] for cell in manifest["content"]}
    traces["binario"] = traces["binario"] | lie if lie else None
    if lie is None:
        del traces["binario"]
    path.write_text(json.dumps(manifest))
    settle(copy, counts=False)
    (line,) = told(copy)
    assert line.startswith(f"manifest.json: traces: binario: is {'{' if lie else 'None'}") and "should be {'replies': " in line


def test_the_memory_that_a_manifest_states_of_a_file(copy: Path) -> None:
    """The card's num_bytes, by which people choose a machine."""
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    name, entry = next((name, entry) for name, entry in manifest["files"].items() if name.startswith("data/binario/"))
    entry["memory"] += 1
    path.write_text(json.dumps(manifest))
    settle(copy, counts=False)
    assert told(copy) == [f"manifest.json: files: memory of {name}: is {entry['memory']}, should be {entry['memory'] - 1}"]


def test_a_part_of_the_content_that_is_left_out_or_said_twice(copy: Path) -> None:
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["content"].append(manifest["content"].pop(0))
    cell = manifest["content"].pop()
    manifest["content"].append(manifest["content"][0])
    path.write_text(json.dumps(manifest))
    settle(copy, counts=False)
    lines = told(copy)
    assert "manifest.json: content: names a family and split twice" in lines
    assert f"manifest.json: content: rows of {cell['family']}/{cell['split']}: is 0, should be {cell['rows']}" in lines


SPOILED_CHILD: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "pairing": (lambda row: with_id(row, pairing="none", edit=None), "pairing: is none, but these transforms make it group"),
    "arguments": (
        lambda row: with_id(row, transforms=[row["transforms"][0] | {"args": '{"hard": 1}'}]),
        "clash has no argument",
    ),
    "clash with a stranger": (lambda row: of_clash(row, [*row["proof"]["unsat_core"], "row9"]), "'row9' is no clue or rule"),
    "clash with a spare": (
        lambda row: of_clash(row, list(dict.fromkeys([*row["proof"]["unsat_core"], *clue_ids(row["puzzle"])]))),
        "the others clash without",
    ),
    "clash told twice": (lambda row: of_clash(row, row["proof"]["unsat_core"] * 2), "one of them stands twice"),
    "clash without rules": (
        lambda row: of_clash(row, [label for label in row["proof"]["unsat_core"] if label in clue_ids(row["puzzle"])]),
        "they can be met together",
    ),
    "edit of one more clue": (
        lambda row: with_id(row, edit=json.dumps([*json.loads(row["edit"]), [["zz", "given", 0, 0], None]])),
        "a clash comes of up to 2 clues changed",
    ),
    "ids of clues": (
        lambda row: with_id(row, puzzle=row["puzzle"].replace('"clues":[["r', '"clues":[["#r', 1)),
        "ids of clues must be",
    ),
    "format": (other_format, "reply_format: "),
    "symbols": (other_symbols, "puzzle: its style differs from its parent's"),
}


def clue_ids(puzzle: str) -> list[str]:
    return [clue[0] for clue in json.loads(puzzle)["clues"]]


def test_columns_of_unsolvable_children(forge: Forge, copy: Path) -> None:
    """A child can say something untrue of how it was made or of what clashes in it, although hashes and ids fit."""
    left = list(SPOILED_CHILD.values())
    original = rows_of(copy, "sudoku", "train")
    children = [at for at, row in enumerate(original) if row["status"] == "unsolvable"]
    assert children
    while left:
        rows, wanted = list(original), list[tuple[str, str]]()
        for at in children[: len(left)]:
            change, expected = left.pop(0)
            rows[at] = change(rows[at])
            wanted.append((rows[at]["id"], expected))
        lines = told(forge("sudoku", "train", lambda _, rows=rows: rows), None)  # type: ignore[misc]
        for name, expected in wanted:
            assert any(line.startswith(f"{name}: ") and expected in line for line in lines), (expected, lines)


def test_a_solvable_row_in_place_of_an_unsolvable_one(forge: Forge) -> None:
    """A variant that promises no answer could hold the parent once more."""

    def spoil(rows: Rows) -> Rows:
        at = next(i for i, row in enumerate(rows) if row["status"] == "unsolvable")
        parent = next(row for row in rows if row["id"] == rows[at]["parent_id"])
        same = {name: rows[at][name] for name in ("parent_id", "pairing", "variant", "kinds", "transforms")}
        rows[at] = with_id(parent, **same)
        return rows

    assert any("status: is unique, but these transforms" in line for line in told(forge("sudoku", "train", spoil)))


def test_a_duplicated_row(forge: Forge) -> None:
    """A row can be repeated."""
    names = []

    def spoil(rows: Rows) -> Rows:
        names.append(rows[1]["id"])
        return [*rows, rows[1]]

    assert told(forge("binario", "train", spoil)) == [f"{names[0]}: id: another row has it too; one of them is a copy"]


def test_a_puzzle_given_twice_under_other_symbols(forge: Forge) -> None:
    """The same puzzle in another reply format, with ids that fit, counts as a new one."""
    lines = told(forge("binario", "train", lambda rows: [*rows, with_id(rows[0], reply_format="boxed")]))
    assert any("has 2 parents" in line for line in lines)


def test_a_row_moved_to_another_split(copy: Path) -> None:
    """A row can go from train to test."""
    train, test = rows_of(copy, "zebra", "train"), rows_of(copy, "zebra", "test")
    child = train[1]
    for moved in (child, with_id(child, split="test")):
        write_rows(copy / parquet("zebra", "train"), [train[0], *train[2:]])
        write_rows(copy / parquet("zebra", "test"), [*test, moved])
        settle(copy)
        lines = told(copy)
        assert any(line.startswith(f"{moved['id']}: split: ") for line in lines), lines


def test_a_row_taken_away(forge: Forge) -> None:
    """A child, a parent or a whole group can be taken away."""
    assert any("the recipe asks for" in line for line in told(forge("zebra", "train", lambda rows: rows[:-1])))
    assert any("has no parents" in line for line in told(forge("zebra", "train", lambda rows: rows[1:])))


def test_a_whole_group_taken_away(forge: Forge) -> None:
    """A group can be taken away."""
    assert told(forge("binario", "train", lambda rows: rows[1:])) == [
        f"{parquet('binario', 'train')}: holds 1 groups, the recipe asks for 2"
    ]


def test_an_edit_that_does_not_lead_back_to_the_parent(forge: Forge) -> None:
    """A child's edit can tell another story than its clues."""

    def spoil(rows: Rows) -> Rows:
        children = [i for i, row in enumerate(rows) if row["edit"] is not None]
        first, second = children[:2]
        rows[first] = with_id(rows[first], edit=rows[second]["edit"])
        return rows

    assert any(": edit: " in line for line in told(forge("sudoku", "train", spoil)))


def test_the_same_puzzle_in_two_groups(forge: Forge, small: Path) -> None:
    """A puzzle of train is put into test, as a group of its own with ids that fit."""
    from puzzlemill.core.codec import loads
    from puzzlemill.core.family import puzzle_type
    from puzzlemill.factory.record import group_id
    from puzzlemill.generators import family_named

    stolen = rows_of(small, "binario", "train")[0]
    puzzle = loads(puzzle_type(family_named("binario")), stolen["puzzle"])
    moved = with_id(stolen, split="test", group_id=group_id("test", puzzle))
    lines = told(forge("binario", "test", lambda rows: [moved, *rows[1:]]))
    assert len(lines) == 1
    assert "canonical_key: the same puzzle, up to symmetry, is in group" in lines[0]


def reordered(row: dict[str, Any], order: tuple[int, ...]) -> dict[str, Any]:
    """The row with its clues told in this order, everything made to fit."""
    family = family_named(row["family"])
    puzzle = loads(puzzle_type(family), row["puzzle"])
    puzzle = replace(puzzle, style=replace(puzzle.style, order=order))
    answer = loads(family.answer, row["answer"])
    steps = trace(family, puzzle, grade(family, puzzle, answer).steps)
    return with_id(row, puzzle=dumps(puzzle), prompt=prompt(puzzle, row["reply_format"]), trace=steps)


def test_a_transform_without_effect(forge: Forge) -> None:
    """A variant that promises another look can hold its parent as it was."""
    names = []

    def spoil(rows: Rows) -> Rows:
        at = next(i for i, row in enumerate(rows) if row["variant"] == "shuffled")
        rows[at] = reordered(rows[at], ())
        names.append(rows[at]["id"])
        return rows

    lines = told(forge("zebra", "train", spoil))
    assert lines == [f"{names[0]}: puzzle: its style is its parent's, though the transforms change it"]


def test_a_prompt_that_gives_its_status_away(forge: Forge) -> None:
    """Only the unsolvable rows of a part can say that there may be no answer."""
    names = []

    def spoil(rows: Rows) -> Rows:
        at = next(i for i, row in enumerate(rows) if row["variant"] == "canonical")
        row = rows[at]
        puzzle = loads(puzzle_type(family_named("zebra")), row["puzzle"])
        sure = replace(puzzle, question=replace(puzzle.question, may_be_unsolvable=False))
        schema = json.dumps(reply_schema(sure), separators=(",", ":"), ensure_ascii=False)
        answer = loads(family_named("zebra").answer, row["answer"])
        rows[at] = with_id(
            row,
            puzzle=dumps(sure),
            prompt=prompt(sure, row["reply_format"]),
            reply_schema=schema,
            gold_reply=gold_reply(sure, answer, row["reply_format"]),
        )
        names.append(rows[at]["id"])
        return rows

    lines = told(forge("zebra", "train", spoil))
    assert f"{names[0]}: puzzle: its prompt does not admit that there may be no answer" in lines


def test_a_clash_of_three_changes(forge: Forge) -> None:
    """A clash that should come of one change can come of many, as long as the edit tells them all."""
    names = []

    def spoil(rows: Rows) -> Rows:
        at = next(i for i, row in enumerate(rows) if row["status"] == "unsolvable")
        edit = json.loads(rows[at]["edit"])
        rows[at] = with_id(rows[at], edit=json.dumps(edit * 3))
        names.append(rows[at]["id"])
        return rows

    assert any(line.startswith(f"{names[0]}: edit: ") for line in told(forge("sudoku", "train", spoil)))


# ---- what cannot be verified ------------------------------------------------------------------------------------------


def test_a_file_that_is_no_parquet(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A corrupt file ends in a traceback, or hides the problems of the other files."""
    (copy / parquet("sudoku", "test")).write_bytes(b"PAR1" + b"\0" * 100 + b"PAR1")
    (copy / "README.md").unlink()
    assert main(["verify", str(copy), "--workers", "1", "--engine", "kernel"]) == 2
    out, err = capsys.readouterr()
    assert "README.md: missing" in out
    assert err.count("\n") == 1 and parquet("sudoku", "test") in err and "cannot be read as Parquet" in err


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        ("{", "not a manifest"),
        ("[]", "not a manifest"),
        ('{"files": {}, "content": []}', "its recipe cannot be read"),
        ('{"files": {"../../etc/passwd": {"bytes": 1, "sha256": "", "rows": null}}, "recipe": {}}', "leads out of the release"),
        ('{"files": {"a": {"bytes": "1", "sha256": ""}}, "recipe": {}}', "needs bytes"),
        ('{"files": {"\\u001b[2J": {"bytes": 1, "sha256": "", "rows": null}}, "recipe": {}}', "is no name"),
        ('{"files": {"\\udcff": {"bytes": 1, "sha256": "", "rows": null}}, "recipe": {}}', "holds half of a surrogate pair"),
        ('{"files": {"%s": {"bytes": 1, "sha256": "", "rows": null}}, "recipe": {}}' % ("a" * 5000), "is no name"),
        ("[" * 100_000, "not a manifest"),
    ],
)
def test_a_manifest_that_is_none(copy: Path, manifest: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken manifest ends in a traceback, or leads verify out of the folder."""
    (copy / "manifest.json").write_text(manifest)
    assert main(["verify", str(copy)]) == 2
    assert expected in capsys.readouterr().err
