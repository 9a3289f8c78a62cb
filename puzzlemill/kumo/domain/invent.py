"""Domains that never existed: names, scene and exclusions from a word and a number.

A *language* is drawn for every domain, of one of ten families, and every name is made of its words: a *short* word, one of
2**14 and more that are equally likely, and a *long* one, of 2**20 and more. So two names of different domains are equal with
a chance of at most 2**-34 if both have the same language; and they share one only if the families are the same, with chance
1/10, and the names are put together in the same way or, for actions, hold the same thing. Of two releases of 100 domains each
(5 000 truths and 3 500 actions), one truth in both has a chance below 5 000**2 * 2**-34 / 10 = 0.00015, and an action a
smaller one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from puzzlemill.core.rng import Rng, stream
from puzzlemill.kumo.domain.check import shortened
from puzzlemill.kumo.domain.domain import Action, Domain
from puzzlemill.kumo.domain.frames import FRAMES, POOLS, Frame, Method
from puzzlemill.kumo.domain.structure import KEPT, SHAPES, exclusions
from puzzlemill.vocabulary.words import WORDS

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

    Consonants (onsets, middles, codas) and vowels (nuclei) share no letter, so a word can be taken apart in one way only: an even
    draw of parts is an even draw of words.
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


def _family(onsets: str, middles: str, nuclei: str, codas: str) -> Language:
    """A family of languages; "-" is a coda of no letter."""
    ends = [coda.replace("-", "") for coda in codas.split()]
    return Language(tuple(onsets.split()), tuple(middles.split()), tuple(nuclei.split()), tuple(ends))


FAMILIES: dict[str, Language] = {
    "brook": _family(
        "b c d f g h l m n p r s t th v w br fl gl",
        "b d f g l ll ld lv m mb n nd nn p r rl s ss t th v w",
        "a e i o ea ei u",
        "l n r th nd m ll t -",
    ),
    "flint": _family(
        "b d g h k m n r t z br dr gr kr tr sk st",
        "b d g k m n r t rd rg rk kt lt sk gr tt nk ld dr",
        "a e i o u au",
        "k t rk rn ld g nd rt n",
    ),
    "reef": _family("f h k l m n p r t w v", "f h k l m n p r t w v", "a e i o u ai ao", "- n"),
    "dune": _family(
        "b d f g h j kh m n q r s sh t z y",
        "b d f g h j l m n r s sh t z kh zr mr rz hr jd",
        "a e i o u ai",
        "d r m n b z l f q",
    ),
    "fir": _family(
        "b d f g h j k l m n r s t v sk sv st tr",
        "d g j k l m n r rv ld nn sk st lk rn v nd rl gn t",
        "a e i o u aa oe",
        "n r nd k st m ld l rk",
    ),
    "marsh": _family(
        "b c d f g h m n p r s w bl gl pl sl",
        "b bl d dd g gl h l lb lp m mb mp n nd p r s sh t w",
        "a e i o u oo ee",
        "b p g sh m lp mp n ck",
    ),
    "spire": _family(
        "b c ch d g h k l m n p r t tz x z",
        "b c ch d k l ll lt m n nt p r t tl tz x z lm nc",
        "a e i o u ia",
        "l tl n c t lt r ch m",
    ),
    "silk": _family(
        "d f g h j k l m n p r s sh t v zh",
        "d g h j k l lj m n nd ng nj p r s sh t v zh lm",
        "a e i o u ei ui",
        "n ng - r l m sh k",
    ),
    "harp": _family(
        "b c d f g gw h l m n p r rh t th w",
        "b c d dd g l lg ll lw m n nn nt nw r rg rth rw th w",
        "a e i o y ae",
        "n dd th r l nt m g c",
    ),
    "amber": _family(
        "b d g j k l m n p r s t v z st gr",
        "b d dr g k l lm m n nk p r rn rt s st t v z ln",
        "a e i u au ie o",
        "n m r k l t nt d -",
    ),
}
# what a word must not contain, whatever it means elsewhere
_UNWANTED = """
anal anus arse aryan ass bastard bimbo bitch bloody boob bum butt chink cock coon crap cum cunt damn dead death devil
dick die dike dyke fag fat fart fuck gay ged gook hate hell hitl homo hore idiot jap jew jiz kike kill kkk klan kok
kraut laden lesb lust mong moron muff murd nazi neg nig nud orgy paki pedo pee penis piss poo porn puss queer rape
rapist rot satan scum sem sex shit skank slag slav slut spic spunk suck suic tard tit tranny turd twat ugly urin vagi
vomit wank whor wog
"""
_FRAGMENTS = tuple(_UNWANTED.split())
_COMMON = frozenset(WORDS)


@lru_cache(maxsize=KEPT)
def invented(edition: str, index: int) -> Domain:
    """The invented domain of this edition, a word, and number, with its exclusions. Any number from 0 is good.

    Of 30 successive numbers from a multiple of 30 on, each frame has one; of 6 from a multiple of 6 on, each structure.
    Raises ValueError for a number below 0.
    """
    if index < 0:
        raise ValueError(f"invented domains are numbered from 0, got {index}")
    rng = stream("kumo", "invented", edition, index)
    frame = _in_turn(edition, "frame", FRAMES, index)
    structure = _in_turn(edition, "structure", tuple(SHAPES), index)
    return exclusions(_Maker(rng).domain(frame, structure), rng.child("structure"))


def _in_turn(edition: str, what: str, items: tuple[T, ...], index: int) -> T:
    """One of the items, so that none comes again before all have come."""
    turn, place = divmod(index, len(items))
    return stream("kumo", "invented", edition, what, turn).shuffled(items)[place]


def language(rng: Rng) -> tuple[Language, Language]:
    """A language of one of the families, with most of its sounds: its short and its long words."""
    family = FAMILIES[rng.pick(tuple(FAMILIES))]

    def most(items: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(rng.sample(items, len(items) - len(items) // 6)))

    drawn = Language(most(family.onsets), most(family.middles), most(family.nuclei), most(family.codas))
    lengths = [replace(drawn, syllables=n) for n in range(2, 9)]
    return next(words for words in lengths if words.size >= SHORT), next(words for words in lengths if words.size >= LONG)


def refused(word: str) -> bool:
    """Whether a word is too long, English or foul."""
    return len(word) > LONGEST or word in _COMMON or any(fragment in word for fragment in _FRAGMENTS)


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
        """The frame's own ways of finding out and some of its pool's, in a random order."""
        pool = POOLS[frame.pool]
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
            return Action(name, does, tuple([method.outcomes[i].format(y=word) for i in kept]))
        low, high, decimals = method.scale
        unit = self.rng.pick(units) if method.unit == "*" else method.unit
        tenths = sorted(self.rng.sample(range(1, 10), size - 1))
        cuts = [_cut(low, high, tenth) for tenth in tenths]
        return Action(
            name,
            does,
            (),
            quantity=method.quantity.format(y=word),
            unit=unit,
            decimals=decimals,
            bounds=(low, *cuts, high),
        )


def _cut(low: int, high: int, tenth: int) -> int:
    """A bound at this tenth of the range; in a wide range a multiple of 10 from 100 on, as people choose bounds."""
    value = low + (high - low) * tenth // 10
    return (value + 5) // 10 * 10 if value >= 100 and high - low > 100 else value
