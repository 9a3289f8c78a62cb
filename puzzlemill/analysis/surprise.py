"""The surprise of a puzzle's form: bits per character of its text under a model that has read canonical puzzles only.

The text is what the family renders: the rules in force, the board and the clues, without the form of the reply, which recipes
draw and no transform changes. The model predicts each byte of its UTF-8 from the ORDER bytes before it, with Witten-Bell's
interpolation (Witten and Bell 1991, "The zero-frequency problem", method C; Chen and Goodman 1998, section 2.5): in a context c
met n times and followed by t different bytes,

    p(x | c) = (count(c, x) + t * p(x | c without its first byte)) / (n + t),     p(x | nothing) = 1 / 256.

So every text has a probability, and none is zero. Bits are divided by characters, not by bytes.

Cross-fitting: the groups of a family (a canonical puzzle and all that is made from it) are split into two halves by a hash of
their ids. Texts of one half are scored by the model of the other half's canonical texts, so that no text is scored by a model
that has read it, its parent or its siblings. Both halves need LEAST canonical texts; with fewer there is no figure.

It is no model of language: it knows nothing but the family's own canonical puzzles, and therefore measures how far a
text is from these, not how hard it is to understand. `puzzlemill stats --model` adds a language model's measure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log2

from puzzlemill.core.rng import digest

ORDER = 5
LEAST = 5  # canonical texts in a half
LONGEST = 200_000  # bytes of a text that are read; the largest prompts have some 20,000
_START = b"\0" * ORDER


class Ngrams:
    """The model, fitted on texts. bits: of a text under it."""

    __slots__ = ("_bits", "_contexts", "_counts")

    def __init__(self, texts: Iterable[str]) -> None:
        counts: Counter[bytes] = Counter()  # grams of 1 to ORDER + 1 bytes
        for text in texts:
            raw = _START + _raw(text)
            for length in range(1, ORDER + 2):
                counts.update([raw[i - length + 1 : i + 1] for i in range(ORDER, len(raw))])
        contexts: dict[bytes, list[int]] = {}  # context -> [how often, followed by how many different bytes]
        for gram, times in counts.items():
            seen = contexts.setdefault(gram[:-1], [0, 0])
            seen[0] += times
            seen[1] += 1
        self._counts, self._contexts = counts, contexts
        self._bits: dict[bytes, float] = {}  # of grams of ORDER + 1 bytes that were asked for

    def bits(self, text: str) -> float:
        """-log2 of the text's probability."""
        raw, known, total = _START + _raw(text), self._bits, 0.0
        for i in range(ORDER, len(raw)):
            gram = raw[i - ORDER : i + 1]
            if gram not in known:
                known[gram] = -log2(self.chance(gram[:-1], gram[-1]))
            total += known[gram]
        return total

    def chance(self, context: bytes, byte: int) -> float:
        """The probability of a byte after a context of at most ORDER bytes."""
        found = 1 / 256
        for start in range(len(context), -1, -1):
            seen = self._contexts.get(context[start:])
            if seen is None:
                break  # nor was any longer context met
            times, kinds = seen
            found = (self._counts.get(context[start:] + bytes((byte,)), 0) + kinds * found) / (times + kinds)
        return found


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "replace")[:LONGEST]


def half(group: str) -> int:
    """0 or 1: the half that a group belongs to."""
    return digest("form_surprise", group)[0] & 1


def form_surprise(canonical: Mapping[str, Iterable[str]], texts: Mapping[str, tuple[str, str]]) -> dict[str, float]:
    """Bits per character of texts of one family, rounded to 4 places.

    canonical: group -> its canonical texts. texts: id -> (group, text). Ids that no model can score are left out: empty texts,
    and all of them where a half has too few canonical texts.
    """
    halves: list[list[str]] = [[], []]
    for group in sorted(canonical):
        halves[half(group)] += canonical[group]
    if min(len(part) for part in halves) < LEAST:
        return {}
    out = {}
    for side in (0, 1):
        model = Ngrams(halves[1 - side])
        for name, (group, text) in texts.items():
            length = len(_raw(text).decode("utf-8", "ignore"))
            if half(group) == side and length:
                out[name] = round(model.bits(text) / length, 4)
    return out
