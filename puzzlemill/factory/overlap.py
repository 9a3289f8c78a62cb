"""Verify several releases, and that no two of them share a puzzle up to symmetry.

The keys that are compared are computed from the puzzles, never read from the rows. Memory: some 250 bytes per row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.read import open_release
from puzzlemill.factory.verify import FurtherChecks, Report, verify
from puzzlemill.factory.verify_row import RowFacts


@dataclass(frozen=True, slots=True)
class Overlap:
    """The result of comparing. rows: compared. small: left out, of small classes. shared: rows that a folder before has too."""

    releases: int
    rows: int
    small: int
    shared: int

    def __str__(self) -> str:
        held = " (exclude= keeps these apart too)" if self.small else ""
        return (
            f"{self.shared} shared: {self.rows} rows of {self.releases} releases compared up to symmetry, "
            f"{self.small} of small classes left out{held}"
        )


def verify_disjoint(
    folders: Sequence[Path],
    show: Callable[[str], None],
    *,
    further: FurtherChecks | None = None,
    engine: str | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Report], Overlap]:
    """Verify each release as verify() does, its problems shown with the folder before them, then show what they share.

    A row that a folder named before has too is shown as `folder: row id: is, up to symmetry, row id of folder`. Raises as
    verify() does, after all else was checked, and BadParams if a folder is named twice.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise BadParams("DIR: the same folder is named twice; a release shares every row with itself")
    owner: dict[str, tuple[Path, str]] = {}  # canonical key -> where it was first
    shared: list[str] = []
    reports, unreadable = [], []
    rows = small = 0
    for folder in folders:

        def note(facts: RowFacts, folder: Path = folder) -> None:
            nonlocal rows, small
            if not facts.lasts:
                small += 1
                return
            rows += 1
            first, other = owner.setdefault(facts.key, (folder, facts.id))
            if first is not folder:
                shared.append(f"{folder}: {facts.id}: is, up to symmetry, {other} of {first}")

        def problem(line: str, folder: Path = folder) -> None:
            show(f"{folder}: {line}")

        try:
            reports.append(verify(folder, problem, further=further, engine=engine, workers=workers, progress=progress, note=note))
        except BadFile as error:
            unreadable.append(error)
    for line in shared:
        show(line)
    for at, (where, what) in further.between([open_release(folder) for folder in folders]) if further else ():
        show(f"{at}: {where}: {what}")
        if not unreadable:
            i = folders.index(at)
            reports[i] = replace(reports[i], problems=reports[i].problems + 1)
    if unreadable:
        for other in unreadable[1:]:
            show(str(other))
        raise unreadable[0]
    return reports, Overlap(len(folders), rows, small, len(shared))
