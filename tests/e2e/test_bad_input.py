"""Input that cannot be used: one line that names the place and the remedy, exit code 2, and nothing half-written."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from releases import Shared, parquet, settle

from puzzlemill import cli
from puzzlemill.factory import run as running
from puzzlemill.generators import families

SMALL = ["family=hanoi", "count={train:2,test:1}", "family.params.pegs=3", "family.params.disks=[3,4,5]", "workers=1"]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a command says before it exits with code 2."""
    assert cli.main([*arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ") and err.count("\n") == 1
    return err


def files(folder: Path) -> list[str]:
    """Everything that lies under a release's final names."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and ".work" not in path.parts
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (["family=binario", "family.params.rows=7"], "rows"),
        (["family=binario", "family.params.rows=2"], "rows"),
        (["family=sudoku", "family.params.size=7"], "size"),
        (["family=hanoi", "family.params.disks=99"], "disks"),
        (["family=hanoi", "family.params.disks=3", "count=1000"], "count: 1000 groups are asked for"),
        (["family=hanoi", "variant=unsolvable"], "variant: clash does not fit hanoi"),
    ],
)
def test_what_no_puzzle_can_be_made_of(
    settings: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A size, a count or a variant that cannot be is found after hours, or leaves a folder behind."""
    assert expected in refused(capsys, "generate", *settings, f"out={tmp_path / 'never'}")
    assert not (tmp_path / "never").exists()


def test_show_and_verify_name_what_they_do_not_know(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A family, variant, format, engine, number or folder that is not there ends in a traceback."""
    assert f"unknown family 'nonogram'; known: {', '.join(families())}" in refused(capsys, "show", "nonogram")
    assert "unknown variant 'wild'" in refused(capsys, "show", "sudoku", "wild")
    assert "unknown format 'xml'; known: json" in refused(capsys, "show", "sudoku", "--format", "xml")
    assert "numbered from 0" in refused(capsys, "show", "sudoku", "--index", "-3")
    assert "unknown engine 'oracle'; known: kernel, space, sat, smt, checker" in refused(
        capsys, "verify", str(small), "--engine", "oracle"
    )
    assert "expected 1 to 256 processes" in refused(capsys, "verify", str(small), "--workers", "0")
    for command in ("verify", "stats"):
        assert "no such folder" in refused(capsys, command, str(tmp_path / "nowhere"))
        assert "missing, so this is no finished release" in refused(capsys, command, str(tmp_path))
    assert "no such folder" in refused(capsys, "score", str(tmp_path / "nowhere"), "replies.jsonl")


@pytest.mark.parametrize("command", ["stats", "score"])
def test_a_corrupt_file_is_named(copy: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken Parquet file ends in a traceback."""
    (copy / parquet("sudoku", "train")).write_bytes(b"PAR1 was here")
    replies = copy.parent / "replies.jsonl"
    replies.write_text("")
    line = refused(capsys, command, str(copy), *([str(replies)] if command == "score" else []))
    assert parquet("sudoku", "train") in line and "restore the file or build the release again" in line


READERS = {
    "preview": ["{release}", "--out", "{out}"],
    "verify": ["{release}", "--engine", "kernel"],
    "score": ["{release}", "{replies}"],
    "report": ["{release}", "{replies}", "--out", "{out}"],
    "effects": ["{release}", "{replies}", "--out", "{out}"],
    "structure": ["{release}", "{replies}"],
    "stats": ["{release}"],
    "export": ["{release}", "--to", "trl", "--out", "{out}"],
    "similar": ["{release}"],
    "audit": ["{replies}", "{release}"],
    "prove": ["{release}", "{row}", "--out", "{out}"],
    "study": ["{release}", "--out", "{out}"],
}


def read_by(command: str, release: Path) -> list[str]:
    """The command line that has a command read a release."""
    row = pq.read_table(release / parquet("sudoku", "train"), columns=["id"])["id"][0].as_py()
    replies, out = release.parent / "replies.jsonl", release.parent / "out"
    replies.write_text(json.dumps({"id": row, "sample": 0, "reply": "x"}) + "\n")
    return [command, *[word.format(release=release, replies=replies, out=out, row=row) for word in READERS[command]]]


@pytest.fixture(scope="session")
def large(shared: Shared, small: Path) -> Path:
    """A file of a release, of 300 rows with texts of a megabyte that are written once."""

    def write(folder: Path) -> None:
        folder.mkdir()
        table = pq.read_table(small / parquet("sudoku", "train")).slice(0, 1).take([0] * 300)
        for name in ("puzzle", "prompt", "reply_schema"):
            once = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), pa.array(["x" * 1_000_000]))
            table = table.set_column(table.schema.get_field_index(name), name, once)
        plain = table.replace_schema_metadata()
        pq.write_table(plain, folder / "large.parquet", compression="zstd", dictionary_pagesize_limit=1 << 21, store_schema=False)

    path = shared("large", write) / "large.parquet"
    assert path.stat().st_size < 60_000
    return path


@pytest.mark.parametrize("command", READERS)
def test_a_small_file_that_unpacks_to_much(copy: Path, large: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A release of some kilobytes takes all memory of who looks at it: its 300 rows are 900 MB."""
    path = copy / parquet("sudoku", "train")
    path.write_bytes(large.read_bytes())
    settle(copy, everything=False)
    assert cli.main(read_by(command, copy)) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith(f"error: {path}: row group 0 unpacks to ") and line.endswith("build the release again")


@pytest.mark.parametrize(
    ("command", "place"),
    [*[(each, "release") for each in READERS], ("export", "recipe"), ("preview", "files"), ("score", "publication")],
)
def test_half_of_a_surrogate_pair_in_a_manifest(copy: Path, command: str, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON can name signs that no file can hold; where they are written or looked up there is a traceback."""
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    if place == "files":
        manifest["files"]["data/\ud800.parquet"] = manifest["files"].pop(parquet("sudoku", "train"))
    elif place == "recipe":
        manifest["recipe"]["name"] = "a \udfff"
    else:
        manifest[place] = "a \ud800"
    path.write_text(json.dumps(manifest))
    line = refused(capsys, *read_by(command, copy))
    assert f"{path}: holds half of a surrogate pair, '\\ud" in line and "restore it or build the release again" in line


def test_an_output_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A place that is a file, or belongs to somebody else, ends in a traceback or is overwritten."""
    (tmp_path / "file").write_text("mine")
    assert str(tmp_path / "file") in refused(capsys, "generate", *SMALL, f"out={tmp_path / 'file'}")
    assert str(tmp_path / "file") in refused(capsys, "generate", *SMALL, f"out={tmp_path / 'file' / 'below'}")
    assert (tmp_path / "file").read_text() == "mine"
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "thesis.tex").write_text("mine")
    assert "thesis.tex" in refused(capsys, "generate", *SMALL, f"out={tmp_path / 'taken'}")
    assert files(tmp_path / "taken") == ["thesis.tex"]
    assert "/proc" in refused(capsys, "generate", *SMALL, "out=/proc/puzzlemill")


def test_another_release_is_not_overwritten(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """generate writes over a release of another recipe."""
    before = {path: (small / path).read_bytes() for path in files(small)}
    assert "another recipe" in refused(capsys, "generate", *SMALL, f"out={small}")
    assert before == {path: (small / path).read_bytes() for path in files(small)}


@pytest.mark.parametrize("bytes_left", [2_000, pytest.param(40_000, marks=pytest.mark.slow)])
def test_a_full_disk(tmp_path: Path, bytes_left: int) -> None:
    """When the disk is full there is a traceback, or half a release under final names; and it cannot be finished later."""
    out = tmp_path / "release"
    program = (
        "import resource, signal, sys; from puzzlemill.cli import main; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "  # a write past the limit fails with an OSError, as on a full disk
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_left},) * 2); sys.exit(main(sys.argv[1:]))"
    )
    command = ["generate", *SMALL, f"out={out}"]
    # -B and a kernel that is compiled already: the limit is for the release, not for caches
    assert cli.main(["show", "hanoi"]) == 0
    done = subprocess.run([sys.executable, "-B", "-c", program, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: ") and str(out) in last and "; " in last
    assert "Traceback" not in done.stderr
    assert files(out) == []
    assert cli.main(command) == 0
    assert len(files(out)) == 6  # a card and its example, two splits, manifest, scorer


def limited(addresses: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command with so few bytes of addresses (ulimit -v)."""
    resource = pytest.importorskip("resource")
    if sys.platform != "linux":
        pytest.skip("elsewhere the limit is not kept")
    program = [sys.executable, "-m", "puzzlemill.cli", *command]
    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (addresses,) * 2)
    return subprocess.run(program, capture_output=True, text=True, check=False, preexec_fn=limit, timeout=120)


@pytest.mark.parametrize("mebibytes", [100, 450, 700])
def test_too_little_memory_is_said_in_one_line(tmp_path: Path, mebibytes: int) -> None:
    """A library that cannot be loaded ends the command with its own traceback, with "interrupted", or without a word."""
    done = limited(mebibytes * 2**20, "generate", *SMALL, f"out={tmp_path / 'out'}")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: too little memory: this process may use {mebibytes} MiB of addresses")
    assert "ulimit -v unlimited" in line
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_gibibyte_of_addresses_is_enough(tmp_path: Path) -> None:
    """The limit below which nothing begins is lower than what is needed."""
    done = limited(2**30, "generate", *SMALL, f"out={tmp_path / 'out'}")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        ImportError("libarrow.so.2600: failed to map segment from shared object"),
        OSError("Could not find/load shared object file 'libllvmlite.so' from resource location: 'llvmlite.binding'."),
        RuntimeError("can't start new thread"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
    ],
    ids=repr,
)
def test_what_runs_out_of_memory_later_says_so(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that has begun ends in the traceback of a library."""

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("puzzlemill.cli.generate.compose", fails)
    line = refused(capsys, "generate", "count=1")
    assert "too little memory: " in line and (str(error) or "an allocation failed") in line and "fewer workers" in line


def test_a_file_that_memory_does_not_suffice_for(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sound file is called corrupt, and made again in vain."""

    def fails(*_: object, **__: object) -> None:
        raise pa.ArrowMemoryError("malloc of size 232832 failed")

    monkeypatch.setattr(pq, "ParquetFile", fails)
    assert "(malloc of size 232832 failed): there is too little memory, or the file is corrupt" in refused(
        capsys, "stats", str(small)
    )


@pytest.mark.slow
@pytest.mark.parametrize(("how", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")])
def test_ctrl_c(tmp_path: Path, how: signal.Signals, code: int, word: str) -> None:
    """Ctrl-C or SIGTERM (to a whole job, as schedulers send it) shows a traceback, or leaves something under a final name, or
    processes behind."""
    out = tmp_path / "release"
    settings = ["family=sudoku", "count=100000", f"out={out}", "workers=2"]
    command = [sys.executable, "-m", "puzzlemill.cli", "generate", *settings]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    for _ in range(600):
        if any((out / ".work").glob("*/shards/*/*/*.jsonl")):
            break
        time.sleep(0.1)
    os.killpg(process.pid, how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert err.splitlines()[-1] == f"{word}; the same command goes on where this one stopped" and "Traceback" not in err
    assert files(out) == []
    assert _gone(process.pid)


def test_a_command_that_was_terminated_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGTERM, as a scheduler or a container sends it, loses what is done, shows a traceback or hides as success."""
    out = tmp_path / "release"
    settings = ["family=sudoku", "variant=canonical", "family.params.size=9", "count=32", f"out={out}", "workers=1"]
    command = [sys.executable, "-m", "puzzlemill.cli", "generate", *settings]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(2400):
        if any((out / ".work").glob("*/shards/*/*/*.jsonl")):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    shown, err = process.communicate(timeout=60)
    assert (process.returncode, shown) == (143, ""), err
    assert err.splitlines()[-1] == "terminated; the same command goes on where this one stopped" and "Traceback" not in err
    there = sum(len(path.read_bytes().splitlines()) - 1 for path in (out / ".work").glob("*/shards/*/*/*.jsonl"))
    assert there > 0 and files(out) == []
    build = Mock(side_effect=running.build_group)
    monkeypatch.setattr(running, "build_group", build)
    assert cli.main(["generate", *settings]) == 0
    assert build.call_count == 32 - there, "what was there is taken up"
    assert cli.main(["verify", str(out), "--workers", "1"]) == 0


@pytest.mark.slow
def test_ctrl_c_while_verifying(small: Path) -> None:
    """Ctrl-C in verify shows a traceback, or leaves processes behind."""
    command = [sys.executable, "-m", "puzzlemill.cli", "verify", str(small), "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(2)  # wherever it is by then: starting, at work, or done
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (0, 130)
    assert "Traceback" not in err
    assert _gone(process.pid)


def _gone(group: int) -> bool:
    """Whether no process of this group is left, after a moment."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
