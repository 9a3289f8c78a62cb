"""How kernels are compiled: eagerly, once per source, into a private folder.

numba's own cache looks at the file of the decorated function only and misses edits in the functions it calls. Here the folder's
name is a hash of every kernel's source and of the versions, so an edit anywhere compiles everything again. Nothing in the folder
depends on where the package is installed: a copy of it serves another environment on the same kind of processor.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config as _config
from numba.core.caching import UserProvidedCacheLocator

log = logging.getLogger(__name__)
F = TypeVar("F", bound=Callable[..., Any])
config: Any = _config  # its settings are made at run time


def _usable(folder: Path) -> bool:
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


@cache
def announce() -> None:
    """Say, once in a process, that kernels are being compiled."""
    log.info("compiling kernels for this machine: once after each installation, for up to some minutes")


@cache
def cache_folder() -> Path:
    """The folder of compiled kernels: next to the sources if they can be written, else in the temporary folder."""
    here = Path(__file__).parent
    hashed = sha256(f"{sys.version_info[:3]} {numba.__version__}".encode())
    for source in sorted(here.glob("*.py")):
        hashed.update(source.name.encode() + b"\0" + source.read_bytes())
    name = f"numba-{hashed.hexdigest()[:16]}"
    user = os.getuid() if hasattr(os, "getuid") else 0
    for parent in (here / "__pycache__", Path(tempfile.gettempdir()) / f"puzzlemill-{user}"):
        if _usable(parent / name):
            if not any((parent / name).iterdir()):
                announce()
            return parent / name
    return Path(tempfile.mkdtemp(prefix="puzzlemill-"))  # a sound machine never gets here; kernels then compile per process


class Locator(UserProvidedCacheLocator):
    """Have numba write into the cache folder itself, not into one named after the place of the source."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:  # noqa: ARG003
        return ""


def kernel(signature: Any, counted: bool = True, inlined: bool = False) -> Callable[[F], F]:
    """Compile a function for this signature (or several) now, or load it from the cache folder.

    counted: whether it counts references to arrays, which takes time. One that does not cannot make arrays.
    inlined: into every kernel that calls it.
    """

    def decorate(function: F) -> F:
        before = config.CACHE_DIR, getattr(config, "CACHE_LOCATOR_CLASSES", "")
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(cache_folder()), f"{__name__}.{Locator.__name__}"
        try:
            options: Any = {"_nrt": counted, "forceinline": inlined}
            jit: Any = numba.njit(signature, cache=True, nogil=True, error_model="numpy", **options)
            compiled: F = jit(function)
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
        return compiled

    return decorate
