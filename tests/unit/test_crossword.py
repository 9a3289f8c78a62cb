"""Crosswords: fills against all arrangements of a small list, clues that tell no word, replies by number and direction."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import FillTable, Slots
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, Rule, Spec, Status
from puzzlemill.core.words import NUMBERS
from puzzlemill.generators._crossword import MARKED, Board, Params, fitted, grid, least_themed
from puzzlemill.generators._crossword_draw import pool, themed
from puzzlemill.generators._crossword_edits import PARAPHRASED, VAGUE, FewerLetters
from puzzlemill.generators._crossword_grid import CHECKED, LATTICE, STYLES, drawn, is_sound, laid
from puzzlemill.generators.crossword import FAMILY
from puzzlemill.rules import clued
from puzzlemill.rules.crosswords_prompt import SIZES, THEMES
from puzzlemill.scoring.prompt import gold_reply, reply_schema
from puzzlemill.scoring.score import score
from puzzlemill.solvers import kernels
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.transforms.clash import Clash
from puzzlemill.vocabulary.clues import SORTS
from puzzlemill.vocabulary.lexicon import BANDS, words
from rows import row_of
from strategies import model_answers

ENGINES = Engines(FAMILY)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def draft(index: int = 0, *rules: str, **params: int | str) -> AnyDraft:
    rng, spec = stream("tests", "crossword", index), Spec(Params(**params), tuple(map(Rule, rules)))  # type: ignore[arg-type]
    FAMILY.validate(spec)
    return FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng, ENGINES), rng)


def written(made: AnyDraft) -> list[tuple[str, str]]:
    assert made.answer is not None
    return [(row[0], row[1]) for row in FAMILY.form.write(made.puzzle, made.answer)]


# ---- grids --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_grids_are_symmetric_and_hang_together(style: str) -> None:
    """A grid with a word of two letters, a part of its own or a lopsided block is no crossword."""
    seen = set()
    for size in range(3 if style == CHECKED else 5, 16 if style == LATTICE else 11):
        for index in range(6):
            pattern = drawn(size, style, stream("tests", "grids", size, index))
            seen.add(pattern)
            assert pattern == tuple([row[::-1] for row in pattern[::-1]])
            assert is_sound(pattern, style == CHECKED)
            blocks = "".join(pattern).count("#")
            assert style == LATTICE or 5 * blocks <= size * size
            lengths = [len(entry.cells) for entry in laid(pattern).entries]
            assert min(lengths) >= 3
    assert len(seen) > 30


def test_entries_are_numbered_as_newspapers_do() -> None:
    """A wrong number puts a word elsewhere: this is the grid of the paper's appendix A.1."""
    board = Board(("#...#", ".....", ".....", ".....", "....#"))
    assert [entry.label for entry in grid(board).entries] == [
        *("1-Across", "4-Across", "6-Across", "7-Across", "8-Across"),
        *("1-Down", "2-Down", "3-Down", "4-Down", "5-Down"),
    ]
    for pattern in (("..", ".."), ("...#...",), ("...", "...", "..x"), ("...", "....")):
        with pytest.raises(BadRow, match=r"board\.pattern"):
            grid(Board(pattern))


# ---- fills --------------------------------------------------------------------------------------------------------------


def fills(table: FillTable) -> Iterator[Slots]:
    """All fills by trying every combination of words."""
    for chosen in product(*table.lists):
        signs: dict[int, str] = {cell: LETTERS[value] for cell, value in table.letters}
        grid_words = chosen[: len(chosen) - len(table.further)]
        fine = len(set(grid_words)) == len(grid_words)
        for word, cells in zip(chosen, table.entries, strict=True):
            for cell, sign in zip(cells, word, strict=True):
                fine = fine and signs.setdefault(cell, sign) == sign
        if fine:
            yield tuple([LETTERS.index(signs[cell]) for cell in range(table.cells)])


