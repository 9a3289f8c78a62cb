"""The ledger: the canonical keys of every puzzle that was published, so that none comes again, turned or renamed.

A *segment* is what one release adds: a Parquet file (family, key_version, key) in ascending order, one row per different puzzle,
the release's version and a digest of its rows' ids in its metadata: later releases name the segment's hash, and so which rows
stood in which split. The keys of a blind split are HMACs under its secret (publish/secret.py), in a segment of
their own that states the secret's commitment: whoever holds the secret can look puzzles up in it, nobody else learns anything.
Puzzles of small classes are in no segment (record.lasts): there are too few of them to be used once.

A `Ledger` is many segments as one index: the keys of all of them, sorted, in a file that is mapped into memory and named after
the segments' hashes. 16 bytes per key; a lookup is a binary search. The index is a cache: a missing or damaged one is built
again from the segments, by a merge that holds one row group (1 MiB) of each segment.

Segments come from a repository that others may write to: what is no segment is a BadFile, and nothing in one is trusted.
"""

from __future__ import annotations

import json
import mmap
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory import record
from puzzlemill.factory.canonical import KEY_VERSION, labelling
from puzzlemill.factory.files import in_one_line, whole
from puzzlemill.factory.read import file_hash, parquet
from puzzlemill.factory.unpack import check_pages
from puzzlemill.publish.secret import KEY_BYTES, blind_key, commitment

FORMAT = 1  # of segments
ROW_GROUP = 1 << 16  # keys; what is read at a time
MAX_ROW_GROUP = 1 << 20  # keys, of segments that others wrote
MAX_ROW_GROUP_BYTES = 64 << 20  # as the footer states them
MAX_KEYS = 1 << 28  # of all segments together: an index of 4 GiB
MAX_SECTIONS = 1_000  # (family, key version) pairs per segment
_METADATA = b"puzzlemill"
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")
_LABELLING = re.compile(r"[0-9a-f]{16}")
_FAMILY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_KEY = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]{0,63}):([0-9]{1,9}):([0-9a-f]{32})")

# numpy orders and compares byte strings of one width as memcmp does; a trailing zero byte counts as the width's filling, which
# is the same for both sides
_WORD = np.dtype(f"S{KEY_BYTES}")
Keys = npt.NDArray[np.bytes_]


def segment_path(version: str) -> str:
    """The path of a release's plain keys in a repository."""
    return f"ledger/{version}.parquet"


def blind_segment_path(version: str) -> str:
    """The path of the keys of a release's blind splits in a repository."""
    return f"ledger/{version}.blind.parquet"


# ---- writing segments ----------------------------------------------------------------------------------------------------


def write_segment(path: Path, rows: Iterable[Mapping[str, Any]], version: str) -> int:
    """Write the segment of a release's rows (as record.row makes them); returns the number of different keys.

    The same rows in any order give the same bytes. Memory: some 200 bytes per row.
    """
    ids: list[str] = []
    return _write(path, _entries(rows, None, ids), version, "", rows_digest(ids))


def write_blind_segment(path: Path, rows: Iterable[Mapping[str, Any]], version: str, secret: bytes) -> int:
    """The same for rows that nobody is to see yet: HMACs of their keys under this secret."""
    return _write(path, _entries(rows, secret, []), version, commitment(secret))


def rows_digest(ids: Iterable[str]) -> str:
    """A digest of rows by their ids, in any order, any number of times; an id hashes the split and the group too."""
    return sha256("\n".join(sorted(set(ids))).encode()).hexdigest()


def _entries(rows: Iterable[Mapping[str, Any]], secret: bytes | None, ids: list[str]) -> list[tuple[str, int, bytes]]:
    """The different keys, sorted. Adds to ids."""
    entries = set()
    for row in rows:
        ids.append(row["id"])
        if record.lasts(row):
            key = row["canonical_key"]
            family, key_version, raw = _parsed(key)
            entries.add((family, key_version, raw if secret is None else blind_key(secret, key)))
    return sorted(entries)


def _parsed(key: str) -> tuple[str, int, bytes]:
    """The family, the key version and the digits of a canonical key."""
    found = _KEY.fullmatch(key)
    if found is None:
        raise BadParams(f"canonical key {key[:120]!r}: expected <family>:<key version>:<32 hex digits>")
    return found[1], int(found[2]), bytes.fromhex(found[3])


