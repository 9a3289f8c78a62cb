"""Worlds of logic grids: a scene, words for its entities, and categories of items and of numbers on scales.

The words stand in worlds.toml and grid_clues.toml; all are our own (SOURCES.md). Every noun is singular and definite, and every
verb phrase is of the third person, so that whatever fills the places of a template makes a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import capital
from puzzlemill.core.words import NUMBERS, listed, with_article
from puzzlemill.vocabulary.load import checked, record, table

CLOCK = "clock"
_HOUR = 60
_DISTANCE = 7  # steps on a scale of eight numbers
# Names are not put where these words come before their verb: "the kite that is Ana", "either is Ana or comes from Peru".
_AWKWARD = re.compile(r"(?:\{rel\}|either|neither|nor|or|other than \{B\} or \{C\}|^\{B\}) \{(?:is|not)_([A-E])\}")
_NOTED = re.compile(r"\[.*\] ")
Templates = Mapping[str, tuple[str, ...]]  # by the kind of clue


@dataclass(frozen=True, slots=True)
class Category:
    """title: the column's name. noun, verb, verb_not: the entity with an item, with {} for the item (or {a} or {-}, see _with).

    nouns: further definite noun phrases of the same meaning.
    """

    title: str
    noun: str
    verb: str
    verb_not: str
    values: tuple[str, ...]
    nouns: tuple[str, ...] = ()

    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        """These items in the order in which people list them, which says nothing about any answer."""
        return tuple(sorted(names, key=self.values.index))


@dataclass(frozen=True, slots=True)
class Scale:
    """A category of numbers. form: "${}", or "clock" for minutes of a day. amounts: a difference of one and of several units.

    first: bounds of the smallest number. steps: differences between neighbours. by: a divisor of all numbers.
    frames: a verb and how two items compare, from the lower side and from the higher: "cost", "less than", "more than". What
    stands in brackets is left out beside an amount: "fewer [towers] than".
    measure, measures: what is compared; below, above: how two of them compare.
    """

    title: str
    noun: str
    verb: str
    verb_not: str
    form: str
    first: tuple[int, int]
    steps: tuple[int, ...]
    frames: tuple[tuple[str, str, str], ...]
    measure: str
    measures: str
    below: str
    above: str
    by: int = 1
    amounts: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()

    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        """Ascending, as they are."""
        return tuple(names)

    def name(self, number: int) -> str:
        """A number as people print it: "2004", "$15", "7:30 pm"."""
        if self.form != CLOCK:
            return self.form.replace("{}", str(number))
        hour, minute = divmod(number, _HOUR)
        return f"{(hour - 1) % 12 + 1}:{minute:02} {'am' if hour < 12 else 'pm'}"

    def amount(self, d: int) -> str:
        """A difference: "3 years", "$5", "1 hour and 30 minutes"."""
        if self.form != CLOCK:
            return self.amounts[0 if d == 1 else -1].replace("{}", str(d))
        hours, minutes = divmod(d, _HOUR)
        parts = [f"{each} {word}{'s' if each > 1 else ''}" for each, word in ((hours, "hour"), (minutes, "minute")) if each]
        return " and ".join(parts)

    def fits(self, numbers: Sequence[int]) -> bool:
        """Return whether this scale can show these numbers, counted from the first."""
        return all(number % self.by == 0 for number in numbers) and numbers[-1] <= _DISTANCE * max(self.steps)

    def starts(self) -> range:
        return range(self.first[0], self.first[1] + 1, self.by)

    def names(self, start: int, numbers: Sequence[int]) -> tuple[str, ...]:
        return tuple([self.name(start + number) for number in numbers])

    def all_names(self, numbers: Sequence[int]) -> list[tuple[str, ...]]:
        """The names of these numbers, from every first one on."""
        return [self.names(start, numbers) for start in self.starts()]

    def unit(self) -> str:
        """What differences are counted in: "years", "$", "minutes"."""
        return "minutes" if self.form == CLOCK else self.amounts[-1].replace("{}", "").strip() or self.title

    def shows(self, names: Sequence[str], numbers: Sequence[int]) -> bool:
        """Return whether these are the names of the numbers, from some first one."""
        return tuple(names) in self.all_names(numbers)


def draw_scale(scale: Scale, n: int, rng: Rng) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """n ascending numbers on a scale from 0 on, in even steps half of the time, and their names."""
    if rng.chance(1, 2):
        gaps = [rng.pick(scale.steps)] * (n - 1)
    else:
        gaps = [rng.pick(scale.steps) for _ in range(n - 1)]
    numbers = tuple([sum(gaps[:k]) for k in range(n)])
    return numbers, scale.names(rng.pick(scale.starts()), numbers)


Named = tuple[Category | Scale, str]  # an item: its category and its name


@dataclass(frozen=True, slots=True)
class World:
    """openings: two to four sentences each, with {n} for the number of entities in words. who: what an entity is.

    be: "is" or "was", the tense of its verbs. names: the entities; categories: at least five; scales: one to three.
    asides: remarks that say nothing about any puzzle: each names one item and a property that no category is about.
    coded: its items are letters and codes; no puzzle is drawn in it, but puzzles of other worlds are put into it.
    """

    name: str
    title: str
    who: str
    whos: str
    rel: str
    be: str
    openings: tuple[str, ...]
    names: Category
    categories: tuple[Category, ...]
    scales: tuple[Scale, ...]
    asides: tuple[str, ...]
    coded: bool = False

    def category(self, names: Sequence[str]) -> Category:
        """The category that has all these items, but not that of the entities. BadRow if there is none."""
        for category in self.categories:
            if all(name in category.values for name in names):
                return category
        raise BadRow(f"world {self.name}: no category has the items {', '.join(name[:40] for name in names)}")

    def scale(self, names: Sequence[str], numbers: Sequence[int]) -> Scale:
        """The scale that shows these numbers with these names. BadRow if there is none."""
        for scale in self.scales:
            if scale.shows(names, numbers):
                return scale
        raise BadRow(f"world {self.name}: no scale shows {', '.join(map(str, numbers))} as {', '.join(n[:40] for n in names)}")

    def opening(self, n: int, choice: int) -> str:
        said = self.openings[choice % len(self.openings)]
        return capital(said.replace("{n}", NUMBERS[n]).replace("{N}", capital(NUMBERS[n])))

    def aside(self, named: Named, choice: int) -> str:
        """A remark about one item."""
        return capital(self.asides[choice % len(self.asides)].replace("{A}", self.noun(named)))

    def noun(self, named: Named, choice: int = 0, one: bool = False) -> str:
        """An item as a noun phrase: "the kite from Peru". choice: any integer; 0 takes the shortest. one: allow "the one"."""
        category, value = named
        nouns = [category.noun, *category.nouns]
        if category is not self.names:
            who = "one" if one else self.who
            nouns += [f"the {self.who} {self.rel} {category.verb}", category.noun, f"the {who} {self.rel} {category.verb}"]
        return _with(nouns[choice % len(nouns)], value)

    def has(self, named: Named, truth: bool = True) -> str:
        """An item as a verb phrase: "comes from Peru"."""
        category, value = named
        return _with(category.verb if truth else category.verb_not, value)

    def templates(self, kind: str, named: Sequence[Named], scale: Scale | None, whole: bool) -> list[tuple[str, int]]:
        """The templates of sentences for a kind of clue, each with the frame of the scale that it is for."""
        every = _clues()
        if scale is not None:
            framed = [(text, k) for text in every.frames[kind] for k in range(len(scale.frames))]
            return [*framed, *[(text, 0) for text in every.measures[kind]]]
        texts = (every.whole if whole and kind in every.whole else every.phrases)[kind]
        return [(text, 0) for text in texts if not self._awkward(text, named)]

    def _awkward(self, text: str, named: Sequence[Named]) -> bool:
        """Return whether a template makes of these items what nobody would write; one relative clause is enough."""
        letters = dict(zip("ABCDE", named, strict=False))
        if "{rel}" in text and any(self._clause_in(each) for letter, each in letters.items() if f"{{{letter}}}" in text):
            return True
        names = {letter for letter, (category, _) in letters.items() if category is self.names}
        return not names.isdisjoint(_AWKWARD.findall(text))

    def _clause_in(self, named: Named) -> bool:
        """Return whether an item's shortest noun ends with a clause, which what follows could be read as part of."""
        return any(f" {word} " in named[0].noun for word in (self.rel, "whose"))

    def sentence(self, said: Said, choice: int) -> str:
        """One clue in words. choice: any integer; it picks the template, and the nouns and their order."""
        templates = self.templates(said.kind, said.named, said.scale, len(said.named) == said.n)
        text, frame = templates[choice % len(templates)]
        return capital(_tidy(text.format_map(self._words(said, frame, choice, text))))

    def clause(self, said: Said, choice: int) -> str:
        """The same as a part of a composite clue: no capital, no full stop, and the shortest nouns."""
        texts = [text for text in _clues().clauses[said.kind] if not self._awkward(text, said.named)]
        return _tidy(texts[choice % len(texts)].format_map(self._words(said, 0, 0)))

    def composite(self, kind: str, clauses: Sequence[str], choice: int) -> str:
        """A composite clue in words. Where the order of its parts means nothing, they come in a ring, from any part on."""
        templates, start = _clues().composites[kind], self.start(kind, len(clauses), choice)
        turned = [*clauses[start:], *clauses[:start]]
        words = {**dict(zip("STU", turned, strict=False)), "Then": capital(turned[1])}
        return capital(templates[choice % len(templates)].format_map(words))

    def twice(self, said: Sequence[Said], choice: int) -> str:
        """Two comparisons of the same two items, on different scales, as one clue that names each item once."""
        turned, mixed = choice // 6, choice * 0x9E3779B1 & 0xFFFFFFFF
        (one, first), (two, second) = [(each, mixed >> 8 + k & 1) for k, each in enumerate(said)][:: 1 if turned % 2 else -1]
        low, high = one.named[:: 1 if turned // 2 % 2 else -1]  # low: the subject of both
        templates = [
            text for text in _clues().twice["both"] if not (text.endswith("{B} and {second}.") and self._clause_in(high))
        ]
        one_side, one_alone = _side(one, first, low)
        words = {
            "A": self.noun(low, mixed >> 12 & 15),
            "B": self.noun(high),
            "first": one_side,
            "alone": one_alone,
            "second": _side(two, second, low)[1],
        }
        return capital(_tidy(templates[choice % len(templates)].format_map(words)))

    def start(self, kind: str, parts: int, choice: int) -> int:
        """Which part of a composite comes first in composite()."""
        return 0 if kind == "if" else choice // len(_clues().composites[kind]) % parts

    def _words(self, said: Said, frame: int, choice: int, text: str = "") -> dict[str, str]:
        past, count = self.be == "was", len(said.named)
        words = {
            "who": self.who,
            "whos": self.whos,
            "rel": self.rel,
            "be": self.be,
            "are": "were" if past else "are",
            "comes": "came" if past else "comes",
            "differ": "differed" if past else "differ",
            "stands": "stood" if past else "stands",
            "A_who": capital(with_article(self.who)),
            "count": NUMBERS[count],
            "Count": capital(NUMBERS[count]),
        }
        named = said.turned(choice)
        mixed = choice * 0x9E3779B1 & 0xFFFFFFFF
        nouns = []
        for k, (letter, each) in enumerate(zip("ABCDE", named, strict=False)):
            first = text.startswith(f"{{{letter}}} {{") or f"{{be}} {{{letter}}}" in text  # where "the one" may stand
            nouns.append(self.noun(each, mixed >> 4 * k + 8 & 15 if text and "{rel}" not in text else 0, first))
        words["all"] = listed(nouns)
        for letter, each, noun in zip("ABCDE", named, nouns, strict=False):
            words |= {letter: noun, f"is_{letter}": self.has(each), f"not_{letter}": self.has(each, False)}
        if said.scale is not None:
            words |= _compared(said.scale, frame, said.number)
        return words


@dataclass(frozen=True, slots=True)
class Said:
    """A plain statement with the names of its items. n: entities of the puzzle. free: items that may change places, by place."""

    kind: str
    named: tuple[Named, ...]
    n: int
    scale: Scale | None = None
    number: int = 0
    free: tuple[tuple[int, ...], ...] = ()

    def turned(self, choice: int) -> list[Named]:
        """The items in one of the orders that mean the same; 0 keeps them as they are."""
        named = list(self.named)
        if self.kind in ("is", "is_not"):  # their templates turn them
            return named
        for group in self.free:
            places = [k for k in group if k < len(named)]
            start = choice // 7 % len(places)
            for k, j in zip(places, [*places[start:], *places[:start]], strict=True):
                named[k] = self.named[j]
        return named


def _side(said: Said, choice: int, subject: Named) -> tuple[str, str]:
    """How one of two items compares with the other: "arrived 5 minutes before", and the same where the other is not named."""
    assert said.scale is not None
    words = _compared(said.scale, choice % len(said.scale.frames), said.number)
    side = words["less" if said.named[0] == subject else "more"]
    bound = {"exactly": "exactly ", "at_least": "at least "}.get(said.kind, "")
    return f"{words['verb']} {bound}{side}", f"{words['verb']} {bound}{_alone(side)}"


_LATER = {"before": "earlier", "after": "later", "below": "lower", "above": "higher"}


def _alone(side: str) -> str:
    """What compares two items, where the other one is not named: "5 minutes earlier" for "5 minutes before"."""
    words = side.partition(" than")[0].removesuffix(" of").removeprefix("some time ").split(" ")
    return " ".join([*words[:-1], _LATER.get(words[-1], words[-1])])


def _compared(scale: Scale, frame: int, number: int) -> dict[str, str]:
    verb, *sides = scale.frames[frame]
    lower, higher = [side.replace("[", "").replace("]", "") for side in sides]
    amount = scale.amount(number) if number else ""
    gap = "some time " if lower in ("before", "after") else ""
    less, more = [f"{amount} {_NOTED.sub('', side)}" for side in sides] if number else (gap + lower, gap + higher)
    return {
        "verb": verb,
        "lower": lower,
        "higher": higher,
        "less": less,
        "less_or": less.partition(" than")[0],
        "higher_alone": _alone(higher),
        "more": more,
        "amount": amount,
        "measure": scale.measure,
        "measures": scale.measures,
        "below": scale.below,
        "above": scale.above,
    }


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _with(template: str, value: str) -> str:
    """Put a value where the template has {} ({a}: with its article; {-}: "20-minute" for "20 minutes")."""
    joined = value.replace(" ", "-").removesuffix("s")
    return template.replace("{a}", with_article(value)).replace("{-}", joined).replace("{}", value)


@dataclass(frozen=True, slots=True)
class _Clues:
    """grid_clues.toml."""

    phrases: Templates
    whole: Templates
    frames: Templates
    measures: Templates
    clauses: Templates
    twice: Templates
    composites: Templates


@cache
def _clues() -> _Clues:
    read: _Clues = record(_Clues, __package__, "grid_clues.toml")
    return read


@cache
def worlds() -> Mapping[str, World]:
    """Every world by its name, in the order of the file. Raises BadFile if the file has defects."""
    file = table(__package__, "worlds.toml")
    shared = file.get("asides", {})
    found = {}
    for name, world in file.get("worlds", {}).items():
        be = world.get("be", "is")
        names = {"noun": "{}", "verb": f"{be} {{}}", "verb_not": f"{be} not {{}}", **world.get("names", {})}
        found[name] = {"asides": shared.get(world.get("rel"), []), **world, "name": name, "names": names}
    read: Mapping[str, World] = checked(Mapping[str, World], found, __package__, "worlds.toml")
    return MappingProxyType(dict(read))


@lru_cache(maxsize=4096)
def found_in(name: str, names: tuple[tuple[str, ...], ...], scales: tuple[tuple[int, ...], ...]) -> tuple[Category | Scale, ...]:
    """The categories of a world that have these names, the scales last. BadRow if it has none of them, or one of them twice."""
    world = worlds().get(name)
    if world is None:
        raise BadRow(f"unknown world {name[:40]!r}; known: {', '.join(worlds())}")
    first = len(names) - len(scales)
    if first < 1 or any(entity not in world.names.values for entity in names[0]):
        raise BadRow(
            f"world {name}: style.names begins with {', '.join(n[:40] for n in names[0])}, which are no {world.whos} of it"
        )
    found: list[Category | Scale] = [
        world.names,
        *[world.category(each) for each in names[1:first]],
        *[world.scale(each, numbers) for each, numbers in zip(names[first:], scales, strict=True)],
    ]
    if len({each.title for each in found}) < len(found):
        raise BadRow(f"world {name}: style.names holds one category twice")
    return tuple(found)