@pytest.mark.slow
def test_the_kernel_finds_all_fills_of_a_small_list() -> None:
    """Two searches may share a mistake; trying every combination of words of small lists shares nothing with them."""
    counts = Counter[int]()
    for index in range(60):
        rng = stream("tests", "fills", index)
        pattern = rng.pick((("...", ".#.", "..."), ("...", "...", "..."), ("....", "....", "#..."[::-1], "...#")[:3]))
        if not is_sound(pattern, False):
            pattern = ("...", ".#.", "...")
        entries = tuple([entry.cells for entry in laid(pattern).entries])
        some = "ABE" if rng.chance(1, 2) else "AB"
        every = ["".join(letters) for letters in product(some, repeat=3)]
        known = [tuple(sorted(rng.few(every, min(len(every), rng.between(3, 9))))) for _ in range(2)]
        lists = tuple([rng.pick(known) if len(cells) == 3 else ("ABBA", "BABA", "EBAB") for cells in entries])
        cells = len(laid(pattern).places)
        letters = ((rng.below(cells), rng.below(2)),) if rng.chance(1, 3) else ()
        table = FillTable(cells, entries, lists, lists, letters)
        if rng.chance(1, 2):  # cells that are read once more
            further = tuple(sorted(rng.few(range(cells), 3)))
            spelt = tuple(sorted(rng.few(every, 4)))
            table = replace(table, entries=(*entries, further), lists=(*lists, spelt), free=(*lists, spelt), further=("marked",))
        expected = set(fills(table))
        found = kernels.answers(table, 100_000, 1_000_000)
        assert found.exhausted
        assert len(found.answers) == len(expected)
        assert set(found.answers) == expected
        counts[min(len(expected), 3)] += 1
    assert len(counts) == 4


def test_a_spent_budget_is_no_count() -> None:
    """A search that was cut off reads as a proof that there is no other fill."""
    three = tuple(sorted(["".join(letters) for letters in product("ABCD", repeat=3)]))
    entries = tuple([entry.cells for entry in laid(("...", ".#.", "...")).entries])
    table = FillTable(8, entries, (three,) * 4, (three,) * 4)
    assert not kernels.answers(table, 1_000_000, 5).decided(1_000_000)
    assert kernels.answers(replace(table, lists=((),) * 4), 10, 5).exhausted


@pytest.mark.parametrize(
    "params",
    [
        {"size": 5, "vague": 100},
        {"size": 5, "style": "checked", "lexicon": "known"},
        {"size": 7, "letters": 10},
        {"size": 9, "lexicon": "rare", "vague": 100},
        {"size": 5, "style": "checked", "lexicon": "known", "unclued": 1},
        {"size": 5, "sorts": "cryptic", "lexicon": "known"},
        {"size": 7, "theme": "food"},
    ],
    ids=str,
)
def test_a_crossword_has_one_fill_by_clauses_and_by_the_kernel(params: dict[str, int | str]) -> None:
    """The row says that it is unique."""
    made = draft(**params)
    certificate = certify(FAMILY, made.puzzle, made.answer, Budget())
    assert certificate.status is Status.UNIQUE
    assert certificate.formulations == ("table:kernel", "model:sat")
    assert model_answers(FAMILY, made.puzzle, 2) == {FAMILY.form.values(made.puzzle.spec, made.puzzle.board, made.answer)}
    assert FAMILY.broken_rules(made.puzzle, made.answer) == []


def test_words_of_different_puzzles_differ() -> None:
    """A kernel that likes some words repeats them in every grid."""
    seen = Counter(word for index in range(30) for word in draft(index, size=5).answer)
    assert len(seen) > 0.75 * seen.total()
    assert max(seen.values()) < 5


def test_a_theme_is_in_the_grid() -> None:
    """A themed crossword without a word of its theme."""
    assert {"MOUSE", "DOG"} <= {word for same in themed("common", "animal").values() for word in same}
    known = {word for same in themed("common", "food").values() for word in same}
    assert all(known.intersection(draft(index, size=7, theme="food").answer) for index in range(3))


@pytest.mark.parametrize(("theme", "size"), [("food", 5), ("person", 9), ("garment", 15)])
def test_the_prompt_says_no_more_of_a_theme_than_is_true(theme: str, size: int) -> None:
    """A prompt that promises three animals in a grid of two."""
    known = {word for same in themed("common", theme).values() for word in same}
    for index in range(3):
        made = draft(index, size=size, theme=theme)
        least = least_themed(made.puzzle.spec.params, made.puzzle.board.pattern)
        assert 1 <= least <= len(known.intersection(made.answer))
        assert f"At least {NUMBERS[least]} of the words can name {THEMES[theme]}." in FAMILY.render(made.puzzle)


