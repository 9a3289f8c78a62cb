"""Files that are whole or not there, JSON within bounds, and tasks in their order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import mul
from pathlib import Path

import pytest

from puzzlemill.core.errors import BadFile
from puzzlemill.factory.files import in_one_line, last_line, locked, read_json, whole
from puzzlemill.factory.workers import WorkerPool, in_order, prepared


@pytest.mark.parametrize("lasting", [False, True])
def test_a_file_is_whole_or_as_it_was(tmp_path: Path, lasting: bool) -> None:
    """A reader finds half a file, or a leftover, where its writer was stopped."""
    path = tmp_path / "a.txt"
    with whole(path, lasting=lasting) as aside:
        aside.write_text("one")
        assert not path.exists()

    def stopped() -> None:
        with whole(path, lasting=lasting) as aside:
            aside.write_text("tw")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stopped()
    assert path.read_text() == "one" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("whole_lines", [b"", b"\n", b"one\n", b"one\ntwo\n\n"])
@pytest.mark.parametrize("left", [b"", b"h", b"half", b"half a line that is longer than a block"])
def test_a_line_that_was_cut_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole_lines: bytes, left: bytes) -> None:
    """Too little is cut off, and what follows is joined to it; or too much, and a whole line is lost."""
    monkeypatch.setattr("puzzlemill.factory.files._BLOCK", 3)
    (tmp_path / "a").write_bytes(whole_lines + left)
    with (tmp_path / "a").open("rb", buffering=0) as file:
        assert last_line(file) == left


def test_one_process_holds_a_lock(tmp_path: Path) -> None:
    """Two runs write to one file."""
    with (tmp_path / "lock").open("w") as one, (tmp_path / "lock").open("w") as other:
        assert locked(one) and not locked(other)
    with (tmp_path / "lock").open("w") as third:
        assert locked(third, wait=True)


def test_json_is_read_within_bounds(tmp_path: Path) -> None:
    """A file of any size is read into memory, or one that is no JSON ends a command with a traceback."""
    path = tmp_path / "a.json"
    for text, found in (
        ('{"a": 1}', {"a": 1}),
        ("{", None),
        ("[" * 100_000, None),
        ('"' + "x" * 99 + '"', None),
        ("\udcff", None),
    ):
        path.write_text(text, errors="surrogateescape")
        assert read_json(path, 100 if len(text) < 1_000 else 1 << 20) == found
    with pytest.raises(BadFile, match=r"b\.json: .*; look elsewhere"), in_one_line(tmp_path, "look elsewhere"):
        read_json(tmp_path / "b.json", 100)


def test_tasks_keep_their_order_and_are_taken_when_there_is_room() -> None:
    """Results come in another order with workers, or all tasks are made before the first is done."""
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    assert list(in_order(None, partial(mul, 2), tasks(), 1)) == [(number, 2 * number) for number in range(20)]
    taken.clear()
    with WorkerPool(2, int, "2") as pool:
        found = in_order(pool, partial(prepared, mul), tasks(), 3)
        assert next(found) == (0, 0) and len(taken) == 3
        assert list(found) == [(number, 2 * number) for number in range(1, 20)]
