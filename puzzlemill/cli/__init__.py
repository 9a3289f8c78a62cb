"""The command line. commands.toml has every command; a command's module is imported when it runs, so that help is quick.

Exit codes: 0 done; 1 a check found something, or something is missing; 2 the input cannot be used, or there is too little
memory (one line on stderr names the place and the remedy); 130 interrupted (Ctrl-C); 143 terminated (SIGTERM). An unexpected
error keeps its traceback.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from puzzlemill.core.errors import BadInput


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    from puzzlemill.cli.logs import logged
    from puzzlemill.cli.stopping import termination_as_interrupt
    from puzzlemill.cli.table import parser

    given = list(sys.argv[1:] if argv is None else argv)
    options = parser().parse_args(given)
    if options.command.settings and len(given) == 1:
        options.parser.print_help(sys.stderr)
        return 2
    with logged(os.environ.get("PUZZLEMILL_LOG", "")), termination_as_interrupt():
        return _run(options)


def _run(options: Namespace) -> int:
    from puzzlemill.cli import memory
    from puzzlemill.cli.stopping import interrupted
    from puzzlemill.core.memory import too_little

    try:
        memory.check()
        code: int = options.command.call(options)
        sys.stdout.flush()
    except BadInput as error:
        return _refused(f"{error}{_of_a_checkout(str(error))}")
    except KeyboardInterrupt:
        return interrupted("the same command goes on where this one stopped" if options.command.resumes else "")
    except BrokenPipeError:
        # the reader went away (`puzzlemill stats DIR | head`); Python would complain once more when it closes stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (MemoryError, ImportError, OSError, RuntimeError) as error:
        if not too_little(error):
            raise
        return _refused(memory.advice(error))
    return code


def _of_a_checkout(why: str) -> str:
    """What helps who has just written a family: an installed program knows the families that it came with only."""
    import re
    from pathlib import Path

    found = re.match(r"unknown family '([a-z][a-z0-9_]{0,30})';", why, re.ASCII)
    if not found or not Path("generators", f"{found[1]}.py").is_file():
        return ""
    return (
        f"; generators/{found[1]}.py is a new family of this checkout: PYTHONPATH=. .venv/dev/bin/python -m puzzlemill knows it"
    )


def _refused(why: str) -> int:
    """Say in one line why the command cannot be done."""
    from puzzlemill.core.text import printable

    print(f"error: {printable(' '.join(why.split()))}", file=sys.stderr)
    return 2
