"""Judgements: hostile verdicts, corrections, and errors that are planted in rows made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from puzzlemill.analysis.judging import Trial, rates, trials
from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Ask
from puzzlemill.envs.flaws import _exchanged, wrong_rows
from puzzlemill.envs.judging import planted, wordings
from puzzlemill.factory.make import make
from puzzlemill.generators import families, family_named
from puzzlemill.questions.asks import askable
from puzzlemill.scoring.judging import ANSWERS, JUDGEMENT, NO, REASONING, YES, Said, Sheet, said
from puzzlemill.scoring.metrics import wilson
from puzzlemill.scoring.score import prepared, score
from rows import coin_row


def judged(sheet: Sheet, **columns: Any) -> dict[str, Any]:
    """A judgement of coins ? T ?, of which the one answer is H T H."""
    return coin_row(JUDGEMENT, hidden=sheet.to_json(), guess_baseline=0.5, **columns)


# ---- verdicts --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (r"\boxed{1}", "1"),
        (r"I first thought \boxed{2}, but it is \boxed{1}.", "1"),
        (r"\boxed{\text{Answer 2}}", "2"),
        (r"\boxed{ **1.** }", "1"),
        (r"\boxed{1} and \boxed{both}", "1"),
        (r"\boxed{1 or 2}", ""),
        (r"\boxed{1, 2}", ""),
        (r"\boxed{1/2}", ""),
        (r"\boxed{12}", ""),
        (r"\boxed{3}", ""),
        ("\\boxed{\uff11}", ""),
        (r"\boxed{one}", ""),
        (r"\boxed{YES}", ""),
        ("1", ""),
        ("Answer 1 is right.", ""),
        (r"\boxed{1", ""),
        ("", ""),
    ],
)
def test_which_answer_a_reply_chooses(reply: str, verdict: str) -> None:
    """Both numbers in one box earn something, or a choice that stands in a box is missed."""
    assert said(reply, ANSWERS).verdict == verdict


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (r"\boxed{YES}", Said(YES)),
        (r"\boxed{yes.}", Said(YES)),
        (r"\boxed{NO, The correct answer is D}", Said(NO, "D")),
        (r"\boxed{\text{NO, the correct answer is: } 12}", Said(NO, "12")),
        (r"\boxed{NO; 12}", Said(NO, "12")),
        (r"\boxed{NO, the right answer is 12}", Said(NO, "12")),
        (r"\boxed{NO. Answer: 12}", Said(NO, "12")),
        ("\\boxed{NO,\u00a0The correct answer is\u00a012}", Said(NO, "12")),
        (r"\boxed{NO}", Said(NO)),
        (r"\boxed{YES, The correct answer is D}", Said(YES, "D")),
        (r"\boxed{YES, NO}", Said(YES, "NO")),
        (r"\boxed{YES} ... on second thoughts \boxed{NO, The correct answer is 5}", Said(NO, "5")),
        (r"\boxed{YES/NO, The correct answer is ...}", Said()),
        (r"\boxed{YES or NO}", Said()),
        (r"\boxed{NO YES}", Said()),
        (r"\boxed{NOT SURE}", Said()),
        (r"\boxed{YESNO}", Said()),
        (r"\boxed{5}", Said()),
        ("YES", Said()),
    ],
)
def test_what_a_reply_says_of_a_reasoning(reply: str, found: Said) -> None:
    """A reply that says both is taken for one of them."""
    assert said(reply, REASONING) == found


@pytest.mark.parametrize(
    "reply", [None, 5, b"\\boxed{YES}", "\\boxed{" * 100_000, "\\boxed{NO," + "{" * 500_000, "\\boxed{YES}" * 20_000]
)
def test_replies_of_any_kind_are_read_in_time(reply: object) -> None:
    """A reply that is no text raises, or one of half a million braces takes long."""
    assert said(reply, REASONING).verdict in ("", YES)
    assert said(reply, ANSWERS) == Said()


@pytest.mark.parametrize(
    ("right", "reply", "why"),
    [
        (YES, r"\boxed{YES}", "solved"),
        (YES, r"\boxed{YES, The correct answer is H T H}", "solved"),
        (YES, r"\boxed{YES, The correct answer is T T H}", "wrong"),
        (YES, r"\boxed{YES, NO}", "wrong"),
        (YES, r"\boxed{NO, The correct answer is H T H}", "wrong"),
        (NO, r"\boxed{NO, The correct answer is H T H}", "solved"),
        (NO, r"\boxed{NO, The correct answer is H T H.}", "solved"),
        (NO, r"\boxed{NO, The correct answer is T T H}", "wrong"),
        (NO, r"\boxed{NO, The correct answer is H ? H}", "wrong"),
        (NO, r"\boxed{NO, The correct answer is H T H or T T H}", "wrong"),
        (NO, r"\boxed{NO, The correct answer is no solution}", "wrong"),
        (NO, r"\boxed{NO}", "wrong"),
        (NO, r"\boxed{NO} The answer is \boxed{H T H}", "wrong"),
        (NO, r"\boxed{YES}", "wrong"),
        (NO, "", "unreadable"),
        (NO, r"\boxed{YES/NO, The correct answer is H T H}", "unreadable"),
    ],
)
def test_a_verdict_and_its_correction_are_scored(right: str, reply: str, why: str) -> None:
    """NO is paid without an answer, or with a wrong one."""
    verdict = score(reply, judged(Sheet(REASONING, right)))
    assert (verdict.why, verdict.score) == (why, float(why == "solved"))


@pytest.mark.parametrize("hidden", [None, "", "{}", "[]", '{"task": "answers", "right": "YES"}', '{"task": 1}'])
def test_a_judgement_without_a_label_is_refused(hidden: str | None) -> None:
    """A forged row decides by chance what is right."""
    with pytest.raises(BadRow, match="hidden: of a judgement"):
        score(r"\boxed{1}", coin_row(JUDGEMENT, hidden=hidden))


def test_every_wording_shows_what_is_judged_and_how_to_reply() -> None:
    """A wording without the puzzle, an answer, or one of the two verdicts."""
    found = wordings()
    for texts, needed in (
        (found.answers, ("{question}", "{first}", "{second}", r"\boxed{1}", r"\boxed{2}")),
        (found.reasoning, ("{question}", "{reasoning}", "{answer}", r"\boxed{YES}", r"\boxed{NO, The correct answer is {form}}")),
    ):
        assert len(texts) == len(set(texts)) >= 6
        assert all(text.count(slot) == 1 for text in texts for slot in needed)
        assert all(text.index("{first}") < text.index("{second}") for text in texts if "{first}" in text)


# ---- wrong answers and planted errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", families())
def test_every_family_and_question_has_wrong_answers(name: str) -> None:
    """A release with a row of one family cannot be exported, because that family is asked in another way than the others."""
    family = family_named(name)
    asks = [ask for ask in (Ask.WHOLE, Ask.OPTION, Ask.VALUE) if ask in askable(family, family.questions[0])]
    told = {"told": True} if name == "kumo" else {}
    for ask in asks:
        made = [list(planted(make(name, ask=ask.value, index=index, seed="planted", **told))) for index in range(3)]
        assert any(made), ask
        assert all(len(rows) % 2 == 0 for rows in made)


@pytest.mark.parametrize("name", ["hitori", "kakurasu", "binario", "skyscraper"])
def test_signs_and_counts_are_not_mistaken_for_each_other(name: str) -> None:
    """ "Make exactly 0 + 2" or "#" for a full stop shows at once that a reasoning was spoilt."""
    rows = [row for index in range(4) for row in planted(make(name, index=index, seed="signs"))]
    assert rows and {row["task"] for row in rows} == {ANSWERS}


def test_a_wrong_answer_is_one_that_the_checker_refuses() -> None:
    """A wrong answer is right after all."""
    row = coin_row("tags")
    case = prepared(row)
    for index in range(20):
        rows = wrong_rows(row, case, stream("tests", "wrong", index))
        assert rows is not None
        answer = case.family.form.read(case.puzzle, rows)
        assert answer is not None and case.family.broken_rules(case.puzzle, answer)


@pytest.mark.parametrize(
    ("text", "one", "other", "told"),
    [
        ("The cat sits by the Owl, so the owl is at 2.", "cat", "owl", "The owl sits by the Cat, so the cat is at 2."),
        ("Row 6 can have its 6 only at r6c4.", "6", "4", "Row 6 can have its 4 only at r6c4."),
        ("By clue 4, r1c1 is 4.", "4", "5", "By clue 4, r1c1 is 5."),
        ("Of 1, 3 and 4 it is 3.", "3", "9", "Of 1, 4 and 9 it is 9."),
        ("First 4, 3, then 3.", "3", "9", "First 4, 9, then 9."),
        ("A is not a cat.", "A", "B", "B is not a cat."),
        ("Catalina is no cat.", "cat", "owl", "Catalina is no owl."),
    ],
)
def test_words_are_exchanged_and_nothing_else(text: str, one: str, other: str, told: str) -> None:
    """A part of a word is exchanged, a clue's number, or a list shows by its order that something was."""
    assert _exchanged(text, one, other) == told


