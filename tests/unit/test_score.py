"""Verdicts: what is paid, what is not, and which rows are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hostile import hostile, shown, told
from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK
from puzzlemill.core.types import AnyDraft, AnyPuzzle, QuestionKind, Status
from puzzlemill.generators import families
from puzzlemill.generators._template import FAMILY as COIN
from puzzlemill.scoring import score as scoring
from puzzlemill.scoring.prompt import FORMATS, gold_reply, spelled
from puzzlemill.scoring.score import Verdict, score
from rows import broken_coin_row, coin_row, coins, doubted, drafts, row_of, unsolvable
from strategies import every_family

RIGHT = '{"answer": [["H", "T", "H"]]}'
CLAIM = '{"solvable": false}'


@pytest.fixture(params=every_family(), ids=lambda family: family.name)
def family(request: pytest.FixtureRequest) -> AnyFamily:
    found: AnyFamily = request.param
    return found


@lru_cache(maxsize=16)
def some(name: str) -> AnyDraft:
    """One small puzzle of a family, the last of its first three, so that optional rules come up."""
    return drafts(next(family for family in every_family() if family.name == name), 3)[-1]


@lru_cache(maxsize=16)
def hopeless(name: str) -> AnyPuzzle | None:
    return unsolvable(next(family for family in every_family() if family.name == name))


# ---- every family ---------------------------------------------------------------------------------------------------


def test_the_gold_reply_is_solved(family: AnyFamily) -> None:
    """A right answer is not paid in some family or format."""
    for draft, reply_format, doubt in product(drafts(family, 3), FORMATS, (False, True)):
        puzzle = doubted(draft.puzzle) if doubt else draft.puzzle
        row = row_of(family, puzzle, draft.answer, reply_format)
        reply = f"Thinking... {{1}} [2]\n\n{gold_reply(puzzle, draft.answer, reply_format)}\n\nThat is it."
        words = 1.0 if family.form.layout(puzzle).words else None
        expected = Verdict(True, 1.0, 1.0, 1.0, "solved", answer=family.form.write(puzzle, draft.answer), words=words)
        assert score(reply, row) == expected


@pytest.mark.parametrize("reply_format", FORMATS)
def test_no_hostile_reply_is_paid(family: AnyFamily, reply_format: str, tmp_path: Path, monkeypatch: Any) -> None:
    """A model learns to be paid without solving, or a reply runs as code or stops the run."""
    monkeypatch.chdir(tmp_path)
    draft, doubt = some(family.name), (len(family.name) + FORMATS.index(reply_format)) % 2 == 0
    puzzle = doubted(draft.puzzle) if doubt else draft.puzzle
    row = row_of(family, puzzle, draft.answer, reply_format)
    for name, reply in hostile(family, puzzle, draft.answer, reply_format, big=doubt).items():
        verdict = score(reply, row)
        assert (verdict.solved, verdict.score) == (False, 0.0), name
        assert verdict.why != "unchecked", name
        if name in ("shown", "blank"):
            assert (verdict.subtask, verdict.complete) == (0.0, 0.0), name
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("reply_format", FORMATS)
def test_another_puzzles_answer_is_not_paid(family: AnyFamily, reply_format: str) -> None:
    """Answers are not checked against the row they are given for."""
    found = drafts(family, 6)
    for draft in found:
        row = row_of(family, draft.puzzle, draft.answer, reply_format)
        for other in found:
            reply = gold_reply(other.puzzle, other.answer, reply_format)
            right = score(reply, row).solved
            if family.form.write(other.puzzle, other.answer) == family.form.write(draft.puzzle, draft.answer):
                assert right or len(other.puzzle.clues) != len(draft.puzzle.clues)
            elif family.form.slots(draft.puzzle.spec, draft.puzzle.board):
                assert not right


def test_every_change_of_one_token_is_not_paid(family: AnyFamily) -> None:
    """Near misses are paid."""
    draft = some(family.name)
    row = row_of(family, draft.puzzle, draft.answer)
    rows, layout = family.form.write(draft.puzzle, draft.answer), family.form.layout(draft.puzzle)
    for r, line in enumerate(rows):
        for c, token in enumerate(line):
            fixed = layout.fixed and layout.fixed[r][c]  # says nothing
            for other in () if fixed else layout.columns[c].tokens:
                if other != token:
                    changed = [list(cells) for cells in rows]
                    changed[r][c] = other
                    verdict = score(told(changed, layout, "json"), row)
                    assert verdict.why == "wrong"
                    assert verdict.complete == 1.0
                    assert verdict.subtask <= 1.0
                    assert verdict.broken or verdict.detail


@pytest.mark.parametrize("reply_format", FORMATS)
def test_unsolvable_rows_are_solved_by_saying_so_and_by_nothing_else(family: AnyFamily, reply_format: str) -> None:
    """Unsolvable puzzles pay for a guessed grid, or never pay."""
    puzzle = hopeless(family.name)
    if puzzle is None:
        pytest.skip(f"{family.name} offers no exchange of one clue")
    row = row_of(family, puzzle, None, reply_format)
    assert score(gold_reply(puzzle, None, reply_format), row) == Verdict(True, 1.0, 1.0, 1.0, "solved", claims_unsolvable=True)
    draft = some(family.name)
    if family.form.layout(puzzle).max_rows == family.form.layout(draft.puzzle).max_rows:
        reply = gold_reply(doubted(draft.puzzle), draft.answer, reply_format)
        assert not score(reply, row).solved
    first = [[column.tokens[0] for column in family.form.layout(puzzle).columns]] * family.form.layout(puzzle).min_rows
    assert score(told(first, family.form.layout(puzzle), reply_format), row).score == 0.0


@pytest.mark.parametrize("reply_format", FORMATS)
def test_a_claim_about_a_solvable_puzzle_is_wrong(family: AnyFamily, reply_format: str) -> None:
    """ "No solution" is paid as a way out."""
    draft = some(family.name)
    puzzle = doubted(draft.puzzle)
    claim = gold_reply(puzzle, None, reply_format)
    row = row_of(family, puzzle, draft.answer, reply_format)
    words = 0.0 if family.form.layout(puzzle).words else None
    assert score(claim, row) == Verdict(False, 0.0, 0.0, 1.0, "claim", claims_unsolvable=True, words=words)
    row = row_of(family, draft.puzzle, draft.answer, reply_format)
    assert score(claim, row).why == "unreadable"


def test_constant_replies_earn_at_most_half_of_solvable_and_unsolvable_pairs(family: AnyFamily) -> None:
    """One reply to every row earns more than guessing whether there is a solution."""
    puzzle = hopeless(family.name)
    if puzzle is None:
        pytest.skip(f"{family.name} offers no exchange of one clue")
    draft = some(family.name)
    pair = [row_of(family, puzzle, None), row_of(family, doubted(draft.puzzle), draft.answer)]
    for name, reply in {**hostile(family, doubted(draft.puzzle), draft.answer, "json", big=False), "say no": CLAIM}.items():
        paid = sum(score(reply, row).score for row in pair)
        assert paid <= 1.0, name
        assert paid == 0.0 or score(reply, pair[0]).claims_unsolvable, name


def test_partial_credit_counts_open_slots_only(family: AnyFamily) -> None:
    """Copying what the puzzle shows earns partial credit, or a right value does not."""
    draft = some(family.name)
    puzzle, answer = draft.puzzle, draft.answer
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    row = row_of(family, puzzle, answer)
    layout = family.form.layout(puzzle)
    if not sizes:
        assert score(told(shown(family, puzzle, answer), layout, "json"), row).subtask == 0.0
        return
    gold, given = family.form.values(puzzle.spec, puzzle.board, answer), set(family.clues.given_slots(puzzle))
    opened = [s for s in range(len(sizes)) if s not in given]
    rows = family.form.write(puzzle, answer)
    blanks = [(r, c) for r, line in enumerate(shown(family, puzzle, answer)) for c, token in enumerate(line) if token == "?"]
    letters = {layout.signs[c] for _, c in blanks} if layout.signs else blanks  # a letter of a cipher has several cells
    assert layout.keyed or len(letters) == len(opened)  # a word has several cells
    changed = list(gold)
    changed[opened[0]] = (changed[opened[0]] + 1) % sizes[opened[0]]
    reply = spelled(family.form.write(puzzle, family.form.assemble(puzzle.spec, puzzle.board, tuple(changed))), layout, "json")
    verdict = score(reply, row)
    assert (verdict.why, verdict.complete) == ("wrong", 1.0)
    if puzzle.question.kind is QuestionKind.FORCED:
        of_its_kind = sum([gold[s] == gold[opened[0]] for s in opened])
        assert verdict.subtask == pytest.approx(1 - 1 / of_its_kind)
    else:
        assert verdict.subtask == pytest.approx((len(opened) - 1) / len(opened))
    for filled in range(1, len(blanks)):
        partial = [list(line) for line in rows]
        for r, c in blanks[filled:]:
            partial[r][c] = "?"
        verdict = score(told(partial, layout, "json"), row)
        assert (verdict.solved, verdict.why) == (False, "incomplete")
        part = filled / len(blanks)
        if layout.keyed:
            told_of = family.form.read(puzzle, tuple([tuple([token.strip("?") for token in line]) for line in partial]))
            values = family.form.values(puzzle.spec, puzzle.board, told_of)
            part = sum([values[s] != BLANK for s in opened]) / len(opened)
        if layout.signs:  # a letter is filled where all its cells are
            empty = {layout.signs[c] for _, c in blanks[filled:]}
            part = len(set(letters) - empty) / len(opened)
        assert verdict.complete == pytest.approx(part)
        assert verdict.subtask == (0 if puzzle.question.kind is QuestionKind.FORCED else verdict.complete)


# ---- the verdict ----------------------------------------------------------------------------------------------------


def test_a_wrong_answer_names_what_it_breaks() -> None:
    """Reports cannot say which rule models fail."""
    assert score('{"answer": [["H", "H", "H"]]}', coin_row()) == Verdict(
        False, 0.0, 1.0, 1.0, "wrong", ("differ", "c2"), answer=(("H", "H", "H"),), chance=1.0
    )  # both open coins show heads, and so "H H H" has both right
    assert score('{"answer": [["T", "T", "H"]]}', coin_row()) == Verdict(
        False, 0.0, 0.5, 1.0, "wrong", ("differ",), answer=(("T", "T", "H"),), chance=1.0
    )


def test_blanks_make_an_answer_incomplete() -> None:
    """An answer with blanks is solved, or counts as nothing in the completion ratio."""
    for blank in ('"."', '"?"', '"_"', '""', "null"):
        verdict = score(f'{{"answer": [["T", "T", {blank}]]}}', coin_row())
        assert (verdict.solved, verdict.subtask, verdict.complete, verdict.why) == (False, 0.0, 0.5, "incomplete")
    verdict = score('{"answer": [["H", null, "H"]]}', coin_row())  # every open coin, but not the shown one
    assert (verdict.solved, verdict.subtask, verdict.complete, verdict.why) == (False, 1.0, 1.0, "incomplete")


def test_blanks_in_a_reply_to_an_unsolvable_row() -> None:
    """A row without a stored answer gives credit, or fails, for a partial one."""
    verdict = score('{"answer": [["H", "T", "?"]]}', broken_coin_row())
    assert (verdict.solved, verdict.subtask, verdict.complete, verdict.why) == (False, 0.0, 1.0, "incomplete")
    verdict = score('{"answer": [["?", "?", "?"]]}', broken_coin_row())
    assert (verdict.subtask, verdict.complete) == (0.0, 0.0)


def test_unreadable_replies_say_why() -> None:
    """People cannot tell a wrong form from a wrong answer."""
    verdict = score("I do not know.", coin_row())
    assert verdict == Verdict(False, 0.0, 0.0, 0.0, "unreadable", detail='no JSON object with "answer"')
    assert score(None, coin_row()).detail == "the reply is not text"
    assert score('{"answer": [["H", "T"]]}', coin_row()).detail == "row 1 has 2 values, expected 3"


def test_any_answer_that_keeps_the_rules_counts() -> None:
    """Rows with several answers pay only the stored one."""
    row = row_of(COIN, coins(3, ()), (0, 1, 0), status="any")
    for reply in (RIGHT, '{"answer": [["T", "H", "T"]]}'):
        assert score(reply, row).solved
    assert not score('{"answer": [["T", "T", "H"]]}', row).solved


def test_a_valid_answer_to_an_unsolvable_row_is_reported_and_not_paid() -> None:
    """A wrong row would be paid, or would go unnoticed."""
    row = row_of(COIN, doubted(coins()), None)
    assert score(RIGHT, row) == Verdict(
        False, 0.0, 0.0, 1.0, "contradiction", detail="it keeps every rule of an unsolvable puzzle", answer=(("H", "T", "H"),)
    )


@pytest.mark.skipif("hanoi" not in families(), reason="needs a family that asks for the least")
def test_only_the_least_cost_is_paid_and_every_answer_of_that_cost() -> None:
    """A detour is paid, or a second shortest answer is not."""
    family = families()["hanoi"]
    draft = next(draft for draft in drafts(family, 8) if len(draft.answer) > 2)
    row = row_of(family, draft.puzzle, draft.answer)
    rows = family.form.write(draft.puzzle, draft.answer)
    disk, source, target = rows[0]
    third = next(peg for peg in family.form.layout(draft.puzzle).columns[1].tokens if peg not in (source, target))
    detour = ((disk, source, third), (disk, third, target), *rows[1:])
    verdict = score(spelled(detour, family.form.layout(draft.puzzle), "json"), row)
    assert (verdict.solved, verdict.why, verdict.broken) == (False, "not least", ())
    assert verdict.detail == f"cost {len(rows) + 1}, the least is {len(rows)}"
    for optimum in (len(rows) - 1, len(rows) + 1):
        with pytest.raises(BadRow, match=f"optimum: the stored answer costs {len(rows)}, the row says {optimum}"):
            score(spelled(rows, family.form.layout(draft.puzzle), "json"), {**row, "optimum": optimum})


def test_a_family_that_fails_on_a_reply_is_reported_and_never_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """One reply stops a training run."""
    row = coin_row()
    assert score(RIGHT, row).solved

    def fails(*_: object) -> object:
        raise IndexError("x")

    monkeypatch.setattr(type(COIN.form), "read", fails)
    verdict = score(RIGHT, row)
    assert (verdict.solved, verdict.score, verdict.why, verdict.detail) == (False, 0.0, "unchecked", "IndexError")


# ---- rows -----------------------------------------------------------------------------------------------------------


def _puzzle(**changes: Any) -> str:
    return json.dumps({**json.loads(dumps(coins())), **changes})


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"family": "chess"}, "family: unknown family 'chess'; known: "),
        ({"family": None}, "family: expected str, got NoneType"),
        ({"family_version": 2}, "family_version: the row is of coin version 2, this library has version 1; use the scorer.zip"),
        ({"family_version": True}, "family_version: expected int, got bool"),
        ({"family_version": 1.0}, "family_version: expected int, got float"),
        ({"status": "unknown"}, "status: expected unique, optimal, any or unsolvable, got 'unknown'"),
        ({"status": "solved"}, "status: expected unique, optimal, any or unsolvable, got 'solved'"),
        ({"status": "optimal"}, "optimum: expected an integer where the status is optimal"),
        ({"optimum": 3}, "optimum: expected null where the status is unique"),
        ({"optimum": 3.0}, "optimum: expected int, got float"),
        ({"status": "unsolvable"}, "answer: expected null where the status is unsolvable"),
        ({"answer": None}, "answer: expected text where the status is unique"),
        ({"status": "unsolvable", "answer": None}, "puzzle: it has no solution, but its question does not admit doubt"),
        ({"answer": "[1,1,0]"}, "answer: the stored answer breaks differ"),
        ({"answer": "[0,1]"}, "answer: the stored answer breaks malformed"),
        ({"answer": "{"}, "answer: not JSON"),
        ({"answer": '["H"]'}, "answer: expected int, got 'H'"),
        ({"puzzle": "[" * 100_000}, "puzzle: not JSON"),
        ({"puzzle": "{}"}, "puzzle: Puzzle lacks"),
        ({"puzzle": " " * 4_000_001}, "puzzle: 4000001 characters"),
        ({"puzzle": _puzzle(family="sudoku")}, "puzzle: it is a sudoku of version 1, the row says coin of version 1"),
        ({"puzzle": _puzzle(family="su\ndoku")}, "puzzle: it is a su doku of version 1"),
        ({"puzzle": _puzzle(spec={"params": {"coins": 99}, "rules": []})}, "puzzle: coin.coins must be 2 to 9, got 99"),
        ({"puzzle": _puzzle(clues=[["c9", "given", 8, 1]])}, "clue c9: expected a given, its cell below 3"),
        ({"puzzle": _puzzle(style={"symbols": []})}, "puzzle: "),
        ({"reply_format": "xml"}, "puzzle: reply format 'xml' is not known"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_with_its_place(columns: dict[str, Any], problem: str) -> None:
    """A damaged or foreign row scores every reply zero instead of being found."""
    with pytest.raises(BadRow) as caught:
        score(RIGHT, coin_row(id="coin-7", **columns))
    assert str(caught.value).startswith(f"row coin-7: {problem}")


def test_a_dialogue_and_a_missing_column_are_refused() -> None:
    """Rows of another schema score every reply zero."""
    question = json.loads(dumps(replace(coins().question))) | {"kind": "play"}
    with pytest.raises(BadRow, match="row coin-0: puzzle: coin is not asked for 'play'"):
        score(RIGHT, coin_row(puzzle=_puzzle(question=question)))
    for column in ("family", "family_version", "status", "puzzle", "answer", "optimum", "reply_format"):
        row = coin_row()
        del row[column]
        with pytest.raises(BadRow, match=f"row coin-0: {column}: the column is missing"):
            score(RIGHT, row)


def test_an_unsolvable_row_with_nonsense_clues_is_refused() -> None:
    """A row without an answer is used although its clues mean nothing."""
    puzzle = json.loads(dumps(doubted(coins())))
    puzzle["clues"] = [["c9", "given", 8, 1]]
    with pytest.raises(BadRow, match="clue c9: expected a given"):
        score(CLAIM, coin_row(doubt=True, status=Status.UNSOLVABLE.value, answer=None, puzzle=json.dumps(puzzle)))


def test_rows_are_remembered_and_bounded() -> None:
    """Rows are read anew for every reply, or all rows of a data set stay in memory."""
    scoring._prepare.cache_clear()
    row = coin_row()
    for _ in range(5):
        score(RIGHT, {**row, "id": "another"})
    info = scoring._prepare.cache_info()
    assert (info.misses, info.hits) == (1, 4)
    assert info.maxsize == scoring.REMEMBERED


def test_the_same_puzzle_under_other_columns_is_another_row() -> None:
    """A remembered row answers for one with another status or format."""
    assert score(RIGHT, coin_row()).solved
    assert not score(RIGHT, coin_row("tags")).solved
    assert not score('{"answer": [["T", "H", "T"]]}', coin_row()).solved
    assert score(CLAIM, coin_row(doubt=True)).why == "claim"
    assert score(CLAIM, row_of(COIN, doubted(coins()), None)).solved
