"""The ledger: exact answers, parts that others wrote, the index, and blind keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.canonical import KEY_VERSION, labelling
from puzzlemill.factory.make import make
from puzzlemill.publish import ledger as module
from puzzlemill.publish.ledger import (
    Ledger,
    common,
    count_segment,
    inspect_segment,
    segment_keys,
    write_blind_segment,
    write_segment,
)
from puzzlemill.publish.secret import blind_key, commitment

SECRET, OTHER = bytes(range(32)), bytes(range(1, 33))
FAMILIES = ("binario", "sudoku", "zebra")
Entry = tuple[str, int, bytes]


def text(raw: bytes, family: str = "sudoku") -> str:
    return f"{family}:{KEY_VERSION}:{raw.hex()}"


def part(path: Path, keys: Sequence[str], version: str = "2026-11-00000000", secret: bytes | None = None) -> Path:
    """A part of these keys, without making a puzzle for each."""
    entries = set()
    for key in keys:
        family, key_version, digits = key.split(":")
        entries.add((family, int(key_version), bytes.fromhex(digits) if secret is None else blind_key(secret, key)))
    module._write(path, sorted(entries), version, "" if secret is None else commitment(secret))
    return path


def random_keys(seed: int, count: int) -> list[str]:
    rng = Random(seed)
    return [text(rng.randbytes(16), rng.choice(FAMILIES)) for _ in range(count)]


# Zero bytes at the end are what a careless comparison of byte strings drops; equal halves are what one of halves confuses.
NASTY = [
    bytes(16),
    bytes(15) + b"\1",
    b"\1" + bytes(15),
    b"\1" + bytes(14) + b"\1",
    b"a" + bytes(15),
    b"a" * 8 + bytes(8),
    b"a" * 8 + bytes(7) + b"\1",
    b"a" * 16,
    b"a" * 15 + b"\0",
    b"\x7f" + b"\xff" * 15,
    b"\x80" + bytes(15),
    b"\xff" * 15 + b"\0",
    b"\xff" * 15 + b"\xfe",
    b"\xff" * 16,
]


# ---- exactness --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 5])
def test_answers_are_those_of_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """A key that is missed is a published puzzle once more; one that is found without being there is a puzzle wasted."""
    monkeypatch.setattr(module, "ROW_GROUP", 97)  # many blocks, so that the merge has borders everywhere
    keys = random_keys(1, 3_000)
    shared = keys[:300]  # in every part
    paths = [part(tmp_path / f"{n}.parquet", [*shared, *keys[n::number]], f"v{n}") for n in range(number)]
    found = Ledger.open(paths, tmp_path / "cache")
    known = set(keys)
    near = [f"{key[:-1]}{'0' if key[-1] != '0' else '1'}" for key in keys[::3]]
    elsewhere = [f"zebra:{key.split(':', 1)[1]}" for key in keys[:500]]
    asked = [*keys, *near, *elsewhere, *random_keys(2, 3_000)]
    Random(3).shuffle(asked)
    assert found.held(asked) == [key in known for key in asked]
    assert len(found) == len(known)


@pytest.mark.parametrize("held", [NASTY[::2], NASTY[1::2], NASTY[:1], NASTY[-1:], NASTY])
def test_keys_that_differ_in_one_byte(tmp_path: Path, held: list[bytes]) -> None:
    """Keys need not look like hashes."""
    found = Ledger.open([part(tmp_path / "a.parquet", [text(raw) for raw in held])], tmp_path / "cache")
    assert found.held([text(raw) for raw in NASTY]) == [raw in held for raw in NASTY]
    again = [key for _, _, key in segment_keys(inspect_segment(tmp_path / "a.parquet"))]
    assert again == sorted(held)


def test_nasty_keys_from_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The merge must not lose, double or disorder keys at its borders."""
    monkeypatch.setattr(module, "ROW_GROUP", 2)
    rng = Random(5)
    for round_ in range(20):
        chosen = [rng.sample(NASTY, rng.randint(0, len(NASTY))) for _ in range(4)]
        paths = [part(tmp_path / f"{round_}-{n}.parquet", [text(raw) for raw in some], f"v{n}") for n, some in enumerate(chosen)]
        found = Ledger.open(paths, tmp_path / "cache")
        held = {raw for some in chosen for raw in some}
        assert len(found) == len(held)
        assert found.held([text(raw) for raw in NASTY]) == [raw in held for raw in NASTY]


