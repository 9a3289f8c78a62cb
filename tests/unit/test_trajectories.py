"""Golden trajectories: what they say, what of them is to be learnt, which tasks they are about; and the two parts of a domain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams, EnginesDisagree
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.words import listed
from puzzlemill.envs.turns import Game
from puzzlemill.generators.kumo import FAMILY
from puzzlemill.kumo.domain import files
from puzzlemill.kumo.domain.parts import SIDES, side
from puzzlemill.kumo.domain.structure import domain_of
from puzzlemill.kumo.graphs import split
from puzzlemill.kumo.trajectories import CHUNK, Job, Plan, check, conversation, dialogue, make, spans
from puzzlemill.scoring.moves import Moves
from puzzlemill.scoring.plays import replay
from rows import hat_row, row_of

EASY: dict[str, Any] = {"domain": "bone_pit", "edition": "unit", "truths": 4, "actions": 6, "counts": {"train": 1}}
Row = dict[str, Any]


def plan(**changes: Any) -> Plan:
    settings = {"name": "unit", "seed": "unit", "license": "cc0-1.0", "sets": {"some": {**EASY, **changes}}}
    return Plan.from_plain(settings)


def made(count: int, **changes: Any) -> list[Row]:
    """The first so many trajectories of a plan with one set."""

    def every() -> Iterator[Row]:
        for number in range(20):
            yield from make(Job(plan(**changes), 0, number)).rows

    found = list(islice(every(), count))
    assert len(found) == count
    return found


def task(row: Row) -> tuple[Any, Any]:
    return loads(puzzle_type(FAMILY), row["puzzle"]), loads(FAMILY.hidden, row["hidden"])


def said(row: Row, role: str) -> list[str]:
    return [message["content"] for message in row["messages"] if message["role"] == role]


def as_row(row: Row) -> Row:
    """The same task as a row of a release."""
    puzzle, world = task(row)
    return row_of(FAMILY, puzzle, world.valid, row["reply_format"], prompt=said(row, "user")[0], hidden=row["hidden"], play={})


VARIED = [
    {"book": "any", "reply_format": ["json", "tags", "boxed", "table"], "reasons": True},
    {"policy": "optimal", "truths": 5, "actions": 7, "domain": ["invented:3", "river_fish"]},
    {"policy": "greedy", "domain": "ringing_station/second"},
]


@pytest.mark.parametrize("changes", VARIED, ids=["words", "optimal", "greedy"])
def test_a_game_s_own_rules_say_and_judge_the_same(changes: dict[str, Any]) -> None:
    """What is learnt is no game that anybody plays: the user says other things than the game does, or the answer is wrong."""
    for row in made(30, **changes):
        game, told = Game(as_row(row)), said(row, "user")
        assert game.start() == told[0]
        turns = [game.step(message) for message in said(row, "assistant")]
        assert [turn.text for turn in turns[:-1]] == told[1:]
        verdict = turns[-1].verdict
        assert verdict is not None and verdict.solved and verdict.play is not None
        assert len(verdict.play.actions) == row["steps"] and verdict.play.illegal == verdict.play.unreadable == 0
        assert replay(said(row, "assistant"), as_row(row)).solved


def test_policies_differ_as_they_must() -> None:
    """A policy's name changes nothing, or the best play takes more actions than others."""
    size = {"truths": 8, "actions": 10, "domain": "cargo_ship"}
    rows = {policy: make(Job(plan(policy=policy, **size), 0, 0)).rows for policy in ("optimal", "kumo_compat", "greedy")}
    tasks = [{row["puzzle"]: row["steps"] for row in some} for some in rows.values()]
    common = [puzzle for puzzle in tasks[0] if all(puzzle in some for some in tasks)]
    assert len(common) > CHUNK // 2
    best, published, greedy = (sum([some[puzzle] for puzzle in common]) for some in tasks)
    assert best < published and best <= greedy + len(common) // 20
    assert len({tuple([row["messages"][-2]["content"] for row in some]) for some in rows.values()}) == 3


@pytest.mark.parametrize("opening", ["user", "system"])
def test_what_is_to_be_learnt_is_what_the_assistant_says(opening: str) -> None:
    """The loss goes over outcomes or prompts, or misses the end of a message."""
    for row in made(12, opening=opening, reasons=True):
        text, messages = conversation(row["messages"]), row["messages"]
        assert [message["role"] for message in messages[:2]] == (
            ["system", "user"] if opening == "system" else ["user", "assistant"]
        )
        assert row["loss"] == [int(message["role"] == "assistant") for message in messages] and row["loss"][-1] == 1
        learnt = [text[one["start"] : one["end"]] for one in row["spans"]]
        assert learnt == [content + "<|end|>" for content in said(row, "assistant")]
        assert row["spans"] == spans(messages) and len(learnt) == row["steps"] + 1 >= 2


