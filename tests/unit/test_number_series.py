"""Number series: what the grammar reads into terms, that three formulations read the same, and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import SeriesTable
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Spec
from puzzlemill.factory.lazy import Truth, differences_then_ratios
from puzzlemill.factory.make import make
from puzzlemill.generators._number_series import beside
from puzzlemill.generators.number_series import FAMILY, Params, _asked, _shown
from puzzlemill.questions import asked
from puzzlemill.rules.series import GROUPS, HIGH, KINDS
from puzzlemill.rules.series_check import follows
from puzzlemill.rules.series_space import UNKNOWN, drawn, explained
from puzzlemill.rules.series_words import works
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.kernels import series
from puzzlemill.vocabulary.series import in_roman, in_words

# with the numbers that may stand in the gap, worked out by hand
AMBIGUOUS = (
    ("1 2 4 8 16 ?", {32, 23}),  # doubled; or the sum of the digits added
    ("5 7 11 13 17 ?", {19, 23}),  # primes, or +2 and +4 by turns; or primes with 2 subtracted
    ("5 7 11 13 17 19 23 ?", {29, 25}),  # primes; or +2 and +4 by turns
    ("6 8 12 14 18 20 24 ?", {30, 26}),  # primes with 1 added; or +2 and +4 by turns
    ("12 15 21 24 30 33 39 ?", {42, 51}),  # +3 and +6 by turns; or the sum of the digits added
    ("2 3 3 5 4 7 5 ?", {9, 11}),  # odd numbers or primes in the even places
    ("10 3 20 5 30 7 40 ?", {9, 11}),
    ("10 11 13 17 25 ?", {41, 32}),  # doubled differences; or the sum of the digits added
)
PLAIN = (
    ("3 7 11 15 ? 23", 19),
    ("3 6 12 ? 48 96", 24),
    ("1 4 9 16 25 ?", 36),
    ("1 8 27 64 125 ?", 216),
    ("2 3 5 7 11 ?", 13),
    ("1 1 2 3 5 8 ?", 13),
    ("43 41 44 39 46 ?", 35),
    ("1 2 6 24 120 ?", 720),
    ("5 11 23 47 95 ?", 191),
    ("4 7 14 17 34 37 ?", 74),
)


def terms_of(text: str) -> tuple[int, ...]:
    return tuple([UNKNOWN if word == "?" else int(word) for word in text.split()])


@pytest.mark.parametrize(("text", "values"), AMBIGUOUS)
def test_series_with_two_readings_are_known(text: str, values: set[int]) -> None:
    """A series that two rules of the grammar explain would be kept with one of its answers."""
    terms = terms_of(text)
    assert {term for _, _, term in explained(terms)} == values
    found = series.answers(SeriesTable(terms, terms.index(UNKNOWN)), 10, 1 << 20)
    assert {value for (value,) in found.answers} == values and found.exhausted
    puzzle = FAMILY.text.parse(lines_of(f"number_series\n{text}"))
    assert Engines(FAMILY).count(puzzle, 3) == len(values)
    assert all(FAMILY.broken_rules(puzzle, (value,)) == [] for value in values)


@pytest.mark.parametrize(("text", "value"), PLAIN)
def test_series_with_one_reading(text: str, value: int) -> None:
    """A plain series is not read, or read in another way too."""
    terms = terms_of(text)
    assert {term for _, _, term in explained(terms)} == {value}
    assert series.answers(SeriesTable(terms, terms.index(UNKNOWN)), 10, 1 << 20).answers == ((value,),)


def test_a_hundred_series_that_look_alike_but_have_two_rules_are_refused() -> None:
    """What is drawn with two readings must be drawn again: none of these may come out of sample_solution."""
    refused = 0
    for number in range(4_000):
        rng = stream("tests", "look-alikes", number)
        found = drawn("interleaved", 8, rng.child("rule"))
        secret = None if found is None else _asked("next", found[1], rng.child("place"))
        if secret is None:
            continue
        readings = {each[1:] for each in explained(_shown(secret))}
        if len(readings) > 1:
            refused += 1
            puzzle = FAMILY.make_puzzle(Spec(Params(8, "next")), secret, rng).puzzle
            assert Engines(FAMILY).count(puzzle) == 2
        if refused == 100:
            return
    pytest.fail(f"only {refused} series have two readings")


@pytest.mark.parametrize("group", GROUPS)
def test_fitting_brute_force_and_the_checker_agree(group: str) -> None:
    """One of three statements of the grammar has a rule, a bound or a number of terms of its own."""
    for number in range(12):
        rng = stream("tests", "series", group, number)
        found = drawn(group, rng.between(8, 10) if group == "interleaved" else rng.between(6, 10), rng.child("rule"))
        if found is None:
            continue
        at = rng.below(len(found[1]))
        terms = tuple([UNKNOWN if i == at else term for i, term in enumerate(found[1])])
        fitted = {term for _, _, term in explained(terms)}
        assert found[1][at] in fitted
        assert {value for (value,) in series.answers(SeriesTable(terms, at), 100, 1 << 20).answers} == fitted
        for value in (*fitted, *found[1], found[1][at] + 1, rng.below(HIGH + 1)):
            assert follows([value if i == at else term for i, term in enumerate(terms)], at) == (value in fitted)


def test_a_wrong_term_is_one_that_alone_can_be_mended() -> None:
    """Two terms of which either may be the wrong one, or a mistake that is none."""
    for number in range(6):
        spec = Spec(Params(6 + number % 5, "wrong"))
        secret = FAMILY.sample_solution(spec, stream("tests", "wrong", number), Engines(FAMILY))
        draft = FAMILY.make_puzzle(spec, secret, stream("tests", 0))
        assert draft.answer == (secret.at, secret.terms[secret.at])
        assert series.answers(FAMILY.table(draft.puzzle), 10, 1 << 20).answers == (draft.answer,)
        assert FAMILY.broken_rules(draft.puzzle, (secret.at, secret.shown)) == ["pattern"]


def test_every_rule_is_told_with_its_terms() -> None:
    """The explanation of a rule leaves out a term, or fails to be made."""
    met = Counter[str]()
    for number in range(1_500):
        found = drawn("any", 6, stream("tests", "words", number))
        if found is not None and len(found[0].strands) == 1:
            met[found[0].strands[0][0]] += 1
            text = works(*found, voice=number)
            assert "{" not in text and "+ -" not in text and "- -" not in text, text
            name = found[0].strands[0][0]
            if "difference" not in text and "steps are" not in text and name not in ("add", "times", "divide", "primes"):
                assert all(str(term) in text for term in found[1]), text
    assert set(met) == set(KINDS)


def test_a_row_says_the_rule_as_its_trace() -> None:
    """The trace of a series does not follow from its terms, also where options are shown."""
    for index, task in enumerate(("missing", "next", "wrong")):
        for ask in ("whole", "option"):
            row = make("number_series", task=task, index=index, ask=ask, seed="trace")
            assert len(row["trace"]) == 1 and row["difficulty"]["band"] in ("easy", "medium", "hard")
            puzzle = loads(puzzle_type(FAMILY), row["puzzle"])
            graded = grade(FAMILY, puzzle, loads(asked(puzzle).answer_type(FAMILY), row["answer"]))
            assert graded is not None and wrong_step(FAMILY, puzzle, graded.steps) == ""
            assert "slots are left open" in wrong_step(FAMILY, puzzle, graded.steps[1:])
    secret = FAMILY.sample_solution(Spec(Params(8)), stream("tests", "steps"), Engines(FAMILY))
    draft = FAMILY.make_puzzle(Spec(Params(8)), secret, stream("tests", 0))
    graded = grade(FAMILY, draft.puzzle, draft.answer)
    assert graded is not None and wrong_step(FAMILY, draft.puzzle, graded.steps) == ""
    assert str(draft.answer[0]) in explain_all(FAMILY, draft.puzzle, graded.steps)[0]


def test_options_stand_around_the_right_number_evenly() -> None:
    """Always the middle option, or the largest, is right more often than chance."""
    ranks, places = Counter[int](), Counter[int]()
    for index in range(120):
        row = make("number_series", task="next", terms=6, ask="option", index=index, seed="ranks")
        at = "ABCDE".index(row["gold_reply"][-3])
        places[at] += 1
        values = [int(text) for text in row["options"] if text.isdigit()]
        if len(values) == 5:
            ranks[sorted(values).index(int(row["options"][at]))] += 1
    assert max(ranks.values()) < 0.4 * ranks.total() and max(places.values()) < 0.35 * places.total()


def test_cubes_are_no_options() -> None:
    """Whoever knows the cubes by heart takes the only one."""
    assert list(beside((1, 8, 27, 64, UNKNOWN), 125, stream("tests", "cubes"))) == []
    for number in range(200):
        for value in beside((3, 11, 27, 59, 123, UNKNOWN), 251, stream("tests", "cubes", number)):
            assert round(value ** (1 / 3)) ** 3 != value


def test_remarks_are_about_a_number_that_is_shown() -> None:
    """A remark names the number that is sought, or could be anything."""
    row = make("number_series", transforms=("red_herring",), seed="remarks")
    puzzle = loads(puzzle_type(FAMILY), row["puzzle"])
    ((_, remark),) = puzzle.style.asides
    assert remark.casefold() in row["prompt"].casefold()
    assert any(str(term) in remark for term in puzzle.board.terms if term != UNKNOWN)
    with pytest.raises(BadRow, match="asides"):
        FAMILY.render(replace(puzzle, style=replace(puzzle.style, asides=((0, "The answer is 5."),))))


@pytest.mark.parametrize("task", ["missing", "next", "wrong"])
def test_a_series_without_a_pattern(task: str) -> None:
    """A clash whose terms some rule explains after all, or that looks nothing like its parent."""
    for index in range(3):
        row = make("number_series", transforms=("clash",), task=task, index=index, seed="clash")
        terms = loads(puzzle_type(FAMILY), row["puzzle"]).board.terms
        assert row["status"] == "unsolvable" and row["proof"]["formulations"] == ["table:kernel", "model:space"]
        places = [terms.index(UNKNOWN)] if UNKNOWN in terms else range(len(terms))
        for at in places:
            assert not any(follows([*terms[:at], term, *terms[at + 1 :]], at) for term in range(0, HIGH + 1, 10))


def test_numbers_are_written_in_words_and_in_roman_numerals() -> None:
    written = {0: "zero", 13: "thirteen", 40: "forty", 99: "ninety-nine", 700: "seven hundred", 2001: "two thousand and one"}
    assert {number: in_words(number) for number in written} == written
    assert in_words(9846) == "nine thousand eight hundred and forty-six"
    assert [in_roman(number) for number in (4, 9, 48, 444, 1990, 3999)] == ["IV", "IX", "XLVIII", "CDXLIV", "MCMXC", "MMMCMXCIX"]
    assert len({in_words(number) for number in range(HIGH + 1)}) == HIGH + 1
    plain, child = (make("number_series", transforms=names, seed="written") for names in ((), ("roman",)))
    terms = [int(n) for n in loads(puzzle_type(FAMILY), child["puzzle"]).board.terms if n != UNKNOWN]
    assert plain["answer"] == child["answer"] and all(in_roman(n) in child["prompt"] for n in terms)
    puzzle = FAMILY.text.parse(lines_of("number_series\n4000 4001 4002 4003 4004 ?"))
    with pytest.raises(BadRow, match="for numbers below 4000"):
        FAMILY.render(replace(puzzle, style=replace(puzzle.style, theme="roman")))


def test_differences_then_ratios_is_a_lazy_policy() -> None:
    """The policy solves what it is meant to solve, and no more."""

    def earns(text: str, answer: tuple[int, ...]) -> float:
        return differences_then_ratios(FAMILY, FAMILY.text.parse(lines_of(f"number_series\n{text}")), Truth(answer))

    assert earns("3 7 11 15 ? 23", (19,)) == 1.0
    assert earns("3 6 12 24 48 ?", (96,)) == 1.0
    assert earns("1 4 9 16 25 ?", (36,)) == 0.0
    assert earns("3 7 12 15 19 23", (2, 11)) == 1.0


def test_what_is_no_series_is_refused() -> None:
    """A made-up board of any length or value must not reach the engines."""
    with pytest.raises(BadParams, match="terms must be 8 to 10 where rule is interleaved"):
        FAMILY.validate(Spec(Params(7, rule="interleaved")))
    for text in ("1 2 3 4 5", "1 2 3 ? 5 ?", "1 2 3 4 5 10000", "7 7 7 7 7 7", "1 2 3 4 5 x"):
        with pytest.raises(BadRow):
            FAMILY.text.parse(lines_of(f"number_series\n{text}"))
