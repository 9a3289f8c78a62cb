"""Verify a row: build it again, compare each column, prove its status again, and take the facts that groups are checked by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from puzzlemill.core.codec import build, dumps, loads
from puzzlemill.core.errors import BadInput, BadParams, Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily, Pairing, Transform, puzzle_type
from puzzlemill.core.model import Finding
from puzzlemill.core.types import AnyPuzzle, Ask, Clue, Depth, Draft, Rule, Spec, Status
from puzzlemill.factory import record
from puzzlemill.factory.build import budget_of
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.imports.origin import source_problem
from puzzlemill.factory.reasoning import Options, length
from puzzlemill.factory.recipe import CANONICAL, Recipe, base_text
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.scoring.score import score
from puzzlemill.solvers.certify import Certificate, by_smt, certify, certify_imported, recheck
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Budget, Engines, finding
from puzzlemill.solvers.space import scope_of, space_of
from puzzlemill.transforms import loosest, promise, transform_of
from puzzlemill.transforms.clash import Clash
from puzzlemill.vocabulary.wordings import voices_of

# What a family's code may raise on a puzzle that only looks like one (a board of another size than its parameters say). It is
# reported as a problem of the row: rows come from anywhere, and one of them must not end the verification of the others.
# What leads to the answer (solvers/deduce) asserts that it gets there; a made-up answer is not where it gets.
NONSENSE = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, RecursionError)
_CLUES = 2_000  # of one puzzle; the largest sudoku has 625 cells
Problem = tuple[str, str]  # file or row id, what is wrong
# Figures that may differ between platforms or engine versions although nothing is wrong. proof and play are checked apart.
_NOT_COMPARED = {"effort", "proof", "play"}
_SAT = ("sat_decisions", "sat_conflicts")  # compared if these of the environment are as they were


@dataclass(frozen=True, slots=True)
class RowFacts:
    """Facts of a row that the main process compares. Texts that are only compared for equality are given as their digests."""

    id: str
    group: str
    parent: str | None
    family: str
    variant: str
    pairing: str
    split: str
    spec: str
    open_spec: str  # without the arguments of its rules
    key: str
    lasts: bool  # whether no other release may have the puzzle: it is of no small class
    clues: str  # the clues
    clues_before: str  # the clues with the edit undone: the parent's
    board: str
    board_before: str
    drawn: bool  # anew, not made from the parent's puzzle by edits
    answer: str
    first: str  # the answer that the puzzle was made from, without a witness that answers differ
    reply_format: str
    style: str  # the style without the order of the clues
    restyled: bool  # whether a transform may have changed the style beyond that order
    whole_style: str  # the style with that order
    may_be_unsolvable: bool  # whether the prompt says that there may be no answer
    band: str
    ask: str
    voices: str  # those that its voice is drawn from
    trace: tuple[int, bool] | None  # reasoning.length(); None for dialogues
    traced: bool | None  # whether it has the steps of its deduction; None where it would have none in any case


@dataclass(slots=True)
class Checked:
    """One batch: problems, facts of the rows that could be read, and counts."""

    problems: list[Problem] = field(default_factory=list)
    facts: list[RowFacts] = field(default_factory=list)
    rows: int = 0
    proved: int = 0
    undecided: int = 0
    smt: int = 0  # that Z3 decided too


@dataclass(frozen=True, slots=True)
class Task:
    """One row group of one file. path: relative; its folder and name say the family and the split."""

    folder: str
    path: str
    row_group: int
    rows: int
    engine: str | None
    recipe: str  # JSON
    same_solver: bool  # as made the rows, on a machine of the same kind


def check_one(row: dict[str, Any], family: str, split: str, recipe: Recipe, task: Task, checked: Checked) -> None:
    name = row.get("id")
    where = name if type(name) is str and name.isprintable() and 0 < len(name) < 200 else task.path
    found = record.check_row(row)
    # the figures and texts below need columns of the right types
    if any(": expected" in what or what.endswith((": null", ": missing", "unknown column")) for what in found):
        checked.problems += [(where, what) for what in found]
        return
    if row["family"] != family:
        found.append(f"family: {row['family']}, but it stands in {task.path}")
    if row["split"] != split:
        found.append(f"split: {row['split']}, but it stands in {task.path}")
    decided = True
    try:
        decided = _examine(row, recipe, task, found, checked)
    except BadInput as error:
        found.append(" ".join(str(error).removeprefix(f"row {row['id']}: ").split()))
    except NONSENSE as error:
        found.append(f"puzzle: its family cannot read it ({type(error).__name__}: {error})")
    checked.problems += [(where, what) for what in found]
    if not decided:
        checked.undecided += 1
    elif not found:
        checked.proved += 1


def _examine(row: dict[str, Any], recipe: Recipe, task: Task, problems: list[str], checked: Checked) -> bool:
    """Return whether the row's status was decided. Adds to problems, and to the facts that are known.

    Raises BadInput or one of NONSENSE for a puzzle that is none.
    """
    family = family_named(row["family"])
    if row["family_version"] != family.version:
        raise BadParams(f"family_version: {row['family_version']}, this version of Puzzlemill has {family.version}")
    puzzle: AnyPuzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    family.validate(puzzle.spec)
    if puzzle.question.kind not in family.questions:
        raise BadParams(f"question: {family.name} is not asked for {puzzle.question.kind.value!r}")
    if len(puzzle.clues) > _CLUES:
        raise BadParams(f"puzzle: has {len(puzzle.clues)} clues, at most {_CLUES} are read")
    answer = None if row["answer"] is None else loads(asked(puzzle).answer_type(family), row["answer"], "answer")
    shown = asked(puzzle).shown(answer)
    key = canonical_key(family, puzzle)
    own = _own_chain(family, row, recipe)
    checked.facts.append(_facts(row, family, puzzle, shown, key, own, recipe.reasoning))
    problems += _check_claims(row, recipe, puzzle, own)
    if answer is not None and not recipe.imported and not family.clues.usable(Draft(puzzle, shown, shown)):
        problems.append("puzzle: does not hold what its parameters ask for")
    hidden = asked(puzzle).hidden_of(family, row, answer)
    problems += asked(puzzle).hidden_problems(family, puzzle, hidden, row)
    certificate, what, decided = _prove(row, family, puzzle, answer, hidden, task, recipe)
    problems += what
    if decided and not what:
        wrong, by_z3 = _check_sample(row, recipe, family, puzzle, answer, hidden, task.engine)
        problems += [wrong] if wrong else []
        checked.smt += by_z3
    untraced = not row["trace"] and any(not each.trace for each in recipe.strata if each.family == family.name)
    graded = None if row["status"] == Status.ANY.value else grade(family, puzzle, answer, not untraced)
    if task.engine is None and graded is not None and graded.steps:
        try:
            step = wrong_step(family, puzzle, graded.steps, budget_of(recipe).conflicts)
        except Discarded:
            decided = False
        else:
            problems += [f"trace: {step}"] if step else []
    again = record.row(
        family=family,
        recipe=recipe,
        split=row["split"],
        group=row["group_id"],
        parent=None if row["parent_id"] is None else {"id": row["parent_id"]},
        pairing=Pairing(row["pairing"]),
        variant=row["variant"],
        kinds=[transform.kind for transform in _chain(family, row)],
        transforms=[(t["name"], t["args"]) for t in row["transforms"]],
        edit=row["edit"],
        puzzle=puzzle,
        hidden=hidden,
        certificate=certificate,
        graded=graded,
        key=key,
        reply_format=row["reply_format"],
        source=row["source"],
    )
    # a dialogue is graded by its game, of which one engine alone knows nothing
    apart = _NOT_COMPARED | ({"difficulty", "guess_baseline"} if asked(puzzle).dialogue and certificate.play is None else set())
    for name, value in again.items():
        if name not in apart and name != "id" and row[name] != value:
            problems.append(f"{name}: {difference(row[name], value)}")
    if row["proof"]["sentences"] != record.sentences(family, puzzle, row["proof"]["unsat_core"]):
        problems.append("proof.sentences: are not what the members of the unsat core say")
    if row["proof"]["scope"] != scope_of(family, puzzle):
        problems.append(f"proof.scope: {difference(row['proof']['scope'], scope_of(family, puzzle))}")
    if row["proof"]["sha256"] is not None:
        problems.append("proof: has a hash, which no proof of this family has")
    verdict = score(row["gold_reply"], row)
    if not verdict.solved or verdict.score != 1.0:
        problems.append(f"gold_reply: scores {verdict.score} ({verdict.why})")
    return decided


def _facts(
    row: Mapping[str, Any], family: AnyFamily, puzzle: AnyPuzzle, shown: Any | None, key: str, own: list[Transform], how: Options
) -> RowFacts:
    clues = sorted(puzzle.clues, key=lambda clue: clue.id)
    clues_before, board_before = _undone(family, puzzle, row["edit"])
    return RowFacts(
        id=row["id"],
        group=row["group_id"],
        parent=row["parent_id"],
        family=family.name,
        variant=row["variant"],
        pairing=row["pairing"],
        split=row["split"],
        spec=base_text(puzzle.spec),
        open_spec=base_text(without_arguments(puzzle.spec)),
        key=key,
        lasts=family.small.puzzles(puzzle.spec) is None,
        clues=_digest(dumps(tuple(clues))),
        clues_before=_digest(dumps(tuple(clues_before))),
        board=_digest(dumps(puzzle.board)),
        board_before=_digest(board_before),
        drawn=any(t.stage() == 0 for t in own),
        answer=_digest(row["answer"] or ""),
        first=_digest("" if shown is None else dumps(shown)),
        reply_format=row["reply_format"],
        style=_digest(dumps(replace(puzzle.style, order=()))),
        restyled=any(type(t).restyle is not Transform.restyle for t in own),
        whole_style=_digest(dumps(puzzle.style)),
        may_be_unsolvable=puzzle.question.may_be_unsolvable,
        band=row["difficulty"]["band"],
        ask=puzzle.question.ask.value,
        voices=voices_of(puzzle.style.phrasing),
        trace=None if row["play"] is not None else length(row, how),
        traced=True if row["trace"] else False if row["difficulty"]["tier"] and row["difficulty"]["score"] is None else None,
    )


def _chain(family: AnyFamily, row: Mapping[str, Any]) -> list[Transform]:
    """The row's transforms. Raises BadParams for unknown ones."""
    made = []
    for i, call in enumerate(row["transforms"]):
        try:
            made.append(transform_of(family, call["name"], json.loads(call["args"])))
        except (BadParams, AttributeError, json.JSONDecodeError) as error:
            raise BadParams(f"transforms[{i}]: {error}") from None
    return made


