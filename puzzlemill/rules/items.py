"""What prompts and text forms of positions and of logic grids share: items with names, each a value of a category."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from puzzlemill.core.text import Line
from puzzlemill.core.words import listed
from puzzlemill.vocabulary.wordings import Voice, markdown

S = TypeVar("S")
Token = tuple[int, str]  # column and text
_TOKEN = re.compile(r"\s*([(),]|[^(),]+)")


def lists(voice: Voice, way: str, pairs: Sequence[tuple[str, Sequence[str]]], shown: Callable[[str], str], column: str) -> str:
    """The categories with their items, in one of the notations. shown: a title at the beginning of a line."""
    lines = [f"{shown(title)}: {', '.join(names)}" for title, names in pairs]
    if way == "sentences":
        body = " ".join([voice.says("sentence", title=title, names=listed(names)) for title, names in pairs])
    elif way == "table":
        body = markdown([shown(title) for title, _ in pairs], [column], [[", ".join(names)] for _, names in pairs])
    elif way == "json":
        rows = [f"{json.dumps(title)}: {json.dumps(names, ensure_ascii=False)}" for title, names in pairs]
        body = "{" + ",\n ".join(rows) + "}"
    else:
        body = voice.bullets(lines) if way == "bullets" else "\n".join(lines)
    head = voice.says("lists")
    return f"{head}\n{body}" if head else body


def may_stand(name: str) -> bool:
    """Return whether the text form can write a name."""
    return bool(name) and name == " ".join(name.split()) and not any(sign in "(),=#" for sign in name)


class ItemReader(ABC, Generic[S]):
    """Reads statements: kind(item, ...). ITEM, WRITTEN: an item in messages, and one whose name another one has too."""

    ITEM, WRITTEN = ("an item", "item of any category"), "category=item"

    def __init__(self, titles: Sequence[str], names: Sequence[Sequence[str]]) -> None:
        self.items: dict[str, list[tuple[int, int]]] = {}
        for c, (title, each) in enumerate(zip(titles, names, strict=True)):
            for v, name in enumerate(each):
                self.items.setdefault(name.casefold(), []).append((c, v))
                self.items[f"{title.casefold()}={name.casefold()}"] = [(c, v)]

    def statement(self, line: Line) -> S:
        """The statement of a line."""
        tokens = [(found.start(1), found.group(1).strip()) for found in _TOKEN.finditer(line.text)]
        said, rest = self.part(line, [token for token in tokens if token[1]], True)
        if rest:
            raise line.bad(rest[0][0], f"expected the end of the line, got {rest[0][1][:40]!r}")
        return said

    @abstractmethod
    def part(self, line: Line, tokens: list[Token], whole: bool) -> tuple[S, list[Token]]:
        """The statement that these tokens begin with, and those behind it. whole: it is no part of another one."""

    def arguments(
        self, line: Line, tokens: list[Token], composite: bool, count: int | None = None
    ) -> tuple[list[S], list[Token], list[Token]]:
        """What stands in brackets: parts of a composite, or texts of items and numbers; and the tokens behind it.

        count: how many there must be; None if that is to be seen.
        """
        parts: list[S] = []
        named: list[Token] = []
        end, sign = (len(line.text), ""), "("
        while True:
            at, found = tokens[0] if tokens else end
            closed = found == ")" and (sign == ")" or (sign == "," and count is None))
            if found != sign and not closed:
                raise line.bad(at, f"expected {sign!r}, got {found[:40]!r}")
            if closed:
                return parts, named, tokens[1:]
            if composite:
                said, tokens = self.part(line, tokens[1:], False)
                parts.append(said)
            else:
                named.append(tokens[1] if len(tokens) > 1 else end)
                tokens = tokens[2:]
            sign = "," if count is None or len(parts) + len(named) < count else ")"

    def item(self, line: Line, column: int, text: str) -> tuple[int, int]:
        """The item that a text names."""
        key = "=".join([" ".join(part.split()) for part in text.split("=", 1)])
        found = self.items.get(key.casefold(), [])
        if len(found) != 1:
            problem = f"{text[:40]!r} is no {self.ITEM[1]}" if not found else f"write {text[:40]!r} as {self.WRITTEN}"
            raise line.bad(column, f"expected {self.ITEM[0]}: {problem}")
        return found[0]
