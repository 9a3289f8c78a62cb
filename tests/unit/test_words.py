"""One vocabulary: a setting means the same on the command line, in Python and in a recipe; what could mean two is refused."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import puzzlemill
from puzzlemill import cli
from puzzlemill.cli.settings import compose, recipe_of, several
from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.factory import conf
from puzzlemill.factory.settings import settled
from puzzlemill.factory.words import ALIKE, EACH, GROUPED, ONE_OF, OWN
from puzzlemill.generators import families

LONG = ["family=sudoku", "family.params.size=6", "family.rules=[diagonals]", "asks=[cell]", "reply_formats=[tags]", "count=3"]
SHORT = ["family=sudoku", "size=6", "rules=[diagonals]", "ask=cell", "reply_format=tags", "count=3"]


def plain(*settings: str) -> dict[str, Any]:
    return recipe_of(compose(settings)).to_plain()


def refusal(*settings: str) -> str:
    with pytest.raises(BadInput) as caught:
        recipe_of(compose(settings))
    return str(caught.value)


def written(folder: Path, text: str, name: str = "mine.yaml") -> str:
    (folder / name).write_text(text)
    return f"release={folder / name}"


def strata(settings: dict[str, Any]) -> dict[str, Any]:
    """The strata by family, without what a mix or a file adds."""
    return {each["family"]: each for each in settings["strata"]}


def test_short_names_are_long_ones() -> None:
    """size=6 is not family.params.size=6, or a setting of one puzzle is not that of many."""
    assert plain(*SHORT) == plain(*LONG)
    assert plain("release=quick", "zebra.positions=5", "zebra.band=easy", "hanoi_3.counts.train=2") == plain(
        "release=quick", "strata.zebra.params.positions=5", "+strata.zebra.band=easy", "strata.hanoi_3.counts.train=2"
    )
    assert plain("family=sudoku", "size=6", "rules=diagonals") == plain("family=sudoku", "size=6", "rules=[diagonals]")
    assert plain("release=quick", "places=11") == plain("release=quick", "strata.navigation.params.places=11")
    assert (
        plain("release=quick", "strata.zebra.band=easy")["strata"] == plain("release=quick", "+strata.zebra.band=easy")["strata"]
    )


def test_the_same_words_in_python_on_the_command_line_and_in_files(tmp_path: Path) -> None:
    """A word means something else in one of the three."""
    line = plain("family=sudoku", "size=6", "variant=unsolvable", "band=easy", "count=4", "seed=s", "voices=many")
    words = {"size": 6, "variant": "unsolvable", "band": "easy", "count": 4, "seed": "s", "voices": "many"}
    assert recipe_of(settled("sudoku", "", words)).to_plain() == line
    file = written(
        tmp_path, "family: sudoku\nsize: 6\nvariant: unsolvable\nband: easy\ncount: 4\nseed: s\nvoices: many\nname: single\n"
    )
    assert plain(file) == line
    nested = "strata:\n  one: {family: sudoku, size: 6, variant: unsolvable, band: easy, count: 4}\nseed: s\nvoices: many\n"
    assert plain(written(tmp_path, nested))["strata"] == line["strata"]
    long = "strata:\n  one:\n    family: sudoku\n    params: {size: 6}\n    variants: [unsolvable]\n"
    long += "    band: easy\n    counts: {train: 4}\n"
    assert plain(written(tmp_path, f"{long}seed: s\nvoices: many\n"))["strata"] == line["strata"]
    for name in conf.choices("release"):
        if name != "single":
            assert recipe_of(settled("", name)).to_plain() == plain(f"release={name}"), name


def test_a_mix_shares_its_groups_among_families() -> None:
    """count= is not the number of groups in all, or what is said of one family goes to another."""
    made = strata(
        plain("family=[sudoku,zebra,hanoi]", "count={train:10,test:3}", "band=easy", "sudoku.size=6", "zebra.band=hard")
    )
    assert [made[name]["counts"] for name in ("sudoku", "zebra", "hanoi")] == [
        {"train": 4, "test": 1},
        {"train": 3, "test": 1},
        {"train": 3, "test": 1},
    ]
    assert [made[name]["band"] for name in ("sudoku", "zebra", "hanoi")] == ["easy", "hard", "easy"]
    assert made["sudoku"]["params"]["size"] == 6
    own = strata(plain("family=[sudoku,zebra]", "count=10", "sudoku.count=3", "variant=unsolvable"))
    assert [own[name]["counts"] for name in ("sudoku", "zebra")] == [{"train": 3}, {"train": 10}]
    assert all([each["name"] for each in stratum["variants"]] == ["unsolvable"] for stratum in own.values())
    assert plain("family=[sudoku,zebra]", "count=10") == recipe_of(settled(["sudoku", "zebra"], "", {"count": 10})).to_plain()
    two = recipe_of(
        settled(["sudoku", "zebra"], "", {"count": 4, "sudoku": {"size": 4, "rules": []}, "zebra.positions": 3})
    ).to_plain()
    assert (strata(two)["sudoku"]["params"]["size"], strata(two)["zebra"]["params"]["positions"]) == (4, 3)


def test_several_variants() -> None:
    """variant=[a,b] is not a row of each beside every puzzle."""
    for made in (
        plain("family=sudoku", "variant=[unsolvable,zones,canonical]"),
        plain("family=[sudoku]", "variant=[unsolvable,zones]"),
    ):
        assert [variant["name"] for variant in made["strata"][0]["variants"]] == ["unsolvable", "zones"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["family=sudoku", "sizes=6"], "sizes: .*parameters of sudoku: size, givens; .*did you mean size"),
        (["family=sudoku", "variant=9"], "variant: 9 is no variant; did you mean size=9\\? Variants known to sudoku: canonical,"),
        (["family=sudoku", "variant=9x9"], "variant: 9x9 is no variant; did you mean size=9"),
        (["family=zebra", "variant=[5]"], "variant: 5 is no variant; did you mean positions=5"),
        (["family=sudoku", "+variant=9"], "variant: expected a name, got 9"),
        (["family=sudoku", "variant=1.5"], "variant: expected "),
        (["family=sudoku", "variant="], "unknown variant ''; known to sudoku: canonical, deep_clash"),
        (["family=sudoku", "variant=Unsolvable"], "known to sudoku: .*; did you mean unsolvable?"),
        (["release=quick", "zebra.variant=true"], "strata.zebra.variants: variant: expected a name, got True; known to zebra"),
        (["proof=9"], "proof: expected one of default, got 9"),
        (["executor=[a]"], "executor: expected one of local, got"),
        (["proof=null"], "proof: expected one of default, got null"),
        (["family=sudoku,zebra"], "several values; a list takes .*, family=.sudoku,zebra., and"),
        (["release=quick,asks"], "release=quick,asks: several values; `generate --multirun`"),
        (["count=1e3"], "count: expected a number, .* got 1000.0; write 1000"),
        (["family=zebra", "houses=5"], "houses: .* here; parameters of zebra: positions, .*did you mean positions?"),
        (["family=hanoi", "size=4"], "did you mean disks?"),
        (["family=kakurasu", "size=4"], "did you mean rows or cols?"),
        (["family=skyscraper", "rows=4"], "did you mean size?"),
        (["family=sudoku", "size=null"], "^size: expected a number"),
        (["family=sudoku", "bnad=hard"], "; did you mean band?"),
        (["family=sudoku", "level=hard"], "; the difficulty is band, as in band=hard"),
        (["family=sudoku", "apart=x"], "; apart is now exclude, as in exclude=DIR"),
        (["family=sudoku", "difficulty=hard"], "; it is band, as in band=hard"),
        (["family=sudoku", "band=hrad"], "band: expected easy, medium, hard or nothing, got 'hrad'; did you mean hard?"),
        (["family=sudoku", "family.params.sizes=6"], "has no such parameter; known: size, givens; did you mean size?"),
        (["family=sudoku", "rules=[diagonal]"], "; did you mean diagonals?"),
        (["family=sudoku", "reply_formats=[tag]"], "; did you mean tags?"),
        (["family=sudoku", "asks=[cel]"], "; did you mean cell?"),
        (["family=sudoku", "voices=manny"], "; did you mean many?"),
        (["family=acrostic", "band=rare"], "; for the parameter band of acrostic write params.band"),
        (["family=sudoku", "strata.zebra.band=easy"], "there is one family and no strata here"),
        (["release=qick"], "; did you mean quick?"),
        (["release=quick", "size=6"], "could be of several strata; write sudoku.size=..., .* or skyscraper_sum.size=..."),
        (["release=quick", "parts.zebra.band=hard"], "; parts are now strata, as in strata.NAME.band=hard"),
        (["release=quick", "strata.zebr.band=hard"], "there is no stratum 'zebr'; .*; did you mean zebra?"),
        (["release=quick", "zebra.bnad=hard"], "strata.zebra.bnad: there is no such setting here; .*; did you mean band?"),
        (["release=quick", "zebra.params.position=3"], "zebra has no such parameter; .*; did you mean positions?"),
        (["release=quick", "zebra.count=3"], "has counts by split; write strata.zebra.counts.train=..., .*counts.validation"),
        (["release=quick", "count=3"], "count: .* for all strata: .*write strata.sudoku.counts.train="),
        (["release=quick", "variant=unsolvable"], "some have their own; write strata.sudoku.variants=..."),
        (["release=quick", "family=sudoku"], "leave family or release out"),
        (["family=[sudoku,zebra]", "family.params.size=6"], "several strata, each .*; write sudoku.size=... or zebra.size="),
        (["family=[sudoku,crossword]", "size=6"], "size: could be of several strata; write sudoku.size=... or crossword"),
        (["family=[sudoku,zebra]", "rules=[diagonals]"], "rules: could be of several strata"),
        (["family=[sudoku,sudok]"], "unknown family 'sudok'; .*did you mean sudoku?"),
        (["family=[sudoku,sudoku]"], "expected one or several different names"),
        (["family=[]"], "expected one or several different names"),
        (["family=[hanoi,zebra]", "variant=zones"], "strata.hanoi.variants: unknown variant 'zones'"),
        (["seed=a,b"], "seed=a,b: several values; `generate --multirun` makes a release of each"),
        (["size=6,9"], "size=6,9: several values; .* size=.6,9., and `generate --multirun`"),
        (["hydra/launcher=joblib"], "launchers are not taken: .*workers=N processes; .*`puzzlemill export A B`"),
        (["hydra/sweeper=ax"], "sweepers are not taken; `generate --multirun`"),
        (["out=a", "out=b"], "out: is given twice"),
        (["family=sudoku", "family=zebra"], "family: is given twice; leave one out, or name several families in a list"),
        (["release=quick", "release=mine.yaml"], "release: is given twice"),
        (["proof.atempts=3"], "proof.atempts: there is no such setting here; .*did you mean attempts"),
    ],
)  # fmt: skip
def test_what_is_unknown_or_could_mean_several_things(settings: list[str], told: str) -> None:
    """A mistake is not met with what was meant, or a setting goes to one of several places that it could be for."""
    assert re.search(told.replace("?", r"\?") if told.endswith("?") else told, refusal(*settings)), refusal(*settings)


def test_no_parameter_has_the_name_of_a_setting() -> None:
    """A short name means a parameter of one family and a setting of all: acrostic's band alone, which is refused."""
    taken = {*ALIKE, *GROUPED, *EACH, *ONE_OF, *OWN, "out", "exclude", "domains", "workers", "index", "release", "strata"}
    clashes = [(name, each.name) for name, family in families().items() for each in fields(family.params) if each.name in taken]
    assert clashes == [("acrostic", "band")]
    row = puzzlemill.make("acrostic", params={"band": "common", "letters": 40})
    assert '"band":"common"' in row["puzzle"]


