"""Blood relations: who is who in a family, from statements such as "Asha is the sister of Bo's mother".

A family is one married couple, all their descendants, and whom these married:
  marriage     a man and a woman are married to each other only, and never to a blood relative;
  parents      somebody's parents are a married couple of the family, or both are not in it;
  descent      one couple stands at the top; of all others exactly those who married into the family have no parents in it;
  generations  so many are there, the couple's being the first;
  alike        no couple has both sons and daughters (optional);
  clues        statements as puzzlemill/rules/kin.py lists them.
Everybody is named, so that all families that fit are within what is searched: of so many people there is a bounded number.
Source: blood relations in Indian civil service and banking exams, as in RiddleBench. broken_rules returns these names, ids of
clues, and "malformed" for what is no table.

Families are drawn evenly among all of the size, then true statements of all kinds; these are left out until each is needed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import KinTable
from puzzlemill.rules import kin_check, kin_draw, kin_model, kin_picture, kin_questions, kin_text, kin_words
from puzzlemill.rules.kin import Kin
from puzzlemill.rules.kin_draw import RULE

KinPuzzle = f.Puzzle["Params", f.NoBoard]
KinDraft = f.Draft["Params", f.NoBoard, f.Grid, f.Grid]  # grid[x]: gender, spouse, father, mother of x; x for nobody


@f.params
class Params:
    """hops: how many kin words a statement joins at most ("the brother of the mother of")."""

    people: int = f.Param(7, least=3, most=10)
    generations: int = f.Param(3, least=2, most=4)
    hops: int = f.Param(1, least=1, most=3)


def _hops(name: str, hops: int, about: str) -> f.SetParam:
    return f.SetParam(name, f.Kind.IC2, f.Relation.EDIT, f.Pairing.SAME_ANSWER, (("hops", hops),), about)


def _alike(spec: f.Spec[Any]) -> bool:
    return spec.rule(RULE) is not None


CLUES = kin_draw.Statements(lambda spec: spec.params.people)


@final
class BloodRelations(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    """Slot 4x is the gender of x, the next ones are spouse, father and mother."""

    name, version, title = "blood_relations", 1, "Blood relations"
    source = "blood relations of civil service and banking exams; tasks after RiddleBench"
    params, answer, form, clues, text = Params, f.Grid, kin_text.FamilyTable(), CLUES, kin_text.FamilyText()
    questions = (f.QuestionKind.WHOLE, f.QuestionKind.CHOICE)
    choices = kin_questions.Questions()
    rules = f.declared(f.OptionalRule(RULE))
    transforms = (
        _hops("hops", 2, "statements that join two kin words"),
        _hops("far_hops", 3, "statements that join up to three kin words"),
        f.surface("rename", kin_words.renamed, "other names"),
        f.surface("paraphrase", kin_words.paraphrased, "other words for the same statements"),
        f.surface("red_herring", kin_words.red_herring, "one remark that says nothing about the family"),
        f.Restyle("letters", f.Kind.UE1, how=kin_words.lettered, about="letters in place of names"),
        f.Restyle("coded", f.Kind.UE1, how=kin_words.coded, about="signs in place of kin words, with a key to them"),
        f.Restyle("pointing", f.Kind.UE1, how=kin_words.pointing, about="statements as spoken by people who point at others"),
        f.AddRule(RULE, about="no couple has both sons and daughters"),
    )
    smallest = (
        f.Spec(Params(3, 2)),
        f.Spec(Params(4, 2)),
        f.Spec(Params(5, 3, 2)),
        f.Spec(Params(5, 2), (f.Rule(RULE),)),
    )
    worked = (
        (
            "blood_relations generations=2\npeople: Soni, Moni, Daya, Bala, Charu, Roop\nbrother(Soni, Moni)\n"
            "sister(Daya, Moni)\nfather(Bala, Charu)\nbrother(Charu, Daya)\nson(Moni, Roop)",
            "Soni | man | - | Bala | Roop\nMoni | man | - | Bala | Roop\nDaya | woman | - | Bala | Roop\n"
            "Bala | man | Roop | - | -\nCharu | man | - | Bala | Roop\nRoop | woman | Bala | - | -",
            "RiddleBench (2510.24932), appendix B.4",
        ),
        (
            "blood_relations generations=3\npeople: A, B, C, D, E\nfather(A, B)\nonly_daughter(B, C)\nwife(B, D)\ngrandson(E, A)",
            "A | man | C | - | -\nB | woman | D | A | C\nC | woman | A | - | -\nD | man | B | - | -\nE | man | - | D | B",
            "made up for Puzzlemill",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        least = 2 * p.generations - 1
        if p.people < least:
            raise f.BadParams(
                f"blood_relations.people must be {least} or more for {p.generations} generations, got {p.people}; "
                "set family.params.people or family.params.generations"
            )
        if _alike(spec) and p.people <= least:
            raise f.BadParams(
                f"blood_relations.people must be {least + 1} or more for {p.generations} generations with the rule {RULE}, since "
                f"no couple has two children otherwise, got {p.people}; set family.params.people or family.params.generations"
            )

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> KinDraft:
        true = kin_draw.true_statements(Kin(hidden), spec.params.hops, rng.child("statements"))
        clues = [said.clue(f"k{i}") for i, said in enumerate(true, 1)]
        style = kin_words.draw_style(spec.params.people, rng.child("style"))
        return f.Draft(replace(self.puzzle(spec, clues), style=style), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more person."""
        p = replace(spec.params, people=spec.params.people + 1) if spec.params.people < 10 else None
        grown = None if p is None else replace(spec, params=p)
        return grown if grown is not None and f.valid(self, grown) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        p = spec.params
        return kin_model.bare(p.people, p.generations, _alike(spec))

    def table(self, puzzle: KinPuzzle) -> KinTable:
        p = puzzle.spec.params
        return kin_draw.table(p.people, p.generations, _alike(puzzle.spec), CLUES.all(puzzle))

    def broken_rules(self, puzzle: KinPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        p = puzzle.spec.params
        if not isinstance(answer, tuple) or len(answer) != p.people:
            return [f.MALFORMED]
        least = f.BLANK if partial else 0
        for row in answer:
            if not isinstance(row, tuple) or len(row) != 4:
                return [f.MALFORMED]
            for value, size in zip(row, (2, p.people, p.people, p.people), strict=True):
                if type(value) is not int or not least <= value < size:
                    return [f.MALFORMED]
        broken = kin_check.broken_rules(answer, p.generations, _alike(puzzle.spec))
        half = kin_check.Half(answer)
        said = zip(puzzle.clues, CLUES.all(puzzle), strict=True)
        return broken + [clue.id for clue, statement in said if half.true(statement) is False]

    def search_space_log10(self, puzzle: KinPuzzle) -> float:
        """2**N * N**(3 * N)."""
        people = puzzle.spec.params.people
        return people * (log10(2) + 3 * log10(people))

    def symmetry(self, puzzle: KinPuzzle) -> f.ColouredGraph:
        """Up to the names, and up to men and women exchanged."""
        return kin_draw.symmetry(puzzle.spec.params.people, CLUES.all(puzzle))

    # ---- text

    def render(self, puzzle: KinPuzzle) -> str:
        return kin_words.Wording(puzzle).prompt()

    def describe(self, puzzle: KinPuzzle, label: str) -> str:
        clue = puzzle.clue(label)
        if clue is not None:
            return kin_words.Wording(puzzle).sentence(clue)
        if label not in _RULES:
            raise f.BadRow(
                f"blood_relations: {label[:40]!r} is no clue of this puzzle and no rule; expected one of {', '.join(_RULES)}"
            )
        return _RULES[label].format(g=puzzle.spec.params.generations)

    def words(self, puzzle: KinPuzzle) -> f.Words:
        wording = kin_words.Wording(puzzle)
        number = {label: i for i, (label, _) in enumerate(wording.sentences(), 1)}
        return f.Words(
            value=lambda x: wording.names[x],
            clue=lambda i: wording.sentence(puzzle.clues[i]),
            shows=lambda i: f"statement {number[puzzle.clues[i].id]}",
            ids=[clue.id for clue in puzzle.clues],
            voice=puzzle.style.phrasing,
        )

    def draw(self, puzzle: KinPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        """The statements, and the family tree of the answer."""
        wording = kin_words.Wording(puzzle)
        told = [(text, label in marked) for label, text in wording.sentences()]
        told += [(self.describe(puzzle, label), True) for label in marked if puzzle.clue(label) is None]
        return kin_picture.picture(puzzle.style.names[0], answer, told)


_RULES = {
    "marriage": "A man and a woman who are married are married to each other only.",
    "parents": "A child's parents are a married couple of the family.",
    "descent": "Everybody descends from one couple, is one of that couple, or married one of its descendants.",
    "generations": "The family has {g} generations.",
    RULE: "No couple has both sons and daughters.",
}


FAMILY = BloodRelations()
