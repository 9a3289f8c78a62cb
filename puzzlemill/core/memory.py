"""Errors that mean that there is too little memory, whatever a library calls them."""

from __future__ import annotations

from errno import ENOMEM

_SAID = (  # by the loader, Arrow, LLVM's binding and Python's threads
    "failed to map segment",
    "allocate memory",
    "alloc of size",
    "launch worker thread",
    "start new thread",
    "shared object file 'libllvmlite",
)


def too_little(error: BaseException) -> bool:
    """Return whether memory is what was missing."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == ENOMEM:
        return True
    return any(words in str(error) for words in _SAID)
