"""Binario (also Takuzu, Binairo, Unruly, Tohu-Wa-Vohu).

Fill the grid with 0 and 1:
  balance   every row, and every column, holds as many 0s as 1s;
  triples   no three equal digits stand next to each other in a row or a column;
  distinct  no two rows are equal, and no two columns (only under the rule "distinct");
  a given   stays as it is.
With `extras`, a puzzle has extra constraints besides its givens, drawn for it and stated in words (rules/lines.py lists their
kinds); none of them can be left out. Grids are drawn without them, and they are chosen from what is true of the grid: draws stay
even. Source: Adolfo Zanellati, "Tohu wa Vohu"; with distinct lines as "Binairo" by Peter De Schepper and Frank Coussement (2009).
Seen in HardcoreLogic (2510.12563), appendix B; the search space is 2 ** blanks as in its table 5. broken_rules returns the names
above, the ids of clues, or "malformed".

Two puzzles are the same up to symmetry if turning, mirroring or swapping 0 and 1 carries one to the other. Short lines have more
symmetries than these: in lines of 4 balance implies triples, so lines that cross them may change places at will, and lines of 6
are legal exactly if they are so read as a ring. From 8 cells on there are none (all found by listing; see the tests). Most extra
constraints speak of places, so puzzles that have any are compared by turning, mirroring and swapping alone.
Known limit: the walk that draws large grids is even in the limit only (solvers/kernels/lines.py states what was measured).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import Any, TypeVar, final

from puzzlemill import family as f
from puzzlemill.core import checks
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import LinesTable
from puzzlemill.core.pictures import FOUND, GIVEN, INK, MARK
from puzzlemill.core.words import NUMBERS
from puzzlemill.generators._binario import GivensAndExtras, capacity, solutions, true_extras
from puzzlemill.rules.lines import Constraint, Turn, parse, value_noun

BinarioPuzzle = f.Puzzle["Params", f.NoBoard]

SMALLEST, LARGEST = 4, 20
DISTINCT = f.Rule("distinct")
MOST_EXTRAS = 12
_PATTERNS = {4: 6, 6: 14}  # legal lines of these lengths: no more lines that cross them can be distinct; 8 cells have 34
_SHADE = "#ececec"  # ground of givens


@f.params
class Params:
    """givens: leaving out clues stops at this many; where fewer than are needed are asked for, more stay. 0: a minimal set.

    extras: about so many extra constraints, at least one. Each stays needed, and there may be fewer givens for that.
    """

    rows: int = f.Param(8, among=range(SMALLEST, LARGEST + 1, 2))
    cols: int = f.Param(8, among=range(SMALLEST, LARGEST + 1, 2))
    givens: int = f.Param(0, least=0, most=lambda p: p.rows * p.cols - 1)
    extras: int = f.Param(0, least=0, most=MOST_EXTRAS)


_FORM = f.GridForm("rows", "cols", 2, "Give the completed grid row by row, from top to bottom, with the given cells included.")
_CLUES = GivensAndExtras(_FORM, field="givens")


@final
@dataclass(frozen=True, slots=True)
class ExtraConstraints(f.Transform):
    """The parent's answer in a new puzzle with extra constraints, which take the place of givens."""

    name: str = "extra_constraint"
    kind: f.Kind = f.Kind.IC2
    relation: f.Relation = f.Relation.RULE
    pairing: f.Pairing = f.Pairing.SAME_ANSWER
    extras: int = 3
    args: tuple[str, ...] = ("extras",)
    about: str = "fewer givens, and constraints on lines and groups of cells"

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        return family.name == Binario.name and not spec.params.extras and 0 < self.extras <= MOST_EXTRAS

    def before(self, family: AnyFamily, spec: f.Spec[Any], rng: f.Rng) -> f.Spec[Any]:
        return replace(spec, params=replace(spec.params, extras=self.extras))


