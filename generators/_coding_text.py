"""Puzzles of coding as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from puzzlemill import family as f
from puzzlemill.generators._coding import LEAST, MOST, TASKS, Board, CodingPuzzle, Params, samples, shown, texts
from puzzlemill.rules import codes, codes_space, conditions, phrases
from puzzlemill.rules.codes_space import signs_of, word_of
from puzzlemill.rules.conditions import SIGNS, Case

_LISTS = ("words:", "codes:")
_TESTS, _DONE = ("ends", "letter", "vowels"), ("exchange", "copy", "mark", "backwards")


class Text(f.TextForm[Params, Board]):
    """Lines WORD = CODE, with ? for what is asked in the last one. Of sentences, lines words: and codes: may list all of them; of
    conditions there are lines codes: ... and if ...: ...
    """

    def parse(self, lines: Sequence[f.Line]) -> CodingPuzzle:
        options = f.heading(lines, self.family.name, ("chained",), ("task",))
        task = options.get("task", "letters")
        if task not in TASKS or len(lines) < 3 or ("chained" in options and task != "conditions"):
            raise lines[0].bad(0, f"expected task={'|'.join(TASKS)}, and samples and a question below it")
        left, mark, right = lines[-1].text.partition("=")
        asked, decode = (right.strip(), True) if left.strip() == "?" else (left.strip(), False)
        if not mark or (decode and task in ("sums", "conditions")) or (not decode and right.strip() != "?"):
            raise lines[-1].bad(0, "expected WORD = ? or ? = CODE, what is asked for")
        try:
            if task == "conditions":
                return self._conditions(lines[1:-1], asked, "chained" in options)
            return (
                self._sentences(lines[1:-1], asked, decode)
                if task == "sentences"
                else self._words(task, lines[1:-1], asked, decode)
            )
        except f.BadRow as error:
            raise error if str(error).startswith("line ") else lines[-1].bad(0, str(error)) from None

    def _pairs(self, lines: Sequence[f.Line]) -> list[tuple[str, str]]:
        found = []
        for line in lines:
            left, mark, right = line.text.partition("=")
            if not mark or not left.strip() or not right.strip():
                raise line.bad(0, "expected a word or a sentence, =, and its code")
            found.append((left.strip(), right.strip()))
        if not 1 <= len(found) <= 5:
            raise lines[0].bad(0, f"expected 1 to 5 samples, got {len(found)}")
        return found

    def _words(self, task: str, lines: Sequence[f.Line], asked: str, decode: bool) -> CodingPuzzle:
        known = [(word_of(word), signs_of(task, code)) for word, code in self._pairs(lines)]
        clues = [codes_space.sample(number, task, *pair) for number, pair in enumerate(known, 1)]
        for clue in clues:
            codes_space.pair_of(task, clue)
        board = Board(signs_of(task, asked) if decode else word_of(asked))
        letters = min(MOST, max(LEAST, len(board.asked)))
        return self.family.puzzle(f.Spec(Params(task, decode, letters, samples=max(2, len(clues)))), clues, board)

    def _sentences(self, lines: Sequence[f.Line], asked: str, decode: bool) -> CodingPuzzle:
        listed = {head: line.text.split()[1:] for line in lines for head in _LISTS if line.text.startswith(head)}
        said = [(left.split(), right.split()) for left, right in self._pairs([line for line in lines if "=" in line.text])]
        words, names = (
            list(dict.fromkeys([*listed.get(head, ()), *[item for pair in said for item in pair[side]]]))
            for side, head in enumerate(_LISTS)
        )
        mine = names if decode else words
        if len(words) != len(names) or len(words) > phrases.WORDS or asked not in mine:
            raise f.BadRow(f"expected as many words as code words, at most {phrases.WORDS}, with {asked[:20]!r} among them")
        clues = [
            phrases.sample(number, (tuple([words.index(each) for each in left]), tuple([names.index(each) for each in right])))
            for number, (left, right) in enumerate(said, 1)
        ]
        each = [len(phrases.phrase_of(clue, len(words))[0]) for clue in clues]
        params = Params("sentences", decode, words=max(each), samples=max(3, len(clues)))
        return self.family.puzzle(f.Spec(params), clues, Board((mine.index(asked),), (tuple(words), tuple(names))))

    def _conditions(self, lines: Sequence[f.Line], asked: str, chained: bool) -> CodingPuzzle:
        signs: list[tuple[int, int]] = []
        cases: list[Case] = []
        for line in lines:
            head, _, rest = line.text.strip().partition(":")
            if head == "codes":
                for each in rest.split():
                    letter, _, sign = each.partition("=")
                    if len(letter) != 1 or letter not in codes.LETTERS or len(sign) != 1 or sign not in SIGNS:
                        raise line.bad(0, f"expected letters with digits, as in A=7, got {each[:20]!r}")
                    signs.append((codes.LETTERS.index(letter), SIGNS.index(sign)))
            else:
                cases.append(_case(line, head.split()[1:], rest.split()))
        board = Board(word_of(asked), (), tuple(signs), tuple(cases))
        conditions.sound(board.codes, board.cases, board.asked)
        letters = min(MOST, max(LEAST, len(board.asked)))
        params = Params("conditions", letters=letters, conditions=len(cases), chained=chained)
        return self.family.puzzle(f.Spec(params), (), board)

    def format(self, puzzle: CodingPuzzle) -> str:
        p, board = puzzle.spec.params, puzzle.board
        puzzle = replace(puzzle, style=f.Style())  # whose words are those of the board
        lines = [f"{self.family.name} task={p.task}{' chained' * p.chained}"]
        lines += _lists(puzzle) if p.task == "sentences" else []
        lines += [f"{left} = {right}".replace('"', "") for left, right in samples(puzzle, puzzle.clues)]
        if p.task == "conditions":
            lines.append(f"codes: {' '.join([f'{codes.LETTERS[letter]}={SIGNS[sign]}' for letter, sign in board.codes])}")
            lines += [_case_line(case) for case in board.cases]
        asked = shown(puzzle, board.asked, asked=True)
        return "\n".join([*lines, f"? = {asked}" if p.decode else f"{asked} = ?"]) + "\n"


def _lists(puzzle: CodingPuzzle) -> list[str]:
    """Lines with all words and all code words, where they are not numbered as they come."""
    said = [phrases.phrase_of(clue, puzzle.board.count) for clue in puzzle.clues]
    met = [list(dict.fromkeys([item for pair in said for item in pair[side]])) for side in (0, 1)]
    if all(items == list(range(puzzle.board.count)) for items in met):
        return []
    return [f"{head} {' '.join(names)}" for head, names in zip(_LISTS, texts(puzzle), strict=True)]


def _case_line(case: Case) -> str:
    (test, one, other), (action, i, j) = case
    first = f"{'cv'[one]} {'cv'[other]}" if test == 0 else f"{one + 1} {'cv'[other]}" if test == 1 else str(one)
    return f"if {_TESTS[test]} {first}: {_DONE[action]}{f' {i + 1} {j + 1}' if action < 3 else ''}"


def _case(line: f.Line, test: Sequence[str], action: Sequence[str]) -> Case:
    """The inverse of _case_line()."""
    kind = _TESTS.index(test[0]) if test and test[0] in _TESTS else -1
    done = _DONE.index(action[0]) if action and action[0] in _DONE else -1
    first = ["cv".find(word) if len(word) == 1 and word in "cv" else _number(word) - (kind == 1) for word in test[1:]]
    where = [_number(word) - 1 for word in action[1:]]
    if kind < 0 or done < 0 or len(first) != (1 if kind == 2 else 2) or len(where) != (0 if done == 3 else 2):
        raise line.bad(
            0, 'expected a line like "if ends v c: exchange 1 5", "if letter 2 v: copy 1 5" or "if vowels 2: backwards"'
        )
    one, other = (*first, 0)[:2]
    i, j = (*where, 0, 0)[:2]
    return (kind, one, other), (done, i, j)


def _number(word: str) -> int:
    return int(word) if word.isascii() and word.isdigit() and len(word) == 1 else -1
