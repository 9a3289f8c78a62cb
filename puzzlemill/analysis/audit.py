"""`puzzlemill audit`: rows of a release that occur in a text corpus.

Contract (docs/design/contamination.md says why):
  texts      of a row are its prompt, its board in other usual notations, and its gold reply; and the data set's canary. All are
             folded (solvers/kernels/windows.py), so that line ends, case, punctuation, quoting and escapes do not matter.
  evidence   is counted in bits: how much choice there was in what a text says. The template's words count nothing.
  found      is a text of which stretches of PART bits or more stand in the corpus, in their order and about as far apart as in
             the text, that have BITS together. They are looked for by the fingerprints of windows that belong to one group
             alone, and are compared letter by letter.
  untold     are rows whose whole prompt has fewer than BITS bits: finding it would prove nothing. Small classes, whose puzzles
             every release has again, are not looked for.
  memory     is bounded: files are read in pieces, and what a stretch may reach over is read again.
"""

from __future__ import annotations

import os
import re
import stat
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from math import lgamma, log, log2
from pathlib import Path
from typing import Any, NamedTuple

from puzzlemill.analysis import tables
from puzzlemill.analysis.rows import naming, puzzle_of
from puzzlemill.analysis.tables import text_table
from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.factory.read import Release, rows
from puzzlemill.factory.workers import WorkerPool, in_order, prepared
from puzzlemill.questions.asks import layout_of
from puzzlemill.scoring.prompt import prompt

BITS = 40.0  # of a copy; two texts of the same template agree in that many by chance once in 10**12 pairs
PART = 16.0  # of an unbroken stretch of a copy, and of the windows by which stretches are looked for
SIZES = (24, 64, 160, 400)  # of windows
PIECE = 4 << 20  # bytes read at once
BLOCK = 64 << 20  # bytes of one task
REACH = 1 << 16  # bytes before a piece that are read again, at least
SHOWN = 5  # places listed for each text
TEXT = (".txt", ".md", ".jsonl", ".json", ".csv", ".tsv", ".html", ".xml", ".log", ".py")
PACKED = (".gz", ".zst")
KINDS = ("canary", "prompt", "board", "answer")
_COLUMNS = ("id", "group_id", "family", "variant", "split", "prompt", "gold_reply", "puzzle", "reply_format", "canary")


# ---- bits of a text --------------------------------------------------------------------------------------------------

_WORD = "[A-Za-z0-9]"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    place = 0
    for line in text.split("\n"):
        yield place, line
        place += len(line) + 1


def _cells(line: str) -> list[str]:
    """The cells of a board's row: three or more tokens of at most two characters; [] for any other line."""
    cells = line.split()
    return cells if len(cells) >= 3 and all(len(cell) <= 2 for cell in cells) else []


def board(text: str, bare: str) -> list[list[str]]:
    """The cells of the board with givens in a prompt, row by row; [] if it has none.

    bare: the prompt without its clues. A board is two or more rows of equally many cells, some of them dots, not all of them
    in bare.
    """
    block: list[list[str]] = []
    known = {line for _, line in _lines(bare)}
    fresh = False
    for line in [*text.split("\n"), ""]:
        cells = _cells(line)
        if cells and (not block or len(cells) == len(block[0])):
            block.append(cells)
            fresh = fresh or line not in known
            continue
        if fresh and len(block) > 1 and any("." in row for row in block):
            return block
        block, fresh = [], False
    return []


def prompt_bits(text: str, bare: str, columns: Sequence[Sequence[str]]) -> dict[int, float]:
    """Bits of a prompt beyond its template, by place of the last character of each word or cell that has some.

    Only what replies could name counts (columns: the tokens of a reply's columns), and the dots of a board, in lines that are not
    in bare: a cell by how often cells are empty on this board and how many values there are (two thirds of it, for the rules
    leave less choice), a name in a sentence by the number of names, a number in a sentence as one bit. Other words count nothing.
    """
    known = {line for _, line in _lines(bare)}
    cells = [cell for row in board(text, bare) for cell in row]
    empty = min(max(cells.count(".") / len(cells), 0.02), 0.98) if cells else 0.5
    tokens = {token for column in columns for token in column}
    values = max((len(column) for column in columns), default=2)
    names = sorted((token for token in tokens if len(token) > 2 and not token.isdigit()), key=len, reverse=True)
    numbers = sorted((token for token in tokens if token.isdigit()), key=len, reverse=True)
    spelled = "|".join(re.escape(token) for token in [*names, *numbers])
    pattern = re.compile(f"(?<!{_WORD})(?:{spelled})(?!{_WORD})") if spelled else None
    found: dict[int, float] = {}
    for place, line in _lines(text):
        if line in known:
            continue
        row = _cells(line)
        if row:
            for cell in re.finditer(r"\S+", line):
                if cell[0] == ".":
                    found[place + cell.end() - 1] = -log2(empty)
                elif cell[0] in tokens:
                    found[place + cell.end() - 1] = -log2(1 - empty) + log2(values) / 1.5
            continue
        for match in pattern.finditer(line) if pattern else ():
            found[place + match.end() - 1] = 1.0 if match[0].isdigit() else log2(max(2, len(names)))
    return found


