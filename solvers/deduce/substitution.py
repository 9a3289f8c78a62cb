"""Substitution ciphers: words that fit what is known of their letters.

Of each word of the cipher those words of the lexicon are left that have its pattern, the letters that are known, no letter that
another one stands for, and letters that are not ruled out. Where one is left, or all agree on a letter, letters are found; a
letter in two words must suit both; and where a word has few words left, each may be supposed until only one does not leave
another without any. Lists are only given where they are short; else words are counted. A trial goes by words left and agreement.

Needs of Words: voice, cell (a letter of the cipher), value (a plain letter), unit (a word of the cipher).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from puzzlemill.core.model import Fact, Slots, Step, SubstitutionTable
from puzzlemill.core.words import Words, listed, pick, plural
from puzzlemill.solvers.deduce.steps import Found, Search, needed, ordered, sentence, tiers
from puzzlemill.vocabulary import lexicon

_FEW, _CASES = 4, 8  # words that are listed; words of which each is supposed
_NARROW = 4  # letters that are listed of a word beside another
_FEW_LETTERS = 8  # that a word leaves for a letter, where others than these are told apart from the rest
_PAIRS = 12  # words with a letter that are compared, those with the fewest words left
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_ALL = frozenset(_ALPHABET)


@lru_cache(maxsize=4)
def _patterns(band: str) -> dict[str, list[str]]:
    return _sorted_out(lexicon.words(band))


def _sorted_out(words: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(_pattern(word), []).append(word)
    return found


def _pattern(word: Sequence[Any]) -> str:
    return "".join([_ALPHABET[word.index(sign)] for sign in word])


# ---- what is known ------------------------------------------------------------------------------------------------------


class _Dead(NamedTuple):
    """A word that nothing fits any more, with the labels that this follows from, and the links of a trial that led there."""

    word: int
    labels: tuple[str, ...]
    links: tuple[int, ...]


class _Link(NamedTuple):
    """A step of a trial: a word, what it becomes as far as is known then, and the earlier links that it follows from."""

    word: int
    becomes: str
    before: tuple[int, ...]


class _Known:
    """plain: of each letter of the cipher what it stands for, "" where unknown. left: of each word the words that fit it.

    why: the labels that a plain letter follows from; links: the links of a trial. out: letters that are ruled out, with labels.
    """

    def __init__(self, table: SubstitutionTable, ids: Sequence[str]) -> None:
        patterns = _sorted_out(table.words) if table.words else _patterns(table.band)
        self.cipher = table.cipher
        self.plain = [""] * table.letters
        self.why: list[tuple[str, ...]] = [()] * table.letters
        self.links: list[tuple[int, ...]] = [()] * table.letters
        self.out: list[list[tuple[frozenset[str], tuple[str, ...]]]] = [[] for _ in range(table.letters)]
        for slot, mask in enumerate(table.barred):
            self.out[slot].append((frozenset([letter for k, letter in enumerate(_ALPHABET) if mask >> k & 1]), ("apart",)))
        self.left = [patterns.get(_pattern(word), []) for word in table.cipher]
        self.full = list(self.left)
        self.letters: list[dict[int, frozenset[str]]] = [{} for _ in self.left]  # at each place, as far as was asked
        self.places = [[(word.index(slot), slot) for slot in dict.fromkeys(word)] for word in table.cipher]
        self.words_of: list[list[int]] = [[] for _ in range(table.letters)]
        for number, word in enumerate(table.cipher):
            for slot in dict.fromkeys(word):
                self.words_of[slot].append(number)
        for (slot, value), label in zip(table.clues, ids, strict=True):
            self.plain[slot], self.why[slot] = _ALPHABET[value], (label,)
        self.refresh(range(len(self.cipher)))

    def copy(self) -> _Known:
        other = _Known.__new__(_Known)
        other.__dict__.update(self.__dict__)
        other.plain, other.why, other.links, other.left = list(self.plain), list(self.why), list(self.links), list(self.left)
        other.letters = list(self.letters)
        return other

    def bars(self, slot: int) -> frozenset[str]:
        """The letters that are ruled out for a letter of the cipher."""
        return frozenset().union(*[letters for letters, _ in self.out[slot]])

    def refresh(self, words: Sequence[int]) -> None:
        """Leave out words that no longer fit."""
        taken = frozenset(self.plain) - {""}
        for number in words:
            left = self.left[number]
            for at, slot in self.places[number]:
                if letter := self.plain[slot]:
                    left = [word for word in left if word[at] == letter]
            for at, slot in self.places[number]:
                if not self.plain[slot] and (barred := taken | self.bars(slot)):
                    left = [word for word in left if word[at] not in barred]
            self.leave(number, left)

    def leave(self, number: int, words: list[str]) -> None:
        """Set the words that fit a word of the cipher, where these are fewer."""
        if len(words) < len(self.left[number]):
            self.left[number] = words
            self.letters[number] = {}

    def letters_at(self, number: int, at: int) -> frozenset[str]:
        """The letters that the words that fit have at one place."""
        known = self.letters[number]
        if at not in known:
            known[at] = frozenset([word[at] for word in self.left[number]])
        return known[at]

    def put(self, found: dict[int, str], why: tuple[str, ...], links: tuple[int, ...] = ()) -> None:
        for slot, letter in found.items():
            self.plain[slot], self.why[slot], self.links[slot] = letter, why, links
        touched = {number for slot in found for number in self.words_of[slot]}
        for number, words in enumerate(self.left):
            if number not in touched:
                for letter in found.values():
                    words = [word for word in words if letter not in word]
                self.leave(number, words)
        self.refresh(sorted(touched))

    def shown(self, number: int) -> str:
        """What is known of a word's plain text: "?HE"."""
        return "".join([self.plain[slot].upper() or "?" for slot in self.cipher[number]])

    def agreed(self, number: int) -> dict[int, str]:
        """Letters that are not known and on which all words that fit agree; none if nothing fits."""
        words = self.left[number]
        return (
            {slot: words[0][at] for at, slot in self.places[number] if not self.plain[slot] and _one(words, at)} if words else {}
        )

    def because(self, number: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Labels, and links of a trial, by which no more words than are left fit a word."""
        mine = [(at, slot) for at, slot in self.places[number] if self.plain[slot]]
        labels = dict.fromkeys([f"w{number + 1}", *[label for _, slot in mine for label in self.why[slot]]])
        links = {link for _, slot in mine for link in self.links[slot]}
        left, fitting = set(self.left[number]), self.full[number]
        for at, slot in mine:
            letter = self.plain[slot]
            fitting = [word for word in fitting if word[at] == letter]
        excluded = [word for word in fitting if word not in left]
        held = {letter: slot for slot, letter in enumerate(self.plain) if letter}
        open_ = [(at, slot) for at, slot in self.places[number] if not self.plain[slot]]
        while excluded:
            reasons: dict[tuple[int, int, int], int] = {}
            for at, slot in open_:
                counts = Counter([word[at] for word in excluded])
                for letter, count in counts.items():
                    if letter in held:
                        key = (0, held[letter], 0)
                        reasons[key] = reasons.get(key, 0) + count
                for turn, (letters, _) in enumerate(self.out[slot]):
                    if count := sum([counts[letter] for letter in letters]):
                        reasons[1, slot, turn] = reasons.get((1, slot, turn), 0) + count
            sort, slot, turn = max(reasons, key=lambda key: (reasons[key], [-part for part in key]))
            if sort == 0:
                labels.update(dict.fromkeys([*self.why[slot], "different"]))
                links.update(self.links[slot])
                letter = self.plain[slot]
                excluded = [word for word in excluded if not any(word[at] == letter for at, _ in open_)]
            else:
                letters, why = self.out[slot][turn]
                labels.update(dict.fromkeys(why))
                excluded = [word for word in excluded if not any(word[at] in letters for at, other in open_ if other == slot)]
        return tuple(labels), tuple(sorted(links))

    def refuted(self, number: int, word: str) -> tuple[_Dead, list[_Link]] | None:
        """What happens if a word of the cipher is this one: the word that nothing fits any more, None if there is none."""
        other = self.copy()
        chain = [_Link(number, word.upper(), ())]
        other.put({slot: word[at] for at, slot in self.places[number] if not self.plain[slot]}, (), (0,))
        while True:
            dead = next((k for k, words in enumerate(other.left) if not words), None)
            if dead is not None:
                labels, links = other.because(dead)
                return _Dead(dead, labels, links), chain
            best = min(
                [k for k in range(len(other.left)) if other.agreed(k)],
                key=lambda k: (len(other.left[k]), k),
                default=None,
            )
            if best is None:
                return None
            labels, links = other.because(best)
            found = other.agreed(best)
            other.put(found, labels, (len(chain),))
            chain.append(_Link(best, other.shown(best), links))


def _one(words: Sequence[str], at: int) -> bool:
    first = words[0][at]
    return all(word[at] == first for word in words)


# ---- findings -----------------------------------------------------------------------------------------------------------


class _Say:
    """How findings are described."""

    def __init__(self, words: Words) -> None:
        self.words, self.voice = words, words.voice

    def word(self, number: int) -> str:
        return self.words.unit(number)

    def so(self, sets: Sequence[Fact]) -> str:
        return listed([f"{self.words.cell(slot)} is {self.words.value(value)}" for slot, value in sets])

    def fits(self, number: int, shown: str, count: int) -> str:
        """ "3 words fit QXB, ?H?"."""
        known = f" ({shown})" if shown.strip("?") else ""
        return f"{plural(count, 'word')} of the list {'fits' if count == 1 else 'fit'} {self.word(number)}{known}"


class PatternWord(Found[_Say]):
    """The pattern of its letters alone leaves one word."""

    word: int
    plain: str

    def says(self, say: _Say, step: Step) -> str:
        return pick(
            say.voice,
            f"only one word of the list has the pattern of {say.word(self.word)}: {self.plain}. So {say.so(step.sets)}",
            f"{say.word(self.word)} has a pattern that one word of the list has, {self.plain}. So {say.so(step.sets)}",
        )


class LastWord(Found[_Say]):
    """One word is left that fits what is known."""

    word: int
    shown: str
    plain: str

    def says(self, say: _Say, step: Step) -> str:
        if not self.shown.strip("?"):
            only = f"of the list only {self.plain} fits {say.word(self.word)}"
            return f"with the letters that are left, {only}. So {say.so(step.sets)}"
        return pick(
            say.voice,
            f"{say.word(self.word)} is {self.shown} so far, and of the list only {self.plain} fits. So {say.so(step.sets)}",
            f"of all words, only {self.plain} fits {say.word(self.word)} as {self.shown}. So {say.so(step.sets)}",
        )


class Agreement(Found[_Say]):
    """All words that fit agree on letters."""

    word: int
    shown: str
    count: int
    few: tuple[str, ...]

    def says(self, say: _Say, step: Step) -> str:
        named = f": {listed(self.few)}" if self.few else ""
        each = "both" if self.count == 2 else "all of them"
        return f"{say.fits(self.word, self.shown, self.count)}{named}; in {each} {say.so(step.sets)}"


class Crossing(Found[_Say]):
    """A letter in two words: only one plain letter suits both, or none."""

    slot: int
    one: int
    other: int
    shown: tuple[str, str]
    counts: tuple[int, int]
    letters: tuple[str, str]

    def says(self, say: _Say, step: Step) -> str:
        sign = say.words.cell(self.slot)
        first, second = (
            f"{say.fits(word, shown, count)}, which leaves {_letters(letters)} for {sign}"
            for word, shown, count, letters in zip((self.one, self.other), self.shown, self.counts, self.letters, strict=True)
        )
        end = (
            f"only {say.words.value(step.sets[0][1])} is in both, so {say.so(step.sets)}" if step.sets else "no letter is in both"
        )
        return f"{first}; {second}; {end}"


class Narrowed(Found[_Say]):
    """A word leaves a letter few plain letters."""

    word: int
    slot: int
    shown: str
    count: int
    letters: str

    def says(self, say: _Say, step: Step) -> str:
        out = [say.words.value(value) for _, value in step.drops]
        left = f"is {listed(list(self.letters.upper()), 'or')}" if self.letters else f"cannot be {listed(out, 'or')}"
        return f"{say.fits(self.word, self.shown, self.count)}, so {say.words.cell(self.slot)} {left}"


class RuledOut(Narrowed):
    """The same where many plain letters are left."""


class Cases(Found[_Say]):
    """Each word that fits is tried; those that leave another word without any are out.

    tried: of each that is out its links, and the word that nothing fits then, with what would be known of it.
    """

    word: int
    shown: str
    few: tuple[str, ...]
    tried: tuple[tuple[str, tuple[tuple[int, str], ...], int, str], ...]

    def says(self, say: _Say, step: Step) -> str:
        out = {word for word, _, _, _ in self.tried}
        left = [word for word in self.few if word not in out]
        told = []
        for word, links, dead, shown in self.tried:
            then = listed([f"{say.word(number)} {becomes}" for number, becomes in links])
            told.append(f"{word} {f'makes {then}, which ' if then else ''}leaves no word for {say.word(dead)} ({shown})")
        kept = f"{listed(left)} {'is' if len(left) == 1 else 'are'} left" if left else "none is left"
        so = f". So {say.so(step.sets)}" if step.sets else ""
        return f"{say.fits(self.word, self.shown, len(self.few))}; {'; '.join(told)}; {kept}{so}"


class ManyCases(Cases):
    """The same of more than a few words, or with long chains."""


class NoWord(Found[_Say]):
    """Nothing fits a word."""

    word: int
    shown: str

    def says(self, say: _Say, step: Step) -> str:
        known = f" as {self.shown}" if self.shown.strip("?") else ""
        return f"no word of the list fits {say.word(self.word)}{known}"


class SearchWords(Search, technique="search"):
    """The rest needs a search of the lexicon."""

    def says(self, say: Any, step: Step) -> str:
        if not step.sets:
            return "no word leads on by itself, and a search through all words of the list shows that there is no answer"
        return f"no word leads on by itself; a search through all words of the list leaves one way only: {say.so(step.sets)}"


def _letters(letters: str) -> str:
    """A few letters, or how many."""
    return listed(list(letters.upper()), "or") if len(letters) <= _NARROW else f"{len(letters)} letters"


TECHNIQUES = tiers(
    [PatternWord, LastWord, NoWord], [Agreement], [Crossing], [Narrowed], [Cases], [ManyCases], [RuledOut], [SearchWords]
)
MEDIUM, HARD = 3, 5


# ---- the deduction ------------------------------------------------------------------------------------------------------


def deduce(table: SubstitutionTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps to the answer, or to a contradiction; see the package."""
    known = _Known(table, ids)
    steps: list[Step] = []
    while answer is None or not all(known.plain):
        step = _next(known)
        if step is None:
            every = [*ids, *[f"w{k + 1}" for k in range(len(table.cipher))], "different", *["apart"] * bool(table.barred)]
            rest = () if answer is None else tuple([(s, v) for s, v in enumerate(answer) if not known.plain[s]])
            step = Step("search", tuple(every), rest, (), found=SearchWords())
        steps.append(step)
        if not step.sets and not step.drops:
            break
        label = f"#{len(steps)}"
        for slot in dict.fromkeys([slot for slot, _ in step.drops]):
            barred = frozenset([_ALPHABET[value] for other, value in step.drops if other == slot])
            known.out[slot] = [*known.out[slot], (barred, (label,))]
            known.refresh(known.words_of[slot])
        if step.sets:
            known.put({slot: _ALPHABET[value] for slot, value in step.sets}, (label,))
        elif answer is None and step.technique == "search":
            break
    labels = [*ids, *[f"w{k + 1}" for k in range(len(table.cipher))], "different", "apart"]
    ends = [i for i, step in enumerate(steps) if step.sets] if answer is not None else [len(steps) - 1]
    return ordered(needed(steps, "#", ends), labels)


def _facts(found: dict[int, str]) -> tuple[Fact, ...]:
    return tuple([(slot, _ALPHABET.index(letter)) for slot, letter in sorted(found.items())])


def _next(known: _Known) -> Step | None:
    """The step of the easiest technique that gives anything."""
    order = sorted(range(len(known.left)), key=lambda number: (len(known.left[number]), number))
    for number in order[:1]:
        if not known.left[number]:
            return Step("no_word", known.because(number)[0], (), (), found=NoWord(number, known.shown(number)))
    for number in order:
        found = known.agreed(number)
        words = known.left[number]
        if found and (len(words) == 1 or not any(len(known.left[k]) == 1 and known.agreed(k) for k in order)):
            shown, plain, uses = known.shown(number), words[0].upper(), known.because(number)[0]
            if len(words) > 1:
                few = tuple([word.upper() for word in words]) if len(words) <= _FEW else ()
                made: Found[_Say] = Agreement(number, shown, len(words), few)
            else:
                alone = len(uses) == 1
                made = PatternWord(number, plain) if alone else LastWord(number, shown, plain)
            return Step(made.technique, uses, _facts(found), (), found=made)
    return _crossing(known) or _narrowed(known, _FEW_LETTERS) or _cases(known, order) or _narrowed(known, 25)


def _supports(known: _Known) -> Iterator[tuple[int, list[tuple[int, frozenset[str]]]]]:
    """Each letter that is not known with the letters that its words leave, the words with the fewest words left first."""
    for slot, numbers in enumerate(known.words_of):
        if not known.plain[slot]:
            ordered_ = sorted(numbers, key=lambda number: (len(known.left[number]), number))[:_PAIRS]
            found = []
            for number in ordered_:
                at = known.cipher[number].index(slot)
                found.append((number, known.letters_at(number, at)))
            yield slot, found


def _crossing(known: _Known) -> Step | None:
    best: tuple[tuple[int, int], int, int, frozenset[str], frozenset[str]] | None = None
    for slot, supports in _supports(known):
        for (one, first), (other, second) in combinations(supports, 2):
            both = first & second
            if len(both) > 1:
                continue
            size = len(known.left[one]) + len(known.left[other]), slot
            if best is not None and best[0] <= size:
                continue
            best = size, one, other, first, second
    if best is None:
        return None
    (_, slot), one, other, first, second = best
    both = first & second
    uses = tuple(dict.fromkeys([*known.because(one)[0], *known.because(other)[0]]))
    made = Crossing(
        *(slot, one, other, (known.shown(one), known.shown(other))),
        (len(known.left[one]), len(known.left[other])),
        ("".join(sorted(first)), "".join(sorted(second))),
    )
    return Step("crossing", uses, _facts({slot: next(iter(both))}) if both else (), (), found=made)


def _narrowed(known: _Known, most: int) -> Step | None:
    """The letter that a word leaves the fewest plain letters, at most so many, if this is news."""
    best: tuple[tuple[int, int, int], frozenset[str], int, int] | None = None
    for slot, supports in _supports(known):
        open_ = _ALL - known.bars(slot) - set(known.plain)
        for number, letters in supports:
            size = len(letters), len(known.left[number]), slot
            if len(letters) <= most and not open_ <= letters and (best is None or size < best[0]):
                best = size, letters, number, slot
    if best is None:
        return None
    _, letters, number, slot = best
    out = _ALL - letters - known.bars(slot) - set(known.plain)
    drops = tuple([(slot, k) for k, letter in enumerate(_ALPHABET) if letter in out])
    few = len(letters) <= _FEW_LETTERS
    kind = Narrowed if few else RuledOut
    made = kind(number, slot, known.shown(number), len(known.left[number]), "".join(sorted(letters)) if few else "")
    return Step(made.technique, known.because(number)[0], (), drops, found=made)


def _cases(known: _Known, order: Sequence[int]) -> Step | None:
    """A word of which each that fits is supposed, until those that are left agree on a letter."""
    for number in order:
        words = known.left[number]
        if len(words) > _CASES:
            break
        if len(words) < 2:
            continue
        out = [(word, known.refuted(number, word)) for word in words]
        kept = [word for word, dead in out if dead is None]
        open_ = [(at, slot) for at, slot in known.places[number] if not known.plain[slot]]
        found = {slot: kept[0][at] for at, slot in open_ if _one(kept, at)} if kept else {}
        if kept and not found:
            continue
        labels = dict.fromkeys(known.because(number)[0])
        tried = []
        for word, refuted in out:
            if refuted is None:
                continue
            dead, chain = refuted
            labels.update(dict.fromkeys(dead.labels))
            wanted = set(dead.links)
            for k in range(len(chain) - 1, 0, -1):
                wanted.update(chain[k].before if k in wanted else ())
            links = tuple([(chain[k].word, chain[k].becomes) for k in sorted(wanted) if k])
            tried.append((word.upper(), links, dead.word, _dead_shown(known, chain, sorted(wanted), dead.word)))
        few = tuple([word.upper() for word in words])
        short = len(few) <= _FEW and all(len(links) <= 3 for _, links, _, _ in tried)
        made = (Cases if short else ManyCases)(number, known.shown(number), few, tuple(tried))
        return Step(made.technique, tuple(labels), _facts(found), (), found=made)
    return None


def _dead_shown(known: _Known, chain: Sequence[_Link], links: Sequence[int], dead: int) -> str:
    """What would be known of the word that nothing fits, by the supposition and these links."""
    plain = list(known.plain)
    for link in (chain[k] for k in sorted({0, *links})):
        for slot, letter in zip(known.cipher[link.word], link.becomes, strict=True):
            plain[slot] = letter.lower() if letter != "?" else plain[slot]
    return "".join([plain[slot].upper() or "?" for slot in known.cipher[dead]])


def explain(words: Words, _: SubstitutionTable, step: Step) -> str:
    """The step as a few sentences; see the package."""
    return sentence(_Say(words), step)
