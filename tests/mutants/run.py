"""Plant the mistakes of mutants.toml in a copy of a checkout, one at a time, and see which test notices each.

    python tests/mutants/run.py --root .                     all sixty: about half an hour on a quiet machine
    python tests/mutants/run.py --root . --list              which place each mistake goes to, without running anything
    python tests/mutants/run.py --root . --only NAME         one of them (may be given several times)

The checkout itself is only read. The copy lies in a folder that is always the same, since compiled kernels are kept by path.
A mistake is caught if a test that covers it fails, or is still running after 60 seconds of processor time, and if the same test
passes without it. Needs nothing but Python and pytest; run it with the interpreter that has the tests' packages.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

WORK = Path(tempfile.gettempdir()) / "puzzlemill-mutants"
TREE, COMPILED = WORK / "tree", WORK / "compiled"
KERNELS = Path("puzzlemill/solvers/kernels")
LIMIT = 60  # seconds of processor time for the tests of one mistake
BEFORE = (("puzzlemill/publish/", "puzzlemill/factory/"),)  # where a folder stood before the layout was rearranged
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "out", "dist", "build")
UNMAPPED = "to be mapped"


@dataclass(frozen=True)
class Mutant:
    name: str
    area: str
    why: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    kernel: bool = False
    later: tuple[Mapping[str, Any], ...] = ()

    def at(self, root: Path) -> Mutant | str:
        """The mistake as it goes into this checkout; or why it does not."""
        why = ""
        for change in ({}, *self.later)[::-1]:
            there = replace(self, **{**change, "tests": tuple(change.get("tests", self.tests))})
            places = [there.file, *[new + there.file[len(old) :] for old, new in BEFORE if there.file.startswith(old)]]
            file = next((place for place in places if (root / place).is_file()), None)
            times = 0 if file is None else (root / file).read_text(encoding="utf-8").count(there.old)
            tests = [test for test in there.tests if not test.endswith(".py") or (root / test).is_file()]
            if file is not None and times == 1 and any(test.endswith(".py") for test in tests):
                return replace(there, file=file, tests=tuple(tests))
            why = why or (f"no {there.file}" if file is None else f"{file}: {times} times" if times != 1 else "none of its tests")
        return f"{UNMAPPED}: {why}"


@dataclass(frozen=True)
class Result:
    result: str  # caught, survived, or why it could not be run
    by: str = ""
    seconds: float = 0.0


def read_mutants(path: Path) -> list[Mutant]:
    told = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    mutants = [Mutant(**{**entry, "tests": tuple(entry["tests"]), "later": tuple(entry.get("later", ()))}) for entry in told]
    assert len({mutant.name for mutant in mutants}) == len(mutants), "names must differ"
    return mutants


def python(*args: str, limit: int | None = None) -> tuple[int, str, float]:
    """Run this interpreter in the copy: exit status, output, seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TREE), str(TREE / "tests")])}

    def bounded() -> None:
        os.nice(15)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    done = subprocess.run(
        [sys.executable, *args], cwd=TREE, env=env, preexec_fn=bounded, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout + done.stderr, round(seconds, 1)


def copy_checkout(root: Path) -> None:
    """A fresh copy, with every kernel compiled."""
    shutil.rmtree(TREE, ignore_errors=True)
    shutil.copytree(root, TREE, symlinks=True, ignore=LEFT_OUT)
    cache = TREE / KERNELS / "__pycache__"
    if COMPILED.is_dir():
        shutil.copytree(COMPILED, cache)
    status, output, _ = python("scripts/compile_kernels.py", "2")
    if status:
        sys.exit(f"the kernels of {root} do not compile:\n{output[-2000:]}")
    shutil.rmtree(COMPILED, ignore_errors=True)
    shutil.copytree(cache, COMPILED, ignore=shutil.ignore_patterns("*.pyc"))


def pytest(tests: Sequence[str]) -> tuple[str, str, float]:
    """Whether these tests pass: "passed", "failed" with the first that failed, "late", or what else pytest said."""
    shutil.rmtree(TREE / ".hypothesis", ignore_errors=True)  # what one mistake broke is not tried on the next
    plain = ["-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "--tb=no", "-rfE", "--show-capture=no"]
    status, output, seconds = python(*plain, *tests, limit=LIMIT)
    if status == 0:
        return "passed", "", seconds
    if status < 0:
        return "late", f"stopped after {LIMIT} s", seconds
    failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", output, re.MULTILINE)
    if status > 2 or failed is None:
        return f"pytest ended with {status}", output.strip().splitlines()[-1] if output.strip() else "", seconds
    return "failed", failed[1], seconds


def plant(mutant: Mutant) -> Result:
    """Put the mistake into the copy, run its tests, and take it out again."""
    file = TREE / mutant.file
    status, right = file.stat(), file.read_text(encoding="utf-8")
    try:
        file.write_text(right.replace(mutant.old, mutant.new), encoding="utf-8")
        outcome, by, seconds = pytest(mutant.tests)
    finally:
        file.write_text(right, encoding="utf-8")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    if outcome == "passed":
        return Result("survived", "", seconds)
    if outcome not in ("failed", "late"):
        return Result(f"{UNMAPPED}: {outcome}", by, seconds)
    again, why, _ = pytest([by] if outcome == "failed" else mutant.tests)
    if again != "passed":
        return Result(f"{UNMAPPED}: its tests fail without it", why, seconds)
    return Result("caught", by, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--root", type=Path, required=True, help="the checkout to copy")
    parser.add_argument("--list", action="store_true", help="show places and tests, run nothing")
    parser.add_argument("--only", action="append", metavar="NAME", help="this mistake only; may be given several times")
    parser.add_argument("--save", type=Path, metavar="FILE", help="note results as JSON there, beside those that it has")
    args = parser.parse_args()
    mutants = read_mutants(Path(__file__).parent / "mutants.toml")
    if unknown := {*(args.only or ())} - {mutant.name for mutant in mutants}:
        sys.exit(f"no such mutants: {', '.join(sorted(unknown))}; --list shows all")
    chosen = [mutant for mutant in mutants if not args.only or mutant.name in args.only]
    if not args.list:
        copy_checkout(args.root.resolve())
    results: dict[str, Result] = {}
    for mutant in chosen:
        there = mutant.at(args.root)
        if isinstance(there, str):
            results[mutant.name] = Result(there)
        elif args.list:
            results[mutant.name] = Result("found", f"{there.file}: {' '.join(there.tests)}")
        else:
            results[mutant.name] = plant(there)
        found = results[mutant.name]
        print(f"{mutant.name:22}{found.seconds:6.1f}  {found.result}  {found.by}", flush=True)
        if args.save and not args.list:
            saved = json.loads(args.save.read_text()) if args.save.exists() else {}
            saved[mutant.name] = vars(found)
            args.save.write_text(json.dumps(saved, indent=1) + "\n")
    if not args.list:
        print(f"caught {sum(found.result == 'caught' for found in results.values())} of {len(chosen)}")
    if lost := [name for name, found in results.items() if found.result.startswith(UNMAPPED)]:
        sys.exit(f"{len(lost)} of {len(chosen)} {UNMAPPED}: {', '.join(lost)}")


if __name__ == "__main__":
    main()
