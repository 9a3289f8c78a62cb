"""`python -m puzzlemill` is `puzzlemill`."""

import sys

from puzzlemill.cli import main

sys.exit(main())
