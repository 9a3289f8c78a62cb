"""Themes for puzzles of items on positions: a scene, words for places and order, and attributes with disjoint values.

The words stand in themes.toml and axes.toml; all are our own (SOURCES.md). A theme's *axis* says how positions 1, 2, 3, ... are
ordered in the scene, and words every kind of clue in three ways or more:
  row     from left to right, position 1 leftmost, as the reader sees it
  time    from first to last
  floors  from bottom to top
  queue   from front to back
Orderings have worlds and axes of their own (orders.toml, order_axes.toml): themes of one attribute that is drawn, whose words
compare ("is taller than") and count from either end.
Composite clues are worded the same on every axis, of *clauses*: each axis has short wordings for them (without "or" for the kinds
that are drawn), so that it is clear what belongs to which part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.core.text import capital
from puzzlemill.vocabulary.load import checked, record, table

Templates = Mapping[str, tuple[str, ...]]  # by the kind of clue
_BRIEF: Templates = {
    "same": ("{A} goes with {B}", "{A} is {B}"),
    "not_same": ("{A} does not go with {B}", "{A} is not {B}"),
}  # clauses of items in few words, where those of axes.toml are of their holders; the second if both names are of holders
_HOLDERS = ("drinker", "fan", "player", "learner", "dancer", "lover", "student", "observer", "gift")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
SHARED = "_shared"  # ends the name of a world in which several may have one place
KTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_DENIED = (("is ", "is not "), ("has ", "does not have "), ("got ", "did not get "), ("won ", "did not win "))


@dataclass(frozen=True, slots=True)
class Attribute:
    """title: the column's name. noun, verb, verb_not: the holder of a value, with {} for the value.

    alone: the same in short, for the steps of a deduction: "the tea drinker", "the red hat".
    """

    title: str
    noun: str
    verb: str
    verb_not: str
    values: tuple[str, ...]
    alone: str = "{}"

    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        """These values in the order in which people list them, which says nothing about any answer."""
        return tuple(sorted(names, key=self.values.index))


@dataclass(frozen=True, slots=True)
class Axis:
    """order: ends "one row per house, ...". first, last: how the place at either end is described.

    phrases: templates of sentences; clauses: of parts of sentences. meanings: kind -> exact meaning of its words.
    questions: what can be asked (order_axes.toml).
    """

    name: str
    order: str
    first: str
    last: str
    phrases: Templates
    clauses: Templates
    meanings: Mapping[str, str]
    questions: Templates = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Wordings:
    """axes.toml: phrases, clauses and meanings of every axis, phrases that follow an axis' own (by_number), and the axes."""

    composites: Templates
    phrases: Templates
    clauses: Templates
    meanings: Mapping[str, str]
    by_number: Templates
    axes: tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class Theme:
    """scene: one sentence or two with {n} for the number of places in words. who: what holds the values, one per place.

    at: the preposition before "house 3". stands, stand, stands_not: "lives", "live", "does not live". along: the axis' name.
    seen: from where the reader looks, or ""; it ends "numbered 1 to 4 from left to right".
    asides: remarks that say nothing about any puzzle: each names one item and a property that no attribute is about.
    words, spots, shared, scene_shared: of orderings (orders.toml).
    """

    name: str
    scene: str
    who: str
    whos: str
    rel: str
    place: str
    places: str
    at: str
    stands: str
    stand: str
    stands_not: str
    along: str
    seen: str
    attributes: tuple[Attribute, ...]
    asides: tuple[str, ...]
    words: Mapping[str, str] = field(default_factory=dict)
    spots: tuple[str, ...] = ()
    shared: str = ""
    scene_shared: str = ""

    @property
    def axis(self) -> Axis:
        return _order_axis(self.along) if self.words else _axis(self.along)

    @property
    def order(self) -> str:
        return self.axis.order

    def attribute(self, names: Sequence[str]) -> Attribute:
        """The attribute that has all these values. BadRow if there is none."""
        for attribute in self.attributes:
            if all(name in attribute.values for name in names):
                return attribute
        raise BadRow(f"theme {self.name}: no attribute has the values {', '.join(name[:40] for name in names)}")

    def intro(self, n: int) -> str:
        return capital(self.scene.replace("{n}", _NUMBERS[n]))

    def one(self, p: int) -> str:
        """The first or the last place: "house 1 is the leftmost"."""
        return f"{self.place} {p} is {self.axis.first if p == 1 else self.axis.last}"

    def meanings(self, kinds: Sequence[str], n: int) -> list[str]:
        """The exact meanings of these kinds' words, in the axis' order of kinds."""
        return [
            text.format(place=self.place, places=self.places, n=n) for kind, text in self.axis.meanings.items() if kind in kinds
        ]

    def sentence(self, kind: str, named: Sequence[tuple[Attribute, str]], number: int, n: int, choice: int) -> str:
        """One clue in words. number: a place from 0, or a distance. choice: any integer; it picks the template."""
        templates = self.axis.phrases[kind]
        return capital(templates[choice % len(templates)].format_map(self._words(kind, named, number, n)))

    def clause(self, kind: str, named: Sequence[tuple[Attribute, str]], number: int, n: int, choice: int) -> str:
        """The same as a part of a composite clue: no capital, no full stop."""
        templates = self.axis.clauses[kind]
        return templates[choice % len(templates)].format_map(self._words(kind, named, number, n))

    def composite(self, kind: str, clauses: Sequence[str], choice: int) -> str:
        """A composite clue in words. Where the order of its parts means nothing, they come in a ring, from any part on."""
        templates, start = self._wordings.composites[kind], self.start(kind, len(clauses), choice)
        turned = [*clauses[start:], *clauses[:start]]
        words = dict(zip("STU", turned, strict=False))
        return templates[choice % len(templates)].format_map({**words, "Then": capital(turned[1])})

    def start(self, kind: str, parts: int, choice: int) -> int:
        """Which part of a composite comes first in composite()."""
        return 0 if kind == "if" else choice // len(self._wordings.composites[kind]) % parts

    @property
    def _wordings(self) -> _Wordings:
        return _wordings("order_axes.toml" if self.words else "axes.toml")

    def asks(self, kind: str, named: Sequence[tuple[Attribute, str]], number: int, n: int, choice: int) -> str:
        """A question in words (order_axes.toml), which is drawn like the words of a clue. number: a place from 0."""
        templates = self.axis.questions[kind]
        return capital(templates[choice % len(templates)].format_map(self._words("at", named, number, n)))

    def aside(self, named: tuple[Attribute, str], choice: int) -> str:
        """A remark about one item that says nothing about its place or about any other value."""
        attribute, value = named
        return capital(self.asides[choice % len(self.asides)].replace("{A}", _with(attribute.noun, value, self)))

    def noun(self, named: tuple[Attribute, str]) -> str:
        """An item as a noun phrase: "the person who drinks tea"."""
        return _with(named[0].noun, named[1], self)

    def short(self, named: tuple[Attribute, str]) -> str:
        """An item in few words: "the tea drinker"."""
        return _with(named[0].alone, named[1], self)

    def holder(self, named: tuple[Attribute, str]) -> bool:
        """Return whether an item in few words is what holds the value ("the tea drinker"), not the value ("the red hat")."""
        attribute, words = named[0], self.short(named).split()
        return attribute.title == "name" or attribute.alone == attribute.noun or self.who in words or words[-1] in _HOLDERS

    def brief(self, kind: str, named: Sequence[tuple[Attribute, str]], number: int, n: int, choice: int) -> str:
        """A clause of items in few words: "the tea drinker is next to the red hat"."""
        templates = _BRIEF.get(kind) or self.axis.clauses[kind]
        if kind in _BRIEF:
            choice = int(all(self.holder(each) for each in named))
        said = replace(self, stands="is", stand="are", stands_not="is not", at=self.words.get("booked", self.at))
        words = said._words(kind, named, number, n)
        words.update(zip("ABC", [self.short(each) for each in named], strict=False))
        return templates[choice % len(templates)].replace("between those of", "between").format_map(words)

    def _words(self, kind: str, named: Sequence[tuple[Attribute, str]], number: int, n: int) -> dict[str, str]:
        words = {
            "p": str(number + 1),
            "d": str(number),
            "n": str(n),
            "who": self.who,
            "whos": self.whos,
            "rel": self.rel,
            "place": self.place,
            "places": self.places,
            "Place": capital(self.place),
            "at": self.at,
            "At": capital(self.at),
            "stands": self.stands,
            "stand": self.stand,
            "stands_not": self.stands_not,
        }
        if kind in ("apart", "far", "ahead"):
            several = number > 2
            bound = "at least" if kind == "far" else "exactly"
            words["gap"] = f"{bound} {_NUMBERS[number - 1]} {self.places if several else self.place}"
            words["Gap"] = capital(words["gap"])
            words["are_gap"] = ("are " if several else "is ") + words["gap"]
            words["lie"] = "lie" if several else "lies"
            words["come"] = "come" if several else "comes"
        if self.words:
            words.update(_ranked(self, kind, number, n))
        for letter, (attribute, value) in zip("ABC", named, strict=False):
            words[letter] = _with(attribute.noun, value, self)
            words[f"is_{letter}"] = _with(attribute.verb, value, self)
            words[f"not_{letter}"] = _with(attribute.verb_not, value, self)
        return words