def test_one_key_of_several_is_enough(tmp_path: Path) -> None:
    """A group is dropped for any of its puzzles, and a group without lasting keys never."""
    keys = random_keys(1, 20)
    found = Ledger.open([part(tmp_path / "a.parquet", keys[:10])], tmp_path)
    assert found.holds([*keys[10:], keys[3]])
    assert not found.holds(keys[10:])
    assert not found.holds([])


def test_no_parts_at_all(tmp_path: Path) -> None:
    """The first release has nothing before it, and leaves no cache behind."""
    found = Ledger.open([], tmp_path / "cache")
    assert (found.digest, len(found), found.commitments, found.unknown) == ("", 0, {}, ())
    assert not found.holds(random_keys(1, 5))
    assert not (tmp_path / "cache").exists()


def test_a_part_without_keys(tmp_path: Path) -> None:
    """A release of small classes alone adds nothing, and its part is one all the same."""
    found = Ledger.open([part(tmp_path / "a.parquet", [])], tmp_path / "cache")
    assert len(found) == 0 and found.digest != ""
    assert not found.holds(random_keys(1, 5))


@pytest.mark.parametrize("secret", [None, SECRET])
def test_what_a_part_has_in_common_with_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: bytes | None) -> None:
    """The same answer as the index gives, without one."""
    monkeypatch.setattr(module, "ROW_GROUP", 50)
    keys = [*random_keys(1, 400), *[text(raw) for raw in NASTY]]
    found = inspect_segment(part(tmp_path / "a.parquet", keys[::2], secret=secret))
    assert common(found, keys, secret) == sorted(keys[::2])
    assert common(found, keys[1::2], secret) == []
    assert common(found, [], secret) == []


# ---- rows to parts ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """Puzzles, one of a small class, and children with keys of their own."""
    return [
        *[make("sudoku", index=index, size=6) for index in range(4)],
        *[make("sudoku", index=index, size=6, transforms=["clash"]) for index in range(2)],
        *[make("hanoi", index=index, pegs=3, disks=3) for index in range(2)],
    ]


