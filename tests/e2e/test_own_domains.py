"""Releases from domain files of one's own: the recipe carries them, and nothing else has to be kept."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from releases import rows_of, settle

from puzzlemill import cli
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.factory import workers as pool
from puzzlemill.factory.make import make
from puzzlemill.factory.recipe import MAX_FILES, Recipe
from puzzlemill.kumo.domain import files
from puzzlemill.kumo.domain.structure import domain_of

TITLE = "Shells of a Shore"


def put(folder: Path, name: str = "shells", title: str = TITLE, of: str = "quarry_minerals") -> Path:
    """A domain file that this package does not have; put down with a comment, which does not count."""
    folder.mkdir(exist_ok=True)
    text = files.write(files.authored(of)).replace(files.authored(of).title, title)
    (folder / f"{name}.toml").write_text("# mine\n" + text)
    return folder / f"{name}.toml"


def recipe(*settings: str) -> Recipe:
    return recipe_of(compose(["family=kumo", "count=2", *settings]))


def drawn_from(made: Recipe) -> tuple[Any, ...]:
    return dict(made.strata[0].params)["domain"]


def generate(out: Path, *settings: str) -> int:
    return cli.main(["generate", "family=kumo", "count=3", "split=test", f"out={out}", *settings])


@pytest.mark.slow
def test_a_release_from_a_file_needs_the_file_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers give the bytes of one; another process proves every row after the file is gone."""
    monkeypatch.setattr(pool, "FEW", 1)
    file = put(tmp_path / "my files, [1]")
    for workers in (1, 2):
        assert generate(tmp_path / f"out{workers}", f"domains={file}", "family.params.domain=shells", f"workers={workers}") == 0
    one, two = tmp_path / "out1", tmp_path / "out2"
    assert (one / "manifest.json").read_bytes() == (two / "manifest.json").read_bytes()
    assert {path.name for path in one.rglob("*.toml")} == set()
    file.unlink()
    for row in rows_of(one, "kumo", "test"):
        board = json.loads(row["puzzle"])["board"]
        assert board["title"] == TITLE and set(board["truths"]) <= set(files.authored("quarry_minerals").truths)
    code = "import sys; from puzzlemill.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, "verify", str(one)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_file_that_was_changed_in_a_manifest_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert generate(out, f"domains={put(tmp_path)}", "family.params.domain=shells", "workers=1") == 0
    capsys.readouterr()
    manifest = json.loads((out / "manifest.json").read_text())
    ((name, text),) = manifest["recipe"]["domains"].items()
    manifest["recipe"]["domains"] = {name: text.replace("Quartz", "Quarzz")}
    (out / "manifest.json").write_text(json.dumps(manifest))
    settle(out)
    assert cli.main(["verify", str(out)]) == 2
    told = capsys.readouterr().err
    assert "domains.shells@" in told and "SHA-256" in told and told.count("\n") == 1, told


def test_recipes_hold_the_files_that_are_drawn_from(tmp_path: Path) -> None:
    first, second = put(tmp_path), put(tmp_path, "bells", "Bells of a Tower", "bone_pit")
    both = recipe(f"domains={tmp_path}", "family.params.domain=own")
    assert drawn_from(both) == tuple(sorted(dict(both.domains))) and len(both.domains) == 2
    one = recipe(f"domains={tmp_path}", "family.params.domain=[shells,quarry_minerals,shells/first]")
    (name,) = dict(one.domains)
    assert drawn_from(one) == (name, "quarry_minerals", f"{name}/first") and name.startswith("shells@")
    assert Recipe.from_plain(json.loads(json.dumps(one.to_plain()))) == one
    first.write_text(first.read_text().replace("# mine\n", ""))
    assert recipe(f"domains={first}", "family.params.domain=[shells,quarry_minerals,shells/first]").key() == one.key()
    put(tmp_path, title="Shells of a Beach")
    assert recipe(f"domains={tmp_path}", "family.params.domain=[shells,quarry_minerals,shells/first]").key() != one.key()
    assert "domains" not in recipe().to_plain()
    domain = domain_of(name, "x")  # by its name it is found in this process
    assert domain.name == "shells" and domain.title == TITLE and all(action.excludes for action in domain.actions)
    assert second.is_file()


def test_files_with_their_own_exclusions_keep_them(tmp_path: Path) -> None:
    drawn = domain_of("quarry_minerals", "x")
    text = files.write(drawn).replace("few_large", "own")
    (tmp_path / "shells.toml").write_text(text)
    (name,) = dict(recipe(f"domains={tmp_path}", "family.params.domain=shells").domains)
    assert domain_of(name, "another word").masks() == drawn.masks()


DEFECTS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no such file": (lambda folder: None, "shells", "is no file"),
    "defect": (lambda folder: put(folder).write_text("title = 3"), "shells", "shells.toml: "),
    "no UTF-8": (lambda folder: put(folder).write_bytes(b"\xff"), "shells", "UTF-8"),
    "too large": (lambda folder: put(folder).write_text("#" * 600_000), "shells", "500000 bytes"),
    "a folder": (lambda folder: (folder / "shells.toml" / "x").mkdir(parents=True), "shells", "expected 1 to 200 files"),
    "not drawn from": (put, "quarry_minerals", "no stratum draws"),
}


@pytest.mark.parametrize("what", DEFECTS)
def test_every_defect_is_one_clear_error(tmp_path: Path, what: str) -> None:
    spoil, domain, told = DEFECTS[what]
    spoil(tmp_path)
    with pytest.raises(BadInput) as error:
        recipe(f"domains={tmp_path / 'shells.toml'}", f"family.params.domain={domain}")
    assert told in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["own", "invented", "authored", "quarry_minerals"])
def test_names_that_mean_other_domains_are_refused(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    with pytest.raises(BadParams, match="means another domain already"):
        recipe(f"domains={tmp_path}", "family.params.domain=own")


def test_hostile_recipes_are_refused() -> None:
    """A recipe comes with a release of anybody."""
    text = files.write(files.authored("quarry_minerals")).replace("Minerals of a Quarry", "Ores of a Pit")
    name = files.own_name("pits", text)

    def plain(domains: object, domain: str = name) -> dict[str, Any]:
        part = {"family": "kumo", "params": {"domain": domain}, "counts": {"test": 1}}
        return {"name": "x", "seed": "x", "domains": domains, "strata": [part]}

    assert Recipe.from_plain(plain({name: text})).domains == ((name, text),)
    half = text.replace("geology", "\ud800")
    other = "pits@0123456789abcdef"
    for domains, domain, told in (
        ({}, name, "is not among them"),
        ([text], name, "expected names and texts"),
        ({name: 3}, name, "expected text"),
        ({other: text}, other, "SHA-256"),
        ({name: text + " "}, name, "SHA-256"),
        ({"../pits@0123456789abcdef": text}, name, "SHA-256"),
        ({files.own_name("Pits", text): text}, name, "the file's name"),
        ({"quarry_minerals": text}, "quarry_minerals", "SHA-256"),
        ({other: half}, other, "SHA-256"),
        ({other: "x" * 600_000}, other, "500000 bytes"),
        ({files.own_name("pits", "= ="): "= ="}, name, "not TOML"),
        ({f"p{i}@0123456789abcdef": text for i in range(MAX_FILES + 1)}, name, "at most 200"),
    ):
        with pytest.raises(BadParams, match=told):
            Recipe.from_plain(plain(domains, domain))
    with pytest.raises(BadParams, match="domains"):
        make("kumo", domain=other)