def test_thoughts_are_true() -> None:
    """A thought claims of an outcome what does not follow from it, in one of all the worlds that there are, or leaves one out."""
    seen: Counter[str] = Counter()
    for row in made(40, reasons=True, policy="optimal"):
        puzzle, world = task(row)
        puzzle = replace(puzzle, style=replace(puzzle.style, phrasing=0))
        moves, actions, names = Moves(puzzle, "json"), puzzle.board.actions, puzzle.board.truths
        every = []  # worlds by brute force: the truth that holds, and the outcomes
        for outcomes in product(*[range(action.size) for action in actions]):
            out = {t for action, s in zip(actions, outcomes, strict=True) for t in action.excludes[s]}
            if len(out) == len(names) - 1:
                every.append((next(t for t in range(len(names)) if t not in out), outcomes))
        done = [moves.read(message).action for message in said(row, "assistant")[:-1]]
        said_now = [
            m["content"].split("\n\n")[0] for m in dialogue(puzzle, world, done, "json", reasons=True) if m["role"] == "assistant"
        ]
        left = list(names)
        for number, thought in enumerate(said_now):
            here = [each for each in every if all(each[1][a] == world.outcomes[a] for a in done[:number])]
            if number:
                excluded = [names[t] for t in actions[done[number - 1]].excludes[world.outcomes[done[number - 1]]]]
                new = [name for name in excluded if name in left]
                told = thought.split(". ")[0]
                assert [name for name in names if name in told] == [name for name in names if name in excluded]
                assert ("nothing" in told) is not bool(new)
                left = [name for name in left if name not in excluded]
            if number == len(done):
                assert {truth for truth, _ in here} == set(world.valid)
                assert "right." in thought or f"Only {left[0]} is left." in thought
                continue
            assert listed(left) in thought
            action = actions[done[number]]
            plan, reasons = re.split(r"\.(?: |\Z)", thought.partition(f"{action.name} next: ")[2], maxsplit=1)
            told_of = set()
            for case in plan.split("; "):
                clauses = [s for s in range(action.size) if re.search(rf"\bif {re.escape(action.clause(s))}(,| or if )", case)]
                assert clauses, case
                for s in clauses:
                    told_of.add(s)
                    after = [t for t in left if names.index(t) not in action.excludes[s]]
                    ways = {truth for truth, outcomes in here if outcomes[done[number]] == s}
                    if "must be right" in case:
                        assert ways <= {t for t, name in enumerate(names) if f"{name} must be right" in case}
                        seen["must"] += 1
                    elif "nothing is ruled out" in case:
                        assert after == left
                    else:
                        assert f"{listed(after)} {'is' if len(after) == 1 else 'are'} left" in case
                        seen["left"] += 1
            for s in set(range(action.size)) - told_of:
                assert "break the promise" in reasons and not any(outcomes[done[number]] == s for _, outcomes in here)
                seen["promise"] += 1
            after = [sorted({t for t, o in here if o[done[number]] == s}) for s in range(action.size)]
            if "the answer is known then" in reasons:
                assert max(map(len, after)) == 1
                seen["known"] += 1
            chance = re.search(r"The chance that this settles the answer is (\d+) %", reasons)
            if chance:
                sure = [world for world in here if len(after[world[1][done[number]]]) == 1]
                assert abs(int(chance[1]) - 100 * len(sure) / len(here)) <= 0.5
                seen["chance"] += 1
    assert min(seen[what] for what in ("must", "left", "promise", "known", "chance")) >= 3, seen


