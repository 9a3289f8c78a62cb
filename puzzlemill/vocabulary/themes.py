"""Themes for puzzles of items on positions: a scene, words for places and order, and attributes with disjoint values.

All words are our own (SOURCES.md). Within a theme no two values are equal, whatever the case, so a value names its attribute.
Published puzzles name their theme and values: never rename or remove a theme, an attribute or a value; add new ones.

A theme's `axis` says how position 1, 2, 3, ... are ordered in the scene and words every kind of clue in three ways or more:
  row     from left to right, position 1 leftmost, as the reader sees it
  time    from first to last
  floors  from bottom to top
  queue   from front to back
Composite clues are worded the same on every axis, of *clauses*: each axis has short wordings for them (without "or" for the kinds
that are drawn), so that it is clear what belongs to which part. A theme's `asides` are remarks that say nothing about any puzzle:
they name one item and a property that no attribute of the theme is about.

Templates name items as {A}, {B}, {C} (a noun phrase: "the person who drinks tea"), {is_A} (a verb phrase: "drinks tea") and
{not_A} ("does not drink tea"); {stands}, {stand}, {stands_not} are the theme's verb for being at a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from puzzlemill.core.errors import BadRow

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, slots=True)
class Attribute:
    """title: the column's name. noun, verb, verb_not: the holder of a value, with {} for the value."""

    title: str
    noun: str
    verb: str
    verb_not: str
    values: tuple[str, ...]

    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        """These values in the order in which people list them, which says nothing about any answer."""
        return tuple(sorted(names, key=self.values.index))


@dataclass(frozen=True, slots=True)
class Axis:
    """order: ends "one row per house, ...". phrases: kind -> templates of sentences; clauses: of parts of sentences.

    meanings: kind -> what its words mean exactly.
    """

    name: str
    order: str
    phrases: Mapping[str, tuple[str, ...]]
    clauses: Mapping[str, tuple[str, ...]]
    meanings: Mapping[str, str]


_SAME = {
    "same": ("{A} {is_B}.", "{B} {is_A}.", "{A} and {B} are the same {who}.", "{A} is {B}."),
    "not_same": ("{A} {not_B}.", "{B} {not_A}.", "{A} and {B} are two different {whos}.", "{A} is not {B}."),
}
_BY_NUMBER = {
    "next": ("The {place} numbers of {A} and {B} differ by exactly 1.",),
    "just_left": ("The {place} number of {A} is exactly 1 lower than that of {B}.",),
    "left": ("The {place} number of {A} is lower than that of {B}.",),
    "apart": ("The {place} numbers of {A} and {B} differ by exactly {d}.",),
    "far": ("The {place} numbers of {A} and {B} differ by at least {d}.",),
}
_CLAUSES = {
    "at": ("{A} {stands} {at} {place} {p}",),
    "not_at": ("{A} {stands_not} {at} {place} {p}",),
    "same": ("{A} {is_B}", "{B} {is_A}", "{A} is {B}"),
    "not_same": ("{A} {not_B}", "{B} {not_A}", "{A} is not {B}"),
}
_COMPOSITES = {
    "one_of": (
        "Exactly one of these three statements is true: {S}; {T}; {U}.",
        "Of the following three statements, exactly one is true: (a) {S}; (b) {T}; (c) {U}.",
        "One of these three statements is true and the other two are false: {S}; {T}; {U}.",
    ),
    "if": (
        "If {S}, then {T}.",
        "If it is true that {S}, then it is also true that {T}.",
        "{Then} if {S}.",
    ),
    "either": (
        "Either {S}, or {T}, but not both.",
        "Exactly one of these two statements is true: {S}; {T}.",
        "One of these two statements is true and the other is false: {S}; {T}.",
    ),
}  # in "if", {S} is the condition
_IF = 'A clue with "if" is broken only where its condition is true and what should follow is false.'


def _axis(
    name: str,
    order: str,
    phrases: Mapping[str, tuple[str, ...]],
    clauses: Mapping[str, tuple[str, ...]],
    meanings: Mapping[str, str],
) -> Axis:
    several = {**phrases, "far": phrases["apart"]}  # the words for the gap tell "exactly" from "at least"
    merged = {kind: (*templates, *_BY_NUMBER.get(kind, ())) for kind, templates in several.items()}
    parts = {**_CLAUSES, **clauses, "far": clauses["apart"]}
    return Axis(
        name, order, MappingProxyType({**_SAME, **merged}), MappingProxyType(parts), MappingProxyType({**meanings, "if": _IF})
    )


ROW = _axis(
    "row",
    "from left to right",
    {
        "at": (
            "{A} {stands} {at} {place} {p}.",
            "{Place} {p} is where {A} {stands}.",
            "{At} {place} {p} you will find {A}.",
        ),
        "not_at": (
            "{A} {stands_not} {at} {place} {p}.",
            "{Place} {p} is not where {A} {stands}.",
            "{At} {place} {p} you will not find {A}.",
        ),
        "end": (
            "{A} {stands} at one end of the row.",
            "{A} {stands} {at} the leftmost or the rightmost {place}.",
            "{A} has a neighbour on one side only.",
        ),
        "next": (
            "{A} {stands} next to {B}.",
            "{B} {stands} next to {A}.",
            "{A} and {B} {stand} next to each other.",
            "{A} and {B} are direct neighbours.",
        ),
        "just_left": (
            "{A} {stands} immediately to the left of {B}.",
            "{B} {stands} immediately to the right of {A}.",
            "Going from left to right, you come to {A} and then, at the very next {place}, to {B}.",
        ),
        "left": (
            "{A} {stands} somewhere to the left of {B}.",
            "{B} {stands} somewhere to the right of {A}.",
            "Going from left to right, you come to {A} before {B}.",
        ),
        "apart": (
            "There {are_gap} between {A} and {B}.",
            "{A} and {B} have {gap} between them.",
        ),
        "between": (
            "{A} {stands} somewhere between {B} and {C}.",
            "{B} and {C} {stand} on different sides of {A}.",
            "{A} has {B} on one side and {C} on the other, each at any distance.",
        ),
    },
    {
        "end": ("{A} {stands} at one end of the row",),
        "next": ("{A} {stands} next to {B}", "{B} {stands} next to {A}", "{A} and {B} are direct neighbours"),
        "just_left": ("{A} {stands} immediately to the left of {B}", "{B} {stands} immediately to the right of {A}"),
        "left": ("{A} {stands} somewhere to the left of {B}", "{B} {stands} somewhere to the right of {A}"),
        "apart": ("there {are_gap} between {A} and {B}",),
        "between": ("{A} {stands} somewhere between {B} and {C}",),
    },
    {
        "end": "The two ends of the row are {place} 1 and {place} {n}, each of which has a neighbour on one side only.",
        "next": '"Next to" and "direct neighbours" mean that the {place} numbers differ by exactly 1, in either order.',
        "just_left": '"Immediately to the left" means one number lower, "immediately to the right" one number higher.',
        "left": '"Somewhere to the left" means any lower number, "somewhere to the right" any higher number.',
        "between": '"Between" and "on different sides" count {places} at any distance, and do not say which side is which.',
    },
)

