"""How acrostics are drawn: words with given first letters whose letters are exactly those of a text, and which cells they go to.

The search for words fills all places but four one by one, with the word, of those that still can be had, that takes most of the
letters there are too many of; the last four by going through pairs and looking up
pairs that have what these leave. Letters are counted in one
integer, six bits each, so that a word is had if a subtraction borrows nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from puzzlemill.core.rng import Rng
from puzzlemill.rules.clued import LETTERS, Clued, forms, offers, shows

SHORT, LONG = 4, 12  # letters of a clued word
_BITS = 6
_EACH = (1 << _BITS) - 1
_GUARDS = sum([1 << _BITS * place + _BITS - 1 for place in range(26)])
_TAIL = 4  # places that are filled together
_BEST = 8  # of these that are tried
_LOOKED = 700  # words that are weighed for one place
_HALVES = 30_000  # pairs of words for the last places
_MISFITS = 20  # ways to fill these in which a word is of no use
_NOISE = 6
_SWAPS = 400  # tries at taking a run apart
_OFFERS = 12  # clues of a word that are chosen from
_OTHERS = 60  # words that are looked at for a clue in the place of another
_BARRED = 6  # letters of a word of the quotation that no clue may have in its text

Counts = int
Entry = tuple[Counts, int, str]


def counted(text: str) -> Counts:
    """How often each letter occurs, in one integer."""
    return sum([1 << _BITS * (ord(sign) - 65) for sign in text])


@dataclass(frozen=True, slots=True)
class Pool:
    """Words that can be clued: by first letter, and there by their letters. shares: how often each letter is in them."""

    words: Mapping[str, Sequence[Entry]]
    alike: Mapping[str, Mapping[Counts, Sequence[str]]]
    shares: Sequence[int]


@cache
def pool(band: str, rarer: bool, cryptic: bool, wide: bool) -> Pool:
    """The words of a band that have a clue by their meaning. rarer: those of no commoner band only.

    cryptic: only those that may have an anagram, or a place to be hidden. wide: those too that have a clue by their letters.
    """
    from puzzlemill.vocabulary.clues import with_letters, with_meaning
    from puzzlemill.vocabulary.lexicon import word, words

    meant: frozenset[str] = frozenset() if cryptic else frozenset(with_meaning(band))
    if wide:
        meant |= frozenset(with_letters(band))
    by_first: dict[str, list[Entry]] = defaultdict(list)
    alike: dict[str, dict[Counts, list[str]]] = defaultdict(lambda: defaultdict(list))
    shares: Counter[str] = Counter()
    for text in words(band, SHORT, LONG):
        found = word(text)
        if found is None or (rarer and found.band != band):
            continue
        if _may_hide(text) if cryptic else text in meant:
            shown = text.upper()
            by_first[shown[0]].append((counted(shown), len(shown), shown))
            alike[shown[0]][counted(shown)].append(shown)
            shares.update(shown)
    return Pool(by_first, alike, [shares[letter] for letter in LETTERS])


@cache
def _borders() -> tuple[frozenset[str], frozenset[str], Mapping[str, int]]:
    """How common adjectives end and common nouns begin, and how many known words have the same letters."""
    from puzzlemill.vocabulary.lexicon import COMMON, KNOWN, word, words

    common = [found for found in map(word, words(COMMON, SHORT)) if found is not None and found.senses]
    ends = [found.text[-cut:] for found in common if found.senses[0].part == "a" for cut in range(2, len(found.text))]
    starts = [found.text[:cut] for found in common if found.senses[0].part == "n" for cut in range(2, len(found.text))]
    return frozenset(ends), frozenset(starts), Counter(["".join(sorted(text)) for text in words(KNOWN, SHORT)])


def _may_hide(text: str) -> bool:
    ends, starts, letters = _borders()
    hidden = any(text[:cut] in ends and text[cut:] in starts for cut in range(2, len(text) - 1))
    return hidden or letters["".join(sorted(text))] > 1


@lru_cache(maxsize=1 << 14)
def can_be_clued(word: str, sorts: tuple[str, ...], band: str, most: int) -> bool:
    """Return whether the word has a clue of these sorts that is true of so many words of the band at most."""
    return next(offers(word, sorts, band, most, Rng(bytes([1] * 32))), None) is not None


@dataclass(frozen=True, slots=True)
class Wish:
    """Which clues are wanted: of these sorts, () for all, with so many carriers in the band at most.

    rarer: words of no commoner band. wide: also words of which only the letters say something, where others are too few.
    """

    sorts: tuple[str, ...]
    band: str
    most: int
    rarer: bool = False
    wide: bool = False

    def pool(self) -> Pool:
        """The words that are drawn from."""
        cryptic = bool(self.sorts) and {"anagram", "hidden"}.issuperset(self.sorts)
        return pool(self.band, self.rarer, cryptic, self.wide and not self.sorts)


def partition(text: str, line: str, wish: Wish, barred: Collection[str], rng: Rng) -> list[str] | None:
    """Different words that begin with the letters of `line` and have together the letters of `text`; None if none were found.

    barred: words, in small letters, of which they are to be no forms.
    """
    search = _Search(text, line, wish, barred, rng)
    return search.found()


class _Search:
    def __init__(self, text: str, line: str, wish: Wish, barred: Collection[str], rng: Rng) -> None:
        self.line, self.wish, self.barred, self.rng = line, wish, barred, rng
        self.pool = wish.pool()
        self.rest, self.left = counted(text), len(text)
        self.words: dict[int, str] = {}
        self.possible = all(text.count(letter) >= count for letter, count in Counter(line).items())

    def fits(self, word: str) -> bool:
        """Return whether a word can be clued, and is no form of another one or of a barred one."""
        from puzzlemill.vocabulary.stems import alike

        low = word.lower()
        known = [*self.barred, *[other.lower() for other in self.words.values()]]
        wish = self.wish
        return can_be_clued(word, wish.sorts, wish.band, wish.most) and not any(alike(low, other) for other in known)

    def found(self) -> list[str] | None:
        line, rng, many = self.line, self.rng, len(self.line)
        if not self.possible or many < _TAIL or not SHORT * many <= self.left <= LONG * many:
            return None
        # letters that few words begin with come first
        places = sorted(range(many), key=lambda i: len(self.pool.words.get(line[i], ())) + rng.below(300))
        self.rest -= counted(line)
        tail = places[-_TAIL:]
        if many == _TAIL:
            return self.finish(-1, [""], tail)
        *head, last = places[:-_TAIL]
        for turn, place in enumerate(head):
            word = next(self.fitting(place, many - turn), None)
            if word is None:
                return None
            self.put(place, word)
        return self.finish(last, list(self.fitting(last, _TAIL + 1)), tail)

    def put(self, place: int, word: str) -> None:
        """Put a word in a place; its first letter is no longer counted."""
        self.words[place] = word
        self.rest, self.left = self.rest - counted(word[1:]), self.left - len(word)

    def fitting(self, place: int, places: int) -> Iterator[str]:
        """Words for a place, of so many that are left, best first."""
        rng, first = self.rng, self.line[place]
        have = self.rest + counted(first)
        bound, mean = have | _GUARDS, self.left // places
        low, high = max(SHORT, mean - 3), min(LONG, mean + 3)
        wanted = mean + rng.between(-2, 2)
        worth, shares, total = [], self.pool.shares, sum(self.pool.shares)
        for letter in range(26):
            there, usual = (have >> _BITS * letter & 31) * total, shares[letter] * (self.left - places + 1)
            worth.append(((64 * there // (usual + 1) + 1) ** 4).bit_length() - 25)  # quarters of a doubling
        some = [
            each for each in self.pool.words.get(first, ()) if low <= each[1] <= high and bound - each[0] & _GUARDS == _GUARDS
        ]
        some = rng.few(some, _LOOKED) if len(some) > _LOOKED else some
        weighed = [
            (rng.below(_NOISE) + sum([worth[ord(sign) - 65] for sign in word]) - 2 * abs(length - wanted), counts, word)
            for counts, length, word in some
        ]
        yield from filter(self.fits, [word for _, _, word in sorted(weighed, reverse=True)[:_BEST]])

    def finish(self, last: int, options: Sequence[str], places: Sequence[int]) -> list[str] | None:
        """Fill the last four places, so that no letter is left: a pair of words for two of them has what another pair leaves.

        options: words for the place before, one of which is put there ("": there is none). Pairs for two places are kept.
        """
        firsts = [self.line[place] for place in places]
        # places are in the order of how many words there are: pairs of a long and a short list are fewest
        a, d, b, c = [self.had(firsts[turn], options) for turn in (0, 3, 1, 2)]
        every = self.rest + counted("".join(firsts))
        halves: dict[Counts, tuple[str, str]] = {}
        for counts, two in b:
            edge = (every - counts) | _GUARDS
            halves |= {counts + other: (two, three) for other, three in c if edge - other & _GUARDS == _GUARDS}
            if len(halves) > _HALVES:
                break
        tried = 0
        for option in options:
            if option:
                self.words[last] = option
            rest = every - counted(option[1:])
            bound = rest | _GUARDS
            fours = [each for each in d if bound - each[0] & _GUARDS == _GUARDS]
            for counts, one in a:
                left = rest - counts
                for other, four in [each for each in fours if left - each[0] in halves]:
                    two, three = halves[left - other]
                    if self.all_fit((places[0], places[3], places[1], places[2]), (one, four, two, three)):
                        return [self.words[place] for place in range(len(self.line))]
                    tried += 1
                    if tried == _MISFITS:
                        return None
        return None

    def had(self, first: str, options: Sequence[str]) -> list[tuple[Counts, str]]:
        """The words with this first letter that the letters can have, in random order."""
        bound = (self.rest + counted(first)) | _GUARDS
        most = self.left - 3 * SHORT - min(map(len, options), default=0)
        known = self.pool.words.get(first, ())
        return self.rng.shuffled(
            [(counts, word) for counts, length, word in known if length <= most and bound - counts & _GUARDS == _GUARDS]
        )

    def all_fit(self, places: Sequence[int], words: Sequence[str]) -> bool:
        for done, (place, word) in enumerate(zip(places, words, strict=True)):
            if not self.fits(word):
                for undone in places[:done]:
                    del self.words[undone]
                return False
            self.words[place] = word
        return True


def dealt(text: str, words: Sequence[str], rng: Rng) -> tuple[tuple[int, ...], ...]:
    """The cells that the letters of each word go to: drawn evenly, then exchanged so that no three follow each other."""
    cells = {
        letter: rng.child(letter).shuffled([cell for cell, sign in enumerate(text) if sign == letter])
        for letter in sorted(set(text))
    }
    entries = [[cells[letter].pop() for letter in word] for word in words]
    at = {cell: (entry, place) for entry, row in enumerate(entries) for place, cell in enumerate(row)}
    for _ in range(_SWAPS):
        runs = [(entry, place) for entry, row in enumerate(entries) for place in range(2, len(row)) if _runs(row, place)]
        if not runs:
            break
        entry, place = rng.pick(runs)
        one = entries[entry][place - 1]
        two = rng.pick([cell for cell, sign in enumerate(text) if sign == text[one]])
        (i, j), (k, m) = at[one], at[two]
        entries[i][j], entries[k][m] = two, one
        at[one], at[two] = (k, m), (i, j)
    return tuple(map(tuple, entries))


def _runs(row: Sequence[int], place: int) -> bool:
    """Return whether three cells that follow each other end at this place of a word."""
    return row[place] - row[place - 1] == row[place - 1] - row[place - 2] == 1


def choices(words: Sequence[str], quoted: Sequence[str], wish: Wish, rng: Rng) -> list[list[Clued]] | None:
    """Some clues of each word, in random order; None if a word has none.

    No clue has a form of one of the words in its text, or of a longer word of the quotation.
    """
    hidden = forms([*words, *[word for word in quoted if len(word) >= _BARRED]])
    found = []
    for place, word in enumerate(words):
        told: list[Clued] = []
        for clue in offers(word, wish.sorts, wish.band, wish.most, rng.child(place)):
            if not shows(clue.text, hidden):
                told.append(clue)
                if len(told) == _OFFERS:
                    break
        if not told:
            return None
        found.append(told)
    return found


def another(letters: int, firsts: str, instead: Clued, wish: Wish, rng: Rng) -> Iterator[Clued]:
    """Clues of other words of so many letters that begin with one of these, none of which `instead` is true of.

    Those of its own sort come first.
    """
    known = wish.pool().words
    words = [
        word for first in firsts for _, length, word in known.get(first, ()) if length == letters and word not in instead.carriers
    ]
    later: dict[Clued, None] = {}
    first: dict[Clued, None] = {}  # words of one meaning have clues in common
    for word in rng.few(words, min(len(words), _OTHERS)):
        for told in islice(offers(word, wish.sorts, wish.band, wish.most, rng.child(word)), _OFFERS):
            if set(told.carriers).isdisjoint(instead.carriers):
                if told.sort == instead.sort:
                    if told not in first:
                        yield told
                    first[told] = None
                    break
                later[told] = None
    yield from [told for told in later if told not in first]
