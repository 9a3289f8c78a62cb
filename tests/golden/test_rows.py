"""What the factory made of every variant and small spec before the house was rearranged, and must make of it after."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from golden.pin import digests

from puzzlemill.core.family import AnyFamily
from strategies import every_family

FOLDER = Path(__file__).parent / "rows"
REMEDY = "compare with what an earlier checkout gives: python tests/golden/pin.py FAMILY --dump FILE; accept with --update -n 0"


@pytest.mark.slow
@pytest.mark.parametrize("family", every_family(), ids=lambda family: family.name)
def test_every_field_of_every_row_is_what_it_was(family: AnyFamily, request: pytest.FixtureRequest) -> None:
    """A rearrangement that changes a prompt, an answer, a model or a verdict is no rearrangement."""
    path = FOLDER / f"{family.name}.json"
    found = digests(family.name)
    if request.config.getoption("--update"):
        path.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n")
    assert path.is_file(), f"{path.name}: no accepted rows yet; accept them with --update -n 0 -k {path.stem}"
    accepted = json.loads(path.read_text())
    assert found.keys() == accepted.keys(), f"{path.name}: other rows; {REMEDY}"
    changed = sorted(
        {f"{label} | {field}" for label in found for field in found[label] if found[label][field] != accepted[label].get(field)}
    )
    assert changed == [], f"{path.name}: {len(changed)} fields changed; {REMEDY}"
