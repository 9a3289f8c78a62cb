"""Boards of LR2Bench's six tasks that were made elsewhere, as JSON: read, checked, and what a reply to one fills.

docs/lr2bench.md describes the form. A board has its *subtasks* by name (Appendix D of 2502.17848): words of a crossword, cells of
an acrostic, of a logic puzzle, of a sudoku and of a drop quote, letters of a cryptogram. An answer is a map from them to texts.
keeps() judges a full answer by what the board states, and where that is not all (clues in free words) by the answer that came
with it:
  sudoku      rows, columns, boxes and the digits that are shown
  cryptogram  no two letters stand for one, shown letters, and every word in the lexicon or in the board's answer
  drop_quote  each column's letters, and every word in the lexicon or in the board's answer
  crossword   each word among the board's candidates for its clue, if it has such, else its answer's; words cross
  logic_grid, acrostic    the board's answer alone
Files are hostile: sizes are bounded, everything is a list, an object or a text, and a BadRow says where it is not.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import isqrt
from typing import Any, ClassVar, NoReturn
from unicodedata import combining, normalize

from puzzlemill.analysis.loose import Pairs, Value, tagged, value, values
from puzzlemill.core.errors import BadRow
from puzzlemill.core.text import printable
from puzzlemill.vocabulary import lexicon

MOST_SIDE, MOST_CELLS, MOST_TEXT = 40, 1_000, 4_000
SIZES = (4, 9, 16, 25)  # of a sudoku
BLANKS = frozenset({"", "0", ".", "?", "_", "-", "NONE", "NULL"})
BLOCK = "#"
Answer = dict[str, str]
_LABEL = re.compile(r"(\d{1,3})\s*[-_ ]?\s*(a(?:cross)?|d(?:own)?)", re.IGNORECASE)
_CLUE_LINE = re.compile(r"^\W{0,4}(\d{1,3}\s*[- ]?\s*(?:across|down))\W{1,6}([a-z ]{1,60})", re.IGNORECASE | re.MULTILINE)


def letters(text: str) -> str:
    """A text in capital letters A to Z: accents are dropped, and so is all else."""
    return "".join([sign for sign in _bare(text).upper() if "A" <= sign <= "Z"])


def _bare(text: str) -> str:
    return "".join([sign for sign in normalize("NFKD", text) if not combining(sign)])


def named(text: str) -> str:
    """A name as names are compared: without accents, case and blanks at the ends."""
    return " ".join(_bare(text).casefold().split())


class Board(ABC):
    """task: a family's name. name: its id. level: as its file calls it. subtasks: by name. gold: the answer that came with it."""

    task: ClassVar[str]
    other: ClassVar[tuple[str, ...]] = ()  # further names of the task
    subtasks: tuple[str, ...]
    gold: Answer

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.name = _text(raw, "id", 80)
        self.level = _text(raw, "level", 40, "-")
        self.state(raw)
        missing = [part for part in self.subtasks if not self.gold.get(part)]
        if not self.subtasks:
            _bad("the board", "has nothing to fill in")
        if missing:
            _bad("answer", f"lacks {missing[0]}" + (f" and {len(missing) - 1} more" if missing[1:] else ""))
        if not self.keeps(self.gold):
            _bad("answer", "does not keep what the board states")

    @abstractmethod
    def state(self, raw: Mapping[str, Any]) -> None:
        """Read the board, its subtasks and its answer."""

    @abstractmethod
    def read(self, found: Value) -> Answer:
        """The subtasks that a value of a reply fills; {} if it has another form."""

    @abstractmethod
    def keeps(self, answer: Answer) -> bool:
        """Return whether an answer that fills all subtasks is right."""

    def told(self, reply: str) -> Answer:
        """The subtasks that a reply fills: by the last answer in tags that can be read, else by the last in any place."""
        for text in tagged(reply, "answer"):
            plain = re.sub(r"```[a-z]{0,20}", " ", text)
            for one in (value(plain.strip()), self.plain(plain)):
                if one is not None and (filled := self.read(one)):
                    return filled
        for one in values(reply):
            if filled := self.read(one):
                return filled
        return {}

    def plain(self, _: str) -> Value | None:
        """An answer in tags that is no JSON, as JSON would have it; None if it is none."""
        return None

    def right(self, answer: Answer) -> int:
        """The number of subtasks that hold the board's own answer."""
        return sum([answer.get(part) == self.gold[part] for part in self.subtasks])

    def facts(self) -> str:
        """A few words for people, besides the number of subtasks."""
        return ""


