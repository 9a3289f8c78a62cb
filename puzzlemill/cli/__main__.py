"""`python -m puzzlemill.cli` is `puzzlemill`."""

import sys

from puzzlemill.cli import main

sys.exit(main())
