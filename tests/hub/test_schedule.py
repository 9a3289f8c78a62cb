"""The files that publish on a schedule: they parse, and every command line in them and in their documentation is a valid one."""

from __future__ import annotations

import configparser
import io
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml

from puzzlemill.cli import main

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
UNITS = ROOT / "deploy" / "systemd"
PAGES = [ROOT / "docs" / "schedule.md", ROOT / "docs" / "hub.md"]
VALUES = {"RECIPE": "quick", "REPO": "org/name", "PERIOD": "month", "DRY_RUN": "false", "HOME": "/home/me"}


class Reached(Exception):
    """A command line was understood: the release would begin."""


def workflow() -> dict[Any, Any]:
    loaded: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text())
    return loaded


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",), comment_prefixes=("#", ";"))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((UNITS / name).read_text())
    return parser


def scripts() -> Iterator[tuple[str, str]]:
    """(where, a line of shell) of every file here."""
    for job in workflow()["jobs"].values():
        for step in job["steps"]:
            yield from ((WORKFLOW.name, line) for line in step.get("run", "").splitlines())
    yield "service", unit("puzzlemill-release.service")["Service"]["ExecStart"].replace("%S", "/var/lib")
    for page in PAGES:
        for block in re.findall(r"```(?:sh|text)\n(.*?)```", page.read_text(), re.S):
            yield from ((page.name, line) for line in block.splitlines())


def words_of(line: str) -> list[str]:
    filled = re.sub(r"\$\{?([A-Z_]+)\}?", lambda found: VALUES[found[1]], line)
    return shlex.split(filled)


def commands() -> Iterator[tuple[str, list[str]]]:
    """(where, words after `puzzlemill`) of every call; also of those inside `sh -c`."""
    for where, line in scripts():
        words = words_of(line)
        for inner in [words, *(words_of(part) for word in words if " && " in word for part in word.split(" && "))]:
            for place, word in enumerate(inner):
                if word == "puzzlemill" or word.endswith("/bin/puzzlemill"):
                    yield where, inner[place + 1 :]


COMMANDS = list(commands())


def test_every_file_has_its_command() -> None:
    """If not, the next test checks less than it says."""
    assert sorted({where for where, _ in COMMANDS}) == ["release.yml", "schedule.md", "service"]
    assert sum(where == "schedule.md" for where, _ in COMMANDS) == 2


@pytest.mark.parametrize(("where", "words"), COMMANDS)
def test_every_command_is_valid(monkeypatch: pytest.MonkeyPatch, where: str, words: list[str]) -> None:
    """A setting that is renamed would be noticed on the first of the month, by its absence."""
    import puzzlemill.cli.release

    asked: dict[str, Any] = {}

    def release(plan: Any, store: Any, out: Path, **settings: Any) -> None:
        asked.update(settings, store=store.name, series=plan.recipe.name)
        raise Reached

    monkeypatch.setattr(puzzlemill.cli.release, "release", release)
    assert words[0] == "release"
    with pytest.raises(Reached):
        main(words)
    assert (asked["store"], asked["series"], asked["dry_run"]) == ("org/name", "quick", False)


def test_the_workflow_publishes_without_a_stored_token() -> None:
    """Scheduled, one at a time, with the right to an id token and to nothing else, and what the lock names."""
    loaded = workflow()
    triggers = loaded[True]  # YAML 1.1 reads `on` as true
    assert re.fullmatch(r"\d+ \d+ 1-3 \* \*", triggers["schedule"][0]["cron"])
    assert triggers["workflow_dispatch"]["inputs"]["dry_run"]["default"] is True
    assert loaded["permissions"] == {"contents": "read", "id-token": "write"}
    assert loaded["concurrency"] == {"group": "release", "cancel-in-progress": False}
    (job,) = loaded["jobs"].values()
    assert job["env"]["HF_OIDC_RESOURCE"].startswith("datasets/")
    runs = "\n".join(step.get("run", "") for step in job["steps"])
    assert all(re.search(r"@[0-9a-f]{40}\Z", step["uses"]) for step in job["steps"] if "uses" in step)  # a tag can be moved
    assert "${{" not in runs  # a value from outside never becomes shell
    assert "secrets." not in WORKFLOW.read_text()


