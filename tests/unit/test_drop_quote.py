"""Drop quotes: fillings counted by hand and by brute force, words at apostrophes, replies as text, sources, deductions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import Finding
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Rule, Spec
from puzzlemill.factory.lazy import Truth, as_listed
from puzzlemill.factory.make import make
from puzzlemill.generators import _drop_quote
from puzzlemill.generators.drop_quote import FAMILY, Params
from puzzlemill.rules import drops
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import score
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.vocabulary import lexicon
from puzzlemill.vocabulary.wordings import wordings

ENGINES = Engines(FAMILY)
MONEY = "drop_quote\n____/__\n/_____.\n1: T\n2: I M\n3: M O\n4: E N\n5: E\n6: I Y\n7: S"  # LR2Bench, appendix B.6


def puzzle_of(text: str) -> Any:
    return FAMILY.text.parse(lines_of(text))


def fillings(puzzle: Any, engine: str, limit: int = 500) -> list[tuple[str, ...]]:
    found = ENGINES.finding(puzzle, engine, limit)
    assert isinstance(found, Finding) and found.exhausted
    return sorted([FAMILY.form.assemble(puzzle.spec, puzzle.board, values) for values in found.answers])


def drawn(index: int, *rules: Rule, **params: Any) -> Any:
    """A draft with the cells filled in that it needs."""
    spec, rng = Spec(replace(Params(), **params), rules), stream("tests", "drop_quote", index, *[rule.name for rule in rules])
    hidden = FAMILY.sample_solution(spec, rng.child("text"), ENGINES)
    draft = FAMILY.make_puzzle(spec, hidden, rng.child("pose"))
    kept = ENGINES.minimize(draft.puzzle, FAMILY.clues.removal_order(draft, rng.child("order")), FAMILY.clues.kept(spec))
    return replace(draft, puzzle=draft.puzzle.with_clues([draft.puzzle.clues[at] for at in kept]))


# ---- what it means ------------------------------------------------------------------------------------------------------


def test_the_published_example_has_its_answer_and_no_other() -> None:
    """A word ends at the end of a row, or a column may be used twice."""
    for engine in ("kernel", "sat"):
        assert fillings(puzzle_of(MONEY), engine) == [("TIME#IS", "#MONEY.")]


def by_hand(puzzle: Any) -> list[tuple[str, ...]]:
    """Every way to put listed words into the runs that keeps columns, givens and vowels: written apart from all else."""
    rows, cols = puzzle.board.rows, len(puzzle.board.rows[0])
    lengths = [len(part) for part in "".join([sign if sign == "_" else " " for sign in "".join(rows)]).split()]
    found = []
    for words in product(*[[word for word in puzzle.board.listed if len(word) == length] for length in lengths]):
        letters = iter("".join(words))
        full = "".join([next(letters) if sign == "_" else sign for sign in "".join(rows)])
        grid = tuple([full[at : at + cols] for at in range(0, len(full), cols)])
        right = True
        cells = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "_"]
        for clue in puzzle.clues:
            if clue.kind == "column":
                column, text = clue.args
                right &= sorted([grid[r][c] for r, c in cells if c == column]) == sorted(text)
            else:
                r, c = cells[clue.args[0]]
                right &= grid[r][c] == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[clue.args[1]]
        if puzzle.spec.rules:
            right &= [sum([sign in "AEIOU" for sign in row]) for row in grid] == list(puzzle.board.vowels)
        if right:
            found.append(grid)
    return sorted(found)


@pytest.mark.parametrize("index", range(8))
def test_all_fillings_with_a_few_words_are_found(index: int) -> None:
    """Brute force over a small lexicon: an engine misses a filling, or takes one that breaks a rule."""
    rng = stream("tests", "small lexicon", index)
    lengths, cols, rows = [rng.between(1, 4) for _ in range(5)], 6, []
    words = sorted(
        {rng.pick(drops.fitting("known", (), drops.PLAIN, length)) for length in (1, 2, 2, 3, 3, 3, 4, 4) for _ in "12"}
    )
    text = "#".join([rng.pick([word for word in words if len(word) == length] or words) for length in lengths])
    full = text + "#" * (-len(text) % cols)
    rows = [full[at : at + cols] for at in range(0, len(full), cols)]
    shown = drops.hollow(rows)
    vowels = index % 2
    board = _drop_quote.Board(shown, (), tuple([sum(map(row.count, "AEIOU")) for row in rows]) if vowels else (), tuple(words))
    every = _drop_quote.true_clues(tuple(rows), board)
    params = Params(len(rows), cols, 0, drops.LISTED)
    for some in range(4):
        clues = [clue for clue in every if rng.child(some).child(clue.id).chance(*((1, 9) if clue.kind == "given" else (2, 3)))]
        puzzle = FAMILY.puzzle(Spec(params, (Rule("vowels"),) if vowels else ()), clues, board)
        expected = by_hand(puzzle)
        assert tuple(rows) in expected
        if len(expected) < 500:
            assert fillings(puzzle, "kernel") == expected
            assert fillings(puzzle, "sat") == expected
        assert all(FAMILY.broken_rules(puzzle, grid) == [] for grid in expected[:50])


@pytest.mark.parametrize(("band", "index"), [("common", 0), ("known", 1), ("rare", 2), ("known", 3)])
def test_two_searches_agree_where_cells_are_left_open(band: str, index: int) -> None:
    """The automaton of a band has other words than the kernel's list, seen where several fillings are left."""
    draft = drawn(index, rows=3, cols=24, lexicon=band)
    columns = [clue for clue in draft.puzzle.clues if clue.kind == "column"]
    for out in (0, 1):
        puzzle = draft.puzzle.with_clues(columns[out:])
        kernel, sat = fillings(puzzle, "kernel"), fillings(puzzle, "sat")
        assert kernel == sat and draft.answer in kernel
        assert all(FAMILY.broken_rules(puzzle, grid) == [] for grid in kernel)


