"""How puzzles of coding are drawn, and their words exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from puzzlemill import family as f
from puzzlemill.generators._coding import MOST, Board, CodingPuzzle, Params, Secret, texts
from puzzlemill.rules import codes, codes_space, conditions, phrases
from puzzlemill.rules.codes_space import word_of
from puzzlemill.vocabulary.coding import code_words, words_at
from puzzlemill.vocabulary.words import plain_words

DRAWS = 200  # tries at samples that show one code
_WORDS = 400  # drawn for one of them at most
_TURNS = 30  # orders of sentences that are tried
_ALIKE = 5  # words of sentences that occur as often as one that can be asked for


@cache
def words_of(letters: int) -> tuple[codes.Word, ...]:
    """The plain words of so many letters."""
    return tuple([word_of(word.upper()) for word in plain_words() if len(word) == letters])


def on_words(p: Params, rng: f.Rng) -> Secret | None:
    """A code with samples that show it; None if they leave another way to read them, or show the wanted word as it is."""
    code = codes_space.drawn(p.task, p.decode, p.order, rng.child("code"))
    around = [n for n in (p.letters - 1, p.letters, p.letters + 1) if n <= MOST] if p.task == "sums" else [p.letters]
    wanted = rng.pick(words_of(rng.pick(around)))
    words = [wanted]
    for turn in range(_WORDS):  # a letter of the samples would be known without the code
        word = rng.pick(words_of(rng.pick(around)))
        if word not in words and (p.decode or turn >= _WORDS * 3 // 4 or not {*word} & {*wanted}):
            words.append(word)
        if len(words) > p.samples:
            break
    if len(words) <= p.samples:
        return None
    texts = [codes.written(p.task, code, word) for word in words]
    pairs = [(word, text) for word, text in zip(words, texts, strict=True) if text is not None and text != word]
    if len(pairs) < len(words):
        return None
    (word, text), *known = pairs
    asked, answer = (text, word) if p.decode else (word, text)
    if {made for _, made in codes_space.explained(p.task, p.decode, known, asked)} != {answer}:
        return None
    clues = [codes_space.sample(number, p.task, *pair) for number, pair in enumerate(known, 1)]
    return Secret(Board(asked), tuple(clues), answer)


def of_sentences(p: Params, rng: f.Rng) -> Secret | None:
    """Sentences in which the wanted word and its code word are known; None if no word is, or too few words occur."""
    chosen = phrases.drawn(p.words, p.samples, rng.child("sentences"))
    names = {place: rng.child("words", place).few(words_at(place), 3) for place in range(p.words)}
    occurs = {item: tuple([k for k, said in enumerate(chosen) if item in said]) for said in chosen for item in said}
    patterns = list(occurs.values())
    known = [item for item, where in occurs.items() if patterns.count(where) == 1 and len(where) < p.samples]
    often = {len(occurs[item]) for item in known}
    alike = [item for item, where in occurs.items() if len(where) in often]
    if not known or len(alike) < min(_ALIKE, len(occurs) - 2):  # the others occur as often as no word that can be asked for
        return None
    times = len(occurs[rng.pick(alike)])
    wanted, place = rng.pick([item for item in known if len(occurs[item]) == times]), rng.below(len(occurs))
    for turn in range(_TURNS):  # where it is met first must not tell the right one
        here = rng.child("order", turn)
        said, items, met = _numbered(here.shuffled(chosen), here)
        if (items if p.decode else met).index(wanted) == place:
            break
    word, code = items.index(wanted), met.index(wanted)
    clues = [
        phrases.sample(number, (tuple(map(items.index, words)), tuple(map(met.index, order))))
        for number, (words, order) in enumerate(said, 1)
    ]
    asked, answer = (code, word) if p.decode else (word, code)
    shown = tuple([names[at][choice] for at, choice in items])
    return Secret(Board((asked,), (shown, tuple(rng.few(code_words(), len(items))))), tuple(clues), (answer,))


_Item = tuple[int, int]  # a place of sentences, and which of its words


def _numbered(
    chosen: Sequence[Sequence[_Item]], rng: f.Rng
) -> tuple[list[tuple[Sequence[_Item], list[_Item]]], list[_Item], list[_Item]]:
    """Sentences with the order of their code words; all words, and all code words, as they come."""
    said = [(words, rng.child(k).shuffled(words)) for k, words in enumerate(chosen)]
    items, met = (list(dict.fromkeys([item for pair in said for item in pair[side]])) for side in (0, 1))
    return said, items, met


def with_conditions(p: Params, rng: f.Rng) -> Secret:
    """A table with conditions, and a word."""
    signs, cases, word = conditions.drawn(p.letters, p.conditions, rng)
    board = Board(word, (), signs, cases)
    answer = tuple([conditions.right(signs, cases, p.chained, word, place) for place in range(len(word))])
    return Secret(board, (), answer)


def renamed(puzzle: CodingPuzzle, rng: f.Rng) -> f.Style:
    """Other words of the same place in sentences, and other code words."""
    words, names = texts(puzzle)
    others: list[str] = []
    for word in words:
        place = next((place for place in range(phrases.MOST) if word in words_at(place)), 0)
        others.append(rng.pick([other for other in words_at(place) if other not in (*words, *others)]))
    fresh = [name for name in code_words() if name not in names]
    return replace(puzzle.style, names=(tuple(others), tuple(rng.few(fresh, len(names)))))