def installs() -> Iterator[tuple[str, list[str]]]:
    """(where, words after `pip`) of every call of pip that installs or builds, the Makefile's too."""
    lines = [
        *scripts(),
        *[("Makefile", line) for line in (ROOT / "Makefile").read_text().replace("$(PIP)", "-m pip").splitlines()],
    ]
    for where, line in lines:
        for part in re.split(r" && |'", line):
            words = part.split()
            at = next((i for i, word in enumerate(words) if word == "pip" or word.endswith("/pip")), len(words))
            if words[at + 1 : at + 2] in (["install"], ["wheel"]):
                yield where, words[at + 1 :]


def test_nothing_is_built_with_what_no_lock_names() -> None:
    """Somewhere pip makes an environment to build in, and fills it with the newest setuptools of an index."""
    last: dict[str, str] = {}
    for where, words in installs():
        assert "--no-deps" in words, (where, words)
        if "-r" in words:
            assert "--require-hashes" in words
        first = words[-1].endswith("requirements-build.lock")
        if first:
            assert words[words.index("--only-binary") + 1] == ":all:"
        elif not words[-1].endswith(".whl"):
            assert "--no-build-isolation" in words, (where, words)
        if "-r" in words and not first:
            assert last[where].endswith("requirements-build.lock"), (where, words)
        last[where] = words[-1]
    assert sorted(last) == ["Makefile", "release.yml", "schedule.md"]


def test_every_lock_holds_what_builds() -> None:
    """A lock exchanges what has just been installed to build with, for another version."""
    builders = set(re.findall(r"^\S+==\S+", (ROOT / "requirements-build.lock").read_text(), re.M))
    assert {"setuptools", "hatchling"} <= {line.partition("==")[0] for line in builders}
    for lock in ROOT.glob("requirements*.lock"):
        assert builders <= set(re.findall(r"^\S+==\S+", lock.read_text(), re.M)), lock.name


def archive(path: Path, files: dict[str, str]) -> str:
    """Write a wheel or an archive of sources; its line in a lock."""
    if path.suffix == ".whl":
        with ZipFile(path, "w") as wheel:
            for name, text in files.items():
                wheel.writestr(name, text)
    else:
        with tarfile.open(path, "w:gz") as sources:
            for name, text in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                sources.addfile(entry, io.BytesIO(text.encode()))
    name, version = path.name.removesuffix(".tar.gz").split("-")[:2]
    return f"{name}=={version} --hash=sha256:{sha256(path.read_bytes()).hexdigest()}\n"


def setuptools_wheel(folder: Path, version: str, said: str) -> str:
    """Write a setuptools of our own, which builds empty packages and writes its version into `said`; its line in a lock."""
    backend = f"""
import os, tomllib, zipfile
with open({said!r}, "a") as file:
    file.write("{version} " + os.environ["TOKEN"] + "\\n")

def build_wheel(folder, settings=None, metadata=None):
    name = tomllib.load(open("pyproject.toml", "rb"))["project"]["name"]
    info = name + "-1.0.dist-info/"
    with zipfile.ZipFile(folder + "/" + name + "-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(name + ".py", "")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: " + name + "\\nVersion: 1.0\\n")
        wheel.writestr(info + "RECORD", "")
    return name + "-1.0-py3-none-any.whl"
"""
    info = f"setuptools-{version}.dist-info/"
    return archive(
        folder / f"setuptools-{version}-py3-none-any.whl",
        {
            "setuptools/__init__.py": "",
            "setuptools/build_meta.py": backend,
            info + "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            info + "METADATA": f"Metadata-Version: 2.1\nName: setuptools\nVersion: {version}\n",
            info + "RECORD": "",
        },
    )


