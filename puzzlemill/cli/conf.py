"""The files under conf/ by their names."""

from __future__ import annotations

from pathlib import Path

CONF = Path(__file__).parents[1] / "conf"


def choices(group: str) -> list[str]:
    """The names of conf/<group>/*.yaml."""
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))
