"""Kumo: tasks, worlds, dialogues in rows, and what is proved of them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from operator import or_
from typing import Any

import pytest

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadInput, BadParams, BadRow, Discarded, EnginesDisagree
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import Game
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Clue, QuestionKind, Spec
from puzzlemill.factory import record
from puzzlemill.factory.build import GroupResult, build_group
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.make import group, make
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.verify_row import Checked, Task, _examine
from puzzlemill.generators._kumo import REGISTERS
from puzzlemill.generators.kumo import FAMILY, Params
from puzzlemill.kumo.domain.structure import domain_of
from puzzlemill.kumo.domain.task import Dealt, World
from puzzlemill.kumo.reading import parse_book
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import score
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.play import figures
from puzzlemill.solvers.play.evaluate import Policy, Unsure, expected, is_world, played
from puzzlemill.solvers.play.exact import solve
from puzzlemill.solvers.play.plain_compat import PlainCompat
from puzzlemill.solvers.play.plain_exact import PlainExact
from puzzlemill.transforms import transform_of
from strategies import checker_answers, model_answers

Row = dict[str, Any]
SMALL = Params(domain="river_fish", edition="tests")


def dealt(params: Params, index: int) -> Dealt:
    return FAMILY.sample_solution(Spec(params), stream("tests", "kumo", index), Engines(FAMILY))


def recipe_of(params: Row, *variants: str | Row, seed: str = "tests", count: int = 4) -> Recipe:
    named = [{"name": each, "transforms": [each]} if isinstance(each, str) else each for each in variants]
    part = {"family": "kumo", "params": params, "variants": named, "counts": {"test": count}, "reply_formats": ["json"]}
    return Recipe.from_plain({"name": "tests", "seed": seed, "strata": [part]})


@lru_cache(maxsize=1)
def usual() -> Recipe:
    chained = {"name": "counterfactual_told", "of": "counterfactual", "transforms": ["told"]}
    both = {"name": "both", "transforms": ["counterfactual", "told"]}
    variants = ("told", "counterfactual", "several_valid", "rename", "letters", "paraphrase", chained, both)
    return recipe_of({"domain": ["river_fish", "invented:3"]}, *variants)


@lru_cache(maxsize=4)
def built(index: int) -> GroupResult:
    """Groups of usual()."""
    result = build_group(usual(), usual().strata[0], "test", index)
    assert result.rows, result.tally
    return result


def row_of(variant: str, index: int = 0) -> Row:
    return next(row for row in built(index).rows if row["variant"] == variant)


def puzzle_of(row: Row) -> Any:
    return loads(puzzle_type(FAMILY), row["puzzle"])


def world_of(row: Row) -> World:
    world: World = loads(World, row["hidden"])
    return world


def by_masks(plain: PlainExact) -> Policy:
    """The play of the plain search, for games of up to eight truths and actions."""

    def best(left: int, unused: int) -> int | None:
        return plain.best(*[frozenset([i for i in range(8) if mask >> i & 1]) for mask in (left, unused)])

    return best


def problems_of(row: Row, recipe: Recipe, engine: str | None = None) -> list[str]:
    """What verifying says of a row whose id fits it."""
    row = {**row, "id": record.content_id(row)}
    found = record.check_row(row)
    _examine(row, recipe, Task("", "", 0, 0, 1, engine, "", True), found, Checked())
    return found


# ---- meaning ----------------------------------------------------------------------------------------------------------


def told_ways(task: Dealt) -> list[list[Clue | None]]:
    """Of each action: nothing told, or one of its outcomes, numeric ones by the first and the last of their values."""
    ways: list[list[Clue | None]] = []
    for a, action in enumerate(task.board.actions):
        values = [(s, 0) for s in range(action.size)]
        if action.numeric:
            last = action.size - 1
            ends = [(action.bounds[s], action.bounds[s + 1] - (s < last)) for s in range(action.size)]
            values = [(s, value) for s, pair in enumerate(ends) for value in pair]
        ways.append([None, *[Clue(f"a{a + 1}", "seen", (a, s, value)) for s, value in values]])
    return ways


@pytest.mark.parametrize("valid", [1, 2])
def test_model_and_checker_agree_on_every_choice_of_outcomes(valid: int) -> None:
    """An outcome, or an end of an interval, that model and checker read apart: all choices of outcomes of three actions."""
    compared = 0
    for index in range(3):
        params = replace(SMALL, truths=3, actions=3, valid=valid, told=True)
        task = dealt(params, index)
        puzzle = FAMILY.make_puzzle(Spec(params), task, stream("pose", index)).puzzle
        for told in product(*told_ways(task)):
            asked = puzzle.with_clues([clue for clue in told if clue is not None])
            left = [t for t in range(3) if not any(t in task.board.actions[c.args[0]].excludes[c.args[1]] for c in asked.clues)]
            found = checker_answers(FAMILY, asked, 4)
            assert found == model_answers(FAMILY, asked, 4)
            assert len(found) == {(1, n): n for n in range(4)}.get((valid, len(left)), int(len(left) == 2) + 3 * (len(left) == 3))
            compared += 1
    assert compared > 100


def test_worlds_keep_the_promise_and_values_their_intervals() -> None:
    """A task whose outcomes leave more than what holds, or a reading outside of its outcome's interval."""
    numeric = 0
    for index in range(40):
        params = replace(SMALL, valid=1 + index % 2, domain=("river_fish", "invented:5")[index // 20])
        task = dealt(params, index)
        left = set(range(4))
        for action, outcome, value in zip(task.board.actions, task.world.outcomes, task.world.values, strict=True):
            left -= set(action.excludes[outcome])
            if action.numeric:
                numeric += 1
                low, high = action.bounds[outcome], action.bounds[outcome + 1]
                assert low <= value < high or (value == high and outcome == action.size - 1)
            else:
                assert value == 0
        assert tuple(sorted(left)) == task.world.valid
        assert len(left) == params.valid
    assert numeric > 20


def test_every_truth_and_place_may_hold() -> None:
    """What holds can be told from where it stands, or from its name."""
    draws = 1_500
    places, names = Counter[int](), Counter[str]()
    for index in range(draws):
        task = dealt(replace(SMALL, edition="even"), index)
        (truth,) = task.world.valid
        places[truth] += 1
        names[task.board.truths[truth]] += 1
    mean = draws / 4
    assert sum((places[place] - mean) ** 2 / mean for place in range(4)) < 16.3  # 3 degrees of freedom, one in a thousand
    assert len(names) == len(domain_of("river_fish", "even").truths)


@pytest.mark.parametrize(
    "damage",
    [
        lambda world: replace(world, outcomes=world.outcomes[1:]),
        lambda world: replace(world, values=()),
        lambda world: replace(world, outcomes=(9, *world.outcomes[1:])),
        lambda world: replace(world, values=(world.values[0] + 10**6, *world.values[1:])),
        lambda world: replace(world, valid=((world.valid[0] + 1) % 4,)),
    ],
)
def test_what_is_hidden_must_keep_the_promise(damage: Any) -> None:
    """A dialogue in which something impossible comes to light."""
    row = row_of("canonical")
    with pytest.raises(BadRow, match="hidden: "):
        FAMILY.dialogue.revealed(puzzle_of(row), damage(world_of(row)))


# ---- rows -------------------------------------------------------------------------------------------------------------


def test_a_dialogue_in_a_row() -> None:
    """A column that a game's environment or report reads is not there, or tells something else."""
    for index in range(2):
        row = row_of("canonical", index)
        puzzle, world, play = puzzle_of(row), world_of(row), row["play"]
        assert (row["question"], row["turn_limit"], row["status"], puzzle.clues) == ("play", 12, "unique", ())
        assert loads(FAMILY.answer, row["answer"]) == world.valid
        assert row["guess_baseline"] == play["guess"] > 0.25
        assert row["proof"]["formulations"][:2] == ["model:sat", "checker:search"]
        game = FAMILY.dialogue.game(puzzle)
        plain = PlainExact(game)
        assert play["exact"] == float(round(plain.value(), 6))
        assert play["kumo_compat"] == float(round(PlainCompat(game).start()[0], 6))
        left, unused = plain.start()
        done = 0
        while (action := plain.best(left, unused)) is not None:
            left, unused, done = plain.after(left, action)[world.outcomes[action]], unused - {action}, done + 1
        assert play["exact_actions"] == done
        every = product(*[range(len(outcomes)) for outcomes in game.excludes])
        held = [
            w for w in every if is_world(game, w) and not any(game.excludes[a][s] >> world.valid[0] & 1 for a, s in enumerate(w))
        ]
        taken = sum([len(played(game, by_masks(plain), w)) for w in held])
        assert play["given"] == [float(round(Fraction(taken, len(held)), 6))]
        ways = [0] * 4  # worlds in which each truth holds
        for outcomes in product(*game.excludes):
            left = 15 & ~reduce(or_, outcomes)
            if left.bit_count() == 1:
                ways[left.bit_length() - 1] += 1
        assert play["guess"] == round(max(ways) / sum(ways), 6)
        assert row["difficulty"]["score"] == round(play["exact"], 3)
        assert row["difficulty"]["band"] == ("easy" if play["exact"] < 3 else "medium")


def test_other_rows_have_no_game() -> None:
    """The column is filled where there is nothing to play, or empty where there is."""
    assert row_of("told")["play"] is None
    assert row_of("told")["hidden"] is None
    assert make("coin", coins=5)["play"] is None
    several = row_of("several_valid")["play"]
    assert (several["kumo_compat"], several["compat_actions"], len(several["given"])) == (None, None, 2)
    problems = record.check_row({**row_of("told"), "play": row_of("canonical")["play"]})
    assert problems == ["play: does not go with a question of kind whole"]


def test_only_the_stored_answer_scores() -> None:
    """A dialogue's clues are not in its puzzle: the checker alone would take any answer."""
    row = row_of("canonical")
    puzzle, gold = puzzle_of(row), loads(FAMILY.answer, row["answer"])
    for reply_format in FORMATS:
        for truth in range(4):
            verdict = score(gold_reply(puzzle, (truth,), reply_format), {**row, "reply_format": reply_format})
            assert (verdict.solved, verdict.score, verdict.subtask) == ((truth,) == gold, *[float((truth,) == gold)] * 2)
    assert not score('{"solvable": false}', row).solved


def test_several_answers_come_in_any_order() -> None:
    """A right reply in another order, or one name twice, is judged wrongly."""
    row = row_of("several_valid")
    names = [name for (name,) in FAMILY.form.write(puzzle_of(row), loads(FAMILY.answer, row["answer"]))]
    assert score(json.dumps({"answer": [[names[1]], [names[0]]]}), row).solved
    assert not score(json.dumps({"answer": [[names[1]], [names[1]]]}), row).solved


def test_tasks_of_too_few_actions_are_thrown_away() -> None:
    """A task in which there is nothing to do, or less than was asked for."""
    tally = Counter[str]()
    for index in range(6):
        result = group(recipe_of({"least": 200, "domain": "invented"}, count=6), index, "test")
        assert result.rows[0]["play"]["exact"] >= 2
        tally.update(dict(result.tally))
    assert tally["too_short"]
    assert {**row_of("canonical")["difficulty"], "band": ""} == {
        "band": "",
        "tier": None,
        "score": row_of("canonical")["difficulty"]["score"],
    }


def test_a_dialogue_can_be_asked_for_by_its_band() -> None:
    """A band that no row ever has gives every group up."""
    plain = recipe_of({"truths": 8, "actions": 10}).to_plain()
    plain["strata"][0]["band"] = "medium"
    assert group(Recipe.from_plain(plain), 0, "test").rows[0]["difficulty"]["band"] == "medium"


# ---- variants ---------------------------------------------------------------------------------------------------------


def test_the_told_child_needs_all_that_it_tells() -> None:
    """The same task at once: another answer, or an outcome that changes nothing."""
    parent, child = row_of("canonical"), row_of("told")
    world = world_of(parent)
    puzzle = puzzle_of(child)
    assert (puzzle.board, child["answer"]) == (puzzle_of(parent).board, parent["answer"])
    assert all(clue.ints()[1:] == (world.outcomes[a], world.values[a]) for clue in puzzle.clues for a in clue.ints()[:1])
    for clue in puzzle.clues:
        assert len(checker_answers(FAMILY, puzzle.with_clues([c for c in puzzle.clues if c != clue]), 9)) > 1


def test_a_counterfactual_book_contradicts_its_parents() -> None:
    """A child that follows from the parent's book after all."""
    parent, child = puzzle_of(row_of("canonical")), puzzle_of(row_of("counterfactual"))
    assert [action.name for action in child.board.actions] == [action.name for action in parent.board.actions]
    assert child.board.masks() != parent.board.masks()
    for before, after in zip(parent.board.masks(), child.board.masks(), strict=True):
        assert sorted(before) == sorted(after)
    assert row_of("counterfactual")["canonical_key"] == row_of("canonical")["canonical_key"]  # outcomes have other names


def test_other_names_stand_wherever_the_old_ones_did() -> None:
    """A truth's own name in a prompt that calls it something else."""
    for variant in ("rename", "letters"):
        row = row_of(variant)
        assert not any(name in row["prompt"] for name in puzzle_of(row).board.truths)
        assert score(row["gold_reply"], row).solved
        assert row["canonical_key"] == row_of("canonical")["canonical_key"]


def test_the_prompt_holds_the_book() -> None:
    """A prompt whose book says something else than its board: the other readers of a book must find the same rules."""
    for variant in ("canonical", "paraphrase", "counterfactual", "told"):
        for index in range(2):
            row = row_of(variant, index)
            book = row["prompt"].split("=== The book begins ===\n\n")[1].split("\n\n=== The book ends ===")[0]
            board = puzzle_of(row).board
            assert parse_book(book + "\n", board) == tuple([action.excludes for action in board.actions])


def test_a_long_book_is_long() -> None:
    """`long` says nothing, or a long book is another puzzle."""
    (parent, child) = group(recipe_of({"truths": 4, "actions": 5, "domain": "tea_chest"}, "long_book"), 0, "test").rows
    assert len(child["prompt"].split()) > 10_000 > len(parent["prompt"].split())
    assert child["canonical_key"] == parent["canonical_key"]
    assert "-long" in puzzle_of(make("kumo", long=True, domain="tea_chest")).style.theme
    assert puzzle_of(child).style.theme.removesuffix("-long") in REGISTERS


def test_a_long_book_is_not_made_long_again() -> None:
    """A child that is its parent."""
    puzzle = puzzle_of(row_of("canonical"))
    long = replace(puzzle, style=transform_of(FAMILY, "long_book", {}).restyle(FAMILY, puzzle, stream("long")))
    with pytest.raises(Discarded, match="no_other_book"):
        transform_of(FAMILY, "long_book", {}).restyle(FAMILY, long, stream("long"))


def test_dialogues_have_no_unsolvable_variants() -> None:
    """The prompt of a dialogue that says that there may be no answer, against its own promise."""
    with pytest.raises(BadParams, match="does not fit"):
        recipe_of({}, "clash")
    (stratum,) = recipe_of({}, "told", {"name": "bad", "of": "told", "transforms": ["clash"]}).strata
    assert [stratum.doubts(name) for name in ("canonical", "told", "bad")] == [False, True, True]
    child = make("kumo", told=True, truths=6, actions=8, transforms=["clash"])
    assert child["status"] == "unsolvable"
    assert all(label == "count" or label.startswith("a") for label in child["proof"]["unsat_core"])


# ---- editions ---------------------------------------------------------------------------------------------------------


def test_a_release_has_books_of_its_own() -> None:
    """Two releases of one domain with the same rules; two tasks of one release with different ones; or the secret in a row."""
    word = "a secret word"
    one, other = (recipe_of({"domain": "river_fish"}, seed=each) for each in (word, "another"))
    rows = [group(recipe, index, "test").rows[0] for recipe in (one, other) for index in range(3)]
    editions = [puzzle_of(row).spec.params.edition for row in rows]
    assert editions == [one.release_seed()] * 3 + [other.release_seed()] * 3
    assert one.release_seed() != other.release_seed()
    assert all(word not in dumps(row_text) for row in rows for row_text in (row["puzzle"], row["prompt"], row["hidden"]))
    for row, recipe in zip(rows, [one] * 3 + [other] * 3, strict=True):
        whole = domain_of("river_fish", recipe.release_seed())
        board = puzzle_of(row).board
        rules = {action.name: action.excludes for action in whole.actions}
        for action in board.actions:
            told = [{board.truths[t] for t in out} for out in action.excludes]
            assert told == [{whole.truths[t] for t in out} & set(board.truths) for out in rules[action.name]]
    masks = [domain_of("river_fish", recipe.release_seed()).masks() for recipe in (one, other)]
    assert masks[0] != masks[1]


def test_releases_of_invented_domains_share_no_name() -> None:
    """What one release has taught is of use in the next one: its domains come from its number only, and not from its word."""
    seen: dict[str, str] = {}
    for word in ("one secret", "another", "a third"):
        recipe = recipe_of({"domain": ["invented:0", "invented:1"]}, seed=word)
        for index in range(4):
            board = puzzle_of(group(recipe, index, "test").rows[0]).board
            for name in (board.title, *board.truths, *[action.name for action in board.actions]):
                assert seen.setdefault(name, word) == word
    assert len(seen) > 70


def test_an_edition_that_is_given_stays() -> None:
    """A recipe cannot use the books of another release."""
    row = make("kumo", edition="shared", domain="river_fish")
    assert puzzle_of(row).spec.params.edition == "shared"


def test_two_tasks_are_one_if_only_names_differ() -> None:
    """The same task from another domain, or in another order, comes twice."""
    puzzle = puzzle_of(row_of("canonical"))
    board, rng = puzzle.board, stream("renamed")
    truths, actions = rng.shuffled(range(4)), rng.shuffled(range(6))
    other = board.part(truths, actions)
    turned = [replace(action, excludes=action.excludes[::-1]) for action in other.actions]
    renamed = replace(other, truths=("A", "B", "C", "D"), name="x", actions=tuple(turned))
    assert canonical_key(FAMILY, replace(puzzle, board=renamed)) == canonical_key(FAMILY, puzzle)
    fewer = replace(board.actions[0], excludes=((), *board.actions[0].excludes[1:]))
    if fewer != board.actions[0]:
        changed = replace(board, actions=(fewer, *board.actions[1:]))
        assert canonical_key(FAMILY, replace(puzzle, board=changed)) != canonical_key(FAMILY, puzzle)


# ---- verification -----------------------------------------------------------------------------------------------------


def test_every_row_is_verified() -> None:
    """Rows that the factory makes are not what verifying expects of them."""
    for row in built(0).rows + built(1).rows:
        assert problems_of(row, usual()) == [], row["variant"]


@pytest.mark.parametrize("engine", ["sat", "smt", "checker"])
def test_every_engine_verifies(engine: str) -> None:
    """An engine that cannot prove what comes to light in a dialogue."""
    for row in built(0).rows:
        assert problems_of(row, usual(), engine) == [], row["variant"]


def altered(row: Row, **changes: Any) -> list[str]:
    return problems_of({**row, **changes}, usual())


def test_an_altered_dialogue_is_found_out() -> None:
    """A figure, a hidden outcome or an answer that somebody has changed."""
    row = row_of("canonical")
    play, world, puzzle = row["play"], world_of(row), puzzle_of(row)
    for name, value in (
        ("exact", play["exact"] + 0.1),
        ("given", [9.0]),
        ("guess", 0.9999),
        ("kumo_compat", 0.5),
        ("exact_actions", play["exact_actions"] + 1),
        ("compat_actions", 6),
    ):
        assert any(problem.startswith("play: is") for problem in altered(row, play={**play, name: value})), name
    wrong = ((world.valid[0] + 1) % 4,)
    assert altered(row, answer=dumps(wrong), gold_reply=gold_reply(puzzle, wrong, "json"))
    ruled_out = [
        (a, s) for a, each in enumerate(puzzle.board.actions) for s in range(each.size) if world.valid[0] in each.excludes[s]
    ]
    for a, s in ruled_out:
        outcomes = (*world.outcomes[:a], s, *world.outcomes[a + 1 :])
        assert problems_or_error(row, dumps(replace(world, outcomes=outcomes)))
    assert ruled_out
    assert problems_or_error(row, None)
    longer = dumps(replace(puzzle, question=replace(puzzle.question, turn_limit=13)))
    with pytest.raises(BadRow, match="expected a limit of 12 turns"):
        altered(row, puzzle=longer, turn_limit=13)


def problems_or_error(row: Row, hidden: str | None) -> list[str]:
    try:
        return altered(row, hidden=hidden)
    except BadRow as error:  # told as a problem of the row
        return [str(error)]


# ---- parameters -------------------------------------------------------------------------------------------------------


def test_what_is_told_may_be_larger_than_what_is_played() -> None:
    """A recipe of a size that no search takes, which fails at its first task only."""
    told = Spec(Params(16, 20, told=True))
    assert FAMILY.larger(told) == Spec(Params(20, 30, told=True))
    assert FAMILY.larger(Spec(Params(16, 20))) is None
    FAMILY.validate(Spec(Params(16, 31)))


def test_a_game_with_too_many_worlds_to_count_is_thrown_away() -> None:
    """One task in fifty of 31 actions ends the build that it is drawn in."""
    game = Game(3, ((1, 2, 4, 0),) * 31)
    with pytest.raises(Discarded, match="budget"):
        figures.play(game, (0,) * 31, 1_000, 0, "")


def test_more_actions_than_a_domain_has() -> None:
    """A task that no domain can give is tried for ever."""
    small = min(len(domain_of(name, "x").actions) for name in ("river_fish", "quarry_minerals"))
    if small < 32:
        with pytest.raises(BadParams, match=r"kumo\.actions: \w+ has \d+ actions"):
            dealt(replace(SMALL, actions=32), 0)


def test_a_spec_says_which_question_it_asks() -> None:
    """Transforms and recipes take a told puzzle for a dialogue, or the other way round."""
    assert FAMILY.question(Spec(Params())).kind is QuestionKind.PLAY
    assert FAMILY.question(Spec(Params(told=True))).kind is QuestionKind.WHOLE


# ---- the evaluator ----------------------------------------------------------------------------------------------------


def test_the_evaluator_counts_as_the_plain_search_does() -> None:
    """A policy's cost that is counted in other worlds, or with other weights, than the search's."""
    for index in range(12):
        params = replace(
            SMALL, truths=4 + index % 2, actions=6, valid=1 + index % 3 // 2, domain=("river_fish", "invented:4")[index % 2]
        )
        game = FAMILY.dialogue.game(FAMILY.make_puzzle(Spec(params), dealt(params, index), stream("pose")).puzzle)
        plain = PlainExact(game)

        best = by_masks(plain)
        assert expected(game, best) == plain.value()
        worst = max(range(6), key=lambda action: plain.with_action(*plain.start(), action))

        def poor(left: int, unused: int, worst: int = worst, best: Any = best) -> int | None:
            return worst if unused == 63 else best(left, unused)

        first = expected(game, poor)
        assert first == Fraction(plain.with_action(*plain.start(), worst), plain.weight(*plain.start())) >= plain.value()


def realised(truths: int, actions: int, count: int, **params: Any) -> float:
    """By how many standard errors the best play's actions in the generator's own worlds are above what it predicts."""
    more = []
    for index in range(count):
        spec = Spec(Params(truths, actions, domain=("authored", "invented")[index % 2], edition="realised", **params))
        task = FAMILY.sample_solution(spec, stream("tests", "realised", truths, index), Engines(FAMILY))
        game = FAMILY.dialogue.game(FAMILY.make_puzzle(spec, task, stream("pose")).puzzle)
        solved = solve(game, 60_000)  # tasks that take more are left out, which looks at truths and actions only
        if solved.value.decided:
            more.append(len(played(game, solved.best, task.world.outcomes)) - float(solved.value.low))
    mean = sum(more) / len(more)
    assert len(more) > 0.8 * count
    return mean / (sum([(x - mean) ** 2 for x in more]) / (len(more) - 1) / len(more)) ** 0.5


@pytest.mark.parametrize(
    ("truths", "actions", "count", "params"),
    [
        pytest.param(4, 6, 200, {}, marks=pytest.mark.slow),
        (8, 10, 60, {}),
        (6, 8, 60, {"valid": 2}),
        (4, 6, 120, {"chances": True}),
        pytest.param(12, 16, 12, {}, marks=pytest.mark.slow),
    ],
)
def test_the_predicted_cost_is_what_playing_the_generators_tasks_takes(
    truths: int, actions: int, count: int, params: dict[str, Any]
) -> None:
    """The search's prior is not the generator's: worlds that it takes for likely are dealt seldom."""
    assert abs(realised(truths, actions, count, **params)) < 4


def test_a_task_of_just_the_least_cost_is_kept() -> None:
    """Tasks that take one action in every world are left out, or kept where more is asked for."""
    game = Game(2, ((1, 2),), 1)
    assert figures.play(game, (0,), 1000, 100, "").exact == 1
    with pytest.raises(Discarded, match="too_short"):
        figures.play(game, (0,), 1000, 101, "")


def test_the_evaluator_refuses_a_policy_that_is_not_sure() -> None:
    """A search that stops too early would be credited with a cost below the best."""
    game = FAMILY.dialogue.game(puzzle_of(row_of("canonical")))
    with pytest.raises(Unsure, match="stops with the truths 0xf left"):
        expected(game, lambda left, unused: None)
    with pytest.raises(BadInput, match="chose action 0, which is not among"):
        expected(game, lambda left, unused: 0)


def test_a_wrong_figure_of_the_search_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evaluator is asked, but what it says is not compared."""
    row = row_of("canonical")
    puzzle, world = puzzle_of(row), world_of(row)
    figures.play(FAMILY.dialogue.game(puzzle), world.outcomes, 10_000, 0, "")
    monkeypatch.setattr(figures, "_evaluated", lambda game, nodes: Fraction(1, 7))
    with pytest.raises(EnginesDisagree, match="game:evaluator says it costs 1/7"):
        figures.play(FAMILY.dialogue.game(puzzle), world.outcomes, 10_000, 0, "{}")
