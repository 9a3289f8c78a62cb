"""Blood relations: families and kin words mean the same to all formulations, and what is asked, told and drawn of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations, product

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.form import Grid
from puzzlemill.core.model import KIN_STATEMENTS, KIN_WORDS, KinTable
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Ask, QuestionKind, Rule, Spec
from puzzlemill.factory.make import make
from puzzlemill.generators.blood_relations import FAMILY, Params
from puzzlemill.questions import asked
from puzzlemill.rules.kin import KINDS, WORDS, Kin, Statement, read, related
from puzzlemill.rules.kin_check import Half
from puzzlemill.rules.kin_picture import tree_text
from puzzlemill.rules.kin_questions import COUNT, NOBODY, RELATION, WHO
from puzzlemill.rules.kin_words import Wording, coded, paraphrased, pointing, red_herring
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.kernels import kin as kernel


def families_of(people: int, generations: int) -> list[Grid]:
    """All of them, as the kernel lists them."""
    found = kernel.answers(KinTable(people, generations, False, ()), 1 << 20, 1 << 40)
    return [
        FAMILY.form.assemble(Spec(Params(people, generations)), FAMILY.puzzle(Spec(Params())).board, each)
        for each in found.answers
    ]


def plain_families(people: int) -> set[Grid]:
    """Every family in two or three generations by plain loops: who is married, then who has which parents."""
    found = set()
    everybody = range(people)
    for spouse in product(everybody, repeat=people):
        if any(spouse[spouse[x]] != x for x in everybody):
            continue
        couples = [(x, spouse[x]) for x in everybody if x < spouse[x]]
        for gender in product((0, 1), repeat=people):
            if any(gender[x] == gender[y] for x, y in couples):
                continue
            for of in product(range(-1, len(couples)), repeat=people):
                parents = [couples[k] if k >= 0 else (x, x) for x, k in enumerate(of)]
                level = {x: 0 for couple in couples for x in couple if of[couple[0]] == of[couple[1]] == -1}
                top = len(level)
                for _ in everybody:
                    for x in everybody:
                        if of[x] >= 0 and parents[x][0] in level and parents[x][1] in level:
                            level[x] = 1 + level[parents[x][0]]
                        elif of[x] < 0 and spouse[x] in level and of[spouse[x]] >= 0:
                            level[x] = level[spouse[x]]
                twice = any(of[x] >= 0 and of[y] >= 0 for x, y in couples)
                if top == 2 and len(level) == people and not twice and max(level.values()) < 3:
                    rows = [(gender[x], spouse[x], *sorted(parents[x], key=lambda p: gender[p])) for x in everybody]
                    found.add(tuple(rows))
    return found


@pytest.mark.parametrize(("people", "count"), [(3, 12), (4, 96), (5, 1120)])
def test_every_small_family_is_found(people: int, count: int) -> None:
    """A family more or less in the kernel's shapes would change what is proved to be unique."""
    listed = [family for g in (2, 3) if people >= 2 * g - 1 for family in families_of(people, g)]
    assert len(set(listed)) == len(listed) == count
    assert set(listed) == plain_families(people)


def test_kin_words_mean_the_same_to_all() -> None:
    """Each word of each two people in families of seven: drawing, the plain check and the kernel's matrices."""
    assert tuple(WORDS) == KIN_WORDS and KINDS == KIN_STATEMENTS
    for seed, generations in product(range(6), (2, 3, 4)):
        spec = Spec(Params(7, generations))
        tree = FAMILY.sample_solution(spec, stream("kin", seed, generations), Engines(FAMILY))
        kin, half = Kin(tree), Half(tree)
        for name in WORDS:
            mine = {(x, y) for y in range(7) for x in kin.who(name, y)}
            assert mine == {(x, y) for x, y in permutations(range(7), 2) if half.is_called(name, x, y)}, name
            table = KinTable(7, generations, False, _outright(tree))
            for x, y in permutations(range(7), 2):
                clue = (0, x, y, 0, KIN_WORDS.index(name), -1, -1)
                found = kernel.answers(replace(table, clues=(*table.clues, clue)), 2, 1 << 20)
                assert bool(found.answers) == ((x, y) in mine), name


