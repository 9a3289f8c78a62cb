"""A report on replies in ten lines for a terminal: each measure with its meaning."""

from __future__ import annotations

from puzzlemill.scoring.metrics import Estimate, Report, Section, shown

MEANINGS = {
    "exact": ("exact match", "replies that keep every rule of their puzzle, in the form asked for"),
    "credit": ("partial credit", "places that are right, above what one value in every place would have"),
    "subtask": ("subtask accuracy", "places that are right, chance included"),
    "complete": ("completion", "places that are filled in"),
    "half": ("PM-0.5", "replies with at least half of their places right"),
    "guess": ("guess", "exact match of the best reply that solves nothing"),
}
RECOGNISED = ("no solution", "rows with and without a solution that are told apart; 0.5 is what guessing does")


def summary(found: Report) -> str:
    """The report's first lines; ASCII only. Intervals are 95 %."""
    if not found.sections:
        left_out = ", ".join(f"{split} ({rows} rows)" for split, rows in found.left_out)
        return f"nothing to score: no replies to any row of {left_out or 'this release'}"
    whole = found.sections[0]
    silent = f"; none to {', '.join([split for split, _ in found.left_out])}, not scored" if found.left_out else ""
    lines = [f"{whole.replies} replies to {whole.rows} rows of {', '.join(found.splits)}{silent}", *lacking(whole, found.samples)]
    table: list[tuple[str, Estimate | None, bool, str]] = [
        (name, whole.metrics[metric], metric != "guess", words) for metric, (name, words) in MEANINGS.items()
    ]
    if whole.solvability is not None:
        table.append((RECOGNISED[0], whole.solvability.balanced_accuracy, True, RECOGNISED[1]))
    figures = [(name, shown(estimate, interval), words) for name, estimate, interval, words in table]
    wide = [max(len(row[i]) for row in figures) for i in (0, 1)]
    lines += [f"{name:<{wide[0]}}  {figure:<{wide[1]}}  {words}" for name, figure, words in figures]
    lines.append("replies: " + ", ".join(f"{word} {times}" for word, times in whole.why.items()))
    return "\n".join([*lines, f"--all shows {_rest(found)}"])


def lacking(whole: Section, samples: int) -> list[str]:
    """A line on the rows without any reply and one on the missing replies to others, where there are such."""
    lines = []
    if silent := whole.unanswered_rows:
        have, count = ("has", "counts") if silent == 1 else ("have", "count")
        lines.append(f"{silent} of {whole.rows} rows {have} no reply and {count} as wrong; --answered leaves out such rows")
    if more := whole.missing - silent * samples:
        lines.append(f"{more} further {'reply is' if more == 1 else 'replies are'} missing and count{'s' * (more == 1)} as wrong")
    return lines


def _rest(found: Report) -> str:
    """The parts that the whole report has too."""
    parts = ["each family", "each variant"]
    parts += ["pass@k", "majority@k"] if found.samples > 1 else []
    parts += ["pairs of rows"] if found.pairs else []
    parts += ["dialogues"] if found.games else []
    parts += ["calls", "tokens"] if found.spent else []
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