@cache
def themes() -> Mapping[str, Theme]:
    """Every theme by its name, in the order of the file. Raises BadFile if the file has defects."""
    file = table(__package__, "themes.toml")
    known, shared = file.get("attributes", {}), {"asides": file.get("asides")}
    found = {}
    for name, theme in file.get("themes", {}).items():
        attributes = [known.get(key, key) for key in theme.get("attributes", [])]
        found[name] = {**shared, **theme, "name": name, "attributes": attributes}
    read: Mapping[str, Theme] = checked(Mapping[str, Theme], found, __package__, "themes.toml")
    return read


@cache
def orders() -> Mapping[str, Theme]:
    """Every world of orderings by its name, and NAME_shared for those in which several may have one place."""
    file = table(__package__, "orders.toml")
    found = {}
    for name, world in file.get("worlds", {}).items():
        attributes = [file["attributes"].get(key, key) for key in world.get("attributes", [])]
        found[name] = {"asides": file.get("asides"), **world, "name": name, "attributes": attributes}
        if world.get("shared"):
            found[name + SHARED] = {**found[name], "name": name + SHARED, "along": world["shared"]}
    read: Mapping[str, Theme] = checked(Mapping[str, Theme], found, __package__, "orders.toml")
    return read


@cache
def _wordings(name: str) -> _Wordings:
    read: _Wordings = record(_Wordings, __package__, name)
    return read


