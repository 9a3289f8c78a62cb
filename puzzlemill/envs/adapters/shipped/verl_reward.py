"""The reward of exported puzzles for verl: 1.0 for a right reply, else 0.0.

    reward.custom_reward_function.path=reward.py reward.custom_reward_function.name=compute_score

Needs Python 3.11 and scorer.zip beside this file, nothing else; Puzzlemill need not be installed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().with_name("scorer.zip")))

from puzzlemill.scoring.score import score


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: dict[str, Any] | None = None,
    **kwargs: Any,
) -> dict[str, float]:
    """The reward, as "score" and "acc". ground_truth: the row's scoring columns as JSON.

    Beside it: partial credit above what the best constant reply earns, the share of open places that the reply gets right,
    whether it could be read, and whether it says that there is no solution.
    """
    verdict = score(solution_str, json.loads(ground_truth))
    return {
        "score": verdict.score,
        "acc": verdict.score,
        "credit": verdict.credit,
        "subtask": verdict.subtask,
        "readable": float(verdict.why != "unreadable"),
        "claims_unsolvable": float(verdict.claims_unsolvable),
    }