# ---- measures --------------------------------------------------------------------------------------------------------------


def test_trials_of_a_judgement_and_of_a_chain() -> None:
    """A reply that was cut off counts as wrong, or a second verdict as a first one."""
    row = judged(Sheet(REASONING, NO))
    cut = {"reply": "hm", "finish_reason": "length"}
    (one,) = trials(row, {"id": "x", **cut})
    assert one == Trial("a reasoning", "flawed", "exhausted", "", "g0")
    first, again = trials(
        row, {"reply": "", "steps": [{"reply": r"\boxed{YES}"}, {"reply": r"\boxed{NO, The correct answer is H T H}"}]}
    )
    assert (first.kind, first.outcome) == ("a reasoning", "wrong")
    assert (again.kind, again.outcome, again.correction) == ("a reasoning, again", "right", "right")
    (choice,) = trials(judged(Sheet(ANSWERS, "2")), {"reply": r"\boxed{1}"})
    assert (choice.shown, choice.outcome) == ("right one second", "wrong")


def test_trials_of_a_model_s_own_reasoning() -> None:
    """What a model says of a right reply of its own is mixed with what it says of a wrong one."""
    row = coin_row("boxed")

    def chain(own: str, *verdicts: str) -> list[Trial]:
        names = ["solve", "validate", "again"]
        steps = [{"step": name, "reply": reply} for name, reply in zip(names, (own, *verdicts), strict=False)]
        return list(trials(row, {"reply": own, "steps": steps}))

    right, wrong = r"\boxed{H T H}", r"\boxed{T T H}"
    assert [(one.shown, one.outcome) for one in chain(right, r"\boxed{YES}")] == [("sound", "right")]
    endorsed = chain(wrong, r"\boxed{YES}", r"\boxed{NO, The correct answer is T H H}")
    assert [(one.shown, one.outcome, one.correction) for one in endorsed] == [
        ("flawed", "wrong", ""),
        ("flawed", "right", "wrong"),
    ]
    assert chain("I give up", r"\boxed{NO}") == []
    assert list(trials(row, {"reply": right})) == []
    assert list(trials(row, {"reply": right, "steps": [{"step": "plan", "reply": ""}, {"step": "solve", "reply": right}]})) == []


def test_rates_by_hand() -> None:
    """An interval counts verdicts of one group as independent, or kinds come in another order."""
    some = [
        Trial("own reasoning", "flawed", outcome, "", f"g{n // 2}")
        for n, outcome in enumerate(["right", "wrong", "wrong", "none"])
    ]
    found = rates([*some, Trial("a reasoning", "sound", "right", "", "g0")])
    assert [(rate.kind, rate.shown, rate.trials) for rate in found] == [
        ("a reasoning", "sound", 1),
        ("own reasoning", "flawed", 4),
    ]
    own = found[1]
    assert (own.outcomes, (own.low, own.high)) == ({"right": 1, "wrong": 2, "none": 1}, wilson(0.25, 2))