def test_what_stands_at_an_apostrophe() -> None:
    """IT'S is refused, or any letter may follow the sign."""
    text = "drop_quote\n__'_/_/___'_\n1: I\n2: T\n4: S\n6: A\n8: D\n9: O\n10: N\n12: T"
    puzzle = puzzle_of(text)
    for engine in ("kernel", "sat"):
        assert fillings(puzzle, engine) == [("IT'S#A#DON'T",)]
    assert FAMILY.broken_rules(puzzle, ("IT'S#A#DON'T",)) == []
    assert fillings(puzzle_of(text.replace("12: T", "12: X")), "sat") == []
    assert "before" in FAMILY.render(puzzle).lower() and "DIDN'T" in FAMILY.render(puzzle)


def test_cells_are_filled_in_until_one_filling_is_left_and_each_is_needed() -> None:
    """A given too many, or a second answer."""
    givens = 0
    for index in range(6):
        draft = drawn(index, rows=5, cols=20)
        mine = [clue for clue in draft.puzzle.clues if clue.kind == "given"]
        assert ENGINES.count(draft.puzzle) == 1
        for clue in mine:
            assert ENGINES.count(draft.puzzle.with_clues([each for each in draft.puzzle.clues if each != clue])) == 2
        givens += len(mine)
    assert givens
    kept = drawn(0, rows=3, cols=22, givens=6)
    assert sum([clue.kind == "given" for clue in kept.puzzle.clues]) >= 6


def test_the_rule_is_needed() -> None:
    """Counts of vowels that change nothing are shown."""
    draft = drawn(0, Rule("vowels"), rows=3, cols=22)
    assert ENGINES.count(draft.puzzle) == 1 and ENGINES.needs(draft.puzzle, "vowels")


# ---- rows, replies ------------------------------------------------------------------------------------------------------


