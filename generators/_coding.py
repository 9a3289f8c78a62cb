"""What coding alone uses: its parameters and board, the form of its answers, its text form, and how puzzles are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.rules import codes, codes_space, conditions, phrases
from puzzlemill.rules.codes_space import coded, signs_of, spelt, word_of
from puzzlemill.rules.conditions import SIGNS, Case, Signs
from puzzlemill.vocabulary.coding import code_words, words_at
from puzzlemill.vocabulary.words import plain_words

TASKS = ("letters", "numbers", "sums", "sentences", "conditions")
ON_WORDS = codes.TASKS  # of them, codes of the class of rules/codes.py
LEAST, MOST = 4, 7  # letters of a word
DRAWS = 200  # tries at samples that show one code

Answer = tuple[int, ...]  # signs of a code, letters, or the number of one thing


@f.params
class Params:
    """task: codes on words ("letters", "numbers", one number each: "sums"), of sentences, or with conditions.

    decode: a word is to be found, not a code. letters: of each word (in sums one more or less). words: of each sentence. samples:
    words or sentences that are shown with their codes. order: whether letters change their order too. conditions: how many;
    chained: all of them that hold are applied.
    """

    task: str = f.Param("letters", among=TASKS)
    decode: bool = False
    letters: int = f.Param(5, least=LEAST, most=MOST)
    words: int = f.Param(4, least=phrases.LEAST, most=phrases.MOST)
    samples: int = f.Param(2, least=2, most=5)
    order: str = f.Param("any", among=("any", "plain", "reordered"))
    conditions: int = f.Param(3, least=1, most=conditions.MOST_CASES)
    chained: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """asked: the letters of a word or the signs of a code; of sentences the number of a word or code word.

    count: of sentences, how many words there are. codes, cases: of conditions, the table and the conditions.
    """

    asked: tuple[int, ...]
    count: int = 0
    codes: Signs = ()
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Secret:
    """A puzzle as it is drawn. names: of sentences, the words and the code words."""

    board: Board
    clues: tuple[f.Clue, ...]
    answer: Answer
    names: tuple[tuple[str, ...], ...] = ()


CodingPuzzle = f.Puzzle[Params, Board]


def sound(spec: f.Spec[Params], board: Board) -> Board:
    """The board. Raises BadRow for one that somebody made up."""
    p, asked = spec.params, board.asked
    if p.task == "conditions":
        conditions.sound(board.codes, board.cases, asked)
        return board
    if p.task == "sentences":
        fine = len(asked) == 1 and 1 <= board.count <= phrases.WORDS and 0 <= asked[0] < board.count
    else:
        short, long = (1 if p.task == "sums" and p.decode else codes_space.LEAST), codes_space.LONGEST
        fine = short <= len(asked) <= long and all(0 <= sign <= codes.MOST[p.task if p.decode else "letters"] for sign in asked)
    if not fine:
        raise f.BadRow(f"board.asked: expected what this task asks for, got {str(asked)[:60]} of {board.count}")
    return board


def texts(puzzle: CodingPuzzle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words and the code words of a puzzle of sentences."""
    names, count = puzzle.style.names, puzzle.board.count
    if len(names) != 2 or any(len(set(group)) != count or len(group) != count or "" in group for group in names):
        raise f.BadRow(f"style.names: expected {count} different words and as many code words, got {str(names)[:60]}")
    return names[0], names[1]


def shown(puzzle: CodingPuzzle, signs: Sequence[int], asked: bool = False) -> str:
    """An answer as text; asked: what is asked for as text."""
    p = puzzle.spec.params
    if p.task == "sentences":
        return texts(puzzle)[int(p.decode is asked)][signs[0]]
    if p.task == "conditions":
        return spelt(signs) if asked else "".join([SIGNS[sign] if sign >= 0 else "?" for sign in signs])
    return coded(p.task, signs) if asked is p.decode else spelt(signs)


def samples(puzzle: CodingPuzzle, clues: Sequence[f.Clue]) -> list[tuple[str, str]]:
    """Words, or sentences, and their codes as text."""
    if puzzle.spec.params.task != "sentences":
        return [(str(clue.args[0]), str(clue.args[1])) for clue in clues]
    words, names = texts(puzzle)
    found = [phrases.phrase_of(clue, puzzle.board.count) for clue in clues]
    return [(f'"{_joined(words, said)}"', f'"{_joined(names, written)}"') for said, written in found]


def _joined(names: Sequence[str], items: Sequence[int]) -> str:
    return " ".join([names[item] for item in items])


# ---- answers ------------------------------------------------------------------------------------------------------------


@cache
def _numbers(most: int) -> tuple[str, ...]:
    return tuple(map(str, range(most + 1)))