class Text(f.TextForm["Params", f.NoBoard]):
    """A line for each row, of 0, 1 and dots, and then one for each extra constraint, as docs/formats.md writes them."""

    def parse(self, lines: Sequence[f.Line]) -> BinarioPuzzle:
        options = f.heading(lines, self.family.name, ("distinct",))
        body = [(line, line.text.replace(" ", "")) for line in lines[1:]]
        rows = [(line, text) for line, text in body if not text.strip("01._")]
        if rows != body[: len(rows)]:
            raise rows[-1][0].bad(0, "expected all rows of the grid before the extra constraints")
        height, width = len(rows), len(rows[0][1]) if rows else 0
        for name, size in (("rows", height), ("columns", width)):
            if size % 2 or not 2 <= size <= LARGEST:
                raise lines[0].bad(0, f"expected an even number of {name} of 0, 1 or ., 2 to {LARGEST}, got {size}")
        extras = body[height:]
        if len(extras) > MOST_EXTRAS:
            raise extras[MOST_EXTRAS][0].bad(0, f"at most {MOST_EXTRAS} extra constraints are read")
        spec = f.Spec(Params(height, width, 0, len(extras)), tuple([f.Rule(name) for name in options]))
        clues = []
        for r, (line, text) in enumerate(rows):
            if len(text) != width:
                raise line.bad(0, f"expected {width} cells as in the first row, got {len(text)}")
            clues += [_CLUES.at(spec, r * width + c, int(sign)) for c, sign in enumerate(text) if sign in "01"]
        for number, (line, text) in enumerate(extras, 1):
            clues.append(_extra_of(spec, line, text, f"x{number}"))
        puzzle: BinarioPuzzle = self.family.puzzle(spec, clues)
        return puzzle

    def format(self, puzzle: BinarioPuzzle) -> str:
        spec, shown = puzzle.spec, _CLUES.given_slots(puzzle)
        if len(set(shown)) < len(shown):
            raise f.BadRow("binario: the text form has no way to give a cell twice")
        lines = [" ".join([self.family.name, *[rule.name for rule in spec.rules]]), *_drawing(puzzle)]
        lines += [_CLUES.constraint_of(spec, clue).text() for clue in _CLUES.extras(puzzle)]
        return "\n".join(lines) + "\n"


