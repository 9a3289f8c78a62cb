"""Acrostics: words for exactly the letters of a quotation, brute force, kinds of rows, deductions, hostile replies."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from puzzlemill.core.errors import BadFile, BadInput, BadParams, BadRow
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Clue, Spec
from puzzlemill.factory.make import make
from puzzlemill.generators._acrostic import Params, first_of_each
from puzzlemill.generators.acrostic import FAMILY
from puzzlemill.rules import acrostics
from puzzlemill.rules.acrostics import Board, of_entry, runs, spelt, told
from puzzlemill.rules.acrostics_draw import Wish, dealt, partition
from puzzlemill.rules.clued import KIND as WORD
from puzzlemill.rules.clued import LETTERS, Clued, clued
from puzzlemill.scoring.metrics import Item, measured, report, to_text
from puzzlemill.scoring.score import score
from puzzlemill.solvers import kernels, sat
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.lower import lower
from puzzlemill.vocabulary.lexicon import word, words

ENGINES = Engines(FAMILY)


def drawn(index: int, **params: int | str | bool) -> AnyDraft:
    spec = Spec(Params(**params))  # type: ignore[arg-type]
    FAMILY.validate(spec)
    secret = FAMILY.sample_solution(spec, stream("tests", "acrostic", index), ENGINES)
    return FAMILY.make_puzzle(spec, secret, stream("tests", "posed"))


def of_words(draft: AnyDraft) -> list[str]:
    return ["".join([draft.answer[cell] for cell in cells]) for cells in draft.puzzle.board.entries]


@pytest.mark.parametrize("letters", [110, 214])
def test_the_words_have_exactly_the_letters_of_the_quotation(letters: int) -> None:
    """A letter too many or too few, a word twice, a form of a quoted word, an author whom the first letters do not spell."""
    for index in range(2):
        draft = drawn(index, letters=letters)
        board, found = draft.puzzle.board, of_words(draft)
        assert abs(len(draft.answer) - letters) <= 6
        assert Counter("".join(found)) == Counter(draft.answer) and len(set(found)) == len(found)
        assert all(4 <= len(text) <= 12 and word(text.lower()) for text in found)
        assert sorted([cell for cells in board.entries for cell in cells]) == list(range(len(draft.answer)))
        assert "".join([text[0] for text in found]) in [spelt(line) for line in board.lines]
        quoted = {"".join([draft.answer[cell] for cell in cells]) for cells in runs(board.layout)}
        assert not quoted & set(found) and all(text.lower() in words("known") for text in quoted)
        for clue in draft.puzzle.clues:
            assert found[clue.args[3]] in clue.args[2] and found[clue.args[3]].lower() not in clue.args[1].lower().split()


def test_no_three_cells_follow_each_other_in_a_word() -> None:
    """A word that stands in the quotation letter by letter is given away by its numbers."""
    for index in range(3):
        for cells in drawn(index, letters=110).puzzle.board.entries:
            assert not any(b - a == c - b == 1 for a, b, c in zip(cells, cells[1:], cells[2:], strict=False))


def test_cells_are_dealt_evenly() -> None:
    """Of the twelve ways to deal out these letters all but those in which three cells follow each other come up, none seldom."""
    seen = Counter(dealt("ABABA", ["AB", "ABA"], stream("tests", "dealt", index)) for index in range(1200))
    assert len(seen) == 10 and min(seen.values()) > 60, seen


def test_a_partition_is_another_one_from_another_stream_and_the_same_from_the_same() -> None:
    text = "ASKAHATTERABOUTCANDLESANDASKASISTERABOUTEVERYTHINGELSE"
    found = {tuple(partition(text, "RUTHLESS", Wish((), "known", 8), [], stream("tests", n)) or ()) for n in range(60)} - {()}
    assert len(found) > 3 and all("".join([text[0] for text in each]) == "RUTHLESS" for each in found)
    again = [partition(text, "RUTHLESS", Wish((), "known", 8), [], stream("tests", n)) for n in range(60)]
    assert {tuple(each or ()) for each in again} - {()} == found
    assert partition(text, "QUIZ", Wish((), "known", 8), [], stream("tests")) is None


def brute_force(puzzle: AnyPuzzle, listed: list[str]) -> set[str]:
    """Every way to take one carrier for each clue, and the quotations that are made of listed words."""
    board = puzzle.board
    every = [clued(clue, len(board.entries[clue.args[3]])).carriers for clue in puzzle.clues if clue.kind == WORD]
    places = [board.entries[clue.args[3]] for clue in puzzle.clues if clue.kind == WORD]
    found = set()
    for taken in product(*every):
        text = ["?"] * board.cells
        for cells, carrier in zip(places, taken, strict=True):
            for cell, sign in zip(cells, carrier, strict=True):
                text[cell] = sign
        firsts = "".join([text[cells[0]] for cells in board.entries])
        if board.lines and firsts not in [spelt(line) for line in board.lines]:
            continue
        if all("".join([text[cell] for cell in cells]) in listed for cells in runs(board.layout)):
            found.add("".join(text))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("bank", [False, True])
def test_all_answers_are_those_of_brute_force(bank: bool) -> None:
    """Kernel, clauses and brute force over all carriers agree, also where carriers of two clues are exchanged."""
    listed = [text.upper() for text in words("known")]
    several = 0
    for index in range(4):
        draft = drawn(index, letters=36, spread=8, bank=bank, carriers=2, lines=index % 3)
        more = more_carriers(draft, list(draft.puzzle.board.bank) if bank else listed)
        for fewer in (more, next(FAMILY.clues.exchanges(more, stream("tests", index)), more)):
            expected = brute_force(fewer, list(fewer.board.bank) if bank else listed)
            several += len(expected) > 1
            table = FAMILY.table(fewer)
            by_kernel = {"".join([LETTERS[v] for v in values]) for values in kernels.answers(table, 999, 10_000).answers}
            by_clauses = {
                "".join([LETTERS[v] for v in values]) for values in sat.answers(lower(FAMILY, fewer), 999, 10_000)[0].answers
            }
            assert by_kernel == expected == by_clauses
    assert several or bank


def more_carriers(draft: AnyDraft, listed: list[str]) -> AnyPuzzle:
    """The puzzle with up to three clues that are true of one word more, by which a word of the quotation changes."""
    puzzle, text, found = draft.puzzle, draft.answer, dict[int, Clue]()
    board = puzzle.board
    heads = {cells[0] for cells in board.entries} if board.lines else set()
    known = set(listed)
    for cells, at, sign in ((run, at, sign) for run in runs(board.layout) for at in range(len(run)) for sign in LETTERS):
        read, cell = "".join([text[c] for c in cells]), cells[at]
        entry = next(k for k, entry in enumerate(board.entries) if cell in entry)
        if sign != read[at] and read[:at] + sign + read[at + 1 :] in known and cell not in heads and entry not in found:
            said = told(puzzle.clues[entry], board)[1]
            other = "".join([sign if c == cell else text[c] for c in board.entries[entry]])
            found[entry] = of_entry(entry, Clued(said.sort, said.text, tuple(sorted({*said.carriers, other}))))
        if len(found) == 3:
            break
    return puzzle.with_clues([found.get(entry, clue) for entry, clue in enumerate(puzzle.clues)])


def test_every_step_follows_and_reads_well() -> None:
    """A technique that concludes too much, a sentence with a hole in it."""
    seen = set()
    for index, params in enumerate(
        (
            {"letters": 60},
            {"letters": 60, "lines": 0, "ambiguous": 100, "carriers": 40},
            {"letters": 60, "revealed": 5, "lines": 1},
        )
        * 2
    ):
        draft = drawn(index, spread=10, **params)
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None and wrong_step(FAMILY, draft.puzzle, graded.steps) == ""
        for step, text in zip(graded.steps, explain_all(FAMILY, draft.puzzle, graded.steps), strict=True):
            seen.add(step.technique)
            assert text[0].isupper() and text[-1] in ".)" and "  " not in text, text
    assert {"shown", "one_word", "clue_word", "read_word", "first_letters"} <= seen


def test_an_unsolvable_one_is_told_by_what_clashes() -> None:
    """The core of a clash names clues and words of the quotation, and the trace ends in a contradiction that follows."""
    row = make("acrostic", letters=50, spread=10, transforms=["clash"])
    assert row["status"] == "unsolvable" and row["proof"]["depth"]
    assert any(label.startswith("word ") or label == "author" for label in row["proof"]["unsat_core"])


@pytest.mark.parametrize(
    "name", ["rare_words", "fewer_clues", "ambiguous_clues", "author_unknown", "cryptic", "scrambled_numbers"]
)
def test_variants_have_what_they_say(name: str) -> None:
    """A variant that is the parent by another name."""
    row = make("acrostic", letters=60, spread=10, transforms=[name])
    assert row["status"] == "unique"
    prompt = row["prompt"]
    says = {
        "rare_words": "75,000",
        "fewer_clues": "No clue is given",
        "ambiguous_clues": "numbers of its cells",
        "author_unknown": "numbers of its cells",
        "cryptic": "Anagram of",
        "scrambled_numbers": "numbers of its cells",
    }
    assert says[name] in prompt or (name == "cryptic" and "Hidden in" in prompt)
    carriers = [len(clue[4]) for clue in json.loads(row["puzzle"])["clues"] if clue[1] == WORD]
    assert name != "ambiguous_clues" or sum(count > 1 for count in carriers) >= len(carriers) // 4
    assert ("first letters" in prompt) is (name != "author_unknown")


def test_hostile_and_lazy_replies_earn_nothing() -> None:
    """All letters, all words, one letter throughout, the words of the clues in their order: no right quotation."""
    row = make("acrostic", letters=50, spread=10)
    answer = json.loads(row["answer"])
    entries = json.loads(row["puzzle"])["board"]["entries"]
    words_in_order = "".join([answer[cell] for cells in entries for cell in cells])
    for reply in ("E" * len(answer), LETTERS * 5, words_in_order, " ".join(words("common")[:4000])):
        assert score(f'{{"answer": "{reply}"}}', row).score != 1
    assert score(f'{{"answer": "{answer}"}}', row).score == 1


def said_with(quotation: str, words: dict[str, str], reply_format: str) -> str:
    """A reply with clued words beside the quotation."""
    lines = [f"{label}: {text}" for label, text in words.items()]
    return {
        "json": json.dumps({"answer": quotation, "words": words}),
        "tags": f"<answer>{quotation}</answer>\n<words>\n" + "\n".join(lines) + "\n</words>",
        "boxed": "\\boxed{" + "; ".join([quotation, *lines]) + "}",
        "table": "\n".join([f"| {quotation} |", *[f"| {label} | {text} |" for label, text in words.items()]]),
    }[reply_format]


@pytest.mark.parametrize("reply_format", ["json", "tags", "boxed", "table"])
def test_words_beside_the_quotation_fill_it_and_change_nothing(reply_format: str) -> None:
    """Words that were not read, that were paid twice, or that overruled the quotation; punctuation that made it unreadable."""
    row = make("acrostic", letters=50, spread=10, reply_format=reply_format)
    answer, entries = json.loads(row["answer"]), json.loads(row["puzzle"])["board"]["entries"]
    right = {acrostics.label(k): "".join([answer[cell] for cell in cells]) for k, cells in enumerate(entries)}
    wrong = {label: "Z" * len(text) for label, text in right.items()}
    most, blank = Counter(answer).most_common(1)[0][0] * len(answer), "_" * len(answer)

    def judged(quotation: str, words: dict[str, str]) -> tuple[float, float, float | None]:
        verdict = score(said_with(quotation, words, reply_format), row)
        return verdict.score, verdict.subtask, verdict.words

    assert judged(f"{answer[:9].title()}... {answer[9:]}?", {}) == judged(answer, right) == judged(blank, right) == (1, 1, 1)
    assert judged(answer, wrong) == (1, 1, 0) and judged(answer, right | {"A": wrong["A"]})[2] == 1 - 1 / len(right)
    assert judged(most, right) == judged(most, {}) and judged(most, right)[2] == 0
    assert judged(blank, wrong)[1:] == (answer.count("Z") / len(answer), 0)
    some = judged(blank, {"A": right["A"], "B": right["B"][:-1], "C": right["C"]})
    assert some == (0, pytest.approx((len(right["A"]) + len(right["C"])) / len(answer)), 2 / len(right))


def test_hostile_words_say_nothing() -> None:
    """A list for a word, all words of the lexicon for one, a label that there is not, a label twice, words alone in an object."""
    row = make("acrostic", letters=50, spread=10)
    answer = json.loads(row["answer"])
    every = " ".join(words("common")[:4000])
    for said in ({"A": ["X", "Y"]}, {"A": every}, {"ZZ": "HELLO"}, ["HELLO"], every, {"A": None, "": "?"}):
        verdict = score(json.dumps({"answer": answer, "words": said}), row)
        assert verdict.solved and verdict.words == 1
        assert score(json.dumps({"words": said}), row).subtask == 0
    for reply in (
        '{"words": {"A": "ABCDE", "A": "ABCDF"}}',
        '{"quotation": "E", "words": {}}',
        "<words>A: " + every + "</words>",
    ):
        assert score(reply, row).subtask == 0


def test_clued_words_are_a_column_of_their_own() -> None:
    """Credit by clued word must be shown, and must not be part of any other figure."""
    row = make("acrostic", letters=50, spread=10)
    verdicts = [score(json.dumps({"answer": "_" * len(json.loads(row["answer"]))}), row), score("none", row), None]
    item = Item("1", "test", "1", "acrostic", "canonical", True, False, 0.0, words=True)
    found = report([measured(item, [replace(verdicts[0], words=0.5), *verdicts[1:]])], 3, [])  # type: ignore[type-var]
    assert found.sections[0].metrics["words"].value == pytest.approx(0.5 / 3)
    assert found.sections[0].metrics["subtask"].value == 0
    assert "words right" in to_text(found)
    assert "words right" not in to_text(report([measured(replace(item, words=False), verdicts)], 3, []))


def test_changed_clues_leave_deep_clashes_where_a_word_has_no_clue() -> None:
    """Where all but a word are known, only clues of words that nothing rules out outright leave something to find out."""
    draft = drawn(0, letters=60, spread=10)
    board, clues = draft.puzzle.board, draft.puzzle.clues
    known = acrostics.outright(clues, board)
    assert all(draft.answer[cell] == letter for cell, letter in known.items() if cell in acrostics.heads(board))
    for entry in range(len(board.entries)):
        rest = [clue for clue in clues if clue.args[3] != entry]
        found = acrostics.crossing(entry, acrostics.outright(rest, board), board, "known")
        others = {cell: letter for cell, letter in acrostics.outright(rest, board).items() if letter != draft.answer[cell]}
        assert of_words(draft)[entry] in found or others
    assert FAMILY.clues.deep_odds(draft.puzzle) == (0, 1)
    assert FAMILY.clues.deep_odds(draft.puzzle.with_clues(clues[1:])) == (1, 2)


def test_no_draft_is_solved_by_the_first_words_of_the_alphabet() -> None:
    """A draft of which every clue's first carrier is right needs no quotation to be found."""
    for index in range(4):
        draft = drawn(index, letters=60, spread=10)
        assert first_of_each(draft.puzzle.board, draft.puzzle.clues) != draft.answer


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("The best way to learn a thing is to teach it to a neighbor who does not believe you.\tXavier Quzzq", "author's name"),
        ("Too short.\tAnna Leith", "letters"),
        ("The best way to learn a thinq is to teach it to a neighbor who does not believe you.\tAnna Leith", "lexicon"),
        ("The best way to learn \u03b1 thing is to teach it to a neighbor who does not believe you.\tAnna Leith", ":1: "),
    ],
)
def test_a_file_that_cannot_work_is_one_error(tmp_path: Path, line: str, told: str) -> None:
    """A file of which no quotation will do must not be tried for ever: the error names it and what is wrong."""
    path = tmp_path / "mine.txt"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match=told) as found:
        drawn(0, letters=64, spread=8, source=str(path))
    assert "mine.txt" in str(found.value) and "\n" not in str(found.value)


