"""Writes a domain's rules as a book.

A book says of an outcome what it rules out, and nothing that could be read as a confirmation of what is left.
The same domain, register and seed give the same text.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import Rng, stream
from puzzlemill.kumo.book.background import Background
from puzzlemill.kumo.book.registers import Dialogue, Guidebook, LabManual, Memo, Register, Symbolic, Table
from puzzlemill.kumo.book.wording import Wording
from puzzlemill.kumo.domain.domain import Domain

REGISTERS: dict[str, type[Register]] = {
    register.name: register for register in (Guidebook, LabManual, Memo, Dialogue, Table, Symbolic)
}
LONG_WORDS = 10_000  # a long book has at least so many words
CHAPTERS = 10
PREFACE = "Between the entries this book tells of houses in which people have long done the same {actions}, and of those people."


def write_book(domain: Domain, register: str, seed: int, long: bool = False, *, several: bool = False) -> str:
    """A book that says what every outcome of the domain rules out.

    domain: a task or a whole domain, with its exclusions. register: one of REGISTERS. seed: draws wordings and orders.
    long: at least LONG_WORDS words, with the rules scattered among chapters that have nothing to do with them.
    several: more than one truth may hold; then no sentence speaks of one, and the domain's scene and question are left out.
    Raises BadParams for an unknown register, or a domain whose exclusions are not drawn.
    """
    if register not in REGISTERS:
        raise BadParams(f"no register is called {register!r}; choose one of {', '.join(REGISTERS)}")
    for action in domain.actions:
        if len(action.excludes) != action.size:
            raise BadParams(
                f"{domain.name}: {action.name} has {action.size} outcomes, and {len(action.excludes)} of them tell what they "
                "exclude; draw its exclusions first"
            )
    rng = stream("kumo book", domain.name, register, seed, int(long))
    wording = Wording(domain, rng, several)
    voice = REGISTERS[register](wording)
    entries = [(a, _outcomes(domain, a, rng)) for a in rng.shuffled(range(len(domain.actions)))]
    blocks = _long(voice, entries, rng) if long else _short(voice, entries)
    return "\n\n".join([*voice.head(), *blocks, *voice.tail()]) + "\n"


def _outcomes(domain: Domain, a: int, rng: Rng) -> list[int]:
    """The order in which an action's outcomes stand: intervals up or down, others in any order."""
    places = list(range(domain.actions[a].size))
    if domain.actions[a].numeric:
        return places if rng.chance(1, 2) else places[::-1]
    return rng.shuffled(places)


def _short(voice: Register, entries: Sequence[tuple[int, Sequence[int]]]) -> list[str]:
    if isinstance(voice, Table) and voice.joins:
        return [voice.one(entries)] if entries else []
    return [block for a, outcomes in entries for block in voice.entry(a, outcomes, first=True)]


def _long(voice: Register, entries: Sequence[tuple[int, Sequence[int]]], rng: Rng) -> list[str]:
    """Chapters of background with the entries at even distances, give or take; every action comes up in one or two places."""
    background = Background(voice.domain, voice.wording.nouns, rng)
    chapters: list[tuple[str, list[tuple[str, str]]]] = []
    words = 0
    while words < LONG_WORDS:
        chapters.append((background.chapter(), []))
        full = min(words + LONG_WORDS // CHAPTERS, LONG_WORDS)
        while words < full:
            chapters[-1][1].append(background.paragraph(rng.pick(entries)[0] if entries else -1, voice.marked))
            words += len(chapters[-1][1][-1][1].split())
    pieces = _pieces(entries, rng)
    count = sum([len(paragraphs) for _, paragraphs in chapters])
    spots = [_spot(i, len(pieces), count, rng) for i in range(len(pieces))]
    blocks = [voice.say(PREFACE)]
    seen: set[int] = set()
    place = 0
    for number, (heading, paragraphs) in enumerate(chapters, 1):
        blocks.append(f"# Chapter {number}: {heading}")
        after_entry = True  # so that a chapter begins with a title of its own
        for title, paragraph in paragraphs:
            blocks += voice.aside(title, paragraph, after_entry=after_entry)
            after_entry = place in spots
            for a, outcomes in [piece for piece, spot in zip(pieces, spots, strict=True) if spot == place]:
                blocks += voice.entry(a, outcomes, first=a not in seen)
                seen.add(a)
            place += 1
    return blocks


def _pieces(entries: Sequence[tuple[int, Sequence[int]]], rng: Rng) -> list[tuple[int, Sequence[int]]]:
    """The entries, about half of them in two parts that stand anywhere."""
    pieces: list[tuple[int, Sequence[int]]] = []
    for a, outcomes in entries:
        cut = rng.between(1, len(outcomes) - 1) if len(outcomes) > 1 and rng.chance(1, 2) else len(outcomes)
        pieces += [(a, part) for part in (outcomes[:cut], outcomes[cut:]) if part]
    return rng.shuffled(pieces)


def _spot(i: int, pieces: int, paragraphs: int, rng: Rng) -> int:
    """The paragraph that piece i comes after: anywhere in its own even share of the text."""
    low, high = i * paragraphs // pieces, max((i + 1) * paragraphs // pieces - 1, i * paragraphs // pieces)
    return rng.between(low, high)