def _extra_of(spec: f.Spec[Params], line: f.Line, text: str, name: str) -> f.Clue:
    """An extra constraint in its text form, with this id."""
    rows, cols, found = spec.params.rows, spec.params.cols, parse(text)
    if found is None:
        raise line.bad(0, f"expected a row of 0, 1 and ., or a constraint such as r1c2 != r3c4 or row1 = row3, got {text[:40]!r}")
    if not found.fits(rows, cols):
        raise line.bad(0, f"{text[:40]!r} does not fit {rows} rows and {cols} columns, or names what cannot be compared")
    return f.Clue(name, found.kind, found.args(cols))


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Binario(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    """One slot per cell, row by row."""

    name, version, title = "binario", 1, "Binario"
    source = 'Adolfo Zanellati, "Tohu wa Vohu"; Peter De Schepper and Frank Coussement, "Binairo" (2009)'
    params, answer, form, clues, text, symbols = Params, f.Grid, _FORM, _CLUES, Text(), ("0", "1")
    rules = f.declared(f.OptionalRule("distinct"))
    transforms = (ExtraConstraints(), f.AddRule("distinct", f.Kind.IC2, about="no two rows and no two columns are equal"))
    small = f.SmallClasses(capacity, solutions=solutions)
    smallest = (
        f.Spec(Params(4, 4)),
        f.Spec(Params(4, 6)),
        f.Spec(Params(4, 4), (DISTINCT,)),
        f.Spec(Params(4, 6), (DISTINCT,)),
        f.Spec(Params(4, 4, 0, 4)),
        f.Spec(Params(4, 6, 0, 3), (DISTINCT,)),
    )
    worked = (
        (
            "binario distinct\n.1.0\n..0.\n.0..\n11.0",
            "0110\n1001\n0011\n1100",
            'Wikipedia, "Takuzu", the article\'s example',
        ),
        (
            "binario\n..11....\n1...0..1\n..0.....\n...1..11\n1.0.....\n1.....1.",
            "00110101\n10100101\n01011010\n00110011\n11001100\n11001010",
            "Simon Tatham's Portable Puzzle Collection, Unruly, game 8x6dn#1",
        ),
        (
            "binario distinct\n.0.....0\n1....1..\n........\n.....1.0\n...0....\n..00...0",
            "00110110\n10100101\n01011001\n01010110\n10101001\n11001010",
            "Simon Tatham's Portable Puzzle Collection, Unruly with unique rows and columns, game 8x6udn#1, second puzzle",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        rows, cols, givens = spec.params.rows, spec.params.cols, spec.params.givens
        if not spec.rules:
            return
        if givens > rows * cols - 4:
            raise f.BadParams(
                f"binario.givens must be at most {rows * cols - 4} under distinct, since two lines that the rule keeps apart "
                f"cross two others in four open cells, got {givens}; set family.params.givens, or family.rules=[]"
            )
        for name, crossing, length in (("cols", cols, rows), ("rows", rows, cols)):
            if crossing > _PATTERNS.get(length, LARGEST):
                raise f.BadParams(
                    f"binario.{name} must be at most {_PATTERNS[length]} under distinct, since so many legal lines have "
                    f"{length} cells, got {crossing}; set family.params.{name}, or family.rules=[]"
                )

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> f.Draft[Params, f.NoBoard, f.Grid, f.Grid]:
        givens = _CLUES.true(spec, _FORM.values(spec, f.NoBoard(), hidden))
        return f.Draft(self.puzzle(spec, (*givens, *true_extras(spec, hidden, rng))), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """Two more rows and columns; of the cells the same share is given."""
        rows, cols, givens = spec.params.rows, spec.params.cols, spec.params.givens
        grown = givens * (rows + 2) * (cols + 2) // (rows * cols)
        wanted = replace(spec, params=replace(spec.params, rows=rows + 2, cols=cols + 2, givens=grown))
        return wanted if f.valid(self, wanted) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        m = f.Constraints()
        rows, cols = spec.params.rows, spec.params.cols
        one = [[m.slot(2)[1] for _ in range(cols)] for _ in range(rows)]  # one[r][c]: the cell holds a 1
        across, down = one, [list(column) for column in zip(*one, strict=True)]
        for line in (*across, *down):
            m.exactly(line, len(line) // 2, label="balance")
            for a, b, c in zip(line, line[1:], line[2:], strict=False):
                m.require(a, b, c, label="triples")
                m.require(-a, -b, -c, label="triples")
        if spec.rule("distinct"):
            for lines in (across, down):
                for first, second in combinations(lines, 2):
                    differ = [m.var() for _ in first]  # differ[i] -> the lines differ in cell i
                    for d, a, b in zip(differ, first, second, strict=True):
                        m.require(-d, a, b, label="distinct")
                        m.require(-d, -a, -b, label="distinct")
                    m.require(*differ, label="distinct")
        return m

    def table(self, puzzle: BinarioPuzzle) -> LinesTable:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        clues = [each.encoded(rows, cols) if isinstance(each, Constraint) else each for each in _CLUES.read(puzzle)]
        return LinesTable(rows, cols, puzzle.spec.rule("distinct") is not None, tuple(clues))

    def broken_rules(self, puzzle: BinarioPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        spec = puzzle.spec
        if not _FORM.fits(spec, answer, partial):
            return [f.MALFORMED]
        # as text, since this is asked very often: "." is a blank
        across = ["".join(["01."[v] for v in row]) for row in answer]
        down = ["".join(column) for column in zip(*across, strict=True)]
        broken = []
        if any(2 * line.count("0") > len(line) or 2 * line.count("1") > len(line) for line in across + down):
            broken.append("balance")
        if any("000" in line or "111" in line for line in across + down):
            broken.append("triples")
        if spec.rule("distinct"):
            for lines in (across, down):
                complete = [line for line in lines if "." not in line]
                if len(set(complete)) < len(complete):
                    broken.append("distinct")
                    break
        text = "".join(across)
        for clue, each in zip(puzzle.clues, _CLUES.read(puzzle), strict=True):
            if each.broken(across, down) if isinstance(each, Constraint) else text[each[0]] not in (".", "01"[each[1]]):
                broken.append(clue.id)
        return broken

    def symmetry(self, puzzle: BinarioPuzzle) -> str:
        """The least drawing of the givens, and list of extra constraints, among all that a symmetry makes of them."""
        if _CLUES.extras(puzzle):
            return _least_with_extras(puzzle)
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        across = _drawing(puzzle)
        down = ["".join(column) for column in zip(*across, strict=True)]
        # columns of the shorter side are compared; both ways round if the grid is square
        sides = [down] if rows < cols else [across] if rows > cols else [down, across]
        least = min([_least(side) for side in sides] + [_least([line.translate(_SWAP) for line in side]) for side in sides])
        named = ",".join([rule.name for rule in puzzle.spec.rules])
        return f"{min(rows, cols)}x{max(rows, cols)} {named} {' '.join(least)}"

    def solution(self, spec: f.Spec[Params], answer: f.Grid) -> str:
        """As for a puzzle of which all is given, whatever rules are in force: they have the same symmetries."""
        plain: f.Spec[Params] = f.Spec(spec.params)
        return self.symmetry(self.puzzle(plain, _CLUES.true(plain, _FORM.values(plain, f.NoBoard(), answer))))

    # ---- text

    def render(self, puzzle: BinarioPuzzle) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        voice, extras = f.Voice.of(self, puzzle), [clue for clue in puzzle.clues_in_order() if clue.kind != "given"]
        labels = ["balance", "triples", *[rule.name for rule in puzzle.spec.rules]]
        task = [voice.says("task", rows=rows, cols=cols, **_nouns(puzzle))]
        if _CLUES.given_slots(puzzle):
            task.append(voice.says("given", **_nouns(puzzle)))
        if extras:
            own, last = len(labels), len(labels) + len(extras)
            which = f"Rule {last} is" if last == own + 1 else f"Rules {own + 1} {'and' if last == own + 2 else 'to'} {last} are"
            slot = ("own_one" if len(extras) == 1 else "own_many") if voice.number else "own"
            task.append(voice.says(slot, which=which, count=NUMBERS[len(extras)]))
        rules = [self.describe(puzzle, label) for label in [*labels, *[clue.id for clue in extras]]]
        return voice.prompt(" ".join(task), rules, voice.grid(_CLUES.texts(puzzle, ""), cols, "an empty cell"))

    def describe(self, puzzle: BinarioPuzzle, label: str) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        zero, one = puzzle.style.symbols
        clue = puzzle.clue(label)
        if clue is not None and clue.kind == "given":
            cell, value = _CLUES.placed(puzzle.spec, clue)
            return f"Row {cell // cols + 1} column {cell % cols + 1} holds {puzzle.style.symbols[value]}."
        if clue is not None:
            voice = f.Voice.of(self, puzzle)
            return _CLUES.constraint_of(puzzle.spec, clue).says(zero, one, 0 if voice.short else voice.number)
        if label not in ("balance", "triples", "distinct"):
            return label

        def half(length: int) -> str:
            return f"{NUMBERS[length // 2]} {zero}s and {NUMBERS[length // 2]} {one}s"

        slot = "balance_square" if label == "balance" and rows == cols else label
        return f.Voice.of(self, puzzle).says(slot, half=half(cols), across=half(cols), down=half(rows), **_nouns(puzzle))

    def words(self, puzzle: BinarioPuzzle) -> f.Words:
        return f.Words(
            value=puzzle.style.symbols.__getitem__,
            clue=lambda i: self.describe(puzzle, puzzle.clues[i].id).rstrip("."),
            noun=value_noun(*puzzle.style.symbols),
            voice=puzzle.style.phrasing,
        )

    def checks(self, puzzle: BinarioPuzzle, answer: f.Grid) -> list[str]:
        """Besides the lines, that they differ where they must, and what each extra constraint comes to."""
        symbols, voice = puzzle.style.symbols, f.Voice.of(self, puzzle)
        said = checks.halves(answer, symbols, value_noun(*symbols))
        if puzzle.spec.rule("distinct") is not None:
            said.append("No two rows are equal, and no two columns are.")
        across = ["".join(["01"[v] for v in row]) for row in answer]
        down = ["".join(column) for column in zip(*across, strict=True)]
        constraints = [_CLUES.constraint_of(puzzle.spec, clue) for clue in _CLUES.extras(puzzle)]
        zero, one = symbols
        return said + [each.checked(across, down, zero, one, 0 if voice.short else voice.number) for each in constraints]

    def draw(self, puzzle: BinarioPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        spec, symbols = puzzle.spec, puzzle.style.symbols
        picture = f.Board(spec.params.rows, spec.params.cols)
        shown = _CLUES.shown(puzzle)
        picture.tint([cell for cell, value in enumerate(shown) if value != f.BLANK], _SHADE)
        for clue, each in zip(puzzle.clues, _CLUES.read(puzzle), strict=True):
            if clue.id in marked:
                shapes = each.shapes if isinstance(each, Constraint) else ()
                cells = [cell for shape in shapes for cell in shape.cells(spec.params.rows, spec.params.cols)]
                picture.tint([each[0]] if isinstance(each, tuple) else cells, MARK)
        for cell, value in enumerate(shown if answer is None else _FORM.values(spec, puzzle.board, answer)):
            if value != f.BLANK:
                picture.text(cell, symbols[value], FOUND if shown[cell] == f.BLANK else GIVEN)
        captions = [clue.id for clue in puzzle.clues_in_order() if clue.kind != "given"]
        for label in [*captions, *[rule for rule in ("balance", "triples", "distinct") if rule in marked]]:
            picture.caption(f"\u2022 {self.describe(puzzle, label)}", label in marked, INK)
        return picture.svg()


def _nouns(puzzle: BinarioPuzzle) -> dict[str, str]:
    zero, one = puzzle.style.symbols
    return {"zero": zero, "one": one, "noun": value_noun(zero, one)}


def _drawing(puzzle: BinarioPuzzle) -> list[str]:
    """The givens, as a text for each row."""
    cols = puzzle.spec.params.cols
    signs = "".join(["01."[value] for value in _CLUES.shown(puzzle)])
    return [signs[start : start + cols] for start in range(0, len(signs), cols)]


# ---- symmetries -----------------------------------------------------------------------------------------------------

_SWAP = str.maketrans("01", "10")
S = TypeVar("S", str, list[str])


def _ring(items: S) -> list[S]:
    """All ways to read items as a ring, from anywhere and both ways round."""
    twice, n = items + items, len(items)
    back = twice[::-1]
    return [twice[i : i + n] for i in range(n)] + [back[i : i + n] for i in range(n)]


def _turned(line: str) -> list[str]:
    """The line in every order of its cells that keeps legal lines legal."""
    if len(line) == 4:
        return ["".join(cells) for cells in permutations(line)]
    return _ring(line) if len(line) == 6 else [line, line[::-1]]


def _least(lines: list[str]) -> list[str]:
    """The least list that a symmetry of the grid makes of these parallel lines, leaving values alone and lines parallel."""
    found = []
    for turned in zip(*[_turned(line) for line in lines], strict=True):
        order = list(turned)
        found.append(sorted(order) if len(order) == 4 else min(_ring(order) if len(order) == 6 else [order, order[::-1]]))
    return min(found)


def _least_with_extras(puzzle: BinarioPuzzle) -> str:
    """The symmetry of a puzzle with extra constraints."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    drawing = _drawing(puzzle)
    extras = [_CLUES.constraint_of(puzzle.spec, clue) for clue in _CLUES.extras(puzzle)]
    found = []
    for upside, behind, over, swap in product((False, True), repeat=4):
        if over != (rows > cols) and rows != cols:
            continue  # the shorter side is the left one
        lines = [line[:: -1 if behind else 1] for line in drawing][:: -1 if upside else 1]
        if over:
            lines = ["".join(column) for column in zip(*lines, strict=True)]
        text = " ".join(lines)
        turn = Turn(rows, cols, upside, behind, over, swap)
        turned = sorted([(each.kind, each.turned(turn).args(rows if over else cols)) for each in extras])
        found.append((text.translate(_SWAP) if swap else text, turned))
    text, turned = min(found)
    named = ",".join([rule.name for rule in puzzle.spec.rules])
    listed = " ".join([f"{kind}({','.join(map(str, args))})" for kind, args in turned])
    return f"{min(rows, cols)}x{max(rows, cols)} {named} {text} {listed}"


FAMILY = Binario()
