"""What stands around the package agrees: versions, supported Pythons, pinned actions, templates that can be read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import puzzlemill

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FILES = [
    ".pre-commit-config.yaml",
    "CITATION.cff",
    *[str(path.relative_to(ROOT)) for path in sorted((ROOT / ".github").rglob("*.yml"))],
]


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_it_is_yaml(name: str) -> None:
    """A stray colon makes a template or a workflow vanish without a word."""
    assert type(read(name)) is dict


def test_one_version_is_named_everywhere() -> None:
    """A release is cited, or installed, under the version of the one before it."""
    assert PROJECT["version"] == puzzlemill.__version__ == read("CITATION.cff")["version"]


def test_supported_pythons_are_the_tested_ones() -> None:
    """A classifier claims a Python that nothing is run under."""
    claimed = [
        match[1] for one in PROJECT["classifiers"] if (match := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one))
    ]
    tested = read(".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    (made,) = re.findall(r"^PYTHONS := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert claimed == tested == made.split()
    assert PROJECT["requires-python"] == f">={claimed[0]}"


@pytest.mark.parametrize("name", [name for name in FILES if "workflows" in name])
def test_actions_are_pinned_by_commit(name: str) -> None:
    """A tag can be moved to other code; a job that may publish would run it."""
    used = re.findall(r"uses: (.*)", (ROOT / name).read_text())
    assert used and all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", one) for one in used)


def test_what_is_named_after_make_exists() -> None:
    """CI calls a target that was renamed."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = re.findall(
        r"^\s*(?:- run: )?make (?:--\S+ (?:\d+ )?)*([a-z-]+)",
        (ROOT / ".ci/run").read_text() + (ROOT / ".github/workflows/test.yml").read_text(),
        re.MULTILINE,
    )
    assert len(called) >= 10 and set(called) <= targets