def _outright(tree: Grid) -> tuple[tuple[int, ...], ...]:
    """Clues that say the whole family."""
    father, mother = KIN_WORDS.index("father"), KIN_WORDS.index("mother")
    husband = KIN_WORDS.index("husband")
    clues = [(1 + row[0], x, 0, 0, -1, -1, -1) for x, row in enumerate(tree)]
    for x, (gender, spouse, dad, mum) in enumerate(tree):
        clues += [(0, dad, x, 0, father, -1, -1), (0, mum, x, 0, mother, -1, -1)] if dad != x else []
        clues += [(0, x, spouse, 0, husband, -1, -1)] if spouse != x and gender == 0 else []
    return tuple(clues)


def test_the_question_of_the_paper() -> None:
    """Bala is the husband of Roop, as RiddleBench has it (appendix B.4), and the genders are needed for that."""
    example = FAMILY.examples()[0]
    names = list(example.puzzle.style.names[0])
    question = replace(
        example.puzzle.question,
        kind=QuestionKind.CHOICE,
        ask=Ask.VALUE,
        about=(RELATION, names.index("Bala"), names.index("Roop")),
    )
    puzzle = replace(example.puzzle, question=question)
    assert FAMILY.choices.says(puzzle).startswith("How is Bala related to Roop? Give the exact word")
    assert FAMILY.choices.value(puzzle, example.answer) == "Husband"
    assert Engines(FAMILY).count(example.puzzle) == 1


def test_a_rule_more_leaves_fewer_families() -> None:
    """No couple has both sons and daughters: the rule would be told and not kept."""
    free, few = (
        Engines(FAMILY).answers(FAMILY.puzzle(spec), 10_000)
        for spec in (Spec(Params(5, 2)), Spec(Params(5, 2), (Rule("alike"),)))
    )
    assert 0 < len(few) < len(free)
    board = FAMILY.puzzle(Spec(Params())).board
    trees = [FAMILY.form.assemble(Spec(Params(5, 2)), board, each) for each in free]
    small = [tree for tree in trees if not any(Kin(tree).who("son", x) and Kin(tree).who("daughter", x) for x in range(5))]
    assert len(small) == len(few)
    with pytest.raises(BadParams, match="must be 6 or more for 3 generations with the rule alike"):
        FAMILY.validate(Spec(Params(5, 3), (Rule("alike"),)))
    with pytest.raises(BadParams, match="must be 7 or more for 4 generations"):
        FAMILY.validate(Spec(Params(6, 4)))


@pytest.mark.parametrize("hops", [1, 3])
def test_deductions_are_right_and_told(hops: int) -> None:
    """Each step follows from what it names, and the steps set everything."""
    bands = Counter()
    for index in range(8):
        row = make("blood_relations", hops=hops, index=index, seed="trace")
        puzzle = loads(puzzle_type(FAMILY), row["puzzle"])
        graded = grade(FAMILY, puzzle, loads(asked(puzzle).answer_type(FAMILY), row["answer"]))
        assert graded is not None and not wrong_step(FAMILY, puzzle, graded.steps)
        assert all(text.endswith(".") for text in explain_all(FAMILY, puzzle, graded.steps))
        bands[graded.band] += 1
    assert len(bands) > 1


def test_questions_of_every_sort_and_places_of_the_right_option() -> None:
    """A letter that is right more often than chance tells the answer; so does an option only shown where it is right."""
    places, sorts, shown, right = Counter[str](), Counter[int](), Counter[str](), Counter[str]()
    for index in range(150):
        row = make("blood_relations", people=6, ask="option", index=index, seed="options")
        puzzle = loads(puzzle_type(FAMILY), row["puzzle"])
        letter = row["gold_reply"][-3]
        places[letter] += 1
        sorts[puzzle.question.about[0]] += 1
        shown.update(row["options"])
        right[row["options"]["ABCDE".index(letter)]] += 1
    assert set(sorts) == {RELATION, WHO, COUNT}
    assert sum([(count - 30) ** 2 / 30 for count in places.values()]) < 18.5  # chi-square, p > .001
    for text in (NOBODY, "Cannot be determined", "None of these"):
        assert 0 < right[text] < shown[text]