def test_a_part_holds_the_keys_of_all_rows_but_small_classes(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    """A child's puzzle is published as much as its parent's; one of few possible towers cannot be used up."""
    small = {row["canonical_key"] for row in rows if row["family"] == "hanoi"}
    lasting = {row["canonical_key"] for row in rows} - small
    assert small and lasting
    assert write_segment(tmp_path / "ledger" / "a.parquet", rows, "2026-11-ab") == len(lasting)
    found = inspect_segment(tmp_path / "ledger" / "a.parquet")
    assert {f"{family}:{version}:{raw.hex()}" for family, version, raw in segment_keys(found)} == lasting
    assert (found.version, found.commitment, found.keys) == ("2026-11-ab", "", len(lasting))
    assert count_segment(found) == {("sudoku", KEY_VERSION): len(lasting)}
    ledger = Ledger.open([found.path], tmp_path / "cache")
    assert ledger.held([row["canonical_key"] for row in rows]) == [row["family"] != "hanoi" for row in rows]


def test_the_same_rows_give_the_same_bytes(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    """A release that is built again must have the same ledger segment, whatever the order of its rows."""
    for name, some in (("a", rows), ("b", rows[::-1]), ("c", [*rows, *rows])):
        write_segment(tmp_path / f"{name}.parquet", some, "v")
        write_blind_segment(tmp_path / f"{name}.blind.parquet", some, "v", SECRET)
    for kind in ("parquet", "blind.parquet"):
        assert len({(tmp_path / f"{name}.{kind}").read_bytes() for name in "abc"}) == 1


def test_what_is_no_row_or_version_is_refused(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    """A bad key in a part would never be found again."""
    with pytest.raises(BadParams, match="expected <family>:<key version>:<32 hex digits>"):
        write_segment(tmp_path / "a.parquet", [rows[0] | {"canonical_key": "sudoku:1:xyz"}], "v")
    with pytest.raises(BadParams, match=r"version '\.\./v'"):
        write_segment(tmp_path / "a.parquet", rows, "../v")


# ---- blind parts ------------------------------------------------------------------------------------------------------


def test_blind_keys_are_found_by_who_holds_the_secret(tmp_path: Path) -> None:
    """A blind test puzzle must not come again in the open, although nobody can read it in the ledger."""
    keys = random_keys(1, 400)
    plain = part(tmp_path / "a.parquet", keys[:100], "v1")
    blind = part(tmp_path / "a.blind.parquet", keys[100:200], "v1", SECRET)
    later = part(tmp_path / "b.blind.parquet", keys[200:300], "v2", OTHER)
    secrets = {commitment(secret): secret for secret in (SECRET, OTHER)}
    found = Ledger.open([plain, blind, later], tmp_path / "cache", secrets)
    assert found.held(keys) == [True] * 300 + [False] * 100
    assert found.commitments == {commitment(SECRET): ("v1",), commitment(OTHER): ("v2",)}
    assert found.unknown == ()
    raw = blind.read_bytes()
    assert not any(bytes.fromhex(key.split(":")[2]) in raw for key in keys)
    assert {key for _, _, key in segment_keys(inspect_segment(blind))} == {blind_key(SECRET, key) for key in keys[100:200]}


def test_blind_keys_without_their_secret(tmp_path: Path) -> None:
    """Looking up without a secret would answer `no` for puzzles that are there."""
    keys = random_keys(1, 20)
    paths = [part(tmp_path / "a.parquet", keys[:10], "v1"), part(tmp_path / "b.blind.parquet", keys[10:], "v2", SECRET)]
    with pytest.raises(BadFile, match=r"b\.blind\.parquet: the blind keys of v2 cannot be compared without their secret"):
        Ledger.open(paths, tmp_path / "cache")
    with pytest.raises(BadFile, match="give the file that holds it"):
        Ledger.open(paths, tmp_path / "cache", {commitment(OTHER): OTHER})
    passed = Ledger.open(paths, tmp_path / "cache", pass_over=True)
    assert passed.unknown == ("v2",)
    assert passed.held(keys) == [True] * 10 + [False] * 10
    assert passed.digest == Ledger.open(paths, tmp_path / "cache", {commitment(SECRET): SECRET}).digest


def test_one_secret_for_two_versions_can_be_seen(tmp_path: Path) -> None:
    """Revealing one split would reveal the other."""
    keys = random_keys(1, 20)
    paths = [part(tmp_path / f"{n}.parquet", keys[n::2], f"v{n}", SECRET) for n in range(2)]
    found = Ledger.open(paths, tmp_path / "cache", {commitment(SECRET): SECRET})
    assert found.commitments == {commitment(SECRET): ("v0", "v1")}
    assert all(found.held(keys))


def test_a_secret_that_does_not_fit_is_refused_and_never_told(tmp_path: Path) -> None:
    """A wrong secret finds nothing; a secret in a message ends in a log."""
    blind = part(tmp_path / "a.blind.parquet", random_keys(1, 5), "v", SECRET)
    with pytest.raises(BadParams, match="does not fit the commitment") as caught:
        Ledger.open([blind], tmp_path / "cache", {commitment(SECRET): OTHER})
    found = Ledger.open([blind], tmp_path / "cache", {commitment(SECRET): SECRET})
    for said in (str(caught.value), repr(found)):
        assert OTHER.hex() not in said and SECRET.hex() not in said and repr(SECRET) not in said


# ---- key versions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [None, SECRET])
def test_keys_of_another_version_are_an_error(tmp_path: Path, secret: bytes | None) -> None:
    """They can never match: an empty answer would pass a published puzzle off as new."""
    other = f"zebra:{KEY_VERSION + 1}:{'0' * 32}"
    paths = [
        part(tmp_path / "a.parquet", random_keys(1, 5), "v1"),
        part(tmp_path / "b.parquet", [*random_keys(2, 5), other], "v2", secret),
    ]
    with pytest.raises(BadFile, match=rf"b\.parquet: keys of zebra are of version {KEY_VERSION + 1}, .*begin a new series"):
        Ledger.open(paths, tmp_path / "cache", {commitment(SECRET): SECRET})
    with pytest.raises(BadParams, match="of version"):
        Ledger.open(paths[:1], tmp_path / "cache").held([other])


def test_keys_of_another_igraph_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A canonical labelling is canonical for one version of the library: after an upgrade nothing would be found."""
    monkeypatch.setattr(module, "labelling", lambda: "0" * 16)
    path = part(tmp_path / "a.parquet", random_keys(1, 5), "v1")
    monkeypatch.undo()
    with pytest.raises(BadFile, match=r"a\.parquet: .*igraph.*install the version that the manifest of v1 names"):
        Ledger.open([path], tmp_path / "cache")


# ---- the index --------------------------------------------------------------------------------------------------------


def test_the_digest_says_which_puzzles(tmp_path: Path) -> None:
    """It stands in manifests: the same parts give the same, in any order and folder; others give another."""
    keys = random_keys(1, 30)
    a, b = part(tmp_path / "a.parquet", keys[:20], "v1"), part(tmp_path / "b.parquet", keys[10:], "v2")
    copy = tmp_path / "c.parquet"
    copy.write_bytes(a.read_bytes())
    digests = [Ledger.open(some, tmp_path / "cache").digest for some in ([a, b], [b, a], [b, copy, a], [a], [b])]
    assert digests[0] == digests[1] == digests[2]
    assert len({"", *digests}) == 4
    hashes = sorted(sha256(path.read_bytes()).hexdigest() for path in (a, b))
    assert digests[0] == sha256("\n".join(["puzzlemill ledger 1", *hashes]).encode()).hexdigest()


def test_the_index_is_taken_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Merging a hundred million keys again for every command would take minutes."""
    keys = random_keys(1, 50)
    paths = [part(tmp_path / "a.parquet", keys)]
    Ledger.open(paths, tmp_path / "cache")
    (index,) = (tmp_path / "cache").iterdir()
    whole = index.read_bytes()
    assert len(whole) < 16 * len(keys) + 400

    def never(*args: Any) -> None:
        raise AssertionError("built again")

    with monkeypatch.context() as patch:
        patch.setattr(module, "_build_index", never)
        assert all(Ledger.open(paths, tmp_path / "cache").held(keys))
    Ledger.open(paths, tmp_path / "other")
    assert (tmp_path / "other" / index.name).read_bytes() == whole


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda raw: b"",
    "cut": lambda raw: raw[:-1],
    "short": lambda raw: raw[16:],
    "longer": lambda raw: raw + b"\n",
    "a key": lambda raw: bytes([raw[0] ^ 1]) + raw[1:],
    "the table": lambda raw: raw.replace(b"sudoku", b"sudokv"),
    "the tail": lambda raw: raw[:-70] + b"\xff" * 8 + raw[-62:],
    "something else": lambda raw: b"x" * 4_096,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_index_is_built_again(tmp_path: Path, damage: str) -> None:
    """A power cut or a full disk must not make published puzzles new."""
    keys = [text(key) for key in NASTY]
    paths = [part(tmp_path / "a.parquet", keys)]
    Ledger.open(paths, tmp_path / "cache")
    (index,) = (tmp_path / "cache").iterdir()
    whole = index.read_bytes()
    spoiled = DAMAGE[damage](whole)
    assert spoiled != whole
    index.write_bytes(spoiled)
    assert all(Ledger.open(paths, tmp_path / "cache").held(keys))
    assert index.read_bytes() == whole


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """Half an index, or its unfinished copy, would stay for ever."""
    good, bad = part(tmp_path / "a.parquet", random_keys(1, 50), "v1"), tmp_path / "b.parquet"
    write_raw(bad, [("sudoku", KEY_VERSION, b"b" * 16), ("sudoku", KEY_VERSION, b"a" * 16)])
    with pytest.raises(BadFile, match="not in ascending order"):
        Ledger.open([good, bad], tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(BadFile, match=r"cache.*mend the folder") as caught:
        Ledger.open([part(tmp_path / "a.parquet", random_keys(1, 5))], tmp_path / "cache")
    assert "\n" not in str(caught.value)


# ---- parts that others wrote ------------------------------------------------------------------------------------------

SAID: dict[str, Any] = {"ledger": 1, "version": "v", "commitment": None, "labelling": labelling()}


def write_raw(path: Path, entries: Sequence[Entry], said: Any = SAID, schema: pa.Schema | None = None, **options: Any) -> None:
    schema = (schema or module._schema()).with_metadata({b"puzzlemill": json.dumps(said).encode()})
    columns = list(zip(*entries, strict=True)) if entries else [[]] * len(schema.names)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path, **options)


def other_schema(**types: pa.DataType) -> pa.Schema:
    return pa.schema([(field.name, types.get(field.name, field.type)) for field in module._schema()])


A, B = ("sudoku", KEY_VERSION, b"a" * 16), ("sudoku", KEY_VERSION, b"b" * 16)
HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "no parquet": (lambda path: path.write_bytes(b"PAR1" + bytes(100)) and None, "cannot be read as Parquet"),
    "nothing": (lambda path: path.write_bytes(b"") and None, "cannot be read as Parquet"),
    "rows of a release": (
        lambda path: pq.write_table(pa.table({"id": ["a"], "prompt": ["b"]}), path),
        "its columns are id, prompt",
    ),
    "longer keys": (
        lambda path: write_raw(path, [(*A[:2], b"a" * 17)], schema=other_schema(key=pa.binary(17))),
        "other names or types",
    ),
    "keys of any length": (lambda path: write_raw(path, [A], schema=other_schema(key=pa.binary())), "other names or types"),
    "versions as text": (
        lambda path: write_raw(path, [("sudoku", "1", b"a" * 16)], schema=other_schema(key_version=pa.string())),
        "other names or types",
    ),
    "no metadata": (
        lambda path: pq.write_table(pa.Table.from_pylist([], schema=module._schema()), path),
        "does not name the release",
    ),
    "metadata of another form": (lambda path: write_raw(path, [A], said=SAID | {"ledger": 2}), "does not name the release"),
    "metadata that is a list": (lambda path: write_raw(path, [A], said=[1]), "does not name the release"),
    "a version that is a path": (
        lambda path: write_raw(path, [A], said=SAID | {"version": "../../x"}),
        "does not name the release",
    ),
    "a version that is none": (lambda path: write_raw(path, [A], said=SAID | {"version": None}), "does not name the release"),
    "half a commitment": (lambda path: write_raw(path, [A], said=SAID | {"commitment": "ab"}), "does not name the release"),
    "out of order": (lambda path: write_raw(path, [B, A]), "not in ascending order"),
    "a key twice": (lambda path: write_raw(path, [A, A]), "not in ascending order"),
    "families out of order": (lambda path: write_raw(path, [("zebra", *A[1:]), B]), "not in ascending order"),
    "out of order between groups": (lambda path: write_raw(path, [B, A], row_group_size=1), "not in ascending order"),
    "a key twice between groups": (lambda path: write_raw(path, [A, A], row_group_size=1), "not in ascending order"),
    "no key": (lambda path: write_raw(path, [("sudoku", KEY_VERSION, None)]), "has gaps"),  # type: ignore[list-item]
    "no family": (lambda path: write_raw(path, [(None, KEY_VERSION, b"a" * 16)]), "has gaps"),  # type: ignore[list-item]
    "a family that is an escape": (lambda path: write_raw(path, [("\x1b[2J", *A[1:])]), "it names a family"),
    "a family that is a novel": (lambda path: write_raw(path, [("a" * 10_000, *A[1:])]), "it names a family"),
    "families without end": (
        lambda path: write_raw(path, [(f"f{n:04}", *A[1:]) for n in range(1_200)]),
        "more than 1000 families",
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_part_is_one_line(tmp_path: Path, what: str) -> None:
    """Anybody with access to the repository can put a file there; it must end neither in a traceback nor in wrong answers."""
    write, expected = HOSTILE[what]
    write(tmp_path / "bad.parquet")
    with pytest.raises(BadFile, match=r"bad\.parquet: ") as caught:
        Ledger.open([part(tmp_path / "a.parquet", random_keys(1, 5)), tmp_path / "bad.parquet"], tmp_path / "cache")
    said = str(caught.value)
    assert expected in said and said.isprintable() and len(said) < 600


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7])
def test_a_part_with_an_altered_byte(tmp_path: Path, place: float) -> None:
    """Checksums of pages tell a flipped bit."""
    path = part(tmp_path / "a.parquet", random_keys(1, 3_000))
    raw = bytearray(path.read_bytes())
    raw[int(place * len(raw))] ^= 1
    path.write_bytes(raw)
    with pytest.raises(BadFile, match=r"a\.parquet"):
        Ledger.open([path], tmp_path / "cache")


@pytest.mark.parametrize(("name", "limit"), [("MAX_KEYS", 99), ("MAX_ROW_GROUP", 99), ("MAX_ROW_GROUP_BYTES", 999)])
def test_a_part_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, limit: int) -> None:
    """A small file can unpack to more than a disk or a memory holds."""
    path = part(tmp_path / "a.parquet", random_keys(1, 100))
    monkeypatch.setattr(module, name, limit)
    with pytest.raises(BadFile, match=r"a\.parquet: no segment of a ledger \(.*100 keys"):
        Ledger.open([path], tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_parts_that_are_too_large_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [part(tmp_path / f"{n}.parquet", random_keys(n, 60), f"v{n}") for n in range(2)]
    monkeypatch.setattr(module, "MAX_KEYS", 100)
    with pytest.raises(BadFile, match="more than 100 keys together"):
        Ledger.open(paths, tmp_path / "cache")


def test_a_part_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.parquet", tmp_path):
        with pytest.raises(BadFile, match="no such ledger segment"):
            Ledger.open([path], tmp_path / "cache")


def test_a_part_that_states_fewer_keys_than_it_has(tmp_path: Path) -> None:
    """A footer can lie; what it hides would not be found."""
    path = part(tmp_path / "a.parquet", random_keys(1, 100))
    honest = inspect_segment(path)
    fewer = inspect_segment(part(tmp_path / "b.parquet", random_keys(1, 50)))
    with pytest.raises(BadFile, match=r"a\.parquet: row group 0 holds pages that cannot be read"):
        list(segment_keys(replace(honest, footer=fewer.footer)))


@pytest.mark.parametrize(
    "key", ["", "sudoku", "sudoku:1", "sudoku:1:" + "g" * 32, "sudoku:1:" + "A" * 32, "s:1:" + "0" * 33, "a b:1:" + "0" * 32]
)
def test_what_is_no_canonical_key_is_refused(tmp_path: Path, key: str) -> None:
    """`no` to a key that cannot be looked up would be taken for `new`."""
    found = Ledger.open([part(tmp_path / "a.parquet", random_keys(1, 5))], tmp_path / "cache")
    with pytest.raises(BadParams, match="expected <family>"):
        found.held([key])