def _write(path: Path, entries: Sequence[tuple[str, int, bytes]], version: str, committed: str, rows: str = "") -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not _VERSION.fullmatch(version):
        raise BadParams(f"version {version[:120]!r}: expected letters, digits, dots, dashes and underscores")
    stated = {"ledger": FORMAT, "version": version, "commitment": committed or None, "rows": rows, "labelling": labelling()}
    said = json.dumps(stated, separators=(",", ":"))
    schema = _schema().with_metadata({_METADATA: said.encode()})
    path.parent.mkdir(parents=True, exist_ok=True)
    with pq.ParquetWriter(
        path,
        schema,
        compression={"family": "zstd", "key_version": "zstd", "key": "none"},  # hashes cannot be packed
        use_dictionary=["family", "key_version"],
        sorting_columns=pq.SortingColumn.from_ordering(schema, [(name, "ascending") for name in schema.names]),
        write_page_checksum=True,
    ) as file:
        for start in range(0, len(entries), ROW_GROUP):
            columns = zip(*entries[start : start + ROW_GROUP], strict=True)
            arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
            file.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=ROW_GROUP)
    return len(entries)


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema([("family", pa.string()), ("key_version", pa.int32()), ("key", pa.binary(KEY_BYTES))])


# ---- reading segments ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment's description of itself.

    commitment: of the secret of its keys, "" if they are plain. rows: as rows_digest, "" if it does not say. labelling: as
    canonical.labelling. keys: how many there are.
    """

    path: Path
    sha256: str
    version: str
    commitment: str
    rows: str
    labelling: str
    keys: int
    footer: Any = field(repr=False, compare=False)  # pyarrow's FileMetaData: read once


def inspect_segment(path: Path) -> Segment:
    """Read a segment's footer and hash. Raises BadFile for a file that is no segment."""
    if not path.is_file():
        raise BadFile(f"{path}: no such ledger segment")
    with parquet(path) as file:
        if not file.schema_arrow.equals(_schema(), check_metadata=False):
            raise _no_segment(path, f"its columns are {', '.join(file.schema_arrow.names)[:200]}, of other names or types")
        footer = file.metadata
    if footer.num_rows > MAX_KEYS:
        raise _no_segment(path, f"it states {footer.num_rows} keys; at most {MAX_KEYS} are read")
    for number in range(footer.num_row_groups):
        group = footer.row_group(number)
        if group.num_rows > MAX_ROW_GROUP or group.total_byte_size > MAX_ROW_GROUP_BYTES:
            raise _no_segment(path, f"row group {number} states {group.num_rows} keys in {group.total_byte_size} bytes")
    try:
        said = json.loads((footer.metadata or {})[_METADATA])
        version, committed, labels = said["version"], said["commitment"] or "", said["labelling"]
        rows = said.get("rows") or ""
        if said["ledger"] != FORMAT or not _VERSION.fullmatch(version) or not _LABELLING.fullmatch(labels):
            raise ValueError
        if any(given and not _COMMITMENT.fullmatch(given) for given in (committed, rows)):
            raise ValueError
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise _no_segment(path, "its metadata does not name the release and the secret") from None
    return Segment(path, file_hash(path), version, committed, rows, labels, footer.num_rows, footer)


def segment_keys(segment: Segment) -> Iterator[tuple[str, int, bytes]]:
    """(family, key version, key) of a segment, in order. Raises BadFile where it is not in order."""
    for (_, family, key_version), keys in _blocks(segment):
        raw = keys.tobytes()
        for start in range(0, len(raw), KEY_BYTES):
            yield family, key_version, raw[start : start + KEY_BYTES]


def count_segment(segment: Segment) -> dict[tuple[str, int], int]:
    """Numbers of keys of each family and key version in a segment."""
    counts: dict[tuple[str, int], int] = {}
    for (_, family, key_version), keys in _blocks(segment):
        counts[family, key_version] = counts.get((family, key_version), 0) + len(keys)
    return counts