def test_no_statement_answers_the_question() -> None:
    """ "V is the grandmother of S. What is V to S?" asks for what is said, also if it is asked the other way round."""
    for index in range(60):
        row = make("blood_relations", people=6, ask="option", index=index, seed="told")
        puzzle = loads(puzzle_type(FAMILY), row["puzzle"])
        sort, one, two = puzzle.question.about
        said = [read(clue, 6) for clue in puzzle.clues]
        plain = [each for each in said if each.kind == "kin" and len(each.words) == 1]
        if sort == RELATION:
            assert all({one, two} != {*each.people} for each in plain), row["prompt"]
        if sort == WHO:
            asked = ("father", "mother", "spouse", "father_in_law", "mother_in_law")[one]
            assert all((each.people[1], each.words) != (two, (asked,)) for each in plain), row["prompt"]


def test_codes_quotes_and_remarks() -> None:
    """A code without its key, or a remark that is about nobody, could not be read."""
    example = FAMILY.examples()[0]
    rng = stream("styles")
    code = replace(example.puzzle, style=coded(example.puzzle, rng))
    signs = dict(zip(code.style.symbols[::2], code.style.symbols[1::2], strict=True))
    text = FAMILY.render(code)
    assert f"Soni {signs['brother']} Moni" in text and "Soni is" not in text
    assert all(f" {sign} " in text for sign in signs.values())
    said = FAMILY.render(replace(example.puzzle, style=pointing(example.puzzle, rng)))
    assert 'Pointing to Soni, Moni says: "That is my brother."' in said
    noisy = replace(example.puzzle, style=red_herring(example.puzzle, rng))
    assert noisy.style.asides[0][1] in FAMILY.render(noisy)
    with pytest.raises(BadRow, match="no remark about these people"):
        FAMILY.render(replace(noisy, style=replace(noisy.style, asides=((0, "Soni is a man."),))))
    other = replace(example.puzzle, style=paraphrased(example.puzzle, rng))
    pairs = zip(Wording(example.puzzle).sentences(), Wording(other).sentences(), strict=True)
    assert sum([one == two for one, two in pairs]) <= 1


def test_chains_of_words() -> None:
    """A statement of three words reads the wrong way round."""
    example = FAMILY.examples()[1]  # A and C have B, who is married to D; E is their son
    tree, wording = example.answer, Wording(example.puzzle)
    said = related(("only_son", "only_daughter", "husband"), 4, 2)
    assert Half(tree).true(said) is True  # E is the only son of the only daughter of the husband of C
    assert wording.told(said) == "E is the only son of the only daughter of the husband of C."
    assert Half(tree).true(related(("husband", "only_daughter", "only_son"), 4, 2)) is False
    assert Half(tree).true(Statement("men", (), (), 3)) is True


def test_a_family_tree_as_text() -> None:
    """The tree shows couples and whose children somebody is."""
    example = FAMILY.examples()[1]
    assert tree_text(example.puzzle.style.names[0], example.answer) == "A (m) = C (w)\n`-- B (w) = D (m)\n    `-- E (m)"
    assert FAMILY.draw(example.puzzle, example.answer).startswith("<svg")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blood_relations generations=5\npeople: A, B, C", "generations=2, 3 or 4"),
        ("blood_relations\nfather(A, B)", "a second line such as"),
        ("blood_relations\npeople: A, B", "3 to 10 people"),
        ("blood_relations\npeople: A, B, B", "the same name"),
        ("blood_relations\npeople: A, B, C\nfather(A, D)", "'D' is nobody"),
        ("blood_relations\npeople: A, B, C\nfather(A, A)", "two different people"),
        ("blood_relations\npeople: A, B, C\nboss(A, B)", "unknown statement 'boss'"),
        ("blood_relations\npeople: A, B, C\nsons(A, 9)", "a number up to 3"),
        ("blood_relations\npeople: A, B, C\nman(A, B)", "takes 1 people"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, message: str) -> None:
    """A slip in a puzzle written by hand is read as something else."""
    with pytest.raises(BadRow, match=message):
        FAMILY.text.parse(lines_of(text))