def test_the_scorer_needs_no_lexicon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that asks for the lexicon cannot be scored from scorer.zip."""
    row = make("drop_quote", index=3)
    puzzle, answer = loads(puzzle_type(FAMILY), row["puzzle"], "puzzle"), loads(FAMILY.answer, row["answer"], "answer")
    assert puzzle.board.words == tuple(sorted(set(drops.words(answer, puzzle.board.rows))))
    assert not any(word in row["prompt"] for word in puzzle.board.words if len(word) > 3)

    def missing(*_: Any) -> Any:
        raise AssertionError("the lexicon was asked")

    monkeypatch.setattr(lexicon, "word", missing)
    monkeypatch.setattr(lexicon, "words", missing)
    assert score(row["gold_reply"], row).solved
    other = tuple(["".join([sign if sign in "#.,;:!?'\"()-" else "E" for sign in line]) for line in answer])
    assert not score(gold_reply(puzzle, other, row["reply_format"]), row).solved


@pytest.mark.parametrize("reply_format", FORMATS)
def test_the_text_of_the_quotation_is_an_answer(reply_format: str) -> None:
    """Whoever writes the quotation as a text is not understood, or a text of another length is."""
    row = make("drop_quote", index=1, reply_format=reply_format)
    answer = loads(FAMILY.answer, row["answer"], "answer")
    said = "".join(answer).replace("#", " ").strip().capitalize()

    def reply(text: str) -> str:
        return {
            "json": f'{{"answer": {dumps(text)}}}',
            "tags": f"I think so.\n<answer>\n{text}\n</answer>",
            "boxed": f"\\boxed{{{text}}}",
            "table": f"| {text} |",
        }[reply_format]

    assert score(reply(said), row).solved
    assert score(reply(said.replace(",", "").replace(".", "")), row).solved
    assert not score(reply(said + " Yes"), row).solved
    assert not score(reply(said[::-1]), row).solved
    lines = [line.replace("#", " ") for line in answer]
    if reply_format in ("tags", "json"):
        text = "\n".join(lines) if reply_format == "tags" else ""
        assert score(reply(text) if text else '{"answer": ' + dumps(lines) + "}", row).solved


@pytest.mark.parametrize("reply_format", FORMATS)
def test_a_letter_too_many_is_not_overlooked(reply_format: str) -> None:
    """A letter in a cell of a blank or of a punctuation mark is skipped, and a wrong text is a right one."""
    for index in range(3):
        row = make("drop_quote", index=index, reply_format=reply_format)
        reply = row["gold_reply"]
        assert score(reply, row).solved
        inside = [at for at in range(1, len(reply)) if not score(reply[:at] + "A" + reply[at:], row).solved]
        assert inside == list(range(1, len(reply)))


def test_what_is_shown_and_what_is_everywhere_earns_nothing() -> None:
    """Partial credit for givens, for the blanks, or for every letter of the alphabet in each cell."""
    row = make("drop_quote", index=0, givens=8)
    puzzle = loads(puzzle_type(FAMILY), row["puzzle"], "puzzle")
    shown = FAMILY.form.assemble(puzzle.spec, puzzle.board, tuple(FAMILY.clues.in_sight(puzzle)))
    empty = len(shown[0]) - sum(clue.kind == "column" for clue in puzzle.clues)  # columns without letters
    assert len(FAMILY.clues.given_slots(puzzle)) == 8 + empty
    verdict = score('{"answer": ' + dumps([list(line) for line in shown]) + "}", row)
    assert (verdict.subtask, verdict.credit, verdict.solved) == (0.0, 0.0, False)
    everything = [["ABCDEFGHIJKLMNOPQRSTUVWXYZ" for _ in line] for line in shown]
    assert not score('{"answer": ' + dumps(everything) + "}", row).solved
    for letter in "ETA":
        constant = [[letter for _ in line] for line in shown]
        assert score('{"answer": ' + dumps(constant) + "}", row).credit == 0.0


def test_letters_as_they_are_listed_are_no_answer() -> None:
    """The lists stand in the order of the rows."""
    right = 0.0
    for index in range(30):
        draft = drawn(index, rows=3, cols=22)
        right += as_listed(FAMILY, draft.puzzle, Truth(draft.answer))
        for clue in draft.puzzle.clues:
            assert clue.kind == "given" or list(clue.args[1]) == sorted(clue.args[1])
    assert right == 0


# ---- sources, words -----------------------------------------------------------------------------------------------------


def test_the_counts_of_words_that_prompts_tell_are_those_of_the_lexicon() -> None:
    """The lexicon grows and prompts tell of another one; they round its size to thousands."""
    said = wordings("drop_quote")
    for band in lexicon.BANDS:
        count = f"{round(len(lexicon.words(band)), -3):,}"
        for wording in (said.canonical[f"lexicon_{band}"], *said.say[f"lexicon_{band}"], *said.short[f"lexicon_{band}"]):
            assert count in wording


def test_quotations_differ() -> None:
    """A few texts come again and again."""
    texts = {"".join(drawn(index, rows=3, cols=24).answer) for index in range(40)}
    assert len(texts) == 40


def test_a_file_of_quotations(tmp_path: Path) -> None:
    """A file of one's own is not read, or its quotations come in another spelling."""
    path = tmp_path / "mine.txt"
    path.write_text("Better late than never, as my grandmother said.\tNobody\nToo short.\tNobody\n", encoding="utf-8")
    draft = drawn(0, rows=2, cols=24, source=str(path))
    assert draft.answer == ("BETTER#LATE#THAN#NEVER,#", "AS#MY#GRANDMOTHER#SAID.#")
    for rows, cols, says in ((5, 30, "letters"), (2, 4, "letters")):
        with pytest.raises(BadParams, match=says):
            drawn(0, rows=rows, cols=cols, source=str(path))
    digits = tmp_path / "digits.txt"
    digits.write_text("There were 3 owls, and each of them had 4 friends.\tNobody\n", encoding="utf-8")
    with pytest.raises(BadParams, match=r"no quotation of .*digits.txt fills 2 rows of 24 columns .* no digits"):
        drawn(0, rows=2, cols=24, source=str(digits))
    with pytest.raises(BadInput, match="nowhere"):
        drawn(0, rows=2, cols=24, source=str(tmp_path / "nowhere.txt"))


