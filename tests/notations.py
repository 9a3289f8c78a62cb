"""Boards read back from prompts, in whatever notation they are: written apart from what writes them."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from tales import told_in

from puzzlemill.core.types import AnyPuzzle

_TOLD = ("zebra", "logic_grid", "ordering", "seating", "blood_relations", "navigation", "hanoi", "crypto", "cryptogram", "kumo")
Shown = dict[Any, Any]  # cell (row, column) -> text; of kakurasu also ("row", 1) -> sum


def shown_in(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    """The notation and what it shows; blank cells are left out. Raises AssertionError where no board is found."""
    params = puzzle.spec.params
    if puzzle.family in _TOLD:
        return told_in(text, puzzle)
    if puzzle.family == "number_series":
        return _series(text)
    if puzzle.family == "coding":
        return _codes(text, puzzle)
    if puzzle.family == "acrostic":
        return _acrostic(text)
    rows, cols = getattr(params, "rows", 0) or params.size, getattr(params, "cols", 0) or params.size
    dot = (
        "#" if puzzle.family == "minesweeper" else "?" if puzzle.family == "crossword" else "."
    )  # for blank cells, in the canonical voice
    if puzzle.family == "kakurasu":
        return _sums(text, rows, cols)
    if puzzle.family == "skyscraper":
        return _hints(text, rows)
    if puzzle.family == "drop_quote":
        return _drops(text, rows, cols)
    if not puzzle.spec.rule("zones"):
        return _grid(text, rows, cols, dot)
    # a map stands before the grid
    lines = [line.split() for line in text.split("\n")]
    top = next(at for at in range(len(lines)) if all(len(line) == cols for line in lines[at : at + rows]) and lines[at])
    zones = {("zone", r, c): name for r, line in enumerate(lines[top : top + rows]) for c, name in enumerate(line)}
    way, found = _grid("\n".join(text.split("\n")[top + rows :]), rows, cols, dot)
    return way, found | zones


def _acrostic(text: str) -> tuple[str, Shown]:
    """The cells of an acrostic's quotation by word, as numbers in reading order, and the cells of each clued word."""
    lines = text.split("\n")
    blanks = [line for line in lines if re.fullmatch(r"[_ .,;:!?'\"()0-9-]+", line) and "_" in line]
    rows = [line for line in lines if re.fullmatch(r"[\d \[\]#.,;:!?'\"()-]+", line) and re.search(r"\d", line)]
    if blanks:
        counts = [len(run) for run in re.findall("_+", blanks[0])]
        way, words = "blanks", [[str(sum(counts[:k]) + i + 1) for i in range(count)] for k, count in enumerate(counts)]
    else:
        way = "brackets" if "[" in rows[0] else "paper"
        joined = " ".join(rows)
        parts = re.findall(r"\[([\d ]+)\]", joined) if way == "brackets" else re.split("#", joined)
        words = [re.findall(r"\d+", part) for part in parts]
    shown: Shown = {(k, i): number for k, word in enumerate(words) for i, number in enumerate(word)}
    told = [
        found for line in lines if (found := re.match(r"(?:Word )?([A-Z]{1,2})([.:) ]| -)(.*?)((?:\d+ )+\d+)(?![\d ]*\d)", line))
    ]
    shown |= {found[1]: found[4] for found in told}
    return f"{way} {told[0][2]}", shown


def _series(text: str) -> tuple[str, Shown]:
    """The line, or the lines, of numbers."""
    lines = text.split("\n")
    listed = [line.partition(". ")[2] for line in lines if re.fullmatch(r"\d+\. (?:\d+|\?)", line)]
    if listed:
        return "numbered", dict(enumerate(listed))
    line = next(line for line in lines if re.fullmatch(r"[\d?\[][\d?\"\], |;]+", line))
    if line.startswith("["):
        return "json", dict(enumerate(map(str, json.loads(line))))
    between = {", ": "commas", " | ": "bars", "; ": "semicolons", "  ": "blanks"}
    mark = next(mark for mark in between if mark in line)
    return between[mark], dict(enumerate(line.split(mark)))


