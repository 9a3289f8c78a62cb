"""Compiled kernels: what is kept, when it is used again, and what is never loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from puzzlemill.solvers import kernels

SOURCES = {
    "base": """
        import numpy as np
        from puzzlemill.solvers.kernels.compile import kernel
        STEP = 1

        @kernel("int64(int64)")
        def helper(x):
            return x + STEP

        @kernel("int64(int64)")
        def one(x):
            return helper(x) * 10

        @kernel("int64(int64)")
        def down(n):
            return 0 if n == 0 else n + down(n - 1)

        @kernel("void(int64[::1], int64[::1])")
        def put(a, b):
            a[:] = b

        @kernel(["float64(float64)", "int64(int64)"])
        def twice(x):
            return x + x
    """,
    "above": """
        from base import helper
        from puzzlemill.solvers.kernels.compile import kernel

        @kernel("int64(int64)")
        def two(x):
            return helper(x) * 100
    """,
}
CALLS = "import numpy as np, base, above; print(base.one(1), above.two(1), base.down(4), base.twice(2), base.twice(1.25))"


class Workshop:
    """A folder with modules of kernels, and another for what is compiled of them."""

    def __init__(self, root: Path) -> None:
        self.root, self.kept = root, root / "kept"
        for name, text in SOURCES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        lines = [line.removeprefix("        ") for line in text.splitlines()]
        (self.root / f"{name}.py").write_text("\n".join(lines), encoding="utf-8")

    def run(self, code: str = CALLS) -> str:
        """What the code prints, in a process of its own."""
        first = f"""if True:
            import sys
            from pathlib import Path
            from puzzlemill.solvers.kernels import compile
            sys.path.insert(0, {str(self.root)!r})
            sys.dont_write_bytecode = True
            compile.PLACES = (Path({str(self.kept)!r}), Path({str(self.root / "other")!r}))
        """
        code = f"{first}\n{code}"
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout.strip()

    def files(self) -> dict[str, int]:
        """Every compiled kernel with the time at which it was made."""
        return {path.name: path.stat().st_mtime_ns for path in self.kept.glob("*/*") if path.suffix != ".lock"}


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def names(files: dict[str, int]) -> list[str]:
    return sorted(name.partition("-")[0] for name in files)


def test_only_what_is_called_is_compiled_and_once(workshop: Workshop) -> None:
    """Every command compiles all kernels, or the same again. A kernel with two signatures has two files; parts have none."""
    assert workshop.run("import base, above; print(above.two(1))") == "200"
    first = workshop.files()
    assert names(first) == ["above.two"]
    assert workshop.run() == "20 200 10 4 2.5"
    second = workshop.files()
    assert names(second) == ["above.two", "base.down", "base.one", "base.twice", "base.twice"]
    assert first.items() <= second.items()
    assert workshop.run() == "20 200 10 4 2.5"
    assert workshop.files() == second


def test_an_edit_compiles_again_what_depends_on_it(workshop: Workshop) -> None:
    """An edit in a function that is called, or of a constant, goes unseen; or an edit, or a line more, compiles everything."""
    workshop.run()
    before = workshop.files()
    workshop.write("base", "# a comment\n" + SOURCES["base"].replace("return 0 if", "# another\n            return 0 if"))
    assert workshop.run() == "20 200 10 4 2.5"
    assert workshop.files() == before
    workshop.write("base", SOURCES["base"].replace("STEP = 1", "STEP = 2"))
    assert workshop.run() == "30 300 10 4 2.5"
    constant = workshop.files()
    assert names({name: 0 for name in constant if name not in before}) == ["above.two", "base.one"]
    assert before.items() <= constant.items()
    workshop.write("base", SOURCES["base"].replace("return x + STEP", "return x - STEP"))
    assert workshop.run() == "0 0 10 4 2.5"
    assert names({name: 0 for name in workshop.files() if name not in constant}) == ["above.two", "base.one"]
    workshop.write("base", SOURCES["base"])
    assert workshop.run() == "20 200 10 4 2.5", "what was compiled of the first sources"


def test_a_file_that_is_not_whole_is_made_again(workshop: Workshop) -> None:
    """A full disk or a power cut leaves half of a file, and the machine code in it is run."""
    workshop.run()
    for path in workshop.kept.glob("*/*.0"):
        path.write_bytes(path.read_bytes()[:-7])
    assert workshop.run() == "20 200 10 4 2.5"


@pytest.mark.skipif(sys.platform == "win32", reason="modes of folders are POSIX's")
def test_a_folder_that_others_can_write_is_never_loaded(workshop: Workshop) -> None:
    """Whoever writes into a shared folder runs code as us."""
    workshop.run()
    (folder,) = workshop.kept.iterdir()
    before = workshop.files()
    folder.chmod(0o777)
    result, used = workshop.run(f"{CALLS}; print(compile.cache_folder())").splitlines()
    assert result == "20 200 10 4 2.5"
    assert Path(used) == workshop.root / "other" / folder.name
    assert workshop.files() == before


def test_arrays_of_two_sizes_are_refused(workshop: Workshop) -> None:
    """numba compiles seconds of text formatting for this error; the one that stands for it must be raised still."""
    code = (
        "import numpy as np, base\ntry: base.put(np.zeros(3, np.int64), np.ones(2, np.int64))\nexcept ValueError as e: print(e)"
    )
    assert workshop.run(code) == "an array is put into a slice of another size"


def test_every_kernel_has_a_key_of_its_own() -> None:
    """A kernel depends on a value of which no hash can be made, or two share a file."""
    kernels_of = {name: kernels._called(name) for name in kernels.MODULES}
    assert {name for name, found in kernels_of.items() if not found} == {"acrostics", "ciphers", "conditions", "phrases"}
    every = {id(kernel): kernel for found in kernels_of.values() for kernel in found}
    assert len({kernel.key for kernel in every.values()}) == len(every) > 40


def test_tables_know_their_modules() -> None:
    """Workers find nothing compiled, and wait for each other."""
    assert kernels.modules_of(["LatinTable", "None", "PositionTable", "RoadsTable"]) == ("latin", "positions")
