"""Crosswords as clauses, and by the plain checker: written apart."""

from __future__ import annotations

from puzzlemill import family as f
from puzzlemill.generators._crossword import MARKED, UNKNOWN, Answer, Board, CrosswordPuzzle, Params, fitted, grid, lists, marking
from puzzlemill.rules.clued import LETTERS


def model(spec: f.Spec[Params], board: Board) -> f.Constraints:
    """A slot for each cell; a further one for each entry, whose values are its words, in their order."""
    m = f.Constraints(spare=("list",))
    laid = grid(board)
    cells = [m.slot(len(LETTERS)) for _ in laid.places]
    known = lists(board, spec.params.lexicon)
    for entry, same in zip(laid.entries, known, strict=True):
        held = tuple([m.var() for _ in same])  # two of them would want two letters in one cell
        m.require(*held, label="list")
        for word, literal in zip(same, held, strict=True):
            for cell, letter in zip(entry.cells, word, strict=True):
                m.require(-literal, cells[cell][LETTERS.index(letter)])
        m.also.append(held)
    for e, same in enumerate(known):
        for other in range(e):
            if known[other] is same or known[other] == same:
                for one, two in zip(m.also[e], m.also[other], strict=True):
                    m.require(-one, -two, label="different")
    marked, spelt = marking(spec, board)
    ways = [m.var() for _ in spelt]
    for word, literal in zip(spelt, ways, strict=True):
        for cell, letter in zip(marked, word, strict=True):
            m.require(-literal, cells[cell][LETTERS.index(letter)])
    if marked:
        m.require(*ways, label=MARKED)
        m.also.append(tuple(ways))
    return m


def broken(puzzle: CrosswordPuzzle, answer: Answer, partial: bool) -> list[str]:
    """Names of rules and ids of clues that the words break; see Family.broken_rules."""
    entries = grid(puzzle.board).entries
    if not isinstance(answer, tuple) or len(answer) != len(entries):
        return [f.MALFORMED]
    for entry, word in zip(entries, answer, strict=True):
        if not isinstance(word, str) or len(word) != len(entry.cells) or word.strip(LETTERS + UNKNOWN * partial):
            return [f.MALFORMED]
    found = []
    signs: dict[int, set[str]] = {}
    for entry, word in zip(entries, answer, strict=True):
        for cell, sign in zip(entry.cells, word, strict=True):
            if sign != UNKNOWN:
                signs.setdefault(cell, set()).add(sign)
    if any(len(there) > 1 for there in signs.values()):
        found.append("crossing")
    whole = [word for word in answer if UNKNOWN not in word]
    if len(set(whole)) < len(whole):
        found.append("different")
    said, letters = fitted(puzzle)
    clued_entries = {e for _, e, _ in said}
    for e, same in enumerate(lists(puzzle.board, puzzle.spec.params.lexicon)):
        if e not in clued_entries and not any(_agrees(answer[e], word) for word in same):
            found.append("list")
            break
    marked, spelt = marking(puzzle.spec, puzzle.board)
    read = "".join([min(signs.get(cell, {UNKNOWN})) for cell in marked])
    if marked and not any(_agrees(read, word) for word in spelt):
        found.append(MARKED)
    found += [clue.id for clue, e, told in said if not any(_agrees(answer[e], word) for word in told.carriers)]
    found += [clue.id for clue, cell, value in letters if signs.get(cell, {LETTERS[value]}) != {LETTERS[value]}]
    return found


def _agrees(known: str, word: str) -> bool:
    """Return whether a word has the letters that are known."""
    return all(sign in (UNKNOWN, letter) for sign, letter in zip(known, word, strict=True))
