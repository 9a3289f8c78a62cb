"""The words of logic grids: every item in every template must be English and mean one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, permutations

import pytest

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import GRID_COMPOSITES, GRID_RELATIONS
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.words import with_article
from puzzlemill.rules.grids import KINDS, LISTING, PLAIN
from puzzlemill.vocabulary.worlds import CLOCK, Category, Named, Said, Scale, World, _clues, draw_scale, found_in, worlds
from strategies import unwanted

N = 4  # entities
CHOICES = 12


@pytest.fixture(params=worlds().values(), ids=lambda world: world.name)
def world(request: pytest.FixtureRequest) -> World:
    found: World = request.param
    return found


def drawn(world: World, items: int = N) -> list[tuple[Category | Scale, tuple[str, ...], tuple[int, ...]]]:
    """Every category with names of items, and a scale's numbers."""
    rng = stream("tests", "worlds", world.name)
    scales = [(scale, *reversed(draw_scale(scale, items, rng))) for scale in world.scales]
    plain = [(each, tuple(rng.sample(each.values, items)), ()) for each in (world.names, *world.categories)]
    return [*plain, *[(scale, names, numbers) for scale, names, numbers in scales]]


def of_kind(kind: str, found: list[tuple[Category | Scale, tuple[str, ...], tuple[int, ...]]], rng: Rng) -> Iterator[Said]:
    """Statements of a kind without end, about random items; both orders of items that mean the same are not drawn."""
    scales = [(category, numbers) for category, _, numbers in found if isinstance(category, Scale)]
    about = KINDS[kind]
    every = [(category, name) for category, names, _ in found for name in names]
    while True:
        named = tuple(rng.few(every, rng.between(about.items, min(about.most, N)) if about.most > about.items else about.items))
        columns = [category.title for category, _ in named]
        first = 2 if kind == "pair" else 1
        if kind in ("is", "is_not", "either_or", "neither", "pair") and set(columns[:first]) & set(columns[first:]):
            continue
        scale, number = None, 0
        if about.scale:
            scale, numbers = rng.pick(scales)
            if scale.title in columns:
                continue
            if about.number:
                number = rng.pick([b - a for a, b in combinations(numbers, 2)])
        yield Said(kind, canonical(kind, named, [category.title for category, *_ in found]), N, scale, number, about.free)


def canonical(kind: str, named: tuple[Named, ...], titles: list[str]) -> tuple[Named, ...]:
    """The items as stated() has them: those of the first categories first."""
    ordered = list(named)
    for group in KINDS[kind].free:
        places = [k for k in group if k < len(ordered)]
        for k, each in zip(
            places, sorted([ordered[k] for k in places], key=lambda one: (titles.index(one[0].title), one[1])), strict=True
        ):
            ordered[k] = each
    if kind == "pair" and [each[1] for each in ordered[2:]] < [each[1] for each in ordered[:2]]:
        ordered = [*ordered[2:], *ordered[:2]]
    return tuple(ordered)


def assert_english(text: str) -> None:
    assert not unwanted(text), text
    assert not re.search(r"[{}\[\]]|  | [,.;:]|\b(the|a|an) (the|a|an)\b|\bthe (his|her|its|their)\b", text, re.I), text
    assert not re.search(r"\b(\w+) \1\b|\bthat of\b", text), text


def test_articles_go_by_the_sound() -> None:
    """ "an one-eyed cat", "a hour"."""
    nouns = ("test", "examination", "hour", "unit", "one-eyed cat", "honey", "uncle", "umbrella", "user")
    articles = ["a", "an", "an", "a", "a", "a", "an", "an", "a"]
    assert [with_article(noun).split()[0] for noun in nouns] == articles


# ---- the data ----------------------------------------------------------------------------------------------------------


def test_there_is_enough_to_choose_from(world: World) -> None:
    """6 x 8 puzzles need six categories of eight items; few worlds make puzzles look alike."""
    assert len(worlds()) >= 40
    assert len(world.categories) >= 5 and 1 <= len(world.scales) <= 3
    assert all(len(each.values) >= 8 for each in (world.names, *world.categories))
    assert len(set(world.openings)) >= 3 and len(world.asides) >= 16
    for opening in world.openings:
        assert "{n}" in opening.casefold()
        said = world.opening(N, world.openings.index(opening))
        assert 2 <= len(re.findall(r'[.!?]"?(?= |$)', said)) <= 4, said
        assert_english(said)


