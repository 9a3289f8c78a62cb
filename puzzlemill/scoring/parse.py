"""Replies read as rows of tokens: tolerant of form, never of meaning.

A reply is hostile text. It is never run, only the last WINDOW characters are read, at most CANDIDATES places are tried, from the
last one backwards, and every step is linear with a budget, so that no reply takes long or goes deep.

Which answer counts: the last *complete* one (all rows, no blank), or the claim that there is no solution, whichever stands later.
Only if there is none, the last answer of the right shape with blanks. Answers in another format than the row's are not read.

What may stand around an answer: any prose, thinking, earlier drafts, code fences. What may vary in its form:
  json    an object anywhere in the text that has "answer" (a list of rows, each a list, or an object by column names where
          columns are named fields) or "solvable"; numbers as integers or strings; further keys are ignored. Where there is one
          named field, a row may be its value alone; where there is one row, it need not stand in a list
  tags    <answer>...</answer> in any case; code fences and rulers inside are skipped
  boxed   \\boxed{...} with balanced braces; rows separated by ";", a new line or "\\\\", values by spaces, "," "&" or "|";
          LaTeX text and matrix commands are skipped
  table   a run of lines with "|", or those of its last lines that all begin with "|", or none; rulers (|---|) are skipped
  An answer that is a text (Layout.text): in json a string, or a list of strings, or of one row; in the text formats any lines.
  Spaces, line breaks, commas and "|" in it are skipped, and * and ` around it.
  A grid with fixed cells (Layout.fixed), if its tokens are letters: also the text that runs through it, of which only the letters
  count, and which must have as many as there are cells to fill in. In json a string, or a list of strings. In rows, what stands
  in place of a fixed cell says nothing, but it is neither a letter nor a digit.
  Of a text in cipher (Layout.signs) only the letters count, with "_" for one that is not known (or "?", where the number of
  letters is right with it). A mapping of signs to letters may stand in its place, or beside it: in json as "mapping", an object,
  in tags between <mapping> and </mapping>; elsewhere as pairs "X = E". Where both are given, they must not differ. Signs that are
  not seen (zero-width, turned) or change others (accents by themselves) make either unreadable, as they do everywhere.
  A text whose letters also make words (Layout.words) may have punctuation between its letters, and words beside it, by their
  labels: in json as "words", an object, beside the text or in an object with "quotation"; in tags between <words> and </words>;
  in all text formats as lines or rows "A: WORD". Words fill what the text leaves open and never change it; those alone do, too.
  A header row with the columns' names is skipped where columns are named fields, and so is an empty first row above the answer;
  in the text formats so is a first row with a ruler below it that is no row of the answer, or is one too many. There, rows of a
  grid whose tokens are single characters may be written without spaces. Case does not matter, nor do * and ` around a token,
  nor which kind of dash, apostrophe or blank is in it.
  In the text formats, lines that are no answer as they stand are read once more without what lists and tables put around rows
  (lines.py): a label ("Answer:"), bullets, numbers that count the rows, before them or in a column of their own, brackets, ","
  and ";" at the end or between rows, quotes, _ $ and backslashes around a token; for named fields also the column's name before
  its token ("from A"), "->" or a tab between tokens, ":" after the first; and a column of names may stand in one line. A list
  of lists as JSON has it is read too. In all formats ">" before every line of a quotation is skipped.
What may not vary: the tokens themselves ("05", "+5", "5.0", true or a full-width digit are not 5), the number of rows and values,
one token per place. A key that stands twice in an object makes it unreadable.
Blank is "", ".", "?", "_" or null, where that is not a token.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from unicodedata import category, normalize

from puzzlemill.core.types import Column, Layout, Rows
from puzzlemill.scoring.lines import (
    AROUND,
    DRAWN,
    SPACES,
    is_dashes,
    is_fence,
    is_label,
    is_ruler,
    uncounted,
    unlisted,
    unquoted,
    with_bars,
)
from puzzlemill.scoring.prompt import NO_SOLUTION, known_format

WINDOW = 200_000  # characters of a reply that are read, from its end
CANDIDATES = 16  # answers that are tried, from the last one backwards
BLANKS = frozenset({"", ".", "?", "_"})
_WORK = WINDOW + WINDOW // 4  # characters that all candidates of one reply may cost together
_WORD = 30  # letters of a word in a column that takes any
_OPEN = str.maketrans("", "", "?._- ")
_LOOSE = 4  # answers, the last ones, that are read once more without what lists and tables put around rows
_ONE_LINE = 20_000  # characters of a line that may hold several rows
_PARTS = 3  # of a run of lines with "|" that is no answer as a whole
_BRACES = 50_000  # braces that may be matched in one reply
_PAIR = re.compile(
    r"(?<![A-Za-z0-9])([A-Za-z]|[0-9]{1,2})[\"'*`]{0,3} {0,8}(?:=>|->|\u2192|[=:|]) {0,8}[\"'*`]{0,3}([A-Za-z_?])(?![A-Za-z0-9])"
)
_NAMED = re.compile(
    r"[-*|> \t]{0,4}([A-Za-z]{1,2})[*`]{0,2} {0,8}(?:->|[=:|]) {0,8}[\"'*`]{0,2}([A-Za-z_?]{1,30})[\"'*`|., ]{0,8}"
)
_SAME = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u02bc", "------'''")  # dashes and apostrophes
_RUNNING = ".,;:!?'\"()-#|*`"  # what may stand between the letters of a text that runs through a grid
_OPENINGS = 16, 64  # "{" that are tried before one key, and before all keys of one reply together


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a reply.

    rows: the tokens as the layout spells them, "" where the reply leaves a place blank; None if no answer was read.
    blanks: how many places are blank. unsolvable: the reply claims that there is no solution.
    why: why nothing was read; "" otherwise. words: those that the reply gives by Layout.words, "" for none.
    """

    rows: Rows | None = None
    blanks: int = 0
    unsolvable: bool = False
    why: str = ""
    words: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return self.unsolvable or (self.rows is not None and self.blanks == 0)