@cache
def _order_axis(name: str) -> Axis:
    """An axis of orderings: its phrases are its clauses and further ones as sentences."""
    own = next(axis for axis in _wordings("order_axes.toml").axes if axis.name == name)
    every = {kind: dict.fromkeys([*own.clauses[kind], *own.phrases.get(kind, ())]) for kind in own.clauses}
    phrases = {kind: tuple([f"{template}." for template in templates]) for kind, templates in every.items()}
    return replace(
        own,
        phrases=MappingProxyType({**phrases, "far": phrases["apart"]}),
        clauses=MappingProxyType({**own.clauses, "far": own.clauses["apart"]}),
        meanings=_wordings("order_axes.toml").meanings,
    )


@cache
def _axis(name: str) -> Axis:
    """An axis with all of its words: "far" has the phrases of "apart", which differ in the words for the gap."""
    every = _wordings("axes.toml")
    own = next((axis for axis in every.axes if axis.name == name), None)
    if own is None:
        raise BadFile(f"themes.toml: no axis is called {name[:40]!r}; known: {', '.join([axis.name for axis in every.axes])}")
    several = {**own.phrases, "far": own.phrases["apart"]}
    merged = {kind: (*templates, *every.by_number.get(kind, ())) for kind, templates in several.items()}
    return replace(
        own,
        phrases=MappingProxyType({**every.phrases, **merged}),
        clauses=MappingProxyType({**every.clauses, **own.clauses, "far": own.clauses["apart"]}),
        meanings=MappingProxyType({**own.meanings, **every.meanings}),
    )


