"""Releases from a file of quotations of one's own: the recipe carries its text, and nothing else has to be kept."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from releases import rows_of, settle

from puzzlemill import cli
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.factory.recipe import Recipe
from puzzlemill.generators import families
from puzzlemill.vocabulary.quote_files import own_name
from puzzlemill.vocabulary.quotes import plain

LINES = (
    "The slow winter evenings taught my grandmother more about patience than any school could have done.",
    "Whoever sells umbrellas in the desert must be very foolish, or know something about the weather that the rest of us do not.",
    "A good carpenter keeps his hammer clean and his promises few, because both of them are heavy and easily lost in the dark.",
)
DRAWING = [name for name, family in families().items() if any(each.name == "source" for each in fields(family.params))]


def put(folder: Path, *lines: str) -> Path:
    path = folder / "my quotes.txt"
    path.write_text("# mine\n" + "".join([f"{line}\tAda Birdsong\n" for line in lines or LINES]))
    return path


def recipe(name: str, path: Path | str) -> Recipe:
    settings = compose([f"family={name}", "count=2"])
    settings["family"]["params"]["source"] = str(path)
    return recipe_of(settings)


@pytest.mark.parametrize("name", DRAWING)
def test_a_recipe_brings_its_file_along(name: str, tmp_path: Path) -> None:
    """A file that was changed under its name gave other rows under the same key."""
    one = recipe(name, put(tmp_path))
    ((pinned, text),) = one.quotations
    assert pinned == own_name("my quotes", text) and text.count("\n") == len(LINES) and "# mine" not in text
    assert dict(one.strata[0].params)["source"] == (pinned,)
    assert Recipe.from_plain(json.loads(json.dumps(one.to_plain()))) == one
    other = recipe(name, put(tmp_path, *LINES[:2]))
    assert other.key() != one.key() and recipe(name, put(tmp_path)).key() == one.key()
    with pytest.raises(BadParams, match=r"quotations: 'my quotes@.*' is not among them"):
        Recipe.from_plain({**one.to_plain(), "quotations": {}})
    with pytest.raises(BadParams, match=r"quotations.my quotes@.*SHA-256"):
        Recipe.from_plain({**one.to_plain(), "quotations": {pinned: text + "More words.\tAda\n"}})


@pytest.mark.parametrize("name", DRAWING)
def test_what_is_wrong_with_a_file_is_said_before_anything_is_made(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere.txt: No such file"):
        recipe(name, tmp_path / "nowhere.txt")
    path = put(tmp_path)
    path.write_text("Nobody said this\n")
    with pytest.raises(BadInput, match=r"my quotes.txt:1: expected a text and its author"):
        recipe(name, path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in DRAWING if name == "cryptogram"])
def test_a_release_needs_the_file_no_more(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = put(tmp_path), tmp_path / "out"
    source = f"family.params.source='{path}'"
    assert cli.main(["generate", f"family={name}", "count=2", "split=test", source, f"out={out}", "workers=1"]) == 0
    path.unlink()
    said = [plain(line) for line in LINES]
    rows = rows_of(out, name, "test")
    assert rows and all(any(text in json.dumps(row) for text in said) for row in rows)
    assert cli.main(["verify", str(out)]) == 0
    manifest = json.loads((out / "manifest.json").read_text())
    ((pinned, text),) = manifest["recipe"]["quotations"].items()
    manifest["recipe"]["quotations"] = {pinned: text.replace("slow", "long")}
    (out / "manifest.json").write_text(json.dumps(manifest))
    settle(out)
    capsys.readouterr()
    assert cli.main(["verify", str(out)]) == 2
    told = capsys.readouterr().err
    assert "quotations.my quotes@" in told and told.count("\n") == 1, told
