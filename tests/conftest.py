"""Options and fixtures for every drawer of tests; tests/README.md says what goes where."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from releases import Shared

import puzzlemill
from puzzlemill.factory.files import locked
from strategies import Case, every_case

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--installed", action="store_true", help="fail unless puzzlemill is imported from site-packages")
    parser.addoption("--smoke", action="store_true", help="of each family's small specs the first one only")
    parser.addoption("--update", action="store_true", help="accept what tests/golden differs in, and rewrite the files")


def pytest_sessionstart(session: pytest.Session) -> None:
    """`make test` promises to test the wheel: stop at once if a checkout shadows it. A shell that runs them in the background
    has them ignore Ctrl-C, and so would the programs that tests start and interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    place = Path(puzzlemill.__file__)
    if session.config.getoption("--installed"):
        if "site-packages" not in place.parts:
            pytest.exit(f"--installed: puzzlemill was imported from {place}, not from site-packages", returncode=3)
        os.environ["PYTHONSAFEPATH"] = "1"  # else `python -c` in a test would import the checkout, and compile its kernels


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and whole libraries are made here and stay: looking through them for garbage, again and again, took a
    tenth of a run. What one test leaves is still looked for, now and then."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`make smoke`: leave out what is tested on a family's first small spec too."""
    if config.getoption("--smoke"):
        first = {case.family.name: case.spec for case in reversed(every_case())}
        found = [[*item.callspec.params.values()] if hasattr(item, "callspec") else [] for item in items]
        small = [all(each.spec == first[each.family.name] for each in params if isinstance(each, Case)) for params in found]
        config.hook.pytest_deselected(items=[item for item, kept in zip(items, small, strict=True) if not kept])
        items[:] = [item for item, kept in zip(items, small, strict=True) if kept]


class Golden:
    """One file of accepted results. same(key, found) compares, and with --update remembers what was found instead."""

    def __init__(self, path: Path, update: bool) -> None:
        self.path, self.update = path, update
        self.accepted: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        self.found: dict[str, Any] = {}

    def same(self, key: str, found: Any, remedy: str) -> None:
        self.found[key] = found
        if not self.update:
            assert key in self.accepted, f"{self.path.name} has no {key!r}; add it with: pytest tests/golden --update -n 0"
            assert self.accepted[key] == found, f"{self.path.name}: {key} changed; {remedy}"

    def save(self) -> None:
        if self.update and self.found:
            self.path.parent.mkdir(exist_ok=True)
            text = json.dumps({**self.accepted, **self.found}, indent=1, sort_keys=True, ensure_ascii=False)
            self.path.write_text(text + "\n")


@pytest.fixture(scope="module")
def golden(request: pytest.FixtureRequest) -> Iterator[Golden]:
    """The golden file of the test module: tests/golden/<module>.json. --update is for one process (-n 0)."""
    name = Path(request.node.path).stem.removeprefix("test_")
    file = Golden(GOLDEN / f"{name}.json", request.config.getoption("--update"))
    yield file
    file.save()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """shared(name, make): the folder of this name as make(folder) filled it. It is made once for all workers of a run, by the
    one that asks first, and is only to be read: a test that changes files copies it."""
    home = tmp_path_factory.getbasetemp()
    home = (home.parent if "PYTEST_XDIST_WORKER" in os.environ else home) / "shared"
    home.mkdir(exist_ok=True)

    def folder(name: str, make: Callable[[Path], object]) -> Path:
        found, done = home / name, home / f"{name}.done"
        with (home / f"{name}.lock").open("w") as lock:
            locked(lock, wait=True)
            if not done.exists():
                shutil.rmtree(found, ignore_errors=True)  # what a worker left that failed at it
                make(found)
                done.touch()
        return found

    return folder