def common(segment: Segment, keys: Collection[str], secret: bytes | None = None) -> list[str]:
    """List those of these canonical keys that are in a segment, sorted. Reads it once and needs no index.

    secret: of a blind segment; that it fits is the caller's to know.
    """
    asked: dict[tuple[str, int], list[tuple[bytes, str]]] = {}
    for key in keys:
        family, key_version, raw = _parsed(key)
        asked.setdefault((family, key_version), []).append((raw if secret is None else blind_key(secret, key), key))
    words = {section: np.frombuffer(b"".join([raw for raw, _ in pairs]), _WORD) for section, pairs in asked.items()}
    found = []
    for (_, family, key_version), block in _blocks(segment):
        if (family, key_version) in asked:
            places = np.flatnonzero(_among(block, words[family, key_version]))
            found += [asked[family, key_version][i][1] for i in places.tolist()]
    return sorted(found)


Section = tuple[str, str, int]  # commitment ("" for plain keys), family, key version


def _blocks(segment: Segment) -> Iterator[tuple[Section, Keys]]:
    """The keys of a segment, a row group at a time at most, each block of one section; checked to be in order.

    The file is open only while a row group is read: a ledger can have more segments than a process may open files.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    last: tuple[Section, bytes] | None = None
    sections = 0
    for number in range(segment.footer.num_row_groups):
        check_pages(segment.path, segment.footer, number)
        try:
            with pq.ParquetFile(
                segment.path, metadata=segment.footer, read_dictionary=["family"], page_checksum_verification=True
            ) as file:
                table = file.read_row_group(number, use_threads=False).unify_dictionaries().combine_chunks()
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise _no_segment(segment.path, f"row group {number} cannot be read: {' '.join(str(error).split())[:200]}") from None
        if len(table) != segment.footer.row_group(number).num_rows or any(column.null_count for column in table.columns):
            raise _no_segment(segment.path, f"row group {number} has gaps")
        if not len(table):
            continue
        for section, keys in _runs(segment, table):
            if last is None or last[0] != section:
                sections += 1
            if sections > MAX_SECTIONS:
                raise _no_segment(segment.path, f"it holds more than {MAX_SECTIONS} families and key versions")
            first = (section, keys[0].ljust(KEY_BYTES, b"\0"))
            if (last is not None and first <= last) or not (keys[1:] > keys[:-1]).all():
                raise _no_segment(segment.path, f"row group {number} is not in ascending order, or holds a key twice")
            last = (section, keys[-1].ljust(KEY_BYTES, b"\0"))
            yield section, keys


def _runs(segment: Segment, table: Any) -> Iterator[tuple[Section, Keys]]:
    """A row group cut where the family or the key version changes."""
    column = table.column("family").chunk(0)
    try:
        families, codes = column.dictionary.to_pylist(), column.indices.to_numpy()
    except UnicodeDecodeError:
        raise _no_segment(segment.path, "it names a family that is no text") from None
    key_versions = table.column("key_version").chunk(0).to_numpy()
    raw = table.column("key").chunk(0)
    keys = np.frombuffer(raw.buffers()[1], _WORD, len(raw), raw.offset * KEY_BYTES)
    cuts = np.flatnonzero((codes[1:] != codes[:-1]) | (key_versions[1:] != key_versions[:-1])) + 1
    bounds = [0, *cuts[: MAX_SECTIONS + 1].tolist(), len(keys)]
    for start, stop in zip(bounds, bounds[1:], strict=False):
        family = families[codes[start]]
        if not _FAMILY.fullmatch(family):
            raise _no_segment(segment.path, f"it names a family {family[:60]!r}")
        yield (segment.commitment, family, int(key_versions[start])), keys[start:stop]


def _no_segment(path: Path, what: str) -> BadFile:
    return BadFile(f"{path}: no segment of a ledger ({what}); restore the file")


# ---- the index --------------------------------------------------------------------------------------------------------


def _merged(segments: Sequence[Segment]) -> Iterator[tuple[Section, Keys]]:
    """The keys of all segments, each once: sections in order, and the keys of each in order, in blocks.

    In each round every segment gives what it has up to the least of the blocks' last keys: nothing below that can come later.
    """
    streams = [_blocks(segment) for segment in segments]
    heads = [(stream, *block) for stream in streams if (block := next(stream, None)) is not None]
    while heads:
        section = min(head[1] for head in heads)
        least = min(keys[-1] for _, at, keys in heads if at == section)
        pieces, left = [], []
        for stream, at, keys in heads:
            if at == section:
                cut = int(np.searchsorted(keys, least, side="right"))
                pieces.append(keys[:cut])
                if cut == len(keys):
                    block = next(stream, None)
                    if block is not None:
                        left.append((stream, *block))
                    continue
                keys = keys[cut:]
            left.append((stream, at, keys))
        heads = left
        if len(pieces) == 1:
            yield section, pieces[0]
        else:
            together = np.sort(np.concatenate(pieces), kind="stable")
            yield section, together[np.concatenate(([True], together[1:] != together[:-1]))]


_MAGIC = b"puzzlemill index 1\n"
_TAIL = 8 + 32 + len(_MAGIC)  # bytes: length of the table, SHA-256 of all that is before it, the magic
_MAX_TABLE = 64 << 20


def _build_index(segments: Sequence[Segment], path: Path) -> None:
    """Write the index: the keys from byte 0 on, then the table of sections [[...section, first key, keys], ...] as JSON."""
    hashed = sha256()
    table: list[list[Any]] = []
    written = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path, lasting=True) as aside, aside.open("wb") as file:
        for section, keys in _merged(segments):
            if not table or tuple(table[-1][:3]) != section:
                table.append([*section, written, 0])
            raw = keys.tobytes()
            hashed.update(raw)
            file.write(raw)
            table[-1][4] += len(keys)
            written += len(keys)
        text = json.dumps(table, separators=(",", ":")).encode()
        hashed.update(text)
        file.write(text + len(text).to_bytes(8, "little") + hashed.digest() + _MAGIC)


def _open_index(path: Path) -> dict[Section, Keys] | None:
    """The sections of an index, mapped; None if it is missing or not whole."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < _TAIL:
                return None
            file.seek(size - _TAIL)
            tail = file.read()
            length = int.from_bytes(tail[:8], "little")
            if tail[40:] != _MAGIC or length > min(_MAX_TABLE, size - _TAIL) or (size - _TAIL - length) % KEY_BYTES:
                return None
            file.seek(0)
            hashed, left = sha256(), size - _TAIL
            while chunk := file.read(min(1 << 20, left)):
                hashed.update(chunk)
                left -= len(chunk)
            if hashed.digest() != tail[8:40]:
                return None
            file.seek(size - _TAIL - length)
            table = json.loads(file.read(length))
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return None
    if hasattr(mmap, "MADV_RANDOM"):
        mapped.madvise(mmap.MADV_RANDOM)  # a search reads single pages; what lies around them would only fill memory
    return {
        (committed, family, key_version): np.frombuffer(mapped, _WORD, count, first * KEY_BYTES)
        for committed, family, key_version, first, count in table
    }