def _own_chain(family: AnyFamily, row: Mapping[str, Any], recipe: Recipe) -> list[Transform]:
    """The transforms that made a row from its parent; all of them if the recipe asks for no such variant."""
    calls = [(t["name"], t["args"]) for t in row["transforms"]]
    for stratum in recipe.strata:
        for variant in stratum.variants if stratum.family == family.name else ():
            if variant.name == row["variant"] and calls == [call for v in stratum.lineage(variant) for call in v.calls()]:
                return variant.chain(family)
    return _chain(family, row)


def _check_claims(row: Mapping[str, Any], recipe: Recipe, puzzle: AnyPuzzle, own: list[Transform]) -> list[str]:
    """Compare what a row says of how it was made with the recipe and the transforms."""
    problems = []
    if row["variant"] == CANONICAL:
        if row["group_id"] != record.group_id(row["split"], puzzle):
            problems.append("group_id: does not go with this puzzle in this split")
        if row["transforms"] or row["edit"] is not None or row["pairing"] != Pairing.NONE.value:
            problems.append("variant: canonical, but transforms, edit or pairing say otherwise")
    if wrong := source_problem(row["source"], recipe.imported):
        problems.append(f"source: {wrong}")
    if not (recipe.imported.keeps(Status(row["status"])) if recipe.imported else row["status"] != Status.ANY.value):
        problems.append(f"status: is {row['status']}, and the recipe keeps no such puzzles")
    ids = [clue.id for clue in puzzle.clues]
    if len(set(ids)) < len(ids) or not all(0 < len(name) <= 40 and name.isprintable() and name[0] != "#" for name in ids):
        problems.append("puzzle: ids of clues must be different, printable words that do not begin with #")
    if puzzle.style.asides and not any(transform.name == "red_herring" for transform in _chain(family_named(row["family"]), row)):
        problems.append("puzzle: its style has asides, though no transform adds any")
    if puzzle.question.kind.value not in ("choice", "play") and (
        (puzzle.question.options and puzzle.question.ask is not Ask.OPTION) or puzzle.question.turn_limit is not None
    ):
        problems.append(f"question: has options or a limit of turns, which no question of kind {puzzle.question.kind.value} has")
    strata = [stratum for stratum in recipe.strata if stratum.family == row["family"]]
    if not any(row["reply_format"] in stratum.reply_formats for stratum in strata):
        problems.append(f"reply_format: the recipe asks for no {row['reply_format']} of {row['family']}")
    asked = [
        [call for ancestor in stratum.lineage(v) for call in ancestor.calls()]
        for stratum in strata
        for v in stratum.variants
        if v.name == row["variant"]
    ]
    if row["variant"] != CANONICAL:
        if [(t["name"], t["args"]) for t in row["transforms"]] not in asked:
            problems.append(f"variant: the recipe asks for no {row['variant']!r} made by these transforms")
        elif row["pairing"] != (pairing := loosest(own)).value:
            problems.append(f"pairing: is {row['pairing']}, but these transforms make it {pairing.value}")
        if row["edit"] is not None and any(transform.stage() == 0 for transform in own):
            problems.append("edit: the puzzle is drawn anew, not edited from its parent's")
        elif row["edit"] is not None and [type(t) for t in own if t.stage() == 1] == [Clash]:
            pairs, most = json.loads(row["edit"]), family_named(row["family"]).clues.edits
            if type(pairs) is list and sorted([[side is None for side in pair] for pair in pairs]) not in (
                *[[[False, False]] * count for count in range(1, most + 1)],  # clues changed
                [[False, True], [True, False]],  # one less and another one more
            ):
                clues = "one clue changed or moved" if most == 1 else f"up to {most} clues changed, or of one moved"
                problems.append(f"edit: of {len(pairs)} clues, but a clash comes of {clues}")
        depth = next((t.depth for t in own if isinstance(t, Clash) and t.depth), None)
        if depth is not None and row["proof"]["depth"] != depth.value:
            problems.append(f"proof.depth: is {row['proof']['depth']}, but these transforms make clashes that are {depth.value}")
        promised = promise(own)
        if promised is not None and row["status"] != promised.value:
            problems.append(f"status: is {row['status']}, but these transforms make puzzles that are {promised.value}")
    return problems


