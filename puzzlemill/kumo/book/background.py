"""Composes background paragraphs for long books: lively, at home in any domain, and empty of rules.

A paragraph names no truth in any spelling and no outcome: one that would by chance is thrown away and drawn again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import capital
from puzzlemill.kumo.book.lore import lore
from puzzlemill.kumo.book.wording import Deck, words_of
from puzzlemill.kumo.domain.domain import Domain

TRIES = 200


class Background:
    """A source of paragraphs for one book. Every alternative of a sentence is used before any comes again."""

    def __init__(self, domain: Domain, words: Mapping[str, str], rng: Rng) -> None:
        self._domain, self._words, self._rng = domain, words, rng
        material = lore()
        self._paragraphs = Deck(material.paragraphs, rng)
        self._town, self._here = "", set[str]()  # of the chapter: its town, and the titles of its paragraphs
        self._titles = Deck(material.chapters, rng)
        self._decks = {sentences: Deck(sentences, rng) for paragraph in material.paragraphs for sentences in paragraph.sentences}
        self._fillers = {slot: Deck(values, rng) for slot, values in material.words.items()}
        taken = words_of(domain)
        self._she, self._he, self._last, self._towns = [
            Deck([name for name in names if name.lower() not in taken], rng)
            for names in (material.first_she, material.first_he, material.last, material.towns)
        ]
        named = [form for truth in domain.truths for form in (f"{truth}s", truth, truth.removesuffix("s"))]
        named += [outcome for action in domain.actions for outcome in action.outcomes]
        self._names = re.compile(rf"\b(?:{'|'.join([re.escape(text) for text in named]) or '(?!)'})\b", re.IGNORECASE)

    def chapter(self) -> str:
        """Begins a chapter on another house and gives its title. No two paragraphs of a chapter are about the same thing."""
        self._town, self._here = self._towns.deal(), set()
        return self._titles.deal().format(town=self._town)

    def paragraph(self, a: int, marked: Callable[[int], str]) -> tuple[str, str]:
        """A title and a paragraph, in which action a may come up (-1: the domain has none); marked: its name, set off."""
        for _ in range(TRIES):
            chosen = self._paragraphs.deal()
            if chosen.title in self._here:
                continue
            slots = self._slots(a, marked)
            sentences = [capital(self._decks[alternatives].deal().format_map(slots)) for alternatives in chosen.sentences]
            text = " ".join(sentences)
            if not self._names.search(f"{chosen.title}. {text}"):
                self._here.add(chosen.title)
                return chosen.title, text
        raise BadParams(
            f"{self._domain.name}: {TRIES} background paragraphs all named a truth or an outcome; are its names everyday words?"
        )

    def _slots(self, a: int, marked: Callable[[int], str]) -> dict[str, str]:
        slots = {slot: deck.deal() for slot, deck in self._fillers.items()}
        slots |= {capital(slot): capital(value) for slot, value in slots.items() if len(slot) > 1}
        she = self._rng.chance(1, 2)
        elsewhere = self._towns.deal()
        if elsewhere == self._town:
            elsewhere = self._towns.deal()
        last, other = self._last.deal(), self._last.deal()
        slots |= {"he": "she", "his": "her", "him": "her"} if she else {"he": "he", "his": "his", "him": "him"}
        slots |= {"He": "She", "His": "Her"} if she else {"He": "He", "His": "His"}
        slots |= {"P": f"{(self._she if she else self._he).deal()} {last}", "p": last, "town": elsewhere}
        slots |= {"Q": f"{(self._he if she else self._she).deal()} {other}", "q": other}
        action = self._domain.actions[a] if a >= 0 else None
        does, m = (action.does, marked(a)) if action else ("begin", self._words["action"])
        return {**self._words, **slots, "m": m, "does": does}