class Form(f.Form[Params, Board, Answer]):
    """Letters or signs as a text, numbers in a row, or one number or word."""

    def slots(self, spec: f.Spec[Params], board: Board) -> tuple[int, ...]:
        p, board = spec.params, sound(spec, board)
        if p.task == "sentences":
            return (board.count,)
        if p.task == "sums":
            return (codes.MOST["sums"] + 1,)
        each = len(SIGNS) if p.task == "conditions" else 26 if p.decode else codes.MOST[p.task] + 1
        return (each,) * len(board.asked)

    def assemble(self, spec: f.Spec[Params], board: Board, values: f.Slots) -> Answer:
        return values

    def values(self, spec: f.Spec[Params], board: Board, answer: Answer) -> f.Slots:
        return answer

    def entry_of(self, puzzle: CodingPuzzle, slot: int) -> tuple[int, int]:
        return 0, slot

    def tokens(self, puzzle: CodingPuzzle) -> tuple[str, ...]:
        """How the values of a slot are written."""
        p = puzzle.spec.params
        if p.task == "sentences":
            return texts(puzzle)[not p.decode]
        if p.task == "conditions":
            return tuple(SIGNS)
        return tuple(codes.LETTERS) if p.decode or p.task == "letters" else _numbers(codes.MOST[p.task])

    def layout(self, puzzle: CodingPuzzle) -> f.Layout:
        p, tokens, count = puzzle.spec.params, self.tokens(puzzle), len(self.slots(puzzle.spec, puzzle.board))
        if p.task == "sentences":
            note = "Give the word." if p.decode else "Give the code word."
            return f.Layout((f.Column("word" if p.decode else "code", tokens),), 1, 1, False, note)
        if p.task == "sums":
            return f.Layout((f.Column("number", tokens),), 1, 1, False, "Give the number.")
        if p.task == "numbers" and not p.decode:
            columns = tuple([f.Column(f"number {place}", tokens) for place in range(1, count + 1)])
            return f.Layout(columns, 1, 1, True, "Give the numbers of the code in one row, in their order.")
        what = "word" if p.decode else "code"
        columns = tuple([f.Column(f"sign {place}", tokens) for place in range(1, count + 1)])
        return f.Layout(columns, 1, 1, True, f"Give the {what} without spaces.", what)

    def write(self, puzzle: CodingPuzzle, answer: Answer) -> f.Rows:
        tokens = self.tokens(puzzle)
        return (tuple([tokens[value] for value in answer]),)

    def read(self, puzzle: CodingPuzzle, rows: f.Rows) -> Answer | None:
        known = {token.casefold(): value for value, token in enumerate(self.tokens(puzzle))}
        return tuple([known[token.casefold()] for token in rows[0]])


# ---- transforms ---------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Restyled(f.Transform):
    """Another style of puzzles of some tasks."""

    name: str
    how: Callable[[CodingPuzzle, f.Rng], f.Style]
    tasks: tuple[str, ...]
    about: str
    kind: f.Kind = f.Kind.SURFACE
    relation: f.Relation = f.Relation.SURFACE
    pairing: f.Pairing = f.Pairing.EXACT

    def fits(self, family: Any, spec: f.Spec[Any]) -> bool:
        return self in family.transforms and spec.params.task in self.tasks

    def restyle(self, family: Any, puzzle: CodingPuzzle, rng: f.Rng) -> f.Style:
        return self.how(puzzle, rng)


# ---- drawing ------------------------------------------------------------------------------------------------------------


@cache
def words_of(letters: int) -> tuple[codes.Word, ...]:
    """The plain words of so many letters."""
    return tuple([word_of(word.upper()) for word in plain_words() if len(word) == letters])


def on_words(p: Params, rng: f.Rng) -> Secret | None:
    """A code with samples that show it; None if they leave another way to read them, or show the wanted word as it is."""
    code = codes_space.drawn(p.task, p.decode, p.order, rng.child("code"))
    around = [n for n in (p.letters - 1, p.letters, p.letters + 1) if n <= MOST] if p.task == "sums" else [p.letters]
    words: list[codes.Word] = []
    while len(words) <= p.samples:
        word = rng.pick(words_of(rng.pick(around)))
        if word not in words:
            words.append(word)
    texts = [codes.written(p.task, code, word) for word in words]
    pairs = [(word, text) for word, text in zip(words, texts, strict=True) if text is not None and text != word]
    if len(pairs) < len(words):
        return None
    (word, text), *known = pairs
    asked, answer = (text, word) if p.decode else (word, text)
    if {made for _, made in codes_space.explained(p.task, p.decode, known, asked)} != {answer}:
        return None
    clues = [codes_space.sample(number, p.task, *pair) for number, pair in enumerate(known, 1)]
    return Secret(Board(asked), tuple(clues), answer)