def test_quotations_of_a_file_are_signed_by_their_author(tmp_path: Path) -> None:
    """A user's quotations: the first letters name the author; a word that the lexicon lacks, or a text too short, is said so."""
    path = tmp_path / "mine.txt"
    path.write_text(
        "The best way to learn a thing is to teach it to a neighbor who does not believe you.\tAnna Leith\n"
        "Nobody who owns a boat has ever been on time for dinner in the whole of the summer.\tEdna Brown\n",
        encoding="utf-8",
    )
    draft = drawn(0, letters=64, spread=8, source=str(path), band="rare")
    assert {spelt(line) for line in draft.puzzle.board.lines} >= {"".join([text[0] for text in of_words(draft)])}
    with pytest.raises(BadParams, match="letters"):
        drawn(0, letters=200, source=str(path))
    with pytest.raises(BadFile, match="can be read"):
        drawn(0, source=str(tmp_path / "none.txt"))


def test_made_up_boards_are_refused() -> None:
    """A row that somebody made up: cells twice, a line of another length, a word in small letters."""
    good = Board("__ ____", ((0, 2, 4), (1, 3, 5)), ("A B",))
    assert acrostics.sound(good) is good
    for bad in (
        replace(good, entries=((0, 2, 4), (1, 3, 4))),
        replace(good, lines=("Ada",)),
        replace(good, words=("is",)),
        replace(good, layout="__ <___>"),
        replace(good, entries=()),
    ):
        with pytest.raises(BadRow, match=r"board\."):
            acrostics.sound(bad)


def test_the_text_form_keeps_all_that_counts() -> None:
    draft = drawn(1, letters=50, spread=10, revealed=2, unclued=1, lines=2)
    text = FAMILY.text.format(draft.puzzle)
    again = FAMILY.text.parse(lines_of(text))
    assert FAMILY.table(again) == FAMILY.table(draft.puzzle)
    assert FAMILY.text.format(again) == text
