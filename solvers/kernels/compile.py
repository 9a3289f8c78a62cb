"""How kernels are compiled: each at its first use, once per source, into a private folder.

What Python calls becomes machine code, in one piece with all kernels that it calls. Those are parts, of which only LLVM's code is
made: nothing is optimised or assembled twice, and what is not called is not compiled at all.

A file of the cache is named by a hash of all that its machine code depends on: code, signature, options and constants of the
kernel and of every kernel that it calls. An edit compiles those again that depend on it, and no others; numba's own cache misses
edits in functions that are called. The folder's name is a hash of the versions and of the kind of processor, and no file knows
where the package is installed: a copy of the folder serves other environments and machines.
"""

from __future__ import annotations

import gc
import logging
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from inspect import unwrap
from pathlib import Path
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import compiler, serialize, sigutils, types, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.extending import overload
from numba.np import arrayobj

log = logging.getLogger(__name__)
F = TypeVar("F", bound=Callable[..., Any])
_announced: list[str] = []
_USER = os.getuid() if hasattr(os, "getuid") else 0
PLACES = (Path(__file__).parent / "__pycache__", Path(tempfile.gettempdir()) / f"puzzlemill-{_USER}")


def usable(folder: Path) -> bool:
    """Return whether the folder is there (or can be made), is ours alone to write, and takes a file."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid"):
            status = folder.lstat()
            if status.st_uid != os.getuid() or status.st_mode & 0o022:
                return False  # a cache holds machine code: never load one that somebody else can write
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def announce(wanted: str) -> None:
    """Say, once in a process, that kernels are being compiled: these, and what comes later."""
    if not _announced:
        log.info("compiling kernels that are not in the cache yet, once, for some seconds each: %s", wanted)
        _announced.append(wanted)


@cache
def cache_folder() -> Path:
    """The folder of compiled kernels: next to the sources if they can be written, else in the temporary folder."""
    processor = CPUDispatcher.targetdescr.target_context.codegen().magic_tuple()
    made_by = (sys.version_info[:3], numba.__version__, llvmlite.__version__, np.__version__, processor)
    hashed = sha256(repr(made_by).encode() + Path(__file__).read_bytes())
    name = f"numba-{hashed.hexdigest()[:16]}"
    for parent in PLACES:
        if usable(parent / name):
            return parent / name
    return Path(tempfile.mkdtemp(prefix="puzzlemill-"))  # a sound machine never gets here; kernels then compile per process


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Have other processes wait that want to make this file too."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:  # not on Windows, where each makes its own, and the last one stays
        yield
        return
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


class _Nowhere:
    """The code generator of parts, for which no environment can be set: they are not in memory."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        pass


class Part(JITCodeLibrary):  # type: ignore[misc]
    """LLVM's code of a kernel alone, as it was written: what calls it links it in and optimises both."""

    @property
    def codegen(self) -> Any:
        return _Nowhere(self._codegen)

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def finalize(self) -> None:
        self._final_module.verify()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        return 0

    def reached(self) -> list[Any]:
        """This and every library that it calls, each once and after those that call it: LLVM drops what nothing calls yet."""
        found: dict[int, Any] = {}

        def visit(library: Any) -> None:
            if id(library) not in seen:
                seen.add(id(library))
                for other in library._linking_libraries if isinstance(library, Part) else ():
                    visit(other)
                found[id(library)] = library

        seen: set[int] = set()
        visit(self)
        return list(found.values())[::-1]


def _mismatch(source: Any, target: Any) -> None:
    """Raise ValueError, for an array that is put into a slice of another size."""


@overload(_mismatch)
def _raise_mismatch(source: Any, target: Any) -> Callable[..., None]:  # noqa: ARG001
    def implement(source: Any, target: Any) -> None:  # noqa: ARG001
        raise ValueError("an array is put into a slice of another size")

    return implement