def _prove(
    row: Mapping[str, Any],
    family: AnyFamily,
    puzzle: AnyPuzzle,
    answer: Any | None,
    hidden: Any | None,
    task: Task,
    recipe: Recipe,
) -> tuple[Certificate, list[str], bool]:
    """Prove the status again: a certificate to build the row from (the stored one if there is no new one), problems, decided."""
    status, budget = Status(row["status"]), budget_of(recipe)
    exact = ("nodes", "generated")
    effort = tuple((name, amount) for name, amount in row["effort"].items() if name not in exact and amount is not None)
    proof = row["proof"]
    claimed = Certificate(
        status,
        tuple(proof["formulations"]),
        answer,
        row["optimum"],
        tuple(proof["unsat_core"]),
        row["effort"]["nodes"],
        effort,
        None if proof["depth"] is None else Depth(proof["depth"]),
        tuple(proof["necessary"]),
        generated=row["effort"]["generated"],
    )
    if task.engine is not None:
        again = recheck(family, puzzle, status, answer, row["optimum"], task.engine, budget, hidden)
        return claimed, [again.problem] if again.problem else [], again.decided
    broken = [] if answer is None else asked(puzzle).objections(family, puzzle, answer)
    if broken:
        return claimed, [f"answer: breaks {', '.join(broken[:5])}"], True
    try:
        if recipe.imported:
            found = certify_imported(family, puzzle, budget, answer)
        else:
            found = certify(family, puzzle, asked(puzzle).shown(answer), budget, hidden=hidden)
    except Discarded as why:
        if why.reason == "budget":
            return claimed, [], False
        return claimed, [f"status: is {status.value}, but the puzzle is {why.reason}"], True
    except EnginesDisagree as error:
        return claimed, [f"answer: {error}"], True
    problems = []
    if found.status is not status:
        problems.append(f"status: is {status.value}, but {' and '.join(found.formulations)} prove {found.status.value}")
    if found.formulations != claimed.formulations:
        problems.append(f"proof.formulations: {', '.join(claimed.formulations)}, but {', '.join(found.formulations)} prove it")
    if (play := None if found.play is None else record.play(found.play)) != row["play"]:
        problems.append(f"play: {difference(row['play'], play)}")
    if found.nodes != claimed.nodes:
        problems.append(f"effort.nodes: {claimed.nodes}, but the solver takes {found.nodes}")
    if found.generated != claimed.generated:
        problems.append(f"effort.generated: {claimed.generated}, but the plain search generates {found.generated}")
    for name in _SAT if task.same_solver else ():
        if (amount := dict(found.effort).get(name)) != row["effort"][name]:
            problems.append(f"effort.{name}: {row['effort'][name]}, but the solver takes {amount}")
    if found.depth is not claimed.depth:
        problems.append(f"proof.depth: {proof['depth']}, but it is {None if found.depth is None else found.depth.value}")
    if found.necessary != claimed.necessary:
        problems.append(f"proof.necessary: {', '.join(claimed.necessary)}, but it is {', '.join(found.necessary)}")
    clash, decided = _check_unsat_core(family, puzzle, claimed, budget)
    return found, problems + clash, decided


