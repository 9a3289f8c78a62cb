"""Nothing follows the order of a set: a process with another PYTHONHASHSEED makes the same rows, books, deals and plays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

from puzzlemill.core.errors import BadInput
from puzzlemill.core.model import Game
from puzzlemill.core.rng import stream
from puzzlemill.envs.players import player_named
from puzzlemill.factory.make import make
from puzzlemill.kumo.domain.files import names, write
from puzzlemill.kumo.domain.invent import invented
from puzzlemill.kumo.domain.structure import domain_of
from puzzlemill.kumo.graph_picture import picture
from puzzlemill.kumo.graphs import figures, split, truth_graph
from puzzlemill.solvers.play import compat
from puzzlemill.solvers.play.deal import deal_many, sat_deals
from puzzlemill.solvers.play.exact import solve


def rows() -> str:
    """Tasks, books and figures."""
    return json.dumps([make("kumo", seed="seed", index=i, domain=name) for i in (0, 1) for name in ("authored", "invented")])


def domains() -> str:
    """Exclusions of authored domains, and invented ones."""
    return "\n".join(
        [write(domain_of(name, "seeds")) for name in names()[:12]] + [write(invented("seeds", i)) for i in range(12)]
    )


def graphs() -> str:
    """Communities, splits and pictures."""
    told = []
    for name in ("quarry_minerals", "forest_trees"):
        domain = domain_of(name, "seeds")
        found = figures(domain)
        told += [found, split(domain, "communities"), picture(truth_graph(domain), found, domain.title)]
    return "\n".join(map(str, told))


def deals() -> str:
    """Drawn, counted, and found by clauses."""
    rng = stream("deal", "seeds")
    excludes = [[rng.next64() & rng.next64() & rng.next64() & (1 << 50) - 1 for _ in range(2 + a % 3)] for a in range(30)]
    dealt = [deal_many(excludes, [rng.sample(range(50), 8) for _ in range(50)], 10, 1, rng, tries=tries) for tries in (1000, 0)]
    masks = [[mask & 255 for mask in outs] for outs in excludes]
    return str([*dealt, next(sat_deals(masks, 8, 10, 1))])


def compats() -> str:
    """The published search: its value, its figures per truth, and two of its actions."""
    solved = compat.solve(Game(5, ((3, 12), (17, 0, 6), (8, 1), (4, 16, 3), (9, 6), (2, 24))), 10_000)
    return str([solved.value, solved.exact(), solved.per_truth(), solved.best(31, 63), solved.best(29, 47)])


def policies() -> str:
    """The best play's values, figures per truth, and what each player does in every state that it reaches."""
    told: list[object] = []
    for i, valid in enumerate((1, 1, 1, 2)):
        rng = stream("tests", "play exact processes", i)
        excludes = tuple([tuple([rng.below(64) & rng.below(64) for _ in range(2 + a % 3)]) for a in range(8)])
        solved = solve(Game(6, excludes, valid), 100_000)
        told += [solved.value, solved.per_truth(), solved.guess()]
        players = [player_named(name, solved.game, stream("x")) for name in ("random", "greedy", "optimal")]
        states: list[tuple[int, int, tuple[tuple[int, int], ...]]] = [((1 << 6) - 1, (1 << 8) - 1, ())]
        while states:
            left, unused, seen = states.pop()
            try:
                best = solved.best(left, unused)
            except BadInput:
                continue  # no world is in this state
            told.append((left, unused, best, [player.next(seen) for player in players]))
            if best is not None:
                states += [(left & ~mask, unused ^ 1 << best, (*seen, (best, s))) for s, mask in enumerate(excludes[best])]
    assert len(told) > 40
    return str(told)


MADE: list[Callable[[], str]] = [rows, domains, graphs, deals, compats, policies]


def test_another_hash_seed_changes_nothing() -> None:
    """Something that a release holds was made in the order of a set: no two machines would make the same bytes."""
    own = os.environ.get("PYTHONHASHSEED")
    environment = {**os.environ, "PYTHONHASHSEED": "1" if own != "1" else "2"}
    done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True, check=True)
    there = json.loads(done.stdout)
    assert list(there) == [one.__name__ for one in MADE]
    for one in MADE:
        assert one() == there[one.__name__], one.__doc__


if __name__ == "__main__":
    print(json.dumps({one.__name__: one() for one in MADE}))
