"""Every command and every block of Python in README and docs runs as it is written, on a small out/quick.

Three things differ from a reader's terminal: recipes are cut to a few groups, work is done in this process, and the address of a
model is that of tests/model_server.py. What the docs mark (tests/fences.py) is parsed only, and so are the pages of examples/,
which tests/consumers runs in the tools' own environments.
"""

from __future__ import annotations

import ast
import io
import json
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fences import PAGES, ROOT, Shown, shown
from model_server import Act, Model, asked_text, serving
from releases import Shared

from puzzlemill import cli
from puzzlemill.cli import generate, graph, release, trajectories
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.cli.table import commands, parser
from puzzlemill.core.rng import stream
from puzzlemill.envs.flaws import wrong_rows
from puzzlemill.factory.read import open_release, rows
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run as build
from puzzlemill.generators import family_named
from puzzlemill.kumo.domain.files import names as domains
from puzzlemill.questions.asks import layout_of
from puzzlemill.scoring.prompt import spelled
from puzzlemill.scoring.score import prepared

QUICK = ("sudoku", "zebra", "binario_distinct", "hanoi_3", "kumo")  # strata of our out/quick, and of recipes that have them
VARIANTS = 2  # of a stratum, at most
MOST = 20  # groups of one family that are made as a page has them; of more one is made, and one of each of a release's strata
PROGRAMS = {"puzzlemill", ".venv/run/bin/puzzlemill", "/opt/puzzlemill/bin/puzzlemill"}
PROGRAM = "```python\nprint(1)\n```"
PATIENCE = 0.5  # seconds until Ctrl-C, for commands that go on until then
TOGETHER = {"puzzlemill reveal": "puzzlemill release"}  # sections of docs/commands.md that go on with what another one made
VERSION = re.compile(r"(?<=version=)\d{4}-\d\d-[0-9a-f]{8}$")  # for which the newest release stands that the section has made


def cut(settings: Mapping[str, Any]) -> Recipe:
    """The recipe of composed settings with a few strata and groups; the settings as a whole must be those of a recipe too."""
    recipe_of(settings)
    if "strata" in settings:
        names = [name for name in QUICK if name in settings["strata"]] or list(settings["strata"])[:2]
        few = {name: dict(settings["strata"][name]) for name in names}
        for part in few.values():
            part |= {name: _few(part[name], 1) for name in ("count", "counts") if name in part}
            part |= {"variants": part.get("variants", [])[:VARIANTS]}
        return recipe_of({**settings, "strata": few})
    return recipe_of({**settings, "count": _few(settings["count"])})


def _few(counts: Any, most: int = MOST) -> Any:
    """The counts, if they are small ones."""
    return {split: _few(n, most) for split, n in counts.items()} if type(counts) is dict else 1 if counts > most else counts


def plan(settings: list[str], name: str) -> dict[str, Any]:
    """compose() of `puzzlemill trajectories`, with few games."""
    found = compose(settings, name)
    first, one = next(iter(found["sets"].items()))
    return {**found, "sets": {first: {**one, "counts": _few(one["counts"])}}}


@pytest.fixture(scope="session")
def quick(shared: Shared) -> Path:
    return shared("docs_quick", lambda folder: build(cut(compose(["release=quick"])), folder))


@pytest.fixture(scope="session")
def more(shared: Shared) -> Path:
    return shared("docs_more", lambda folder: build(cut(compose(["release=quick", "seed=more"])), folder))


@pytest.fixture(scope="session")
def dialogues(shared: Shared) -> Path:
    return shared("docs_dialogues", lambda folder: build(cut(compose(["family=kumo", "count={train:1,test:2}"])), folder))


Row = dict[str, Any]


def replies(folder: Path) -> Iterator[tuple[Row, int, str]]:
    """Two replies to each row of a release: a right one, and a full one that is wrong where such is found."""
    for number, row in enumerate(rows(open_release(folder))):
        for sample in range(2):
            yield row, sample, row["gold_reply"] if (number + sample) % 2 else _wrong(row)


def _wrong(row: Row) -> str:
    case = prepared(row)
    found = None if row["question"] == "play" or case.gold is None else wrong_rows(row, case, stream("docs", row["id"]))
    return "I give up." if found is None else spelled(found, layout_of(case.family, case.puzzle), row["reply_format"], case.doubt)


