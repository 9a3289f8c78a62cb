"""Small Parquet files that unpack to more than a machine holds are refused before they do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from puzzlemill.core.errors import BadFile
from puzzlemill.factory import unpack
from puzzlemill.factory.read import batches

TEXT = "x" * 3_000_000
SMALL = 200_000  # bytes of a file that is a bomb


def repeated(values: pa.Array, times: int) -> pa.DictionaryArray:
    """The values over and over, without writing them out."""
    return pa.DictionaryArray.from_arrays(pa.array([i % len(values) for i in range(times)], pa.int32()), values)


def dictionary(path: Path) -> None:
    """One text of 3 MB, 300 times: 800 MB."""
    table = pa.table({"a": repeated(pa.array([TEXT]), 300)})
    pq.write_table(table, path, compression="zstd", dictionary_pagesize_limit=1 << 23)


def nested(path: Path) -> None:
    """The same, as fields of structs in lists of one row."""
    part = pa.StructArray.from_arrays([repeated(pa.array([TEXT]), 300)], ["text"])
    column = pa.ListArray.from_arrays(pa.array([0, 300], pa.int32()), part)
    pq.write_table(pa.table({"a": column}), path, compression="zstd", dictionary_pagesize_limit=1 << 23)


def page(path: Path) -> None:
    """One text of 24 MB."""
    pq.write_table(pa.table({"a": [TEXT * 8]}), path, compression="zstd", use_dictionary=False)


def pages(path: Path) -> None:
    """Ten texts of 3 MB, each a page of its own."""
    pq.write_table(
        pa.table({"a": [TEXT + str(i) for i in range(10)]}),
        path,
        compression="zstd",
        use_dictionary=False,
        data_page_size=1,
        write_batch_size=1,
    )


def prefixes(path: Path) -> None:
    """Texts that each repeat most of the one before: 3 MB in one page, 36 MB when decoded."""
    pq.write_table(
        pa.table({"a": [TEXT + str(i) for i in range(12)]}),
        path,
        compression="zstd",
        use_dictionary=False,
        column_encoding={"a": "DELTA_BYTE_ARRAY"},
    )


def run_lengths(path: Path) -> None:
    """A list of three million equal numbers in one row."""
    column = pa.ListArray.from_arrays(pa.array([0, 3_000_000], pa.int32()), pa.repeat(pa.scalar(7, pa.int32()), 3_000_000))
    pq.write_table(pa.table({"a": column}), path, compression="zstd", data_page_size=1 << 30)


def wide(path: Path) -> None:
    """Texts of one length, which pyarrow does not decode as dictionaries."""
    value = pa.array([TEXT.encode()], pa.binary(len(TEXT)))
    table = pa.table({"a": repeated(value, 8).dictionary_decode()})
    pq.write_table(table, path, compression="zstd", dictionary_pagesize_limit=1 << 23)


def lying(path: Path) -> None:
    """The list of equal numbers, and a footer that states a hundred of them in as many bytes."""
    run_lengths(path)
    chunk = pq.read_metadata(path).row_group(0).column(0)
    raw = path.read_bytes()
    for true, stated in ((chunk.num_values, 100), (chunk.total_uncompressed_size, 100)):
        was = varint(2 * true)
        at = raw.index(b"\x16" + was, len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")) + 1
        raw = raw[:at] + varint(2 * stated, len(was)) + raw[at + len(was) :]
    path.write_bytes(raw)
    chunk = pq.read_metadata(path).row_group(0).column(0)
    assert chunk.num_values == chunk.total_uncompressed_size == 100


def varint(number: int, length: int = 0) -> bytes:
    """A number as Thrift writes it, in so many bytes or in as few as it takes."""
    digits = []
    while number or len(digits) < length or not digits:
        digits.append(number & 127)
        number >>= 7
    return bytes([digit | 128 for digit in digits[:-1]] + digits[-1:])


@pytest.mark.parametrize("write", [dictionary, nested, page, pages, prefixes, run_lengths, wide, lying])
def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path: Path, write: Callable[[Path], None]) -> None:
    """A file of some kilobytes takes all memory of whoever looks at it."""
    path = tmp_path / "a.parquet"
    write(path)
    assert path.stat().st_size < SMALL
    with pytest.raises(BadFile, match=r"a\.parquet: row group 0 unpacks to .* bytes; at most \d+ are read"):
        list(batches(path))


def test_a_column_of_another_name_is_refused(tmp_path: Path) -> None:
    """One altered byte ends a verification with a KeyError of the library."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"split": ["train"] * 100}), path)
    raw = path.read_bytes()
    at = raw.rindex(b"split")  # the name that the row group states
    path.write_bytes(raw[:at] + b"spmit" + raw[at + 5 :])
    with pytest.raises(BadFile, match=r"a\.parquet: .*column"):
        list(batches(path))


