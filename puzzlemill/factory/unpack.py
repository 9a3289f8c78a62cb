"""Parquet within bounds: a small file can state, or unpack to, more than a machine holds.

What a footer states of sizes may be a lie, and with dictionaries and run lengths even true sizes say little: 43 KB can hold one
text of 3 MB and the number of times that it is repeated. So the header of every page is read before pyarrow reads the page
(pyarrow takes memory by what these headers state), texts are decoded as dictionaries, and what they come to is counted before
they are written out. What a row group may come to is measured by its bytes in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile

SPARE, RATIO = 16 << 20, 500  # a row group may unpack to SPARE + RATIO times its bytes; rows of ours unpack to 10 times theirs
MOST = 512 << 20  # bytes of a row group of a release, however large it is; 1,000 rows of 25x25 sudoku come to half of that
PIECE = 32 << 20  # bytes of the rows that are written out at once
VALUE = 64  # bytes that a value takes besides its text, as an object
_HEADER = 1 << 16  # bytes of a page's header; its statistics are the longest part
_DEPTH = 8  # of nested structs in it
_NO_DICTIONARY = (6, 7)  # DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY: pyarrow cannot read them into dictionaries


def unpacked(
    path: Path, file: Any, groups: Sequence[int], columns: Sequence[str] | None, rows: int, most: int | None = MOST
) -> Iterator[Any]:
    """Record batches of at most so many rows, and of PIECE bytes unless one row has more.

    file: the open pyarrow.parquet.ParquetFile of the path. columns: top-level names, None for all. most: bytes of a row group,
    and then a row has no more than PIECE; None for none. Raises BadFile for a file that unpacks to too much.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = file.schema_arrow
    if len(set(schema.names)) < len(schema.names):
        raise BadFile(f"{path}: names a column twice; restore the file or build the release again")
    for group in groups:
        if not file.metadata.row_group(group).num_rows:  # its chunks may state no place
            continue
        allowed, dictionaries, widest = check_pages(path, file.metadata, group, columns, most)
        # where texts are no dictionaries, each may be as long as its page
        count = rows if widest == 0 else max(1, min(rows, PIECE // widest))
        try:
            coded = pq.ParquetFile(
                path, metadata=file.metadata, read_dictionary=dictionaries, memory_map=False, page_checksum_verification=True
            )
        except KeyError:  # a part states the name of another column than the schema
            raise BadFile(f"{path}: row group {group} has a column that the schema has not; restore the file") from None
        with coded:
            total = 0
            for batch in coded.iter_batches(batch_size=count, columns=columns, row_groups=[group], use_threads=False):
                total += (size := size_of(batch))
                if total > allowed:
                    raise _too_much(path, group, f"{total} bytes", allowed)
                for piece, takes in _pieces(batch, size):
                    if most is not None and len(piece) == 1 and takes > PIECE:
                        raise BadFile(f"{path}: a row takes {takes} bytes; at most {PIECE} are read; restore the file")
                    plain = pa.schema([schema.field(name) for name in piece.schema.names])
                    yield piece.cast(plain) if dictionaries else piece


def _pieces(batch: Any, size: int) -> Iterator[tuple[Any, int]]:
    """Parts of a batch of this size, each with its own."""
    if len(batch) < 2 or size <= PIECE:
        yield batch, size
        return
    half = len(batch) // 2
    for part in (batch.slice(0, half), batch.slice(half)):
        yield from _pieces(part, size_of(part))


def size_of(batch: Any) -> int:
    """The bytes that a record batch comes to when its dictionaries are written out and its values are objects."""
    return sum(_size(column) for column in batch.columns)


def _size(array: Any) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        return _size(array.storage)
    if pa.types.is_dictionary(kind):
        if pa.types.is_primitive(kind.value_type):
            return VALUE * len(array)
        lengths = pc.binary_length(array.dictionary).cast(pa.int64())
        return VALUE * len(array) + (pc.sum(pc.take(lengths, array.indices)).as_py() or 0)
    if pa.types.is_struct(kind):
        return VALUE * len(array) + sum(_size(part) for part in array.flatten())
    if pa.types.is_nested(kind):
        return VALUE * len(array) + _size(array.flatten())
    return VALUE * len(array) + int(array.nbytes)


def check_pages(
    path: Path, metadata: Any, group: int, columns: Sequence[str] | None = None, most: int | None = MOST
) -> tuple[int, list[str], int]:
    """Raise BadFile if the pages of a row group unpack to more than is allowed for its bytes in the file.

    Returns the bytes that are allowed, the columns of texts that can be read as dictionaries, and the widest page of the others.
    """
    size = path.stat().st_size
    footer = metadata.row_group(group)
    every = [(footer.column(i), metadata.schema.column(i)) for i in range(footer.num_columns)]
    chunks = [pair for pair in every if columns is None or pair[0].path_in_schema.partition(".")[0] in columns]
    packed = min(size, sum(max(0, chunk.total_compressed_size) for chunk, _ in chunks))
    allowed = SPARE + RATIO * packed if most is None else min(most, SPARE + RATIO * packed)
    stated = sum(max(chunk.total_uncompressed_size, chunk.num_values) for chunk, _ in chunks)
    if stated > allowed:
        raise _too_much(path, group, f"{stated} bytes", allowed)
    dictionaries, widest, total = [], 0, 0
    with path.open("rb") as file:
        for chunk, kind in chunks:
            # a value takes a level, a place in the dictionary and an offset; texts of one length are decoded as they are
            each = max(8, kind.length or 0) if kind.physical_type == "FIXED_LEN_BYTE_ARRAY" else 8
            begin = chunk.data_page_offset
            if chunk.has_dictionary_page and 0 < (chunk.dictionary_page_offset or 0) < begin:
                begin = chunk.dictionary_page_offset
            encodings, wide = set(), 0
            for unpacks, values, encoding in _pages(file, begin, begin + chunk.total_compressed_size, size, path, group):
                total += unpacks + each * values
                if total > allowed:
                    raise _too_much(path, group, f"at least {total} bytes", allowed)
                encodings.add(encoding)
                wide = max(wide, unpacks)
            if kind.physical_type == "BYTE_ARRAY":
                if encodings.isdisjoint(_NO_DICTIONARY):
                    dictionaries.append(chunk.path_in_schema)
                else:
                    widest = max(widest, wide)
    return allowed, dictionaries, widest


def _too_much(path: Path, group: int, what: str, allowed: int) -> BadFile:
    return BadFile(
        f"{path}: row group {group} unpacks to {what}; at most {allowed} are read of one of its size; "
        "restore the file or build the release again"
    )


# ---- headers of pages ---------------------------------------------------------------------------------------------------


def _pages(file: Any, begin: int, end: int, size: int, path: Path, group: int) -> Iterator[tuple[int, int, int]]:
    """What each page of a column chunk states: bytes when unpacked, values, encoding."""
    bad = BadFile(f"{path}: row group {group} holds pages that cannot be read; restore the file or build the release again")
    if not 0 < begin <= end <= size:
        raise bad
    at = begin
    while at < end:
        file.seek(at)
        window = _Window(file.read(min(_HEADER, end - at)))
        try:
            header = window.struct(0)
            unpacks, packed = header[2], header[3]
            about = header.get(5) or header.get(7) or header.get(8) or {}  # a page of data, of a dictionary, of data (version 2)
            values, encoding = about.get(1, 0), about.get(4 if 8 in header else 2, 0)
        except (IndexError, KeyError, ValueError, TypeError, AttributeError):
            raise bad from None
        if any(type(number) is not int or number < 0 for number in (unpacks, packed, values)):
            raise bad
        yield unpacks, values, encoding
        at += window.at + packed


class _Window:
    """Some bytes in Thrift's compact protocol. Raises IndexError or ValueError for what is none."""

    def __init__(self, raw: bytes) -> None:
        self.raw, self.at = raw, 0

    def byte(self) -> int:
        self.at += 1
        return self.raw[self.at - 1]

    def number(self) -> int:
        """An unsigned number of up to 64 bits, seven to a byte."""
        raw, at, found = self.raw, self.at, 0
        for shift in range(0, 70, 7):
            byte = raw[at]
            at += 1
            found |= (byte & 127) << shift
            if byte < 128:
                self.at = at
                return found
        raise ValueError

    def struct(self, depth: int) -> dict[int, Any]:
        """Field -> number or struct; fields of other types are passed over."""
        if depth > _DEPTH:
            raise ValueError
        found: dict[int, Any] = {}
        field = 0
        while head := self.byte():
            field = field + (head >> 4) if head >> 4 else _signed(self.number())
            found[field] = self.value(head & 15, depth)
        return found

    def value(self, kind: int, depth: int) -> Any:
        if kind in (4, 5, 6):
            return _signed(self.number())
        if kind in (1, 2):  # true, false
            return None
        if kind == 3:
            return self.byte()
        if kind == 12:
            return self.struct(depth + 1)
        if kind not in (7, 8):  # a double, or a text; no header of a page has lists or maps
            raise ValueError
        length = 8 if kind == 7 else self.number()
        self.at += length
        return None


def _signed(number: int) -> int:
    return (number >> 1) ^ -(number & 1)
