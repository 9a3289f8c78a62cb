"""Crossword: words cross in a grid with blocks, and each has a clue.

  different   no two words of the grid are the same
  list        a word without any line of its own is a word of the list
  marked      (optional) the letters of the marked cells, row by row, spell one of the words that the board lists for them
A clue is a rule of its own: the word is one of its *carriers*, all words of the declared band and of this length that the
lexicon says the clue is true of. They travel in the row, so that a scorer needs no lexicon. Clues are knowledge, not logic: what
is proved is that the fill is valid, that each word carries its clue in the lexicon, and that no other fill does so, where
crossings agree and words differ. Who knows a word that fits a clue and is no carrier has another lexicon; the crossings decide.

style is lattice (every second cell of a word is crossed) or checked (every cell is, and one cell in five is a block at most).
Blocks are drawn pair by pair, symmetric under a half turn; the fill is a random dive of the kernel, and clues are exchanged until
one fill is left: neither is an even draw. Blocks say nothing of the words but their lengths.
Source: Arthur Wynne, New York World, 1913; the two styles are those of British and American newspapers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from json import dumps
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import FillTable
from puzzlemill.core.pictures import FOUND, GIVEN, MARK, SHADES
from puzzlemill.generators._crossword import (
    CRYPTIC,
    MARKED,
    MOST,
    Answer,
    Board,
    CrosswordPuzzle,
    Form,
    Params,
    Told,
    fitted,
    grid,
    least_themed,
    lists,
    marking,
)
from puzzlemill.generators._crossword_draw import Secret, made
from puzzlemill.generators._crossword_edits import EDITS
from puzzlemill.generators._crossword_grid import CHECKED, LATTICE
from puzzlemill.generators._crossword_model import broken, model
from puzzlemill.generators._crossword_text import Text
from puzzlemill.rules.clued import LETTERS
from puzzlemill.rules.crosswords_prompt import remark, remarks, told
from puzzlemill.vocabulary.wordings import FIRST, LAST

FORM = Form()
LARGEST_CHECKED = 10  # rows of a grid in which every cell is crossed


# ---- other texts --------------------------------------------------------------------------------------------------------


def _worded(puzzle: CrosswordPuzzle, rng: f.Rng) -> f.Style:
    now = puzzle.style.phrasing
    while True:
        voice = rng.between(FIRST, LAST) * (-1 if now < 0 else 1)
        if voice != now:
            return replace(puzzle.style, phrasing=voice)


def _red_herring(puzzle: CrosswordPuzzle, rng: f.Rng) -> f.Style:
    said, _ = fitted(puzzle)
    clue, _, _ = rng.pick(said)
    return replace(puzzle.style, asides=((0, remark(clue.id, rng.child("remark"))),))


def _set(name: str, kind: f.Kind, relation: f.Relation, about: str, **values: int | bool | str) -> f.SetParam:
    return f.SetParam(name, kind, relation, f.Pairing.NONE, tuple(values.items()), about)


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Crossword(f.Family[Params, Board, Secret | Answer, Answer]):
    name, version, title = "crossword", 1, "Crossword"
    source = "Arthur Wynne, New York World, 1913; sizes after LR2Bench"
    params, board, answer, form, clues, text = Params, Board, Answer, FORM, Told(), Text()
    rules = f.declared(f.OptionalRule(MARKED))
    transforms = (
        f.AddRule(MARKED, about="the letters of marked cells spell one of several words, which the clues alone do not decide"),
        _set("cryptic_clues", f.Kind.UE1, f.Relation.FORM, "anagrams and hidden words are the only clues", sorts=CRYPTIC),
        _set("rare_words", f.Kind.IC1, f.Relation.RESIZE, "words of the whole list", lexicon="rare"),
        *EDITS,
        _set("unclued", f.Kind.IC2, f.Relation.EDIT, "a word without a clue, which its crossings tell", unclued=1),
        _set("fully_checked", f.Kind.UE1, f.Relation.FORM, "every cell is in two words", style=CHECKED),
        f.surface("reworded", _worded, "the same puzzle in other words"),
        f.surface("red_herring", _red_herring, "a remark that says nothing of the words"),
    )
    smallest = (
        f.Spec(Params(3, vague=100)),
        f.Spec(Params(3, CHECKED, "known")),
        f.Spec(Params(5, letters=20)),
        f.Spec(Params(5, sorts=CRYPTIC, lexicon="known")),
        f.Spec(Params(5, CHECKED, "known", unclued=1)),
        f.Spec(Params(5), (f.Rule(MARKED),)),
    )
    worked = (
        (
            "crossword\n*...*\n.....\n.....\n.....\n....*\n1-Across definition: Place for a rest cure = SPA\n"
            "4-Across definition: What a hound follows = SCENT TRAIL\n6-Across definition: What a freighter carries = CARGO\n"
            "7-Across synonyms: Come up = ARISE OCCUR\n8-Across definition: It goes round the waist = BELT SASH\n"
            "1-Down synonyms: Frighten = ALARM SCARE\n2-Down synonyms: Danger = PERIL\n"
            "3-Down definition: Deep worry = ANGST DREAD\n4-Down definition: Cover of a healing cut = SCAB\n"
            "5-Down definition: One of ten on two feet = TOE",
            "1-Across|SPA\n4-Across|SCENT\n6-Across|CARGO\n7-Across|ARISE\n8-Across|BELT\n1-Down|SCARE\n2-Down|PERIL\n3-Down|ANGST\n"
            "4-Down|SCAB\n5-Down|TOE",
            "the grid of LR2Bench, appendix A.1, with other words, by hand: 1-Across and 2-Down leave SCARE and ARISE",
        ),
        (
            "crossword\n...\n.*.\n...\n1-Across definition: Small sum for a waiter = TIP\n3-Across kind: Squirrel's food = NUT\n"
            "1-Down definition: Number of fingers = TEN\n2-Down kind: Animal kept at home = CAT DOG PET",
            "1-Across|TIP\n3-Across|NUT\n1-Down|TEN\n2-Down|PET",
            "by hand: of the animals only PET begins with the P of TIP and ends with the T of NUT",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        if p.style == LATTICE and p.size == 4:
            raise f.BadParams("crossword.size must not be 4 where style is lattice, since no such grid has words of 3 letters")
        if p.style == CHECKED and p.size > LARGEST_CHECKED:
            raise f.BadParams(
                f"crossword.size must be 3 to {LARGEST_CHECKED} where style is checked, got {p.size}; "
                "set family.params.style=lattice"
            )
        if p.unclued and p.style != CHECKED:
            raise f.BadParams(
                f"crossword.unclued must be 0 where style is lattice, got {p.unclued}; set family.params.style=checked"
            )
        if p.sorts == CRYPTIC and (p.style == CHECKED or p.theme != "any"):
            raise f.BadParams(
                "crossword.sorts must be all where style is checked or there is a theme; leave family.params.sorts out"
            )
        if spec.rule(MARKED) and (p.style == CHECKED or p.size < 5):  # words that cells cross singly leave nothing to a rule
            raise f.BadParams(
                f"crossword.style must be lattice and size 5 or more under rule {MARKED}; leave family.rules or "
                "family.params.style out"
            )
        if spec.rule(MARKED) and p.sorts == CRYPTIC:
            raise f.BadParams(f"crossword.sorts must be all under rule {MARKED}; leave family.rules or family.params.sorts out")

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
        return made(self, spec, rng, oracle)

    def make_puzzle(
        self, spec: f.Spec[Params], hidden: Secret | Answer, rng: f.Rng
    ) -> f.Draft[Params, Board, Secret | Answer, Answer]:
        if not isinstance(hidden, Secret):
            raise f.BadRow("crossword: the words alone say nothing of their grid")
        return f.Draft(self.puzzle(spec, hidden.clues, hidden.board), hidden.answer, hidden.answer)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """Two rows more: a lattice with an even number of rows is another kind of grid."""
        size = spec.params.size + (2 if spec.params.style == LATTICE else 1)
        most = MOST if spec.params.style == LATTICE else LARGEST_CHECKED
        return replace(spec, params=replace(spec.params, size=size)) if size <= most else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> f.Constraints:
        return model(spec, board)

    def table(self, puzzle: CrosswordPuzzle) -> FillTable:
        laid, said = grid(puzzle.board), fitted(puzzle)
        free = lists(puzzle.board, puzzle.spec.params.lexicon)
        held = list(free)
        for _, e, told_of in said[0]:
            held[e] = told_of.carriers if held[e] is free[e] else tuple([w for w in held[e] if w in told_of.carriers])
        about = {clue.id: e for clue, e, _ in said[0]} | {clue.id: -1 - cell for clue, cell, _ in said[1]}
        marked, spelt = marking(puzzle.spec, puzzle.board)
        further = ((marked, spelt),) if marked else ()
        return FillTable(
            len(laid.places),
            (*[entry.cells for entry in laid.entries], *[cells for cells, _ in further]),
            (*held, *[words for _, words in further]),
            (*free, *[words for _, words in further]),
            tuple([(cell, value) for _, cell, value in said[1]]),
            tuple([about[clue.id] for clue in puzzle.clues]),
            (MARKED,) * len(further),
        )

    def broken_rules(self, puzzle: CrosswordPuzzle, answer: Answer, partial: bool = False) -> list[str]:
        return broken(puzzle, answer, partial)

    def paper_bound(self, puzzle: CrosswordPuzzle) -> str:
        rows = puzzle.board.pattern
        return f"26 x {len(rows)} x {len(rows[0])}"

    def symmetry(self, puzzle: CrosswordPuzzle) -> str:
        """Across and down may change places, unless the marked cells are read in another order then."""
        said, letters = fitted(puzzle)
        laid, rows = grid(puzzle.board), puzzle.board.pattern
        used = {e for _, e, _ in said}
        words = [] if len(used) == len(laid.entries) else list(puzzle.board.words)
        forms = []
        marked, spelt = marking(puzzle.spec, puzzle.board)
        for turned in (False, True):
            at = [(c, r) if turned else (r, c) for r, c in laid.places]
            cells = [sorted([at[cell] for cell in entry.cells]) for entry in laid.entries]
            pattern = ["".join(column) for column in zip(*rows, strict=True)] if turned else list(rows)
            clues = sorted([[cells[e], each.sort, each.text, each.carriers] for _, e, each in said])
            forms.append(
                dumps(
                    [
                        pattern,
                        clues,
                        sorted([(at[cell], value) for _, cell, value in letters]),
                        words,
                        [at[cell] for cell in marked],
                        spelt,
                    ]
                )
            )
        return min(forms)

    # ---- text

    def render(self, puzzle: CrosswordPuzzle) -> str:
        if not all(place == 0 and text in remarks(puzzle.clues) for place, text in puzzle.style.asides):
            raise f.BadRow(f"style.asides: expected remarks about words of the grid, got {str(puzzle.style.asides)[:60]}")
        themed = least_themed(puzzle.spec.params, puzzle.board.pattern)
        voice = f.Voice(self.name, puzzle.style.phrasing, self.title)
        return told(puzzle, grid(puzzle.board), *fitted(puzzle), marking(puzzle.spec, puzzle.board), themed, voice)

    def describe(self, puzzle: CrosswordPuzzle, label: str) -> str:
        if label == MARKED and (marked := marking(puzzle.spec, puzzle.board))[0]:
            return f"The marked cells spell {f.listed(marked[1], 'or')}."
        if label in ("different", "list", "crossing"):
            return {
                "different": "No two words are the same.",
                "list": "Every word is in the list.",
                "crossing": "Words share the letters of the cells where they cross.",
            }[label]
        clue = puzzle.clue(label)
        if clue is None:
            raise f.BadRow(f"crossword: {label[:40]!r} is no clue or rule; expected 1-Across, ..., r1c1, ..., different or list")
        said, letters = fitted(replace(puzzle, clues=(clue,)))
        if letters:
            r, c = grid(puzzle.board).places[letters[0][1]]
            return f"Row {r + 1} column {c + 1} holds {LETTERS[letters[0][2]]}."
        _, e, each = said[0]
        entry = grid(puzzle.board).entries[e]
        return f'The clue of {entry.label} is "{each.text}" ({len(entry.cells)}).' if each.text else f"{entry.label} has no clue."

    def words(self, puzzle: CrosswordPuzzle) -> f.Words:
        laid = grid(puzzle.board)
        return f.Words(
            cell=lambda cell: "row {} column {}".format(*[at + 1 for at in laid.places[cell]]),
            value=lambda value: LETTERS[value],
            unit=lambda e: laid.entries[e].label if e < len(laid.entries) else "the marked word",
            ids=tuple([clue.id for clue in puzzle.clues]),
            noun="letter",
            voice=puzzle.style.phrasing,
        )

    def draw(self, puzzle: CrosswordPuzzle, answer: Answer | None = None, marked: Collection[str] = ()) -> str:
        """The grid with blocks, numbers and letters; marked words are tinted, and their clues stand below."""
        laid, rows = grid(puzzle.board), puzzle.board.pattern
        cols = len(rows[0])
        at = [r * cols + c for r, c in laid.places]
        picture = f.Board(len(rows), cols)
        picture.tint([r * cols + c for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#"], "#222")
        said, letters = fitted(puzzle)
        picture.tint([at[cell] for clue, e, _ in said if clue.id in marked for cell in laid.entries[e].cells], MARK)
        picture.tint([at[cell] for clue, cell, _ in letters if clue.id in marked], MARK)
        picture.tint([at[cell] for cell in marking(puzzle.spec, puzzle.board)[0]], MARK if MARKED in marked else SHADES[0])
        shown = {cell: value for _, cell, value in letters}
        values = FORM.values(puzzle.spec, puzzle.board, answer) if answer is not None else (f.BLANK,) * len(at)
        for cell, value in enumerate(values):
            if (letter := shown.get(cell, value)) != f.BLANK:
                picture.text(at[cell], LETTERS[letter], GIVEN if cell in shown else FOUND)
        for (r, c), number in laid.numbers.items():
            picture.corner(r * cols + c, str(number))
        for label in marked:
            picture.caption(self.describe(puzzle, label), marked=True)
        return picture.svg()


FAMILY = Crossword()