TIME = _axis(
    "time",
    "from first to last",
    {
        "at": (
            "{A} {stands} {at} {place} {p}.",
            "{A} is the {who} {rel} {stands} {at} {place} {p}.",
            "{Place} {p} belongs to {A}.",
        ),
        "not_at": (
            "{A} {stands_not} {at} {place} {p}.",
            "{A} is not the {who} {rel} {stands} {at} {place} {p}.",
            "{Place} {p} does not belong to {A}.",
        ),
        "end": (
            "{A} {stands} either first of all or last of all.",
            "{A} {stands} {at} {place} 1 or {place} {n}.",
            "{A} has the first or the last {place}.",
        ),
        "next": (
            "{A} {stands} either exactly one {place} before or exactly one {place} after {B}.",
            "{A} and {B} {stand} {at} consecutive {places}, in one order or the other.",
            "The {places} of {A} and {B} follow directly one upon the other, whichever comes first.",
        ),
        "just_left": (
            "{A} {stands} exactly one {place} before {B}.",
            "{B} {stands} exactly one {place} after {A}.",
            "The {place} right after that of {A} belongs to {B}.",
        ),
        "left": (
            "{A} {stands} some time before {B}.",
            "{B} {stands} some time after {A}.",
            "{A} has an earlier {place} than {B}.",
        ),
        "apart": (
            "There {are_gap} between those of {A} and {B}.",
            "{Gap} {come} between {A} and {B}.",
        ),
        "between": (
            "{A} {stands} some time between {B} and {C}.",
            "Of {B} and {C}, one {stands} before {A} and the other after.",
            "{A} comes after one of {B} and {C} and before the other.",
        ),
    },
    {
        "end": ("{A} has the first or the last {place}",),
        "next": ("{A} and {B} {stand} {at} consecutive {places}", "the {places} of {A} and {B} are consecutive"),
        "just_left": ("{A} {stands} exactly one {place} before {B}", "{B} {stands} exactly one {place} after {A}"),
        "left": ("{A} {stands} some time before {B}", "{B} {stands} some time after {A}"),
        "apart": ("there {are_gap} between those of {A} and {B}",),
        "between": ("{A} {stands} some time between {B} and {C}",),
    },
    {
        "left": '"Some time before" and "earlier" mean any lower {place} number, "some time after" any higher one.',
        "between": '"Between" counts {places} at any distance, and does not say which of the two others comes first.',
    },
)

FLOORS = _axis(
    "floors",
    "from bottom to top",
    {
        "at": (
            "{A} {stands} {at} {place} {p}.",
            "{Place} {p} is where {A} {stands}.",
            "{At} {place} {p} you will find {A}.",
        ),
        "not_at": (
            "{A} {stands_not} {at} {place} {p}.",
            "{Place} {p} is not where {A} {stands}.",
            "{At} {place} {p} you will not find {A}.",
        ),
        "end": (
            "{A} {stands} either at the very bottom or at the very top.",
            "{A} {stands} {at} the lowest or the highest {place}.",
            "{A} {stands} {at} {place} 1 or {place} {n}.",
        ),
        "next": (
            "{A} {stands} directly above or directly below {B}.",
            "{A} and {B} {stand} {at} adjacent {places}.",
            "{A} and {B} are direct neighbours, one above the other.",
        ),
        "just_left": (
            "{A} {stands} directly below {B}.",
            "{B} {stands} directly above {A}.",
            "Going up, you come to {A} and then, one {place} higher, to {B}.",
        ),
        "left": (
            "{A} {stands} somewhere below {B}.",
            "{B} {stands} somewhere above {A}.",
            "Going up, you come to {A} before {B}.",
        ),
        "apart": (
            "There {are_gap} between those of {A} and {B}.",
            "{Gap} {lie} between {A} and {B}.",
        ),
        "between": (
            "{A} {stands} somewhere between {B} and {C}.",
            "Of {B} and {C}, one {stands} below {A} and the other above.",
            "{A} {stands} above one of {B} and {C} and below the other.",
        ),
    },
    {
        "end": ("{A} {stands} {at} the lowest or the highest {place}",),
        "next": ("{A} and {B} {stand} {at} adjacent {places}", "{A} and {B} are direct neighbours"),
        "just_left": ("{A} {stands} directly below {B}", "{B} {stands} directly above {A}"),
        "left": ("{A} {stands} somewhere below {B}", "{B} {stands} somewhere above {A}"),
        "apart": ("there {are_gap} between those of {A} and {B}",),
        "between": ("{A} {stands} somewhere between {B} and {C}",),
    },
    {
        "just_left": '"Directly below" means exactly one number lower, "directly above" exactly one number higher.',
        "left": '"Somewhere below" means any lower number, "somewhere above" any higher number.',
        "between": '"Between", "below" and "above" count {places} at any distance; "between" does not say which is higher.',
    },
)