def _index(segments: Sequence[Segment], cache: Path) -> dict[Section, Keys]:
    """The index of these segments, from the cache if it is whole there."""
    path = cache / f"{digest_of(segment.sha256 for segment in segments)}.index"
    with in_one_line(path, "free some room or mend the folder"):
        sections = _open_index(path)
        if sections is None:
            _build_index(segments, path)
            sections = _open_index(path)
    if sections is None:
        raise BadFile(f"{path}: was written, and is damaged when it is read back; check the disk")
    return sections


# ---- asking -----------------------------------------------------------------------------------------------------------


def digest_of(hashes: Iterable[str]) -> str:
    """The digest of a ledger whose segments have these SHA-256; "" if there are none."""
    different = sorted(set(hashes))
    return sha256("\n".join(["puzzlemill ledger 1", *different]).encode()).hexdigest() if different else ""


class Ledger:
    """The keys of many segments. Made by Ledger.open; an `Earlier` of factory/run.py.

    digest: of the segments' hashes, "" if there are none; it does not depend on which secrets are known.
    commitments: of every blind segment, with the versions that state it: a new release must take a secret of its own.
    unknown: versions whose blind segment was passed over for want of its secret.
    """

    def __init__(self, segments: Sequence[Segment], sections: Mapping[Section, Keys], secrets: Mapping[str, bytes]) -> None:
        self.digest = digest_of(segment.sha256 for segment in segments)
        self.segments = tuple(segments)
        self.commitments = {
            committed: tuple(sorted({segment.version for segment in segments if segment.commitment == committed}))
            for committed in sorted({segment.commitment for segment in segments if segment.commitment})
        }
        self.unknown = tuple(
            sorted({segment.version for segment in segments if segment.commitment and segment.commitment not in secrets})
        )
        self._sections = sections
        self._secrets = {committed: secrets[committed] for committed in self.commitments if committed in secrets}

    def __repr__(self) -> str:
        return f"Ledger({len(self.segments)} segments, {len(self)} keys, digest {self.digest[:12]!r})"

    def __len__(self) -> int:
        """The number of different keys, blind ones too."""
        return sum(len(keys) for keys in self._sections.values())

    @classmethod
    def open(
        cls,
        segments: Sequence[Path],
        cache: Path,
        secrets: Mapping[str, bytes] | None = None,
        *,
        pass_over: bool = False,
    ) -> Ledger:
        """The ledger of these segment files; its index is kept in the folder `cache`, from which it can be deleted at any time.

        secrets: commitment -> secret, for blind segments. A blind segment without its secret is a BadFile, because puzzles in it
        would not be found; unless pass_over: then it is named in `unknown`.
        Raises BadFile for what is no segment and for keys that were made otherwise than here, BadParams for a secret that does
        not fit its commitment.
        """
        secrets = dict(secrets or {})
        for committed, secret in secrets.items():
            if commitment(secret) != committed:
                raise BadParams(f"secret: does not fit the commitment {committed[:80]}; give the one that it was made from")
        found = {segment.sha256: segment for segment in map(inspect_segment, segments)}  # the same file twice is one segment
        ordered = sorted(found.values(), key=lambda segment: (segment.version, segment.commitment, segment.sha256))
        if sum(segment.keys for segment in ordered) > MAX_KEYS:
            raise BadFile(
                f"{ordered[0].path.parent}: its ledger segments hold more than {MAX_KEYS} keys together; begin a new series"
            )
        for segment in ordered:
            if segment.labelling != labelling():
                raise BadFile(
                    f"{segment.path}: its keys were made with an igraph that labels graphs otherwise than the one here, so "
                    f"no puzzle would be found in it; install the version that the manifest of {segment.version} names"
                )
            if segment.commitment and segment.commitment not in secrets and not pass_over:
                raise BadFile(
                    f"{segment.path}: the blind keys of {segment.version} cannot be compared without their secret "
                    f"(commitment {segment.commitment[:16]}...); give the file that holds it, as in secrets=DIR"
                )
        sections = _index(ordered, cache) if ordered else {}
        for _, family, key_version in sections:
            if key_version != KEY_VERSION:
                where = next(segment.path for segment in ordered if (family, key_version) in count_segment(segment))
                raise BadFile(
                    f"{where}: keys of {family} are of version {key_version}, this version of Puzzlemill makes version "
                    f"{KEY_VERSION}, so no puzzle would be found in it; use the Puzzlemill that made it, or begin a new series"
                )
        return cls(ordered, sections, secrets)

    def holds(self, keys: Sequence[str]) -> bool:
        """Say if at least one of these canonical keys is in a segment."""
        return any(self.held(keys))

    def held(self, keys: Sequence[str]) -> list[bool]:
        """For each of these canonical keys, whether it is in a segment. Raises BadParams for a key that is none, or of another
        key version than the ledger's."""
        families: dict[str, list[int]] = {}
        raw: list[bytes] = []
        for i, key in enumerate(keys):
            family, key_version, digits = _parsed(key)
            if key_version != KEY_VERSION:
                raise BadParams(f"canonical key {key}: of version {key_version}, the ledger's are of version {KEY_VERSION}")
            families.setdefault(family, []).append(i)
            raw.append(digits)
        found = np.zeros(len(raw), np.bool_)
        for family, places in families.items():
            for committed in ("", *self._secrets):
                known = self._sections.get((committed, family, KEY_VERSION))
                if known is not None:
                    secret = self._secrets.get(committed)
                    asked = [raw[i] if secret is None else blind_key(secret, keys[i]) for i in places]
                    found[places] |= _among(known, np.frombuffer(b"".join(asked), _WORD))
        return [bool(one) for one in found.tolist()]


def _among(known: Keys, asked: Keys) -> npt.NDArray[np.bool_]:
    """Test which of the asked keys are in the sorted array `known`, which is not empty."""
    at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return np.asarray(known[at] == asked)
