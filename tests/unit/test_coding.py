"""Coding: what the class of codes reads into samples, that three formulations agree, options, explanations."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import CodeTable, PhraseTable
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Clue, Spec
from puzzlemill.factory.lazy import Truth, place_by_place
from puzzlemill.factory.make import make
from puzzlemill.generators.coding import FAMILY, Params
from puzzlemill.questions import asked
from puzzlemill.rules import conditions, phrases
from puzzlemill.rules.codes import KINDS, LETTERS, TASKS, Code, codes, fitted, kinds_of, orders_of, read, size, written
from puzzlemill.rules.codes_check import one_code
from puzzlemill.rules.codes_draw import around, careless
from puzzlemill.rules.codes_space import FEW, drawn
from puzzlemill.rules.codes_words import works
from puzzlemill.solvers import kernels
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines

NODES = 1 << 20
# the answers, worked out by hand
KNOWN = (
    ("coding\nFRAME = QEBDL\nBLOCK = KAPJB\nPRIDE = ?", ["QOJDC"]),
    ("coding\nCAT = DBU\nDOG = EPH\nPIG = ?", ["QJH"]),
    ("coding\nCAT = DBU\nDOG = EPH\n? = QJH", ["PIG"]),
    ("coding\nABCDE = EDCBA\nBOARD = DRAOB\nHOUSE = ?", ["ESUOH"]),
    ("coding\nMOON = NLLM\nLATER = OZGVI\nWORD = ?", ["DLIW"]),
    ("coding task=numbers\nCAB = 3 1 2\nFEED = 6 5 5 4\nBED = ?", ["2 5 4"]),
    ("coding task=sums\nCAB = 6\nFED = 15\nHIDE = 26\nBEAD = 12\nACE = ?", ["9"]),
    ("coding task=sentences\nred roses bloom = ka mo pi\nred birds sing = mo zi ta\nred = ?", ["mo"]),
    ("coding task=sentences\nred roses bloom = ka mo pi\nred birds sing = mo zi ta\nroses = ?", ["ka", "pi"]),
    ("coding task=conditions\ncodes: A=1 B=2 C=3\nif ends v c: exchange 1 3\nABC = ?", ["321"]),
    ("coding task=conditions\ncodes: A=1 B=2 C=3\nif ends v v: exchange 1 3\nif letter 2 c: mark 1 2\nABC = ?", ["XX3"]),
    ("coding task=conditions chained\ncodes: A=1 B=2 C=3\nif vowels 1: backwards\nif ends v c: copy 1 3\nABC = ?", ["323"]),
)


def texts(puzzle: Any, answers: Any) -> list[str]:
    return sorted([FAMILY.choices.value(puzzle, answer) for answer in answers])


@pytest.mark.parametrize(("text", "values"), KNOWN)
def test_known_codes(text: str, values: list[str]) -> None:
    """A code of an exam is read in another way, or one of the formulations does not know it."""
    puzzle = FAMILY.text.parse(lines_of(text))
    engines = Engines(FAMILY)
    found = [engines.finding(puzzle, engine, 30) for engine in ("kernel", "space", "sat", "checker")]
    findings = [each for each in found if each is not None]
    assert len(findings) >= 3
    for each in findings:
        assert each.exhausted and texts(puzzle, each.answers) == values
    assert FAMILY.text.parse(lines_of(FAMILY.text.format(puzzle))) == puzzle


def some_code(task: str, decode: bool, rng: Rng) -> Code:
    name = rng.pick(list(kinds_of(task, decode)))
    kind = KINDS[task][name]
    return rng.pick(orders_of(task)), name, rng.below(len(kind.variants)), tuple([rng.pick(list(keys)) for keys in kind.keys])


@pytest.mark.parametrize(("task", "decode"), [(task, decode) for task in TASKS for decode in (False, True)][:5])
def test_fitting_brute_force_and_the_checker_agree(task: str, decode: bool) -> None:
    """One of three statements of the class has an order, a kind or a bound of its own."""
    for number in range(14):
        rng = stream("tests", "codes", task, int(decode), number)
        code = some_code(task, decode, rng)
        words = [tuple([rng.below(26) for _ in range(rng.between(3, 6))]) for _ in range(3)]
        made = [written(task, code, word) for word in words]
        shown = [(word, text) for word, text in zip(words, made, strict=True) if text is not None]
        if len(shown) < 3:
            continue
        known, (word, text) = tuple(shown[: rng.between(0, 2)]), shown[2]
        start, right = (text, word) if decode else (word, text)
        found = kernels.answers(CodeTable(TASKS.index(task), decode, known, start), 1 << 20, NODES)
        outputs = {
            made for made in [(read if decode else written)(task, each, start) for each in fitted(task, decode, known)] if made
        }
        assert found.exhausted and set(found.answers) == outputs
        assert right in outputs
        for _ in range(20):
            tried = list(rng.pick(sorted(outputs)))
            at = rng.below(len(tried))
            tried[at] = (tried[at] + rng.below(3)) % 26
            pair = (tuple(tried), start) if decode else (start, tuple(tried))
            assert one_code(task, decode, [*known, pair]) == (tuple(tried) in outputs)


def test_fitting_is_filtering() -> None:
    """Solving for keys loses a code that trying all of them finds, or adds one."""
    for task, decode in (("letters", False), ("numbers", True), ("sums", False)):
        code = some_code(task, decode, stream("tests", "filter", task))
        words = [tuple([LETTERS.index(letter) for letter in word]) for word in ("LEMON", "CIDER")]
        pairs = [(word, text) for word in words if (text := written(task, code, word)) is not None]
        every = [each for each in codes(task, decode) if all(written(task, each, word) == text for word, text in pairs)]
        assert list(fitted(task, decode, pairs)) == every
        assert size(task, decode) == sum(1 for _ in codes(task, decode))


def test_sentences_by_plain_loops() -> None:
    """Every way to share out the code words of small puzzles, one by one: kernel, SAT and checker must find the same words."""
    for number in range(25):
        rng = stream("tests", "phrases", number)
        sets = [tuple(rng.few(range(6), 3)) for _ in range(2)]
        belongs = rng.shuffled(range(6))
        said = [(words, tuple(rng.shuffled([belongs[word] for word in words]))) for words in sets]
        if rng.chance(1, 3):
            said[0] = (said[0][0], tuple(rng.few(range(6), 3)))
        ways = [
            way for way in permutations(range(6)) if all({way[word] for word in words} == set(names) for words, names in said)
        ]
        word = rng.below(6)
        for decode in (False, True):
            right = {(way.index(word) if decode else way[word],) for way in ways}
            assert set(kernels.answers(PhraseTable(6, decode, tuple(said), word), 10, 1).answers) == right
            for other in range(6):
                pair = (other, word) if decode else (word, other)
                assert phrases.possible(said, 6, *pair) == ((other,) in right)


def test_conditions_by_another_way() -> None:
    """A condition is tested or applied in two ways: from the first place on, and back from each place of the code."""
    for number in range(300):
        rng = stream("tests", "cases", number)
        letters, chained = rng.between(4, 7), rng.chance(1, 2)
        signs, cases, word = conditions.drawn(letters, rng.between(1, 4), rng)
        space = conditions.Cases(("coding", 1), signs, cases, chained, word)
        outputs = [out for each in space.hypotheses(0) if (out := space.output(0, each)) is not None]
        right = tuple([conditions.right(signs, cases, chained, word, place) for place in range(letters)])
        params = Params("conditions", letters=letters, conditions=len(cases), chained=chained and len(cases) > 1)
        assert outputs == [right]
        if params.chained == chained:
            secret = FAMILY.puzzle(Spec(params), (), FAMILY.board(word, (), signs, cases))
            assert kernels.answers(FAMILY.table(secret), 2, 1).answers == (right,)


def test_samples_with_two_readings_are_refused() -> None:
    """Middle letter, even places and vowels are one letter of the sample, but not of the word: that must not pass for unique."""
    puzzle = FAMILY.text.parse(lines_of("coding\nCAT = DCU\nEGG = ?"))
    assert texts(puzzle, Engines(FAMILY).answers(puzzle, 100)) == ["FIH", "GHH"]
    assert all(FAMILY.broken_rules(puzzle, answer) == [] for answer in Engines(FAMILY).answers(puzzle, 100))


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"decode": True},
        {"task": "numbers"},
        {"task": "sums", "samples": 4},
        {"task": "sentences", "samples": 4},
        {"task": "conditions", "chained": True},
    ],
    ids=str,
)
def test_a_row_says_the_code_as_its_trace(params: dict[str, Any]) -> None:
    """The trace does not follow from the samples, or leaves a letter out."""
    for ask in ("whole", "option"):
        row = make("coding", index=1, ask=ask, seed="trace", **params)
        puzzle = loads(puzzle_type(FAMILY), row["puzzle"])
        answer = loads(asked(puzzle).answer_type(FAMILY), row["answer"])
        graded = grade(FAMILY, puzzle, answer)
        if graded is None:
            assert len(answer) > 1
            continue
        assert len(row["trace"]) == 1 and wrong_step(FAMILY, puzzle, graded.steps) == ""
        told = FAMILY.choices.value(puzzle, asked(puzzle).shown(answer))
        assert told in row["trace"][0]["text"]


def test_every_kind_is_told() -> None:
    """The explanation of a kind of code cannot be made, or has two signs in a row."""
    for task in TASKS:
        for number, name in enumerate(KINDS[task]):
            kind = KINDS[task][name]
            for variant in range(len(kind.variants)):
                rng = stream("tests", "told", name, variant)
                code = (rng.pick(orders_of(task)), name, variant, tuple([rng.pick(list(keys)) for keys in kind.keys]))
                word = (5, 17, 0, 12, 4)
                text = written(task, code, word)
                if text is not None:
                    said = works(task, code, [(word, text)], number)
                    assert "FRAME" in said and not any(bad in said for bad in ("+ -", "- -", "  ", " ,", "{")), said


def test_options_tell_nothing() -> None:
    """The right option is the one most like the others, or of a letter or rank of its own, more often than chance."""
    places, alike, ranks = Counter[int](), list[float](), Counter[int]()
    for index in range(150):
        params: dict[str, Any] = ({}, {"task": "numbers", "samples": 3}, {"task": "sums", "samples": 4})[index % 3]
        row = make("coding", index=index, ask="option", seed="options", **params)
        right = "ABCDE".index(row["gold_reply"][-3])
        options = [option for option in row["options"] if option != "None of these"]
        places[right] += 1
        if len(options) < 5:
            continue
        if "task" in params and params["task"] == "sums":
            ranks[sorted(map(int, options)).index(int(options[right]))] += 1
            continue
        signs = [option.split(" ") if " " in option else list(option) for option in options]
        near = [sum(a == b for other in signs for a, b in zip(mine, other, strict=True)) for mine in signs]
        alike.append((near[right] == max(near)) / near.count(max(near)))
        assert len({len(each) for each in signs}) == 1
    assert max(places.values()) < 0.35 * places.total()
    assert max(ranks.values()) < 0.6 * ranks.total()
    assert sum(alike) < 0.36 * len(alike)


def test_each_number_near_a_sum_may_be_the_right_one() -> None:
    """All wrong sums are slips from the right one, which then is the one that has others next to it."""
    ranks, nearest = Counter[int](), 0
    for number in range(2_000):
        right = (200 + number % 50,)
        made = sorted([right[0], *[value for (value,) in around((3, 20, 9), right, stream("tests", "sums", number))]])
        assert len({*made}) == 5
        ranks[made.index(right[0])] += 1
        gaps = [min([abs(mine - other) for other in made if mine != other]) for mine in made]
        nearest += gaps[made.index(right[0])] == min(gaps)
    assert all(abs(count - 400) < 90 for count in ranks.values())
    assert nearest < 0.6 * 2_000  # two or more of five are nearest; it was .95 where all were slips from the right one


def test_no_key_is_wrong_more_often_than_right() -> None:
    """Keys of wrong options reach beyond the largest that is drawn, so that a key there is never right."""
    keys, wrong = Counter[int](), Counter[int]()
    for number in range(4_000):
        rng = stream("tests", "keys", number)
        (key,) = drawn("numbers", False, "plain", rng)[3]
        keys[key] += 1
        made = careless("numbers", ("same", "places", 0, (key,)), "plain", (20, 12, 25, 17), rng.child("wrong"))
        wrong.update({text[0] - 21 for text in made if [sign - text[0] for sign in text] == [0, -8, 5, -3]})
    assert set(keys) == set(wrong) == set(FEW)
    expected = wrong.total() / keys.total()  # wrong options for each right one, whatever the key
    assert all(abs(expected * keys[key] - wrong[key]) < 0.3 * wrong[key] for key in FEW)


def test_place_by_place_is_a_lazy_policy() -> None:
    """The policy solves what it is meant to solve, and no more."""

    def earns(text: str, answer: tuple[int, ...]) -> float:
        return place_by_place(FAMILY, FAMILY.text.parse(lines_of(text)), Truth(answer))

    assert earns("coding\nCAT = DBU\nDOG = EPH\nPIG = ?", (16, 9, 7)) == 1.0
    assert earns("coding\nFRAME = QEBDL\nBLOCK = KAPJB\nPRIDE = ?", (16, 14, 9, 3, 2)) == 0.0
    assert earns("coding task=sentences\nred roses bloom = ka mo pi\nred birds sing = mo zi ta\nred = ?", (1,)) == 1.0


def test_what_is_no_code_is_refused() -> None:
    """A made-up sample must not reach the engines."""
    puzzle = FAMILY.text.parse(lines_of("coding\nCAT = DBU\nDOG = EPH\nPIG = ?"))
    for args in (("CAT",), ("CAT", "DBUX"), ("cat", "DBU"), ("CAT", 5)):
        with pytest.raises(BadRow):
            FAMILY.table(puzzle.with_clues([Clue("s1", "sample", args)]))