def answer_bits(text: str, columns: Sequence[Sequence[str]], grid: bool, joined: bool = False) -> dict[int, float]:
    """The same for a right reply. joined: its tokens stand side by side, without anything between them.

    A cell of a grid has about 2/7 of its logarithm (there are 10**21.8 sudoku grids, not 10**77), a name in a table what one
    place of a permutation does, a number there nothing.
    """
    found: dict[int, float] = {}
    each: dict[str, float] = {}
    for column in columns:
        n = len(column)
        for token in column:
            if grid:
                each[token] = log2(max(n, 1)) / 3.5
            elif not token.isdigit():
                each[token] = (lgamma(n + 1) / log(2)) / max(n, 1)
    spelled = "|".join(re.escape(token) for token in sorted(each, key=len, reverse=True))
    if not joined:
        spelled = spelled and f"(?<!{_WORD})(?:{spelled})(?!{_WORD})"
    for match in re.finditer(spelled, text) if spelled else ():
        found[match.end() - 1] = each[match[0]]
    return found


@dataclass(frozen=True, slots=True)
class Text:
    """One folded text of a row. row: its place in the index; upto: bits of the first 0, 1, ... letters."""

    row: int
    kind: str
    notation: str
    folded: bytes
    upto: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A row of the release that is looked for. enough: whether its prompt has bits enough; answer_enough: likewise its answer."""

    id: str
    group: str
    family: str
    variant: str
    split: str
    enough: bool
    answer_enough: bool


@dataclass(slots=True)
class Index:
    """All texts of a release. keys: fingerprints by size of window; owners: (text, place) of each."""

    rows: list[Known]
    texts: list[Text]
    keys: dict[int, list[int]]
    owners: dict[int, list[list[tuple[int, int]]]]
    small: int
    reach: int


def notations(cells: Sequence[str]) -> dict[str, list[str]]:
    """The cells of a board, dots for the empty ones, in other usual notations."""
    numbers = {int(cell) for cell in cells if cell.isdigit()}
    found = {}
    if numbers and 0 not in numbers and max(numbers) > 1:
        found["zeros"] = ["0" if cell == "." else cell for cell in cells]
    if numbers and 9 < max(numbers) <= 35:
        short = [cell if not cell.isdigit() or int(cell) < 10 else chr(55 + int(cell)) for cell in cells]
        found["hexadecimal"] = short
        found["hexadecimal, zeros"] = ["0" if cell == "." else cell for cell in short]
    return found


def texts_of(row: Mapping[str, Any]) -> list[tuple[str, str, str, dict[int, float]]] | None:
    """(kind, notation, text, bits by place) of every text of a row; None for a row of a small class."""
    family, puzzle = puzzle_of(row)
    if family.small.puzzles(puzzle.spec) is not None:
        return None
    layout = layout_of(family, puzzle)
    if not puzzle.clues and not layout.text:  # a puzzle of moves: too few of them, and their routes have long parts in common
        return [("prompt", "", row["prompt"], {}), ("answer", "", row["gold_reply"], {})]
    columns = [column.tokens for column in layout.columns]
    bare = prompt(puzzle.with_clues(()), row["reply_format"])
    found = [("prompt", "", row["prompt"], prompt_bits(row["prompt"], bare, columns))]
    cells = [cell for line in board(row["prompt"], bare) for cell in line]
    if cells:
        empty = min(max(cells.count(".") / len(cells), 0.02), 0.98)
        filled = -log2(1 - empty) + log2(max(len(column) for column in columns)) / 1.5
        for name, other in notations(cells).items():
            ends = [end - 1 for end in accumulate(len(cell) for cell in other)]
            bits = {end: -log2(empty) if cell == "." else filled for end, cell in zip(ends, cells, strict=True)}
            found.append(("board", name, "".join(other), bits))
    found.append(("answer", "", row["gold_reply"], answer_bits(row["gold_reply"], columns, layout.grid, bool(layout.text))))
    return found


def index(release: Release) -> Index:
    """Read every row of a release. Raises BadInput where one cannot be read."""
    from puzzlemill.solvers.kernels.windows import fold

    known: list[Known] = []
    texts: list[Text] = []
    small, longest = 0, 0
    canaries: dict[str, None] = {}

    def add(kind: str, notation: str, text: str, bits: Mapping[int, float]) -> float:
        """Keep a text if it has bits enough; all bits of it."""
        raw = text.encode("utf-8", "replace") if text.isascii() else text.encode("ascii", "replace")
        folded, places = fold(raw)
        upto = tuple(accumulate([bits.get(place, 0.0) for place in places.tolist()], initial=0.0))
        if upto[-1] >= BITS:
            texts.append(Text(len(known), kind, notation, folded, upto))
        return upto[-1]

    for row in rows(release, _COLUMNS):
        canaries[row["canary"]] = None
        with naming(row, "read"):
            own = texts_of(row)
        if own is None:
            small += 1
            continue
        longest = max(longest, *[len(text) for _, _, text, _ in own])
        total = [(kind, add(kind, notation, text, bits)) for kind, notation, text, bits in own]
        proving = {kind for kind, bits in total if bits >= BITS}
        names = {"group": row["group_id"], **{name: row[name] for name in ("id", "family", "variant", "split")}}
        known.append(Known(**names, enough="prompt" in proving, answer_enough="answer" in proving))
    for canary in canaries:
        if len(canary) >= 8:  # the shortest part that is asked for is the whole
            each = dict.fromkeys(range(len(canary)), 1.2 * BITS / sum(letter.isalnum() for letter in canary))
            add("canary", "", canary, each)
            known.append(Known("canary", "canary", "", "", "", enough=True, answer_enough=False))
    return _indexed(known, texts, small, max(REACH, 4 * longest))


def _indexed(known: list[Known], texts: list[Text], small: int, reach: int) -> Index:
    from puzzlemill.solvers.kernels.windows import fingerprints

    owners: dict[int, dict[int, list[tuple[int, int]]]] = {size: defaultdict(list) for size in SIZES}
    for number, text in enumerate(texts):
        windows = _windows(text)
        for (place, size), value in zip(windows, fingerprints(text.folded, windows), strict=True):
            owners[size][value].append((number, place))
    found = Index(known, texts, {}, {}, small, reach)
    for size, held in owners.items():
        alone = [
            (value, where) for value, where in sorted(held.items()) if len({known[texts[t].row].group for t, _ in where}) == 1
        ]
        found.keys[size] = [value for value, _ in alone]
        found.owners[size] = [where for _, where in alone]
    return found


def _windows(text: Text) -> list[tuple[int, int]]:
    """Every fourth window: the smallest that has the bits of an anchor."""
    length = len(text.folded)
    found = []
    for place in range(0, length, 4):
        for size in SIZES:
            if place + size > length:
                break
            if text.upto[place + size] - text.upto[place] >= PART:
                found.append((place, size))
                break
    return found


# ---- looking for texts --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Hits:
    """Findings of one text. parts: stretches of it, apart and ascending; places: the first few, with their bits."""

    parts: list[tuple[int, int]] = field(default_factory=list)
    places: list[tuple[str, float]] = field(default_factory=list)
    times: int = 0

    def add(self, begin: int, end: int) -> None:
        merged: list[tuple[int, int]] = []
        for low, high in sorted([*self.parts, (begin, end)]):
            if merged and low <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], high))
            else:
                merged.append((low, high))
        self.parts = merged

    def join(self, other: Hits) -> None:
        for begin, end in other.parts:
            self.add(begin, end)
        self.places = sorted({*self.places, *other.places}, key=lambda place: (-place[1], place[0]))[:SHOWN]
        self.times += other.times


Found = dict[int, Hits]  # by text
Where = Callable[[int], str]  # a place, in words


class Searcher:
    """Looks for the texts of an index in pieces of raw bytes."""

    def __init__(self, known: Index) -> None:
        from puzzlemill.solvers.kernels.windows import Finder, fold

        self.known = known
        self._finder = Finder(known.keys)
        self._fold = fold

    def search(self, raw: bytes, start: int, where: Where, found: Found, fresh: int = 0) -> None:
        """Look in one piece, which begins at place `start`. fresh: what ends in its first so many bytes was seen before."""
        text, places = self._fold(raw)
        parts: dict[int, dict[tuple[int, int], int]] = defaultdict(dict)  # by text: (begin, shift) of stretches: their ends
        seen: dict[tuple[int, int], int] = {}  # (text, shift): up to where this alignment was compared
        for size, at, which in self._finder.find(text):
            for number, place in self.known.owners[size][which]:
                shift = at - place
                if at < seen.get((number, shift), 0):
                    continue
                mine = self.known.texts[number].folded
                if text[at : at + size] != mine[place : place + size]:
                    continue  # another text of the same fingerprint
                ahead = _alike(text[at : at + len(mine) - place], mine[place:])
                back = _alike(text[max(0, shift) : at][::-1], mine[:place][::-1])
                seen[number, shift] = max(at + ahead, seen.get((number, shift), 0))
                parts[number][place - back, shift] = place + ahead
        for number, stretches in parts.items():
            mine_text = self.known.texts[number]
            for begin, held in _together(mine_text, sorted((shift, low, high) for (low, shift), high in stretches.items())):
                end = max(shift + high for shift, _, high in held)
                if int(places[end - 1]) < fresh:
                    continue
                hits = found.setdefault(number, Hits())
                hits.times += 1
                for _, low, high in held:
                    hits.add(low, high)
                if len(hits.places) < SHOWN:
                    hits.places.append((where(start + int(places[begin])), round(_bits(mine_text, held), 1)))


Stretch = tuple[int, int, int]  # place in the corpus less place in the text, begin and end in the text


def _bits(text: Text, held: Sequence[Stretch]) -> float:
    """Bits of the stretches together."""
    hits = Hits()
    for _, low, high in held:
        hits.add(low, high)
    return sum(text.upto[high] - text.upto[low] for low, high in hits.parts)


def _together(text: Text, stretches: Sequence[Stretch]) -> Iterator[tuple[int, list[Stretch]]]:
    """Copies of a text: stretches that stand in about the order and distance that they have in it and have BITS together.

    Each with the place in the corpus where it begins. Every stretch holds a window that was looked for, and so PART bits.
    """
    slack = 64 + len(text.folded) // 8
    held: list[Stretch] = []
    for stretch in [*stretches, None]:
        if stretch is None or (held and stretch[0] - held[0][0] > slack):
            if held and _bits(text, held) >= BITS:
                yield min(shift + low for shift, low, _ in held), held
            held = []
        if stretch is not None:
            held.append(stretch)


def _alike(one: bytes, other: bytes) -> int:
    """Number of bytes that two texts have in common from their beginnings on."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


