"""Data files of the package: read when asked, the same in an archive, and refused with the place where they are wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from puzzlemill.core.errors import BadFile
from puzzlemill.kumo.book.lore import lore
from puzzlemill.kumo.domain.frames import stock
from puzzlemill.kumo.domain.invent import families
from puzzlemill.vocabulary import load
from puzzlemill.vocabulary.themes import themes
from puzzlemill.vocabulary.words import keywords, plain_words


@dataclass(frozen=True, slots=True)
class Bell:
    tone: str
    echoes: tuple[str, ...]
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Tower:
    bells: Mapping[str, Bell]


GOOD = '[bells.old]\ntone = "low"\nechoes = ["wall", "hill"]\n'
BAD = {
    "not TOML": ('[bells.old]\ntone = "low', "tower.toml: not TOML"),
    "another type": (GOOD.replace('"low"', "3"), "tower.toml.bells.old.tone: expected str, got 3"),
    "an item of another type": (GOOD.replace('"hill"', "4"), "tower.toml.bells.old.echoes: expected str, got 4"),
    "no list": (GOOD.replace('["wall", "hill"]', '"wall"'), "tower.toml.bells.old.echoes: expected a list, got 'wall'"),
    "a decimal": (GOOD + "weight = 1.5", "tower.toml.bells.old.weight: expected int, got 1.5"),
    "no table": ("bells = 3", "tower.toml.bells: expected an object, got 3"),
    "a missing key": (GOOD.replace("tone", "#"), r"tower.toml.bells.old: Bell lacks \['tone'\] and does not know \[\]"),
    "a key too many": (GOOD + "colour = 1", r"tower.toml.bells.old: Bell lacks \[\] and does not know \['colour'\]"),
}


@pytest.fixture
def village(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str]:
    """The folder and the name of a package that no other test imports."""
    name = f"village_of_{tmp_path.name}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / name, name


def test_a_file_becomes_frozen_values(village: tuple[Path, str]) -> None:
    folder, package = village
    (folder / "tower.toml").write_text(GOOD)
    tower = load.record(Tower, package, "tower.toml")
    assert tower == Tower({"old": Bell("low", ("wall", "hill"))})
    with pytest.raises(TypeError):
        tower.bells["new"] = 1
    with pytest.raises(FrozenInstanceError):
        tower.bells["old"].tone = "high"


@pytest.mark.parametrize("slip", BAD)
def test_a_slip_is_named_with_its_place(village: tuple[Path, str], slip: str) -> None:
    folder, package = village
    text, message = BAD[slip]
    (folder / "tower.toml").write_text(text)
    with pytest.raises(BadFile, match=f"{package}/{message}.*; install puzzlemill anew"):
        load.record(Tower, package, "tower.toml")


def test_lists_of_words(village: tuple[Path, str]) -> None:
    folder, package = village
    (folder / "words.txt").write_text("# two\nwall hill\n\nbrook\n")
    assert load.words(package, "words.txt") == ("wall", "hill", "brook")
    (folder / "words.txt").write_text("# none\n")
    with pytest.raises(BadFile, match=f"{package}/words.txt: expected words, got none"):
        load.words(package, "words.txt")
    (folder / "words.txt").write_bytes(b"wall \xff")
    with pytest.raises(BadFile, match=f"{package}/words.txt: byte 5 is no UTF-8"):
        load.words(package, "words.txt")
    with pytest.raises(BadFile, match=f"{package}/brook.txt: the file is not here"):
        load.words(package, "brook.txt")


def test_a_file_is_read_inside_an_archive(tmp_path: Path) -> None:
    """scorer.zip is not unpacked."""
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("village/__init__.py", "")
        archive.writestr("village/words.txt", "wall hill")
    code = (
        "import sys; sys.path.insert(0, 'all.zip')\n"
        "from puzzlemill.vocabulary.load import words; print(words('village', 'words.txt'))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True, env=environment()
    )
    assert ran.stdout == "('wall', 'hill')\n"


def environment() -> dict[str, str]:
    return {"PYTHONPATH": ":".join(sys.path)}


def test_nothing_is_read_at_import() -> None:
    """A file that is read with the module makes every command slower."""
    code = (
        "import sys, pkgutil; pkgutil.get_data = lambda *place: sys.exit(f'read {place}')\n"
        "import puzzlemill, puzzlemill.vocabulary.themes, puzzlemill.vocabulary.words, puzzlemill.generators.zebra\n"
        "import puzzlemill.kumo.book, puzzlemill.kumo.domain.invent, puzzlemill.generators.kumo"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment())
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("read", [themes, plain_words, keywords, lore, stock, families])
def test_a_file_is_read_once(read: Any) -> None:
    assert read() is read()