def _with(template: str, value: str, theme: Theme) -> str:
    """Put a value where the template has {} ({a}: with its article, {bare}: without the one it has)."""
    if template == "{}":
        return value
    article = "an " if value[0].lower() in "aeiou" else "a "
    first, _, rest = value.partition(" ")
    bare = rest if first in ("a", "an", "the") else value
    return template.replace("{who}", theme.who).replace("{a}", article + value).replace("{bare}", bare).replace("{}", value)


# ---- orderings -----------------------------------------------------------------------------------------------------------


def _ranked(theme: Theme, kind: str, number: int, n: int) -> dict[str, str]:
    """The words of a world for one statement of this kind; order_axes.toml says what they are."""
    words, last = dict(theme.words), n - 1
    above, below = (number, last - number) if number < n else (0, 0)
    words.update(
        kth=KTH[above],
        kth_last=KTH[below],
        kth_end=("last" if not below else f"{KTH[below]} from last"),
        kth_top=f"{KTH[above]} from the top" if above else "at the very top",
        kth_bottom=f"{KTH[below]} from the bottom" if below else "at the very bottom",
        p1=_NUMBERS[above + 1],
        q1=_NUMBERS[below + 1],
        p_before=str(above),
        p_after=str(above + 2),
        bound="at least" if kind == "far" else "exactly",
        d_word=_NUMBERS[number],
        Who="Who" if theme.rel == "who" else f"Which {theme.who}",
        nobody="nobody" if theme.rel == "who" else "nothing",
    )
    if theme.spots:
        words.update(spot=theme.spots[above], first_spot=theme.spots[0], last_spot=theme.spots[last])
    for name, end, k in (("early", "first", above), ("late", "last", below)):
        words[name] = end if k == 1 else f"among the {end} {_NUMBERS[k]}"
        words[f"{name}_the"] = f"the {end}" if k == 1 else words[name]
        words[f"{name}_one"] = f"the {end} {theme.place}" if k == 1 else f"one of the {end} {_NUMBERS[k]} {theme.places}"
    for bound in ("exactly", "at most", "at least"):
        name = {"exactly": "", "at most": "most_", "at least": "least_"}[bound]
        words[f"{name}upto_few"], words[f"{name}past_few"] = [_of_the_others(bound, k) for k in (above, below)]
    words["stand_p"], words["stand_q"] = [theme.stands if k < 2 else theme.stand for k in (above, below)]
    crowd = max(number - 1, 0)
    words["crowd"] = f"{words['bound']} {_NUMBERS[crowd]} {theme.who if crowd == 1 else theme.whos}"
    words["come"], words["stand_k"] = ("comes", theme.stands) if crowd == 1 else ("come", theme.stand)
    words["rank_k"] = "ranks" if crowd == 1 else "rank"
    words["are_crowd"] = f"{'is' if crowd == 1 else 'are'} {words['crowd']}"
    if "top" in words:
        words.update(_compared(words, above, below))
    return words


def _of_the_others(bound: str, k: int) -> str:
    return f"{bound} {_NUMBERS[k]} of the others" if k else "none of the others"


def _compared(words: Mapping[str, str], above: int, below: int) -> dict[str, str]:
    """What a world says by comparing, of a place with so many above and below it."""
    found = {"first_is": words["top"].replace("{o}", ""), "last_is": words["bottom"].replace("{o}", "")}
    for name, k in (("top", above), ("bottom", below)):
        found[name] = words[name].replace("{o}", f"{KTH[k]}-" if k else "")
        was, denied = next(pair for pair in _DENIED if found[name].startswith(pair[0]))
        found[f"not_{name}"] = denied + found[name].removeprefix(was)
    found["tops"] = words["tops"].replace("{k}", _NUMBERS[above + 1])
    found["bottoms"] = words["bottoms"].replace("{k}", _NUMBERS[below + 1])
    for bound in ("", "most_", "least_"):
        found[f"{bound}few_up"] = f"{words[f'{bound}upto_few']} {words['more_pl' if above > 1 else 'more']}"
        found[f"{bound}few_down"] = f"{words[f'{bound}past_few']} {words['less_pl' if below > 1 else 'less']}"
    return found