def test_a_row_of_its_own_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file may unpack to much, but no row of a release is so large."""
    pq.write_table(pa.table({"a": ["x", TEXT]}), tmp_path / "a.parquet")
    monkeypatch.setattr(unpack, "PIECE", 1_000_000)
    with pytest.raises(BadFile, match=r"a row takes 3\d+ bytes; at most 1000000 are read"):
        list(batches(tmp_path / "a.parquet"))


def test_rows_come_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are bounded by their number only, or are lost or reordered where a batch is cut."""
    rows = [{"a": [{"b": "x" * 5_000, "c": i}], "d": None if i % 3 else f"{i}"} for i in range(100)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet", row_group_size=40)
    monkeypatch.setattr(unpack, "PIECE", 50_000)
    found = list(batches(tmp_path / "a.parquet"))
    assert [row for batch in found for row in batch] == rows
    assert 12 < len(found) < 40


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip"])
def test_files_of_other_writers_are_read(tmp_path: Path, encoding: str, version: str, compression: str) -> None:
    """The headers of pages are read right in one form only."""
    rows = [{"text": f"text {i % 7} é", "n": i, "nested": [{"a": None if i % 2 else "x"}] * (i % 3)} for i in range(3_000)]
    kind: dict[str, Any] = {"use_dictionary": ["nested"], "column_encoding": {"text": encoding}}
    pq.write_table(
        pa.Table.from_pylist(rows), tmp_path / "a.parquet", data_page_version=version, compression=compression,
        row_group_size=1_000, data_page_size=500, write_statistics=encoding == "PLAIN", **kind,
    )  # fmt: skip
    assert [row for batch in batches(tmp_path / "a.parquet") for row in batch] == rows
    some = [row for batch in batches(tmp_path / "a.parquet", ("n", "nested"), [1]) for row in batch]
    assert some == [{"n": row["n"], "nested": row["nested"]} for row in rows[1_000:2_000]]


@pytest.mark.parametrize(
    "raw", ["", "15", "1c1c1c1c1c1c1c1c1c1c1c", "19f5ffffff0f", "150015ffffffffffffffffffff01", "28ffffff7f", "00"]
)
def test_headers_that_are_none(tmp_path: Path, raw: str) -> None:
    """A broken header ends in a traceback or in a loop."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": ["some", "texts"]}), path, compression="none")
    begin = pq.read_metadata(path).row_group(0).column(0).dictionary_page_offset
    whole = bytearray(path.read_bytes())
    whole[begin : begin + len(raw) // 2] = bytes.fromhex(raw)
    whole[begin + len(raw) // 2 : begin + 30] = bytes(30 - len(raw) // 2)
    path.write_bytes(whole)
    with pytest.raises(BadFile, match=r"a\.parquet: row group 0 holds pages that cannot be read; restore the file"):
        list(batches(path))


def test_a_column_that_is_named_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), path)
    with pytest.raises(BadFile, match="names a column twice"):
        list(batches(path))


def test_a_file_without_rows(tmp_path: Path) -> None:
    schema = pa.schema([("a", pa.string())])
    pq.write_table(schema.empty_table(), tmp_path / "a.parquet")
    assert [row for batch in batches(tmp_path / "a.parquet") for row in batch] == []