def _bad(where: str, problem: str) -> NoReturn:
    raise BadRow(f"{where}: {problem}") from None


def _text(raw: Mapping[str, Any], name: str, most: int, absent: str | None = None) -> str:
    found = raw.get(name, absent)
    if type(found) is int and name == "id":
        found = str(found)
    if type(found) is not str or not found.strip() or len(found) > most:
        got = "nothing" if found is None else "no text" if type(found) is not str else f"{len(found)} characters"
        _bad(name, f"expected a text of 1 to {most} characters, got {got}")
    return printable(found)


def _cells(found: object, where: str) -> list[list[str]]:
    """A grid of texts whose rows are as long as each other; rows that are texts are read sign by sign."""
    if type(found) is not list or not 0 < len(found) <= MOST_SIDE:
        _bad(where, f"expected a list of 1 to {MOST_SIDE} rows")
    rows = []
    for number, row in enumerate(found, 1):
        cells = list(row) if type(row) in (str, list) else []
        if not 0 < len(cells) <= MOST_SIDE or not all(type(cell) in (str, int) and len(str(cell)) <= 40 for cell in cells):
            _bad(where, f"row {number}: expected 1 to {MOST_SIDE} short texts or numbers")
        rows.append([str(cell).strip() for cell in cells])
    if len({len(row) for row in rows}) > 1:
        _bad(where, f"rows of different lengths ({', '.join(map(str, sorted({len(row) for row in rows})))})")
    return rows


def _grid(found: Value, rows: int, cols: int) -> list[list[str]]:
    """A grid of a reply; [] if it has another size."""
    if not isinstance(found, list) or isinstance(found, Pairs):
        return []
    lines = [list(row) if isinstance(row, str) and len(row) == cols else row for row in found]
    if len(lines) != rows or not all(isinstance(row, list) and not isinstance(row, Pairs) and len(row) == cols for row in lines):
        return []
    return [[cell.strip() if isinstance(cell, str) else "" for cell in row] for row in lines]


