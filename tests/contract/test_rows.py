"""Rows: what the factory makes of a family's puzzles, and what replies to them are worth."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.types import Layout, Rows
from puzzlemill.factory import record
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import score
from strategies import Case, built, edits, fitting, group, is_forced, is_graph, routes, usual

GROUPS = 4
MORE = 24
NO_ANSWER = json.dumps({"solvable": False})
Row = dict[str, Any]


def puzzle_of(case: Case, row: Row) -> Any:
    return loads(puzzle_type(case.family), row["puzzle"])


def answer_of(case: Case, row: Row) -> Any:
    return None if row["answer"] is None else loads(case.family.answer, row["answer"])


def test_rows_are_what_the_schema_says(case: Case) -> None:
    """A column of a wrong type, or an id that does not follow from the content, makes the file unreadable or unverifiable."""
    for row in group(case, 0, tuple(usual(case))):
        assert record.check_row(row) == []


def test_rows_survive_parquet_and_json(case: Case) -> None:
    """What is scored after loading must be the row that was proved."""
    rows = list(group(case, 0, tuple(usual(case))))
    schema = record.arrow_schema()
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), buffer)
    again = pq.read_table(buffer)
    assert again.schema.equals(schema)
    assert again.to_pylist() == rows
    assert [json.loads(json.dumps(row)) for row in rows] == rows


def test_gold_replies_score_one(case: Case) -> None:
    """The row's own reply must be right, and the same in every other format, for solvable and unsolvable puzzles."""
    for row in group(case, 0, tuple(usual(case))):
        assert row["reply_format"] == "json"
        assert row["gold_reply"] == gold_reply(puzzle_of(case, row), answer_of(case, row), "json")
        for reply_format in FORMATS:
            asked = {**row, "reply_format": reply_format}
            reply = gold_reply(puzzle_of(case, row), answer_of(case, row), reply_format)
            verdict = score(reply, asked)
            assert (verdict.solved, verdict.score) == (True, 1.0)
            assert verdict.claims_unsolvable == (row["answer"] is None)
            wrapped = f"Let me think step by step.\n\n{reply}\n"
            assert score(wrapped, asked).solved, "prose before the answer must not matter"


def test_every_edit_of_a_right_reply_scores_less(slot_case: Case) -> None:
    """One wrong slot is a wrong answer; partial credit stays below one and is never a solved puzzle."""
    (row,) = group(slot_case, 0)
    puzzle = puzzle_of(slot_case, row)
    family = slot_case.family
    right = family.form.values(puzzle.spec, puzzle.board, answer_of(slot_case, row))
    given = set(family.clues.given_slots(puzzle))
    for values in edits(right, family.form.slots(puzzle.spec, puzzle.board), 1):
        reply = gold_reply(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values), "json")
        verdict = score(reply, row)
        assert not verdict.solved
        assert verdict.score < 1
        assert verdict.why
        altered = next(s for s, (old, new) in enumerate(zip(right, values, strict=True)) if old != new)
        open_slots = row["subtasks"]
        if is_forced(puzzle):  # credit is by the share of forced slots named less the share of free ones named
            open_slots = sum(v == right[altered] for s, v in enumerate(right) if s not in given)
        assert verdict.subtask == pytest.approx(1.0 if altered in given else 1 - 1 / open_slots)


def test_only_shortest_routes_score(graph_case: Case) -> None:
    """A legal list of moves that is longer than the optimum is not an answer to "as few as possible"."""
    family, detours = graph_case.family, 0
    for index in range(4):  # of one-way moves a single puzzle may have no longer list at all
        (row,) = group(graph_case, index)
        puzzle, answer = puzzle_of(graph_case, row), answer_of(graph_case, row)
        graph = family.model(puzzle.spec, puzzle.board)
        assert score(gold_reply(puzzle, answer, "json"), row).solved
        longer = chain.from_iterable(routes(graph, row["optimum"] + more) for more in range(1, 13))
        for detour in islice(longer, 3):
            verdict = score(gold_reply(puzzle, detour, "json"), row)
            assert (verdict.solved, verdict.why) == (False, "not least")
            detours += 1
        for i in range(len(answer)):
            assert not score(gold_reply(puzzle, answer[:i] + answer[i + 1 :], "json"), row).solved
        if detours:
            return
    assert graph_case.spec.rules, "where no rule forbids it, there is a longer way"


