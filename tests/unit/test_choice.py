"""Choices: where the right option stands, which options are shown, what proves them, and which replies are read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import Choices, puzzle_type
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import Ask, QuestionKind, Status
from puzzlemill.factory.make import group, make
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.record import check_row
from puzzlemill.generators import family_named
from puzzlemill.questions.choice import (
    CANNOT,
    EITHER,
    LETTERS,
    NONE,
    STRATEGY,
    _plan,
    is_special,
    right_option,
)
from puzzlemill.scoring.prompt import FORMATS
from puzzlemill.scoring.score import score
from puzzlemill.solvers.certify import recheck
from puzzlemill.solvers.engines import Budget

ZEBRA = family_named("zebra")


class Rooms(Choices[Any, Any, Any]):
    """What of one attribute belongs to a place."""

    several, noun, count = True, "name", 5

    def questions(self, puzzle: Any, rng: Rng) -> Iterator[tuple[int, ...]]:
        p = puzzle.spec.params
        yield from rng.shuffled([(place, which) for place in range(p.positions) for which in range(p.attributes)])

    def says(self, puzzle: Any) -> str:
        place, which = puzzle.question.about
        return f"What of column {which + 2} belongs to number {place + 1}?"

    def domain(self, puzzle: Any) -> tuple[str, ...]:
        return tuple(puzzle.style.names[puzzle.question.about[1]])

    def value(self, puzzle: Any, answer: Any) -> str:
        place, which = puzzle.question.about
        return str(ZEBRA.form.write(puzzle, answer)[place][which + 1])

    def distractors(self, puzzle: Any, answer: Any, rng: Rng) -> Iterator[str]:
        yield from rng.shuffled(self.domain(puzzle))


@pytest.fixture(autouse=True)
def rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(ZEBRA), "choices", Rooms(), raising=False)
    monkeypatch.setattr(type(ZEBRA), "questions", (QuestionKind.WHOLE, QuestionKind.CHOICE))


def rows_of(count: int, asks: tuple[str, ...] = ("option",), variants: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    part = {
        "family": "zebra",
        "params": {"positions": 6, "attributes": 3},
        "asks": list(asks),
        "reply_formats": ["json"],
        "variants": [{"name": each, "transforms": [each]} for each in variants],
        "counts": {"train": count},
    }
    recipe = Recipe.from_plain({"name": "choices", "seed": "c", "strata": [part]})
    for index in range(count):
        yield from group(recipe, index).rows


def values_of(row: dict[str, Any]) -> list[str]:
    puzzle = loads(puzzle_type(ZEBRA), row["puzzle"], "puzzle")
    return [ZEBRA.choices.value(puzzle, each) for each in loads(STRATEGY.answer_type(ZEBRA), row["answer"], "answer")]


def test_what_is_right_follows_from_the_values() -> None:
    """An option that holds in some answers only passes for right, or "Cannot be determined" where all answers agree."""
    options = ("red", "blue", "green", NONE, "Either A or B", CANNOT)
    assert right_option(options, ["blue"]) == 1
    assert right_option(options, ["blue", "blue"]) == 1
    assert right_option(options, ["pink"]) == 3
    assert right_option(options, ["pink", "grey"]) == 3  # none of these holds in every answer
    assert right_option(options, ["red", "blue"]) == 4
    assert right_option(options, ["red", "green"]) == 5
    assert right_option(options, ["red", "blue", "green"]) == 5
    assert right_option(options, ["red", "pink"]) == 5
    assert right_option(options[:3], ["pink"]) is None
    assert right_option(options[:4], ["red", "blue"]) is None
    assert right_option(options, []) is None


def test_every_place_and_every_special_option_is_right_as_often_as_the_others() -> None:
    """A guesser who always takes the last letter, or "None of these" where it stands there, earns more than chance."""
    places: Counter[int] = Counter()
    shown: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for number in range(10_000):
        plan = _plan(Rooms(), Ask.OPTION, stream("tests", "plan", number), Rooms.several)
        places[plan.place] += 1
        shown.update(plan.specials)
        right[plan.right] += 1
    expected = 10_000 / 5
    assert sum((places[place] - expected) ** 2 / expected for place in range(5)) < 18.47  # p > .001 with 4 degrees of freedom
    for text in (NONE, CANNOT, EITHER):
        assert abs(right[text] / shown[text] - 1 / 5) < 0.02


def test_rows_are_right_and_keep_their_witnesses() -> None:
    """A row whose stored answers do not show what it claims cannot be checked by anybody."""
    kinds: Counter[str] = Counter()
    for row in rows_of(60):
        assert check_row(row) == []
        assert row["question"] == "choice" and row["ask"] == "option" and len(row["options"]) == 5
        values = values_of(row)
        place = right_option(row["options"], values)
        assert place is not None and json.loads(row["gold_reply"]) == {"answer": LETTERS[place]}
        text = row["options"][place]
        kinds[text if is_special(text) else "value"] += 1
        assert (len(set(values)) == 2) == (text == CANNOT or text.startswith("Either"))
        assert row["guess_baseline"] == 0.2 and row["subtasks"] == 1
        assert len(row["proof"]["formulations"]) == 2 and row["status"] == "unique"
        replies = [json.dumps({"answer": letter}) for letter in LETTERS[:5]]
        assert [score(reply, row).score for reply in replies] == [float(letter == LETTERS[place]) for letter in LETTERS[:5]]
        puzzle = loads(puzzle_type(ZEBRA), row["puzzle"], "puzzle")
        answer = loads(STRATEGY.answer_type(ZEBRA), row["answer"], "answer")
        for engine in ("kernel", "sat"):
            again = recheck(ZEBRA, puzzle, Status.UNIQUE, answer, None, engine, Budget())
            assert again.decided and not again.problem
    assert kinds[CANNOT] and kinds[NONE] and kinds["value"] > 30


def test_a_letter_the_text_or_both_are_read() -> None:
    """A reply that names the right option in another way is not counted, or a wrong one is."""
    row = next(iter(rows_of(1)))
    place = LETTERS.index(json.loads(row["gold_reply"])["answer"])
    for at, text in enumerate(row["options"]):
        letter = LETTERS[at]
        spelt = [letter, letter.lower(), f"({letter})", f"{letter})", text, text.upper(), f"{letter}. {text}", f"Option {letter}"]
        for said in spelt:
            for reply_format in FORMATS:
                reply = {
                    "json": json.dumps({"answer": said}),
                    "tags": f"<answer>{said}</answer>",
                    "boxed": f"So it is \\boxed{{\\text{{{said}}}}}.",
                    "table": f"| {said} |",
                }[reply_format]
                assert score(reply, {**row, "reply_format": reply_format}).score == float(at == place), (reply_format, reply)


def test_the_same_question_without_options_and_the_whole() -> None:
    """A free answer is judged by its value, and the whole by the rules."""
    rows = list(rows_of(3, ("value", "whole", "option")))
    assert sorted(row["ask"] for row in rows) == ["option", "value", "whole"]
    for row in rows:
        assert score(row["gold_reply"], row).solved
        if row["ask"] == "value":
            assert json.loads(row["gold_reply"])["answer"] == values_of(row)[0] and not row["options"]
            assert score(json.dumps({"answer": "nobody"}), row).why == "unreadable"


def test_a_child_in_other_words_has_the_same_options_in_them() -> None:
    """The right letter of a renamed puzzle differs from its parent's: a pair that is to differ in words only."""
    rows = list(rows_of(8, variants=("shuffle_clues",)))
    for parent, child in zip(rows[::2], rows[1::2], strict=True):
        assert parent["options"] == child["options"] and parent["gold_reply"] == child["gold_reply"]


def test_stored_witnesses_that_do_not_fit_are_refused() -> None:
    """A row with two equal witnesses, or one that breaks a clue, is scored as if it were proved."""
    row = make("zebra", positions=6, attributes=3, ask="option", seed="c")
    answer = json.loads(row["answer"])
    for wrong in ([], [answer[0], answer[0]], [answer[0][::-1]], [answer[0]] * 3):
        with pytest.raises(BadRow):
            score(row["gold_reply"], {**row, "answer": json.dumps(wrong)})


def test_options_that_do_not_hold_the_right_one_are_refused() -> None:
    """A row whose options were altered gives its point to a wrong letter."""
    row = next(each for each in rows_of(8) if NONE not in each["options"] and CANNOT not in each["options"])
    puzzle = json.loads(row["puzzle"])
    place = LETTERS.index(json.loads(row["gold_reply"])["answer"])
    puzzle["question"]["options"][place] = "somebody else"
    with pytest.raises(BadRow, match="none of them is right"):
        score("B", {**row, "puzzle": json.dumps(puzzle)})