def of_sentences(p: Params, rng: f.Rng) -> Secret | None:
    """Sentences in which the wanted word and its code word are known; None if no word is, or too few words occur."""
    chosen = phrases.drawn(p.words, p.samples, rng.child("sentences"))
    items = list(dict.fromkeys([item for sentence in chosen for item in sentence]))
    names = {place: rng.child("words", place).few(words_at(place), 3) for place in range(p.words)}
    belongs = rng.shuffled(range(len(items)))
    clues = []
    for number, sentence in enumerate(chosen, 1):
        words = tuple([items.index(item) for item in sentence])
        clues.append(phrases.sample(number, (words, tuple(rng.shuffled([belongs[word] for word in words])))))
    occurs = [tuple([k for k, sentence in enumerate(chosen) if item in sentence]) for item in items]
    known = [item for item in range(len(items)) if occurs.count(occurs[item]) == 1 and len(occurs[item]) < p.samples]
    if not known:
        return None
    word = rng.pick(known)
    asked, answer = (belongs[word], word) if p.decode else (word, belongs[word])
    said = tuple([names[place][choice] for place, choice in items])
    return Secret(Board((asked,), len(items)), tuple(clues), (answer,), (said, tuple(rng.few(code_words(), len(items)))))


def with_conditions(p: Params, rng: f.Rng) -> Secret:
    """A table with conditions, and a word."""
    signs, cases, word = conditions.drawn(p.letters, p.conditions, rng)
    board = Board(word, 0, signs, cases)
    answer = tuple([conditions.right(signs, cases, p.chained, word, place) for place in range(len(word))])
    return Secret(board, (), answer)


def renamed(puzzle: CodingPuzzle, rng: f.Rng) -> f.Style:
    """Other words of the same place in sentences, and other code words."""
    words, names = texts(puzzle)
    others: list[str] = []
    for word in words:
        place = next((place for place in range(phrases.MOST) if word in words_at(place)), 0)
        others.append(rng.pick([other for other in words_at(place) if other not in (*words, *others)]))
    fresh = [name for name in code_words() if name not in names]
    return replace(puzzle.style, names=(tuple(others), tuple(rng.few(fresh, len(names)))))


# ---- text form ----------------------------------------------------------------------------------------------------------

_TESTS, _DONE = ("ends", "letter", "vowels"), ("exchange", "copy", "mark", "backwards")


class Text(f.TextForm[Params, Board]):
    """Lines WORD = CODE, with ? for what is asked in the last one; of conditions lines codes: ... and if ...: ... before it."""

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
        said = [(left.split(), right.split()) for left, right in self._pairs(lines)]
        words, names = (list(dict.fromkeys([item for pair in said for item in pair[side]])) for side in (0, 1))
        mine = names if decode else words
        if len(words) != len(names) or len(words) > phrases.WORDS or asked not in mine:
            raise f.BadRow(f"expected as many words as code words, at most {phrases.WORDS}, with {asked[:20]!r} among them")
        clues = [
            phrases.sample(number, (tuple([words.index(each) for each in left]), tuple([names.index(each) for each in right])))
            for number, (left, right) in enumerate(said, 1)
        ]
        each = [len(phrases.phrase_of(clue, len(words))[0]) for clue in clues]
        params = Params("sentences", decode, words=max(each), samples=max(3, len(clues)))
        style = f.Style(names=(tuple(words), tuple(names)))
        return self.family.puzzle(f.Spec(params), clues, Board((mine.index(asked),), len(words)), style)

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
        board = Board(word_of(asked), 0, tuple(signs), tuple(cases))
        conditions.sound(board.codes, board.cases, board.asked)
        letters = min(MOST, max(LEAST, len(board.asked)))
        params = Params("conditions", letters=letters, conditions=len(cases), chained=chained)
        return self.family.puzzle(f.Spec(params), (), board)

    def format(self, puzzle: CodingPuzzle) -> str:
        p, board = puzzle.spec.params, puzzle.board
        lines = [f"{self.family.name} task={p.task}{' chained' * p.chained}"]
        lines += [f"{left} = {right}".replace('"', "") for left, right in samples(puzzle, puzzle.clues)]
        if p.task == "conditions":
            lines.append(f"codes: {' '.join([f'{codes.LETTERS[letter]}={SIGNS[sign]}' for letter, sign in board.codes])}")
            lines += [_case_line(case) for case in board.cases]
        asked = shown(puzzle, board.asked, asked=True)
        return "\n".join([*lines, f"? = {asked}" if p.decode else f"{asked} = ?"]) + "\n"


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
