"""scripts/new_family.py: what it writes works at once, and it never writes over anything."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import puzzlemill

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPT = CHECKOUT / "scripts/new_family.py"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the script and the contract suite need, with the template as its only family."""
    package = Path(puzzlemill.__file__).parent
    left_out = shutil.ignore_patterns("__pycache__", "conf")
    shutil.copytree(package, tmp_path / "puzzlemill", ignore=left_out)
    shutil.move(tmp_path / "puzzlemill/generators", tmp_path / "generators")
    (tmp_path / "puzzlemill/generators").symlink_to("../generators")
    for path in (tmp_path / "generators").glob("[!_]*.py"):
        path.unlink()
    shutil.copytree(CHECKOUT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__", "test_*.py"))
    for path in (CHECKOUT / "tests/contract").glob("test_*.py"):
        shutil.copy(path, tmp_path / "tests/contract")
    shutil.copytree(CHECKOUT / "conf", tmp_path / "conf")
    shutil.copy(CHECKOUT / "pyproject.toml", tmp_path)
    return tmp_path


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=tree, env={"PYTHONPATH": str(tree)}, capture_output=True, text=True, timeout=300
    )


def test_a_new_family_passes_the_contract_suite_at_once(tree: Path) -> None:
    """A template whose copy fails sends every newcomer hunting for a bug that is ours."""
    made = run(tree, str(SCRIPT), "two_sided", "--root", str(tree))
    assert (made.returncode, made.stderr) == (0, "")
    assert "wrote generators/two_sided.py" in made.stdout
    assert (tree / "conf/family/two_sided.yaml").read_text() == "name: two_sided\nparams:\n  coins: 2\nrules: []\n"
    tested = run(tree, "-m", "pytest", "-q", "-n", "0", "-k", "two_sided and not sources", "tests/contract", "tests/unit")
    assert tested.returncode == 0, tested.stdout[-3000:]
    passed = int(tested.stdout.rsplit(" passed", 1)[0].split()[-1])
    assert passed >= 40
    assert "two_sided" in run(tree, "-c", "from puzzlemill.generators import families; print(*families())").stdout


def test_the_next_step_that_it_prints_works_in_a_checkout(tree: Path) -> None:
    """A newcomer's first command is not found, or tests another Puzzlemill that happens to be installed."""
    made = run(tree, str(SCRIPT), "two_sided", "--root", str(tree))
    command = made.stdout[made.stdout.index("PYTHONPATH=") :].rpartition("`make .venv/dev/locked`")[0]
    assert ".venv/dev/bin/python" in command  # where `make .venv/dev/locked` puts it
    command = command.replace(".venv/dev/bin/python", sys.executable)
    tested = subprocess.run(["sh", "-c", command], cwd=tree, env={}, capture_output=True, text=True, timeout=300)
    assert tested.returncode == 0, tested.stdout[-3000:] + tested.stderr[-1000:]
    assert "tests/unit/test_two_sided.py ..." in tested.stdout


def test_a_broken_rule_is_caught(tree: Path) -> None:
    """The suite is only worth something if it fails when model and checker differ: here the checker forgets its rule."""
    run(tree, str(SCRIPT), "two_sided", "--root", str(tree))
    source = tree / "generators/two_sided.py"
    text = source.read_text()
    source.write_text(text.replace('["differ"] * alike + ', ""))
    assert source.read_text() != text
    tested = run(tree, "-m", "pytest", "-q", "-n", "0", "-k", "two_sided", "tests/contract/test_agreement.py")
    assert tested.returncode == 1
    assert "test_all_answers_of_the_bare_board_agree" in tested.stdout


def test_names_that_cannot_be_modules_are_refused(tree: Path) -> None:
    """A bad name would write outside the folder, shadow Python's words, or hide the family."""
    before = sorted(path for path in tree.rglob("*") if path.is_file() and path.suffix != ".pyc")
    for name in ("Hitori", "1x", "x", "for", "a-b", "../evil", "coin", "_x", "x__y", "x_", "", "a" * 40):
        refused = run(tree, str(SCRIPT), name, "--root", str(tree))
        assert refused.returncode == 2, name
        assert refused.stderr.startswith("new_family: ")
        assert refused.stderr.count("\n") == 1
        assert sorted(path for path in tree.rglob("*") if path.is_file() and path.suffix != ".pyc") == before


def test_an_existing_family_is_never_overwritten(tree: Path) -> None:
    """A second run with the same name must not undo a day's work."""
    run(tree, str(SCRIPT), "two_sided", "--root", str(tree))
    source = tree / "generators/two_sided.py"
    source.write_text("# mine\n")
    refused = run(tree, str(SCRIPT), "two_sided", "--root", str(tree))
    assert refused.returncode == 2
    assert "exists" in refused.stderr
    assert source.read_text() == "# mine\n"
