"""Two models' dialogues compared task by task, over the tasks of which both have a dialogue.

Shown are the difference of success, and that of the relative action count (puzzlemill.scoring.metrics) over the tasks that both
solved at least once. Intervals are of 95 %, over groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from puzzlemill.scoring.metrics import Estimate, Measured, bare, certain_difference, mean, optimum_known, over, relative_count


@dataclass(frozen=True, slots=True)
class Compared:
    """Differences, second model - first. tasks: of which both have a dialogue. The estimates are None where there is no task.

    both: tasks that both solved and that have a relative action count.
    """

    tasks: int
    both: int
    success: Estimate | None
    relative: Estimate | None


def compared(name: str, found: Sequence[tuple[Measured, Measured]]) -> Compared:
    """Compare rows of the first model with rows of the second about the same tasks. name: of the stream of resamples."""
    answered = [(one, other) for one, other in found if any(one.plays) and any(other.plays)]
    first = {other.item.id: one for one, other in answered}
    both = [other for one, other in answered if _relative(one) is not None and _relative(other) is not None]

    def success(row: Measured) -> float:
        return row.values["exact"] - first[row.item.id].values["exact"]

    def relative(row: Measured) -> float:
        return (_relative(row) or 0.0) - (_relative(first[row.item.id]) or 0.0)

    return Compared(
        len(answered),
        len(both),
        certain_difference(mean(f"{name}/success", [other for _, other in answered], success)),
        bare(mean(f"{name}/relative", both, relative)),
    )


def _relative(row: Measured) -> float | None:
    """The mean relative action count of a row's solved dialogues; None if it has none."""
    known = over(row, partial(optimum_known, "exact"), solved=True)
    return over(row, partial(relative_count, "exact"), solved=True) / known if known else None
