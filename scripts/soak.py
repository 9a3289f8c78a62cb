"""Repeat random builds, kills and faults until the minutes are spent: python scripts/soak.py --minutes 60

Each round draws some strata of a recipe of conf/release, with another seed and small counts, from --seed and its number alone.
  build    builds them in one process, and again with other workers and hash seeds (and with every --python), killed now and then:
           the same bytes each time
  verify   proves every row again: no problem
  score    scores the gold replies with `puzzlemill score` and with scorer.zip and Python alone: all solved, and one report
  publish  publishes in a folder while the command is killed, and on a server of tests/ that fails, lies or goes away at random
           calls: in the end one commit, one tag, and the bytes that the manifest names
With --surface N it does none of that, but draws N groups of each class in tests/looks.py, an unsolvable and a solvable row
each, and asks what their prompts tell (analysis/surface.py): the AUC of each reader must be 0.55 at most, the upper end of its
interval 0.6. With --out, what was drawn is kept there, and a run that was stopped goes on from it.
At the first difference it prints the line that runs this round again, keeps its folder, and ends with 1. It needs a checkout
(the server is in tests/), and Puzzlemill installed in this Python and in those named.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import puzzlemill
from puzzlemill.analysis.surface import READERS, Seen, differing, told
from puzzlemill.cli.settings import compose
from puzzlemill.core.rng import Rng, stream
from puzzlemill.factory.read import MANIFEST, open_release, rows
from puzzlemill.publish.store import FolderStore
from puzzlemill.scoring.score import COLUMNS, prepared, score

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from hub_server import Fault, HubServer
from looks import LOOKS
from looks import drawn as rows_drawn

RECIPES = ("quick", "longtail", "hardcorelogic", "kumo_easy")
STEPS = ("build", "verify", "score", "publish")
FAULTS = ("before", "after", "drop before", "drop after", "garbage", "wrong JSON", "cut", "gone before", "gone after")
CALLS = ("GET", "POST", "PUT", "HEAD", "POST .*/commit/", "POST .*/tag/", ".*")
TOKEN, REPO = "hf_" + "soak" * 8, "org/soak"
ATTEMPTS = 4  # publications that are disturbed before one that is not
AUC, HIGHEST = 0.55, 0.6  # of a reader of prompts, and the upper end of its interval
LIMIT = 3_600  # seconds that one command may take


class Difference(Exception):
    """Two results differ, or a command failed that must not."""


@dataclass(frozen=True, slots=True)
class Round:
    """A recipe as settings of the command line, and the randomness of what happens to it."""

    number: int
    recipe: str
    settings: tuple[str, ...]
    rng: Rng


def drawn(seed: str, number: int) -> Round:
    """The round of this number: two to four strata of a recipe, with one to three groups each."""
    rng = stream("soak", seed, number)
    recipe = rng.pick(RECIPES)
    strata: Mapping[str, Any] = compose([f"release={recipe}"])["strata"]
    taken = rng.sample(sorted(strata), min(len(strata), rng.between(2, 4)))
    settings = [f"seed=soak-{seed}-{number}", *(f"~strata.{name}" for name in strata if name not in taken)]
    for name in taken:
        splits = list(strata[name]["counts"])
        groups = {split: rng.below(3) for split in splits}
        groups[rng.pick(splits)] += 1
        settings += [f"strata.{name}.counts.{split}={count}" for split, count in groups.items()]
    return Round(number, recipe, tuple(settings), rng.child("disturbances"))


# processes for few groups, too
MAIN = "import sys; from puzzlemill.factory import workers; workers.FEW = 1; from puzzlemill.cli import main; sys.exit(main())"


def command(python: str, *words: str) -> list[str]:
    return [python, "-c", MAIN, *words]


def finish(words: Sequence[str], more: Mapping[str, str] = {}, *, fail: bool = False) -> tuple[int, str]:
    """Run a command to its end: its exit code and what it printed. Raises Difference where it fails and may not."""
    done = subprocess.run(words, env={**os.environ, **more}, capture_output=True, text=True, timeout=LIMIT, check=False)
    if done.returncode and not fail:
        raise Difference(f"exit code {done.returncode}: {' '.join(words)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode, done.stdout


def kill_after(words: Sequence[str], more: Mapping[str, str], seconds: float) -> None:
    """Run a command, and kill it with all its processes when it has run so long."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, env={**os.environ, **more}, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def tree(folder: Path) -> dict[str, str]:
    """Every file under a folder with its SHA-256; of a manifest, of what does not name the environment that made it."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if path.name == MANIFEST:
            stated = json.loads(content)
            content = json.dumps({name: stated[name] for name in stated if name not in ("environment", "checksum")}).encode()
        found[path.relative_to(folder).as_posix()] = sha256(content).hexdigest()
    return found


def same(what: str, expected: Mapping[str, str], found: Mapping[str, str]) -> None:
    differ = sorted(path for path in {*expected, *found} if expected.get(path) != found.get(path))
    if differ:
        raise Difference(f"{what}: {len(differ)} files differ, the first {differ[0]}")


def build(one: Round, folder: Path, pythons: Sequence[str]) -> float:
    """Build it undisturbed, and again for each Python while it is killed. Returns the seconds that the first took."""

    def words(python: str, out: str, workers: int) -> list[str]:
        settings = [f"release={one.recipe}", *one.settings, f"out={folder / out}", f"workers={workers}"]
        return command(python, "generate", *settings)

    began = time.monotonic()
    finish(words(sys.executable, "data", 1), {"PYTHONHASHSEED": "0"})
    took = time.monotonic() - began
    for i, python in enumerate([sys.executable, *pythons]):
        again, workers = f"data-{i + 1}", one.rng.between(2, 4)
        for _ in range(one.rng.below(3)):
            seed = {"PYTHONHASHSEED": str(one.rng.below(1000))}
            kill_after(words(python, again, workers), seed, took * one.rng.below(1000) / 1000)
        finish(words(python, again, workers), {"PYTHONHASHSEED": str(one.rng.below(1000))})
        same(f"built again by {python} with {workers} workers", tree(folder / "data"), tree(folder / again))
        rmtree(folder / again)
    return took


def verify(folder: Path) -> None:
    finish(command(sys.executable, "verify", str(folder / "data"), "--workers", "2"))


def score_gold(folder: Path) -> None:
    """Score gold replies here, with the command, and with scorer.zip alone."""
    replies = folder / "replies.jsonl"
    with replies.open("w", encoding="utf-8") as file:
        for row in rows(open_release(folder / "data"), (*COLUMNS, "gold_reply")):
            if prepared(row).strategy.dialogue:
                continue
            if not score(row["gold_reply"], row).solved:
                raise Difference(f"the gold reply of {row['id']} is refused")
            file.write(json.dumps({"id": row["id"], "reply": row["gold_reply"]}) + "\n")
    _, installed = finish(command(sys.executable, "score", str(folder / "data"), str(replies), "--json"))
    archive = [sys.executable, "-I", "-S", str(folder / "data" / "scorer.zip"), "score", str(replies), "--json"]
    _, alone = finish(archive)
    if installed != alone:
        raise Difference("`puzzlemill score` and scorer.zip report different figures")


def publish(one: Round, folder: Path, took: float) -> None:
    """Publish it in a folder and on a server, disturbed, and compare what both hold in the end."""

    def words(repo: str) -> list[str]:
        settings = [
            f"recipe={one.recipe}",
            *one.settings,
            "period=2026-11",
            "dry_run=false",
            f"repo={repo}",
            f"out={folder / 'work'}",
        ]
        return command(sys.executable, "release", *settings)

    place = folder / "store"
    for _ in range(one.rng.below(ATTEMPTS)):
        kill_after(words(str(place)), {}, took * one.rng.below(3000) / 1000)
    finish(words(str(place)))
    store = FolderStore(place)
    head, tags = store.head(), store.tags()
    if head is None or list(tags.values()) != [head.commit] or store.hashes(head.commit, [*head.files]) != head.files:
        raise Difference(f"the folder's head, tag and files do not agree: {tags}")
    with HubServer() as server:
        server.user("soak", TOKEN, {"org"})
        home = {"HF_ENDPOINT": server.url, "HF_TOKEN": TOKEN, "HF_HOME": str(folder / "hf"), "HF_HUB_DISABLE_XET": "1"}
        for _ in range(one.rng.below(ATTEMPTS)):
            server.faults[:] = list(faults(one.rng))
            if one.rng.chance(1, 3):
                kill_after(words(REPO), home, took * one.rng.below(3000) / 1000)
            else:
                finish(words(REPO), home, fail=True)
        server.faults.clear()
        finish(words(REPO), home)
        repo = server.repos[REPO]
        if len([*repo.history()]) != 2 or list(repo.tags.values()) != [repo.main]:  # the first commit is the server's own
            raise Difference(f"the server has {len([*repo.history()])} commits and the tags {repo.tags}")
        files = repo.commits[repo.main].files
        manifest = json.loads(files["manifest.json"].content)
        named = {path: entry["sha256"] for path, entry in manifest["files"].items()} | manifest["publication"]["ledger"]
        same("the server's files and its manifest", named, {path: files[path].sha256 for path in named if path in files})
        parts = [path for path in head.files if path.startswith("data/")]
        same("the rows in both stores", {p: head.files[p] for p in parts}, {p: b.sha256 for p, b in files.items() if p in parts})


def faults(rng: Rng) -> Iterator[Fault]:
    for _ in range(rng.between(1, 3)):
        yield Fault(rng.pick(FAULTS), rng.pick(CALLS), nth=rng.between(1, 12), times=rng.between(1, 8))


def soak(one: Round, folder: Path, pythons: Sequence[str], only: str) -> int:
    """One round. Returns its rows. Raises Difference."""
    took = build(one, folder, pythons)
    if only in ("", "verify"):
        verify(folder)
    if only in ("", "score"):
        score_gold(folder)
    if only in ("", "publish"):
        publish(one, folder, took)
    return sum(1 for _ in rows(open_release(folder / "data"), ("id",)))


def prompts(name: str, groups: int, out: Path | None) -> list[Seen]:
    """The rows of so many groups; with a folder, those that an earlier run left there are taken, and the others are added."""
    if out is None:
        return [row for some in rows_drawn(LOOKS[name], groups) for row in some]
    out.mkdir(parents=True, exist_ok=True)
    path, first = out / f"{name}.jsonl", {"look": LOOKS[name], "groups": groups, "version": puzzlemill.__version__}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    whole = [json.loads(line) for line in lines if line.endswith("\n")]  # one that was cut off is drawn again
    if whole and whole[0] != first:
        raise SystemExit(f"{path} was drawn as {whole[0]}, not as {first}: name another folder with --out, or delete it")
    with path.open("w", encoding="utf-8") as file:
        for part in whole or [first]:
            file.write(json.dumps(part) + "\n")
        found = [Seen(**row) for part in whole[1:] for row in part]
        for some in rows_drawn(LOOKS[name], groups, max(0, len(whole) - 1)):
            file.write(json.dumps([asdict(row) for row in some]) + "\n")
            file.flush()
            found += some
    return found


def look(groups: int, classes: Sequence[str], out: Path | None) -> int:
    """Ask what the surface of so many groups of each class tells; stops at the first class that it tells too much about."""
    for name in classes or LOOKS:
        began = time.monotonic()
        rows = prompts(name, groups, out)
        found = told(name, rows)
        shown = ", ".join(f"{reader} {auc.value:.3f} ({auc.low:.3f} to {auc.high:.3f})" for reader, auc in found.readers.items())
        print(f"{name}, {found.rows} rows: {shown or 'too few'}; {time.monotonic() - began:.0f} s", flush=True)
        bad = [reader for reader, auc in found.readers.items() if auc.value > AUC or auc.high > HIGHEST]
        if bad or not found.readers:
            for reader in bad:
                told_by = ", ".join(f"{feature!r} {by:+.2f}" for feature, by in differing(rows, READERS[reader]))
                print(f"{name} is told by {reader}, above all by {told_by}", file=sys.stderr)
            where = f" --out {out}" if out else ""
            print(f"again: python scripts/soak.py --surface {groups} --look {name}{where}", file=sys.stderr)
            return 1
    return 0


def main() -> int:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10, help="rounds begin until this time is spent (default: 10)")
    parser.add_argument("--seed", default=f"{time.strftime('%Y-%m-%d')}", help="another seed, other rounds (default: the date)")
    parser.add_argument("--round", type=int, help="run this round only")
    parser.add_argument("--only", choices=STEPS, default="", help="after the build, which is always made, only this step")
    parser.add_argument(
        "--python", action="append", default=[], metavar="PATH", help="build with this Python too; may be repeated"
    )
    parser.add_argument(
        "--out", type=Path, help="where the rounds' folders are made (default: a temporary folder), or prompts are kept"
    )
    parser.add_argument("--surface", type=int, default=0, metavar="N", help="only ask what N groups of each class tell (2000)")
    parser.add_argument("--look", choices=tuple(LOOKS), action="append", default=[], help="with --surface, only this; repeatable")
    options = parser.parse_args()
    if options.surface:
        return look(options.surface, options.look, options.out)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    print(f"Puzzlemill {puzzlemill.__version__}, seed {options.seed}", flush=True)
    until, number, total = time.monotonic() + 60 * options.minutes, options.round or 0, 0
    while options.round is not None or time.monotonic() < until:
        one, folder = drawn(options.seed, number), Path(mkdtemp(prefix=f"soak-{number}-", dir=options.out))
        began = time.monotonic()
        try:
            made = soak(one, folder, options.python, options.only)
        except (Difference, subprocess.TimeoutExpired) as error:
            again = f"python scripts/soak.py --seed {options.seed} --round {number}"
            print(f"round {number}, {one.recipe}: {error}\nkept: {folder}\nagain: {again}", file=sys.stderr)
            return 1
        rmtree(folder)
        total, number = total + made, number + 1
        print(f"round {one.number}: {one.recipe}, {made} rows, {time.monotonic() - began:.0f} s", flush=True)
        if options.round is not None:
            break
    print(f"{total} rows; no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