_CLAIM = Reading(unsolvable=True)


def parse(reply: object, layout: Layout, reply_format: str, doubt: bool) -> Reading:
    """Read a reply. doubt: the prompt admits that there may be no solution; else such a claim is not understood.

    Never raises on a reply. Raises BadParams for a format that does not exist.
    """
    return read_reply(reply, grammar(layout), known_format(reply_format), doubt)


def read_reply(reply: object, rules: Grammar, reply_format: str, doubt: bool) -> Reading:
    """`parse` with the layout already prepared."""
    if not isinstance(reply, str):
        return Reading(why="the reply is not text")
    partial: Reading | None = None
    why = ""
    text = reply[-WINDOW:]
    if not text.isascii():
        text = text.replace("\n\ufeff", "\n").removeprefix("\ufeff")  # byte order marks
        text = text.translate(SPACES if rules.drawn else DRAWN | SPACES)
    beside = reply_format == "tags" and (_mapping_beside if rules.signs else _words_beside if rules.words else None)
    for reading in _FINDERS[reply_format](text, rules, doubt):
        if reading.complete:
            return beside(text, rules, reading) if beside else reading
        if reading.rows is not None:
            partial = partial or reading
        why = why or reading.why
    partial = partial or Reading(why=why or _MISSING[reply_format])
    return beside(text, rules, partial) if beside else partial


_MISSING = {
    "json": 'no JSON object with "answer"',
    "tags": "no <answer>...</answer>",
    "boxed": "no \\boxed{...} with balanced braces",
    "table": 'no lines with "|"',
}


# ---- tokens and rows ------------------------------------------------------------------------------------------------