QUEUE = _axis(
    "queue",
    "from front to back",
    {
        "at": (
            "{A} {stands} {at} {place} {p}.",
            "{Place} {p} is where {A} {stands}.",
            "{At} {place} {p} you will find {A}.",
        ),
        "not_at": (
            "{A} {stands_not} {at} {place} {p}.",
            "{Place} {p} is not where {A} {stands}.",
            "{At} {place} {p} you will not find {A}.",
        ),
        "end": (
            "{A} {stands} either at the very front or at the very back.",
            "{A} {stands} {at} {place} 1 or {place} {n}.",
            "{A} is either first or last.",
        ),
        "next": (
            "{A} {stands} directly ahead of or directly behind {B}.",
            "{A} and {B} {stand} directly one behind the other, in one order or the other.",
            "{A} and {B} are direct neighbours, whichever is ahead.",
        ),
        "just_left": (
            "{A} {stands} directly ahead of {B}.",
            "{B} {stands} directly behind {A}.",
            "The very next {who} after {A} is {B}.",
        ),
        "left": (
            "{A} {stands} somewhere ahead of {B}.",
            "{B} {stands} somewhere behind {A}.",
            "{A} will be served before {B}.",
        ),
        "apart": (
            "There {are_gap} between those of {A} and {B}.",
            "{Gap} {lie} between {A} and {B}.",
        ),
        "between": (
            "{A} {stands} somewhere between {B} and {C}.",
            "Of {B} and {C}, one {stands} ahead of {A} and the other behind.",
            "{A} {stands} behind one of {B} and {C} and ahead of the other.",
        ),
    },
    {
        "end": ("{A} {stands} at one end of the queue",),
        "next": ("{A} and {B} {stand} {at} adjacent {places}", "{A} and {B} are direct neighbours"),
        "just_left": ("{A} {stands} directly ahead of {B}", "{B} {stands} directly behind {A}"),
        "left": ("{A} {stands} somewhere ahead of {B}", "{B} {stands} somewhere behind {A}"),
        "apart": ("there {are_gap} between those of {A} and {B}",),
        "between": ("{A} {stands} somewhere between {B} and {C}",),
    },
    {
        "just_left": '"Directly ahead" means exactly one number lower, "directly behind" exactly one number higher.',
        "left": '"Somewhere ahead" means any lower number, "somewhere behind" any higher number.',
        "between": '"Between", "ahead" and "behind" count places at any distance; "between" does not say which is ahead.',
    },
)


_OF_PEOPLE = (
    "{A} has collected stamps since childhood.",
    "{A} always sleeps with the window open.",
    "{A} enjoys crossword puzzles.",
    "{A} once won a prize in a raffle.",
    "{A} has a twin brother.",
    "{A} never forgets a face.",
    "{A} is allergic to dust.",
    "{A} has never been on skis.",
    "{A} gets up early even on Sundays.",
    "{A} has curly hair.",
    "{A} cannot whistle.",
    "{A} is known for telling long jokes.",
    "{A} was once stung by a wasp.",
    "{A} needs glasses for small print.",
    "{A} dislikes the smell of petrol.",
    "{A} has moved home several times.",
)


@dataclass(frozen=True, slots=True)
class Theme:
    """scene: one sentence or two with {n} for the number of places in words. who: what holds the values, one per place.

    at: the preposition before "house 3". stands, stand, stands_not: "lives", "live", "does not live".
    seen: from where the reader looks, or ""; ends "numbered 1 to 4 from left to right".
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
    axis: Axis
    seen: str
    attributes: tuple[Attribute, ...]
    asides: tuple[str, ...] = _OF_PEOPLE

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
        return _capital(self.scene.replace("{n}", _NUMBERS[n]))

    def numbering(self, n: int) -> str:
        return f"The {self.places} are numbered 1 to {n} {self.axis.order}{self.seen}: {self._one(1)} and {self._one(n)}."

    def _one(self, p: int) -> str:
        first, last = {
            "row": ("the leftmost", "the rightmost"),
            "time": ("the first", "the last"),
            "floors": ("the lowest", "the highest"),
            "queue": ("at the very front", "at the very back"),
        }[self.axis.name]
        return f"{self.place} {p} is {first if p == 1 else last}"

    def once(self) -> str:
        return (
            f"For each line below, every {self.who} has exactly one of the values, and no two {self.whos} have the same one. "
            f"Descriptions from different lines may belong to the same {self.who} unless a clue rules it out."
        )

    def question(self) -> str:
        return f"Work out which values belong to the {self.who} {self.at} each {self.place}."

    def meanings(self, kinds: Sequence[str], n: int) -> list[str]:
        """What the words of these kinds mean exactly, in the axis' order of kinds."""
        return [
            text.format(place=self.place, places=self.places, n=n) for kind, text in self.axis.meanings.items() if kind in kinds
        ]

    def sentence(self, kind: str, named: Sequence[tuple[Attribute, str]], number: int, n: int, choice: int) -> str:
        """One clue in words. number: a place from 0, or a distance. choice: any integer; it picks the template."""
        templates = self.axis.phrases[kind]
        return _capital(templates[choice % len(templates)].format_map(self._words(kind, named, number, n)))

    def clause(self, kind: str, named: Sequence[tuple[Attribute, str]], number: int, n: int, choice: int) -> str:
        """The same as a part of a composite clue: no capital, no full stop."""
        templates = self.axis.clauses[kind]
        return templates[choice % len(templates)].format_map(self._words(kind, named, number, n))

    def composite(self, kind: str, clauses: Sequence[str], choice: int) -> str:
        """A composite clue in words. Where the order of its parts means nothing, they are told from some part on, in a ring."""
        templates = _COMPOSITES[kind]
        start = 0 if kind == "if" else choice // len(templates) % len(clauses)
        told = [*clauses[start:], *clauses[:start]]
        words = dict(zip("STU", told, strict=False))
        return templates[choice % len(templates)].format_map({**words, "Then": _capital(told[1])})

    def aside(self, named: tuple[Attribute, str], choice: int) -> str:
        """A remark about one item that says nothing about its place or about any other value."""
        attribute, value = named
        return _capital(self.asides[choice % len(self.asides)].replace("{A}", _with(attribute.noun, value, self)))

    def noun(self, named: tuple[Attribute, str]) -> str:
        """An item as a noun phrase: "the person who drinks tea"."""
        return _with(named[0].noun, named[1], self)

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
            "Place": _capital(self.place),
            "at": self.at,
            "At": _capital(self.at),
            "stands": self.stands,
            "stand": self.stand,
            "stands_not": self.stands_not,
        }
        if kind in ("apart", "far"):
            several = number > 2
            bound = "exactly" if kind == "apart" else "at least"
            words["gap"] = f"{bound} {_NUMBERS[number - 1]} {self.places if several else self.place}"
            words["Gap"] = _capital(words["gap"])
            words["are_gap"] = ("are " if several else "is ") + words["gap"]
            words["lie"] = "lie" if several else "lies"
            words["come"] = "come" if several else "comes"
        for letter, (attribute, value) in zip("ABC", named, strict=False):
            words[letter] = _with(attribute.noun, value, self)
            words[f"is_{letter}"] = _with(attribute.verb, value, self)
            words[f"not_{letter}"] = _with(attribute.verb_not, value, self)
        return words


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _with(template: str, value: str, theme: Theme) -> str:
    """Put a value where the template has {} (or {a}: with its article)."""
    article = "an " if value[0].lower() in "aeiou" else "a "
    return template.replace("{who}", theme.who).replace("{a}", article + value).replace("{}", value)