# ---- deductions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("index", "rules", "params"),
    [
        (0, (), {"rows": 3}),
        (1, (), {"rows": 5, "cols": 20}),
        (2, (), {"rows": 5, "cols": 20, "lexicon": "rare"}),
        (3, (), {"rows": 6, "cols": 24, "givens": 10}),
        (4, (Rule("vowels"),), {"rows": 3}),
        (5, (), {"rows": 3, "lexicon": "listed"}),
    ],
)
def test_steps_follow(index: int, rules: tuple[Rule, ...], params: dict[str, Any]) -> None:
    """A step leans on what it does not name, or leaves a cell open."""
    draft = drawn(index, *rules, **params)
    graded = grade(FAMILY, draft.puzzle, draft.answer)
    assert graded is not None and graded.steps
    assert len(graded.steps) <= 2 * len(draft.puzzle.board.cells())
    assert wrong_step(FAMILY, draft.puzzle, graded.steps) == ""


def test_a_clash_is_told_by_columns() -> None:
    """The core of two columns that have exchanged a letter names all columns."""
    row = make("drop_quote", transforms=["clash"], index=2)
    assert row["status"] == "unsolvable"
    core = row["proof"]["unsat_core"]
    puzzle = loads(puzzle_type(FAMILY), row["puzzle"], "puzzle")
    ids = {clue.id for clue in puzzle.clues}
    assert "word" in core and 1 <= len(ids.intersection(core)) <= 10
    rest = puzzle.with_clues([clue for clue in puzzle.clues if clue.id in core])
    assert fillings(rest, "kernel") == []
    for out in ids.intersection(core):
        assert ENGINES.count(rest.with_clues([clue for clue in rest.clues if clue.id != out]), 1) == 1
    graded = grade(FAMILY, puzzle, None)
    assert graded is not None and wrong_step(FAMILY, puzzle, graded.steps) == ""