class Grammar:
    """A layout, prepared for reading: one look-up table per column."""

    __slots__ = (
        "after",
        "after_size",
        "column_of",
        "columns",
        "dashes",
        "drawn",
        "fixed",
        "grid",
        "keyed",
        "line_limit",
        "max_rows",
        "min_rows",
        "names",
        "quoting",
        "rows_limit",
        "signs",
        "single",
        "tables",
        "text",
        "words",
    )

    def __init__(self, layout: Layout) -> None:
        self.grid, self.text, self.fixed = layout.grid, bool(layout.text), layout.fixed
        self.signs = tuple([sign.casefold() for sign in layout.signs])
        self.words = {label.casefold(): places for label, places in layout.words}
        self.after = "".join(filter(str.isalpha, layout.after)).casefold()
        self.after_size = sum(map(str.isalpha, layout.after))
        self.keyed = layout.keyed
        self.min_rows, self.max_rows = layout.min_rows, layout.max_rows
        self.columns = len(layout.columns)
        shared: dict[tuple[str, ...], dict[str, str]] = {}
        self.tables = [
            _Words() if c.words else _spelt(c) if c.also else shared.setdefault(c.tokens, _table(c.tokens))
            for c in layout.columns
        ]
        self.column_of = {_folded(c.name): i for i, c in enumerate(layout.columns)}
        tokens = [token for tokens in shared for token in tokens] + [text for c in layout.columns for text in _texts(c)]
        self.single = layout.grid and all(len(token) == 1 for token in tokens)  # rows may be written without spaces
        self.names = [_folded(c.name) for c in layout.columns]
        self.dashes = any(is_ruler(token) for token in tokens)  # a row of the answer may look like a ruler
        self.drawn = any(token.translate(DRAWN) != token for token in tokens)
        self.quoting = any(token.startswith(">") for token in tokens)
        longest = max([len(token) for token in tokens] + [len(c.name) for c in layout.columns], default=1)
        longest = max(longest, _WORD) if any(c.words for c in layout.columns) else longest
        self.line_limit = 64 + self.columns * (longest + 40)
        self.rows_limit = 2 * self.max_rows + 64  # lines of one candidate, rulers and empty ones included

    def token(self, column: int, raw: object, loose: bool = False) -> str | None:
        """The token that is meant; "" for a blank, None if it is none. loose: its column's name and quotes may stand there."""
        if raw is None:
            return ""
        if type(raw) is not str or len(raw) > self.line_limit:
            return None
        table = self.tables[column]
        text = raw.strip()
        if not text:
            return ""
        found = table.get(text) or table.get(text := text.strip("*`").strip()) or self._alike(column, text)
        if found is None and loose:
            text = text.strip(AROUND).strip()
            found = table.get(text) or self._alike(column, text)
            if found is None and self.max_rows == self.columns == 1:  # "[12]," counts no rows here
                text = text.rstrip(",").strip("[]() ")
                found = table.get(text) or self._alike(column, text)
            if found is None and not self.grid and (folded := _folded(text)).startswith(self.names[column]):
                found = table.get(folded[len(self.names[column]) :].lstrip(" :=#"))
        if found is None and (text in BLANKS or (type(table) is _Words and table.unfinished(text))):
            return ""
        return found

    def _alike(self, column: int, text: str) -> str | None:
        """The token with another spelling of the same letters."""
        folded = _folded(text)
        found = self.tables[column].get(folded)
        # a Kelvin sign folds to "k" and a long s to "s": what looks like another letter is not a spelling of an ASCII token
        if found is not None and _plain(found).isascii() != _plain(text).isascii():
            return None
        return found

    def reading(self, raws: Sequence[Sequence[object]], loose: bool = False) -> Reading:
        """Rows of values as a reading; counts must fit exactly, unless rows are named. loose: see token()."""
        raws = self._every(raws) if self.keyed else raws
        if not self.min_rows <= len(raws) <= self.max_rows:
            wanted = str(self.min_rows) if self.min_rows == self.max_rows else f"{self.min_rows} to {self.max_rows}"
            return Reading(why=f"{len(raws)} rows, expected {wanted}")
        rows: list[tuple[str, ...]] = []
        blanks = 0
        tables = self.tables
        for number, raw in enumerate(raws, 1):
            if len(raw) != self.columns:
                return Reading(why=f"row {number} has {len(raw)} values, expected {self.columns}")
            try:
                row = [table.get(cell) for table, cell in zip(tables, raw, strict=True)]  # type: ignore[call-overload]
            except TypeError:  # a list or an object in place of a value
                return Reading(why=f"row {number} holds something that is not a value")
            for column, sign in enumerate(self.fixed[number - 1] if self.fixed else ()):
                if sign and row[column] != sign and any(mark.isalnum() for mark in str(raw[column])):
                    return Reading(why=f"row {number}, value {column + 1} is {sign} and takes no letter")
            if None in row:
                for column, cell in enumerate(raw):
                    fixed = self.fixed[number - 1][column] if self.fixed else ""
                    token = row[column] = fixed or (self.token(column, cell, loose) if row[column] is None else row[column])
                    if token is None:
                        return Reading(why=f"row {number}, value {column + 1} is none of the allowed values")
                    blanks += token == ""
            rows.append(tuple(row))
        return Reading(tuple(rows), blanks)

    def _every(self, raws: Sequence[Sequence[object]]) -> Sequence[Sequence[object]]:
        """The rows with blank ones for those whose names are missing."""
        if not 0 < len(raws) < self.min_rows or any(len(raw) != self.columns for raw in raws):
            return raws
        named = {_folded(raw[0].strip("*` ")) for raw in raws if type(raw[0]) is str}
        missing = [name for name in dict.fromkeys(self.tables[0].values()) if _folded(name) not in named]
        return [*raws, *[[name, *[None] * (self.columns - 1)] for name in missing]]

    def listed(self, answer: Any) -> Reading:
        """What JSON has as the answer, as a reading."""
        if self.keyed and type(answer) is dict:
            answer = [[name, value] for name, value in answer.items()]
        if self.text and type(answer) is str:
            return self.spelled([answer])
        if self.words and type(answer) is dict:
            return self.worded(self.listed(answer.get("quotation")), answer.get("words"))
        if self.signs and type(answer) is dict:
            return self.mapped(list(answer.items()))
        single = self.columns == 1 and not self.grid  # one named field: a value is a row
        if single and type(answer) is str and self.max_rows == 1:
            answer = [answer]
        if self.fixed and (type(answer) is str or (type(answer) is list and all(type(part) is str for part in answer))):
            return self.running([answer] if type(answer) is str else answer)
        if type(answer) is not list:
            return Reading(why='"answer" is not a list of rows' + " and not a text" * self.text)
        if self.text and answer and type(answer[0]) is not list:
            if len(answer) == self.columns:
                return self.reading([answer])
            if len(answer) < self.columns and all(type(part) is str for part in answer):
                return self.spelled(answer)
        if self.max_rows == 1 and not single and len(answer) == self.columns and all(type(cell) is str for cell in answer):
            return self.reading([answer])
        raws: list[Sequence[object]] = []
        for row in answer[: self.max_rows + 2]:
            values = self.named(row) if type(row) is dict else [row] if single and type(row) is str else row
            if type(values) is not list:
                return Reading(why=f"row {len(raws) + 1} is not a row of {self.columns} values")
            raws.append(values)
        reading = self.reading(raws)
        if reading.rows is None and raws and len(raws[0]) == self.columns and all(type(cell) is str for cell in raws[0]):
            first = [str(cell) for cell in raws[0]]
            if self.heading(first, len(raws)) or (len(raws) > self.max_rows and not any(cell.strip() for cell in first)):
                return self.reading(raws[1:])
        return reading

    def named(self, row: dict[str, Any]) -> list[object] | None:
        """A row given as an object by column names; None if the names do not fit."""
        if self.grid or len(row) != self.columns:
            return None
        values: list[object] = [None] * self.columns
        seen = set()
        for name, value in row.items():
            column = self.column_of.get(_folded(name)) if len(name) <= self.line_limit else None
            if column is None or column in seen:
                return None
            seen.add(column)
            values[column] = value
        return values

    def lines(self, lines: Sequence[str], loose: bool) -> Reading:
        """Lines of text as a reading: as they stand or, if so asked, freed of what lists and tables put around rows."""
        if not self.quoting:
            lines = unquoted(lines)
        written = self._written(lines)
        if written is not None and written.complete:
            return written
        found: list[str] = []
        headed = False  # a ruler stands below the first line
        longest = self.line_limit
        if loose and not self.text:
            longest = max(longest, min(longest * self.max_rows, _ONE_LINE))
        most = max(self.max_rows, 26 * bool(self.signs), len(self.words) + 1)  # a mapping has a line for each sign
        for i, line in enumerate(lines):
            if len(found) > most + 2 or i > self.rows_limit:
                return Reading(why=f"more than {self.max_rows} rows")
            bare = line.strip()
            if not bare or is_fence(bare):
                continue
            if is_ruler(bare) and not (self.dashes and (is_dashes(bare) or self._fits(self._cells(bare)))):
                headed = headed or len(found) == 1
                continue
            if len(bare) > longest:
                return Reading(why=f"line {i + 1} of the answer is too long")
            found.append(bare)
        if self.text:
            pairs = [_NAMED.fullmatch(line) for line in found] if self.words else []
            if said := {pair[1]: pair[2] for pair in pairs if pair and pair[1].casefold() in self.words}:
                rest = [line for line, pair in zip(found, pairs, strict=True) if not pair or pair[1] not in said]
                return self.worded(self.spelled(rest), said)
            reading = self.spelled(found)
            if reading.rows is not None or len(found) < 2:
                return reading
            heading = is_label(found[0]) or (headed and self.spelled(found[:1]).rows is None)
            return self.spelled(found[1:]) if heading else reading
        reading = self.reading(self._body([self._cells(bare) for bare in found], headed))
        if reading.rows is None and found and self.fixed:
            text = self.running(found)
            reading = self.running(found[1:]) if text.rows is None and is_label(found[0]) else text
        if reading.complete or not found or not loose:
            return reading
        other = self._loose(found, headed)
        return other if other.complete or (reading.rows is None and other.rows is not None) else reading

    def _written(self, lines: Sequence[str]) -> Reading | None:
        """The list that stands there as JSON has it; None if there is none."""
        first = next((i for i, line in enumerate(lines[:8]) if line.strip() and not is_fence(line.strip())), -1)
        if first < 0 or not lines[first].lstrip().startswith("["):
            return None
        text = "\n".join([line for line in lines[first:] if not is_fence(line.strip())]).strip()
        if len(text) > self.line_limit * (self.rows_limit + 1):
            return None
        try:
            found, end = _DECODE(text)
        except (ValueError, RecursionError):
            return None
        return self.listed(found) if end == len(text) else None

    def _loose(self, lines: Sequence[str], headed: bool) -> Reading:
        """Lines of text that are no answer as they stand."""
        best = Reading()
        found: list[str] = []
        for bullets in (False, True):
            last, (found, counted) = found, unlisted(lines, bullets)
            raws: list[list[str]] = []
            for line in found:
                raws.append(self._cells(line, True))
                if len(raws) > 3 and not self._likely(raws[-1]):
                    break
            if found == last or len(raws) < len(found):
                continue
            if counted and not self.grid and self.columns > 1 and all(len(row) == self.columns - 1 for row in raws):
                return self.reading([[str(k), *row] for k, row in enumerate(raws, 1)], True)
            raws = self._body(raws, headed)
            reading = self.reading(uncounted(raws, self.columns) or raws, True)
            if not reading.complete and self.columns == 1 and not self.grid:  # a column in one line
                reading = self.reading([[cell] for row in raws for cell in row], True)
            if reading.complete:
                return reading
            best = reading if best.rows is None else best
        return best

    def _likely(self, cells: Sequence[str]) -> bool:
        """Return whether a row that is none makes it needless to look at the others."""
        if self.columns > 1 or self.grid:
            return abs(len(cells) - self.columns) < 2
        return self.token(0, cells[-1], True) is not None

    def spelled(self, parts: Sequence[str]) -> Reading:
        """A text in parts as a reading."""
        if sum([len(part) for part in parts]) > self.line_limit:
            return Reading(why="the text is too long")
        if self.signs:
            if _disguised("".join(parts)):
                return Reading(why="the text has signs that no text has")
            reading = self._lettered("\n".join(parts))
            mapped = self._paired("\n".join(parts)) if reading.rows is None else reading
            return reading if mapped.rows is None else mapped
        if self.words and not _disguised("".join(parts)):
            reading = self._lettered("\n".join(parts))
            if reading.rows is not None:
                return reading
        return self.reading([self._cells(" ".join([part.strip().strip("*`") for part in parts]))] if parts else [])

    def _lettered(self, text: str) -> Reading:
        """The letters of a text as a reading."""
        for blank in ("_", "_?"):
            letters = "".join([sign for sign in text if sign.isalpha() or sign in blank])
            if len(letters) == self.columns + self.after_size and letters[self.columns :].casefold() == self.after:
                letters = letters[: self.columns]
            if len(letters) == self.columns:
                return self.reading([["" if sign in blank else sign for sign in letters]])
        return Reading(why=f"the text has {sum(map(str.isalpha, text))} letters, expected {self.columns}")

    def _paired(self, text: str) -> Reading:
        """A text of pairs as a mapping, if there is little else in it."""
        pairs = list(_PAIR.finditer(text))
        if 2 * sum([pair.end() - pair.start() for pair in pairs]) < len(text.replace(" ", "")):
            return Reading(why="no mapping")
        return self.mapped([(pair[1], pair[2]) for pair in pairs])

    def mapped(self, pairs: Sequence[tuple[object, object]]) -> Reading:
        """What signs become as a reading; signs of no token say nothing."""
        known: dict[str, str] = {}
        for sign, letter in pairs[: 4 * len(self.signs)]:
            if not isinstance(sign, str) or not isinstance(letter, str | None):
                return Reading(why="a mapping has a letter for each sign")
            sign, letter = _small(sign.strip()), _small((letter or "").strip())
            if letter in BLANKS or sign not in self.signs:
                continue
            if known.setdefault(sign, letter) != letter:
                return Reading(why=f"the mapping gives {sign.upper()[:8]} two letters")
        if not known:
            return Reading(why="the mapping has none of the signs")
        return self.reading([[known.get(sign, "") for sign in self.signs]])

    def both(self, one: Reading, other: Reading) -> Reading:
        """A text and a mapping as one reading; without rows if they differ."""
        if one.rows is None or other.rows is None:
            return other if one.rows is None and not one.unsolvable else one
        row = [mine or its for mine, its in zip(one.rows[0], other.rows[0], strict=True)]
        if any(its not in ("", found) for found, its in zip(row, other.rows[0], strict=True)):
            return Reading(why="the text and the mapping differ")
        return self.reading([row])

    def worded(self, reading: Reading, said: object) -> Reading:
        """A text with words beside it, by label, as one reading: they fill its blanks. What is no word of it says nothing."""
        known = [(_small(label.strip()), word) for label, word in said.items()] if type(said) is dict else []
        words = {label: word.strip(AROUND).upper() for label, word in known if label in self.words and type(word) is str}
        words = {label: word for label, word in words.items() if word and len(word) <= _WORD}
        if reading.unsolvable or not words:
            return reading
        row = list(reading.rows[0]) if reading.rows else [""] * self.columns
        for label, word in words.items():
            if len(word) == len(self.words[label]):
                for place, sign in zip(self.words[label], word, strict=True):
                    row[place] = row[place] or self.tables[place].get(sign, "")
        if not any(row):
            return reading
        return Reading((tuple(row),), row.count(""), words=tuple([words.get(label, "") for label in self.words]))

    def running(self, parts: Sequence[str]) -> Reading:
        """The text that runs through a grid with fixed cells as a reading."""
        if not self.single or sum([len(part) for part in parts]) > self.line_limit * (self.max_rows + 1):
            return Reading(why="the text is too long")
        signs = "".join(parts)
        if not signs.isascii() or not all(sign.isalpha() or sign.isspace() or sign in _RUNNING for sign in signs):
            return Reading(why="the text has signs that no text has")
        letters = [sign for sign in signs if sign.isalpha()]
        wanted = sum([not sign for row in self.fixed for sign in row])
        if len(letters) != wanted:
            return Reading(why=f"{len(letters)} letters, expected {wanted}")
        rest = iter(letters)
        return self.reading([[sign or next(rest) for sign in row] for row in self.fixed])

    def _body(self, raws: list[list[str]], headed: bool) -> list[list[str]]:
        """The rows without a heading. headed: a ruler stands below the first one."""
        if len(raws) == self.max_rows + 2 and all(cell.strip() == "-" for cell in raws[1]):
            return raws[2:]  # a ruler that looks like a row of the answer
        if not raws or len(raws) - 1 < max(1, self.min_rows):
            return raws
        first, more = raws[0], len(raws) > self.max_rows
        if not any(cell.strip() for cell in first) or self.heading(first, len(raws)):
            return raws[1:]
        return raws[1:] if headed and (more or not self._fits(first)) else raws

    def _fits(self, cells: Sequence[str]) -> bool:
        """Return whether these may be the values of a row, with a number before them or without."""
        for bare in uncounted([cells], self.columns) or ():
            cells = bare
        return len(cells) == self.columns and all(self.token(column, cell, True) is not None for column, cell in enumerate(cells))

    def heading(self, cells: Sequence[str], rows: int) -> bool:
        """Return whether the first row holds the columns' names and is no part of the answer."""
        cells = cells[len(cells) == self.columns + 1 :]
        if self.grid or [self.column_of.get(_folded(cell.strip().strip("*`"))) for cell in cells] != list(range(self.columns)):
            return False
        return rows > self.max_rows or any(self.token(column, cell) is None for column, cell in enumerate(cells))

    def _cells(self, line: str, loose: bool = False) -> list[str]:
        """The values of one line; a wrong number of them is found later. loose: more may stand between them."""
        if loose and not self.grid:
            line = with_bars(line)
            first, colon, rest = line.partition(":")
            if colon and self.columns > 1 and self.token(0, first, True):
                alone = self.columns == 2 and not any(mark in rest for mark in "|&,")  # one value, maybe of several words
                return [first, rest.strip()] if alone else [first, *self._cells(rest.strip())]
        for mark in ("|", "&"):
            if mark in line:
                inner = line[line.startswith(mark) : len(line) - (len(line) > 1 and line.endswith(mark))]
                cells = inner.split(mark)
                if len(cells) - loose == self.columns or len(cells) == self.columns or not self.grid:
                    return cells
        if not self.grid and self.columns == 1 and not loose:
            return [line]
        if not self.grid and "," in line:
            return line.split(",")
        if not self.grid and self.columns == 1:
            return [line]
        parts = line.replace("|", " ").replace("&", " ").replace(",", " ").split()
        if len(parts) != self.columns and self.single:
            joined = "".join(parts)
            if len(joined) == self.columns:
                return list(joined)
        return parts


