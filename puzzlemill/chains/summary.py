"""Figures of many judged chains: the paper's categories, its matrix of sub-categories (Fig. 5), its scores by size (Table 4), and
what is ours: how much was understood, where errors lie, and what follows strictly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlemill.chains.judge import CATEGORIES, CONCLUSIONS, PREMISES, UNKNOWN, Judge, Judged
from puzzlemill.chains.rows import scene_of_row
from puzzlemill.chains.scene import ADAPTERS
from puzzlemill.core.errors import BadParams

__all__ = ["Figures", "Judges", "kappa", "size_of"]


@dataclass(slots=True)
class Figures:
    """Counts over chains. sub: pairs of sub-categories, "-" for none. sizes: of each size the average correctness scores.

    halves: errors and judged sentences in the first halves of chains, and in the second. flaws: chains that earn nothing.
    """

    chains: int = 0
    sentences: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    strict: Counter[str] = field(default_factory=Counter)
    sub: Counter[tuple[str, str]] = field(default_factory=Counter)
    sizes: dict[str, list[float]] = field(default_factory=dict)
    halves: list[list[int]] = field(default_factory=lambda: [[0, 0], [0, 0]])
    flaws: Counter[str] = field(default_factory=Counter)

    def add(self, judged: Judged, size: str) -> None:
        """Count one chain. size: "4x5"."""
        self.chains += 1
        self.sentences += len(judged.labels)
        for label in judged.labels:
            self.categories[label.category] += 1
            self.strict[label.strict] += bool(label.strict)
            if label.category in CATEGORIES:
                self.sub[label.premise or "-", label.conclusion or "-"] += 1
        self.sizes.setdefault(size, []).append(judged.average)
        for half, (errors, all_) in zip(self.halves, judged.halves(), strict=True):
            half[0] += errors
            half[1] += all_
        self.flaws[judged.flaw] += bool(judged.flaw)

    @property
    def understood(self) -> float:
        """The share of sentences that were understood."""
        return 1 - self.categories[UNKNOWN] / self.sentences if self.sentences else 1.0

    @property
    def average(self) -> float:
        """The average correctness score over all chains."""
        every = [score for scores in self.sizes.values() for score in scores]
        return sum(every) / len(every) if every else 0.0

    def matrix(self) -> list[tuple[str, list[int]]]:
        """The rows c, b, a and - of Fig. 5, each with its counts by premise: -, 1 to 6."""
        return [(row, [self.sub[column, row] for column in ("-", *PREMISES)]) for row in (*CONCLUSIONS[::-1], "-")]

    def by_size(self) -> list[tuple[str, int, float]]:
        """Sizes with their numbers of chains and average correctness scores."""
        return [(size, len(scores), sum(scores) / len(scores)) for size, scores in sorted(self.sizes.items())]

    def to_json(self) -> dict[str, Any]:
        """All figures as plain values."""
        return {
            "chains": self.chains,
            "sentences": self.sentences,
            "understood": round(self.understood, 4),
            "paper": {name: self.categories[name] for name in CATEGORIES},
            "other": {name: count for name, count in sorted(self.categories.items()) if name not in CATEGORIES},
            "strict": dict(sorted((name, count) for name, count in self.strict.items() if name)),
            "average_correctness": round(self.average, 4),
            "sizes": {size: {"chains": count, "average_correctness": round(score, 4)} for size, count, score in self.by_size()},
            "sub_categories": {row: dict(zip(("-", *PREMISES), counts, strict=True)) for row, counts in self.matrix()},
            "errors_by_half": [{"errors": errors, "sentences": all_} for errors, all_ in self.halves],
            "flaws": {name: count for name, count in sorted(self.flaws.items()) if name},
        }

    def to_text(self) -> str:
        """The figures for a terminal."""
        judged = sum(self.categories[name] for name in CATEGORIES) or 1
        lines = [
            f"{self.chains} chains, {self.sentences} sentences, {100 * self.understood:.1f} % understood",
            "paper: " + ", ".join([f"{name} {100 * self.categories[name] / judged:.1f} %" for name in CATEGORIES]),
            "outside: "
            + (
                ", ".join([f"{name} {self.categories[name]}" for name in sorted(self.categories) if name not in CATEGORIES])
                or "-"
            ),
        ]
        concluded = sum(count for name, count in self.strict.items() if name)
        if concluded:
            shares = [f"{name} {100 * count / concluded:.1f} %" for name, count in sorted(self.strict.items()) if name and count]
            lines.append("strict, of conclusions: " + ", ".join(shares))
        lines.append(f"average correctness: {self.average:.3f}")
        lines += [f"  {size}: {score:.3f} ({count} chains)" for size, count, score in self.by_size()]
        lines.append("wrong conclusion (rows) by wrong premise (columns):")
        lines.append("     " + "".join([f"{column:>7}" for column in ("-", *PREMISES)]))
        lines += [f"  {row:>3}" + "".join([f"{count:>7}" for count in counts]) for row, counts in self.matrix()]
        shares = [f"{100 * errors / all_:.1f} %" if all_ else "-" for errors, all_ in self.halves]
        lines.append(f"sentences with an error: {shares[0]} in first halves, {shares[1]} in second halves")
        if any(self.flaws.values()):
            lines.append(
                "chains that earn nothing: " + ", ".join([f"{name} {count}" for name, count in sorted(self.flaws.items())])
            )
        return "\n".join(lines)


class Judges:
    """Judges of rows, the last ones kept. strict: whether to search for what follows."""

    def __init__(self, strict: bool = True) -> None:
        self.strict = strict
        self.last: tuple[str, Judge] | None = None

    def of(self, row: Mapping[str, Any]) -> Judge | None:
        """The judge of a row's chains; None for a row whose chains are not judged: of another family, or without an answer."""
        if row["family"] not in ADAPTERS or row["answer"] is None:
            return None
        if self.last is None or self.last[0] != row["id"]:
            try:
                scene = scene_of_row(row)
            except BadParams:  # a rule under which chains are not read
                return None
            self.last = row["id"], Judge(scene, self.strict)
        return self.last[1]


def size_of(judge: Judge) -> str:
    """ "4x5": categories and items, as the paper has it."""
    return f"{judge.scene.size.categories}x{judge.scene.size.items}"


def kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's kappa of two labellings of the same sentences; None where chance alone agrees always, or for none."""
    n = len(first)
    if not n:
        return None
    seen = sum(a == b for a, b in zip(first, second, strict=True)) / n
    one, other = Counter(first), Counter(second)
    chance = sum(one[name] * other[name] for name in sorted({*first})) / n**2
    return None if chance == 1 else (seen - chance) / (1 - chance)