def _check_sample(
    row: Mapping[str, Any],
    recipe: Recipe,
    family: AnyFamily,
    puzzle: AnyPuzzle,
    answer: Any | None,
    hidden: Any | None,
    engine: str | None,
) -> tuple[str, bool]:
    """Say what is wrong with Z3's part in a row that was proved ("" if nothing is), and whether Z3 has decided it now.

    Figures are not compared: they may differ between versions of Z3.
    """
    missing = [name for name in record.SMT if row["effort"][name] is None]
    if not recipe.asks_smt(row["id"]):
        named = f"a figure, but the row is not of the {recipe.smt} % that Z3 decides too"
        return ("" if len(missing) == len(record.SMT) else f"effort.smt_*: {named}"), False
    if engine is not None or row["status"] == Status.ANY.value:
        return "", False  # Z3 is asked of those with one answer or none
    try:
        figures = by_smt(family, puzzle, answer, budget_of(recipe), hidden)
    except EnginesDisagree as error:
        return f"answer: {error}", False
    if figures and missing:
        return f"effort.{missing[0]}: null, but the row is of the {recipe.smt} % that Z3 decides too", True
    return "", bool(figures)


def _check_unsat_core(family: AnyFamily, puzzle: AnyPuzzle, claimed: Certificate, budget: Budget) -> tuple[list[str], bool]:
    """List problems, and whether they could be decided: the unsat core has no answer, and has one without any of its members.

    Which unsat core an engine finds may differ between platforms. SAT comes first: with few clues a kernel's search is wide.
    """
    from puzzlemill.solvers import sat
    from puzzlemill.solvers.lower import lower

    core = claimed.unsat_core
    if claimed.status is not Status.UNSOLVABLE:
        return [f"proof.unsat_core: {', '.join(core)}, but the puzzle has an answer"] if core else [], True
    listed = ", ".join(core[:8]) or "nothing"
    space = space_of(family, puzzle)
    if space is not None and not puzzle.clues and tuple(core) == (space.whole(),):
        wrong: str | None = ""  # that nothing fits the board is what the status says, and is proved with it
    elif space is not None:
        wrong = _not_a_clash_of_clues(family, puzzle, core, budget)
    elif (cnf := lower(family, puzzle)) is None:
        wrong = _not_a_clash_of_parts(family, puzzle, core, budget)
    else:
        wrong = sat.not_an_unsat_core(cnf, core, budget.conflicts)
        if wrong is None:
            named = puzzle.with_clues([clue for clue in puzzle.clues if clue.id in core])
            found = finding(family, named, "kernel", 1, budget)
            if isinstance(found, Finding) and found.decided(1) and (found.answers or not core):
                return [f"proof.unsat_core: {listed} can be met together"], True
    return [f"proof.unsat_core: {listed}: {wrong}"] if wrong else [], wrong is not None