class _Words(dict[Any, str]):
    """The look-up table of a column that takes any word: itself, in capitals."""

    def get(self, text: Any, default: Any = None) -> Any:
        return text.upper() if type(text) is str and len(text) <= _WORD and text.isascii() and text.isalpha() else default

    def unfinished(self, text: str) -> bool:
        """Return whether this is a word with signs for letters that are not known."""
        rest = text.translate(_OPEN)
        return len(text) <= _WORD and text.isascii() and (not rest or rest.isalpha())


@lru_cache(maxsize=256)
def grammar(layout: Layout) -> Grammar:
    """The layout's grammar, remembered."""
    return Grammar(layout)


def _folded(text: str) -> str:
    """Equal for two spellings of one token. Long text is not a token and is left alone: normalising it could take long."""
    if not text.isascii() and len(text) > 200:
        return text
    text = " ".join(_plain(text).split())
    return text.lower() if text.isascii() else normalize("NFC", text).casefold()


def _small(text: str) -> str:
    """Equal for capital and small letters of ASCII; others, some of which fold to these, are left alone."""
    return text.lower() if text.isascii() else text


def _disguised(text: str) -> bool:
    """Return whether a text has signs beside letters, blanks, punctuation and symbols: some are not seen, or change others."""
    for sign in text:
        if not (sign.isspace() or sign.isprintable()) or (not sign.isascii() and category(sign)[0] not in "LPSZ"):
            return True
    return False


