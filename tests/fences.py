"""The commands and the Python that the docs show, as tests run them.

A ```sh block is commands for a shell, a ```python block is Python. What cannot run without a network, a graphics card, an extra
package or hours says so where a reader sees it: a comment that begins with "# needs" or "# takes". At the end of a line it speaks
of that command, on a line of its own of all commands below it, up to a blank line. A ```python block that begins with one, or
with "# a sketch", is only parsed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("examples/*/README.md")),
]
_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{2,3} (.*)$", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|\s)#\s(.*)$")
_MARK = re.compile(r"(?:needs|takes|a sketch)\b")


class Shown(NamedTuple):
    """A command or a block of Python. section: its heading. line: where it begins. runs: whether it is run, or only parsed."""

    kind: str
    section: str
    line: int
    text: str
    runs: bool

    @property
    def commands(self) -> list[list[str]]:
        """The words of each of the commands that && joins."""
        parts = list[list[str]]([[]])
        for word in shlex.split(self.text, comments=True):
            if word == "&&":
                parts.append([])
            else:
                parts[-1].append(word)
        return parts


def shown(page: Path) -> Iterator[Shown]:
    """All that a page shows, in order."""
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        start, headings = text.count("\n", 0, block.start()) + 2, _HEADING.findall(text, 0, block.start())
        section = headings[-1] if headings else ""
        if block[1] == "python":
            yield Shown("python", section, start, block[2], not _marked(block[2].split("\n", 1)[0]))
        else:
            yield from _lines(block[2], section, start)


def _lines(block: str, section: str, start: int) -> Iterator[Shown]:
    """The commands of one block; a line that ends with a backslash goes on."""
    below, whole, first = False, "", start
    for number, line in enumerate(block.split("\n"), start):
        if not whole:
            first = number
        if line.endswith("\\"):
            whole += line[:-1]
            continue
        command, whole = whole + line, ""
        if not command.strip():
            below = False
        elif command.lstrip().startswith("#"):
            below = below or _marked(command)
        else:
            yield Shown("sh", section, first, command, not (below or _marked(command)))


def _marked(line: str) -> bool:
    found = _COMMENT.search(line)
    return found is not None and _MARK.match(found[1]) is not None
