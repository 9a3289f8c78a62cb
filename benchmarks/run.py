"""Our rates beside the peers' in the same run: `make bench`, or python benchmarks/run.py [subjects] [--rows 10000] [--write].

`make bench` installs reasoning-gym beside it; the other peer is Debian's sgt-puzzles. The whole table takes a few minutes.
"""

from __future__ import annotations

import argparse
import sys

import audit
import cases
import ledger
import whole
from measure import Line, machine, markdown, text, write_page

SUBJECTS = {**cases.SUBJECTS, "ledger": ledger.lines, "whole rows": whole.lines, "cold start": whole.cold, "audit": audit.lines}
ALL = (*SUBJECTS, "rows")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("subjects", nargs="*", metavar="subject", help="some of: " + ", ".join(ALL))
    parser.add_argument("--rows", type=int, default=10_000, help="rows that the memory run builds (default 10000)")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results.md, of some subjects a page of its own")
    asked = parser.parse_args()
    unknown = [name for name in asked.subjects if name not in ALL]
    if unknown:
        parser.error(f"unknown subject {unknown[0]!r}; choose from {', '.join(ALL)}")
    if asked.rows < 100:
        parser.error(f"--rows: the memory run needs 100 rows or more, got {asked.rows}")
    about = machine()
    lines: list[Line] = []
    for name in asked.subjects or ALL:
        print(f"{name} ...", file=sys.stderr, flush=True)
        lines += cases.rows(asked.rows) if name == "rows" else SUBJECTS[name]()
    print(about + "\n\n" + text(lines))
    if asked.write:
        some = "".join(f"_{name.replace(' ', '_')}" for name in asked.subjects)
        write_page(f"results{some}.md", "Rates", "run.py", f"{about}\n\n{markdown(lines)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