def test_a_conversation_that_was_spoilt_is_refused() -> None:
    """What is wrong, or does what was not meant, is written."""
    row = next(row for row in made(20) if row["steps"] == 2)
    puzzle, world = task(row)
    moves, messages = Moves(puzzle, "json"), row["messages"]
    done = [moves.read(message).action for message in said(row, "assistant")[:-1]]
    check(messages, puzzle, world, done, "json")
    wrong = next(name for t, name in enumerate(puzzle.board.truths) if t not in world.valid)
    spoilt = [
        [*messages[:-1], {"role": "assistant", "content": f'{{"answer": [["{wrong}"]]}}'}],
        [*messages[:-1], {"role": "assistant", "content": "I give up."}],
        messages[:-2],
        [*messages[:2], *messages[4:]],
        [*messages[:2], *messages[:2], *messages[4:]],
        [{"role": m["role"], "content": m["content"].replace("action", "act")} for m in messages],
    ]
    for other in spoilt:
        with pytest.raises(EnginesDisagree):
            check(other, puzzle, world, done, "json")
    with pytest.raises(EnginesDisagree, match="certain"):
        dialogue(puzzle, world, done[:1], "json")  # nothing is certain yet


def test_a_hand_made_game_is_told_in_full() -> None:
    """A game of known words reads otherwise."""
    row = hat_row()
    puzzle, world = loads(puzzle_type(FAMILY), row["puzzle"]), loads(FAMILY.hidden, row["hidden"])
    messages = dialogue(puzzle, world, (0, 1), "json", reasons=True)
    assert [message["content"] for message in messages[1:]] == [
        "Nothing is ruled out yet: Ada, Bert, Cleo and Dan are possible. Ask the cook next: if it was found early, "
        "Ada and Dan are left; "
        "if it was found late, Bert, Cleo and Dan are left. The chance that this settles the answer is 33 %; no other "
        "question settles "
        'it more often.\n\n{"action": "Ask the cook"}',
        "Ask the cook: it was found early.\n\nYou have 5 messages left.",
        "By the book this rules out Bert and Cleo. Still possible: Ada and Dan. Ask the porter next: if it was worn "
        "low, Dan must be "
        "right, since no other question can rule it out; if it was worn high, Ada is left. Whatever comes out, the "
        "answer is known "
        'then.\n\n{"action": "Ask the porter"}',
        "Ask the porter: it was worn high.\n\nYou have 4 messages left.",
        'By the book this rules out Dan, and Bert, which I knew already. Only Ada is left.\n\n{"answer": "Ada"}',
    ]


BAD = [
    ({"domain": "no_such_domain"}, "no authored domain"),
    ({"domain": "authored"}, "one by one"),
    ({"domain": "quarry_minerals/first"}, "all connected"),
    ({"domain": "river_fish/second", "edition": "overfitting", "truths": 12, "actions": 16}, "has 14 actions, got 16"),
    ({"domain": []}, "sets.some.domain"),
    ({"truths": "4"}, "sets.some.truths: expected a number"),
    ({"truths": 99}, "truths"),
    ({"policy": "best"}, "sets.some.policy"),
    ({"nodes": 0}, "sets.some.nodes"),
    ({"book": "novel"}, "sets.some.book"),
    ({"reply_format": "xml"}, "sets.some.reply_format"),
    ({"opening": "assistant"}, "sets.some.opening"),
    ({"reasons": 1}, "sets.some.reasons"),
    ({"counts": {"train": 0}}, "counts.train"),
    ({"counts": {"dev": 1}}, "sets.some.counts"),
    ({"sise": 3}, "sets.some.sise: there is no such setting"),
]


@pytest.mark.parametrize(("change", "told"), BAD)
def test_a_bad_plan_is_refused(change: dict[str, Any], told: str) -> None:
    """A mistake in a plan comes out late, or is passed over."""
    with pytest.raises(BadParams, match=told) as refused:
        plan(**change)
    assert "\n" not in str(refused.value)


def test_parts_of_a_domain_are_those_of_its_graph() -> None:
    """Training and measuring share a truth or an action, or the two ways to split differ."""
    found = 0
    for name in ("bone_pit", "ringing_station", "dark_quarter", "weather_station", "quarry_minerals", "cargo_ship"):
        for edition in ("overfitting", "unit"):
            domain = domain_of(name, edition)
            try:
                parts = split(domain)
            except BadParams:
                with pytest.raises(BadParams, match="all connected"):
                    side(domain, "first")
                continue
            found += 1
            first, second = (side(domain, which) for which in SIDES)
            assert (first, second) == (
                replace(parts.first, name=f"{name}/first"),
                replace(parts.second, name=f"{name}/second"),
            )
            assert not set(first.truths) & set(second.truths)
            assert sorted(first.truths + second.truths) == sorted(domain.truths)
    assert found >= 4 and "ringing_station" in files.names()
    with pytest.raises(BadParams, match="first or second"):
        side(domain_of("ringing_station", "unit"), "third")