def test_a_name_tells_its_category(world: World) -> None:
    """A name in two categories, or two scales that are written alike, would make replies and clues ambiguous."""
    names = [value.casefold() for each in (world.names, *world.categories) for value in each.values]
    assert len(set(names)) == len(names)
    assert not any(re.search(r"[,()=#|:]| (and|or) ", name) or name != " ".join(name.split()) for name in names)
    assert len({scale.form for scale in world.scales}) == len(world.scales)
    titles = [each.title for each in (world.names, *world.categories, *world.scales)]
    assert len(set(titles)) == len(titles)
    assert_english(" ".join(map(with_article, titles)))


def test_scales_show_their_numbers(world: World) -> None:
    """Eight numbers that leave the day, or names that another start shows as well."""
    rng = stream("tests", "scales", world.name)
    for scale in world.scales:
        even = set()
        for _ in range(40):
            numbers, names = draw_scale(scale, 8, rng)
            assert numbers[0] == 0 and list(numbers) == sorted(set(numbers)) and scale.fits(numbers)
            assert len(set(names)) == 8 and scale.shows(names, numbers) and world.scale(names, numbers) == scale
            assert not scale.shows(names, (*numbers[:-1], numbers[-1] + scale.by))
            even.add(len({b - a for a, b in zip(numbers, numbers[1:], strict=False)}) == 1)
        assert even == {True, False}
        if scale.form == CLOCK:
            assert scale.first[1] + 7 * max(scale.steps) < 24 * 60
            assert scale.name(0) == "12:00 am" and scale.name(750) == "12:30 pm" and scale.name(1290) == "9:30 pm"
            assert scale.amount(90) == "1 hour and 30 minutes" and scale.amount(60) == "1 hour" and scale.amount(1) == "1 minute"
        else:
            assert len(scale.amounts) in (1, 2) and all("{}" in each for each in scale.amounts)


def test_verbs_agree_and_can_be_denied(world: World) -> None:
    """All entities are named in the singular; a denial that denies nothing says the opposite."""
    for each in (world.names, *world.categories, *world.scales):
        assert each.verb.split()[0] not in ("are", "were", "have", "do", "the"), each.verb
        denials = [re.search(r"\b(not|never|cannot)\b", text) is not None for text in (each.verb, each.verb_not)]
        assert sum(denials) == 1, (each.verb, each.verb_not)
        assert all(text.count("{") == 1 for text in (each.noun, each.verb, each.verb_not, *each.nouns))
    for scale in world.scales:
        assert all(len(frame) in (3, 5) and frame[0].split()[0] not in ("are", "were", "have") for frame in scale.frames)
        assert all(text.count("{}") == 1 for frame in scale.frames for text in frame[3:]) and scale.apart.count("{}") == 1


# ---- sentences ---------------------------------------------------------------------------------------------------------


def test_every_kind_has_words() -> None:
    """A kind of clue that has no template cannot be shown."""
    every = _clues()
    assert {*every.phrases, *every.frames} == set(PLAIN) == set(every.clauses)
    assert set(every.measures) <= set(every.frames) and set(every.composites) == set(GRID_COMPOSITES) - {LISTING}
    assert all(len(set(texts)) == len(texts) >= 6 for texts in every.composites.values())
    assert set(GRID_RELATIONS) == set(PLAIN) | set(GRID_COMPOSITES)


def test_each_kind_has_six_wordings_of_any_items(world: World) -> None:
    """What is left out for names and relative clauses must leave enough."""
    found = drawn(world)
    for kind in PLAIN:
        sayings = of_kind(kind, found, stream("tests", "enough", world.name, kind))
        for _ in range(25):
            said = next(sayings)
            for whole in (False, True):
                templates = world.templates(kind, said.named, said.scale, whole)
                assert len(set(templates)) == len(templates) >= 6, (kind, said.named, templates)


@pytest.mark.parametrize("kind", PLAIN)
def test_every_item_in_every_wording_is_english(kind: str) -> None:
    """Doubled words and articles, an unfilled place, no capital or full stop."""
    for world in worlds().values():
        rng = stream("tests", "english", world.name, kind)
        sayings = of_kind(kind, drawn(world, 8), rng)
        for _ in range(8):
            said = next(sayings)
            templates = world.templates(kind, said.named, said.scale, len(said.named) == said.n)
            assert len({world.sentence(said, choice) for choice in range(len(templates))}) == len(templates), templates
            for choice in range(len(templates)):
                text = world.sentence(said, choice + len(templates) * rng.below(1000))
                assert text[0].isupper() or text[0] == '"'
                assert text.endswith(".") and text.count(".") == 1, text
                assert_english(text)
                assert_english(world.clause(said, choice))
                for _, name in said.named:
                    ways = [name.casefold(), name.replace(" ", "-")[:-1]]  # "20-minute"
                    if name[0].isdigit():
                        ways += [f"{name.split(' ')[0]} {joined} " for joined in ("or", "nor")]  # "2 or 4 days"
                    assert any(way in text.casefold() for way in ways), text