def _not_a_clash_of_clues(family: AnyFamily, puzzle: AnyPuzzle, labels: Sequence[str], budget: Budget) -> str | None:
    """Say why these clues, by a class of hypotheses, are no minimal unsat core; "" if they are, None if the budget ran out."""
    named = [clue for clue in puzzle.clues if clue.id in labels]
    if not labels or sorted(labels) != sorted([clue.id for clue in named]):
        return "it names nothing, something twice, or something that is no clue of this puzzle"
    engines = Engines(family, budget)
    try:
        if engines.count(puzzle.with_clues(named), 1):
            return "they can be met together"
        for clue in named:
            if not engines.count(puzzle.with_clues([other for other in named if other is not clue]), 1):
                return f"it is not minimal: {clue.id} can be left out"
    except Discarded:
        return None
    return ""


def _not_a_clash_of_parts(family: AnyFamily, puzzle: AnyPuzzle, labels: Sequence[str], budget: Budget) -> str | None:
    """Say why these parts of a puzzle of moves are no minimal unsat core; "" if they are, None if the budget ran out."""
    engines = Engines(family, budget)
    parts = family.routes.parts(puzzle)
    if len(set(labels)) < len(labels) or not set(labels) <= set(parts):
        return "it names something twice, or something that is no part of this puzzle"
    try:
        for label in parts:
            if label not in labels:
                puzzle = family.routes.without(puzzle, label)
        if engines.count(puzzle, 1):
            return "they can be met together"
        idle = [label for label in labels if not engines.count(family.routes.without(puzzle, label), 1)]
    except Discarded:
        return None
    return f"the others clash without {idle[0]}" if idle else ""


