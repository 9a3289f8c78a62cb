"""Lists and objects in a reply, as JSON or as Python writes them: read sign by sign, never run, all of it bounded.

Read are [...], {...}, texts in either kind of quotes, numbers and bare words; a comma too many does not matter. Objects keep
their pairs, so that a key that stands twice is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

WINDOW = 200_000  # characters of a reply that are read, from its end
MOST = 20_000  # signs of one value
_DEEP = 6
_TRIED = 16  # values of one reply, from the last one backwards
_SIGN = re.compile(r"""\s*(?:([\[\]{}:,])|"((?:[^"\\\n]|\\.){0,4000})"|'((?:[^'\\\n]|\\.){0,4000})'|([^\s\[\]{}:,"']{1,200}))""")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_FENCE = re.compile(r"```[a-zA-Z]{0,20}")


class Pairs(list[tuple[str, "Value"]]):
    """An object's keys and values, in their order."""


Value = str | list["Value"] | Pairs


def tagged(reply: str, tag: str) -> list[str]:
    """The contents of <tag>...</tag>, the last ones first. Each is read from its last opening."""
    text = reply[-WINDOW:]
    low, found = text.lower(), list[str]()
    opening, closing = f"<{tag}>", f"</{tag}>"
    end = len(low)
    while len(found) < _TRIED:
        stop = low.rfind(closing, 0, end)
        start = low.rfind(opening, 0, stop) if stop >= 0 else -1
        if start < 0:
            return found
        found.append(text[start + len(opening) : stop])
        end = start
    return found


def values(text: str) -> Iterator[Value]:
    """Lists and objects of a text that stand in no other, the last ones first."""
    plain = _FENCE.sub(" ", text[-WINDOW:])
    opened, spans = list[int](), list[tuple[int, int]]()
    for place, sign in enumerate(plain):
        if sign in "[{":
            opened.append(place)
        elif sign in "]}" and opened:
            start = opened.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, place + 1))
    for begin, end in reversed(spans[-_TRIED:]):
        found = value(plain[begin:end])
        if found is not None:
            yield found


def value(text: str) -> Value | None:
    """The value that a text is; None if it is none."""
    return _Reader(text).whole()


class _Reader:
    def __init__(self, text: str) -> None:
        self.signs: list[tuple[str, bool]] = []  # sign, whether it is a text
        self.at, place = 0, 0
        self.fits = True
        while place < len(text):
            found = _SIGN.match(text, place)
            if found is None or len(self.signs) >= MOST:
                self.fits = not text[place:].strip()
                break
            mark, double, single, bare = found.groups()
            quoted = double if double is not None else single
            self.signs.append((mark or bare, bare is not None) if quoted is None else (_plain(quoted), True))
            place = found.end()

    def whole(self) -> Value | None:
        if not self.fits:
            return None
        try:
            found = self._value(0)
        except (IndexError, ValueError):
            return None
        return found if self.at == len(self.signs) else None

    def _next(self) -> tuple[str, bool]:
        sign = self.signs[self.at]
        self.at += 1
        return sign

    def _value(self, depth: int) -> Value:
        sign, text = self._next()
        if text:
            words = [sign]
            while self.at < len(self.signs) and self.signs[self.at][1]:
                words.append(self._next()[0])
            return " ".join(words)
        if depth >= _DEEP or sign not in "[{":
            raise ValueError
        pairs, items = Pairs(), list[Value]()
        close = "]" if sign == "[" else "}"
        while True:
            if self.signs[self.at] == (close, False):
                self.at += 1
                return items if sign == "[" else pairs
            one = self._value(depth + 1)
            if sign == "{":
                if self._next() != (":", False) or not isinstance(one, str):
                    raise ValueError
                pairs.append((one, self._value(depth + 1)))
            else:
                items.append(one)
            if self.signs[self.at] == (",", False):
                self.at += 1
            elif self.signs[self.at] != (close, False):
                raise ValueError


def _plain(quoted: str) -> str:
    """A text without its escapes."""
    if "\\" not in quoted:
        return quoted
    return _ESCAPE.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else {"n": "\n", "t": "\t"}.get(found[2], found[2]), quoted
    )