def _attribute(title: str, noun: str, verb: str, verb_not: str, values: str) -> Attribute:
    return Attribute(title, noun, verb, verb_not, tuple(values.split(", ")))


# ---- attributes of people, used by several themes --------------------------------------------------------------------


NAME = _attribute("name", "{}", "is called {}", "is not called {}", "Alma, Bruno, Chiara, Dario, Elif, Farid, Greta, Hiro")
FIRST_NAME = _attribute("name", "{}", "is called {}", "is not called {}", "Ines, Jonas, Kamala, Leif, Mirela, Nuri, Olga, Pavel")
CALLED = _attribute("name", "{}", "is called {}", "is not called {}", "Quentin, Rosa, Samir, Tova, Ugo, Vera, Wanda, Yusuf")
COUNTRY = _attribute(
    "country",
    "the {who} from {}",
    "comes from {}",
    "does not come from {}",
    "Norway, Denmark, England, Germany, Sweden, Ukraine, Spain, Japan",
)
TOWN = _attribute(
    "home town",
    "the {who} from {}",
    "comes from {}",
    "does not come from {}",
    "Lisbon, Oslo, Kyoto, Quito, Nairobi, Cracow, Perth, Montreal",
)
DRINK = _attribute(
    "drink",
    "the {who} who drinks {}",
    "drinks {}",
    "does not drink {}",
    "water, tea, milk, orange juice, coffee, lemonade, cocoa, ginger beer",
)
PET = _attribute(
    "pet",
    "the {who} who keeps the {}",
    "keeps the {}",
    "does not keep the {}",
    "fox, horse, snail, dog, zebra, cat, parrot, tortoise",
)
PASTIME = _attribute(
    "pastime",
    "the {who} whose pastime is {}",
    "has {} for a pastime",
    "does not have {} for a pastime",
    "chess, origami, archery, juggling, pottery, knitting, fencing, birdwatching",
)
INSTRUMENT = _attribute(
    "instrument",
    "the {who} who plays the {}",
    "plays the {}",
    "does not play the {}",
    "violin, flute, cello, trumpet, harp, clarinet, accordion, banjo",
)
JOB = _attribute(
    "job",
    "the {}",
    "works as {a}",
    "does not work as {a}",
    "baker, carpenter, dentist, electrician, florist, librarian, pilot, tailor",
)
HAT = _attribute(
    "hat",
    "the {who} in the {} hat",
    "wears the {} hat",
    "does not wear the {} hat",
    "red, blue, green, yellow, black, white, purple, orange",
)
COAT = _attribute(
    "coat",
    "the {who} in the {} coat",
    "wears the {} coat",
    "does not wear the {} coat",
    "crimson, navy, olive, beige, charcoal, turquoise, lilac, rust",
)
FRUIT = _attribute(
    "fruit",
    "the {who} who brought the {}",
    "brought the {}",
    "did not bring the {}",
    "apple, pear, plum, mango, banana, apricot, fig, papaya",
)
BOOK = _attribute(
    "book",
    "the {who} who is reading the {}",
    "is reading the {}",
    "is not reading the {}",
    "atlas, cookbook, detective novel, diary, dictionary, fairy tale, poetry book, travel guide",
)
FLOWER = _attribute(
    "flower",
    "the {who} whose favourite flower is the {}",
    "likes the {} best of all flowers",
    "does not like the {} best of all flowers",
    "tulip, rose, daisy, iris, lily, orchid, poppy, sunflower",
)
LANGUAGE = _attribute(
    "language",
    "the {who} who is learning {}",
    "is learning {}",
    "is not learning {}",
    "Basque, Finnish, Hindi, Icelandic, Korean, Latin, Swahili, Welsh",
)
BAG = _attribute(
    "bag",
    "the {who} with the {}",
    "has the {}",
    "does not have the {}",
    "backpack, basket, briefcase, duffel bag, handbag, satchel, suitcase, tote bag",
)
VEHICLE = _attribute(
    "vehicle",
    "the {who} who arrived by {}",
    "arrived by {}",
    "did not arrive by {}",
    "bicycle, bus, ferry, motorbike, scooter, taxi, tram, underground",
)
SNACK = _attribute(
    "snack",
    "the {who} who ordered the {}",
    "ordered the {}",
    "did not order the {}",
    "cheese roll, fruit salad, granola bar, omelette, pretzel, rice ball, samosa, waffle",
)
BIRTH = _attribute(
    "birth month",
    "the {who} who was born in {}",
    "was born in {}",
    "was not born in {}",
    "January, February, April, May, July, August, October, December",
)
DANCE = _attribute(
    "dance",
    "the {who} who dances the {}",
    "dances the {}",
    "does not dance the {}",
    "foxtrot, jive, mambo, polka, rumba, samba, tango, waltz",
)
MASCOT = _attribute(
    "mascot",
    "the {who} with the toy {}",
    "carries the toy {}",
    "does not carry the toy {}",
    "badger, camel, dolphin, hedgehog, kangaroo, otter, penguin, walrus",
)

