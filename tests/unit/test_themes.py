"""The words of position puzzles: every value in every template must be English and mean one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, permutations, product

import pytest

from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.core.model import COMPOSITES, RELATIONS
from puzzlemill.vocabulary.themes import Attribute, Theme, themes

SIZE = 4  # places
Named = list[tuple[Attribute, str]]


@pytest.fixture(params=themes().values(), ids=lambda theme: theme.name)
def theme(request: pytest.FixtureRequest) -> Theme:
    found: Theme = request.param
    return found


def statements(attributes: tuple[Attribute, ...]) -> Iterator[tuple[str, Named, int]]:
    """Every statement about the first SIZE values of these attributes, each once."""
    items = [(attribute, value) for attribute in attributes for value in attribute.values[:SIZE]]
    for item in items:
        yield "end", [item], 0
        yield "not_end", [item], 0
        for p in range(SIZE):
            for kind in ("at", "not_at", "up_to", "from"):
                yield kind, [item], p
    for one, two in combinations(items, 2):
        yield "next", [one, two], 0
        for d in range(2, SIZE):
            yield "apart", [one, two], d
            yield "far", [one, two], d
        if one[0] != two[0]:
            yield "same", [one, two], 0
            yield "not_same", [one, two], 0
    for one, two in permutations(items, 2):
        for d in range(2, SIZE):
            yield "ahead", [one, two], d
        yield "just_left", [one, two], 0
        yield "left", [one, two], 0
    for one in items:
        for two, three in combinations([item for item in items if item != one], 2):
            yield "between", [one, two, three], 0


def wordings(theme: Theme, attributes: tuple[Attribute, ...]) -> Iterator[tuple[str, tuple[str, Named, int]]]:
    for kind, named, number in statements(attributes):
        for choice in range(len(theme.axis.phrases[kind])):
            yield theme.sentence(kind, named, number, SIZE, choice), (kind, named, number)


def test_there_is_enough_to_choose_from() -> None:
    """8 x 8 puzzles need 8 attributes of 8 values; few themes make puzzles look alike."""
    assert len(themes()) >= 12
    for name, theme in themes().items():
        assert theme.name == name
        assert len(theme.attributes) >= 8
        assert all(len(attribute.values) >= 8 for attribute in theme.attributes)


def test_a_slip_in_the_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Themes name attributes and axes that stand elsewhere."""
    file = {"attributes": {}, "asides": ["{A} naps."], "themes": {"street": {"attributes": ["colour"]}}}
    monkeypatch.setattr("puzzlemill.vocabulary.themes.table", lambda package, name: file)
    with pytest.raises(BadFile, match=r"themes\.toml\.street: Theme lacks \['along', 'at', .*\] and does not know \[\]; install"):
        themes.__wrapped__()
    scene = dict.fromkeys(("scene", "who", "whos", "rel", "place", "places", "at", "stands", "stand", "stands_not", "seen"), "")
    file["themes"] = {"street": {**scene, "along": "circle", "attributes": ["colour"]}}
    with pytest.raises(BadFile, match=r"street\.attributes: expected an object \(Attribute\), got 'colour'; install"):
        themes.__wrapped__()
    file["themes"] = {"street": {**scene, "along": "circle", "attributes": []}}
    with pytest.raises(BadFile, match=r"themes\.toml: no axis is called 'circle'; known: row, time, floors, queue"):
        themes.__wrapped__()["street"].axis  # noqa: B018


def test_values_of_a_theme_are_disjoint(theme: Theme) -> None:
    """A value in two attributes would make replies and clues ambiguous, whatever the case it is written in."""
    values = [value.casefold() for attribute in theme.attributes for value in attribute.values]
    assert len(set(values)) == len(values)
    titles = [theme.place, *[attribute.title for attribute in theme.attributes]]
    assert len({title.casefold() for title in titles}) == len(titles)


def test_values_can_be_written_in_any_reply_format(theme: Theme) -> None:
    """A bar, comma, quote, brace or stray space in a value would break tables or JSON replies."""
    for attribute in theme.attributes:
        for value in attribute.values:
            assert re.fullmatch(r"[A-Za-z0-9]+([ -][A-Za-z0-9]+)*", value), value