def _lines(text: str) -> Value:
    """Lines of tokens as a list of lists; a line without blanks is read sign by sign."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    return [list(words[0]) if len(words) == 1 else list[Value](words) for words in lines[: MOST_SIDE + 1]]


def _object(raw: Mapping[str, Any], name: str, most: int = MOST_CELLS) -> dict[str, Any]:
    found = raw.get(name)
    if type(found) is not dict or not 0 < len(found) <= most or any(len(key) > 80 for key in found):
        _bad(name, f"expected an object with 1 to {most} entries")
    return found


# ---- the six tasks --------------------------------------------------------------------------------------------------


class Sudoku(Board):
    """{"grid": [[0, 3, ...], ...], "answer": [[2, 3, ...], ...]}; 0 is an open cell."""

    task = "sudoku"

    def state(self, raw: Mapping[str, Any]) -> None:
        self.grid = _cells(raw.get("grid"), "grid")
        self.n = len(self.grid)
        if self.n not in SIZES or len(self.grid[0]) != self.n:
            _bad("grid", f"expected {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]} rows of as many cells")
        self.digits = frozenset(map(str, range(1, self.n + 1)))
        for r, row in enumerate(self.grid, 1):
            for c, cell in enumerate(row, 1):
                if cell not in self.digits and cell.upper() not in BLANKS:
                    _bad("grid", f"row {r}, cell {c}: expected 0 to {self.n}, got {printable(cell)!r}")
        self.open = [(r, c) for r in range(self.n) for c in range(self.n) if self.grid[r][c] not in self.digits]
        self.subtasks = tuple([self._part(r, c) for r, c in self.open])
        answer = _cells(raw.get("answer"), "answer")
        self.gold = self.read(list[Value]([list[Value](row) for row in answer]))

    @staticmethod
    def _part(r: int, c: int) -> str:
        return f"r{r + 1}c{c + 1}"

    def read(self, found: Value) -> Answer:
        grid = _grid(found, self.n, self.n)
        if any(grid[r][c] not in (self.grid[r][c], *BLANKS) for r, c in self._shown if grid):
            return {}  # of another board
        return {self._part(r, c): grid[r][c] for r, c in self.open if grid and grid[r][c] in self.digits}

    @cached_property
    def _shown(self) -> list[tuple[int, int]]:
        return [(r, c) for r in range(self.n) for c in range(self.n) if self.grid[r][c] in self.digits]

    def plain(self, text: str) -> Value | None:
        return _lines(text)

    def keeps(self, answer: Answer) -> bool:
        cell = {(r, c): answer.get(self._part(r, c), self.grid[r][c]) for r in range(self.n) for c in range(self.n)}
        box, across = isqrt(self.n), range(self.n)
        units = [[(r, c) for c in across] for r in across] + [[(r, c) for r in across] for c in across]
        units += [[(k // box * box + i // box, k % box * box + i % box) for i in across] for k in across]
        return all({cell[at] for at in unit} == self.digits for unit in units)

    def text(self) -> str:
        """The board in the text form of the family, for engines."""
        return "sudoku\n" + "\n".join(" ".join(cell if cell in self.digits else "." for cell in row) for row in self.grid) + "\n"


class LogicGrid(Board):
    """{"variables": {"names": [...], ...}, "clues": [...], "answer": [{"names": ..., ...}, ...]}."""

    task = "logic_grid"
    other = ("logic_puzzle", "logic puzzle")

    def state(self, raw: Mapping[str, Any]) -> None:
        self.items: dict[str, dict[str, str]] = {}  # category: how an item is compared -> the item
        for category, items in _object(raw, "variables", 10).items():
            if type(items) is not list or not 2 <= len(items) <= MOST_SIDE or not all(type(item) is str for item in items):
                _bad("variables", f"{printable(category)}: expected a list of 2 to {MOST_SIDE} texts")
            self.items[named(category)] = {named(item): item for item in items}
            if len(self.items[named(category)]) < len(items):
                _bad("variables", f"{printable(category)}: an item stands twice")
        counts = {len(items) for items in self.items.values()}
        if len(self.items) < 2 or len(counts) > 1:
            _bad("variables", "expected two categories or more, each with as many items")
        self.key, *self.others = self.items
        self.subtasks = tuple([f"{name}: {other}" for name in self.items[self.key] for other in self.others])
        answer = raw.get("answer")
        if type(answer) is not list or not all(type(row) is dict for row in answer) or len(answer) > MOST_SIDE:
            _bad("answer", "expected a list of objects, one for each item of the first category")
        self.gold = self.read(list[Value]([Pairs([(str(name), str(item)) for name, item in row.items()]) for row in answer]))

    def read(self, found: Value) -> Answer:
        if not isinstance(found, list) or isinstance(found, Pairs):
            return {}
        filled: Answer = {}
        twice = set[str]()
        for row in found:
            if not isinstance(row, Pairs):
                return {}
            said = {named(name): named(item) for name, item in row if isinstance(item, str)}
            entity = said.get(self.key, "")
            for other in self.others if entity in self.items[self.key] else ():
                part = f"{entity}: {other}"
                if said.get(other, "") in self.items[other]:
                    twice.update([part] if part in filled else [])
                    filled[part] = said[other]
        return {part: item for part, item in filled.items() if part not in twice}

    def keeps(self, answer: Answer) -> bool:
        for other in self.others:
            if len({answer[f"{name}: {other}"] for name in self.items[self.key]}) < len(self.items[self.key]):
                return False
        return self.right(answer) == len(self.subtasks)


class Cryptogram(Board):
    """{"cryptogram": "VOBB XSDO ...", "answer": "Well done ...", "shown": {"V": "W"}}; what is shown may be left out."""

    task = "cryptogram"

    def state(self, raw: Mapping[str, Any]) -> None:
        self.cipher = _bare(_text(raw, "cryptogram", MOST_TEXT)).upper()
        shown = raw.get("shown", {})
        pairs = [(letters(key), letters(str(to)[:9])) for key, to in shown.items()] if type(shown) is dict else [("", "")]
        if any(len(key) != 1 or len(to) != 1 for key, to in pairs):
            _bad("shown", "expected an object of letters and the letters that they stand for")
        self.shown = dict(pairs)
        self.subtasks = tuple([sign for sign in dict.fromkeys(letters(self.cipher)) if sign not in self.shown])
        self.words: frozenset[str] = frozenset()
        answer = _text(raw, "answer", MOST_TEXT)
        self.gold = self._aligned(answer)
        plain = "".join([{**self.shown, **self.gold}.get(sign, "") for sign in letters(self.cipher)])
        if letters(answer)[: len(letters(self.cipher))] != plain:
            told = (
                "is not the cryptogram with every letter replaced by always the same one; leave the author out of the cryptogram"
            )
            _bad("answer", told)
        self.words = frozenset(self._words(self.gold))

    def _aligned(self, text: str) -> Answer:
        """The letters of the cipher against those of a text, which may go on with an author; {} if too short."""
        hidden, plain = letters(self.cipher), letters(text)
        if len(plain) < len(hidden):
            return {}
        pairs = list(dict.fromkeys(zip(hidden, plain, strict=False)))
        counts = Counter([cipher for cipher, _ in pairs])
        return {cipher: to for cipher, to in pairs if counts[cipher] == 1 and cipher in self.subtasks}

    def _words(self, answer: Answer) -> list[str]:
        table = str.maketrans({**self.shown, **answer})
        return re.findall("[A-Z]+", self.cipher.translate(table))

    def told(self, reply: str) -> Answer:
        for text in tagged(reply, "mapping"):
            one = value("{" + text.strip().strip("{} \n,") + "}")
            if one is not None and (filled := self.read(one)):
                return filled
        for text in tagged(reply, "answer"):
            if filled := self._aligned(text):
                return filled
        return super().told(reply)

    def read(self, found: Value) -> Answer:
        said: dict[str, set[str]] = {}
        for key, to in found if isinstance(found, Pairs) else ():
            if isinstance(to, str) and letters(key) == key.strip().upper() in self.subtasks and len(letters(to)) == 1:
                said.setdefault(letters(key), set()).add(letters(to))
        return {key: min(to) for key, to in said.items() if len(to) == 1}  # a letter that stands for two stands for none

    def keeps(self, answer: Answer) -> bool:
        if len({*answer.values(), *self.shown.values()}) < len({**self.shown, **answer}):
            return False
        return all(word in self.words or lexicon.word(word.lower()) for word in self._words(answer)) if self.words else True

    def facts(self) -> str:
        return _outside(self.words)


class Crossword(Board):
    """{"grid": [["#", "1", "2", ...], ...], "clues": {"1-Across": "...", ...}, "answer": {"1-Across": "AVA", ...}}.

    "#" is a block, a number begins a word, "?" is another cell. "candidates": {"1-Across": ["AVA", ...]} may be left out.
    """

    task = "crossword"

    def state(self, raw: Mapping[str, Any]) -> None:
        self.grid = _cells(raw.get("grid"), "grid")
        self.places: dict[str, list[tuple[int, int]]] = {}
        for r, row in enumerate(self.grid):
            for c, cell in enumerate(row):
                if cell.isdecimal() and cell.isascii():
                    for way, dr, dc in (("Across", 0, 1), ("Down", 1, 0)):
                        if not self._open(r - dr, c - dc) and self._open(r + dr, c + dc):
                            self._place(f"{int(cell)}-{way}", r, c, dr, dc)
                elif cell not in (BLOCK, "?"):
                    _bad("grid", f'row {r + 1}, cell {c + 1}: expected "#", "?" or a number, got {printable(cell)!r}')
        for name in ("clues", "answer"):
            there = {_label(key): text for key, text in _object(raw, name).items()}
            if set(there) != set(self.places):
                odd = sorted(set(there) ^ set(self.places))[0] or "a label that is none"
                _bad(name, f"expected an entry for each word of the grid; {odd} is {'not one' if odd in there else 'missing'}")
        self.subtasks = tuple(self.places)
        self.gold = {_label(key): letters(str(word)) for key, word in raw["answer"].items()}
        self.candidates = {part: {word} for part, word in self.gold.items()}
        for key, words in (_object(raw, "candidates") if "candidates" in raw else {}).items():
            if _label(key) not in self.places or type(words) is not list or len(words) > MOST_CELLS:
                _bad("candidates", f"{printable(key)}: expected a word of the grid with a list of at most {MOST_CELLS} words")
            given = [letters(str(word)[:MOST_SIDE]) for word in words]
            self.candidates[_label(key)].update([word for word in given if len(word) == len(self.places[_label(key)])])
        for part, word in self.gold.items():
            if len(word) != len(self.places[part]):
                _bad("answer", f"{part}: {len(word)} letters for {len(self.places[part])} cells")

    def _open(self, r: int, c: int) -> bool:
        return 0 <= r < len(self.grid) and 0 <= c < len(self.grid[0]) and self.grid[r][c] != BLOCK

    def _place(self, label: str, r: int, c: int, dr: int, dc: int) -> None:
        if label in self.places:
            _bad("grid", f"{label} begins in two cells")
        self.places[label] = []
        while self._open(r, c):
            self.places[label].append((r, c))
            r, c = r + dr, c + dc

    def read(self, found: Value) -> Answer:
        pairs = found if isinstance(found, Pairs) else ()
        said = [(_label(key), letters(word)) for key, word in pairs if isinstance(word, str)]
        often = Counter([label for label, _ in dict.fromkeys(said)])
        return {label: word for label, word in said if label in self.places and word and often[label] == 1}

    def plain(self, text: str) -> Value | None:
        return Pairs([(label, word) for label, word in _CLUE_LINE.findall(text)][:MOST_CELLS])

    def keeps(self, answer: Answer) -> bool:
        cells: dict[tuple[int, int], str] = {}
        for part, place in self.places.items():
            if answer[part] not in self.candidates[part]:
                return False
            if any(cells.setdefault(at, sign) != sign for at, sign in zip(place, answer[part], strict=True)):
                return False
        return True


def _label(text: str) -> str:
    """ "1-Across" of "1-across", "1 A" or "1A"; "" if it is no label."""
    found = _LABEL.fullmatch(text.strip())
    return f"{int(found[1])}-{'Across' if found[2][0] in 'aA' else 'Down'}" if found else ""


class Acrostic(Board):
    """{"grid": ["1", "2", "#", "3", ",", ...], "clues": {"A": {"cells": [3, 1], "clue": "..."}}, "answer": "..."}.

    The grid may have rows, too. "#" is a blank between words, a number a cell, all else a sign of the quotation. The answer is
    the quotation, or an object of numbers and letters.
    """

    task = "acrostic"

    def state(self, raw: Mapping[str, Any]) -> None:
        grid = raw.get("grid")
        flat = [cell for row in grid for cell in (row if type(row) is list else [row])] if type(grid) is list else []
        if not flat or not all(type(cell) in (str, int) for cell in flat) or len(flat) > 4 * MOST_CELLS:
            _bad("grid", f"expected a list, or a list of rows, of at most {4 * MOST_CELLS} numbers and signs")
        numbers = [str(int(cell)) for cell in map(str, flat) if cell.isascii() and cell.isdecimal() and len(cell) < 6]
        if len(set(numbers)) < len(numbers) or len(numbers) > MOST_CELLS:
            _bad("grid", f"expected at most {MOST_CELLS} cells, each number once")
        self.subtasks = tuple(numbers)
        self.entries: dict[str, list[str]] = {}
        for name, clue in _object(raw, "clues", 100).items():
            cells = clue.get("cells") if type(clue) is dict else None
            if type(cells) is not list or not all(type(cell) in (int, str) for cell in cells):
                _bad("clues", f'{printable(name)}: expected {{"cells": [numbers], "clue": text}}')
            self.entries[name] = [str(cell).strip() for cell in cells]
        used = Counter([cell for cells in self.entries.values() for cell in cells])
        odd = [cell for cell in (*used, *numbers) if used[cell] != 1 or cell not in set(numbers)]
        if odd:
            _bad("clues", f"expected each number of the grid in one clue, once; {printable(odd[0][:20])} is not")
        answer = raw.get("answer")
        if type(answer) is str:
            plain = letters(answer[: 4 * MOST_CELLS])
            if len(plain) < len(numbers):
                _bad("answer", f"{len(plain)} letters for {len(numbers)} cells")
            self.gold = dict(zip(numbers, plain, strict=False))
        else:
            self.gold = self.read(Pairs([(str(key), str(sign)) for key, sign in _object(raw, "answer").items()]))

    def read(self, found: Value) -> Answer:
        said: dict[str, set[str]] = {}
        for key, to in found if isinstance(found, Pairs) else ():
            if isinstance(to, str) and key.strip() in self._cells_of and len(letters(to)) == 1:
                said.setdefault(key.strip(), set()).add(letters(to))
        return {key: min(to) for key, to in said.items() if len(to) == 1}

    @cached_property
    def _cells_of(self) -> frozenset[str]:
        return frozenset(self.subtasks)

    def keeps(self, answer: Answer) -> bool:
        return self.right(answer) == len(self.subtasks)


class DropQuote(Board):
    """{"grid": [["1", "2", "#", ...], ...], "columns": {"1": "IT", ...}, "answer": [["I", ...], ...] or the quotation}.

    A number is a cell for a letter of its column, "#" a blank between words, a letter is shown, and all else a sign.
    """

    task = "drop_quote"
    other = ("drop quote", "dropquote")

    def state(self, raw: Mapping[str, Any]) -> None:
        self.grid = _cells(raw.get("grid"), "grid")
        self.open = [(r, c) for r, row in enumerate(self.grid) for c, cell in enumerate(row) if cell == str(c + 1)]
        self.subtasks = tuple([f"r{r + 1}c{c + 1}" for r, c in self.open])
        self.columns: dict[int, Counter[str]] = {}
        for name, found in _object(raw, "columns", MOST_SIDE).items():
            number = name.strip().lower().removeprefix("column").strip()
            if not (type(found) is str or (type(found) is list and all(type(sign) is str for sign in found))):
                _bad("columns", f"{printable(name[:20])}: expected its letters as a text or a list")
            said = letters("".join(found)[:MOST_TEXT])
            if not number.isascii() or not number.isdecimal() or not 1 <= int(number[:4]) <= len(self.grid[0]):
                _bad("columns", f"expected numbers of columns, got {printable(name)!r}")
            self.columns[int(number) - 1] = Counter(said)
        for c in range(len(self.grid[0])):
            cells, given = sum([at[1] == c for at in self.open]), self.columns.get(c, Counter()).total()
            if cells != given:
                _bad("columns", f"column {c + 1}: {given} letters for {cells} cells")
        self.words: frozenset[str] = frozenset()
        answer = raw.get("answer")
        if type(answer) is str:
            plain = letters(answer[:MOST_TEXT])
            every = [(r, c) for r, row in enumerate(self.grid) for c in range(len(row)) if (r, c) in self.open or letters(row[c])]
            self.gold = {f"r{r + 1}c{c + 1}": sign for (r, c), sign in zip(every, plain, strict=False) if (r, c) in self.open}
        else:
            self.gold = self.read(list[Value]([list[Value](row) for row in _cells(answer, "answer")]))
        self.words = frozenset(self._words(self.gold))

    def read(self, found: Value) -> Answer:
        grid = _grid(found, len(self.grid), len(self.grid[0]))
        said = {f"r{r + 1}c{c + 1}": letters(grid[r][c]) for r, c in self.open if grid}
        return {part: sign for part, sign in said.items() if len(sign) == 1}

    def plain(self, text: str) -> Value | None:
        return _lines(text)

    def _words(self, answer: Answer) -> list[str]:
        signs = [answer.get(f"r{r + 1}c{c + 1}", cell.upper()) for r, row in enumerate(self.grid) for c, cell in enumerate(row)]
        return "".join([sign if len(sign) == 1 and "A" <= sign <= "Z" else "" if sign == "'" else " " for sign in signs]).split()

    def keeps(self, answer: Answer) -> bool:
        for c, wanted in self.columns.items():
            if Counter([answer[f"r{r + 1}c{c + 1}"] for r, col in self.open if col == c]) != wanted:
                return False
        return all(word in self.words or lexicon.word(word.lower()) for word in self._words(answer)) if self.words else True

    def facts(self) -> str:
        return _outside(self.words)


def _outside(words: Sequence[str] | frozenset[str]) -> str:
    """The words of an answer that the lexicon does not have."""
    odd = sorted([word for word in words if not lexicon.word(word.lower())])
    return f"not in the lexicon: {', '.join(odd[:8])}{' ...' if odd[8:] else ''}" if odd else ""


BOARDS: Mapping[str, type[Board]] = {
    name: board
    for board in (Sudoku, LogicGrid, Cryptogram, Crossword, Acrostic, DropQuote)
    for name in (board.task, *board.other)
}


def board_of(raw: object) -> Board:
    """The board that an object of a file is. Raises BadRow, which says where it is none."""
    if type(raw) is not dict:
        _bad("the board", f"expected an object, got {type(raw).__name__}")
    task = raw.get("task")
    kind = BOARDS.get(task.strip().lower()) if type(task) is str else None
    if kind is None:
        known = ", ".join([each.task for each in dict.fromkeys(BOARDS.values())])
        _bad("task", f"expected one of {known}, got {printable(repr(task)[:40])}")
    return kind(raw)


def is_board(raw: object) -> bool:
    """Return whether an object names a task, as boards from elsewhere do and our puzzles and rows do not."""
    return type(raw) is dict and "task" in raw and "family" not in raw