# ---- the themes --------------------------------------------------------------------------------------------------

_STREET = Theme(
    "street",
    "{n} houses stand side by side on a street, and one person lives in each of them.",
    "person",
    "people",
    "who",
    "house",
    "houses",
    "in",
    "lives",
    "live",
    "does not live",
    ROW,
    " as you face them",
    (
        NAME,
        _attribute(
            "house colour",
            "the owner of the {} house",
            "owns the {} house",
            "does not own the {} house",
            "yellow, blue, red, ivory, green, grey, pink, brown",
        ),
        COUNTRY,
        DRINK,
        PASTIME,
        PET,
        JOB,
        FLOWER,
        INSTRUMENT,
        LANGUAGE,
    ),
)

_HARBOUR = Theme(
    "harbour",
    "{n} boats are moored side by side in a small harbour, one at each berth.",
    "boat",
    "boats",
    "that",
    "berth",
    "berths",
    "at",
    "is moored",
    "are moored",
    "is not moored",
    ROW,
    " as you look at them from the quay",
    (
        _attribute(
            "name",
            "the boat named {}",
            "is named {}",
            "is not named {}",
            "Albatross, Blue Heron, Comet, Driftwood, Evening Star, Good Hope, Mermaid, North Wind",
        ),
        _attribute(
            "cargo",
            "the boat that carries {}",
            "carries {}",
            "does not carry {}",
            "barrels, coal, fish, grain, salt, spices, timber, wool",
        ),
        _attribute(
            "hull",
            "the boat with the {} hull",
            "has the {} hull",
            "does not have the {} hull",
            "black, blue, cream, green, orange, red, silver, white",
        ),
        _attribute(
            "skipper",
            "the boat of skipper {}",
            "belongs to skipper {}",
            "does not belong to skipper {}",
            "Anders, Bettina, Carlo, Daphne, Emeka, Fiona, Goran, Hana",
        ),
        _attribute(
            "home port",
            "the boat from {}",
            "comes from {}",
            "does not come from {}",
            "Bergen, Cadiz, Dublin, Genoa, Hamburg, Marseille, Riga, Split",
        ),
        _attribute(
            "figurehead",
            "the boat with the {} as its figurehead",
            "has the {} as its figurehead",
            "does not have the {} as its figurehead",
            "bear, dragon, eagle, lion, owl, seahorse, swan, wolf",
        ),
        _attribute(
            "flag",
            "the boat that flies the flag with the {}",
            "flies the flag with the {}",
            "does not fly the flag with the {}",
            "anchor, bell, crown, diamond, key, lantern, moon, wheel",
        ),
        _attribute(
            "repair",
            "the boat that needs a new {}",
            "needs a new {}",
            "does not need a new {}",
            "compass, ladder, mast, net, propeller, rope, rudder, winch",
        ),
        _attribute(
            "next trip",
            "the boat that sails in {}",
            "sails in {}",
            "does not sail in {}",
            "March, April, May, June, July, August, September, October",
        ),
    ),
    (
        "{A} has been lovingly restored.",
        "{A} has appeared on a postcard.",
        "{A} once won a local regatta.",
        "{A} creaks in rough weather.",
        "{A} has a small stove on board.",
        "{A} was built from old plans.",
        "{A} is often photographed by tourists.",
        "{A} is insured for a large sum.",
        "{A} was damaged by hail some years ago.",
        "{A} has a very comfortable cabin.",
    ),
)

_MARKET = Theme(
    "market",
    "{n} stalls stand in a row on the market square, and one trader works at each of them.",
    "trader",
    "traders",
    "who",
    "stall",
    "stalls",
    "at",
    "works",
    "work",
    "does not work",
    ROW,
    " as you face them",
    (
        FIRST_NAME,
        _attribute(
            "goods",
            "the {who} who sells {}",
            "sells {}",
            "does not sell {}",
            "bread, candles, carpets, cheese, honey, kettles, mushrooms, shoes",
        ),
        _attribute(
            "awning",
            "the {who} under the {} awning",
            "has the {} awning",
            "does not have the {} awning",
            "checked, dotted, emerald, maroon, mustard, sky-blue, striped, violet",
        ),
        TOWN,
        _attribute(
            "sign",
            "the {who} whose sign shows a {}",
            "has a sign that shows a {}",
            "does not have a sign that shows a {}",
            "bridge, cockerel, hammer, lighthouse, ship, sunrise, thimble, windmill",
        ),
        VEHICLE,
        HAT,
        SNACK,
        DRINK,
        BIRTH,
    ),
)