def test_marked_cells_decide_what_clues_leave_open() -> None:
    """A rule that changes nothing; words listed for the cells of which other fills have one too."""
    for index in range(4):
        made = draft(index, MARKED, size=5)
        cells, spelt = made.puzzle.board.marked, made.puzzle.board.spelt
        free = replace(made.puzzle, spec=made.puzzle.spec.without_rule(MARKED))
        read = ["".join([LETTERS[fill[cell]] for cell in cells]) for fill in ENGINES.answers(free, 50)]
        assert len(read) > 1
        assert len([word for word in read if word in spelt]) == 1
        certificate = certify(FAMILY, made.puzzle, made.answer, Budget())
        assert (certificate.status, certificate.necessary) == (Status.UNIQUE, (MARKED,))
        other = next(fill for fill in ENGINES.answers(free, 2) if fill != FAMILY.form.values(free.spec, free.board, made.answer))
        assert FAMILY.broken_rules(made.puzzle, FAMILY.form.assemble(free.spec, free.board, other)) == [MARKED]
        assert FAMILY.broken_rules(free, FAMILY.form.assemble(free.spec, free.board, other)) == []
        assert FAMILY.text.parse(lines_of(FAMILY.text.format(made.puzzle))).board == made.puzzle.board
        assert ", ".join(spelt[:-1]) in FAMILY.render(made.puzzle)


# ---- clues --------------------------------------------------------------------------------------------------------------


def test_no_clue_shows_a_word_of_the_grid_and_every_word_carries_its_clue() -> None:
    """A clue that has its answer in it gives it away; one that its word does not carry is wrong."""
    sorts = Counter[str]()
    for index in range(12):
        made = draft(index, size=9)
        barred = clued.forms(made.answer)
        said, _ = fitted(made.puzzle)
        assert [e for _, e, _ in said] == list(range(len(made.answer)))
        for _, e, told in said:
            assert made.answer[e] in told.carriers
            assert not clued.shows(told.text, barred), (told.text, made.answer)
            sorts[told.sort] += 1
    assert set(sorts) == set(SORTS)


def test_carriers_are_of_the_band_and_all_of_them() -> None:
    """A carrier that the row leaves out is a right reply that scores zero."""
    for band in ("common", "known"):
        for told in clued.offers("GREAT", (), band, 40, stream("tests", "offers", band)):
            assert set(told.carriers) <= {word.upper() for word in words(band, 5, 5)}
    both = [
        {told.text: told.carriers for told in clued.offers("GREAT", (), band, 200, stream("tests", "offers"))}
        for band in BANDS[:2]
    ]
    assert all(set(both[0][text]) <= set(both[1][text]) for text in both[0] if text in both[1])


def test_the_prompt_says_how_many_words_there_are() -> None:
    """The number in the prompt is of another lexicon."""
    for band, said in SIZES.items():
        assert abs(len(words(band, 3, 15)) - int(said.replace(",", ""))) <= 500
    assert set(pool("common", "cryptic")) <= set(pool("common", "all"))


def test_other_clues_keep_the_fill() -> None:
    """A paraphrase with another answer; vaguer clues that leave two fills."""
    made = draft(3, size=9, lexicon="rare", vague=0)
    for transform in (PARAPHRASED, VAGUE):
        other = transform.edit(FAMILY, made, stream("tests", "edit"), ENGINES)
        assert other.answer == made.answer
        assert other.puzzle.clues != made.puzzle.clues
        assert ENGINES.count(other.puzzle) == 1
    before, after = (sum([len(told.carriers) for _, _, told in fitted(each.puzzle)[0]]) for each in (made, other))
    assert after > before
    shown = draft(3, size=7, letters=20)
    fewer = FewerLetters().edit(FAMILY, shown, stream("tests", "edit"), ENGINES)
    assert len(fewer.puzzle.clues) < len(shown.puzzle.clues)
    assert ENGINES.count(fewer.puzzle) == 1


def test_a_clash_is_told_by_clues_alone() -> None:
    """A core that names the list of words tells nobody why there is no fill."""
    for index in range(4):
        made = draft(index, size=5)
        clash = Clash().edit(FAMILY, made, stream("tests", "clash", index), ENGINES)
        core = ENGINES.unsat_core(clash.puzzle)
        assert core and set(core) <= {*[clue.id for clue in clash.puzzle.clues], "different"}
        graded = grade(FAMILY, clash.puzzle, None)
        assert graded is not None
        assert explain_all(FAMILY, clash.puzzle, graded.steps)[-1].endswith("So there is no answer.")