def filled(layout: Layout, choice: int) -> Rows:
    """Every place of the reply filled with the same choice of token."""
    row = tuple(column.tokens[choice % len(column.tokens)] for column in layout.columns)
    return (row,) * max(1, min(layout.max_rows, layout.min_rows or 1, 200))


def strategies_of(case: Case, rows: list[Row]) -> Iterator[tuple[str, list[str]]]:
    """Ways to reply without solving: a name and one reply per row."""
    family = case.family
    layouts = [family.form.layout(puzzle_of(case, row)) for row in rows]

    def written(each: list[Rows]) -> list[str]:
        return [json.dumps({"answer": [list(row) for row in told]}) for told in each]

    most = max((len(column.tokens) for layout in layouts for column in layout.columns), default=1)
    for choice in range(min(most, 8)):
        yield f"constant {choice}", written([filled(layout, choice) for layout in layouts])
        both = [{"solvable": True, "answer": [list(r) for r in filled(layout, choice)]} for layout in layouts]
        yield f"solvable, constant {choice}", [json.dumps(reply) for reply in both]
    golds = [row["gold_reply"] for row in rows if row["answer"] is not None]
    yield "the next puzzle's answer", [golds[(i + 1) % len(golds)] if golds else "" for i in range(len(rows))]
    yield "no answer", [NO_ANSWER] * len(rows)
    yield "the prompt", [row["prompt"] for row in rows]
    yield "the puzzle's text", [row["puzzle"] for row in rows]
    yield "the schema", [row["reply_schema"] for row in rows]
    yield "nothing", [""] * len(rows)
    for name, payload in {
        "brackets": "[" * 100_000,
        "code": '__import__("os").system("touch pwned")',
        "ten megabytes": '{"answer": [["' + "1" * 10_000_000 + '"]]}',
        "padded": json.dumps({"answer": [["00000000000000000000001"] * 9] * 9}),
        "numbers": json.dumps({"answer": [[1e308, -0.0, True, None]]}),
        "names": json.dumps({"answer": "gold", "score": 1, "solved": True}),
    }.items():
        yield name, [payload] * len(rows)
    every = [
        "\n".join(json.dumps({"answer": [list(r) for r in filled(layout, choice)]}) for choice in range(most))
        for layout in layouts
    ]
    yield "every option", every
    yield "every option, then no answer", [f"{text}\n{NO_ANSWER}" for text in every]


@pytest.mark.parametrize("paired", [False, True])
def test_replies_that_solve_nothing_earn_the_guess_baseline_at_most(case: Case, paired: bool) -> None:
    """A reward that a constant reply collects teaches models to give it. Averaged over solvable/unsolvable pairs."""
    unsolvable = ("clash",) if paired and "clash" in fitting(case) else ()
    if paired and not unsolvable:
        pytest.skip("this family makes no unsolvable puzzles")
    capacity = case.family.small.puzzles(case.spec)
    count = 1 if capacity == 1 else GROUPS
    rows = [row for index in range(count) for row in group(case, index, unsolvable)]
    if count == GROUPS and not paired and max(row["guess_baseline"] for row in rows) > 1 / 20:  # two of four may well be equal
        rows += [row for index in range(GROUPS, MORE) for row in group(case, index, unsolvable)]
    baseline = sum(row["guess_baseline"] for row in rows) / len(rows)
    for name, replies in strategies_of(case, rows):
        if name == "the next puzzle's answer" and count == 1:
            continue  # the next puzzle is the same one
        if name == "the next puzzle's answer" and (capacity is not None or case.family.small.answers(case.spec) is not None):
            continue  # few puzzles, or few answers: the next one may well have the same
        verdicts = [score(reply, row) for reply, row in zip(replies, rows, strict=True)]
        earned = sum(verdict.score for verdict in verdicts) / len(rows)
        solved = sum(verdict.solved for verdict in verdicts) / len(rows)
        # a baseline is a chance: with few candidates a constant may meet more than its share of the puzzles
        allowance = 2.5 * (baseline * (1 - baseline) / len(rows)) ** 0.5 if not paired else 0.0
        assert solved <= earned or earned == pytest.approx(solved)
        assert earned <= baseline + allowance, name