def test_every_kind_has_three_wordings(theme: Theme) -> None:
    assert set(theme.axis.phrases) == set(theme.axis.clauses) == set(RELATIONS) - set(COMPOSITES)
    assert all(len(set(templates)) == len(templates) >= 3 for templates in theme.axis.phrases.values())


def test_every_sentence_is_english_and_means_one_thing(theme: Theme) -> None:
    """Capital, full stop, articles, spacing; and no sentence that two different clues share."""
    pairs = [(one, two) for one, two in zip(theme.attributes, theme.attributes[1:], strict=False)]
    for attributes in pairs:
        told: dict[str, tuple[str, Named, int]] = {}
        for sentence, statement in wordings(theme, attributes):
            assert told.setdefault(sentence, statement) == statement, sentence
            assert re.match(r"[A-Z0-9]", sentence), sentence
            assert sentence.endswith(".") and not sentence.endswith(".."), sentence
            assert not re.search(r"  |[{}]| [.,]|\b(\w+) \1\b", sentence), sentence
            assert not re.search(r"\ba [aeiouAEIOU]|\ban [^aeiouAEIOU]", sentence), sentence


@pytest.mark.parametrize("template", ["noun", "verb", "verb_not"])
def test_every_value_fits_its_article(theme: Theme, template: str) -> None:
    """ "a apple": values that only some pairs of attributes above would show."""
    for attribute in theme.attributes:
        for value in attribute.values:
            kind = {"noun": "at", "verb": "same", "verb_not": "not_same"}[template]
            other = next(one for one in theme.attributes if one != attribute)
            named = [(other, other.values[0]), (attribute, value)] if kind != "at" else [(attribute, value)]
            sentence = theme.sentence(kind, named, 0, SIZE, 0)
            assert value.casefold() in sentence.casefold()
            assert not re.search(r"\ba [aeiouAEIOU]|\ban [^aeiouAEIOU]", sentence), sentence


WORDS = {
    "row": (r"left", r"right"),
    "time": (r"\bbefore\b|\bearlier\b", r"\bafter\b"),
    "floors": (r"\bbelow\b", r"\babove\b"),
    "queue": (r"\bahead\b|\bbefore\b", r"\bbehind\b"),
}


def test_directions_are_told_the_right_way_round(theme: Theme) -> None:
    """Left and right mixed up in one template would make a wrong puzzle of a right one."""
    one, two = ((attribute, attribute.values[0]) for attribute in theme.attributes[:2])
    lower, higher = WORDS[theme.axis.name]
    for kind, choice in product(("left", "just_left"), range(5)):
        sentence = theme.sentence(kind, [one, two], 0, SIZE, choice).casefold()
        first = theme.sentence("at", [one], 0, SIZE, 0).casefold().split(f" {theme.stands} ")[0]
        second = theme.sentence("at", [two], 0, SIZE, 0).casefold().split(f" {theme.stands} ")[0]
        in_order = sentence.index(first) < sentence.index(second)
        if "number" in sentence:
            assert "lower than that of" in sentence and in_order
        elif re.search("going from left to right|going up|very next|right after that of", sentence):
            assert in_order
        elif in_order:
            assert re.search(lower, sentence) and not re.search(higher, sentence), sentence
        else:
            assert re.search(higher, sentence) and not re.search(lower, sentence), sentence


def test_places_and_their_order_are_named(theme: Theme) -> None:
    """Without it, "left" has two meanings; tests/contract/test_wordings.py reads the sentence that says it."""
    assert theme.one(1).startswith(f"{theme.place} 1 is ") and theme.one(SIZE).startswith(f"{theme.place} {SIZE} is ")
    if theme.axis.name == "row":
        assert re.search(r" as you (face|look|see) ", theme.seen), "whose left?"
    for text in (theme.intro(SIZE), *theme.meanings(RELATIONS, SIZE)):
        assert text.endswith(".") and not re.search(r"  |[{}]", text), text
        assert text[0].isupper() or text[0] == '"', text