def _plain(text: str) -> str:
    """The text with one kind of dash, apostrophe and blank."""
    return text if text.isascii() else " ".join(text.translate(_SAME).split())


@lru_cache(maxsize=256)
def _table(tokens: tuple[str, ...]) -> dict[str, str]:
    """Every spelling that is looked up first, to the token. Two tokens that differ in case only keep their own spelling each."""
    folded = [_folded(token) for token in tokens]
    times = Counter(folded)
    table = {fold: token for fold, token in zip(folded, tokens, strict=True) if times[fold] == 1}
    for token in tokens:
        table[token] = token
    return table


def _texts(column: Column) -> list[str]:
    """The tokens of a column that have other spellings, with these."""
    return [text for token, also in zip(column.tokens, column.also, strict=False) for text in (token, *also)]


def _spelt(column: Column) -> dict[str, str]:
    """As _table, with other spellings of the tokens; one that could mean two of them means none."""
    meant: dict[str, set[str]] = {}
    for token, also in zip(column.tokens, column.also, strict=True):
        for text in also:
            meant.setdefault(_folded(text), set()).add(token)
    others = {text: tokens.pop() for text, tokens in meant.items() if len(tokens) == 1}
    return others | _table(column.tokens)


def _claims(text: str) -> bool:
    """Return whether this text, where an answer is expected, says that there is no solution."""
    if len(text) > 200:
        return False
    lines = [line.strip().lstrip("> ") for line in text.splitlines()]
    said = " ".join([line for line in lines if not is_fence(line) and not is_ruler(line)])
    return " ".join(said.strip(" \t\r\n*`|$\"'").split()).rstrip(".").lower() == NO_SOLUTION