@pytest.fixture(scope="session")
def model(quick: Path) -> Iterator[Model]:
    """A model that solves half of the rows of our out/quick, and writes a program if it is asked for one."""
    known = {row["prompt"]: reply for row, sample, reply in replies(quick) if not sample}

    def act(body: Row) -> Act:
        text = asked_text(body)
        return Act(PROGRAM if "program" in text.lower() else known.get(text, "I give up."))

    with serving(act) as found:
        yield found


# ---- what a reader has at hand: files that pages speak of, made when a command names them ------------------------------


def _replies(place: Path, folder: Path, name: str) -> None:
    lines = []
    for row, sample, reply in replies(folder):
        turns = {"turns": [{"reply": reply}]} if row["question"] == "play" else {}
        lines.append(json.dumps({"id": row["id"], "sample": sample, "reply": reply, **turns}) + "\n")
    (place / name).write_text("".join(lines))


def _labels(place: Path, name: str) -> None:
    labels = ("erroneous_reasoning", "repetition") if "unsolvable" in name else ("misunderstanding", "factual", "repetition")
    lines = [
        {
            "id": f"zebra-{i}",
            "model": "m",
            "annotator": f"{Path(name).stem}{who}",
            "label": labels[(i * (who + 1) + len(name)) % len(labels)],
        }
        for i in range(12)
        for who in range(2 if "unsolvable" in name else 1)
    ]
    (place / name).write_text("".join([json.dumps(line) + "\n" for line in lines]))


def _boards(place: Path, name: str) -> None:
    boards = [json.loads(line) for line in (ROOT / "tests/data/boards.jsonl").read_text().splitlines()]
    replies = "".join([json.dumps({"id": board["id"], "reply": "I give up."}) + "\n" for board in boards])
    (place / name).write_text(replies if name == "replies.jsonl" else (ROOT / "tests/data/boards.jsonl").read_text())


def _programs(place: Path, name: str) -> None:
    asked = ["--model", "m", "--family", "zebra", "--mitigation", "program-of-thought", "--samples", "1", "--out", name]
    with serving(lambda body: Act(PROGRAM)) as writer:
        assert cli.main(["run", "out/quick", "--base-url", writer.url, *asked]) == 0


def _text(text: Callable[[], str]) -> Callable[[Path, str], object]:
    return lambda place, name: (place / name).write_text(text(), encoding="utf-8")


def _domain() -> str:
    return (ROOT / "tests/unit/quarry.toml").read_text(encoding="utf-8")


def _table() -> str:
    """Sudokus as collections have them."""
    given, solved = family_named("sudoku").worked[0][:2]
    return f"quizzes,solutions\n{_line(given.partition(chr(10))[2])},{_line(solved)}\n"


def _line(grid: str) -> str:
    return "".join(grid.split())


# By name, or by folder: what a command names is a file in it, or the folder itself.
GIVEN: Mapping[str, Callable[[Path, str], object]] = {
    "sudoku.csv": _text(_table),
    "games.txt": _text(lambda: family_named("binario").worked[0][0] + "\n"),
    "puzzles.txt": _text(lambda: family_named("binario").worked[0][0] + "\n"),
    "puzzles.jsonl": _text(lambda: next(rows(open_release(Path("out/quick"))))["puzzle"] + "\n"),
    "boards.jsonl": _boards,
    "replies/code.jsonl": _programs,
    "labels/": _labels,
    "scores/": _text(lambda: "model,score\nqwen,0.5\nllama,0.25\n"),
    "corpus/": lambda place, name: _text(lambda: "Nothing of ours.\n")(place, f"{name}a.txt"),
    "my_domain.toml": _text(_domain),
    "my_folder/": lambda place, name: _text(_domain)(place, f"{name}my_domain.toml"),
}
RELEASES = {
    "out/more": "more",
    "out/longtail": "quick",
    **dict.fromkeys(["out/last-month", "out/kumo_easy", "out/kumo_train", "out/release"], "dialogues"),
}


