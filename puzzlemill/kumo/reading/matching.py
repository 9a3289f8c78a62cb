"""Finds what a sentence of free prose speaks of: the truths, actions and outcomes of a domain, exactly or in other words.

Nothing here knows how books are written (wording.py, registers.py) or read back (parse.py). All of it takes time in proportion to
the text: names are looked up by their first word, and patterns have bounded repetitions only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from puzzlemill.kumo.domain.domain import Action, Domain

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+(?:['’][^\W_]+)*|\S")


def word_set(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


_STOP = word_set(
    "the a an is are was were be been it its to of in on at by with and or for from as that this these those there "
    "here has have had do does did will would can could if when then than so they them he she his her who which "
    "what you your we our one may might should must just"
)
_NEGATORS = word_set("no not never nothing none nobody neither nor without cannot")
NEGATED = "¬"  # stands for any negation among the features of an outcome
_NUMBER = r"(-?\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,9})?)"
_UNIT = r"(?: ?[^\s\d,;.:()<>]{1,20}){0,3}?"  # between two numbers
_FROM = r"(?:at least|not below|no less than|>=|≥)"
_INTERVALS = (  # (pattern, groups: low, high; whether the low and the high end belong to it: True, False or None for unsaid)
    (re.compile(rf"\[ ?{_NUMBER}, ?{_NUMBER} ?([)\]])"), (1, 2), (True, None)),
    (
        re.compile(rf"{_FROM} ?{_NUMBER}{_UNIT},? (?:and|but) (?:below|under|less than|lower than|<) ?{_NUMBER}"),
        (1, 2),
        (True, False),
    ),
    (
        re.compile(rf"{_FROM} ?{_NUMBER}{_UNIT},? (?:and|but) (?:at most|up to|<=|≤) ?{_NUMBER}"),
        (1, 2),
        (True, True),
    ),
    (re.compile(rf"{_NUMBER} ?(?:<=|≤) ?[\w ]{{1,30}}? ?< ?{_NUMBER}"), (1, 2), (True, False)),
    (
        re.compile(rf"(?:from|between) {_NUMBER}{_UNIT} (?:to|and|up to|until) (?:just )?(?:below |under )?{_NUMBER}"),
        (1, 2),
        (None, None),
    ),
    (re.compile(rf"{_NUMBER}{_UNIT} ?(?:-|–|—|to|up to) ?{_NUMBER}"), (1, 2), (None, None)),
    (re.compile(rf"(?:below|under|less than|lower than|smaller than|fewer than|short of|<) ?{_NUMBER}"), (0, 1), (None, False)),
    (re.compile(rf"(?:at most|up to|no more than|not above|<=|≤) ?{_NUMBER}"), (0, 1), (None, True)),
    (re.compile(rf"(?:{_FROM}|from) ?{_NUMBER}"), (1, 0), (True, None)),
    (re.compile(rf"{_NUMBER}{_UNIT} (?:or|and) (?:more|above|over|higher|greater|up|upwards)"), (1, 0), (True, None)),
    (re.compile(rf"{_NUMBER}{_UNIT} or (?:less|fewer|below|lower)"), (0, 1), (None, True)),
    (re.compile(rf"(?:above|over|more than|greater than|higher than|exceed(?:s|ing)?|>) ?{_NUMBER}"), (1, 0), (False, None)),
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a sign. low: in lower case."""

    low: str
    raw: str
    start: int
    end: int

    @property
    def word(self) -> bool:
        return self.low[0].isalnum()


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens first .. last - 1 name something. number: its position in the domain; for an outcome, in its action."""

    first: int
    last: int
    number: int


def tokens_of(text: str) -> list[Token]:
    """Words, numbers and signs. A hyphen within a word divides it and is left out."""
    found = [Token(m.group().lower().replace("’", "'"), m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text)]
    kept = []
    for i, token in enumerate(found):
        joins = (
            token.low == "-" and 0 < i < len(found) - 1 and found[i - 1].end == token.start and token.end == found[i + 1].start
        )
        if not (joins and found[i - 1].word and found[i + 1].low[0].isalpha()):
            kept.append(token)
    return kept


class Names:
    """Names that are looked up as rows of words, longer ones first, in any case."""

    def __init__(self, names: Sequence[str]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for number, name in enumerate(names):
            words = tuple([token.low for token in tokens_of(name)])
            if words:
                self._by_first.setdefault(words[0] if len(words) > 1 else _singular(words[0]), []).append((words, number))
        for rows in self._by_first.values():
            rows.sort(key=lambda row: -len(row[0]))

    def find(self, tokens: Sequence[Token]) -> list[Mention]:
        """The names in a row of tokens, from left to right; the last word of a name may have an s more or less."""
        found, i = [], 0
        while i < len(tokens):
            low = tokens[i].low
            rows = self._by_first.get(low, []) + (self._by_first.get(_singular(low), []) if _singular(low) != low else [])
            for words, number in rows:
                got = [token.low for token in tokens[i : i + len(words)]]
                if len(got) == len(words) and got[:-1] == list(words[:-1]) and _singular(got[-1]) == _singular(words[-1]):
                    found.append(Mention(i, i + len(words), number))
                    i += len(words) - 1
                    break
            i += 1
        return found


class Outcomes:
    """The outcomes of one action, found word by word or by the words that set them apart from each other."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.exact = Names(action.outcomes)
        self.features = features = [meaning(tokens_of(outcome)) for outcome in action.outcomes]
        every = frozenset.intersection(*features) if features else frozenset()
        self.anchors = (every | meaning(tokens_of(action.name))) - {NEGATED}
        self._shared = every - {NEGATED}
        # a word that only one outcome has counts twice, a word that all of them have counts nothing
        self._weights = [
            {word: 2 if sum([word in other for other in features]) == 1 else 1 for word in own - every} for own in features
        ]

    def similar(self, tokens: Sequence[Token], *, anchored: bool = False) -> int:
        """The one outcome that these words name; -1 if they name none, or could name more than one.

        anchored: they must hold a word that all outcomes of the action, or its name, have.
        """
        got = meaning(tokens)
        if anchored and not got & self.anchors:
            return -1
        scores = []
        for s, weights in enumerate(self._weights):
            hits = sum([weight for word, weight in weights.items() if word in got])
            named = any(weight == 2 and word in got for word, weight in weights.items())
            agrees = (NEGATED in got) == (NEGATED in self.features[s])
            scores.append(hits / sum(weights.values()) if weights and named and agrees else 0.0)
        if scores and max(scores) >= 0.5:
            best = max(scores)
            near = [s for s, score in enumerate(scores) if score > best - 0.25]
            return near[0] if len(near) == 1 else -1
        positive = [s for s, weights in enumerate(self._weights) if NEGATED not in weights]
        if len(positive) == 1 and self._shared and self._shared <= got and NEGATED not in got and len(self._weights) == 2:
            return positive[0]
        return -1