_MUSEUM = Theme(
    "museum",
    "{n} rooms of a museum open off one long corridor, all on the same side, and one exhibit is shown in each of them.",
    "exhibit",
    "exhibits",
    "that",
    "room",
    "rooms",
    "in",
    "is shown",
    "are shown",
    "is not shown",
    ROW,
    " as you face the doors",
    (
        _attribute(
            "object",
            "the {}",
            "is the {}",
            "is not the {}",
            "bowl, clock, goblet, helmet, mask, mirror, statue, vase",
        ),
        _attribute(
            "material",
            "the exhibit made of {}",
            "is made of {}",
            "is not made of {}",
            "amber, bronze, clay, glass, jade, marble, oak, silver",
        ),
        _attribute(
            "century",
            "the exhibit from the {} century",
            "dates from the {} century",
            "does not date from the {} century",
            "2nd, 5th, 9th, 12th, 13th, 15th, 17th, 19th",
        ),
        _attribute(
            "origin",
            "the exhibit found in {}",
            "was found in {}",
            "was not found in {}",
            "Crete, Cyprus, Egypt, Java, Mexico, Peru, Persia, Sicily",
        ),
        _attribute(
            "donor",
            "the exhibit given by {}",
            "was given by {}",
            "was not given by {}",
            "Dr Adeyemi, Dr Brandt, Dr Castell, Dr Duarte, Dr Engel, Dr Fukuda, Dr Galanis, Dr Holm",
        ),
        _attribute(
            "decoration",
            "the exhibit decorated with {}",
            "is decorated with {}",
            "is not decorated with {}",
            "bulls, dolphins, ivy, lions, roses, spirals, stars, waves",
        ),
        _attribute(
            "label",
            "the exhibit with the {} label",
            "has the {} label",
            "does not have the {} label",
            "blue, brown, green, grey, orange, pink, red, yellow",
        ),
        _attribute(
            "guard",
            "the exhibit watched by {}",
            "is watched by {}",
            "is not watched by {}",
            "Agnes, Boris, Clara, Dmitri, Esther, Felix, Gloria, Henrik",
        ),
        _attribute(
            "damage",
            "the exhibit that has lost its {}",
            "has lost its {}",
            "has not lost its {}",
            "base, gilding, handle, inlay, lid, paint, rim, stand",
        ),
    ),
    (
        "{A} was restored by a team of students.",
        "{A} appears on many posters.",
        "{A} was once stolen and soon returned.",
        "{A} has been copied for the gift shop.",
        "{A} is a favourite with school classes.",
        "{A} was kept in an attic for many years.",
        "{A} has been X-rayed.",
        "{A} was on loan abroad for a while.",
        "{A} is insured for a large sum.",
        "{A} has puzzled experts for decades.",
    ),
)

_TRAIN = Theme(
    "train",
    "{n} compartments lie one after the other in a railway carriage, and one traveller sits in each of them.",
    "traveller",
    "travellers",
    "who",
    "compartment",
    "compartments",
    "in",
    "sits",
    "sit",
    "does not sit",
    ROW,
    " as you look at the carriage from the platform",
    (
        CALLED,
        _attribute(
            "destination",
            "the {who} bound for {}",
            "is bound for {}",
            "is not bound for {}",
            "Basel, Ghent, Krakow, Lyon, Naples, Porto, Prague, Vienna",
        ),
        BAG,
        BOOK,
        SNACK,
        JOB,
        COAT,
        MASCOT,
        PASTIME,
        BIRTH,
    ),
)

_ALLOTMENT = Theme(
    "allotment",
    "{n} garden plots lie side by side along a path, and one gardener works on each of them.",
    "gardener",
    "gardeners",
    "who",
    "plot",
    "plots",
    "on",
    "works",
    "work",
    "does not work",
    ROW,
    " as you see them from the path",
    (
        NAME,
        _attribute(
            "vegetable",
            "the {who} who grows {}",
            "grows {}",
            "does not grow {}",
            "beans, cabbages, carrots, leeks, onions, peas, pumpkins, tomatoes",
        ),
        FLOWER,
        _attribute(
            "tool",
            "the {who} who owns the {}",
            "owns the {}",
            "does not own the {}",
            "axe, fork, hoe, rake, shears, spade, trowel, wheelbarrow",
        ),
        _attribute(
            "visitor",
            "the {who} whose plot is visited by the {}",
            "has a plot that is visited by the {}",
            "does not have a plot that is visited by the {}",
            "blackbird, frog, hare, hedgehog, mole, robin, squirrel, toad",
        ),
        HAT,
        DRINK,
        _attribute(
            "tree",
            "the {who} with the {} tree",
            "has the {} tree",
            "does not have the {} tree",
            "almond, apple, cherry, hazel, lemon, pear, plum, walnut",
        ),
        INSTRUMENT,
        TOWN,
    ),
)

_PARCELS = Theme(
    "parcels",
    "{n} parcels lie side by side on a long shelf in the post office, one at each marked spot.",
    "parcel",
    "parcels",
    "that",
    "spot",
    "spots",
    "at",
    "lies",
    "lie",
    "does not lie",
    ROW,
    " as you face the shelf",
    (
        _attribute(
            "content",
            "the parcel that contains the {}",
            "contains the {}",
            "does not contain the {}",
            "camera, drum, globe, kite, lamp, puppet, scarf, teapot",
        ),
        _attribute(
            "paper",
            "the parcel in {} paper",
            "is wrapped in {} paper",
            "is not wrapped in {} paper",
            "black, blue, brown, golden, green, pink, red, white",
        ),
        _attribute(
            "sender",
            "the parcel sent by {}",
            "was sent by {}",
            "was not sent by {}",
            "Aunt Bea, Aunt Dora, Aunt Ruth, Cousin Ivo, Cousin Lena, Uncle Karl, Uncle Max, Uncle Theo",
        ),
        _attribute(
            "receiver",
            "the parcel addressed to {}",
            "is addressed to {}",
            "is not addressed to {}",
            "Ada, Ben, Cora, Dan, Edith, Frank, Gita, Hugo",
        ),
        _attribute(
            "stamp",
            "the parcel whose stamp shows the {}",
            "has a stamp that shows the {}",
            "does not have a stamp that shows the {}",
            "bee, castle, fern, glacier, heron, lighthouse, steam engine, volcano",
        ),
        _attribute(
            "origin",
            "the parcel from {}",
            "comes from {}",
            "does not come from {}",
            "Athens, Bogota, Cairo, Delhi, Helsinki, Lima, Seoul, Tunis",
        ),
        _attribute(
            "weight",
            "the parcel that weighs {}",
            "weighs {}",
            "does not weigh {}",
            "100 grams, 250 grams, 400 grams, 600 grams, 900 grams, 1 kilogram, 2 kilograms, 5 kilograms",
        ),
        _attribute(
            "string",
            "the parcel tied with {}",
            "is tied with {}",
            "is not tied with {}",
            "cord, garden twine, lace, leather straps, ribbon, rubber bands, wire, yarn",
        ),
        _attribute(
            "mark",
            "the parcel marked with a {}",
            "is marked with a {}",
            "is not marked with a {}",
            "circle, cross, dot, heart, square, star, tick, triangle",
        ),
    ),
    (
        "{A} was sealed in a hurry.",
        "{A} makes a faint rattling noise.",
        "{A} was scanned twice by mistake.",
        "{A} has a dented corner.",
        "{A} smells faintly of soap.",
        "{A} is insured against loss.",
        "{A} was held up at customs for a day.",
        "{A} got wet in the rain on its way.",
        "{A} had the wrong postcode on it.",
        "{A} will be collected by a courier.",
    ),
)

