"""The sentences of books, which stand in registers.toml, and the nouns in them.

*Notes* explain a book and hold no rule of it. The writer draws them, and the parser knows them word by word.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from puzzlemill.core.words import with_article
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.vocabulary.load import record

ELSEWHERE = "This place has rules of its own, whatever is usual elsewhere."
Sentences = Mapping[str, tuple[str, ...]]  # what is said at a place, in several alternatives


@cache
def sentences() -> Mapping[str, Sentences]:
    """The sentences of each register, by its name, and of rules and notes."""
    read: Mapping[str, Sentences] = record(Mapping[str, Sentences], __package__, "registers.toml")
    return read


def nouns(domain: Domain) -> dict[str, str]:
    """The values of templates' slots in this domain."""
    return {
        "truth": domain.truth,
        "truths": domain.truths_plural,
        "a_truth": with_article(domain.truth),
        "action": domain.action,
        "actions": domain.actions_plural,
        "an_action": with_article(domain.action),
    }


def notes(words: Mapping[str, str]) -> frozenset[str]:
    """Every note of a domain with these nouns, each as one sentence."""
    every = [note for group in sentences()["notes"].values() for note in group]
    return frozenset([note.format_map(words) for note in (*every, ELSEWHERE)])