# ---- json -----------------------------------------------------------------------------------------------------------

_KEY = re.compile(r'"(?:answer|solvable)"\s*:')
_MAPPED = re.compile(r'"(?:answer|solvable|mapping)"\s*:')
_WORDED = re.compile(r'"(?:answer|solvable|words)"\s*:')
_QUOTED = re.compile(r"^[ \t]{0,8}>[> ]{0,8}", re.MULTILINE)  # no line of an object begins so
_TWICE = object()  # stands for an object in which a key stands twice


def _pairs(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _TWICE


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


# Numbers stay as they are written: 5 is "5", 5.0 and 5e0 are not, and no integer is ever too long to convert.
_DECODE = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=str, parse_float=str, parse_constant=_no_constant).raw_decode


def _json(text: str, rules: Grammar, doubt: bool) -> Iterator[Reading]:
    if "\n>" in text:
        text = _QUOTED.sub("", text)
    key, names = (_MAPPED, ("answer", "solvable", "mapping")) if rules.signs else (_KEY, ("answer", "solvable"))
    if rules.words:
        key, names = _WORDED, ("answer", "solvable", "words")
    for found, _ in objects(text, key, names):
        yield _object(found, rules, doubt) if found is not None else Reading(why="a key stands twice in the JSON object")


def objects(text: str, key: re.Pattern[str], names: Sequence[str]) -> Iterator[tuple[dict[str, Any] | None, int]]:
    """JSON objects with one of these names, from the last one backwards, and where each ends; None for one with a name twice.

    key: finds such a name, as it is written.
    """
    if not text.isascii():
        text = text.translate(SPACES)  # which JSON does not take for blanks
    work = _WORK
    each, openings = _OPENINGS
    seen: set[int] = set()
    for place in reversed(deque((match.start() for match in key.finditer(text)), maxlen=CANDIDATES)):
        brace = place
        for _ in range(each):
            brace = text.rfind("{", 0, brace)
            if brace < 0 or openings <= 0 or work <= 0:
                break
            openings -= 1
            if brace in seen:
                continue
            try:
                found, end = _DECODE(text, brace)
            except json.JSONDecodeError as error:
                work -= error.pos - brace + 50
                continue
            except (ValueError, RecursionError):
                work -= WINDOW // 4
                continue
            work -= end - brace
            if end <= place:
                continue  # an object that ends before the key
            if found is _TWICE:
                seen.add(brace)
                yield None, end
                break
            if any(name in found for name in names):
                seen.add(brace)
                yield found, end
                break


