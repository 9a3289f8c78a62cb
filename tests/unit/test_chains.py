"""Chains of reasoning: how they are cut, what is recognised, both verdicts, planted errors, hostile text."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from puzzlemill.chains.claims import NOTHING, Claim, atoms, negated, other, same, several
from puzzlemill.chains.cut import CELLS, MOST, cut
from puzzlemill.chains.follow import FOLLOWS, OPEN, UNDECIDED, Follow
from puzzlemill.chains.judge import NC, RR, RW, SUPPOSED, UNKNOWN, WR, WW, Judge
from puzzlemill.chains.planted import planted
from puzzlemill.chains.recognise import Recogniser
from puzzlemill.chains.rows import scene_of_row
from puzzlemill.chains.scene import Scene
from puzzlemill.chains.summary import Figures, kappa
from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import stream
from puzzlemill.factory.make import make
from puzzlemill.factory.reasoning import Options, reasoning
from puzzlemill.rules.grids import Size, stated

# Figure 8 of 2407.14790: names, diets and pounds lost.
DIETERS = Scene(
    Size(3, 4, ((2, (0, 2, 4, 6)),)),
    ("name", "diet", "pounds"),
    (
        ("Raymond", "Stuart", "Tom", "Wesley"),
        ("caveman", "dairy-free", "gluten-free", "vegan"),
        ("3 lbs", "5 lbs", "7 lbs", "9 lbs"),
    ),
    (),
    ("dieter", "person", "diet"),
    {
        1: stated("exactly", [(1, 3), (0, 1)], 0, 4),
        2: stated("exactly", [(0, 0), (1, 2)], 0, 2),
        3: same((0, 1), (2, 2)),
        4: stated("either_or", [(2, 2), (1, 0), (0, 0)]),
        5: same((0, 3), (2, 1)),
    },
    ((0, 1, 2, 3), (1, 2, 3, 0), (0, 3, 1, 2)),
    below=(("less than",),),
    above=(("more than",),),
    compares=(("lost",),),
    units=(("pounds", "lbs"),),
)
STUART, WESLEY, TOM, RAYMOND = (0, 1), (0, 3), (0, 2), (0, 0)
CAVEMAN, DAIRY, GLUTEN, VEGAN = (1, 0), (1, 1), (1, 2), (1, 3)
THREE, FIVE, SEVEN, NINE = [(2, v) for v in range(4)]


@pytest.fixture(scope="module")
def made() -> list[dict[str, Any]]:
    """A few rows of both families, with variants."""
    rows = [make("zebra", seed="chains", index=i, positions=4, attributes=3) for i in range(3)]
    return rows + [make("logic_grid", seed="chains", index=i) for i in range(3)]


# ---- cutting -------------------------------------------------------------------------------------------------------------


def test_steps_bullets_bold_and_tables_are_cut() -> None:
    found = cut(
        "**Step 1:** First this. Then that, e.g. Mr. Hale.\n- *Bullet* one\n\n| a | b |\n|---|---|\n| 1 | tea |\n"
    ).sentences
    assert [one.text for one in found[:3]] == ["First this.", "Then that, e.g. Mr. Hale.", "Bullet one"]
    assert [one.cells for one in found if one.kind == CELLS] == [("a", "b"), ("1", "tea")]
    assert found[0].step == found[1].step


@pytest.mark.parametrize("text", ['{"answer": [[1, "tea"], [2, "milk"]]}', r"\boxed{1 | tea; 2 | milk}", "1 | tea\n2 | milk"])
def test_an_answer_is_cut_into_rows(text: str) -> None:
    assert [one.cells for one in cut(text).sentences] == [("1", "tea"), ("2", "milk")]


# ---- recognising ---------------------------------------------------------------------------------------------------------

SAID: list[tuple[str, list[Claim], list[Claim]]] = [
    ("From clue 3, we know Stuart lost 7 lbs.", [], [same(STUART, SEVEN)]),
    ("Since Stuart lost 7 lbs, the vegan dieter lost 3 lbs (7 - 4 = 3).", [same(STUART, SEVEN)], [same(VEGAN, THREE)]),
    ("The person on the gluten-free diet lost 2 more pounds than Raymond.", [], [DIETERS.clues[2]]),
    ("Therefore, Wesley cannot have used the caveman diet or lost 7 lbs.", [], [other(WESLEY, CAVEMAN), other(WESLEY, SEVEN)]),
    ("The only remaining diet for Tom is gluten-free.", [], [same(TOM, GLUTEN)]),
    ("**Stuart → 7 lbs → caveman**", [], [same(STUART, SEVEN), same(STUART, CAVEMAN)]),
    ("- Raymond: 3 pounds, vegan", [], [same(RAYMOND, THREE), same(RAYMOND, VEGAN)]),
    ("Tom ≠ vegan", [], [other(TOM, VEGAN)]),
    ("Neither Tom nor Wesley lost 7.", [], [other(TOM, SEVEN), other(WESLEY, SEVEN)]),
    ("Tom could be 3 lbs or 9 lbs.", [], [several("any", [same(TOM, THREE), same(TOM, NINE)])]),
    ("Tom lost 9 lbs, because Wesley lost 5 lbs and Stuart 7 lbs.", [same(WESLEY, FIVE), same(STUART, SEVEN)], [same(TOM, NINE)]),
    ("If Tom lost 3 lbs, then vegan would be Tom, which contradicts clue 1.", [], [other(TOM, THREE)]),
    ("3 lbs and 9 lbs are ruled out for Tom, so Tom lost 5 lbs.", [other(TOM, THREE), other(TOM, NINE)], [same(TOM, FIVE)]),
    ("No diet is left for Tom.", [], [NOTHING]),
    ("Wesley (5 lbs) must be on the gluten-free diet.", [same(WESLEY, FIVE)], [same(WESLEY, GLUTEN)]),
    ("Let's work through the clues.", [], []),
    ("There is no way that Tom is vegan.", [], [other(TOM, VEGAN)]),
    ("Tom and the vegan dieter cannot be a match.", [], [other(TOM, VEGAN)]),
    ("Tom and dairy-free must coincide, so Tom has nothing to do with 5 lbs.", [same(TOM, DAIRY)], [other(TOM, FIVE)]),
    ("With Tom being dairy-free, it is clear that Stuart isn't dairy-free.", [same(TOM, DAIRY)], [other(STUART, DAIRY)]),
    ("Stuart lost 7 lbs, for Raymond is vegan.", [same(RAYMOND, VEGAN)], [same(STUART, SEVEN)]),
    ("Since Tom is vegan, Stuart must therefore be caveman.", [same(TOM, VEGAN)], [same(STUART, CAVEMAN)]),
    ("Tom is thus dairy-free.", [], [same(TOM, DAIRY)]),
    ("3 lbs and 9 lbs are ruled out for Tom, which leaves only 5 lbs.", [other(TOM, THREE), other(TOM, NINE)], [same(TOM, FIVE)]),
    ("It's Tom that is dairy-free.", [], [same(TOM, DAIRY)]),
    ("Tom 9, Stuart 7, Wesley 5.", [], [same(TOM, NINE), same(STUART, SEVEN), same(WESLEY, FIVE)]),
    ("Tom has no vegan diet.", [], [other(TOM, VEGAN)]),
    ("7 + 2 = 9, so Tom lost 9 lbs.", [], [same(TOM, NINE)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "premises", "conclusions"), SAID, ids=[text for text, _, _ in SAID])
def test_sentences_are_recognised(text: str, premises: list[Claim], conclusions: list[Claim]) -> None:
    (said,) = Recogniser(DIETERS).sentences(cut(text).sentences)
    assert said.understood
    assert atoms(said.premises) == atoms(premises)
    assert atoms(said.conclusions) == atoms(conclusions)


# ---- verdicts ------------------------------------------------------------------------------------------------------------

CHAIN = (
    """1. From clue 3, we know Stuart lost 7 lbs.
