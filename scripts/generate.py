"""Make a release: `python scripts/generate.py family=sudoku count=20 out=DIR`, the same as `puzzlemill generate ...`."""

from __future__ import annotations

import sys

from puzzlemill.cli import main

if __name__ == "__main__":
    sys.exit(main(["generate", *sys.argv[1:]]))
