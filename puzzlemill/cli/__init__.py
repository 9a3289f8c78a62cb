"""The command line. commands.toml has every command; a command's module is imported when it runs, so that help is quick.

Exit codes: 0 done; 1 a check found something, or something is missing; 2 the input cannot be used, or there is too little
memory (one line on stderr names the place and the remedy); 130 interrupted. An unexpected error keeps its traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from puzzlemill.core.errors import BadInput


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    from puzzlemill.cli import memory
    from puzzlemill.cli.table import parser
    from puzzlemill.core.memory import too_little

    if os.environ.get("PUZZLEMILL_LOG"):
        log_to_stderr(os.environ["PUZZLEMILL_LOG"])
    given = list(sys.argv[1:] if argv is None else argv)
    options = parser().parse_args(given)
    if options.command.settings and len(given) == 1:
        options.parser.print_help(sys.stderr)
        return 2
    try:
        memory.check()
        code: int = options.command.call(options)
        sys.stdout.flush()
    except BadInput as error:
        return _refused(str(error))
    except KeyboardInterrupt:
        remedy = "; the same command goes on where this one stopped" if options.command.resumes else ""
        print(f"interrupted{remedy}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # the reader went away (`puzzlemill stats DIR | head`); Python would complain once more when it closes stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (MemoryError, ImportError, OSError, RuntimeError) as error:
        if not too_little(error):
            raise
        return _refused(memory.advice(error))
    return code


def _refused(why: str) -> int:
    """Say in one line why the command cannot be done."""
    from puzzlemill.core.text import printable

    print(f"error: {printable(' '.join(why.split()))}", file=sys.stderr)
    return 2


def log_to_stderr(level: str) -> None:
    """Show what the library logs (calls that are made again, say) from this level on: info or debug."""
    import logging

    logging.basicConfig(format="%(name)s: %(message)s")
    logging.getLogger("puzzlemill").setLevel(logging.getLevelNamesMapping().get(level.upper(), logging.WARNING))