def provide(word: str, words: list[str], place: Path, request: pytest.FixtureRequest) -> None:
    """Make the file or folder that a word of a command names, if a reader would have it by now."""
    name = word.rpartition("=")[2]
    if (place / name).exists() or words[words.index(word) - 1] == "--out":
        return
    given = next((make for known, make in GIVEN.items() if name == known or (known[-1] == "/" and name.startswith(known))), None)
    if name in RELEASES:
        shutil.copytree(request.getfixturevalue(RELEASES[name]), place / name)
    elif given is not None or name.endswith(".jsonl"):
        (place / f"{name}_").parent.mkdir(parents=True, exist_ok=True)  # of a folder: itself
        if given is not None:
            given(place, name)
        elif words[1] == "boards.jsonl":
            _boards(place, name)
        else:
            _replies(place, place / words[1], name)


# ---- a page, section by section ---------------------------------------------------------------------------------------


FIRST = ("README.md", "docs/tutorial.md", "docs/mixes.md", "docs/import.md", "docs/families.md")  # make slow runs the others


def parts() -> Iterator[Any]:
    """Pages; of docs/commands.md, which is long, every command by itself."""
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        found: dict[str, list[Shown]] = {}
        for one in shown(page):
            title = one.section if name == "docs/commands.md" else ""
            found.setdefault(TOGETHER.get(title, title), []).append(one)
        for title, every in found.items():
            later = name not in FIRST
            yield pytest.param(name, every, id=f"{name}:{title}" if title else name, marks=[pytest.mark.slow] * later)


@pytest.fixture
def place(quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with our out/quick and the one file of the repository that pages name."""
    (tmp_path / "benchmarks").mkdir()
    shutil.copy(ROOT / "benchmarks/sudoku17.txt", tmp_path / "benchmarks")
    shutil.copytree(quick, tmp_path / "out/quick")
    monkeypatch.chdir(tmp_path)
    for module in (generate, release):
        monkeypatch.setattr(module, "recipe_of", cut)
    return tmp_path


@pytest.mark.parametrize(("page", "every"), list(parts()))
def test_what_the_docs_show_runs(
    page: str,
    every: list[Shown],
    place: Path,
    model: Model,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Failing means that a reader who copies this line of this page gets an error."""
    for one in every:
        where, runs = f"{page}:{one.line}: {one.text.strip()}", one.runs and not page.startswith("examples/")
        if one.kind == "python":
            code = compile(ast.parse(one.text), where[:80], "exec")
            if runs:
                exec(code, {"__name__": "shown"})
            continue
        for words in one.commands:
            if words[0] == "make":
                assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), where
            elif words[0] == "export" and runs:
                assert words[1].removeprefix("PATH=$PWD/").removesuffix(":$PATH") in {
                    Path(made).parent.as_posix() for made in PROGRAMS
                }
            elif words[0] not in PROGRAMS:
                assert not runs, f"{where}: neither a command of ours nor marked; tests/fences.py says how to mark it"
            elif not runs:
                parser().parse_args(words[1:])
            else:
                code = _run(words[1:], model.url, place, request, monkeypatch)
                assert code == (130 if words[1] == "study" else 0), f"{where}\n{capsys.readouterr().err}"


def _run(words: list[str], url: str, place: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of one command."""
    for word in words[1:]:
        provide(word, words, place, request)
    if "--base-url" in words:
        words[words.index("--base-url") + 1] = url
    if words[0] == "reveal":
        made = [path for path in (place / "published").iterdir() if re.fullmatch(r"2026-12-[0-9a-f]{8}", path.name)]
        words = [VERSION.sub(max(made, key=lambda path: path.stat().st_ctime_ns).name, word) for word in words]
    command = commands()[words[0]]
    if any(argument.option == "--workers" for argument in command.arguments):
        words += ["--workers", "1"]  # what comes last holds
    if any(typed == "workers=N" for typed, *_ in command.settings):
        words = [word for word in words if not word.startswith("workers=")] + ["workers=1"]
    if words[0] == "graph" and "--out" in words:
        monkeypatch.setattr(graph, "names", lambda: domains()[:2])
    monkeypatch.setattr(trajectories, "compose", plan)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    if words[0] == "study":
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        return cli.main(words)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