def test_partial_credit_counts_no_givens(slot_case: Case) -> None:
    """Echoing what the puzzle shows, with one other value everywhere else, must not be paid for the shown part."""
    (row,) = group(slot_case, 0)
    puzzle, family = puzzle_of(slot_case, row), slot_case.family
    right = family.form.values(puzzle.spec, puzzle.board, answer_of(slot_case, row))
    given = set(family.clues.given_slots(puzzle))
    assert row["subtasks"] == len(right) - len(given)
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    wrong = tuple(v if s in given else (v + 1) % sizes[s] for s, v in enumerate(right))
    verdict = score(gold_reply(puzzle, family.form.assemble(puzzle.spec, puzzle.board, wrong), "json"), row)
    assert (verdict.solved, verdict.score, verdict.subtask) == (False, 0.0, 0.0)


def some(count: int) -> range:
    """Numbers below this one: all of them, or some hundred of many."""
    return range(0, count, 1 + count // 200)


def constants(case: Case, row: Row) -> Iterator[str]:
    """Replies that are the same for every puzzle of this form, and the same with what the puzzle shows in its place."""
    puzzle, form = puzzle_of(case, row), case.family.form
    layout, sizes = form.layout(puzzle), form.slots(puzzle.spec, puzzle.board)
    for choice in some(max((len(column.tokens) for column in layout.columns), default=0)):
        yield json.dumps({"answer": [list(line) for line in filled(layout, choice)]})
        mixed = [["?" if (r + c) % 2 else token for c, token in enumerate(line)] for r, line in enumerate(filled(layout, choice))]
        yield json.dumps({"answer": mixed})
    if sizes and row["answer"] is not None:
        right = form.values(puzzle.spec, puzzle.board, answer_of(case, row))
        given = set(case.family.clues.given_slots(puzzle))
        for v in some(max(sizes)):
            for values in ([v] * len(sizes), [right[s] if s in given else v for s in range(len(sizes))]):
                capped = tuple(min(value, n - 1) for value, n in zip(values, sizes, strict=True))
                yield gold_reply(puzzle, form.assemble(puzzle.spec, puzzle.board, capped), "json")


def test_no_constant_reply_earns_partial_credit(case: Case) -> None:
    """Leaving every cell of a hitori white looks like 72 % of an answer, and a reward made of it teaches just that."""
    for row in group(case, 0, tuple(usual(case))):
        assert score(row["gold_reply"], row).credit == 1.0
        for reply in constants(case, row):
            verdict = score(reply, row)
            assert verdict.solved or verdict.credit == 0.0, (reply, verdict)
            assert verdict.credit <= verdict.subtask


def test_partial_credit_grows_with_the_places_that_are_right(slot_case: Case) -> None:
    """A better reply is paid less than a worse one, or correcting for chance leaves nothing to earn."""
    (row,) = group(slot_case, 0)
    puzzle, form = puzzle_of(slot_case, row), slot_case.family.form
    if is_forced(puzzle):
        return  # which places are named is judged as a set
    right = form.values(puzzle.spec, puzzle.board, answer_of(slot_case, row))
    sizes = form.slots(puzzle.spec, puzzle.board)
    wrong = [(value + 1) % n for value, n in zip(right, sizes, strict=True)]
    found = []
    for upto in range(len(right) + 1):
        answer = form.assemble(puzzle.spec, puzzle.board, (*right[:upto], *wrong[upto:]))
        verdict = score(gold_reply(puzzle, answer, "json"), row)
        found.append((verdict.subtask, verdict.credit))
    assert found == sorted(found)
    assert found[0] == (0.0, 0.0)
    assert found[-1] == (1.0, 1.0)
    if len({part for part, _ in found}) > 3 * max(sizes):
        assert any(0 < credit < 1 for _, credit in found)


def test_two_builds_of_a_group_are_equal(case: Case) -> None:
    """Same recipe and index, same rows."""
    names = tuple(usual(case))
    assert built.__wrapped__(case, 0, names).rows == group(case, 0, names)


def test_status_and_proof_are_those_of_the_question(case: Case) -> None:
    """A row without two formulations, or of another status than its question allows, is not proved."""
    for row in group(case, 0, tuple(usual(case))):
        solvable = "optimal" if is_graph(case) else "unique"
        assert row["status"] == ("unsolvable" if row["answer"] is None else solvable)
        assert len(set(row["proof"]["formulations"])) >= 2
        assert (row["optimum"] is not None) == (row["status"] == "optimal")
        if row["answer"] is None and row["parent_id"] is not None:
            assert row["proof"]["unsat_core"], "an unsolvable child says which clues clash"
