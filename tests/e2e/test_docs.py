"""What the README shows works as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlemill.cli import main
from puzzlemill.generators import families

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "tests/README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_python_of_the_readme_runs() -> None:
    """The first thing that a reader tries must work."""
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Verdict(solved=True, score=1.0" in done.stdout


@pytest.mark.parametrize(
    ("page", "told"),
    [("play", r"\n\w[^\n]*: [^\n]+\.\n\nYou have 11 messages left\.\n$"), ("books", "^$")],
    ids=["play", "books"],
)
def test_the_python_of_other_pages_runs(page: str, told: str) -> None:
    """It runs, and an action of the game that is shown brings its outcome to light."""
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / f"docs/{page}.md").read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(told, done.stdout) and "There is no" not in done.stdout


def test_the_commands_of_the_readme_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """A command that was renamed must be renamed in the README too."""
    with pytest.raises(SystemExit):
        main(["--help"])
    known = capsys.readouterr().out
    shown = set(re.findall(r"^(?:\.venv/run/bin/)?puzzlemill (\w+)", README, re.MULTILINE))
    assert shown == {"list", "show", "generate", "verify", "preview", "release", "run", "score", "report", "export", "stats"}
    assert all(re.search(rf"\b{command}\b", known) for command in shown)


def test_the_readme_counts_the_families_and_fits_on_a_screen() -> None:
    """A family came, and the first page does not know it; or the first page has become a manual."""
    names = re.search(r"Twenty-one families: (.*?), and kumo", README, re.DOTALL)
    assert names and len(re.split(r",\s+", names[1])) + 1 == len(families()) == 21
    assert len(README.splitlines()) <= 84


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_paths_in_the_docs_lead_somewhere(page: Path) -> None:
    """A page that was moved leaves dead links behind."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert "://" in target or (page.parent / target).exists(), target
    for path in re.findall(r"`((?:tests|docs|puzzlemill|scripts|conf|benchmarks)/[\w./-]+)`", text):
        assert (ROOT / path).exists() or "hashi" in path, path


def test_the_page_of_commands_is_made_from_their_table() -> None:
    """docs/commands.md was changed by hand, or not made again after a change of puzzlemill/cli/commands.toml: `make docs`."""
    script = ROOT / "scripts" / "commands_page.py"
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, encoding="utf-8", check=True)
    assert made.stdout == (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_locks_name_no_place() -> None:
    """A lock says what to install, by version and hash, and never where it comes from."""
    names = [path.name for path in ROOT.glob("requirements*.lock")]
    assert len(names) == 7
    for name in names:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        for line in lines:
            assert "://" not in line and "@" not in line, f"{name}: {line}"
            assert re.match(r"[a-z0-9][a-z0-9._-]*==\S+ |    --hash=sha256:[0-9a-f]{64}| +# ", line), f"{name}: {line}"


def test_the_endpoint_of_right_replies_says_how_it_is_called() -> None:
    """`--help` was taken for the folder of a release, and a traceback came."""
    script = str(ROOT / "examples/gold_endpoint.py")
    done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "RELEASE [-- COMMAND WITH {url} ...]" in done.stdout
    done = subprocess.run([sys.executable, script, "no/such"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no/such" in done.stderr and "Traceback" not in done.stderr
