"""Every contract test runs on the template and on every family found, without a list anywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puzzlemill.core.family import AnyFamily
from strategies import Case, every_case, every_family, graph_cases, slot_cases

HERE = Path(__file__).parent
# acrostics are made at three a second: of their two small specs one is transformed every time, and their traces are slow tests
SLOW = re.compile(r"test_(?:transforms|forms)\.py::.*\[acrostic-.*revealed=2|test_deduce\.py::test_traces_hold\[acrostic\]")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one case come one after the other, of all files here, so that the puzzles which they share are made once."""

    def of_case(item: pytest.Item) -> str:
        found = getattr(item, "callspec", None)
        return next((str(value) for value in found.params.values() if isinstance(value, Case)), "") if found else ""

    for item in items:
        if SLOW.search(item.nodeid):
            item.add_marker("slow")
    here = [at for at, item in enumerate(items) if item.path.parent == HERE]
    for at, item in zip(here, sorted([items[at] for at in here], key=of_case), strict=True):
        items[at] = item


@pytest.fixture(params=every_family(), ids=lambda family: family.name)
def family(request: pytest.FixtureRequest) -> AnyFamily:
    found: AnyFamily = request.param
    return found


@pytest.fixture(params=every_case(), ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(params=slot_cases(), ids=str)
def slot_case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(params=graph_cases(), ids=str)
def graph_case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found
