"""Rows of releases in Python: made by `generate` with the words of the command line, or read by `load`, also from the Hub."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory import run as factory
from puzzlemill.factory.exclusions import Exclusions, keeping_apart
from puzzlemill.factory.read import Release, batches, open_release, parquet, place_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.settings import named_by, recipe_of, settled

_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+\Z")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rows(Sequence[Row]):
    """The rows of a release, as `make` gives them, in its order; read when they are needed, some hundred in memory at a time.

    len(rows), rows[0], rows[-1], `for row in rows`. folder: where the release lies, for `datasets.load_dataset(str(folder))` and
    for the commands. manifest: what the release says of itself.
    """

    release: Release
    paths: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return self.release.folder

    @property
    def manifest(self) -> Mapping[str, Any]:
        return self.release.manifest

    def __len__(self) -> int:
        return sum([self.release.files[path].rows or 0 for path in self.paths])

    def __iter__(self) -> Iterator[Row]:
        for path in self.paths:
            for batch in batches(self.folder / path):
                yield from batch

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        left = at + len(self) if at < 0 else at
        for path in self.paths:
            count = self.release.files[path].rows or 0
            if 0 <= left < count:
                return self._row(path, left)
            left -= count
        raise IndexError(f"row {at}: there are {len(self)}")

    def _row(self, path: str, number: int) -> Row:
        with parquet(self.folder / path) as file:
            sizes = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
        for group, size in enumerate(sizes):
            if number < size:
                for batch in batches(self.folder / path, groups=[group]):
                    if number < len(batch):
                        return batch[number]
                    number -= len(batch)
            number -= size
        raise BadFile(f"{self.folder / path}: has fewer rows than the manifest says; restore it or build the release again")

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {self.manifest.get('release')} in {self.folder}>"


def load(place: str | Path, /, *, split: str = "", family: str = "", revision: str = "") -> Rows:
    """The rows of a release in a folder, or of a data set on the Hub (org/name), which is fetched into the client's cache.

        for row in puzzlemill.load("out/quick", split="test", family="sudoku"): ...

    split, family: only rows of these; "" takes all. revision: of the Hub: a release's version, by default the newest.
    Raises BadFile where there is no release, BadParams for a split or a family that it does not have.
    """
    release = open_release(folder_of(place, revision))
    parts = {path: at for path in release.data_files() if (at := place_of(path))[0]}
    for name, wanted, number in (("family", family, 0), ("split", split, 1)):
        known = list(dict.fromkeys([each[number] for each in parts.values()]))
        if wanted and wanted not in known:
            raise BadParams(f"{name}: {place} has none called {wanted[:60]!r}; it has {', '.join(known)}")
    chosen = [path for path, (of, part) in parts.items() if family in ("", of) and split in ("", part)]
    return Rows(release, tuple(chosen))


def folder_of(place: str | Path, revision: str = "") -> Path:
    """The folder of a release; where there is none and the name is like org/name, of the data set on the Hub, fetched now."""
    folder = Path(place).expanduser()
    if folder.exists() or not (type(place) is str and _HUB.match(place)):
        if revision:
            raise BadParams(f"revision: {place} is a folder here; leave it out, or name the folder of that version")
        return folder
    from puzzlemill.publish.hub import HubStore  # it loads the Hub's client

    return HubStore(place).snapshot(revision)


def folders_of(places: str | Path | Sequence[str | Path]) -> list[Path]:
    """The folders of one release or several, each as folder_of() has it."""
    several = [places] if isinstance(places, str | Path) else list(places)
    if odd := [place for place in several if not isinstance(place, str | Path)]:
        raise BadParams(f"exclude: expected a release, folder or org/name, or a list of them, got {odd[0]!r}")
    return [folder_of(place) for place in several]


@overload
def generate(
    family: str | Sequence[str] = ...,
    *,
    out: None = ...,
    workers: int = ...,
    exclude: str | Path | Sequence[str | Path] = ...,
    release: str | Path = ...,
    **words: Any,
) -> Iterator[Row]: ...
@overload
def generate(
    family: str | Sequence[str] = ...,
    *,
    out: str | Path,
    workers: int = ...,
    exclude: str | Path | Sequence[str | Path] = ...,
    release: str | Path = ...,
    **words: Any,
) -> Rows: ...
def generate(
    family: str | Sequence[str] = "",
    *,
    out: str | Path | None = None,
    workers: int = 1,
    exclude: str | Path | Sequence[str | Path] = (),
    release: str | Path = "",
    **words: Any,
) -> Iterator[Row] | Rows:
    """Make many proved puzzles, with the words of `puzzlemill generate`: the rows one after another, or a release in a folder.

        for row in puzzlemill.generate("sudoku", size=6, count=100, band="hard"): ...
        rows = puzzlemill.generate(["sudoku", "zebra"], count=5000, band="hard", exclude="out/test", out="out/train", workers=8)

    family: one, or several for a mix in equal parts; or release: a recipe by its name or file. words: count (groups: a puzzle,
    and one more row if there is a variant), split, variant, band, seed, asks, reply_formats, voices, rules, unsolvable, the
    family's parameters, and in a mix `sudoku={"size": 6}` for one of them. exclude: a release, folder or org/name, or
    several in a list, none of whose puzzles may come again up to symmetry.

    Without out: an iterator that makes each group when it is asked for, families in turn, in this process; nothing is written.
    With out: the release that the command writes, made by so many worker processes, as Rows; made once, it is only read again.
    Raises BadParams, at once for what can be known.
    """
    if not family and not release:
        raise BadParams("family: missing; name one, as in generate('sudoku'), or a recipe, as in generate(release='quick')")
    settings = settled(family, str(release), words)
    recipe = recipe_of(settings)
    apart = None
    if exclude:
        recipe, apart = keeping_apart(recipe, *folders_of(exclude))
    if out is None:
        if workers != 1:
            raise BadParams("workers: rows without out= are made in this process; name a folder, out=DIR")
        return _stream(settings, recipe, apart)
    with named_by(settings):
        factory.run(recipe, Path(out), workers, exclude=apart)
    return load(Path(out))


def _stream(settings: Mapping[str, Any], recipe: Recipe, apart: Exclusions | None) -> Iterator[Row]:
    with named_by(settings):
        yield from factory.stream(recipe, apart)