# ---- replies ------------------------------------------------------------------------------------------------------------


def test_replies_name_words_in_any_order() -> None:
    """The paper's replies are objects by number and direction; one in another order is as right."""
    made = draft(1, size=5)
    rows = written(made)
    row = row_of(FAMILY, made.puzzle, made.answer, "json")
    assert gold_reply(made.puzzle, made.answer, "json") == json.dumps({"answer": dict(rows)})
    assert score(json.dumps({"answer": {label: word.lower() for label, word in reversed(rows)}}), row).solved
    assert score(json.dumps({"answer": [list(each) for each in rows]}), row).solved
    lines = "\n".join([f"{label}: {word}" for label, word in rows])
    assert score(f"<answer>\n{lines}\n</answer>", row_of(FAMILY, made.puzzle, made.answer, "tags")).solved
    assert set(reply_schema(made.puzzle)["properties"]["answer"]["properties"]) == {label for label, _ in rows}


def test_missing_words_are_blank_and_wrong_ones_cost_what_they_cover() -> None:
    """A reply that gives up half of the words, or has one of another length, reads as nothing."""
    made = draft(1, size=5)
    rows = dict(written(made))
    row = row_of(FAMILY, made.puzzle, made.answer, "json")
    across = {label: word for label, word in rows.items() if label.endswith("Across")}
    verdict = score(json.dumps({"answer": across}), row)
    cells = {cell for entry in grid(made.puzzle.board).entries if entry.way == "Across" for cell in entry.cells}
    every = len(grid(made.puzzle.board).places)
    assert (verdict.why, verdict.subtask, verdict.complete) == ("incomplete", len(cells) / every, len(cells) / every)
    first = next(iter(rows))
    assert score(json.dumps({"answer": {**rows, first: rows[first] + "S"}}), row).broken == ("malformed",)
    assert score(json.dumps({"answer": {**rows, first: "?" * 5}}), row).why == "incomplete"
    assert score(json.dumps({"answer": {**rows, "99-Down": "WORD"}}), row).why == "unreadable"


def test_an_extra_letter_costs_its_word_alone() -> None:
    """Letters of a word that is too long count as found, or the right words beside it as lost."""
    made = draft(1, size=5)
    row, rows = row_of(FAMILY, made.puzzle, made.answer, "json"), dict(written(made))
    entries = grid(made.puzzle.board).entries
    for n, entry in enumerate(entries):
        word = rows[entry.label]
        verdict = score(json.dumps({"answer": {**rows, entry.label: word[:2] + "E" + word[2:]}}), row)
        others = {cell for other in (*entries[:n], *entries[n + 1 :]) for cell in other.cells}
        assert not verdict.solved
        assert verdict.subtask <= len(others) / len(grid(made.puzzle.board).places)


def test_lists_of_words_and_single_letters_earn_nothing() -> None:
    """All carriers in a reply, or one letter everywhere, are no solution."""
    made = draft(1, size=5, vague=100)
    row = row_of(FAMILY, made.puzzle, made.answer, "json")
    rows = written(made)
    said = {clue.id: [*told.carriers, "WORD"] for clue, _, told in fitted(made.puzzle)[0]}
    assert score(json.dumps({"answer": {label: " ".join(said[label]) for label, _ in rows}}), row).score == 0
    assert score(json.dumps({"answer": {label: said[label] for label, _ in rows}}), row).score == 0
    for letter in LETTERS:
        assert score(json.dumps({"answer": {label: letter * len(word) for label, word in rows}}), row).credit == 0


# ---- texts --------------------------------------------------------------------------------------------------------------


def test_a_word_without_a_line_is_any_of_the_lexicon() -> None:
    """check must not take the words of the other clues for the whole list."""
    text = "crossword\n...\n.*.\n...\n1-Across definition: Small sum = TIP\n3-Across kind: Food = NUT\n1-Down kind: Number = TEN"
    puzzle = FAMILY.text.parse(lines_of(text))
    found = {FAMILY.form.assemble(puzzle.spec, puzzle.board, values)[3] for values in ENGINES.answers(puzzle, 50)}
    assert found == {word.upper() for word in words("common", 3, 3) if word[0] == "p" and word[2] == "t"}
    assert FAMILY.text.parse(lines_of(FAMILY.text.format(puzzle))) == puzzle
