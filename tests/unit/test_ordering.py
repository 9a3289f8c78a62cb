"""Orderings: that three formulations say the same, that words count as they say, and which options are right how often."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import BLANK, COMPOSITES, RELATIONS
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyPuzzle, Clue, Question, QuestionKind, Spec
from puzzlemill.factory.lazy import Truth, as_named
from puzzlemill.factory.make import make
from puzzlemill.generators._ordering_questions import AFTER, BETWEEN, MORE, NOBODY, ORDER, RANK, WHO, WHO_LAST, places_of
from puzzlemill.generators.ordering import FAMILY as ORDERING
from puzzlemill.generators.ordering import Params
from puzzlemill.questions import asked
from puzzlemill.scoring.prompt import FORMATS
from puzzlemill.scoring.score import score
from puzzlemill.solvers import kernels
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.search import answers as searched
from puzzlemill.vocabulary.themes import orders
from strategies import model_answers

FAMILY: AnyFamily = ORDERING
PLAIN = [kind for kind in RELATIONS if kind not in COMPOSITES]
LETTERS = "ABCDE"


@lru_cache(maxsize=32)
def puzzle_of(persons: int, ties: int = 0) -> AnyPuzzle:
    rng, spec = stream("ordering tests", persons, ties), Spec(Params(persons, ties))
    hidden = FAMILY.sample_solution(spec, rng.child("fill"), Engines(FAMILY))
    return FAMILY.make_puzzle(spec, hidden, rng.child("pose")).puzzle


def statements(n: int, many: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every plain statement about so many persons at n places, each once."""
    persons = range(many)
    for v in persons:
        yield from ((kind, (0, v)) for kind in ("end", "not_end"))
        yield from ((kind, (0, v, p)) for kind in ("at", "not_at", "up_to", "from") for p in range(n))
    for v, w in combinations(persons, 2):
        yield from ((kind, (0, v, 0, w)) for kind in ("next", "same", "not_same"))
        yield from ((kind, (0, v, 0, w, d)) for kind in ("apart", "far") for d in range(2, n))
    for v, w in permutations(persons, 2):
        yield from ((kind, (0, v, 0, w)) for kind in ("just_left", "left"))
        yield from (("ahead", (0, v, 0, w, d)) for d in range(2, n))
    for v in persons:
        yield from (("between", (0, v, 0, w, 0, x)) for w, x in combinations([w for w in persons if w != v], 2))


def holds(kind: str, args: tuple[int, ...], at: tuple[int, ...], n: int) -> bool:
    """What a statement says of places from 1 to n, in other words than anywhere else."""
    places = [at[v] + 1 for v in args[1::2]] if len(args) % 2 == 0 else [at[v] + 1 for v in args[1:-1:2]]
    number = args[-1] if len(args) % 2 else 0
    first, second = places[0], places[-1]
    ranked = sorted(places)
    return {
        "at": first - 1 == number,
        "not_at": first - 1 != number,
        "end": first in (1, n),
        "not_end": 1 < first < n,
        "up_to": first <= number + 1,
        "from": first > number,
        "same": first == second,
        "not_same": first != second,
        "next": ranked[-1] - ranked[0] == 1,
        "just_left": second - first == 1,
        "left": second > first,
        "ahead": second - number == first,
        "apart": ranked[-1] - ranked[0] == number,
        "far": ranked[-1] - ranked[0] >= number,
        "between": len(set(places)) == 3 and ranked[1] == first,
    }[kind]


# ---- meaning ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("persons", "ties"), [(4, 0), (4, 1), (5, 2)])
def test_every_statement_has_one_meaning_in_all_formulations(persons: int, ties: int) -> None:
    """Model, kernel, checker and plain loops over all arrangements disagree about what some clue says."""
    puzzle, n = puzzle_of(persons, ties), persons - ties
    if ties:
        every = [at for at in product(range(n), repeat=persons) if set(at) == set(range(n))]
    else:
        every = list(permutations(range(n)))
    told = list(statements(n, persons))
    assert {kind for kind, _ in told} == set(PLAIN)
    for kind, args in told if persons < 5 else stream("some").sample(told, 60):
        one = puzzle.with_clues([Clue("k1", kind, args)])
        expected = {answer for answer in every if holds(kind, args, places_of(one, answer), n)}
        assert {answer for answer in every if not FAMILY.broken_rules(one, answer)} == expected, (kind, args)
        assert model_answers(FAMILY, one, len(every) + 1) == expected, (kind, args)
        if not ties:
            assert set(kernels.answers(FAMILY.table(one), len(every) + 1, 100_000).answers) == expected, (kind, args)
    free = puzzle.with_clues([])
    assert set(searched(FAMILY, free, len(every) + 1, 200_000).answers) == set(every)