@contextmanager
def _making_parts(codegen: Any) -> Iterator[None]:
    """Have numba make parts, of its own functions too; and not compile a second for a message with the sizes of two arrays."""
    before = codegen._library_class, arrayobj.raise_with_shape_context
    codegen._library_class, arrayobj.raise_with_shape_context = Part, _mismatch
    collects = gc.isenabled()
    gc.disable()  # the collector takes a tenth of the time
    try:
        yield
    finally:
        codegen._library_class, arrayobj.raise_with_shape_context = before
        if collects:
            gc.enable()


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function that is compiled for its signatures at its first call, or as a part of what calls it."""

    def __init__(self, function: Callable[..., Any], signatures: Sequence[Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions={**options, "nopython": True, "boundscheck": None})
        plain = {**self.targetoptions, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self._parts_compiler = type(self._compiler)(function, self.targetdescr, plain, {}, compiler.Compiler)
        self._declared = [sigutils.normalize_signature(signature) for signature in signatures]
        self._parts: dict[tuple[Any, ...], Any] = {}
        self._options = options

    # ---- as a part ----

    def parts(self) -> dict[tuple[Any, ...], Any]:
        with global_compiler_lock, _making_parts(self.targetctx.codegen()):
            for arguments, result in self._declared:
                if arguments not in self._parts:
                    with self._compiling_counter:
                        self._parts[arguments] = self._parts_compiler.compile(arguments, result)
        return self._parts

    def get_call_template(self, args: Any, kws: Any) -> Any:
        pysig, args = self._compiler.fold_argument_types(args, kws)
        signatures = [part.signature for part in self.parts().values()]
        name = self.py_func.__name__
        return typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=signatures), pysig, args, {}

    def get_overload(self, sig: Any) -> Any:
        return self.parts()[sigutils.normalize_signature(sig)[0]].entry_point

    # ---- called by Python ----

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:  # noqa: ARG002
        self.load()
        return lambda *args, **kws: self(*args, **kws)

    def load(self) -> None:
        """Load machine code for all signatures from the cache, or compile it into the cache."""
        with global_compiler_lock:
            if not self._can_compile:
                return
            for i, file in enumerate(self._files()):
                found = self._from_file(file)
                if found is None:
                    with _alone(file):
                        found = self._from_file(file)  # of another process, meanwhile
                        if found is None:
                            announce(self._module)
                            found = self._linked(self._declared[i][0])
                            _write(file, serialize.dumps(found._reduce()))
                self.add_overload(found)
            self.disable_compile()

    @property
    def cached(self) -> bool:
        """Whether machine code for all signatures is in the cache."""
        return all(file.exists() for file in self._files())

    @property
    def _module(self) -> str:
        return str(self.py_func.__module__.rpartition(".")[2])

    def _files(self) -> list[Path]:
        name = f"{self._module}.{self.py_func.__name__}-{self.key[:24]}"
        return [cache_folder() / f"{name}.{i}" for i in range(len(self._declared))]

    def _from_file(self, file: Path) -> Any:
        try:
            head, _, body = file.read_bytes().partition(b"\n")
        except OSError:
            return None
        if head.decode("ascii", "replace") != sha256(body).hexdigest():
            return None  # cut off: compiled again
        self.targetctx.refresh()
        return compiler.CompileResult._rebuild(self.targetctx, *pickle.loads(body))  # noqa: S301, of a folder that is ours alone to write

    def _linked(self, arguments: tuple[Any, ...]) -> Any:
        """Machine code of a part, with all that it calls, to be called by Python."""
        part = self.parts()[arguments]
        context = part.target_context
        library = context.codegen().create_library(self.py_func.__qualname__)
        library.enable_object_caching()
        context.create_cpython_wrapper(library, part.fndesc, part.environment, part.call_helper, release_gil=True)
        for each in part.library.reached():
            library.add_linking_library(each)
        library.finalize()
        made = compiler.compile_result(
            typing_context=part.typing_context,
            target_context=context,
            entry_point=context.get_executable(library, part.fndesc, part.environment),
            typing_error=None,
            type_annotation=None,
            library=library,
            call_helper=part.call_helper,
            signature=part.signature,
            objectmode=False,
            lifted=(),
            fndesc=part.fndesc,
            environment=part.environment,
            metadata={},
            reload_init=part.reload_init,
        )
        for environment in made._find_referenced_environments():
            library.codegen.set_env(environment.env_name, environment)
        return made

    # ---- what machine code depends on ----

    @property
    def key(self) -> str:
        """A hash of the code, signatures, options and constants of this kernel and of those that it calls."""
        hashed = sha256()
        for kernel in self._called({}):
            for piece in kernel._pieces():
                hashed.update(f"{len(piece)}:{piece};".encode())
        return hashed.hexdigest()

    def _called(self, found: dict[int, Kernel]) -> list[Kernel]:
        """This and every kernel that it calls, in the order of the code."""
        if id(self) not in found:
            found[id(self)] = self
            for name in _names(self.py_func.__code__):
                other = self.py_func.__globals__.get(name)
                if isinstance(other, Kernel):
                    other._called(found)
        return list(found.values())

    def _pieces(self) -> Iterator[str]:
        yield f"{self.py_func.__qualname__} {self.py_func.__defaults__} {sorted(self._options.items())}"
        for arguments, result in self._declared:
            yield " ".join(map(_type, (*arguments, result)))
        yield from _code(self.py_func.__code__)
        for name in _names(self.py_func.__code__):
            if name in self.py_func.__globals__:
                yield f"{name}={_constant(self.py_func.__globals__[name], name)}"


def called_by(module: ModuleType) -> list[Kernel]:
    """Every kernel that plain functions and methods of a module call, of its own or of a module that it imports."""
    found: dict[int, Kernel] = {}
    for code in _plain(vars(module).values(), module.__name__):
        names = _names(code)
        for value in [vars(module).get(name) for name in names]:
            others = [vars(value).get(name) for name in names] if isinstance(value, ModuleType) else [value]
            found.update({id(other): other for other in others if isinstance(other, Kernel)})
    return list(found.values())


def _plain(values: Iterable[Any], module: str) -> Iterator[CodeType]:
    """The code of functions, and of methods of classes, that are defined in this module and are no kernels."""
    for value in values:
        if isinstance(value, Kernel) or getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, type):
            yield from _plain(vars(value).values(), module)
        elif isinstance(code := getattr(unwrap(value), "__code__", None), CodeType):
            yield code


def _write(file: Path, body: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as out:
        out.write(sha256(body).hexdigest().encode() + b"\n" + body)
    Path(out.name).replace(file)


def _type(kind: Any) -> str:
    fields = getattr(kind, "fields", ())
    return f"{kind} {fields}"


def _code(code: CodeType) -> Iterator[str]:
    """All of the code but for the numbers of its lines."""
    yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_cellvars} {code.co_flags}"
    for constant in code.co_consts[bool(code.co_consts and isinstance(code.co_consts[0], str)) :]:  # but for the docstring
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield f"{type(constant).__name__} {constant!r}"


def _names(code: CodeType) -> list[str]:
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant)]
    return list(dict.fromkeys([*code.co_names, *inner]))


def _constant(value: Any, name: str) -> str:
    """A global that machine code contains."""
    if isinstance(value, Kernel):
        return f"kernel {value.py_func.__module__}.{value.py_func.__name__}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({','.join(_constant(item, name) for item in value)})"
    if isinstance(value, bool | int | float | str | np.generic | types.Type):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}"
    if isinstance(value, BuiltinFunctionType | ModuleType) and not value.__name__.startswith("puzzlemill"):
        return value.__name__
    raise TypeError(f"a kernel uses {name} = {value!r}: of this, no hash can be made")


def kernel(signature: Any, counted: bool = True, inlined: bool = False) -> Callable[[F], F]:
    """Compile a function for this signature (or several) when it is called, or load it from the cache folder.

    counted: whether it counts references to arrays, which takes time. One that does not cannot make arrays.
    inlined: into every kernel that calls it.
    """
    options = {"nogil": True, "error_model": "numpy", "_nrt": counted, "forceinline": inlined}

    def decorate(function: F) -> F:
        signatures = signature if isinstance(signature, list) else [signature]
        made: Any = Kernel(function, signatures, options)
        return made  # type: ignore[no-any-return]

    return decorate