2. From clue 1, since Stuart lost 7 lbs, the person on the vegan diet lost 3 lbs.
3. Wesley lost 5 lbs (clue 5), so he is on the dairy-free diet.
4. Since Wesley is on the dairy-free diet, Tom is not on the dairy-free diet.
5. Since Tom is not on the dairy-free diet, Raymond lost 3 lbs.
6. Suppose Raymond lost 9 lbs. That is impossible, so Raymond did not lose 9 lbs.
7. Let's assume Tom lost 5 lbs.
8. """
    + "Stuart and Tom or vegan " * 60
)


def test_a_chain_is_judged_sentence_by_sentence() -> None:
    judged = Judge(DIETERS).judge(CHAIN)
    found = [(label.category, label.sub) for label in judged.labels]
    assert found[:5] == [(NC, ""), (RR, ""), (RW, "a"), (WW, "4b"), (WR, "4")]
    assert found[5:8] == [(SUPPOSED, ""), (RR, ""), (NC, "3")]
    assert found[8][0] == UNKNOWN
    assert judged.labels[1].strict == FOLLOWS
    assert judged.labels[4].strict in (FOLLOWS, OPEN)
    assert judged.halves()[0][0] >= 1


def test_a_right_guess_does_not_follow() -> None:
    (label,) = Judge(DIETERS).judge("So Tom is dairy-free.").labels
    assert (label.category, label.strict) == (RR, OPEN)


def test_own_traces_are_understood_and_right(made: list[dict[str, Any]]) -> None:
    found: Counter[str] = Counter()
    strict: Counter[str] = Counter()
    for row in made:
        if row["answer"] is not None:
            judged = Judge(scene_of_row(row)).judge(
                f"{reasoning(row, Options(wrong_suppositions=50)).text}\n\n{row['gold_reply']}"
            )
            found.update([label.category for label in judged.labels])
            strict.update([label.strict for label in judged.labels if label.strict])
    every = sum(found.values())
    assert every > 100
    assert found[RR] + found[NC] + found[SUPPOSED] >= 0.99 * every
    assert found[UNKNOWN] <= 0.01 * every
    assert strict[FOLLOWS] >= 0.9 * sum(strict.values())


# ---- what follows --------------------------------------------------------------------------------------------------------


def test_what_follows_is_what_has_no_counterexample() -> None:
    follow = Follow(DIETERS.size)
    known = [DIETERS.clues[1], DIETERS.clues[3]]
    assert follow.check(known, same(VEGAN, THREE)) == FOLLOWS
    assert follow.check(known, same(WESLEY, FIVE)) == OPEN
    assert follow.check(known, negated(same(VEGAN, THREE))) == OPEN
    assert follow.check([*DIETERS.clues.values()], same(TOM, DAIRY)) == FOLLOWS
    assert follow.check([DIETERS.clues[2]], same(TOM, DAIRY), budget=0) == UNDECIDED


def test_a_claim_on_the_other_scale_depends_on_where_that_scale_is() -> None:
    """What was remembered of "between" on a scale that is not laid out held wherever its numbers were put."""
    follow = Follow(Size(3, 4, ((1, (0, 1, 2, 3)), (2, (0, 2, 4, 6)))))
    follow.base = 1
    said = stated("between", [(0, 0), (0, 1), (0, 2)], 1)
    placed = {(0, v): v for v in range(4)}
    straight = {(2, v): v for v in range(4)}
    turned = {(2, v): p for v, p in enumerate((1, 0, 2, 3))}
    assert not follow.agrees(said, {**placed, **straight})
    assert follow.agrees(said, {**placed, **turned})


def test_an_unknown_word_is_no_match() -> None:
    (said,) = Recogniser(DIETERS).sentences(cut("Tom and the vegan dieter are estranged.").sentences)
    assert not said.conclusions


def test_a_name_may_begin_with_a_word_of_a_phrase() -> None:
    """ "the One-Eyed Tom" was "the one" and a Tom with an odd name, and sentences about him were not understood."""
    tom = replace(DIETERS, names=(("Raymond", "Stuart", "One-Eyed Tom", "Wesley"), *DIETERS.names[1:]))
    (said,) = Recogniser(tom).sentences(cut("So the One-Eyed Tom lost 9 lbs.").sentences)
    assert said.conclusions == [same(TOM, NINE)]


def test_puzzles_of_both_families_follow_from_their_clues(made: list[dict[str, Any]]) -> None:
    for row in made:
        if row["answer"] is not None:
            scene = scene_of_row(row)
            assert all(scene.right(clue) for clue in scene.clues.values())
            x = (1, 0)
            verdict = Follow(scene.size).check([*scene.clues.values()], same(x, (0, scene.gold[1][0])), 50_000)
            assert verdict in (FOLLOWS, UNDECIDED)


# ---- planted errors ------------------------------------------------------------------------------------------------------


def test_planted_errors_are_found(made: list[dict[str, Any]]) -> None:
    right = every = 0
    for row in made:
        if row["answer"] is not None and row["trace"]:
            scene = scene_of_row(row)
            chain = planted(row, scene, stream("planted", row["id"]))
            assert chain == planted(row, scene, stream("planted", row["id"]))
            judged = Judge(scene, strict=False).judge("\n\n".join([f"{k}. {one.text}" for k, one in enumerate(chain, 1)]))
            last = {label.step: label for label in judged.labels}
            right += sum(one.category == label.category for one, label in zip(chain, last.values(), strict=True))
            every += len(chain)
    assert every > 50
    assert right >= 0.8 * every


# ---- hostile text --------------------------------------------------------------------------------------------------------

HOSTILE = {
    "one sentence": "By clue 3, Stuart lost 7 lbs. " * 300_000,
    "code": "def f(x):\n    x = [1, 2]\n" * 300_000,
    "brackets": "[[(" * 3_000_000,
    "a word": "a" * 10_000_000,
    "names": "Stuart and Tom or " * 500_000,
    "private signs": "\ue000V\ue010 " * 1_000_000,
    "statements and their opposites": "\n".join(
        [f"So {name} is {'' if k else 'not '}{diet}." for name in DIETERS.names[0] for diet in DIETERS.names[1] for k in (0, 1)]
    ),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_chains_end_and_earn_nothing(text: str) -> None:
    judged = Judge(DIETERS).judge(text)
    assert judged.average <= Judge(DIETERS).judge("I do not know.").average == 0
    assert sum(len(label.text) for label in judged.labels) <= 2 * MOST


# ---- figures -------------------------------------------------------------------------------------------------------------


def test_figures_hold_the_matrix_and_the_sizes() -> None:
    figures = Figures()
    figures.add(Judge(DIETERS).judge(CHAIN), "3x4")
    told = figures.to_json()
    assert told["sub_categories"]["b"]["4"] == 1
    assert told["sizes"]["3x4"]["chains"] == 1
    assert json.dumps(told)
    assert "3x4" in figures.to_text()


def test_kappa_is_one_for_the_same_and_none_for_one_label() -> None:
    assert kappa(["RR", "NC"], ["RR", "NC"]) == 1
    assert kappa(["RR", "RR"], ["RR", "RR"]) is None
    assert kappa([], []) is None


def test_a_family_without_scenes_is_refused() -> None:
    with pytest.raises(BadParams, match="chains of binario are not read"):
        scene_of_row(make("binario", seed="chains", rows=4, cols=6))
