"""An extension of griffe for mkdocs.yml: docstrings are plain text, and become Markdown in which nothing is markup by accident.

A field that a docstring explains ("key: the slots in order; ...") begins a line of its own. Indented blocks stay code.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_FIELD = re.compile(r"(?:^|(?<=\. ))((?:[a-z_]\w*, )*[a-z_]\w*): (?=\S)", re.MULTILINE)
_MARKUP = re.compile(r"([\\*_\[\]<>#|])")


class Docstrings(griffe.Extension):  # type: ignore[misc] # griffe is in the site's environment only
    """Rewrites every docstring once."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)


def markdown(text: str) -> str:
    """The text as Markdown."""
    blocks = re.split(r"\n{2,}", text)
    return "\n\n".join([block if block.startswith("    ") else _paragraphs(block) for block in blocks])


def _paragraphs(block: str) -> str:
    lines = " \n".join([line.strip() for line in block.split("\n")])
    quoted = re.split(r"(`[^`]+`)", lines)
    lines = "".join([part if k % 2 else _MARKUP.sub(r"\\\1", part) for k, part in enumerate(quoted)])
    return _FIELD.sub(lambda found: f"\n\n`{found[1]}`: ".replace("\\", ""), lines).strip()
