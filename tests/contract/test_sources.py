"""What no line of the library may do, checked on the syntax trees of the installed sources."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import puzzlemill

ROOT = Path(puzzlemill.__file__).parent
SOURCES = sorted(path for path in ROOT.rglob("*.py"))
LIGHT = (
    "core",
    "vocabulary",
    "kumo/domain",
    "kumo/book",
    "kumo/reading",
    "transforms",
    "generators",
    "scoring",
)  # what scorer.zip and a trainer's environment can load
CLOCKS = {"time", "datetime", "random", "uuid", "secrets"}
# kernels/compile.py asks who the user is, for the folder of compiled code; it decides nothing about puzzles.
ENVIRONMENT = {"environ", "environb", "getenv", "putenv"}
DANGEROUS_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Every source by its path."""
    return {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module that is imported anywhere in a file, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield str(node.module)


def test_the_folders_are_all_there() -> None:
    """A renamed folder would leave these checks without anything to check."""
    folders = {parent.as_posix() for path in SOURCES for parent in Path(name_of(path)).parents}
    assert folders >= {*LIGHT, "solvers", "factory", "publish", "analysis", "kumo", "envs", "cli"}


def test_nothing_is_imported_from_the_root_folders(trees: dict[str, ast.Module]) -> None:
    """`generators.sudoku` would be a second module beside `puzzlemill.generators.sudoku`, with a second register of families."""
    for name, tree in trees.items():
        assert {module.split(".")[0] for module in imported(tree)} & {"generators", "solvers", "transforms", "conf"} == set(), (
            name
        )


def test_light_packages_import_the_standard_library_only(trees: dict[str, ast.Module]) -> None:
    """scorer.zip runs in an empty Python environment; one import of numpy ends that."""
    own = {*sys.stdlib_module_names, "puzzlemill"}
    for name, tree in trees.items():
        if name.startswith(tuple([f"{folder}/" for folder in LIGHT])):
            assert {module for module in imported(tree) if module.split(".")[0] not in own} == set(), name


def test_only_the_command_line_reads_the_clock_and_the_environment(trees: dict[str, ast.Module]) -> None:
    """Anything else that reads them gives other bytes on another day or machine."""
    for name, tree in trees.items():
        if name.startswith("cli/"):
            continue
        assert {module.split(".")[0] for module in imported(tree)} & CLOCKS == set(), name
        nodes = list(ast.walk(tree))
        reads = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        from_os = [node.names for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "os"]
        assert (reads | {alias.name for names in from_os for alias in names}) & ENVIRONMENT == set(), name


def test_the_library_prints_nothing(trees: dict[str, ast.Module]) -> None:
    """A trainer's log is full of a library's lines: what it has to say goes to the logger `puzzlemill`, which can be silenced."""
    for name, tree in trees.items():
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        called = {ast.unparse(call.func) for call in calls}
        if not name.startswith("cli/"):
            assert called & {"print", "logging.basicConfig", "warnings.warn"} == set(), name
        if name not in ("scoring/main.py", "chains/main.py"):  # the commands of scorer.zip
            streams = {"sys.stdout.write", "sys.stderr.write"}
            assert name.startswith("cli/") or called & streams == set(), name
        own = {"__name__", "'puzzlemill'"}
        loggers = {ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func) == "logging.getLogger" and call.args}
        assert name.startswith("cli/") or loggers <= own, name
        assert not called & {f"logging.{level}" for level in ("debug", "info", "warning", "error", "critical")}, name


def test_no_text_is_ever_run_or_unpickled(trees: dict[str, ast.Module]) -> None:
    """Replies, rows and recipes are hostile: nothing in them may become code."""
    for name, tree in trees.items():
        # what numba has compiled, as numba's own cache keeps it: who could write that file could write any machine code
        allowed = {"pickle"} if name == "solvers/kernels/compile.py" else set()
        assert {module.split(".")[0] for module in imported(tree)} & DANGEROUS_MODULES == allowed, name
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                where = f"{name}, line {node.lineno}"
                if isinstance(node.func, ast.Name):
                    assert node.func.id not in {"eval", "exec", "compile", "__import__"}, where
                if isinstance(node.func, ast.Attribute):
                    called = ast.unparse(node.func)
                    assert called not in {"yaml.load", "yaml.unsafe_load", "yaml.full_load", "os.system"}, where
                    assert not called.startswith("builtins."), where
                assert not any(k.arg == "shell" for k in node.keywords), where


def test_no_error_is_swallowed(trees: dict[str, ast.Module]) -> None:
    """A bare `except` or `except Exception: pass` hides lost rows; asserts on input vanish under -O."""
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler):
                assert node.type is not None, f"{name}, line {node.lineno}: bare except"
                caught = ast.unparse(node.type)
                again = any(isinstance(inner, ast.Raise) for part in node.body for inner in ast.walk(part))
                where = f"{name}, line {node.lineno}: except {caught} that does not raise"
                assert again or caught not in {"Exception", "BaseException"}, where


def test_no_reply_reaches_int_or_str_of_unbounded_length() -> None:
    """Python limits int(text) to 4,300 digits by default; nothing may lift that."""
    for path in SOURCES:
        assert "set_int_max_str_digits" not in path.read_text(encoding="utf-8"), name_of(path)


def test_only_compiled_functions_leave_their_types_to_the_decorator(trees: dict[str, ast.Module]) -> None:
    """mypy does not ask for types in solvers/kernels, where they would be said twice."""
    for name, tree in trees.items():
        if name.startswith("solvers/kernels/"):
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and not any("kernel" in ast.unparse(d) for d in node.decorator_list):
                    arguments = [a for a in node.args.args if a.arg not in ("self", "cls")]
                    assert node.returns and all(a.annotation for a in arguments), f"{name}: {node.name}"


MOST, WITH_LIBRARY = 405, 670  # lines of a family's file, and with the library that it alone uses


def test_families_are_small() -> None:
    """A family of a thousand lines is a private dialect: what families share belongs into core, rules and deducers."""
    lines = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "generators").glob("*.py")}
    families = {name for name in lines if not name.startswith("_")}
    assert lines["_template"] <= 60
    large = {name for name in families if lines[name] > MOST or lines[name] + lines.get(f"_{name}", 0) > WITH_LIBRARY}
    assert not large