_THEATRE = Theme(
    "theatre",
    "{n} seats form the front row of a small theatre, and one guest sits in each of them.",
    "guest",
    "guests",
    "who",
    "seat",
    "seats",
    "in",
    "sits",
    "sit",
    "does not sit",
    ROW,
    " as you see them from behind, facing the stage",
    (
        FIRST_NAME,
        _attribute(
            "kind of show",
            "the {who} who likes the {} best of all shows",
            "likes the {} best of all shows",
            "does not like the {} best of all shows",
            "ballet, comedy, farce, monologue, musical, pantomime, puppet show, tragedy",
        ),
        COAT,
        BAG,
        VEHICLE,
        _attribute(
            "payment",
            "the {who} who paid with a {}",
            "paid with a {}",
            "did not pay with a {}",
            "banknote, birthday voucher, cheque, club card, debit card, gift card, gold coin, season ticket",
        ),
        SNACK,
        JOB,
        DANCE,
        FLOWER,
    ),
)

_BAKERY = Theme(
    "bakery",
    "{n} cakes stand side by side in a bakery window, one on each tray.",
    "cake",
    "cakes",
    "that",
    "tray",
    "trays",
    "on",
    "stands",
    "stand",
    "does not stand",
    ROW,
    " as you look in through the window",
    (
        _attribute(
            "flavour",
            "the {} cake",
            "is {a} cake",
            "is not {a} cake",
            "almond, banana, caramel, carrot, chocolate, coconut, lemon, vanilla",
        ),
        _attribute(
            "filling",
            "the cake filled with {}",
            "is filled with {}",
            "is not filled with {}",
            "apricot jam, custard, fudge, honey, marzipan, nougat, raspberry jam, whipped cream",
        ),
        _attribute(
            "icing",
            "the cake with {} icing",
            "has {} icing",
            "does not have {} icing",
            "blue, brown, green, orange, pink, purple, white, yellow",
        ),
        _attribute(
            "topping",
            "the cake topped with {}",
            "is topped with {}",
            "is not topped with {}",
            "blueberries, candied ginger, cherries, figs, pistachios, poppy seeds, strawberries, walnuts",
        ),
        _attribute(
            "baker",
            "the cake baked by {}",
            "was baked by {}",
            "was not baked by {}",
            "Amir, Beatrix, Cyril, Dagmar, Enzo, Freya, Giulia, Hassan",
        ),
        _attribute(
            "customer",
            "the cake ordered by {}",
            "was ordered by {}",
            "was not ordered by {}",
            "Mr Archer, Mr Bell, Mr Cole, Mr Drake, Mrs Ellis, Mrs Flint, Mrs Grant, Mrs Hale",
        ),
        _attribute(
            "occasion",
            "the cake for the {}",
            "is for the {}",
            "is not for the {}",
            "anniversary, baptism, birthday, farewell, graduation, housewarming, reunion, wedding",
        ),
        _attribute(
            "price",
            "the cake that costs {}",
            "costs {}",
            "does not cost {}",
            "12 euros, 15 euros, 18 euros, 20 euros, 24 euros, 27 euros, 30 euros, 36 euros",
        ),
        _attribute(
            "shape",
            "the cake in the shape of a {}",
            "has the shape of a {}",
            "does not have the shape of a {}",
            "bell, crescent, cube, heart, horseshoe, pyramid, ring, star",
        ),
    ),
    (
        "{A} was photographed for a magazine.",
        "{A} took all morning to make.",
        "{A} is made from an old family recipe.",
        "{A} has to be kept cool.",
        "{A} has a small crack that nobody notices.",
        "{A} was made without eggs.",
        "{A} has been praised by a food critic.",
        "{A} will be delivered by a courier.",
        "{A} is the work of many hours.",
        "{A} will be cut with a very long knife.",
    ),
)

_OBSERVATORY = Theme(
    "observatory",
    "{n} astronomers share a telescope on {n} nights in a row, and one of them observes on each night.",
    "astronomer",
    "astronomers",
    "who",
    "night",
    "nights",
    "on",
    "observes",
    "observe",
    "does not observe",
    TIME,
    "",
    (
        CALLED,
        _attribute(
            "target",
            "the {who} who studies {}",
            "studies {}",
            "does not study {}",
            "a comet, a nebula, a pulsar, a quasar, an eclipse, Mars, Saturn, the Milky Way",
        ),
        _attribute(
            "filter",
            "the {who} who uses the {} filter",
            "uses the {} filter",
            "does not use the {} filter",
            "amber, clear, infrared, polarising, red, solar, ultraviolet, violet",
        ),
        TOWN,
        DRINK,
        BAG,
        INSTRUMENT,
        LANGUAGE,
        SNACK,
        COAT,
    ),
)

_RACE = Theme(
    "race",
    "{n} runners line up for a race, one in each lane of the track.",
    "runner",
    "runners",
    "who",
    "lane",
    "lanes",
    "in",
    "runs",
    "run",
    "does not run",
    ROW,
    " as you see them from behind the start",
    (
        NAME,
        _attribute(
            "shirt",
            "the {who} in the {} shirt",
            "wears the {} shirt",
            "does not wear the {} shirt",
            "black, blue, green, orange, pink, red, white, yellow",
        ),
        COUNTRY,
        _attribute(
            "club",
            "the {who} from the {} Club",
            "is a member of the {} Club",
            "is not a member of the {} Club",
            "Antelope, Cheetah, Falcon, Gazelle, Greyhound, Mustang, Panther, Swift",
        ),
        _attribute(
            "breakfast",
            "the {who} who had {} for breakfast",
            "had {} for breakfast",
            "did not have {} for breakfast",
            "cornflakes, fruit, muesli, pancakes, porridge, scrambled eggs, toast, yoghurt",
        ),
        _attribute(
            "training",
            "the {who} who trains {}",
            "trains {}",
            "does not train {}",
            "at dawn, at midnight, at noon, in the gym, in the hills, on a treadmill, on the beach, on the track",
        ),
        MASCOT,
        JOB,
        PASTIME,
        FRUIT,
    ),
)

