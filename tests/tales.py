"""Puzzles read back from prompts that are no grids: maps, towers, ciphers, attributes and books; apart from what writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from puzzlemill.core.types import AnyPuzzle
from puzzlemill.kumo.book.prompt import book_in

Shown = dict[Any, Any]


def told_in(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    """The notations and what they say, by what it is about. Raises AssertionError for what cannot be read."""
    return _READERS[puzzle.family](text, puzzle)


def _rows(text: str) -> list[list[str]]:
    """The rows of Markdown tables, without headings."""
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.split("\n") if line.startswith("| ")]
    return [row for row, before in zip(rows[1:], rows, strict=False) if not row[0].startswith("---") and before is not None]


def _json(text: str) -> list[Any]:
    """Every JSON object and list that begins a line."""
    found, decoder, at = [], json.JSONDecoder(), 0
    while start := re.compile(r"^[\[{]", re.M).search(text, at):
        try:
            value, at = decoder.raw_decode(text, start.start())
            found.append(value)
        except ValueError:
            at = start.end()
    return found


def _unmarked(line: str) -> str:
    return re.sub(r"^(?:[-*+•>] |No\. \d+: |#\d+: |\[\d+\] |\(\d+\) (?!,)|\d+[.):] )", "", line)


def _names(text: str) -> list[str]:
    """ "a, b and c" as a list."""
    head, _, last = text.rpartition(" and ")
    return [*head.split(", "), last] if head else text.split(", ")


# ---- cryptograms ----------------------------------------------------------------------------------------------------------


def _cryptogram(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    """The text in cipher, what is known, the list of words and the author."""
    lines = text.split("\n")
    signs = {sign: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[k] for k, sign in enumerate(puzzle.style.symbols)}
    cipher = next(line for line in lines if line == puzzle.board.text)
    found: Shown = {"text": cipher}
    way: list[str] = []
    if dashed := [line for line in lines if line.startswith("\u2014 ")]:
        found["author"] = dashed[0][2:]
    known: dict[str, str] = {}
    for value in _json(text):
        if isinstance(value, dict):
            known, way = value, [*way, "json"]
        else:
            found["words"], way = value, [*way, "list"]
    if rows := _rows(text):
        known, way = dict(rows), [*way, "table"]
    pairs = [line for line in lines if re.match(r"[A-Z] = [A-Z](?:, |$)", line)]
    if pairs:
        known, way = dict(pair.split(" = ") for line in pairs for pair in line.split(", ")), [*way, f"pairs {min(len(pairs), 2)}"]
    found |= {("known", signs[sign]): plain for sign, plain in known.items()}
    if puzzle.board.words and "words" not in found:
        runs = re.compile(r"[A-Z]+(?:,? [A-Z]+)*")
        listed = [line for line in lines if runs.fullmatch(line)]
        way.append("lines" if len(listed) > 1 else "commas" if "," in listed[0] else "blanks")
        found["words"] = [word for line in listed for word in line.replace(",", "").split()]
    return " ".join(way), found


# ---- maps ---------------------------------------------------------------------------------------------------------------


def _map(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    places, kinds = puzzle.style.names
    asked = next(part for part in text.split("\n") if re.search("hortest|short as possible", part))
    found: Shown = {}
    lines = [_unmarked(line) for line in text.split("\n")]
    plurals = {re.sub(r"(?<=[^aeiou])y$", "ie", kind) + end: kind for kind in kinds for end in ("s", "es")}
    way_there, way = "", ""
    for value in _json(text):
        if all(isinstance(each, str) for each in value.values()):
            way_there, found = "json", found | {("at", place): kind for place, kind in value.items()}
        else:
            way = "json"
            found |= {(a, b): length for a, there in value.items() for b, length in there.items()}
    for row in _rows(text):
        if len(row) == 2:
            way_there = "table"
            found["at", row[0]] = row[1]
        else:
            way = "table"
            found[row[0], row[1]] = int(row[2])
    for line in text.split("\n"):
        # sentences that name one kind, and nothing of lengths; or parts of one
        for sentence in re.split(r"(?<=\.) |; ", line):
            said = [word for word in re.findall(r"[a-z]+", sentence.lower()) if word in kinds or word in plurals]
            stands = [name for name in re.findall(r"\b[A-Z]{1,2}\b", sentence) if name in places]
            if line != asked and len(said) == 1 and stands and ":" not in sentence and "|" not in sentence:
                way_there = "kinds" if len(said) < len(stands) else "places"
                found |= {("at", place): plurals.get(said[0], said[0]) for place in stands}
    for place, kind in re.findall(r"\b([A-Z]{1,2}): ([a-z]+)", text):
        way_there, found["at", place] = "pairs", kind
    for kind, names in re.findall(r"(?:^|; )([a-z]+): ((?:[A-Z]{1,2}(?:, )?)+)(?=;|$)", text, re.M):
        way_there = "short"
        found |= {("at", place): kind for place in names.split(", ")}
    for line in lines:
        rest = re.sub(r"^A (?=path|street|bus)", "", line)
        ends = [name for name in re.findall(r"\b[A-Z]{1,2}\b", rest) if name in places]
        numbers = [int(number) for number in re.findall(r"\d+", rest)]
        if line == asked or not ends or line.startswith("|"):
            continue
        if match := re.match(r"(?:From )?([A-Z]{1,2})(: | you can go to | can be reached from )(?=[A-Z]{1,2}\b.*\d)", rest):
            way, others = "gathered", ends[1:]
            assert len(others) == len(numbers), line
            for other, number in zip(others, numbers, strict=True):
                found[(other, ends[0]) if "reached" in match.group(2) else (ends[0], other)] = number
        elif len(ends) == 2 and len(numbers) == 1:
            way = "sentences" if re.search("[a-z]{3}", rest) else "arrows"
            found[ends[0], ends[1]] = numbers[0]
    start = re.search(
        r"(?:[Ss]tart|Begin|are|begins|out|starts|waits|stands|Someone|down) at ([A-Z]{1,2})\b|[Ff]rom ([A-Z]{1,2})\b", asked
    )
    assert start is not None, asked
    found["start"] = start.group(1) or start.group(2)
    visited = re.search(r"visit ((?:an? \w+(?:, | and )?)+)|(?:Visit|come to|include) ((?:an? \w+(?:, | and )?)+)", asked)
    via = (visited.group(1) or visited.group(2)) if puzzle.spec.rules and visited else ""
    found["via"] = [kind for kind in kinds if re.search(rf"\ban? {kind}\b", via)]
    found["goal"] = [kind for kind in kinds if re.search(rf"\b{kind}\b", asked) and kind not in found["via"]]
    return f"{way_there}, {way}", found


# ---- towers -------------------------------------------------------------------------------------------------------------


def _towers(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    pegs, disks = puzzle.style.names
    start = re.search(r"^Start\b.*$", text, re.M)
    goal = re.search(r"^Goal\b.*$", text, re.M)
    assert start and goal and start.start() < goal.start(), text
    way, found = "", {}
    for side, head, part in (
        ("start", start.group(), text[start.end() : goal.start()]),
        ("goal", goal.group(), text[goal.end() :]),
    ):
        down = (
            "top to bottom" in head
            or "top down" in head
            or "top of each" in head
            or bool(re.search(r"top (disk )?(of each peg|comes)? ?first", head))
        )
        down = down or "from the top to the bottom" in head or "at the top comes first" in head
        lines = part.strip("\n").split("\n")
        each: dict[str, list[str]] = {}
        values = [value for value in _json(part) if isinstance(value, dict) and set(value) == set(pegs)]
        table = [row for row in (line.strip("| ").split(" | ") for line in lines) if len(row) == 2 and row[0] in pegs]
        columns = [line.split() for line in lines[: len(disks) + 1]]
        names = next((i for i, line in enumerate(columns) if line == list(pegs)), -1)
        listed = [line.strip().partition(": ") for line in lines if line.strip().partition(": ")[0] in pegs]
        if values:
            way, each = "json", values[0]
        elif lines[0].startswith("|  | disks |"):
            way, each = "table", {row[0]: _disks(row[1], disks) for row in table}
        elif names > 0:
            way = "drawn"
            each = {peg: [line[i] for line in columns[:names][::-1] if line[i] != "|"] for i, peg in enumerate(pegs)}
        elif len(listed) >= len(pegs):
            way = "downwards" if down else "lines"
            each = {peg: _disks(stack, disks)[:: -1 if down else 1] for peg, _, stack in listed[: len(pegs)]}
        else:
            way = "prose"
            sentences = re.split(r"(?<=\.) ", lines[0])
            for peg, sentence in zip(pegs, sentences, strict=True):
                assert re.search(rf"\b(?:[Pp]eg|On) {re.escape(peg)}\b", sentence), sentence
                rest = re.sub(rf"\b(?:[Pp]eg|On) {re.escape(peg)}\b", "", sentence)
                each[peg] = _disks(rest, disks)
        assert set(each) == set(pegs), text
        found |= {(side, peg): stack for peg, stack in each.items()}
    found["right"] = bool(re.search("to the left|to the right only", text))
    head = text[: start.start()] + text
    for word, names in (("peg", pegs), ("disk", disks)):
        assert re.search(r", ".join(map(re.escape, names[:-1])) + rf" and {re.escape(names[-1])}", head), (word, text)
    return way, found


def _disks(text: str, disks: Sequence[str]) -> list[str]:
    """The names of disks in the order in which they stand in a text."""
    named = [(match.start(), disk) for disk in disks for match in re.finditer(rf"(?<![\w-]){re.escape(disk)}(?![\w-])", text)]
    return [disk for _, disk in sorted(named)]


# ---- ciphers ------------------------------------------------------------------------------------------------------------

_METHODS = {
    "Caesar": "caesar",
    "Atbash": "atbash",
    "Affine": "affine",
    "Keyword sub": "keyword",
    "Vigenere": "vigenere",
    "Beaufort": "beaufort",
    "Autokey": "autokey",
    "Trithemius": "trithemius",
    "Playfair": "playfair",
    "Polybius": "polybius",
    "Bacon": "bacon",
    "Morse": "morse",
    "Reversal": "reversal",
    "Rail fence": "railfence",
    "Columnar": "columnar",
}
_SIGNS = r"[A-Z|.\-0-9]+(?: [A-Z|.\-0-9]+)*"


def _ciphers(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    found: Shown = {}
    segment, way = 1, "none"
    lines = text.split("\n")
    methods: dict[int, list[tuple[str, list[str]]]] = {}
    samples: list[list[str]] = []
    for line, after in pairwise([*lines, ""]):
        bare = _unmarked(line)
        if number := re.match(r"Segment (\d):$", line):
            segment = int(number.group(1))
        name = next((known for start, known in _METHODS.items() if bare.startswith(start)), "")
        if name:
            key = re.search(r".*(?:the keyword is|; k is|\(a, b\) is) (?:one of )?(.*)\.$", bare)
            keys = re.findall(r"\(\d+, \d+\)|[A-Z]+|\d+", key.group(1)) if key else []
            methods.setdefault(segment, []).append((name, keys))
        elif pair := re.match(
            rf"(?:plain |from )?({_SIGNS})(?: became | -> | was turned into |, cipher | => | came )({_SIGNS})$", bare
        ):
            way = "lines"
            samples.append([pair.group(1), pair.group(2)])
        elif pair := re.match(rf"\| \d \| ({_SIGNS}) \| ({_SIGNS}) \|$", line):
            way = "table"
            samples.append([pair.group(1), pair.group(2)])
        elif line.startswith('[["'):
            way = "json"
            samples += json.loads(line)
        elif re.match(rf"{_SIGNS}$", after) and line.endswith(":") and "cipher" not in found:
            found["cipher"] = after
    found |= {("methods", part): listed for part, listed in methods.items()}
    found |= {("sample", i): pair for i, pair in enumerate(samples)}
    lengths = re.search(
        r"(?:It has|The plain text is|There are|length is|consists of|In plain there are) (\d+) letters|^.*?(\d+) letters\.$",
        text,
        re.M,
    )
    if len(puzzle.board.lengths) > 1:
        said = re.search(r"((?:\d+(?:, | and ))+\d+)(?= letters)", text)
        assert said, text
        found["lengths"] = re.findall(r"\d+", said.group(1))
    else:
        assert lengths, text
        found["lengths"] = [lengths.group(1) or lengths.group(2)]
    found["rounds"] = "twice" if "twice in" in text or "done twice" in text else "three" if "three times" in text else "once"
    task, layers = puzzle.spec.params.task, puzzle.spec.params.layers
    unknown = bool(
        re.search(
            r"not known|unknown|not given|did not say|found out|necessarily|do not tell|not tell|but not which|neither", text
        )
    )
    assert unknown == (task != "known"), text
    return f"{way} {layers}", found


# ---- attributes and clues -----------------------------------------------------------------------------------------------


_VALUES = (
    r"(?:^|(?<=\. ))(?:For the (.*?), choose from (.*?)\.|"
    r"The values of (.*?) are (.*?)\.|For (.*?) the values are (.*?)\.|For (.*?), choose from (.*?)\.|"
    r"The attribute (.*?) has the values (.*?)\.|As for (.*?), the values are (.*?)\.|The (.*?) is one of (.*?)\.|"
    r"The list for (.*?) reads (.*?)\.|Listed under (.*?): (.*?)\.|"
    r"The items for (.*?) are (.*?)\.|The choice for (.*?) is (.*?)\.)"
)


def _attributes(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    names = puzzle.style.names
    known = {frozenset(each): a for a, each in enumerate(names)}
    found: Shown = {}
    titles: dict[str, int] = {}
    way = ""
    candidates: list[tuple[str, str, list[str]]] = []
    for value in _json(text):
        if isinstance(value, dict) and "answer" not in value:
            candidates += [("json", title, listed) for title, listed in value.items()]
    for row in _rows(text):
        if len(row) == 2:
            candidates.append(("table", row[0], row[1].split(", ")))
    for line in text.split("\n"):
        title, colon, rest = line.partition(": ")
        if colon:
            candidates.append(("lines", _unmarked(title), rest.split(", ")))
    for said in re.findall(_VALUES, text, re.M):
        title, listed = [part for part in said if part]
        candidates.append(("sentences", title, _names(listed)))
    for notation, title, listed in candidates:
        if (a := known.get(frozenset(listed))) is not None:
            found["attribute", a], titles[title], way = title.casefold(), a, notation
    lines = [
        (match.group(1), match.group(2)) for match in re.finditer(r"^(?:No\. |#|\[|\()?(\d+)(?:[.):\]]|: )+ ?(.*)$", text, re.M)
    ]
    lines += [(row[0], row[1]) for row in _rows(text) if len(row) == 2 and row[0].isdigit()]
    formulas = [line for _, line in lines if re.match(r"[a-z_]+\(", line)]
    found["clues"] = [int(number) for number, _ in lines]
    if formulas:
        items = {name.casefold(): (a, v) for a, each in enumerate(names) for v, name in enumerate(each)}
        items |= {f"{title}={name}".casefold(): (a, names[a].index(name)) for title, a in titles.items() for name in names[a]}
        if puzzle.family == "logic_grid":
            said = [_statement(line, items, titles, puzzle.board.numbers) for line in formulas]
            false = puzzle.spec.rule("false_clue") is not None  # then they are one clue
            found["formulas"] = [lambda grid: [one(grid) for one in said].count(False) == 1] if false else said
        else:
            found["formulas"] = [_formula(line, items) for line in formulas]
    way += " formulas" if formulas else " table" if re.search(r"^\| 1 \|", text, re.M) else ""
    return way, found


def _order(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    """The names, how many clues there are, and what formulas say of answers."""
    names = puzzle.style.names[0]
    scene = next(part for part in re.split(r"\n+", text) if all(re.search(rf"\b{name}\b", part) for name in names))
    found: Shown = {"names": sorted(name for name in names if re.search(rf"\b{name}\b", scene))}
    lines = [
        (match.group(1), match.group(2)) for match in re.finditer(r"^(?:No\. |#|\[|\()?(\d+)(?:[.):\]]|: )+ ?(.*)$", text, re.M)
    ]
    lines += [(row[0], row[1]) for row in _rows(text) if len(row) == 2 and row[0].isdigit()]
    formulas = [line for _, line in lines if re.match(r"[a-z_]+\(", line)]
    prose = [part for part in text.split("\n") if part != scene and part.endswith(".") and any(name in part for name in names)]
    found["clues"] = len(lines) or len(re.findall(r"\.(?= [A-Z]|$)", prose[0]))
    if formulas:
        ties, items = puzzle.spec.params.ties, {name.casefold(): (0, v) for v, name in enumerate(names)}
        said = [_formula(line, items) for line in formulas]

        def row(answer: Any) -> list[list[Any]]:
            """The answer as one attribute; with ties each place holds a list of names, in which they are looked for."""
            return (
                [[_Several(v for v, p in enumerate(answer) if p == q) for q in range(len(names) - ties)]]
                if ties
                else [list(answer)]
            )

        found["formulas"] = [lambda answer, one=one: one(row(answer)) for one in said]
    table = re.search(r"^\| 1 \|", text, re.M)
    return "formulas" if formulas else "table" if table else "lines" if lines else "prose", found


class _Several(frozenset[int]):
    """Who shares a place: equal to each of them."""

    def __eq__(self, other: object) -> bool:
        return other in self

    __hash__ = frozenset.__hash__


def _formula(text: str, items: dict[str, tuple[int, int]]) -> Callable[[Sequence[Sequence[int]]], bool]:
    """What a formula says of a table, grid[a][p] being the value of attribute a at place p."""
    kind, parts = _arguments(text)
    if kind in ("one_of", "if", "either"):
        each = [_formula(part, items) for part in parts]
        if kind == "if":
            return lambda grid: not each[0](grid) or each[1](grid)
        return lambda grid: sum([part(grid) for part in each]) == 1
    last = int(parts.pop()) if parts[-1].isdigit() and parts[-1] not in items else 0
    named = [items[part.casefold()] for part in parts]

    def holds(grid: Sequence[Sequence[int]]) -> bool:
        spots = [list(grid[a]).index(v) + 1 for a, v in named]
        one, two = spots[0], spots[-1]
        return {
            "at": one == last,
            "not_at": one != last,
            "end": one in (1, len(grid[0])),
            "same": one == two,
            "not_same": one != two,
            "next": abs(one - two) == 1,
            "just_left": one + 1 == two,
            "left": one < two,
            "apart": abs(one - two) == last,
            "far": abs(one - two) >= last,
            "not_end": one not in (1, len(grid[0])),
            "up_to": one <= last,
            "from": one >= last,
            "ahead": one + last == two,
            "between": len(spots) == 3 and sorted(spots)[1] == one and len(set(spots)) == 3,
        }[kind]

    return holds


def _arguments(text: str) -> tuple[str, list[str]]:
    """The word before a bracket, and what stands in it between commas."""
    kind, _, inside = text.rstrip().removesuffix(")").partition("(")
    parts, depth, start = [], 0, 0
    for i, sign in enumerate(inside + ","):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append((inside + ",")[start:i].strip())
            start = i + 1
    return kind, parts


def _statement(
    text: str, items: dict[str, tuple[int, int]], titles: dict[str, int], scales: Sequence[Sequence[int]]
) -> Callable[[Sequence[Sequence[int]]], bool]:
    """What a formula says of a logic grid, grid[c - 1][e] being the item of category c of entity e."""
    kind, parts = _arguments(text)
    if kind in ("both", "one_of", "if", "either"):
        each = [_statement(part, items, titles, scales) for part in parts]
        if kind == "if":
            return lambda grid: not each[0](grid) or each[1](grid)
        return lambda grid: sum([part(grid) for part in each]) == (2 if kind == "both" else 1)
    d = int(parts.pop()) if kind in ("exactly", "apart", "at_least") else 0
    compares = d or kind in ("before", "between")
    title = parts.pop().casefold() if compares and len(scales) > 1 else ""
    first = len({c for c, _ in items.values()}) - len(scales)
    column = next((c for name, c in titles.items() if name.casefold() == title), first)
    named = [items[part.casefold()] for part in parts]

    def holds(grid: Sequence[Sequence[int]]) -> bool:
        held = [{v} if c == 0 else {e for e, w in enumerate(grid[c - 1]) if w == v} for c, v in named]
        if any(len(each) != 1 for each in held):  # of items one of which occurs twice
            w, x, *yz = held
            if kind == "pair":
                return any(bool(w & y) and bool(x & z) for y, z in (yz, yz[::-1]))
            many = [len(w & other) > 0 for other in (x, *yz)]
            return {"is": all(many), "is_not": not any(many), "either_or": sum(many) == 1, "neither": not any(many)}[kind]
        e = [next(iter(each)) for each in held]
        at = [scales[column - first][grid[column - 1][each]] for each in e] if compares else [0, 0]
        return {
            "is": e[0] == e[1],
            "is_not": e[0] != e[1],
            "either_or": e[1:].count(e[0]) == 1,
            "neither": e[0] not in e[1:],
            "pair": e[0] != e[1] and sorted(e[:2]) == sorted(e[2:]),
            "different": len(set(e)) == len(e),
            "before": at[0] < at[1],
            "exactly": at[0] + d == at[1],
            "apart": abs(at[0] - at[1]) == d,
            "at_least": at[0] + d <= at[1],
            "between": len(set(at)) == 3 and sorted(at)[1] == at[0],
        }[kind]

    return holds


# ---- seats ----------------------------------------------------------------------------------------------------------------


def _run(names: Sequence[str], text: str) -> list[str]:
    """All of these names where they follow each other, "a, b and c"."""
    one = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    runs = [match.group() for match in re.finditer(rf"\b(?:(?:{one})(?:, | and ))+(?:{one})\b", text)]
    return _names(max(runs, key=len, default=""))


def _seats(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    params, names = puzzle.spec.params, puzzle.style.names
    n = params.persons
    found: Shown = {"persons": _run(names[0], text)}
    found["values"] = [sorted(_run(each, text)) for each in names[1:]]
    assert all(len(each) == n for each in (found["persons"], *found["values"])), text
    lines = re.findall(r"^((?:No\. |#|\[|\()?(\d+)(?:[.):\]]|: )+) ?(.*)$", text, re.M)
    lines += [("table", row[0], row[1]) for row in _rows(text) if len(row) == 2 and row[0].isdigit()]
    found["clues"] = [int(number) for _, number, _ in lines]
    told = [sentence for sentence in re.split(r"(?<=[.;?]) |\n", text) if re.search(r"\bfac(?:e|es|ing)\b", sentence)]
    first, second = ("the centre", "outwards") if params.shape in ("circle", "square") else ("north", "south")
    facing = [
        each
        for each in told
        if (first in each or second in each) and not re.match(r"(?:No\. |#|\[|\()?\d+[.):\]]|.*faces\(", each)
    ]
    facing = [each for each in facing if not any(re.search(rf"\b{name}\b", each) for name in names[0])]
    found["ways"] = _ways_in(facing, params, first, second)
    corners = re.search(
        r"((?:\d+, )+\d+ and \d+)", next((each for each in text.split(". ") if "orner" in each and "," in each), "")
    )
    found["corners"] = _names(corners.group()) if params.shape == "square" and corners else []
    formulas = [line for _, _, line in lines if re.match(r"[a-z_]+\(", line)]
    if formulas and puzzle.board.ways:
        items = {name.casefold(): (g, v) for g, each in enumerate(names) for v, name in enumerate(each)}
        found["formulas"] = [_seated(line, items, puzzle) for line in formulas]
    return f"{'formulas' if formulas else 'sentences'} {re.sub('[0-9]', '', lines[0][0])}", found


def _ways_in(facing: Sequence[str], params: Any, first: str, second: str) -> str:
    """The way of each seat, or "found" or "rows"."""
    if params.shape == "rows":
        return "rows"
    (sentence,) = facing[:1] or [""]
    assert sentence, facing
    seats = [int(number) for number in re.findall(r"\d+", sentence)]
    if seats:
        here = min((sentence.find(way), way) for way in (first, second) if way in sentence)[1]
        there = second if here == first else first
        return " ".join([here if p in seats else there for p in range(1, params.persons + 1)])
    if first in sentence and second in sentence:
        return "found"
    return " ".join([first if first in sentence else second] * params.persons)


def _seated(text: str, items: dict[str, tuple[int, int]], puzzle: AnyPuzzle) -> Callable[[Sequence[Sequence[int]]], bool]:
    """What a formula says of an arrangement whose ways are known, grid[g][p] being the value of group g on seat p."""
    kind, parts = _arguments(text)
    if kind in ("if", "either"):
        one, two = [_seated(part, items, puzzle) for part in parts]
        return (lambda grid: not one(grid) or two(grid)) if kind == "if" else lambda grid: one(grid) != two(grid)
    shape, n, ways = puzzle.spec.params.shape, puzzle.spec.params.persons, puzzle.board.ways
    last = parts.pop() if parts[-1].casefold() not in items else ""
    named, number = [items[part.casefold()] for part in parts], int(last) if last.isdigit() else 0
    line = n // 2 if shape == "rows" else n
    ring = shape in ("circle", "square")

    def holds(grid: Sequence[Sequence[int]]) -> bool:
        spots = [list(grid[g]).index(v) for g, v in named]
        p, q = spots[0], spots[-1]
        # how far the first is to the left of the last one, who faces north or outwards, where numbers grow to the right
        left = (q - p) * (1 if (ways[q] == 0) is not ring else -1)
        apart = abs(p - q)
        together = ring or p // line == q // line
        near = {apart, n - apart} if ring else {apart} if together else set()
        return {
            "at": p + 1 == number,
            "not_at": p + 1 != number,
            "end": p % line in (0, line - 1),
            "not_end": p % line not in (0, line - 1),
            "row": (p < line) is (last == "northern"),
            "corner": p % (n // 4 or 1) == puzzle.board.corner,
            "side": p % (n // 4 or 1) != puzzle.board.corner,
            "same": p == q,
            "not_same": p != q,
            "next": 1 in near,
            "not_next": 1 not in near,
            "opposite": apart == n / 2,
            "not_opposite": apart != n / 2,
            "left": together and (left == number or (ring and left == number - n)),
            "right": together and (-left == number or (ring and -left == number - n)),
            "left_of": together and left > 0,
            "right_of": together and left < 0,
            "gap": number + 1 in near,
            "between": {p - 1, p + 1} == {*spots[1:]} or (ring and {(p - 1) % n, (p + 1) % n} == {*spots[1:]}),
        }[kind] and (kind != "between" or together)

    return holds


# ---- books --------------------------------------------------------------------------------------------------------------


def _book(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    board = puzzle.board
    book = book_in(text)
    around = text.replace(book.strip(), "")
    lines = [_unmarked(line) for line in around.split("\n")]
    names = puzzle.style.names[0] if puzzle.style.names else board.truths
    listed = next(([*value] for value in _json(around) if isinstance(value, list)), None)
    way = "json"
    if listed is None:
        rows = [re.findall(r"[^,:]+", re.split("[:?] ", line)[-1].rstrip(".")) for line in lines]
        listed = next(([name.strip() for name in row] for row in rows if {name.strip() for name in row} == {*names}), None)
        way = "row"
    if listed is None:
        listed, way = [line for line in lines if line in names], "list"
    found: Shown = {"truths": listed}
    if puzzle.spec.params.told:
        found["told"] = [line for line in lines if any(line.startswith(f"{action.name}: ") for action in board.actions)]
    else:
        found["actions"] = [action.name for action in board.actions if action.name in around]
        assert all(action.name in around for action in board.actions)
        way += " table" if re.search(r"^\| ---", around, re.M) else ""
    counts = ("one", "two", "three", "four")[puzzle.spec.params.valid - 1]
    assert re.search(rf"\b{counts}\b", around, re.I), around
    assert str(len(names)) in around
    return way, found


# ---- families ------------------------------------------------------------------------------------------------------------


_WITH_A = re.compile(r"A (?:man|name|husband|parent|couple|family|brother|code|marriage|married|nephew|niece|cousin|child)\b")


def _relatives(text: str, puzzle: AnyPuzzle) -> tuple[str, Shown]:
    """Statements about a family, each as what it says; the notation is that of their list."""
    names = puzzle.style.names[0]
    name = re.compile("|".join([rf"\b{re.escape(each)}\b" for each in names]))
    rows = [row[-1] for row in _rows(text)]
    listed = [value for value in _json(text) if isinstance(value, list) and all(isinstance(one, str) for one in value)]
    told = rows or (listed[-1] if listed else [])
    way = "table" if rows else "json"
    if not told:
        lines = [_unmarked(line) for line in text.split("\n")]
        told = [part for line in lines for part in re.split(r"(?<=\.) (?=[A-Z])", line)]
        told = [part for part in told if "generation" not in part and "?" not in part]
        told = [part for part in told if not _WITH_A.match(part) and len({*name.findall(part)}) in (1, 2)] + [
            part for part in told if re.search(rf"family (?:has|includes|contains) exactly (?:{'|'.join(_COUNTS[:-1])})", part)
        ]
        marked = next((line for line in text.split("\n") if _unmarked(line) == told[0]), "")
        way = "paragraph" if any(f"{one} {two}" in text for one, two in pairwise(told)) else marked[:1].replace("1", "n")
    return way, {"statements": sorted(_meant(sentence, names) for sentence in told)}


_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "no")
_MEANT = (
    (r"(@) and (@) (?:are married to each other|are a married couple|have married each other)", "wed"),
    (r"(@) is married to (@)", "wed"),
    (r"(@) is (?:a man|male|one of the men(?: in .*)?|a male member of the family)", "man"),
    (r"(@) is (?:a woman|female|one of the women(?: in .*)?|a female member of the family)", "woman"),
    (
        r"(@) (?:is married|is one of the married people|is a married person|has a (?:husband .*|spouse)|is not single)",
        "married",
    ),
    (r"(@) (?:is unmarried|is not married(?: to anybody)?|is single|has no husband or wife|has never married)", "unmarried"),
    (r"(@) (?:has no child(?:ren)?|has neither sons nor daughters|is childless|is nobody's father or mother)", "childless"),
    (r"(@) has no son and no daughter", "childless"),
    (r"Nobody is a brother or sister of (@)", "alone"),
    (r"(@) (?:has no brothers? (?:or|and no) sisters?|has neither brothers nor sisters|has no siblings)", "alone"),
    (r"(@) does not have any brothers or sisters", "alone"),
)


def _meant(sentence: str, names: Sequence[str]) -> tuple[Any, ...]:
    """A statement without its wording."""
    name = "|".join(re.escape(each) for each in sorted(names, key=len, reverse=True))
    plain = re.sub(r"^(?:In this family|Altogether), ", "", sentence.rstrip("."))
    for pattern, kind in _MEANT:
        found = re.fullmatch(pattern.replace("@", name), plain)
        if found:
            return kind, *sorted(found.groups())
    counted = rf"({'|'.join(_COUNTS)}) ([a-z ]*?(?:child(?:ren)?|sons?|daughters?|brothers?|sisters?|m[ae]n|wom[ae]n|couples?))\b"
    count = re.search(rf"(?:has|contains|includes) exactly {counted}", plain)
    if count:
        return "count", *[part for part in count.groups() if part], *re.findall(rf"^(?:{name})\b", plain)
    left, right = re.split(r" is (?:called |named )?", plain, maxsplit=1)
    person, phrase = (left, right) if left in names else (right, left)
    assert person in names, sentence
    if phrase.lower().startswith("the "):
        *words, last = re.split(r" of ", phrase[4:])
        return person, *[word.removeprefix("the ") for word in words], last
    return person, *[each.removesuffix("'") for each in _owners(phrase)][::-1]


def _owners(phrase: str) -> list[str]:
    """ "Kim's mother's only brother" as its parts."""
    return re.split(r"(?<=')(?:s)? ", phrase)


_READERS = {
    "cryptogram": _cryptogram,
    "navigation": _map,
    "hanoi": _towers,
    "crypto": _ciphers,
    "zebra": _attributes,
    "logic_grid": _attributes,
    "ordering": _order,
    "kumo": _book,
    "seating": _seats,
    "blood_relations": _relatives,
}
