"""Too little memory, said in one line."""

from __future__ import annotations

import os

from puzzlemill.core.errors import BadInput

LEAST = 2**30  # bytes of addresses: what Arrow, LLVM, Z3 and their threads take on every command's way


def limit() -> int | None:
    """The most bytes of addresses that this process may have (ulimit -v); None without a limit."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows has none
        return None
    most = getrlimit(RLIMIT_AS)[0]
    return None if most == RLIM_INFINITY else most


def check() -> None:
    """Refuse to begin where libraries could not be loaded: some of them end the process without a word."""
    most = limit()
    if most is None:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's, of which nothing here makes use; each reserves addresses
    if most < LEAST:
        raise BadInput(
            f"too little memory: this process may use {most // 2**20} MiB of addresses (ulimit -v {most // 1024}), and the "
            f"libraries alone take up to {LEAST // 2**20}; raise the limit (ulimit -v unlimited), or run it elsewhere"
        )


def advice(error: BaseException) -> str:
    """What failed for want of memory, and what to do."""
    most = limit()
    said = " ".join(str(error).split())[:200] or "an allocation failed"
    remedy = "use fewer workers, or a machine with more"
    if most is not None:
        remedy = f"raise the limit of {most // 2**20} MiB of addresses (ulimit -v unlimited), or use fewer workers"
    return f"too little memory: {said}; {remedy}"