# ---- reading a corpus ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Job:
    """A part of a file: bytes of a text, or row groups of a Parquet file; a packed text has no end (-1)."""

    path: str
    begin: int
    end: int


@dataclass(slots=True)
class Done:
    """The result of a task. problems: files that could not be read, each in one line."""

    found: Found = field(default_factory=dict)
    bytes: int = 0
    problems: list[str] = field(default_factory=list)


def kind_of(path: Path) -> str | None:
    """ "text", "packed" or "parquet", by the file's name; None for any other."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if not suffixes:
        return None
    if suffixes[-1] == ".parquet":
        return "parquet"
    if suffixes[-1] in PACKED:
        return "packed" if len(suffixes) > 1 and suffixes[-2] in TEXT else None
    return "text" if suffixes[-1] in TEXT else None


@dataclass(slots=True)
class Corpus:
    """The files of a corpus, in the order of their names.

    passed: how many were left out, for their names or because they are links to folders; problems: what could not be listed.
    """

    root: Path
    files: int = 0
    passed: int = 0
    problems: list[str] = field(default_factory=list)

    def jobs(self) -> Iterator[Job]:
        if not self.root.is_dir():
            named = "packed" if self.root.suffix.lower() in PACKED else "text"
            yield from self._jobs(self.root, kind_of(self.root) or named)
            return
        for folder, names, files in os.walk(self.root, onerror=self._unlisted):
            names.sort()
            self.passed += sum((Path(folder) / name).is_symlink() for name in names)
            for name in sorted(files):
                path = Path(folder) / name
                kind = kind_of(path)
                if kind is None:
                    self.passed += 1
                else:
                    yield from self._jobs(path, kind)

    def _unlisted(self, error: OSError) -> None:
        self.problems.append(f"{_shown(str(error.filename))}: cannot be listed ({error.strerror})")

    def _jobs(self, path: Path, kind: str) -> Iterator[Job]:
        try:
            status = path.stat()
        except OSError as error:
            self.problems.append(f"{_shown(str(path))}: cannot be read ({error.strerror})")
            return
        if not stat.S_ISREG(status.st_mode):
            self.problems.append(f"{_shown(str(path))}: not a plain file")
            return
        self.files += 1
        if kind == "packed":
            yield Job(str(path), 0, -1)
        elif kind == "parquet":
            yield from self._row_groups(path, status.st_size)
        else:
            yield from (Job(str(path), at, min(at + BLOCK, status.st_size)) for at in range(0, status.st_size, BLOCK))

    def _row_groups(self, path: Path, size: int) -> Iterator[Job]:
        from puzzlemill.factory.read import parquet

        try:
            with parquet(path) as file:
                count = file.num_row_groups
        except BadFile:
            self.problems.append(f"{_shown(str(path))}: cannot be read as Parquet")
            return
        each = max(1, count * BLOCK // max(size, 1))
        yield from (Job(str(path), at, min(at + each, count)) for at in range(0, count, each))


def _shown(path: str) -> str:
    """A path as one line that any terminal takes."""
    return path.encode("utf-8", "backslashreplace").decode() if path.isprintable() else ascii(path)


def _work(searcher: Searcher, jobs: Sequence[Job]) -> Done:
    done = Done()
    for job in jobs:
        try:
            if job.path.lower().endswith(".parquet"):
                _parquet(searcher, job, done)
            else:
                _text(searcher, job, done)
        except OSError as error:
            what = error.strerror or " ".join(str(error).split())[:120] or type(error).__name__
            done.problems.append(f"{_shown(job.path)}: cannot be read to its end ({what})")
        except EOFError:
            done.problems.append(f"{_shown(job.path)}: cannot be read to its end (it is cut short)")
    return done


def _text(searcher: Searcher, job: Job, done: Done) -> None:
    import zlib

    reach = searcher.known.reach
    name = _shown(job.path)
    at, before = max(0, job.begin - reach), b""

    def where(place: int) -> str:
        return f"{name}, byte {place}"

    with _opened(job.path) as file:
        if at:
            file.seek(at)
        while job.end < 0 or at < job.end:
            try:
                piece = file.read(PIECE if job.end < 0 else min(PIECE, job.end - at))
            except zlib.error as error:
                raise OSError(str(error)) from None
            if not piece:
                break
            raw, start = before + piece, at - len(before)
            fresh = max(at, job.begin) - start  # what ends before the block belongs to the one before it
            searcher.search(raw, start, where, done.found, fresh)
            at += len(piece)
            done.bytes += len(piece)
            before = raw[-reach:]
    if job.end >= 0:
        done.bytes -= job.begin - max(0, job.begin - reach)


def _opened(path: str) -> Any:
    if path.lower().endswith(".gz"):
        import gzip

        return gzip.open(path, "rb")
    if path.lower().endswith(".zst"):
        import pyarrow as pa

        return pa.input_stream(path, compression="zstd")
    return Path(path).open("rb")


def _parquet(searcher: Searcher, job: Job, done: Done) -> None:
    import pyarrow as pa

    from puzzlemill.factory.read import BATCH, parquet
    from puzzlemill.factory.unpack import unpacked

    name = _shown(job.path)
    try:
        with parquet(Path(job.path)) as file:
            columns = [field.name for field in file.schema_arrow if _has_text(field.type)]
            for group in range(job.begin, job.end) if columns else ():
                row = sum(file.metadata.row_group(i).num_rows for i in range(group))
                for batch in unpacked(Path(job.path), file, [group], columns, BATCH, most=None):
                    for column, values in zip(batch.schema.names, batch.columns, strict=True):
                        for texts in _strings(values):
                            top = texts is values or pa.types.is_dictionary(values.type)
                            _column(searcher, texts, f"{name}, column {_shown(column)}, row", row, len(batch), top, done)
                    row += len(batch)
    except BadFile:
        done.problems.append(f"{name}: cannot be read as Parquet")
    except pa.ArrowException as error:
        done.problems.append(f"{name}: cannot be read to its end ({' '.join(str(error).split())[:120]})")


def _column(searcher: Searcher, texts: Any, place: str, row: int, count: int, top: bool, done: Done) -> None:
    """Search an array of strings; its bytes stand one after another in memory. top: one string for each row."""
    import pyarrow as pa

    texts = texts.cast(pa.large_binary()) if not pa.types.is_large_binary(texts.type) else texts
    _, raw_ends, values = texts.buffers()
    if values is None or raw_ends is None:
        return
    ends = memoryview(raw_ends).cast("q")[texts.offset : texts.offset + len(texts) + 1]
    reach = searcher.known.reach

    def where(at: int) -> str:
        return f"{place} {row + bisect_right(ends, at) - 1}" if top else f"{place}s {row} to {row + count - 1}"

    for begin in range(ends[0], ends[-1], PIECE):
        start = max(ends[0], begin - reach)
        end = min(begin + PIECE, ends[-1])
        searcher.search(values[start:end].to_pybytes(), start, where, done.found, begin - start)
    done.bytes += ends[-1] - ends[0]


def _has_text(kind: Any) -> bool:
    import pyarrow as pa

    types = pa.types
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return True
    if types.is_dictionary(kind):
        return _has_text(kind.value_type)
    return any(_has_text(kind.field(i).type) for i in range(kind.num_fields)) if types.is_nested(kind) else False


def _strings(values: Any) -> Iterator[Any]:
    """The arrays of strings in an array of whatever nesting."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_dictionary(kind):
        yield from _strings(values.dictionary_decode())
    elif pa.types.is_struct(kind):
        for part in values.flatten():
            yield from _strings(part)
    elif pa.types.is_map(kind):
        yield from _strings(values.keys)
        yield from _strings(values.items)
    elif pa.types.is_nested(kind) and hasattr(values, "flatten"):
        yield from _strings(values.flatten())
    elif _has_text(kind):
        yield values


