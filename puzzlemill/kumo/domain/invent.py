"""Domains that never existed: names, scene and exclusions from a word and a number.

A *language* is drawn for every domain, of one of ten families, and every name is made of its words: a *short* word, one of
2**14 and more that are equally likely, and a *long* one, of 2**20 and more. So two names of different domains are equal with
a chance of at most 2**-34 if both have the same language; and they share one only if the families are the same, with chance
1/10, and the names are put together in the same way or, for actions, hold the same thing. Of two releases of 100 domains each
(5 000 truths and 3 500 actions), one truth in both has a chance below 5 000**2 * 2**-34 / 10 = 0.00015, and an action a
smaller one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeVar

from puzzlemill.core.rng import Rng, stream
from puzzlemill.kumo.domain.check import shortened
from puzzlemill.kumo.domain.domain import Action, Domain
from puzzlemill.kumo.domain.frames import Frame, Method, stock
from puzzlemill.kumo.domain.structure import KEPT, SHAPES, exclusions
from puzzlemill.vocabulary import load
from puzzlemill.vocabulary.words import plain_words

T = TypeVar("T")
TRUTHS = (48, 52)
ACTIONS = (33, 36)
NUMERIC = (6, 8)
SHORT, LONG = 1 << 15, 1 << 21  # words that a language has at least; fewer than half of them are refused
LONGEST = 10  # letters of a word
STYLES = ("{X}'s {y} {thing}", "{Y} {thing} of {X}", "{X}-{Y} {thing}")  # of actions' names; a domain keeps to one


@dataclass(frozen=True, slots=True)
class Language:
    """Words are an onset, a nucleus, then (a middle, a nucleus) `syllables` - 1 times, and a coda.

    Consonants (onsets, middles, codas) and vowels (nuclei) share no letter, so that a word can be taken apart in one way only: an
    even draw of parts is an even draw of words.
    """

    onsets: tuple[str, ...]
    middles: tuple[str, ...]
    nuclei: tuple[str, ...]
    codas: tuple[str, ...]
    syllables: int = 1

    @property
    def size(self) -> int:
        """The number of words."""
        inner = len(self.middles) * len(self.nuclei)
        ends = len(self.onsets) * len(self.nuclei) * len(self.codas)
        for _ in range(self.syllables - 1):
            ends *= inner
        return ends

    def word(self, rng: Rng) -> str:
        parts = [rng.pick(self.onsets), rng.pick(self.nuclei)]
        for _ in range(self.syllables - 1):
            parts += [rng.pick(self.middles), rng.pick(self.nuclei)]
        return "".join([*parts, rng.pick(self.codas)])


@cache
def families() -> Mapping[str, Language]:
    """The families of languages, by their names."""
    read: Mapping[str, Language] = load.record(Mapping[str, Language], __package__, "languages.toml")
    return read


@cache
def _refused() -> tuple[frozenset[str], tuple[str, ...]]:
    """English words, and fragments that no word may contain."""
    return frozenset(plain_words()), load.words(__package__, "unwanted.txt")


@lru_cache(maxsize=KEPT)
def invented(edition: str, index: int) -> Domain:
    """The invented domain of this edition, a word, and number, with its exclusions. Any number from 0 is good.

    Of 30 successive numbers from a multiple of 30 on, each frame has one; of 6 from a multiple of 6 on, each structure.
    Raises ValueError for a number below 0.
    """
    if index < 0:
        raise ValueError(f"invented domains are numbered from 0, got {index}")
    rng = stream("kumo", "invented", edition, index)
    frame = _in_turn(edition, "frame", stock().frames, index)
    structure = _in_turn(edition, "structure", tuple(SHAPES), index)
    return exclusions(_Maker(rng).domain(frame, structure), rng.child("structure"))


def _in_turn(edition: str, what: str, items: tuple[T, ...], index: int) -> T:
    """One of the items, so that none comes again before all have come."""
    turn, place = divmod(index, len(items))
    return stream("kumo", "invented", edition, what, turn).shuffled(items)[place]


def language(rng: Rng) -> tuple[Language, Language]:
    """A language of one of the families, with most of its sounds: its short and its long words."""
    family = families()[rng.pick(tuple(families()))]

    def most(items: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(rng.sample(items, len(items) - len(items) // 6)))

    drawn = Language(most(family.onsets), most(family.middles), most(family.nuclei), most(family.codas))
    lengths = [replace(drawn, syllables=n) for n in range(2, 9)]
    return next(words for words in lengths if words.size >= SHORT), next(words for words in lengths if words.size >= LONG)


def refused(word: str) -> bool:
    """True of a word that is too long, English or foul."""
    english, unwanted = _refused()
    return len(word) > LONGEST or word in english or any(fragment in word for fragment in unwanted)


class _Maker:
    """Makes one domain; no two words that it makes are alike."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.short, self.long = language(rng.child("language"))
        self.taken: set[str] = set()  # every word made, and every word without one of its letters

    def word(self, language: Language) -> str:
        """A new word, two letters or more from every other one."""
        while True:
            word = language.word(self.rng)
            near = [word, *shortened(word)]
            if not refused(word) and self.taken.isdisjoint(near):
                self.taken.update(near)
                return word

    def domain(self, frame: Frame, structure: str) -> Domain:
        place, person = self.word(self.long).capitalize(), self.word(self.short).capitalize()
        truth, truths, action, actions = frame.nouns
        return Domain(
            name=f"{place.lower()}_{truth}",
            title=frame.title.format(place=place),
            topic=frame.topic,
            truth=truth,
            truths_plural=truths,
            action=action,
            actions_plural=actions,
            scene=frame.scene.format(place=place, person=person),
            question=frame.question,
            structure=structure,
            truths=self.truths(frame),
            actions=self.actions(frame),
        )

    def truths(self, frame: Frame) -> tuple[str, ...]:
        made = []
        for _ in range(self.rng.between(*TRUTHS)):
            first, second = self.word(self.short), self.word(self.long)
            made.append(frame.form.format(X=first.capitalize(), Y=second.capitalize(), y=second))
        return tuple(made)

    def actions(self, frame: Frame) -> tuple[Action, ...]:
        """The frame's own ways to find out and some of its pool's, in a random order."""
        pool = stock().pools[frame.pool]
        own = [sum(1 for method in frame.own if bool(method.quantity) is numeric) for numeric in (False, True)]
        numeric = self.rng.between(*NUMERIC)
        plain = self.rng.between(*ACTIONS) - numeric
        chosen = [
            *frame.own,
            *self.rng.sample([method for method in pool if not method.quantity], plain - own[0]),
            *self.rng.sample([method for method in pool if method.quantity], numeric - own[1]),
        ]
        style = self.rng.pick(STYLES)
        makers = [self.word(self.long).capitalize() for _ in range(self.rng.between(6, 9))]
        units = [self.word(self.short) for _ in range(3)]
        order = self.rng.shuffled(chosen)
        return tuple([self.action(method, frame.it, style, makers[i % len(makers)], units) for i, method in enumerate(order)])

    def action(self, method: Method, it: str, style: str, maker: str, units: list[str]) -> Action:
        word = self.word(self.short)
        name = style.format(X=maker, Y=word.capitalize(), y=word, thing=method.thing)
        does = method.does.format(y=word, it=it)
        size = min(self.rng.pick((2, 3, 3, 3, 4, 4)), len(method.outcomes) or 4)
        if not method.quantity:
            kept = sorted(self.rng.sample(range(len(method.outcomes)), size))
            return Action(name, does, tuple([method.clauses(word)[i] for i in kept]))
        low, high, decimals = method.scale
        unit = self.rng.pick(units) if method.unit == "*" else method.unit
        tenths = sorted(self.rng.sample(range(1, 10), size - 1))
        cuts = [_cut(low, high, tenth) for tenth in tenths]
        return Action(
            name,
            does,
            (),
            quantity=f"the {word} {method.quantity}",
            unit=unit,
            decimals=decimals,
            bounds=(low, *cuts, high),
        )


def _cut(low: int, high: int, tenth: int) -> int:
    """A bound at this tenth of the range; in a wide range a multiple of 10 from 100 on, as people choose bounds."""
    value = low + (high - low) * tenth // 10
    return (value + 5) // 10 * 10 if value >= 100 and high - low > 100 else value
