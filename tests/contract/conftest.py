"""Every contract test runs on the template and on every family found, without a list anywhere."""

from __future__ import annotations

import pytest

from puzzlemill.core.family import AnyFamily
from strategies import Case, every_case, every_family, graph_cases, slot_cases


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