def intervals_in(text: str, action: Action) -> list[tuple[int, int, int]]:
    """(outcome, start, end) of every interval in a text; the outcome is -1 for one that is none of the numeric action's."""
    found: list[tuple[int, int, int]] = []
    for part in re.finditer(r"(?:(?!\bor (?:if|when|at least|below|from|between|under)\b).)+", text):
        one = _interval(part.group(), action)
        if one:
            found.append((one[0], part.start() + one[1], part.start() + one[2]))
    return found


def _interval(text: str, action: Action) -> tuple[int, int, int] | None:
    for pattern, (low_group, high_group), (low_in, high_in) in _INTERVALS:
        found = pattern.search(text.replace("−", "-"))
        if not found:
            continue
        low = _scaled(found[low_group], action) if low_group else None
        high = _scaled(found[high_group], action) if high_group else None
        if pattern is _INTERVALS[0][0]:
            high_in = found[3] == "]"
        for s, (begin, end) in enumerate(pairwise(action.bounds)):
            last = s == action.size - 1
            low_fits = (low == begin and low_in is not False) or (low_group == 0 and s == 0)
            high_fits = (high == end and (high_in is None or high_in == last)) or (high_group == 0 and last)
            if low_fits and high_fits:
                return s, found.start(), found.end()
        return -1, found.start(), found.end()
    return None


def _scaled(number: str, action: Action) -> int | None:
    whole, _, part = number.replace(",", "").partition(".")
    part = part.rstrip("0").ljust(action.decimals, "0")
    return int(whole + part) if len(part) == action.decimals and len(whole) < 15 else None


def meaning(tokens: Sequence[Token]) -> frozenset[str]:
    """Stems of the words that carry meaning, and NEGATED if any of them negates."""
    stems = {stem(token.low) for token in tokens if token.word and token.low not in _STOP and not negates(token.low)}
    return frozenset(stems | ({NEGATED} if any(negates(token.low) for token in tokens) else set()))


def negates(low: str) -> bool:
    return low in _NEGATORS or low.endswith("n't")


def stem(word: str) -> str:
    """A word without its ending, roughly: "scratches", "scratched" and "scratching" are one."""
    word = word.removesuffix("'s")
    for ending in ("ing", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:6]


def _singular(word: str) -> str:
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def domain_names(domain: Domain) -> tuple[Names, Names]:
    """Truths and actions."""
    return Names(domain.truths), Names([action.name for action in domain.actions])