BAD_FILES = [
    ("", "expected settings, each written `name: value`"),
    ("- a\n- b\n", "expected settings"),
    ("family: sudoku\n  size: 6\n", "line 2, column 7 cannot be read as YAML"),
    ("family: sudoku\nseed: a\nseed: b\n", "line 3, column 1 cannot be read as YAML (the name 'seed' stands twice)"),
    ("seed: a\n", "has neither family nor strata"),
    ("family: sudoku\nstrata: {a: {family: zebra, count: 1}}\n", "has family and strata"),
    ("defaults: [/family: sudoku]\nfamily: sudoku\n", "defaults: not taken in a recipe"),
    ("family: sudoku\nout: x\n", "out: not taken in a recipe; give it on the command line"),
    ("family: !!python/object/apply:os.system ['touch owned']\n", "cannot be read as YAML"),
    ("family: sudoku\nseed: ${oc.env:HOME}\n", "refers to something else"),
    ("family: sudoku\nsize: 6.0\n", "size: expected a number, a word"),
    ("family: sudoku\nsize: null\n", "size: expected a number, a word"),
    ("_target_: os.system\nfamily: sudoku\n", "the name '_target_' is not taken"),
    ("family: sudoku\nsise: 6\n", "mine.yaml: sise: there is no such setting here"),
    ("strata: {a: {family: sudoku, sise: 6, count: 1}}\n", "strata.a.sise: there is no such setting here; .*did you mean size"),
    ("strata: {a: {family: sudoku, size: 6, params: {size: 9}, count: 1}}\n", "strata.a.size: stands twice"),
    ("strata: {a: {family: sudoku, counts: {train: 1}}}\ncount: 3\n", "count: all strata say how many groups they have"),
    ("strata: {a: 3}\n", "strata.a.*: expected names and values"),
    ("strata: [a]\n", "strata: expected names and values"),
    ("a: &a {x: 1}\nfamily: {<<: *a}\n", "merged mappings"),
    ("family: sudoku\na: &a [*a]\n", "found undefined alias|more than 20 times"),
    ("a: &a [[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]\nfamily: sudoku\n", "more than 20 times"),
    ("family: sudoku\nx: \x00\n", "cannot be read as YAML"),
    (f"family: sudoku\nx: {'9' * 5000}\n", "cannot be read as YAML"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), BAD_FILES)
