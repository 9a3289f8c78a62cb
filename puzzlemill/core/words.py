"""Words that families and deductions put sentences together with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import dataclass
from zlib import crc32

from puzzlemill.core.errors import BadRow

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)


@dataclass(frozen=True)
class Words:
    """The nouns of one puzzle in its style, for sentences about a deduction; a deducer's module says which of them it needs.

    cell, unit: a slot and a unit (a row, a column, a zone, ...) by number. value: a value as it is written. shows: what is
    written in a cell. clue: a clue by its position, as the beginning of a sentence. rule: a rule in force by its name.
    plain: what is written are the values themselves, not signs that stand for them. noun: what a value is called ("letter").
    ids: of the clues, in the order of the table. voice: which of several wordings is taken, see pick().
    """

    cell: Callable[[int], str] = str
    value: Callable[[int], str] = str
    unit: Callable[[int], str] = str
    shows: Callable[[int], str] = str
    clue: Callable[[int], str] = str
    rule: Callable[[str], str] = str
    plain: bool = True
    noun: str = "number"
    ids: Sequence[str] = ()
    voice: int = 0


def pick(voice: int, *options: str) -> str:
    """One of several wordings of the same thing: by the voice and by what is said, so that one voice does not repeat itself.

    Voice 0 takes the first of them always.
    """
    return options[crc32(f"{voice} {options[0]}".encode()) % len(options)] if voice else options[0]


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row: "a", "a and b", "a, b and c"; "" for none."""
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(text: str) -> str:
    """The text with a capital letter first."""
    return text[:1].upper() + text[1:]


def plural(count: int, one: str, many: str = "") -> str:
    """The noun as it follows this number: "1 mine", "3 mines"."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def with_article(noun: str) -> str:
    """ "a bank", "an airport"; by their sound "an hour", "a unit", "a one-eyed cat"."""
    low = noun.casefold()
    vowel = low[:1] in "aeiou" and not low.startswith(("uni", "use", "usu", "eu", "one"))
    return f"{'an' if vowel or low.startswith(('hour', 'hono', 'honest', 'heir')) else 'a'} {noun}"


def among(lines: Sequence[tuple[str, str]], asides: Sequence[tuple[int, str]], known: Container[str]) -> list[tuple[str, str]]:
    """Lines of a prompt's list, each a clue's id and its sentence, with a style's asides between them, which have no id.

    known: every remark that the puzzle's words allow. Raises BadRow for others, and for places that there are not.
    """
    found = list(lines)
    for place, aside in reversed(asides):
        if aside not in known:
            raise BadRow(f"style.asides holds no remark that goes with these names: {aside[:60]!r}")
        if not 0 <= place <= len(lines):
            raise BadRow(f"style.asides puts one after {place} of {len(lines)} clues")
        found.insert(place, ("", aside))
    return found


def many(noun: str) -> str:
    """The plural of a regular noun: "banks", "libraries", "churches"."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def places(cells: Collection[int], cols: int) -> str:
    """Cells of a grid by their rows: "row 2 columns 1 and 4, row 3 column 5"."""
    rows: dict[int, list[str]] = {}
    for cell in sorted(cells):
        rows.setdefault(cell // cols, []).append(str(cell % cols + 1))
    return listed([f"row {r + 1} column{'s' if len(there) > 1 else ''} {listed(there)}" for r, there in rows.items()])