def test_a_poisoned_setuptools_in_the_index_does_not_run(tmp_path: Path) -> None:
    """The job that may publish builds a package of sources with a setuptools that has no hash, which reads the job's tokens."""
    pip = pytest.importorskip("pip")
    index, job, said = tmp_path / "index", tmp_path / "job", tmp_path / "said"
    index.mkdir()
    job.mkdir()
    (job / "requirements-build.lock").write_text(setuptools_wheel(index, "1.0", str(said)))
    setuptools_wheel(index, "999.0", str(said))
    build = '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
    build += '[project]\nname = "{}"\nversion = "1.0"\n'
    sources = {"pyproject.toml": build.format("grammar"), "PKG-INFO": "Metadata-Version: 2.1\nName: grammar\nVersion: 1.0\n"}
    locked = archive(index / "grammar-1.0.tar.gz", {f"grammar-1.0/{name}": text for name, text in sources.items()})
    (job / "requirements.lock").write_text(locked)
    (job / "pyproject.toml").write_text(build.format("mill"))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    (packages / "pip").symlink_to(Path(pip.__file__).parent)
    (step,) = [
        step["run"] for job in workflow()["jobs"].values() for step in job["steps"] if "pip install" in step.get("run", "")
    ]
    environment = {
        "PATH": f"{tmp_path / 'venv' / 'bin'}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
        "PIP_NO_CACHE_DIR": "1",
        "TOKEN": "secret",
    }
    done = subprocess.run(["bash", "-e", "-c", step], cwd=job, env=environment, capture_output=True, text=True, timeout=120)
    assert set(said.read_text().splitlines()) == {"1.0 secret"}, done.stdout + done.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path.name for path in packages.glob("*.dist-info")} == {
        f"{name}-1.0.dist-info" for name in ("setuptools", "grammar", "mill")
    }


def test_the_timer_makes_up_what_was_missed() -> None:
    """And the token is in a credential: not in the unit, the environment or the command line."""
    timer, service = unit("puzzlemill-release.timer"), unit("puzzlemill-release.service")
    assert timer["Timer"]["Persistent"] == "true"
    assert timer["Timer"]["OnCalendar"] == "*-*-01 04:23:00 UTC"
    assert service["Service"]["Type"] == "oneshot"
    assert service["Service"]["LoadCredential"].startswith("hf_token:")
    text = (UNITS / "puzzlemill-release.service").read_text()
    assert "HF_TOKEN_PATH=%d/hf_token" in text
    assert not re.search(r"HF_TOKEN=|\bhf_[A-Za-z0-9]{10,}", text)
    assert {"DynamicUser", "NoNewPrivileges", "ProtectSystem", "SystemCallFilter"} <= set(service["Service"])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_reads_the_units(tmp_path: Path) -> None:
    """Misspelt directives are ignored by systemd with a warning, which nobody reads."""
    for path in UNITS.iterdir():
        (tmp_path / path.name).write_text(path.read_text().replace("/opt/puzzlemill/bin/puzzlemill", sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", *map(str, sorted(tmp_path.iterdir()))], capture_output=True, text=True, timeout=60
    )
    ours = [line for line in done.stderr.splitlines() if "puzzlemill" in line]
    assert (done.returncode, ours) == (0, []), done.stderr


def test_the_hubs_own_command_line_takes_the_job(tmp_path: Path) -> None:
    """Its `--dry-run` resolves everything and schedules nothing."""
    hf = Path(sys.executable).with_name("hf")
    (line,) = [line for where, line in scripts() if line.startswith("hf jobs scheduled run")]
    words = shlex.split(line)[1:]
    words.insert(words.index("python:3.12"), "--dry-run")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "HF_HOME": str(tmp_path), "HF_TOKEN": "hf_not_a_token_at_all"}
    done = subprocess.run([str(hf), *words], env=environment, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Job not submitted" in done.stdout + done.stderr
    assert "hf_not_a_token_at_all" not in done.stdout + done.stderr
