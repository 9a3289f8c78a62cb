"""Check a release among others: its segment of the ledger, the segments before it, what was revealed since.

This module is a `factory.verify.FurtherChecks`: `verify(folder, show, further=published)`.
Everything here can be seen from the folder alone. What cannot: rows that equal a blind row whose secret is not revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile, BadInput
from puzzlemill.factory.read import MANIFEST, Release, file_hash, open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.verify_row import Problem
from puzzlemill.publish.ledger import (
    Segment,
    blind_segment_path,
    common,
    digest_of,
    inspect_segment,
    rows_digest,
    segment_keys,
    segment_path,
)
from puzzlemill.publish.plan import plan, plan_of, publication_of
from puzzlemill.publish.secret import blind_key, commitment, read_secret

REVEALED, SECRET = "revealed", "secret.txt"  # revealed/<version>/: a release of its own, and its secret
# what the Hub's clients add to a data set
_CLIENTS = (".gitattributes", ".cache/huggingface/")


def stated(release: Release) -> dict[str, str]:
    """Path -> SHA-256 of the ledger's segments in the folder, as the manifest says; {} if it says nothing of a publication.

    The segment of revealed rows lies next to those of all releases, not next to the rows.
    """
    try:
        publication = _publication(release)
    except BadFile:
        return {}
    return {} if publication is None or "reveals" in publication else {**publication["earlier"], **publication["ledger"]}


def _publication(release: Release) -> dict[str, Any] | None:
    return None if release.manifest.get("publication") is None else publication_of(release.manifest, MANIFEST)


def belongs(release: Release) -> Callable[[str], bool]:
    """Accept what was revealed since, which has manifests of its own, and what the Hub's clients write."""
    known: set[str] = set()
    for folder in _revealed(release):
        known |= {f"{REVEALED}/{folder.name}/{path}" for path in [*_files_of(folder), MANIFEST]}
        known.add(_revealed_segment(folder.name))
    clients = _CLIENTS if release.manifest.get("publication") is not None else ()
    return lambda path: path in known or path.startswith(clients)


def _revealed(release: Release) -> list[Path]:
    """The folders of revealed splits."""
    if release.manifest.get("publication") is None or not (release.folder / REVEALED).is_dir():
        return []
    return sorted(folder for folder in (release.folder / REVEALED).iterdir() if (folder / MANIFEST).is_file())


def _files_of(folder: Path) -> Mapping[str, Any]:
    try:
        return open_release(folder).files
    except BadFile:
        return {}


def _revealed_segment(version: str) -> str:
    return f"ledger/{version}.revealed.parquet"


def problems(release: Release, lasting: Mapping[str, str]) -> Iterator[Problem]:
    """Find what is wrong with the place of a release among others. lasting: canonical key -> row id, of all but small classes."""
    try:
        publication = _publication(release)
        if publication is None:
            return
        if "reveals" in publication:
            yield from _check_secret(release, publication)
            return
        made = plan_of(publication)
    except BadInput as error:
        yield MANIFEST, f"publication: {' '.join(str(error).removeprefix(f'{MANIFEST}: ').split())}"
        return
    if release.manifest.get("recipe_key") != made.open.key():
        yield MANIFEST, "publication: its recipe and period give other puzzles than those that are here"
    if release.manifest.get("earlier") != digest_of(publication["earlier"].values()):
        yield MANIFEST, "earlier: the release was made after other segments of the ledger than those that its publication names"
    yield from _check_own(release, publication, lasting)
    yield from _check_blind(release, publication)
    secrets: dict[str, bytes] = {}
    for folder in _revealed(release):
        yield from _check_revealed(release, folder, secrets)
    reported: set[str] = set()
    for path in [*publication["earlier"], *[_revealed_segment(version) for version in secrets]]:
        for where, what in _check_earlier(release, path, lasting, secrets):
            if where not in reported:
                reported.add(where)
                yield where, what


def _check_secret(release: Release, publication: Mapping[str, Any]) -> Iterator[Problem]:
    """Revealed rows: that the secret is the one that was committed to, and that the recipe is drawn from it."""
    try:
        secret = _secret_of(release.folder)
    except BadFile as error:
        yield SECRET, _without(error, release.folder / SECRET)
        return
    if commitment(secret) != publication["reveals"]:
        yield SECRET, "does not fit the commitment in the manifest"
        return
    splits = sorted({cell["split"] for cell in release.manifest["content"]})
    made = plan(Recipe.from_plain(publication["recipe"]), publication["period"], splits)
    if made.version != publication["version"] or made.blind_recipe(secret).key() != release.manifest.get("recipe_key"):
        yield MANIFEST, "publication: its recipe, period and secret give other puzzles than those that are here"


def _secret_of(folder: Path) -> bytes:
    """The secret of revealed rows, which lies in a file: nobody knows who made the folder."""
    if not (folder / SECRET).is_file():
        raise BadFile(f"{folder / SECRET}: missing, or no file")
    return read_secret(folder / SECRET)


def _segment(release: Release, path: str, version: str) -> Generator[Problem, None, Segment | None]:
    """Give what is wrong with a segment; return it, None if it cannot be read or is missing, which is reported elsewhere."""
    file = release.folder / path
    if not file.is_file():
        return None
    try:
        segment = inspect_segment(file)
    except BadFile as error:
        yield path, _without(error, file)
        return None
    if segment.version != version:
        yield path, f"states that it is of {segment.version}, not of {version}"
    return segment


