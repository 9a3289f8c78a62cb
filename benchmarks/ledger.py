"""The ledger with ten million keys: how fast it is merged and asked, and what a process that asks it holds in memory.

By itself: python benchmarks/ledger.py 10000000. A reader is a process of its own; its memory is what the system says it held at
most, pages of the mapped index among it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measure import Line, clock

KEYS = 10_000_000
PARTS = 12  # monthly releases of a year
ASKED = 200_000  # looked up at once, half of them held
GROUP = 4  # keys that a run asks about at once
GROUPS = 20_000
FAMILIES = ("binario", "hanoi", "sudoku", "zebra")
MOST = 2048.0  # MiB for 1e8 keys: what we set out to stay below


def lines(keys: int = KEYS) -> list[Line]:
    """The lines of the table."""
    with TemporaryDirectory(prefix="puzzlemill-ledger-") as folder:
        parts = list(_write_segments(Path(folder), keys))
        begun = clock()
        built = _run("open", folder)
        opened = clock() - begun
        (index,) = (Path(folder) / "cache").iterdir()
        size = index.stat().st_size
        begun = clock()
        _run("open", folder)
        again = clock() - begun
        small = _run("ask", folder)
        stored = sum(path.stat().st_size for path in parts)
    per_key = size / keys
    whole = small["peak"] + per_key * (1e8 - keys) / (1 << 20)
    n = f"{keys:.0e}".replace("+0", "")
    return [
        Line(
            f"ledger: {n} keys of {PARTS} parts merged",
            "keys",
            keys / (opened - again),
            note="parts checked, sorted, index written",
        ),
        Line("ledger: opened again", "s", again, note="CPU: Python started, parts and index hashed"),
        Line("ledger: looked up at once, held", "keys", small["hits"], note=f"{ASKED // 2:,} keys as text"),
        Line("ledger: looked up at once, not held", "keys", small["misses"], note=f"{ASKED // 2:,} keys as text"),
        Line(f"ledger: {GROUP} keys at a time", "groups", small["groups"], note="as a run asks for each group"),
        Line("ledger: index per key", "bytes", per_key, "<= 17", per_key <= 17, note=f"parts: {stored / keys:.1f} bytes per key"),
        Line("ledger: most memory of the merging process", "MiB", built["peak"]),
        Line(
            "ledger: most memory of the asking process",
            "MiB",
            small["peak"],
            note=f"{small['idle']:.0f} MiB before the ledger was opened; every page of the index read",
        ),
        Line(
            "ledger: the same with 1e8 keys, extrapolated",
            "MiB",
            whole,
            f"< {MOST:.0f}",
            whole < MOST,
            note="not measured: the line above and the index of the other keys, every page of it read",
        ),
    ]


def _run(what: str, folder: str) -> dict[str, float]:
    """One fresh process."""
    done = subprocess.run([sys.executable, __file__, what, folder], capture_output=True, check=True, text=True)
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def _random(seed: int, count: int) -> Any:
    """Keys that look like hashes, sorted."""
    import numpy as np

    return np.sort(np.frombuffer(np.random.default_rng(seed).bytes(16 * count), "S16"))


def _write_segments(folder: Path, keys: int) -> Iterator[Path]:
    """Parts of random keys, written as write_segment does but without a Python object per key."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from puzzlemill.factory.canonical import KEY_VERSION, labelling
    from puzzlemill.publish import ledger

    for number in range(PARTS):
        path = folder / f"2026-{number + 1:02}-00000000.parquet"
        said = f'{{"ledger":1,"version":"{path.stem}","commitment":null,"labelling":"{labelling()}"}}'
        schema = ledger._schema().with_metadata({b"puzzlemill": said.encode()})
        with pq.ParquetWriter(path, schema, compression="none", use_dictionary=["family", "key_version"]) as file:
            for place, family in enumerate(FAMILIES):
                count = keys // (PARTS * len(FAMILIES)) + (number == place == 0) * (keys % (PARTS * len(FAMILIES)))
                raw = _random(number * len(FAMILIES) + place, count)
                for start in range(0, count, ledger.ROW_GROUP):
                    some = raw[start : start + ledger.ROW_GROUP]
                    arrays = [
                        pa.array([family] * len(some), pa.string()),
                        pa.array([KEY_VERSION] * len(some), pa.int32()),
                        pa.Array.from_buffers(pa.binary(16), len(some), [None, pa.py_buffer(some.tobytes())]),
                    ]
                    file.write_table(pa.Table.from_arrays(arrays, schema=schema))
        yield path


def _open(folder: Path) -> Any:
    from puzzlemill.publish.ledger import Ledger

    return Ledger.open(sorted(folder.glob("*.parquet")), folder / "cache")


def _ask(folder: Path) -> None:
    """Figures of one reader: lines of name and value."""
    import pyarrow.parquet  # noqa: F401 - counted as there before the ledger
    from memory import resident

    from puzzlemill.factory.canonical import KEY_VERSION

    held = _held(folder)
    absent = [f"sudoku:{KEY_VERSION}:{raw:032x}" for raw in _numbers(99, ASKED // 2)]
    idle = resident()
    ledger = _open(folder)
    for name, keys, expected in (("hits", held, True), ("misses", absent, False)):
        begun = clock()
        found = ledger.held(keys)
        print(name, len(keys) / (clock() - begun))
        if found != [expected] * len(keys):
            raise RuntimeError(f"{name}: {found.count(not expected)} wrong answers")
        del found
    begun = clock()
    for start in range(0, GROUPS * GROUP, GROUP):
        ledger.holds(absent[start : start + GROUP])
    print("groups", GROUPS / (clock() - begun))
    total = sum(int(keys.view("u1")[::4096].sum()) for keys in ledger._sections.values())  # every page of the index
    if total <= 0:
        raise RuntimeError("the index is empty")
    print("idle", idle)
    print("peak", max(resident(), _most()))


def _held(folder: Path) -> list[str]:
    """Keys from all parts."""
    from puzzlemill.publish.ledger import inspect_segment, segment_keys

    paths = sorted(folder.glob("*.parquet"))
    share = ASKED // 2 // len(paths)
    keys = []
    for path in paths:
        part = inspect_segment(path)
        step = max(1, part.keys // share)
        keys += [
            f"{family}:{version}:{raw.hex()}" for i, (family, version, raw) in enumerate(segment_keys(part)) if i % step == 0
        ]
    return keys


def _numbers(seed: int, count: int) -> Iterator[int]:
    import numpy as np

    raw = np.random.default_rng(seed).bytes(16 * count)
    return (int.from_bytes(raw[i : i + 16], "big") for i in range(0, len(raw), 16))


def _most() -> float:
    """The most memory that this process ever held, in MiB."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    if sys.argv[1] == "open":
        _open(Path(sys.argv[2]))
        print("peak", _most())
    elif sys.argv[1] == "ask":
        _ask(Path(sys.argv[2]))
    else:
        from measure import text

        print(text(lines(int(sys.argv[1]))))