# ---- the audit ----------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A place in a corpus where a text was found, in words, and the bits of it that were."""

    where: str
    bits: float


@dataclass(frozen=True, slots=True)
class Finding:
    """One text of a row that was found. share: of its bits, in all stretches together."""

    id: str
    group_id: str
    family: str
    variant: str
    split: str
    kind: str
    notation: str
    share: float
    times: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of an audit.

    rows: how many were looked for, by (family, variant, split); untold: rows whose prompts have too few bits, likewise; small:
    rows of small classes, not looked for; problems: what could not be read.
    """

    findings: tuple[Finding, ...]
    rows: Mapping[tuple[str, str, str], int]
    untold: Mapping[tuple[str, str, str], int]
    answers_untold: int
    small: int
    files: int
    passed: int
    bytes: int
    problems: tuple[str, ...]


def audit(release: Release, corpus: Path, workers: int = 2, progress: Callable[[int, int], None] = lambda *_: None) -> Audit:
    """Look for every row of a release in a corpus. progress(files, bytes) is called now and then.

    Raises BadInput if the release or the whole corpus cannot be read; single files that cannot be are named in the result.
    """
    if workers < 1:
        raise BadParams(f"workers: expected a number of processes from 1 on, got {workers}")
    if not corpus.exists():
        raise BadFile(f"{corpus}: no such file or folder; name a text, JSON lines or Parquet file, or a folder of them")
    known = index(release)
    files = Corpus(corpus)
    total = Done()

    def take(done: Done) -> None:
        for number, hits in done.found.items():
            total.found.setdefault(number, Hits()).join(hits)
        total.bytes += done.bytes
        total.problems += done.problems
        progress(files.files, total.bytes)

    with nullcontext() if workers == 1 else WorkerPool(workers, Searcher, known) as pool:
        work = partial(_work, Searcher(known)) if pool is None else partial(prepared, _work)
        for _, done in in_order(pool, work, _batches(files.jobs()), 2 * workers):
            take(done)
    if files.files == 0 and not files.problems:
        raise BadInput(
            f"{corpus}: holds no file to look in; names end with {', '.join(TEXT)} (also with .gz or .zst) or .parquet"
        )
    return _result(known, total, files)


def _batches(jobs: Iterator[Job]) -> Iterator[list[Job]]:
    """Jobs by the task: small files together."""
    batch: list[Job] = []
    weight = 0
    for job in jobs:
        batch.append(job)
        weight += BLOCK // 4 if job.end < 0 or job.path.endswith(".parquet") else job.end - job.begin
        if weight >= BLOCK or len(batch) >= 256:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _result(known: Index, total: Done, files: Corpus) -> Audit:
    findings = []
    for number, hits in total.found.items():
        text = known.texts[number]
        row = known.rows[text.row]
        share = sum(text.upto[end] - text.upto[begin] for begin, end in hits.parts) / text.upto[-1]
        places = tuple([Place(*place) for place in sorted(hits.places, key=lambda place: (-place[1], place[0]))])
        names = (row.id, row.group, row.family, row.variant, row.split, text.kind, text.notation)
        findings.append(Finding(*names, round(share, 4), hits.times, places))
    prompts = {one.id: one.share for one in findings if one.kind == "prompt"}  # a board's other notation may be the prompt's too
    findings = [one for one in findings if one.kind != "board" or one.share > prompts.get(one.id, 0.0)]
    findings.sort(key=lambda one: (one.family, one.split, -one.share, one.id, KINDS.index(one.kind), one.notation))
    real = [row for row in known.rows if row.family]
    return Audit(
        tuple(findings),
        Counter((row.family, row.variant, row.split) for row in real),
        Counter((row.family, row.variant, row.split) for row in real if not row.enough),
        sum(not row.answer_enough for row in real),
        known.small,
        files.files,
        files.passed,
        total.bytes,
        tuple(sorted({*files.problems, *total.problems})),
    )


def to_json(found: Audit) -> dict[str, Any]:
    """The audit as plain values."""
    return {
        "canary_found": any(one.kind == "canary" for one in found.findings),
        "found": tables.to_json(found.findings),
        "summary": [
            dict(zip(("family", "variant", "split", "rows", "found", "answers", "untold"), line, strict=True))
            for line in summary(found)
        ],
        "answers_untold": found.answers_untold,
        "small_class_rows": found.small,
        "corpus": {"files": found.files, "passed_over": found.passed, "bytes": found.bytes, "problems": list(found.problems)},
    }


def summary(found: Audit) -> list[tuple[str, str, str, int, int, int, int]]:
    """(family, variant, split, rows, rows whose puzzle was found, rows whose answer was, rows with too few bits)."""
    puzzles: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    answers: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for one in found.findings:
        (answers if one.kind == "answer" else puzzles)[one.family, one.variant, one.split].add(one.id)
    return [
        (*cell, count, len(puzzles[cell]), len(answers[cell]), found.untold.get(cell, 0))
        for cell, count in sorted(found.rows.items())
    ]


def to_text(found: Audit) -> str:
    """The audit for a person."""
    lines = []
    for one in found.findings:
        what = f"{one.kind} ({one.notation})" if one.notation else one.kind
        who = "the data set" if one.kind == "canary" else f"{one.id} ({one.variant}, {one.split})"
        more = f", {one.times} times" if one.times > 1 else ""
        lines.append(f"{who}: {what} found, {one.share:.0%}{more}: {one.places[0][0]}")
    if lines:
        lines.append("")
    table = [(*line[:3], *[f"{n:,}" for n in line[3:]]) for line in summary(found)]
    lines.append(text_table(["family", "variant", "split", "rows", "found", "answers", "untold"], table))
    canary = "found" if any(one.kind == "canary" for one in found.findings) else "not found"
    puzzles = {one.id for one in found.findings if one.kind in ("prompt", "board")}
    answers = {one.id for one in found.findings if one.kind == "answer"}
    lines.append(
        f"\n{len(puzzles):,} of {sum(found.rows.values()):,} rows found, {len(answers):,} answers found; canary {canary}; "
        f"{sum(found.untold.values()):,} rows and {found.answers_untold:,} answers cannot be told, "
        f"{found.small:,} rows of small classes not looked for"
    )
    lines.append(f"{found.files:,} files, {found.bytes:,} bytes; {found.passed:,} other files passed over")
    return "\n".join(lines)