def test_a_bad_recipe_is_refused_in_one_line(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of somebody else's runs code, reads what it has no business with, or ends in a traceback."""
    monkeypatch.chdir(tmp_path)
    assert cli.main(["generate", written(tmp_path, text), f"out={tmp_path / 'out'}"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and err.count("\n") == 1
    assert re.search(told if ".*" in told or "|" in told else re.escape(told), err), err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.yaml"]


def test_a_recipe_that_swells_or_is_none(tmp_path: Path) -> None:
    """Values that refer to values grow without bound, or a folder, a pipe, a large file is read."""
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join([f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)])
    assert "more than 100000 values" in refusal(written(tmp_path, f"{bomb}family: sudoku\n"))
    assert "expected a file of at most" in refusal(written(tmp_path, "#" * 1_000_001))
    (tmp_path / "folder.yaml").mkdir()
    assert "expected a file" in refusal(f"release={tmp_path / 'folder.yaml'}")
    assert "cannot be read (No such file" in refusal(f"release={tmp_path / 'none.yaml'}")


def test_the_day_of_a_seed_and_the_name_of_a_file(tmp_path: Path) -> None:
    """A date is no word, or the file's name is not the recipe's."""
    made = plain(written(tmp_path, "family: hanoi\nseed: 2026-11-24\n", "Mine.yml"))
    assert (made["seed"], made["name"]) == ("2026-11-24", "mine")


def test_runs_of_several_values() -> None:
    """--multirun does not make each combination once, or a folder's name is no name."""
    runs = several(["family=sudoku", "seed=a,b", "family.params.size=4,6", "out=x,y"])
    assert [name for name, _ in runs] == ["seed=a,size=4", "seed=a,size=6", "seed=b,size=4", "seed=b,size=6"]
    assert runs[1][1] == ["family=sudoku", "seed=a", "family.params.size=6", "out=x,y"]
    for settings, told in ((["seed=a"], "no setting has several values"), (["seed=a,'b/../c'"], "cannot name a folder")):
        with pytest.raises(BadParams, match=told):
            several(settings)


def test_unknown_commands_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    """A command or an option that is misspelled is refused without what is meant."""
    for line, told in (
        (["genrate"], "; did you mean generate?"),
        (["generate", "--mltirun"], "; did you mean --multirun?"),
        (["show", "sudoku", "--size", "--answer"], "settings are written size=VALUE, without dashes"),
        (["import", "my.csv", "--out", "out/z"], "; settings are written out=out/z, without dashes"),
        (["import", "my.csv", "--workers=2"], "; settings are written workers=2, without dashes"),
        (["export", "out/quick", "--to", "trl", "out=out/trl"], "; options are written --out out/trl, with dashes"),
        (["run", "out/quick", "base_url=http://x", "--out", "a"], "; options are written --base-url http://x, with dashes"),
        (["show", "sudoku", "--size", "6"], "settings are written size=6, without dashes"),
        (["show", "sudoku", "--givens=30"], "settings are written givens=30, without dashes"),
        (["score", "--jsn", "a", "b"], "; did you mean --json?"),
    ):
        with pytest.raises(SystemExit) as ended:
            cli.main(line)
        assert ended.value.code == 2 and capsys.readouterr().err.rstrip().endswith(told)


def test_bad_files_raise_what_is_said() -> None:
    """A caller that catches BadInput misses what a recipe's file is wrong with."""
    assert issubclass(BadFile, puzzlemill.BadInput) and issubclass(BadParams, puzzlemill.BadInput)
