"""Figures of dialogues, worked out by hand, and two models compared."""

from __future__ import annotations

import json
from typing import Any

import pytest

from puzzlemill.analysis.compare import compared
from puzzlemill.core.rng import stream
from puzzlemill.scoring.main import score_files
from puzzlemill.scoring.metrics import Item, Measured, games, measured, report, to_json, to_text
from puzzlemill.scoring.moves import Play
from puzzlemill.scoring.score import Verdict
from rows import coin_row, hat_row


def item(i: int, domain: str = "hats", variant: str = "canonical") -> Item:
    return Item(f"kumo-{i}", "test", f"g{i:03}", "kumo", variant, True, False, 0.25, domain=domain)


def dialogue(solved: bool, actions: int, *bad: int, best: tuple[int | None, int | None] = (2, 1), end: bool = True) -> Verdict:
    """bad: unknown, repeated and unreadable messages."""
    unknown, repeated, unreadable = bad or (0, 0, 0)
    messages = actions + unknown + repeated + unreadable + end
    play = Play(tuple(range(actions)), messages, unknown, repeated, unreadable, end, *best)
    why = "solved" if solved else "wrong" if end else "no answer"
    return Verdict(solved, float(solved), float(solved), 1.0, why, play=play)


def values(rows: list[Measured], samples: int) -> dict[str, float | None]:
    found = games("kumo", rows, samples)
    return {name: None if one is None else pytest.approx(one.value) for name, one in found.metrics.items()}


def test_figures_of_dialogues() -> None:
    """Two tasks with three samples each; of the second one is missing, and its optimum by the published search is 0."""
    rows = [
        measured(item(0), [dialogue(True, 3, 1, 0, 0), dialogue(True, 2), dialogue(False, 1)]),
        measured(item(1), [dialogue(True, 4, 0, 2, 1, best=(1, 0)), dialogue(False, 6, 0, 0, 2, best=(1, 0), end=False), None]),
    ]
    found = games("kumo", rows, 3)
    assert (found.rows, found.groups, found.dialogues, found.missing) == (2, 2, 5, 1)
    assert found.messages == 5 + 3 + 2 + 8 + 8
    assert found.aimless == {"exact": 0, "compat": 2}
    assert values(rows, 3) == {
        "success": (2 / 3 + 1 / 3) / 2,
        "majority": 1 / 2,
        "actions": (3 + 2 + 1 + 4 + 6) / 5,
        "actions_solved": (3 + 2 + 4) / 3,
        "parsing": (1 + 1 + 2) / 26,
        "unreadable": (1 + 2) / 26,
        "illegal": (1 + 2) / 26,
        "relative_exact_solved": (0.5 + 0 + 3) / 3,
        "relative_exact": (0.5 + 0 - 0.5 + 3 + 5) / 5,
        "relative_compat_solved": (2 + 1) / 2,
        "relative_compat": (2 + 1 + 0) / 3,
    }


def test_majority_takes_more_than_half() -> None:
    """Two of four would count as most."""
    for solved, wanted in ((2, 0.0), (3, 1.0)):
        row = measured(item(0), [dialogue(k < solved, 2) for k in range(4)])
        assert values([row], 4)["majority"] == wanted
    row = measured(item(0), [dialogue(True, 2), dialogue(True, 2), None, None])
    assert values([row], 4)["majority"] == 0.0


def test_what_has_no_value_is_told_as_such() -> None:
    """Nothing solved, nothing said: a figure of 0 would be the best there is."""
    lost = measured(item(0), [dialogue(False, 1)])
    assert values([lost], 1)["relative_exact_solved"] is None and values([lost], 1)["relative_exact"] == -0.5
    silent = measured(item(0), [None])
    assert [name for name, value in values([silent], 1).items() if value is not None] == ["success", "majority"]
    unknown = measured(item(0), [dialogue(True, 1, best=(None, None))])
    assert values([unknown], 1)["relative_exact"] is None
    assert games("kumo", [unknown], 1).aimless == {"exact": 1, "compat": 1}


def drawn(count: int, chance: int, extra: int, seed: str) -> list[Measured]:
    """Tasks solved in `chance` of 10 dialogues, with up to `extra` actions beyond the optimum."""
    rows = []
    for i in range(count):
        rng = stream("tests", seed, i)
        best = rng.between(1, 4)
        told = [dialogue(rng.chance(chance, 10), best + rng.between(0, extra), best=(best, best)) for _ in range(2)]
        rows.append(measured(item(i, f"domain {i % 3}"), list(told)))
    return rows


def test_intervals_hold_their_value_and_narrow_with_more_tasks() -> None:
    few, many = games("kumo", drawn(12, 7, 3, "a"), 2), games("kumo", drawn(300, 7, 3, "a"), 2)
    for name, estimate in many.metrics.items():
        other = few.metrics[name]
        assert estimate is not None and other is not None and estimate.low <= estimate.value <= estimate.high
        if name not in ("parsing", "unreadable", "illegal"):
            assert estimate.high - estimate.low < other.high - other.low
    success, parsing = many.metrics["success"], few.metrics["parsing"]
    assert success is not None and success.low < 0.7 < success.high
    assert parsing is not None and parsing.value == 0 < parsing.high and parsing.method == "wilson over groups"