def _readable(release: Release, path: str) -> Segment | None:
    """A segment whose problems are reported elsewhere; None if it is missing or cannot be read."""
    try:
        return inspect_segment(release.folder / path)
    except BadFile:
        return None


def _without(error: BadFile, file: Path) -> str:
    return str(error).removeprefix(f"{file}: ")


def _check_own(release: Release, publication: Mapping[str, Any], lasting: Mapping[str, str]) -> Iterator[Problem]:
    """The release's own segment holds the keys of its rows, and no others."""
    path = segment_path(publication["version"])
    if path not in publication["ledger"]:
        yield MANIFEST, f"publication: does not name {path}, the release's own segment of the ledger"
    segment = yield from _segment(release, path, publication["version"])
    if segment is None:
        return
    if segment.commitment:
        yield path, "holds blind keys, which belong into another segment"
        return
    try:
        keys = {f"{family}:{key_version}:{raw.hex()}" for family, key_version, raw in segment_keys(segment)}
    except BadFile as error:
        yield path, _without(error, segment.path)
        return
    if segment.rows != rows_digest([row["id"] for row in rows_of(release, ("id",))]):
        yield path, "is of other rows than those that are here; groups were exchanged, added or altered since it was made"
    for key in sorted(lasting.keys() - keys):
        yield lasting[key], f"canonical_key: is not in {path}, so the puzzle could come again"
    if spare := len(keys - lasting.keys()):
        yield path, f"holds {spare} key{'s' if spare > 1 else ''} of puzzles that are in no row"


def between(releases: Sequence[Release]) -> Iterator[tuple[Path, Problem]]:
    """Find segments of one release that are not those which another was made after, each with the folder that has the segment.

    This shows what a forger did who rewrote all of a release, its manifest too, but not the later ones.
    """
    stated: list[tuple[Release, dict[str, Any]]] = []
    for release in releases:
        with suppress(BadFile):
            if (publication := _publication(release)) is not None:
                stated.append((release, publication))
    for release, publication in stated:
        for path, sha in sorted(publication["ledger"].items()):
            for later, other in stated:
                if other["earlier"].get(path, sha) != sha:
                    yield release.folder, (path, f"is not the segment that {later.folder} was made after; one of them was forged")


def _check_blind(release: Release, publication: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of blind rows, as far as can be seen: that their segment is there, and of which secret it is."""
    path, blind = blind_segment_path(publication["version"]), publication["blind"]
    if (path in publication["ledger"]) != (blind is not None):
        yield MANIFEST, f"publication: {'does not name' if blind else 'has no blind rows, but names'} {path}"
    if blind is None:
        return
    segment = yield from _segment(release, path, publication["version"])
    if segment is not None and segment.commitment != blind["commitment"]:
        yield path, "states another commitment than the manifest"
    elif segment is not None and not 0 < segment.keys <= blind["rows"]:
        yield path, f"holds {segment.keys} keys, the manifest states {blind['rows']} blind rows"
    for earlier in publication["earlier"]:
        segment = _readable(release, earlier)
        if segment is not None and segment.commitment == blind["commitment"]:
            yield MANIFEST, f"publication: its blind rows were drawn from the secret of {segment.version}"


def _version(path: str) -> str:
    """ledger/<version>.parquet, ledger/<version>.blind.parquet -> version."""
    return path.removeprefix("ledger/").partition(".")[0]


def _check_revealed(release: Release, folder: Path, secrets: dict[str, bytes]) -> Iterator[Problem]:
    """One revealed split: its files, its secret, and that its keys are those that were published blind. Adds to secrets."""
    at, version = f"{REVEALED}/{folder.name}", folder.name
    try:
        files = open_release(folder).files
    except BadFile as error:
        yield f"{at}/{MANIFEST}", _without(error, folder / MANIFEST)
        return
    for path, entry in sorted(files.items()):
        if not (folder / path).is_file():
            yield f"{at}/{path}", "missing, though its manifest lists it"
        elif file_hash(folder / path) != entry.sha256:
            yield f"{at}/{path}", "was altered: its SHA-256 is not its manifest's"
    blind = _readable(release, blind_segment_path(version))
    if blind is None:
        yield at, f"was revealed, but {blind_segment_path(version)} is not here"
        return
    try:
        secret = _secret_of(folder)
        if commitment(secret) != blind.commitment:
            yield f"{at}/{SECRET}", f"does not fit the commitment of {blind_segment_path(version)}"
            return
        secrets[version] = secret
        plain = inspect_segment(release.folder / _revealed_segment(version))
        keys = {blind_key(secret, f"{family}:{key_version}:{raw.hex()}") for family, key_version, raw in segment_keys(plain)}
        if plain.version != version or plain.commitment or keys != {raw for _, _, raw in segment_keys(blind)}:
            yield _revealed_segment(version), f"its keys are not those of {blind_segment_path(version)}"
    except BadFile as error:
        yield at, str(error).replace(f"{release.folder}/", "")


def _check_earlier(release: Release, path: str, lasting: Mapping[str, str], secrets: Mapping[str, bytes]) -> Iterator[Problem]:
    """Check that no row is in another release's segment."""
    segment = yield from _segment(release, path, _version(path))
    if segment is None or (segment.commitment and segment.version not in secrets):
        return  # what is blind cannot be compared before its secret is revealed
    try:
        shared = common(segment, lasting, secrets[segment.version] if segment.commitment else None)
    except BadFile as error:
        yield path, _without(error, segment.path)
        return
    for key in shared:
        yield lasting[key], f"canonical_key: the same puzzle, up to symmetry, is in {path}"
