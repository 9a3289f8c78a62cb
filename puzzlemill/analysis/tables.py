"""Figures for people and programs: tables for a terminal, numbers in words, JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from puzzlemill.scoring.metrics import plain


def text_table(header: Sequence[str], body: Iterable[Sequence[object]]) -> str:
    """Columns of equal width, numbers to the right; ends without a newline."""
    lines = [[str(cell) for cell in row] for row in body]
    right = [bool(lines) and all(_number(line[i]) for line in lines) for i in range(len(header))]
    width = [max(len(line[i]) for line in [list(header), *lines]) for i in range(len(header))]

    def row(cells: Sequence[str]) -> str:
        padded = [cell.rjust(width[i]) if right[i] else cell.ljust(width[i]) for i, cell in enumerate(cells)]
        return "  ".join(padded).rstrip()

    return "\n".join([row(header), row(["-" * w for w in width]), *[row(line) for line in lines]])


def _number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").replace("%", "").lstrip("-").isdigit() or text in ("", "-")


def counted(tally: Mapping[str, int]) -> str:
    """ "duplicate 3, budget 1": the most frequent first."""
    return ", ".join(f"{name} {n}" for name, n in sorted(tally.items(), key=lambda item: (-item[1], item[0])) if n)


def percent(value: float) -> str:
    """A share in percent."""
    return f"{100 * value:.1f}"


def p_words(p: float | None) -> str:
    """A p-value for people."""
    return "-" if p is None else f"{p:.3f}" if p >= 0.001 else f"{p:.0e}" if p > 0 else "<1e-300"


def to_json(figures: Any) -> Any:
    """Figures as JSON-able values: dataclasses as objects by the names of their fields.

    Numbers keep 4 decimals, and those below 1 keep 4 digits: a p-value of 1e-9 is not 0.
    """
    return plain(figures, lambda value: round(value, 4) if abs(value) >= 1 else float(f"{value:.4g}"))
