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
_LONG = 16  # letters of a noun, beside its item's: of four nouns in one sentence two may be longer
_DISTANCE = 7  # steps on a scale of eight numbers
# Names are not put where these words come before their verb: "the kite that is Ana", "either is Ana or comes from Peru".
_AWKWARD = re.compile(r"(?:\{rel\}|either|neither|nor|or|^N?[Ee]ither \{B\} n?or \{C\}|^\{B\}) \{(?:is|not)_([A-E])\}")
_RELATIVE = re.compile(r"\{rel\} \{is_([A-E])\}")
_NOTED, _BRACKETS = re.compile(r"\[(.*)\]"), re.compile(r"[\[\]]")
_NOT = re.compile(r"\b(is|was|are|were|does|do|did|has|had) not\b")
_JOINT = {"either_or": ("either", "or"), "neither": ("neither", "nor")}  # before each of two items in one verb phrase
_UNIT = re.compile(r"(?<=\d) (?!am|pm).*")  # after a number
_FIRST_CLAUSE = {"is": 2, "is_not": 2, "either_or": 1}  # items from which on one may be a clause: templates have those of others
_SLOT = re.compile(r'(?:\b(?:the|its) )?"?\{[a-]?\}"?')
_ALONE = re.compile(r"^\{|not|never|\b(?:Captain|platform|number|giant|a) \{")  # verbs that take one item only
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
    frames: a verb and how two items compare, from the lower side and from the higher: "cost", "less than", "more than"; and,
    if these cannot follow an amount, the same two with {} for it: "a fish {} shorter than". What stands in brackets is what is
    counted, and follows a number: "fewer [towers] than".
    measure, measures: what is compared; below, above: how two of them compare. apart: what two do that differ by {}.
    """

    title: str
    noun: str
    verb: str
    verb_not: str
    form: str
    first: tuple[int, int]
    steps: tuple[int, ...]
    frames: tuple[tuple[str, ...], ...]
    measure: str
    measures: str
    below: str
    above: str
    apart: str
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

    also: further words for an entity and for several. be: "is" or "was", the tense of its verbs. names: the entities; categories:
    at least five; scales: one to three.
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
    also: tuple[tuple[str, str], ...] = ()

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

    def noun(self, named: Named, choice: int = 0) -> str:
        """An item as a noun phrase: "the kite from Peru". choice: any integer; 0 takes the shortest."""
        nouns = self._nouns(named[0])
        return _with(nouns[choice % len(nouns)], named[1])

    def _nouns(self, category: Category | Scale) -> list[str]:
        """The noun phrases of a category's items; the last one is a relative clause, but for names."""
        clause = [f"the {self.who} {self.rel} {category.verb}"] if category is not self.names else []
        return [category.noun, *category.nouns, *clause]

    def has(self, named: Named, truth: bool = True) -> str:
        """An item as a verb phrase: "comes from Peru"."""
        category, value = named
        return _with(category.verb if truth else category.verb_not, value)

    def templates(self, kind: str, named: Sequence[Named], scale: Scale | None, whole: bool) -> list[tuple[str, int]]:
        """The templates of sentences for a kind of clue, each with the frame of the scale that it is for."""
        every = _clues()
        if scale is not None:
            framed = [(text, k) for text in every.frames[kind] for k in range(len(scale.frames))]
            return [*framed, *[(text, 0) for text in every.measures.get(kind, ())]]
        texts = (every.whole if whole and kind in every.whole else every.phrases)[kind]
        joint = kind in _JOINT and self._joins(named[1][0], named[2][0])
        left_out = ("{is_B} ",) if joint else ("{joint",)
        fit = [text for text in texts if not self._awkward(text, named) and not any(part in text for part in left_out)]
        return [(text, 0) for text in fit]

    def _told(self, said: Said) -> list[str]:
        """The templates for a clue with items of a shared category, which say of others only whether they have them."""
        letters = [letter for letter, (category, _) in zip("ABCDE", said.named, strict=False) if category is said.shared]
        joint = said.kind in _JOINT and self._joins(said.named[1][0], said.named[2][0])
        left_out = ["{is_B} ", "{not_B} "] if joint else ["{joint"]
        left_out += [f"{{{letter}}}" for letter in letters] + [f"{{is_{letter}}}" for letter in "BC" if letters == ["A"]]
        return [text for text in _clues().shared[said.kind] if not any(part in text for part in left_out)]

    def _joins(self, one: Category | Scale, two: Category | Scale) -> bool:
        """Return whether items of these categories share a verb: "was made of either silk or paper"."""
        return one is two and one is not self.names and not _ALONE.search(one.verb)

    def _awkward(self, text: str, named: Sequence[Named]) -> bool:
        """Return whether a template makes of these items what nobody would write; one relative clause is enough."""
        letters = dict(zip("ABCDE", named, strict=False))
        if "{rel}" in text and any(self._clause_in(each) for letter, each in letters.items() if f"{{{letter}}}" in text):
            return True
        if any(self._clause_in(letters[letter]) for letter in _RELATIVE.findall(text)):
            return True
        if "{be} the {who}" in text and f" {self.who}" in named[0][0].noun:
            return True
        if "D}" in text and "_" not in text and sum(len(category.noun) > _LONG for category, _ in named) > 2:
            return True
        names = {letter for letter, (category, _) in letters.items() if category is self.names}
        return not names.isdisjoint(_AWKWARD.findall(text))

    def _clause_in(self, named: Named) -> bool:
        """Return whether an item's shortest noun ends with a clause, which what follows could be read as part of."""
        return any(f" {word} " in named[0].noun for word in (self.rel, "whose"))

    def sentence(self, said: Said, choice: int) -> str:
        """One clue in words. choice: any integer; it picks the template, and the nouns and their order."""
        if said.shared is None:
            templates = self.templates(said.kind, said.named, said.scale, len(said.named) == said.n)
        else:
            templates = [(text, 0) for text in self._told(said)]
        text, frame = templates[choice % len(templates)]
        return capital(_contracted(text.format_map(self._words(said, frame, choice, text)), choice))

    def clause(self, said: Said, choice: int) -> str:
        """The same as a part of a composite clue: no capital, no full stop, and the shortest nouns."""
        texts = [text for text in _clues().clauses[said.kind] if not self._awkward(text, said.named)]
        return texts[choice % len(texts)].format_map(self._words(said, 0, 0))

    def composite(self, kind: str, clauses: Sequence[str], choice: int) -> str:
        """A composite clue in words. Where the order of its parts means nothing, they come in a ring, from any part on."""
        templates, start = _clues().composites[kind], self.start(kind, len(clauses), choice)
        turned = [*clauses[start:], *clauses[:start]]
        words = {**dict(zip("STU", turned, strict=False)), "Then": capital(turned[1])}
        return capital(_contracted(templates[choice % len(templates)].format_map(words), choice))

    def twice(self, said: Sequence[Said], choice: int) -> str:
        """Two comparisons of the same two items, on different scales, as one clue that names each item once."""
        turned, mixed = choice // 6, _mixed(choice)
        (one, first), (two, second) = [(each, mixed >> 8 + 6 * k & 63) for k, each in enumerate(said)][:: 1 if turned % 2 else -1]
        low, high = one.named[:: 1 if turned // 2 % 2 else -1]  # low: the subject of both
        templates = [
            text for text in _clues().twice["both"] if not (text.endswith("{B} and {second}.") and self._clause_in(high))
        ]
        one_side, one_alone = _side(one, first, low)
        words = {
            "A": self.noun(low),
            "B": self.noun(high),
            "first": one_side,
            "alone": one_alone,
            "second": _side(two, second, low)[1],
        }
        return capital(templates[choice % len(templates)].format_map(words))

    def start(self, kind: str, parts: int, choice: int) -> int:
        """Which part of a composite comes first in composite()."""
        return 0 if kind == "if" else choice // len(_clues().composites[kind]) % parts

    def _words(self, said: Said, frame: int, choice: int, text: str = "") -> dict[str, str]:
        """What stands in the places of a template. text: the template; in clauses, which have the shortest nouns, it is empty."""
        past, count, mixed = self.be == "was", len(said.named), _mixed(choice)
        pairs = [(self.who, self.whos), *self.also]
        who, whos = pairs[(mixed >> 24) % len(pairs) if text else 0]
        words = {
            "who": who,
            "a_who": with_article(who),
            "whos": whos,
            "rel": self.rel,
            "be": self.be,
            "are": "were" if past else "are",
            "must_be": "must have been" if past else "must be",
            "cannot_be": "cannot have been" if past else "cannot be",
            "turns": "turned" if past else "turns",
            "can_be": "can only have been" if past else "can only be",
            "comes": "came" if past else "comes",
            "differ": "differed" if past else "differ",
            "count": NUMBERS[count],
            "Count": capital(NUMBERS[count]),
        }
        named = self._turned(said, choice)
        phrases = self._phrases(said.kind, named, mixed, who, "{rel}" in text) if text else [self.noun(each) for each in named]
        words["all"] = listed(phrases)
        for letter, each, phrase in zip("ABCDE", named, phrases, strict=False):
            words |= {letter: phrase, f"is_{letter}": self.has(each), f"not_{letter}": self.has(each, False)}
            again = sum(f" {who}" in other for other in phrases) > 1
            words[f"{letter}_one"] = (
                re.sub(rf"^the ((?!{who} ).*) {who}$|^the {who} ", _one, phrase)
                if again and each[0] is not self.names
                else phrase
            )
        if said.kind in _JOINT:
            category, one, two = said.named[1][0], named[1][1], named[2][1]
            words["joint"] = _joint(category.verb, one, two, *_JOINT[said.kind])
            words["joint_not"] = _joint(category.verb_not, one, two, "", "or")
        if said.scale is not None:
            words |= _compared(said, frame, mixed >> 28 & 7 == 0)
        return words

    def _turned(self, said: Said, choice: int) -> list[Named]:
        """The items in one of the orders that mean the same, names before longer phrases."""
        named = said.turned(choice)
        for group in said.free if said.kind not in ("is", "is_not") else ():
            places = [k for k in group if k < len(named)]
            ordered = sorted([named[k] for k in places], key=lambda each: each[0] is not self.names)
            for k, each in zip(places, ordered, strict=True):
                named[k] = each
        return named

    def _phrases(self, kind: str, named: Sequence[Named], mixed: int, who: str, clause: bool) -> list[str]:
        """The items as noun phrases: one form for a category, and one relative clause at most. clause: there is one already."""
        drawn = mixed >> 16 & 15 if mixed >> 12 & 3 == 0 and not clause and not any(map(self._clause_in, named)) else -1
        long = drawn if drawn >= _FIRST_CLAUSE.get(kind, 0) else -1
        found = []
        for k, (category, value) in enumerate(named):
            nouns = [category.noun, *category.nouns]
            noun = nouns[(mixed >> 8) % len(nouns)]
            lone = category is not self.names and [other for other, _ in named].count(category) == 1
            if k == long and lone and f"the {self.who}" in noun:
                noun = self._nouns(category)[-1]
            found.append(_with(re.sub(rf"\b{self.who}\b(?! of)", who, noun), value))
        return found


@dataclass(frozen=True, slots=True)
class Said:
    """A plain statement with the names of its items. n: entities of the puzzle. free: items that may change places, by place.

    shared: a category of items that two entities may have, so that none is described by them; None if none is named.
    """

    kind: str
    named: tuple[Named, ...]
    n: int
    scale: Scale | None = None
    number: int = 0
    free: tuple[tuple[int, ...], ...] = ()
    shared: Category | Scale | None = None

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
    words = _compared(said, choice % len(said.scale.frames), choice % 8 == 0)
    side = words["less" if said.named[0] == subject else "more"]
    return f"{words['verb']} {side}", f"{words['verb']} {_alone(side)}"


_LATER = {"before": "earlier", "after": "later", "below": "lower", "above": "higher"}


def _alone(side: str) -> str:
    """What compares two items, where the other one is not named: "5 minutes earlier" for "5 minutes before"."""
    words = side.partition(" than")[0].removesuffix(" of").removeprefix("some time ").split(" ")
    return " ".join([*words[:-1], _LATER.get(words[-1], words[-1])])


def _compared(said: Said, frame: int, exact: bool) -> dict[str, str]:
    """The words of a comparison. exact: say "exactly" where a number without it would mean the same."""
    scale = said.scale
    assert scale is not None
    verb, *sides = scale.frames[frame]
    lower, higher = [_BRACKETS.sub("", side) for side in sides[:2]]
    bound = "at least " if said.kind == "at_least" else "exactly " if exact else ""
    amount = bound + scale.amount(said.number) if said.number else ""
    if not amount:
        gap = "some time " if lower in ("before", "after") else ""
        less, more = gap + lower, gap + higher
    elif len(sides) > 2:
        less, more = [side.replace("{}", amount) for side in sides[2:]]
    elif "[" in sides[0]:
        less, more = [f"{bound}{said.number} {_counted(side, said.number)}" for side in sides]
    else:
        less, more = [f"{amount} {side}" for side in sides]
    return {
        "verb": verb,
        "lower": lower,
        "higher": higher,
        "less": less,
        "more": more,
        "amount": amount,
        "measure": scale.measure,
        "measures": scale.measures,
        "apart": scale.apart.replace("{}", amount),
    }


def _counted(side: str, number: int) -> str:
    """How two items compare, after a number: "more towers than", "more tower than" of one."""
    return _NOTED.sub(lambda unit: unit[1].removesuffix("s") if number == 1 else unit[1], side)


def _mixed(choice: int) -> int:
    """32 bits of a choice, for what is chosen beside the template."""
    return choice * 0x9E3779B1 & 0xFFFFFFFF


def _contracted(text: str, choice: int) -> str:
    """A sentence with "isn't" for "is not", five times of eight."""
    return _NOT.sub(r"\1n't", text).replace("cannot", "can't") if _mixed(choice) >> 20 & 7 < 5 else text


def _one(found: re.Match[str]) -> str:
    return f"the {found[1]} one" if found[1] else "the one "


def _joint(verb: str, one: str, two: str, first: str, second: str) -> str:
    """Two items in one verb phrase: "was made of either silk or paper", "lasted either 2 or 4 days"."""
    unit = _UNIT.search(one)
    if unit is not None and two.endswith(unit[0]):
        one, two = sorted((one, two), key=lambda name: int(name.split(" ")[0]))
        one = one.removesuffix(unit[0])

    def filled(slot: re.Match[str]) -> str:
        return f"{first} {_with(slot[0], one)} {second} {_with(slot[0], two)}".strip()

    return _SLOT.sub(filled, verb)


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
    shared: Templates


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