def _undone(family: AnyFamily, puzzle: AnyPuzzle, edit: str | None) -> tuple[list[Clue], str]:
    """The clues and the board (as JSON) before an edit, which is as record.edit_of() gives it."""
    now = {clue.id: clue for clue in puzzle.clues}
    board = dumps(puzzle.board)
    raw = None if edit is None else json.loads(edit)
    if type(raw) is dict:
        if list(raw) not in (["board"], ["board", "clues"]) or type(raw["board"]) is not list or len(raw["board"]) != 2:
            raise BadParams('edit: expected {"board": [before, after]}')
        before, after = (dumps(build(family.board, side, "edit.board")) for side in raw["board"])
        if after != board:
            raise BadParams("edit: the puzzle has not the board that the edit says")
        board = before
        raw = raw.get("clues")
    if raw is not None:
        for was, became in build(tuple[tuple[Clue | None, Clue | None], ...], raw, "edit"):
            if became is not None:
                if now.get(became.id) != became:
                    raise BadParams(f"edit: the puzzle has no clue {became.id} as the edit says")
                del now[became.id]
            if was is not None:
                now[was.id] = was
    return sorted(now.values(), key=lambda clue: clue.id), board


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def difference(found: Any, expected: Any) -> str:
    """Say how two values differ: of long texts only the place."""
    if type(found) is str and type(expected) is str and max(len(found), len(expected)) > 60:
        at = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), min(len(found), len(expected)))
        return f"differs at character {at}: has {found[at : at + 30]!r}, should have {expected[at : at + 30]!r}"
    return f"is {short(found)}, should be {short(expected)}"


def short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def without_arguments(spec: Spec[Any]) -> Spec[Any]:
    """The spec without the arguments of its rules."""
    return replace(spec, rules=tuple(Rule(rule.name) for rule in spec.rules))