def test_every_wrong_answer_is_named() -> None:
    """Somebody twice, a place without anybody, a clue that does not hold."""
    puzzle = FAMILY.text.parse(lines_of("ordering\nname: Ann, Bea, Cyd, Dan\nleft(Ann, Bea)\nahead(Cyd, Dan, 2)"))
    assert FAMILY.broken_rules(puzzle, (2, 0, 3, 1)) == []
    assert FAMILY.broken_rules(puzzle, (1, 0, 2, 3)) == ["k1", "k2"]
    assert FAMILY.broken_rules(puzzle, (0, 0, 2, 3)) == ["once", "k1", "k2"]
    assert FAMILY.broken_rules(puzzle, (0, 1, 2)) == ["malformed"]
    assert FAMILY.broken_rules(puzzle, (BLANK, 0, BLANK, 1), partial=True) == []
    tied = FAMILY.text.parse(lines_of("ordering\nname: Ann, Bea, Cyd, Dan\nplaces: 3\nsame(Ann, Bea)\nup_to(Cyd, 2)"))
    assert FAMILY.broken_rules(tied, (2, 2, 1, 0)) == []
    assert FAMILY.broken_rules(tied, (1, 1, 0, 0)) == ["taken"]
    assert FAMILY.broken_rules(tied, (0, 1, 2, 0)) == ["k1", "k2"]


def test_arrangements_are_drawn_evenly() -> None:
    """With ties, a place that many share must come up as often as it does among all arrangements."""
    spec, found = Spec(Params(4, 1)), Counter[tuple[int, ...]]()
    for number in range(3_600):
        found[FAMILY.sample_solution(spec, stream("even", number), Engines(FAMILY))] += 1
    assert len(found) == 36  # onto three places
    assert sum((times - 100) ** 2 / 100 for times in found.values()) < 66.6  # p > .001 with 35 degrees of freedom


def test_two_formulations_find_the_hidden_order() -> None:
    """A clue is drawn that is not true, or clues are left out until other orders fit."""
    for number in range(60):
        rng = stream("ordering", "proved", number)
        params = Params(4 + number % 4, number % 3 if 4 + number % 4 - number % 3 > 2 else 0, looser=number % 5 == 0)
        spec, engines = Spec(params), Engines(FAMILY)
        draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child(0), engines), rng.child(1))
        kept = engines.minimize(draft.puzzle, FAMILY.clues.removal_order(draft, rng.child(2)), 0)
        puzzle = draft.puzzle.with_clues([draft.puzzle.clues[i] for i in kept])
        assert model_answers(FAMILY, puzzle, 2) == {draft.answer}
        assert searched(FAMILY, puzzle, 2, 200_000).answers == (draft.answer,)


# ---- words --------------------------------------------------------------------------------------------------------------


def test_every_kind_has_six_wordings_or_more_on_every_axis() -> None:
    """A kind with few wordings is told in the same words in every prompt."""
    for world in orders().values():
        for kind in set(PLAIN) - ({"same", "not_same"} if not world.name.endswith("_shared") else set()):
            assert len(set(world.axis.phrases[kind])) >= 6, (world.name, kind)
            for clause in world.axis.clauses[kind]:
                assert kind == "end" or not re.search(r"\bor\b|\bif\b|\beither\b", clause), clause
        assert len(world._wordings.composites["if"]) >= 6