_LIBRARY = Theme(
    "library",
    "{n} desks stand in a row along one wall of a library, and one reader sits at each of them.",
    "reader",
    "readers",
    "who",
    "desk",
    "desks",
    "at",
    "sits",
    "sit",
    "does not sit",
    ROW,
    " as you face the wall",
    (
        FIRST_NAME,
        BOOK,
        _attribute(
            "subject",
            "the {who} who studies {}",
            "studies {}",
            "does not study {}",
            "algebra, botany, chemistry, geology, history, law, music, philosophy",
        ),
        _attribute(
            "pen",
            "the {who} with the {} pen",
            "writes with the {} pen",
            "does not write with the {} pen",
            "black, blue, brown, green, grey, orange, purple, red",
        ),
        LANGUAGE,
        TOWN,
        DRINK,
        VEHICLE,
        _attribute(
            "bookmark",
            "the {who} who uses {} as a bookmark",
            "uses {} as a bookmark",
            "does not use {} as a bookmark",
            "a banknote, a feather, a leaf, a letter, a paper clip, a photograph, a playing card, a postcard",
        ),
        PASTIME,
    ),
)

_TOWER = Theme(
    "tower",
    "A narrow tower has {n} floors, and one tenant lives on each of them.",
    "tenant",
    "tenants",
    "who",
    "floor",
    "floors",
    "on",
    "lives",
    "live",
    "does not live",
    FLOORS,
    "",
    (
        CALLED,
        _attribute(
            "door",
            "the {who} with the {} door",
            "has the {} door",
            "does not have the {} door",
            "blue, brown, green, grey, orange, red, white, yellow",
        ),
        JOB,
        PET,
        INSTRUMENT,
        COUNTRY,
        FLOWER,
        SNACK,
        _attribute(
            "furniture",
            "the {who} who has bought a new {}",
            "has bought a new {}",
            "has not bought a new {}",
            "bed, bookcase, chest, desk, lamp, mirror, rug, sofa",
        ),
        DANCE,
    ),
)

_TICKETS = Theme(
    "tickets",
    "{n} people queue in front of a ticket window, one behind the other.",
    "person",
    "people",
    "who",
    "place",
    "places",
    "in",
    "stands",
    "stand",
    "does not stand",
    QUEUE,
    "",
    (
        FIRST_NAME,
        _attribute(
            "ticket",
            "the {who} who wants a ticket for the {}",
            "wants a ticket for the {}",
            "does not want a ticket for the {}",
            "aquarium, ball, castle, circus, concert, film, lecture, zoo",
        ),
        HAT,
        BAG,
        BOOK,
        FRUIT,
        TOWN,
        VEHICLE,
        BIRTH,
        MASCOT,
    ),
)

_FESTIVAL = Theme(
    "festival",
    "{n} bands play at an open-air festival, one after the other, one in each slot of the evening.",
    "band",
    "bands",
    "that",
    "slot",
    "slots",
    "in",
    "plays",
    "play",
    "does not play",
    TIME,
    "",
    (
        _attribute(
            "name",
            "the band called {}",
            "is called {}",
            "is not called {}",
            "Amber Road, Broken Kettle, Cold Lantern, Dusty Maps, Echo Garden, Flying Teapots, Glass Harbour, Hollow Oak",
        ),
        _attribute(
            "style",
            "the {} band",
            "plays {}",
            "does not play {}",
            "blues, bluegrass, folk, funk, jazz, reggae, rock, swing",
        ),
        _attribute(
            "home",
            "the band from {}",
            "comes from {}",
            "does not come from {}",
            "Antwerp, Bristol, Cork, Dresden, Florence, Graz, Malmo, Seville",
        ),
        _attribute(
            "singer",
            "the band with {} as its singer",
            "has {} as its singer",
            "does not have {} as its singer",
            "Aino, Bashir, Celeste, Diego, Eszter, Finn, Gwen, Haruki",
        ),
        _attribute(
            "van",
            "the band with the {} van",
            "travels in the {} van",
            "does not travel in the {} van",
            "black, blue, green, orange, purple, red, white, yellow",
        ),
        _attribute(
            "instrument",
            "the band with the {}",
            "features the {}",
            "does not feature the {}",
            "accordion, banjo, bassoon, fiddle, harmonica, saxophone, tuba, xylophone",
        ),
        _attribute(
            "first song",
            "the band that opens with a song about the {}",
            "opens with a song about the {}",
            "does not open with a song about the {}",
            "desert, forest, moon, ocean, railway, river, storm, winter",
        ),
        _attribute(
            "mascot",
            "the band whose mascot is the {}",
            "has the {} as its mascot",
            "does not have the {} as its mascot",
            "beaver, cobra, gecko, lobster, moose, raven, tiger, yak",
        ),
        _attribute(
            "T-shirt",
            "the band whose T-shirt shows a {}",
            "has a T-shirt that shows a {}",
            "does not have a T-shirt that shows a {}",
            "cactus, candle, comb, crown, ladder, rocket, skull, tent",
        ),
    ),
    (
        "{A} once recorded an album in a barn.",
        "{A} has a fan club.",
        "{A} was founded at school.",
        "{A} never gives interviews.",
        "{A} has quarrelled with its manager.",
        "{A} always brings its own microphones.",
        "{A} designs its own posters.",
        "{A} rehearses in a cellar.",
        "{A} has been on the radio.",
        "{A} once lost all its luggage.",
    ),
)

THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        theme.name: theme
        for theme in (
            _STREET,
            _HARBOUR,
            _MARKET,
            _MUSEUM,
            _TRAIN,
            _ALLOTMENT,
            _PARCELS,
            _THEATRE,
            _BAKERY,
            _OBSERVATORY,
            _RACE,
            _LIBRARY,
            _TOWER,
            _TICKETS,
            _FESTIVAL,
        )
    }
)
