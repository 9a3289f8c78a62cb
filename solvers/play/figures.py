"""Figures of a row's game: the cost of the best play, proved in two ways, and the published search's figure.

A game that its search cannot decide within the budget gives no figures: Value shows a proved gap, and no row is made of it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.model import Game
from puzzlemill.questions.base import PlayFigures
from puzzlemill.solvers.play.evaluate import Unsure, expected

if TYPE_CHECKING:
    from puzzlemill.solvers.play.exact import Exact

FORMULATIONS = ("game:search", "game:evaluator")


def play(game: Game, outcomes: tuple[int, ...], nodes: int, least: int, case: str) -> PlayFigures:
    """The figures of a world, the cost of the best play by the search and by the evaluator of its policy.

    nodes: of each search. least: in hundredths. case: the puzzle as JSON, for the message of an error.
    Raises Discarded("too_short") if the best play takes less, Discarded("budget"), or EnginesDisagree.
    """
    from puzzlemill.solvers.play.exact import countable  # it compiles kernels

    if not countable(game):
        raise Discarded("budget", "the worlds do not fit 62 bits")
    exact = _exact(game, nodes)
    if exact.value.high * 100 < least:
        raise Discarded("too_short")
    if not exact.value.decided:
        raise Discarded("budget", f"the best play costs {exact.value.low} to {exact.value.high} actions")
    evaluated = _evaluated(game, nodes)
    if evaluated != exact.value.low:
        claims = {"game:search": f"the best play costs {exact.value.low}", "game:evaluator": f"it costs {evaluated}"}
        raise EnginesDisagree(claims, case)
    holds = [t for t in range(game.truths) if not any(game.excludes[a][s] >> t & 1 for a, s in enumerate(outcomes))]
    each = exact.per_truth()
    given = tuple([cost for t in holds if (cost := each[t]) is not None])
    compat, compat_actions = _published(game, outcomes, nodes)
    return PlayFigures(
        exact.value.low, given, exact.guess(), compat, len(exact.actions(outcomes)), compat_actions, exact.value.nodes
    )


@lru_cache(maxsize=2)
def _evaluated(game: Game, nodes: int) -> Fraction | str:
    """The cost of the best play, world by world; or what is wrong with it."""
    try:
        return expected(game, _exact(game, nodes).best)
    except Unsure as why:
        return str(why)


@lru_cache(maxsize=2)
def _published(game: Game, outcomes: tuple[int, ...], nodes: int) -> tuple[Fraction | None, int | None]:
    """The published search's figure, and what it does in a world; None for games in which several truths hold."""
    if game.valid > 1:
        return None, None
    from puzzlemill.solvers.play.compat import solve

    found = solve(game, nodes)
    if not found.value.decided:
        raise Discarded("budget", "the published search")
    return found.exact(), len(found.actions(outcomes))


@lru_cache(maxsize=2)
def _exact(game: Game, nodes: int) -> Exact:
    """A game is looked at more than once in a row: each of its dressed children has it too."""
    from puzzlemill.solvers.play.exact import solve  # it compiles kernels

    return solve(game, nodes)