@lru_cache(maxsize=512)
def _truths(kind: str, args: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    """The places of four persons, of five places, for which a statement is true."""
    return frozenset([at for at in product(range(5), repeat=4) if holds(kind, args, at, 5)])


def test_every_sentence_is_tidy_and_says_one_thing() -> None:
    """Two statements share a sentence, a place is left unfilled, or a count has the wrong noun."""
    for world in orders().values():
        shared, n = world.name.endswith("_shared"), 5
        attribute = world.attributes[0]
        told: dict[str, frozenset[tuple[int, ...]]] = {}
        for kind, args in statements(n, 4):
            number = args[-1] if len(args) % 2 else 0
            if (kind in ("same", "not_same") and not shared) or (kind in ("up_to", "from") and not 0 < number < n - 1):
                continue
            values = args[1::2] if len(args) % 2 == 0 else args[1:-1:2]
            named = [(attribute, attribute.values[v]) for v in values]
            for choice in range(len(world.axis.phrases[kind])):
                text = world.sentence(kind, named, number, n, choice)
                assert told.setdefault(text, _truths(kind, args)) == _truths(kind, args), text
                assert text[0].isupper() and text.endswith(".") and not re.search(r"[{}]|  |\.\.| \.|\b(\w+) \1\b", text), text
                assert not re.search(r"\b(?:one|1) (?:people|places|floors|days|ranks|runners|months)\b", text), text
                assert not re.search(r"\b(?:two|three|four|five) (?:person|place|floor|day|rank|runner|month)\b", text), text


def test_counts_in_words_count_persons_or_places() -> None:
    """ "Exactly two people are between" means a distance of three."""
    world = orders()["heights"]
    one, two = [(world.attributes[0], name) for name in ("Aisha", "Bjorn")]
    assert world.sentence("apart", [one, two], 3, 6, 0) == "Exactly two people rank between Aisha and Bjorn by height."
    assert world.sentence("far", [one, two], 2, 6, 0) == "At least one person ranks between Aisha and Bjorn by height."
    said = {world.sentence("at", [one], 2, 6, choice) for choice in range(7)}
    assert said == {
        "Aisha is the third-tallest.",
        "Aisha is third in the order from the tallest to the shortest.",
        "Aisha is the fourth-shortest.",
        "Exactly two of the others are taller than Aisha.",
        "Exactly three of the others are shorter than Aisha.",
        "Aisha ranks third from the top by height.",
        "Aisha ranks fourth from the bottom by height.",
    }
    assert "None of the others is taller than Aisha." in {world.sentence("at", [one], 0, 6, choice) for choice in range(7)}
    said = {world.sentence("up_to", [one], 1, 6, choice) for choice in range(6)}
    assert {"Aisha is one of the two tallest.", "At most one of the others is taller than Aisha."} < said
    assert (
        "At least four of the others are shorter than Aisha." in said
        and "Aisha is not among the last four in the order" in " ".join(said)
    )


# ---- questions ----------------------------------------------------------------------------------------------------------


def value(about: tuple[int, ...], answer: tuple[int, ...], text: str) -> tuple[str, str]:
    puzzle = FAMILY.text.parse(lines_of(text))
    puzzle = replace(puzzle, question=Question(QuestionKind.CHOICE, about=about))
    return FAMILY.choices.value(puzzle, answer), FAMILY.choices.says(puzzle)


def test_values_of_questions_by_hand() -> None:
    """A place counted from the wrong end, or between two that are counted themselves."""
    text = "ordering\nname: Ann, Bea, Cyd, Dan, Eve"
    order = (3, 0, 4, 1, 2)  # Dan, Ann, Eve, Bea, Cyd
    assert value((WHO, 1), order, text)[0] == "Ann"
    assert value((WHO_LAST, 1), order, text)[0] == "Ann"
    assert value((RANK, 2), order, text)[0] == "5"
    assert value((RANK + 1, 1), order, text)[0] == "2"
    assert value((BETWEEN, 0, 2), order, text)[0] == "2"
    assert value((MORE, 4), order, text)[0] == "2"
    assert value((MORE + 1, 4), order, text)[0] == "2"
    assert value((AFTER, 4), order, text)[0] == "Bea"
    assert value((AFTER, 2), order, text)[0] == NOBODY
    assert value((AFTER + 1, 4), order, text)[0] == "Ann"
    assert value((ORDER, 0, 1, 3), order, text)[0] == "Dan, Ann, Bea"
    tied = f"{text}\nplaces: 3"
    assert value((RANK, 0), (2, 0, 0, 1, 2), tied)[0] == "3"
    assert value((MORE, 0), (2, 0, 0, 1, 2), tied)[0] == "3"
    with pytest.raises(BadRow, match="no question about an order"):
        value((WHO, 1), (2, 0, 0, 1, 2), tied)


def test_no_option_is_right_more_often_than_others() -> None:
    """A letter, the longest text, the first name of the alphabet, or the middle number earns more than chance."""
    places, ranks, names, kinds = Counter[int](), Counter[int](), Counter[int](), Counter[str]()
    longest = [0, 0]
    for index in range(300):
        row = make("ordering", persons=6 + index % 3, ask="option", index=index, seed="ranks")
        at = LETTERS.index(re.findall(r"\b[A-E]\b", row["gold_reply"])[-1])
        places[at] += 1
        kinds[json.loads(row["puzzle"])["question"]["about"][0]] += 1
        values = [text for text in row["options"] if not re.match(r"None of|Cannot|Either", text)]
        right = row["options"][at]
        if right in values and len(values) == 5:
            if right[0].isdigit():
                ranks[sorted(values, key=lambda text: int(re.match(r"\d+", text).group())).index(right)] += 1  # type: ignore[union-attr]
            elif "," not in right:
                names[sorted(values).index(right)] += 1
                longest[0] += len(right) == max(map(len, values))
                longest[1] += sum(len(text) == max(map(len, values)) for text in values) / 5 > 0
    assert max(places.values()) < 0.28 * places.total()
    assert max(ranks.values()) < 0.4 * ranks.total() and max(names.values()) < 0.4 * names.total()
    assert set(kinds) == set(range(10))


def test_free_answers_of_every_kind_are_read() -> None:
    """An order of three, "nobody" or a number is written in a way that no reply format can hold."""
    met: set[int] = set()
    for index in range(80):
        row = make("ordering", persons=6, ask="value", index=index, seed="free", reply_format=FORMATS[index % len(FORMATS)])
        met.add(json.loads(row["puzzle"])["question"]["about"][0])
        assert score(row["gold_reply"], row).score == 1.0, row["gold_reply"]
        assert ('"nobody" if' in row["prompt"]) == (json.loads(row["puzzle"])["question"]["about"][0] in (AFTER, AFTER + 1))
    assert met == set(range(10))


def test_rows_are_traced_and_checked() -> None:
    """A step that does not follow, of a whole order or of a question about one."""
    for index in range(12):
        row = make("ordering", persons=4 + index % 5, index=index, seed="trace", ask=("whole", "option", "value")[index % 3])
        puzzle = loads(puzzle_type(FAMILY), row["puzzle"])
        stored = loads(asked(puzzle).answer_type(FAMILY), row["answer"])
        graded = grade(FAMILY, puzzle, stored)
        if row["trace"]:
            assert graded is not None and wrong_step(FAMILY, puzzle, graded.steps) == ""
            assert all(" None" not in step["text"] for step in row["trace"])


def test_dated_steps_name_days() -> None:
    """ "place 2" where everybody speaks of Tuesday."""
    text = "ordering\nname: Aisha, Bjorn, Carmen, Dmitri\nat(Aisha, 2)\njust_left(Aisha, Bjorn)\nleft(Dmitri, Carmen)"
    plain = FAMILY.text.parse(lines_of(text))
    puzzle = replace(plain, style=replace(plain.style, theme="days", symbols=()))
    graded = grade(FAMILY, puzzle, (3, 0, 1, 2))
    assert graded is not None
    row: Any = [FAMILY.words(puzzle).standing([(0, 1), (1, 2)]), *FAMILY.checks(puzzle, (3, 0, 1, 2))]
    assert row[0] == "Aisha is down for Tuesday and Bjorn down for Wednesday"
    assert "Day 1" not in FAMILY.render(puzzle) and "from Monday to Thursday" in FAMILY.render(puzzle)


# ---- the rest -----------------------------------------------------------------------------------------------------------


def test_naming_everybody_in_the_order_of_the_clues_is_a_lazy_policy() -> None:
    puzzle = FAMILY.text.parse(lines_of("ordering\nname: Ann, Bea, Cyd, Dan\nleft(Cyd, Ann)\nleft(Ann, Dan)\nleft(Dan, Bea)"))
    assert as_named(FAMILY, puzzle, Truth((2, 0, 3, 1))) == 1.0
    assert as_named(FAMILY, puzzle, Truth((0, 2, 3, 1))) == 0.0
    assert as_named(FAMILY, puzzle.with_clues(puzzle.clues[:1]), Truth((2, 0, 3, 1))) == 0.5


def test_what_is_no_ordering_is_refused() -> None:
    with pytest.raises(BadParams, match="3 places or more"):
        FAMILY.validate(Spec(Params(5, 3)))
    for text in (
        "ordering",
        "ordering\nname: Ann",
        "ordering\nname: Ann, Ann",
        "ordering\nname: Ann, Bea, Cyd\nplaces: 3",
        "ordering\nname: Ann, Bea, Cyd\nplaces: 2\nat(Ann, 3)",
        "ordering\nname: Ann, Bea, Cyd\nahead(Ann, Bea, 1)",
        "ordering\nname: Ann, Bea, Cyd\ntaller(Ann, Bea)",
    ):
        with pytest.raises(BadRow):
            FAMILY.text.parse(lines_of(text))