def _object(found: dict[str, Any], rules: Grammar, doubt: bool) -> Reading:
    solvable = found.get("solvable", True)
    answer = found.get("answer")
    if solvable is False:
        if not doubt:
            return Reading(why='"solvable": false was not offered')
        return _CLAIM if answer is None or answer == [] else Reading(why='"solvable" is false beside an answer')
    if solvable is not True:
        return Reading(why='"solvable" is neither true nor false')
    if rules.signs and "mapping" in found:
        mapping = found["mapping"]
        mapped = rules.mapped(list(mapping.items())) if type(mapping) is dict else Reading(why='"mapping" is no object')
        return rules.both(rules.listed(answer), mapped) if "answer" in found else mapped
    if rules.words and "quotation" in found and "answer" not in found:
        return Reading(why='"quotation" stands outside of "answer"')
    if rules.words and "words" in found:
        return rules.worded(rules.listed(answer), found["words"])
    return rules.listed(answer)


# ---- tags -----------------------------------------------------------------------------------------------------------

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE | re.ASCII)
_MAPPING = re.compile(r"<(/?)mapping>", re.IGNORECASE | re.ASCII)
_WORDS = re.compile(r"<(/?)words>", re.IGNORECASE | re.ASCII)


def _tags(text: str, rules: Grammar, doubt: bool) -> Iterator[Reading]:
    for k, (start, stop, _) in enumerate(reversed(deque(tagged(text, _TAG), maxlen=CANDIDATES))):
        body = text[start:stop]
        if _claims(body):
            yield _CLAIM if doubt else Reading(why=f'"{NO_SOLUTION}" was not offered')
        else:
            yield rules.lines(body.splitlines(), k < _LOOSE)


def _mapping_beside(text: str, rules: Grammar, reading: Reading) -> Reading:
    """The reading with what the last <mapping> of the text adds to it; without rows if the two differ."""
    last = deque(tagged(text, _MAPPING), maxlen=1)
    if not last:
        return reading
    start, stop, _ = last[0]
    body = text[start:stop]
    if len(body) > rules.line_limit:
        return Reading(why="the mapping is too long")
    if _disguised(body):
        return Reading(why="the mapping has signs that no text has")
    return rules.both(reading, rules.mapped(_PAIR.findall(body)))