def test_meanings_are_told_for_the_kinds_in_use_only(theme: Theme) -> None:
    assert theme.meanings((), SIZE) == []
    assert theme.meanings(("same", "at"), SIZE) == []
    assert len(theme.meanings(("left",), SIZE)) == 1


def test_values_name_their_attribute(theme: Theme) -> None:
    for attribute in theme.attributes:
        assert theme.attribute(attribute.values[3:6]) == attribute
        shuffled = tuple(reversed(attribute.values))
        assert attribute.listed(shuffled) == attribute.values, "the order of listing must not depend on the puzzle"
    one, two = theme.attributes[:2]
    for names in (("nothing of the sort",), (one.values[0], two.values[0])):
        with pytest.raises(BadRow, match=theme.name):
            theme.attribute(names)


def test_parts_of_composites_are_clauses(theme: Theme) -> None:
    """A capital or a full stop inside a sentence, an "or" that belongs to nobody knows which part, two parts that read alike."""
    one, two = theme.attributes[:2]
    told: dict[str, tuple[str, Named, int]] = {}
    for kind, named, number in statements((one, two)):
        for choice in range(len(theme.axis.clauses[kind])):
            clause = theme.clause(kind, named, number, SIZE, choice)
            assert told.setdefault(clause, (kind, named, number)) == (kind, named, number), clause
            first = clause.split()[0]
            assert first[0].islower() or any(first == value.split()[0] for _, value in named), clause
            assert not re.search(r"[.;]|  |[{}]", clause), clause
            assert kind == "end" or not re.search(r"\bor\b|\beither\b|\bif\b", clause), clause


@pytest.mark.parametrize("kind", COMPOSITES)
def test_composites_tell_each_part_once(kind: str) -> None:
    """A part is lost or told twice, the parts of an implication change places, or too few wordings."""
    theme = themes()["street"]
    clauses = ["aa", "bb", "cc"][: 3 if kind == "one_of" else 2]
    found = {theme.composite(kind, clauses, choice) for choice in range(30)}
    assert len(found) >= (3 if kind == "if" else 6)
    for sentence in found:
        assert sentence[0].isupper() and sentence.endswith(".")
        assert sorted(re.findall(r"\b(?:aa|bb|cc|Bb)\b", sentence), key=str.lower) in (clauses, ["aa", "Bb"])
        if kind == "if":
            assert sentence == "Bb if aa." or sentence.index("aa") < sentence.index("bb")
        else:
            assert re.search(r"exactly one|one of these|but not both", sentence.casefold()), sentence


ORDER = re.compile(
    r"\b(left|right|next|before|after|between|above|below|behind|ahead|front|back|first|last|neighbours?|adjacent|end|middle"
    r"|one|two|three|four|five|six|seven|eight|only|same|other|older|younger|most|least|not the|beside|near)\b|\d"
)


def test_asides_say_nothing_about_the_puzzle(theme: Theme) -> None:
    """A remark that could be read as a clue: about a place, a neighbour, a number, a second item or a value of the theme."""
    assert len(set(theme.asides)) == len(theme.asides) >= 8
    others = {place for other in themes().values() for place in (other.place, other.places)}
    for template in theme.asides:
        assert re.fullmatch(r"\{A\} [^{}]+\.", template), "one item and a full stop"
        said = template.removeprefix("{A} ").casefold()
        assert not ORDER.search(said), template
        for attribute in theme.attributes:
            for value in attribute.values:
                assert not re.search(rf"\b{re.escape(value.casefold())}s?\b", said), (template, value)
        words = set(re.findall(r"[a-z-]+", said))
        assert not words & others, (template, words & others)
        assert not words & {theme.who, theme.whos}
    for attribute in theme.attributes:
        sentence = theme.aside((attribute, attribute.values[0]), 3)
        assert attribute.values[0].casefold() in sentence.casefold()
        assert sentence[0].isupper() or sentence[0].isdigit()