def test_one_group_has_no_interval_of_counts() -> None:
    """Three samples of one task would claim that every task takes as many actions."""
    row = measured(item(0), [dialogue(True, 3), dialogue(True, 2), dialogue(True, 4)])
    found = games("kumo", [row], 3)
    methods = {name: estimate and estimate.method for name, estimate in found.metrics.items()}
    assert {methods[name] for name in ("actions", "actions_solved", "relative_exact", "relative_compat")} == {"no interval"}
    assert {methods[name] for name in ("success", "majority", "parsing", "illegal")} == {"wilson over groups"}
    line = next(line for line in to_text(report([row], 3)).splitlines() if line.startswith("kumo: hats "))
    assert " 3.000 " in line and "[3.000" not in line


def test_two_models_are_compared_task_by_task() -> None:
    """The difference of two means hides that the tasks are the same."""
    better, worse = drawn(150, 9, 1, "a"), drawn(150, 6, 4, "b")
    found = compared("a b", list(zip(worse, better, strict=True)))
    assert found.tasks == 150 and 60 < found.both < 150
    assert found.success is not None and found.relative is not None
    mean = sum(b.values["exact"] - w.values["exact"] for w, b in zip(worse, better, strict=True)) / 150
    assert found.success.value == pytest.approx(mean) and found.success.low > 0
    assert found.relative.high < 0
    back = compared("a b", list(zip(better, worse, strict=True)))
    assert back.success is not None and back.success.value == pytest.approx(-mean)
    same = compared("a a", list(zip(better, better, strict=True)))
    assert same.success is not None and same.success.value == 0 and same.success.low < 0 < same.success.high
    assert same.relative is not None and (same.relative.value, same.relative.low, same.relative.high) == (0, 0, 0)


def test_tasks_without_a_dialogue_are_not_compared() -> None:
    one, other, none = ([measured(item(0), [verdict])] for verdict in (dialogue(True, 2), dialogue(False, 2), None))
    assert compared("x", list(zip(one, none, strict=True))).success is None
    found = compared("x", list(zip(one, other, strict=True)))
    assert (found.tasks, found.both, found.relative) == (1, 0, None)


def test_sections_by_family_variant_and_domain() -> None:
    rows = [*drawn(9, 5, 2, "c"), measured(item(9, "hats", "long_book"), [dialogue(True, 2)] * 2)]
    plain = measured(Item("coin-0", "test", "g900", "coin", "canonical", True, False, 0.5), [None, None])
    found = report([*rows, plain], 2)
    names = ["kumo", "kumo/canonical", "kumo/long_book", *[f"kumo: domain {i}" for i in range(3)], "kumo: hats"]
    assert [game.name for game in found.games] == names
    assert [game.rows for game in found.games] == [10, 9, 1, 3, 3, 3, 1]
    told: dict[str, Any] = json.loads(json.dumps(to_json(found)))
    assert [game["name"] for game in told["games"]] == names
    assert set(told["games"][0]["metrics"]["relative_exact"]) == {"value", "low", "high", "n", "method"}
    text = to_text(found)
    assert "relative, solved" in text and "\nkumo: hats " in text and text.isascii()
    assert report([plain], 2).games == () and "games" not in to_text(report([plain], 2))


def test_what_is_left_out_of_relative_counts_is_told() -> None:
    found = report([measured(item(0), [dialogue(True, 2, best=(1, 0))])], 1)
    assert "since the optimum is 0 or unknown: 1 against the published search." in to_text(found)


def test_files_of_dialogues_and_of_single_replies_are_scored_together(tmp_path: Any) -> None:
    """A transcript is read as its last message, or a coin's reply as a dialogue."""
    acts = ['{"action": "Ask the cook"}', '{"action": "Ask the porter"}', '{"action": "Ask the king"}', '{"answer": [["Ada"]]}']
    lines: list[dict[str, Any]] = [
        {"id": "hat-0", "reply": acts[-1], "turns": [{"reply": act, "told": "?"} for act in acts]},
        {"id": "coin-0", "reply": '{"answer": [["H", "T", "H"]]}', "turns": "a key of somebody's own"},
    ]
    (tmp_path / "replies").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = score_files([hat_row(), coin_row()], tmp_path / "replies")
    assert found.sections[0].metrics["exact"].value == 1.0
    (game, *_) = found.games
    assert {name: one and one.value for name, one in game.metrics.items()} == {
        "success": 1.0,
        "majority": 1.0,
        "actions": 2.0,
        "actions_solved": 2.0,
        "parsing": 0.25,
        "unreadable": 0.0,
        "illegal": 0.25,
        "relative_exact_solved": 0.0,
        "relative_exact": 0.0,
        "relative_compat_solved": 0.0,
        "relative_compat": 0.0,
    }
    assert [game.name for game in found.games] == ["kumo", "kumo/canonical", "kumo: lost_hat"]