def _words_beside(text: str, rules: Grammar, reading: Reading) -> Reading:
    """The reading with the words of the last <words> of the text."""
    last = deque(tagged(text, _WORDS), maxlen=1)
    if not last or reading.words or last[0][1] - last[0][0] > rules.line_limit:
        return reading
    pairs = [_NAMED.fullmatch(line.strip()) for line in re.split(r"[\n,;]", text[last[0][0] : last[0][1]])]
    return rules.worded(reading, {pair[1]: pair[2] for pair in pairs if pair})


def tagged(text: str, tag: re.Pattern[str]) -> Iterator[tuple[int, int, int]]:
    """Find where texts between an opening tag and the next closing one begin and stop, and where the closing tag ends."""
    opened = -1
    for found in tag.finditer(text):
        if not found[1]:
            opened = found.end()
        elif opened >= 0:
            yield opened, found.start(), found.end()
            opened = -1


# ---- boxed ----------------------------------------------------------------------------------------------------------

_BOX = re.compile(r"\\boxed[ \t]{0,8}\{")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_WRAPPED = re.compile(r"\\(?:text|textbf|texttt|mathrm|mathbf|mathtt|mbox)\{([^{}]*+)\}")
_MATRIX = re.compile(
    r"\\(?:begin|end)\{[a-z]{1,12}\*?\}(?:\{[lcr| ]{0,3000}\})?|\\(?:left|right)[\[\]().|]|\\hline|\\q?quad|\\[,;:! ]"
)
_ESCAPED = re.compile(r"\\([#_%&$])")


def _boxed(text: str, rules: Grammar, doubt: bool) -> Iterator[Reading]:
    for k, (body, _) in enumerate(boxes(text)):
        if _claims(body):
            yield _CLAIM if doubt else Reading(why=f'"{NO_SOLUTION}" was not offered')
        elif body.count(";") + body.count("\n") > rules.rows_limit and not body.lstrip().startswith("["):
            yield Reading(why=f"more than {rules.max_rows} rows")
        else:
            yield rules.lines(body.replace(";", "\n").split("\n"), k < _LOOSE)


def boxes(text: str) -> Iterator[tuple[str, int]]:
    """Contents of boxes with balanced braces, freed of LaTeX's commands, from the last one backwards, and where each ends."""
    work, braces = _WORK, _BRACES
    for start in reversed(deque((match.end() for match in _BOX.finditer(text)), maxlen=CANDIDATES)):
        depth, end = 1, -1
        for brace in _BRACE.finditer(text, start):
            braces -= 1
            if brace[0] == "{":
                depth += 1
            elif brace[0] == "}":
                depth -= 1
            if depth == 0:
                end = brace.start()
            if depth == 0 or braces <= 0:
                break
        work -= (len(text) if end < 0 else end) - start
        if braces <= 0 or work < 0:
            return
        if end < 0:
            continue
        body = text[start:end]
        if "\\" in body:
            for _ in range(2):  # \\text{\\textbf{...}}
                body = _WRAPPED.sub(r"\1", body)
            body = _ESCAPED.sub(r"\1", _MATRIX.sub(" ", body.replace("\\\\", "\n")))
        yield body, end + 1


# ---- table ----------------------------------------------------------------------------------------------------------


def _table_runs(text: str, rules: Grammar, doubt: bool) -> Iterator[Reading]:
    lines = text.splitlines()
    end = len(lines)
    for k in range(CANDIDATES):
        while end and "|" not in lines[end - 1]:
            end -= 1
        start = end
        # a ruler without "|" (------+------) inside a run belongs to it
        while start and ("|" in lines[start - 1] or (start > 1 and "|" in lines[start - 2] and _ruler(lines[start - 1]))):
            start -= 1
        if start == end:
            return
        run = lines[start:end]
        end = start
        if len(run) <= 3 and _claims("\n".join(run)):
            yield _CLAIM if doubt else Reading(why=f'"{NO_SOLUTION}" was not offered')
        else:
            reading = rules.lines(run, k < _LOOSE)
            yield reading
            if not reading.complete and k < _LOOSE:
                yield from _parts(run, rules, doubt)


def _parts(run: list[str], rules: Grammar, doubt: bool) -> Iterator[Reading]:
    """Readings of the last lines of a run that all begin with "|", or none: other lines with "|" may stand next to a table."""
    outer = [line.lstrip("> \t").startswith("|") for line in run]
    end = len(run)
    for _ in range(_PARTS):
        start = end
        while start and outer[start - 1] == outer[end - 1]:
            start -= 1
        if end - start == len(run) or not end:
            return
        if end - start <= 3 and _claims("\n".join(run[start:end])):
            yield _CLAIM if doubt else Reading(why=f'"{NO_SOLUTION}" was not offered')
        else:
            yield rules.lines(run[start:end], True)
        end = start


def _ruler(line: str) -> bool:
    return "--" in line and not line.strip("-+=: \t>")


_FINDERS = {"json": _json, "tags": _tags, "boxed": _boxed, "table": _table_runs}