def test_different_statements_never_read_alike(world: World) -> None:
    """Two clues of one puzzle with the same words would be one clue with two meanings."""
    found, meant = drawn(world), dict[str, object]()
    rng = stream("tests", "alike", world.name)
    for kind in PLAIN:
        sayings = of_kind(kind, found, rng)
        for _ in range(20):
            said = next(sayings)
            key = (kind, said.named, said.scale, said.number)
            texts = {world.sentence(said, rng.below(10**6)) for _ in range(CHOICES)} | {world.clause(said, k) for k in range(4)}
            for text in texts:
                assert meant.setdefault(text.casefold(), key) == key, text


def test_orders_turned_round_read_differently(world: World) -> None:
    """Before and after, whichever is said first: each order of two items has sentences of its own."""
    found = drawn(world)
    for kind in ("before", "exactly", "at_least"):
        sayings = of_kind(kind, found, stream("tests", "turned", world.name, kind))
        for _ in range(30):
            said = next(sayings)
            turned = Said(kind, tuple(reversed(said.named)), N, said.scale, said.number, said.free)
            ways = range(len(world.templates(kind, said.named, said.scale, False)))
            assert not {world.sentence(said, k) for k in ways} & {world.sentence(turned, k) for k in ways}


def test_two_comparisons_at_once_name_each_item_once() -> None:
    """A comparison turned round, or one that could be read as going on about the other item."""
    for world in worlds().values():
        found, rng = drawn(world), stream("tests", "twice", world.name)
        sayings = [of_kind(kind, found, rng) for kind in ("before", "exactly", "at_least")]
        meant = dict[str, object]()
        for _ in range(8 if len(world.scales) > 1 else 0):
            one = next(said for said in sayings[0] if said.scale != world.scales[1])
            number = rng.pick(found[-len(world.scales) + 1][2][1:])
            two = Said(rng.pick(("exactly", "at_least")), rng.pick((one.named, one.named[::-1])), N, world.scales[1], number)
            if world.scales[1].title in [category.title for category, _ in one.named]:
                continue
            texts = {world.twice([one, two], rng.below(10**6)) for _ in range(20)}
            assert len(texts) >= 6
            for text in texts:
                assert meant.setdefault(text, (one, two)) == (one, two)
                assert text[0] in '"' or text[0].isupper()
                assert_english(text)
                assert "some time earlier" not in text and not re.search(r"(than|before|after| of|below|above)\.$", text), text
                assert two.scale is not None and two.scale.amount(number).split(" ")[0] in text


def test_composites_keep_their_parts_apart() -> None:
    """A part that is left out, or parts of an if that change places."""
    world = next(iter(worlds().values()))
    clauses = ["A is one", "B is two", "C is three"]
    for kind in _clues().composites:
        parts = clauses[: KINDS[kind].parts]
        for choice in range(24):
            text = world.composite(kind, parts, choice)
            assert all(part in text for part in parts), text
        texts = [{world.composite(kind, list(order), k) for k in range(24)} for order in permutations(parts)]
        assert (kind != "if") or not texts[0] & texts[1]


def test_a_style_of_no_world_is_refused() -> None:
    """A reply could not be read by it."""
    names = (("Blue Zephyr", "Kestrel"), ("Brazil", "Peru"), ("$15", "$20"))
    assert [each.title for each in found_in("kites", names, ((0, 5),))] == ["kite", "country", "price"]
    for bad, numbers, why in (
        (("Bl", "Kestrel"), (0, 5), "begins with"),
        (names[0], (0, 10), "no scale shows 0, 10 as"),
    ):
        with pytest.raises(BadRow, match=why):
            found_in("kites", (bad, *names[1:]), (numbers,))
    with pytest.raises(BadRow, match="no category has the items"):
        found_in("kites", (names[0], ("Brazil", "silk"), names[2]), ((0, 5),))
    with pytest.raises(BadRow, match="one category twice"):
        found_in("kites", (names[0], names[1], ("India", "Egypt"), names[2]), ((0, 5),))
    with pytest.raises(BadRow, match="unknown world 'moon'"):
        found_in("moon", names, ((0, 5),))
