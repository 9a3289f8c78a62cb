"""The command line's own part: settings, one-line errors, quick start."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from unittest.mock import Mock

import pytest

import puzzlemill
from puzzlemill import cli
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.cli.table import commands, parser, plain
from puzzlemill.core.errors import BadParams
from puzzlemill.generators import families


def settle(*settings: str) -> dict[str, object]:
    return recipe_of(compose(settings)).to_plain()


def refused(*settings: str) -> str:
    with pytest.raises(BadParams) as caught:
        recipe_of(compose(settings))
    return str(caught.value)


def test_help_loads_nothing_heavy() -> None:
    """`puzzlemill --help` got slow: some import of substance is at the top of a module again."""
    code = (
        "import sys, puzzlemill.cli as c\ntry: c.main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    heavy = {
        "hydra",
        "omegaconf",
        "pyarrow",
        "numba",
        "numpy",
        "pysat",
        "z3",
        "datasets",
        "igraph",
        "rich",
        "puzzlemill.generators",
    }
    assert heavy & loaded == set()
    assert "generate" in done.stdout and "verify" in done.stdout


def test_importing_the_package_loads_nothing_and_its_names_are_found() -> None:
    """The front door loads everything at once, or one of its names leads nowhere."""
    code = "import sys, puzzlemill\nprint(*[name for name in sys.modules if name.startswith('puzzlemill.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""
    for name in puzzlemill.__all__:
        assert getattr(puzzlemill, name) is not None
    assert {"sudoku", "zebra", "hanoi"} <= set(puzzlemill.FAMILIES)
    with pytest.raises(AttributeError, match="it has FAMILIES, BadInput, Puzzle"):
        puzzlemill.nothing  # noqa: B018


def test_one_family_on_the_command_line() -> None:
    """Settings for one family no longer become the recipe that they say."""
    plain = settle("family=sudoku", "variant=unsolvable", "count=7", "seed=alpha", "split=test", "family.params.size=[4,6]")
    assert (plain["name"], plain["seed"]) == ("single", "alpha")
    (part,) = plain["strata"]  # type: ignore[misc]
    assert part["family"] == "sudoku"
    assert part["params"]["size"] == [4, 6]
    assert part["counts"] == {"test": 7}
    assert part["variants"] == [{"name": "unsolvable", "of": "canonical", "transforms": [{"name": "clash", "args": {}}]}]


def test_counts_by_split_numbers_as_words_and_budgets() -> None:
    """A mapping for count, seed=7, or a budget of the proof is not taken as it is written."""
    plain = settle("family=zebra", "count={train:3,test:2}", "seed=7", "proof.conflicts=99", "proof.attempts=5", "license=mit")
    assert plain["strata"][0]["counts"] == {"train": 3, "test": 2}  # type: ignore[index]
    assert (plain["seed"], plain["conflicts"], plain["attempts"], plain["license"]) == ("7", 99, 5, "mit")


def test_out_and_workers() -> None:
    """A path with signs that Hydra gives a meaning to is read as something else, or workers= got lost."""
    settled = compose(["out=/tmp/a=b, [c]/{d} ${e}", "workers=3"])
    assert settled["out"] == "/tmp/a=b, [c]/{d} ${e}"
    assert settled["executor"] == {"workers": 3}


def test_settings_of_a_release() -> None:
    """A release's parts cannot be changed from the command line."""
    plain = settle("release=quick", "seed=beta", "strata.zebra.counts.train=3", "~strata.binario", "~strata.binario_distinct")
    assert (plain["name"], plain["seed"]) == ("quick", "beta")
    built = [part["family"] for part in plain["strata"]]  # type: ignore[attr-defined]
    assert "binario" not in built
    assert plain["strata"][built.index("zebra")]["counts"]["train"] == 3  # type: ignore[index]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["family=sudok"], f"unknown family 'sudok'; known: {', '.join(families())}; did you mean sudoku?"),
        (
            ["variant=impossible"],
            "unknown variant 'impossible'; known to sudoku: canonical, deep_clash, diagonals, fewer_givens,",
        ),
        (["variant=diagonal"], "; did you mean diagonals?"),
        (["variant=via"], "unknown variant 'via'; known to sudoku: canonical, "),
        (["family=zebra", "variant=exclusiv_or"], "did you mean exclusive_or or loose_exclusive_or?"),
        (["variant=../../../etc/passwd"], "unknown variant"),
        (
            ["release=huge"],
            "unknown release 'huge'; known: asks, gridpuzzle, gridpuzzle_train, hardcorelogic, hardcorelogic_balanced,",
        ),
        (["release=../../../etc/passwd"], "unknown release"),
        (["family=binario", "family.params.rows=7"], "error: rows: must be one of 4, 6,"),
        (["family=sudoku", "size=7"], "error: size: must be one of 4, 6, 8, 9, 12, 16, 25, got 7\n"),
        (["family=sudoku", "family.params.sizes=6"], "family.params.sizes"),
        (["family=sudoku", "+family.params.sizes=6"], "sizes: sudoku has no such parameter"),
        (["family=sudoku", "family.params.size=nine"], "error: size: expected int, got str 'nine'"),
        (["family=sudoku", "size=9x9"], "size: expected int, got str '9x9'; write size=9"),
        (["family=sudoku", "variant=shuffled"], "variant: shuffle_clues does not fit sudoku"),
        (["family=sudoku", "family.rules=[no_such_rule]"], "family.rules"),
        (["family=hanoi", "family.params.disks=3", "count=100"], "count: 100 groups are asked for, but there are only 4"),
        (["count=-1"], "count.train: expected 0 to"),
        (["count=many"], "count.train: expected a whole number"),
        (["split=Train"], "count"),
        (["reply_formats=[xml]"], "reply_formats: unknown format 'xml'; known: json, tags, boxed, table"),
        (["release=quick", "count=5"], "count"),
        (["release=quick", "family=sudoku"], "family"),
        (
            ["release=quick", "strata.zebra.variants=[wild]"],
            "strata.zebra.variants: unknown variant 'wild'; known to zebra: ",
        ),
        (
            ["release=quick", "strata.zebra.variants=[3]"],
            "zebra.variants: variant: 3 is no variant; did you mean positions=3",
        ),
        (["release=quick", "variant=via"], "there is no such setting here"),
        (["release=quick", "+strata.zebra.size=3"], "strata.zebra.size: there is no such setting"),
        (["release=quick", "strata.zebra.params.positions=99"], "strata.zebra.positions: must be 2 to"),
        (["release=quick", "strata.zebra=3"], "strata.zebra"),
        (["proof.nodes=0"], "nodes: a budget is at least 1"),
        (["+proof.seconds=3"], "seconds"),
        (["~seed"], "seed: missing"),
        (["seed=${oc.env:HOME}"], "seed: '${oc.env:HOME}' refers to something else"),
        (["seed='${word}'"], "refers to something else"),
        (["family.params.size='${oc.decode:6}'"], "refers to something else"),
        (["+_target_=os.system"], "_target_"),
        (["+family._target_=os.system"], "family: the name '_target_' is not taken"),
        (["seed=null"], "seed: expected a number, a word"),
        (["count=1.5"], "count: expected a number, a word"),
        (["+extra=1"], "extra: there is no such setting"),
        (["hydra.searchpath=[file:///tmp]"], "settings of Hydra itself are not taken"),
        (["+hydra/launcher=x"], "launchers are not taken: which puzzles of a release are kept depends on those before them"),
        (["sudoku"], "'sudoku' is not a setting; write name=value"),
        (["count=1,2"], "count=1,2: several values; `generate --multirun` makes a release of each"),
        (["seed=[1"], "seed=[1"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(settings: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake in the settings ends in a traceback, in several lines, in silence, or without a word of what is wrong."""
    assert cli.main(["generate", *settings, "out=never"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ") and err.count("\n") == 1 and err.endswith("\n")
    assert told in err


def test_a_release_without_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    """Without out= something is written somewhere."""
    assert cli.main(["generate", "count=1"]) == 2
    assert capsys.readouterr().err == "error: out: missing; name the folder to write to, as in out=out/demo\n"


def test_what_settings_compose_to(capsys: pytest.CaptureFixture[str]) -> None:
    """`--cfg` does not show the settings in force."""
    assert cli.main(["generate", "--cfg", "family=zebra", "count=3"]) == 0
    out = capsys.readouterr().out
    assert "count: 3\n" in out and "name: zebra\n" in out and "workers: 2\n" in out


def test_help_of_generate(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of generate does not name what can be chosen."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["generate", "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert cli.main(["generate"]) == 2
    assert capsys.readouterr() == ("", out)
    lines = out.splitlines()
    out = " ".join(out.split())  # long lists are wrapped
    for word in (
        "release=NAME",
        "hardcorelogic, hardcorelogic_balanced, hardcorelogic_train, kumo_easy,",
        ", ".join(families()),
        "workers=N",
    ):
        assert word in out
    assert max(len(line) for line in lines if not line.startswith("  puzzlemill ")) <= 120  # examples may be long


@pytest.mark.parametrize("name", [name for name in commands() if name != "puzzlemill"])
def test_help_of_every_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An argument or a default of the table is not in the help, or the command's module or function is gone."""
    command = commands()[name]
    with pytest.raises(SystemExit) as ended:
        cli.main([*name.split(), "--help"])
    assert ended.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.startswith(f"usage: puzzlemill {name} ")
    for argument in [*command.arguments, *[argument for group in command.groups.values() for argument in group]]:
        assert argument.option in shown and plain(argument.described).split("\n")[0] in shown
    assert all(typed in shown for typed, *_ in command.settings)
    if command.run:
        module, _, function = command.run.partition(":")
        assert callable(getattr(import_module(f"puzzlemill.cli.{module}"), function))


def test_interruption_and_a_reader_that_left(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C shows a traceback, or hides as success."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("puzzlemill.cli.generate.compose", interrupted)
    assert cli.main(["generate", "count=1"]) == 130
    assert capsys.readouterr().err.count("\n") == 1


def test_what_is_not_expected_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of ours is shown as if it were the user's."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("puzzlemill.cli.generate.compose", broken)
    with pytest.raises(ZeroDivisionError):
        cli.main(["generate", "count=1"])
    for error in (ImportError("no module of that name"), OSError("no such place"), RuntimeError("no")):  # not for want of memory
        monkeypatch.setattr("puzzlemill.cli.generate.compose", Mock(side_effect=error))
        with pytest.raises(type(error)):
            cli.main(["generate", "count=1"])


def test_the_package_runs_as_a_module_and_tells_its_version() -> None:
    """`python -m puzzlemill` is no command, or nobody can say which version a bug is in."""
    for module in ("puzzlemill", "puzzlemill.cli"):
        done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == (f"puzzlemill {puzzlemill.__version__}\n", "")
    done = subprocess.run([sys.executable, "-m", "puzzlemill", "list", "--no"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.splitlines()[-1].startswith("puzzlemill list: error: ")


def test_a_split_that_is_misspelled_is_refused() -> None:
    """Rows for testing stand in a split that no tool reads."""
    assert refused("count={train:2,tset:1}").startswith("count.tset: did you mean test?")
    assert refused("count=2", "split=trian").startswith("count.trian: did you mean train?")


def test_a_closed_pipe_ends_quietly() -> None:
    """`puzzlemill list | head -0` prints a traceback."""
    command = f"'{sys.executable}' -m puzzlemill.cli list --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.strip() in ("141", "0")  # 0: everything fitted into the pipe before it was closed


def test_settings_may_stand_behind_options() -> None:
    """`show crossword --seed x size=9` was refused, and the error told the reader to write what was written."""
    for line in ("show sudoku --seed x size=6", "show sudoku size=6 --seed x", "show --seed x sudoku size=6"):
        options = parser().parse_args(line.split())
        assert (options.family, options.seed, [options.variant, *options.settings]) == ("sudoku", "x", ["size=6"]), line
    options = parser().parse_args(["play", "sudoku", "diagonals", "--seed", "x", "size=6", "index=2"])
    assert (options.variant, options.settings) == ("diagonals", ["size=6", "index=2"])
    assert parser().parse_args(["report", "out/quick", "--answered", "a.jsonl", "b.jsonl"]).answered


def test_a_family_of_the_checkout_is_no_riddle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who has just written a family asks the installed program for it, and is asked whether hanoi was meant."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "generators").mkdir()
    (tmp_path / "generators/hashi.py").touch()
    for line, helped in (("show hashi", True), ("list hashi", True), ("show hashii", False), ("show ../hashi", False)):
        assert cli.main(line.split()) == 2
        assert ("python -m puzzlemill knows it" in capsys.readouterr().err) is helped, line