def _codes(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    """Words or sentences with their codes by their order, or letters with their signs."""
    if puzzle.spec.params.task == "conditions":
        if rows := re.findall(r"^\| ([A-Z0-9](?: \| [A-Z0-9])+) \|$", text, re.M):
            return "table", dict(zip(*[row.split(" | ") for row in rows], strict=True))
        if rows := re.findall(r"^(?:Letter|Digit): +(.*)$", text, re.M):
            return "lines", dict(zip(*[row.split() for row in rows], strict=True))
        arrows = dict(re.findall(r"^([A-Z]) -> (\d)$", text, re.M))
        return ("arrows", arrows) if arrows else ("list", dict(re.findall(r"\b([A-Z]) = (\d)\b", text)))
    word, code = r'([A-Z]{3,8}|"[a-z ]+")', r'([A-Z]{3,8}|\d+(?: \d+)*|"[a-z ]+")'
    way = "table" if "| --- |" in text else "prose"
    pattern = rf"^\| {word} \| {code} \|$" if way == "table" else rf"{word} (?:->|=|[a-z]+(?: [a-z]+){{0,3}}) {code}(?=\.|$)"
    pairs = re.findall(pattern, text, re.M)
    if way == "prose":
        way = "arrows" if " -> " in text else "prose" if text.count("\n") < 8 else "bullets"
    return way, dict(enumerate(pairs))


def _drops(text: str, rows: int, cols: int) -> tuple[str, Shown]:
    """The grid, and the letters of every column."""
    listed = re.search(r"^\{.*\}$", text, re.M)
    if listed:
        columns = {int(c): "".join(letters) for c, letters in json.loads(listed.group()).items()}
        text = text.replace(listed.group(), "")
    elif row := re.search(r"^1 \S+(?: \d+)*(?:, \d+ \S+(?: \d+)*)+$", text, re.M):
        columns = {
            int(c): letters.replace("(none)", "") for c, _, letters in (each.partition(" ") for each in row.group().split(", "))
        }
    elif rule := next((line for line in text.split("\n") if re.fullmatch("={5,}", line)), ""):
        return _stacked(text.split("\n"), rule, rows, cols)
    else:
        pairs = re.findall(r"^(?:Column (\d+): |\| (\d+) \| )([A-Z ]+?|\(none\))(?: \|)?$", text, re.M)
        columns = {int(one or other): letters.replace(" ", "").replace("(none)", "") for one, other, letters in pairs}
    assert len(columns) == cols, text
    way, found = _grid(text, rows, cols, "_")
    return way, found | {("column", c): letters for c, letters in columns.items()}


def _stacked(lines: list[str], rule: str, rows: int, cols: int) -> tuple[str, Shown]:
    """The grid, and the letters above or below its columns, by their places in the lines."""
    step, at = (len(rule) + 1) // cols, lines.index(rule)

    def cells(line: str) -> list[str]:
        assert len(line) == len(rule), line
        return [line[c * step : (c + 1) * step].strip() for c in range(cols)]

    over = any("_" in line for line in lines[at + 1 : at + 1 + rows])
    grid = lines[at + 1 : at + 1 + rows] if over else lines[at - rows : at]
    heap = lines[at - 1 :: -1] if over else lines[at + 1 :]
    high = next((n for n, line in enumerate(heap) if len(line) != len(rule) or ":" in line), len(heap))
    stacks = zip(*[cells(line) for line in (heap[:high][::-1] if over else heap[:high])], strict=True)
    found = {("column", c): "".join(stack).replace(".", "") for c, stack in enumerate(stacks, 1)}
    return "above" if over else "below", _cells([cells(line) for line in grid], rows, cols, "_") | found


def _grid(text: str, rows: int, cols: int, dot: str) -> tuple[str, Shown]:
    lines = text.split("\n")
    blank = next(iter(re.findall(r'"(.)"', text)), dot)
    short = re.search(r"Grid \((.)(?: =|:| is) ", text)
    blank = short.group(1) if short else blank
    if start := re.search(r"^\[\[", text, re.M):
        table = json.JSONDecoder().raw_decode(text[start.start() :])[0]
        return "json", _cells([["" if cell is None else str(cell) for cell in row] for row in table], rows, cols, "")
    places = re.findall(
        r"(?:r(\d+)c(\d+)=|\((\d+),(\d+)\)=|row (\d+) column (\d+): |R(\d+)C(\d+): )(\S+?)(?=,? |,?$)", text, re.M
    )
    found = {tuple(int(part) for part in place[:-1] if part): place[-1] for place in places}
    labelled = [line.split(":", 1)[1] for line in lines if re.match(r"(?:row|Row|ROW|r|R) ?\d+: (?!.*[a-z]{3})", line)]
    labelled = labelled or [line.partition(". ")[2] for line in lines if re.match(r"\d+\. (?:\S{1,4},? ){2,}\S{1,4}$", line)]
    for way, board in (
        ("table", [line.strip("| ").split("|")[1:] for line in lines if re.match(r"\| r\d+ \|", line)]),
        ("pipes", [line.strip("|").split("|") for line in lines if line.startswith("|")]),
        ("rows", [re.split(r"[ ,]+", line.strip()) for line in labelled]),
        ("spaces", [line.replace("][", "] [").split() for line in lines]),
        ("compact", [list(line) if " " not in line else [] for line in lines]),
    ):
        for start in range(len(board) - rows + 1):
            part = [[cell.strip() for cell in row] for row in board[start : start + rows]]
            if all(len(row) == cols and max(map(len, row)) <= 4 for row in part) and (way != "spaces" or _looks(part)):
                return way, _cells(part, rows, cols, blank)
    assert found, text
    return "coordinates", found


def _looks(part: list[list[str]]) -> bool:
    """Whether no cell is a word of a sentence."""
    return not any(re.search(r"[a-z]{2}|[.,:;]$", cell) and len(cell) > 1 for row in part for cell in row)


def _cells(table: list[list[str]], rows: int, cols: int, blank: str) -> Shown:
    assert len(table) == rows and all(len(row) == cols for row in table), table
    return {(r, c): cell for r, row in enumerate(table, 1) for c, cell in enumerate(row, 1) if cell != blank}


def _sums(text: str, rows: int, cols: int) -> tuple[str, Shown]:
    """Of kakurasu: the sums that are known, and the blocked cells."""
    lines = text.split("\n")
    marks = {(int(r), int(c)): "x" for r, c in re.findall(r"row (\d+) column (\d+)", text)}
    one_by_one = re.findall(r"^(?:Sum of )?(Row|Column) (\d+)(?::| ->| =|, sum| has the sum) (\d+|\?)\.?$", text, re.M)
    listed = [
        part.split(", ") for part in re.findall(r"(?<=[: [])((?:\d+|\?|null)(?:, (?:\d+|\?|null))+)(?=\]|$| \()", text, re.M)
    ]
    if (top := next((at for at, line in enumerate(lines) if re.match(r"\|? +\|( +\S+)+", line)), None)) is not None:
        board = [line.replace("|", " ").split() for line in lines[top : top + rows + 2]]
        across, down = [row[0] for row in board[2:]], board[0]
        marks = {(r, c): cell for r, row in enumerate(board[2:], 1) for c, cell in enumerate(row[1:], 1) if cell != "."}
        way = "table" if lines[top].startswith("|") else "spaces"
    elif one_by_one:
        across, down = ([total for line, _, total in one_by_one if line == kind] for kind in ("Row", "Column"))
        way = "sentences"
    else:
        at = next(k for k, pair in enumerate(pairwise(listed)) if [len(pair[0]), len(pair[1])] == [rows, cols])
        across, down = listed[at], listed[at + 1]
        way = "json" if re.search(r"\[(?:\d|null)", text) else "lists"
    assert len(across) == rows and len(down) == cols, text
    sums = {(kind, i): total for kind, found in (("row", across), ("column", down)) for i, total in enumerate(found, 1)}
    return way, {line: total for line, total in sums.items() if total not in ("?", "null")} | marks


def _hints(text: str, n: int) -> tuple[str, Shown]:
    """Of skyscraper: the hints by their side, and the heights that are given."""
    lines = text.split("\n")
    found: Shown = {}
    if (top := next((at for at, line in enumerate(lines) if re.fullmatch(r" *\+-+\+", line)), None)) is not None:
        inside = [re.split(r" *\| *", line.strip()) for line in lines[top + 1 : top + n + 1]]
        edges = [lines[top - 1].split(), lines[top + n + 2].split()]
        corners = [edge.pop(at) for edge in edges for at in (0, -1) if len(edge) > n]
        sides = [*edges, [row[0] for row in inside], [row[2] for row in inside]]
        found = {(r, c): v for r, row in enumerate(inside, 1) for c, v in enumerate(row[1].split(), 1) if v != "."}
        way = "framed"
    else:
        listed = re.findall(r"(?::|=) ((?:\d+|-)(?:,? (?:\d+|-))+)$", text, re.M)
        sides = [re.split(r",? ", part) for part in listed if len(re.split(r",? ", part)) == n][:4]
        line = next(
            (line for line in lines if re.search(r"[Cc]orner(s|$| hints:|.*: (\d+|-)(;|,))", line) and "top left" in line), ""
        )
        corners = re.findall(r"(?<![a-z\d])(?:\d+|-)(?![a-z\d])", line)
        rest = "\n".join(
            lines[max(k for k, each in enumerate(lines) if each.endswith((listed[3], "to bottom)", "downwards)"))) + 1 :]
        )
        rest = rest.replace(line, "", 1).lstrip("\n") if line else rest
        empty = re.match(
            r"The grid (?:itself|starts)|No (?:building|height) is|There is no(?:thing| number)|All cells (?:of|in)|None of the",
            rest,
        )
        way, found = ("lists", {}) if empty else _grid(rest, n, n, ".")
    assert [len(side) for side in sides] == [n] * 4 and len(corners) in (0, 4), text
    named = [*zip(("top", "bottom", "left", "right"), sides, strict=True), ("corner", corners)]
    return way, found | {(side, k): hint for side, hints in named for k, hint in enumerate(hints) if hint != "-"}
