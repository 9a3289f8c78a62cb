"""Cryptograms: parameters, what is hidden, answers, what is revealed, and the text form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from puzzlemill import family as f
from puzzlemill.rules import cryptograms
from puzzlemill.rules.cryptograms import LETTERS, LISTED, UNKNOWN, Board, put, words_of
from puzzlemill.vocabulary.wordings import FIRST, LAST

BANDS = ("common", "known", "rare")
_CHANGES = 400  # of each sort that are offered


@f.params
class Params:
    """sentences: of the quotation; of a source that is not composed, 35 to 80 letters in place of each. level: "easy" has an
    author's line in plain letters and reveals letters until there is one answer, "hard" has neither. revealed: how many letters
    stay revealed at least. lexicon: the band that all words are of. listed: the puzzle shows a list of words, which are all that
    count. letters: how many different letters the text has, 0 for any number. source: of quotations: "composed", "examples", or
    a file (vocabulary/quotes.py).
    """

    sentences: int = f.Param(2, least=1, most=8)
    level: str = f.Param("easy", among=("easy", "hard"))
    revealed: int = f.Param(0, least=0, most=12)
    lexicon: str = f.Param("known", among=BANDS)
    listed: bool = f.Param(False)
    letters: int = f.Param(0, least=8, most=26, unset=0)
    source: str = f.Param("composed")


CryptogramPuzzle = f.Puzzle[Params, Board]


@dataclass(frozen=True, slots=True)
class Secret:
    """plain: the text in capital letters. key: the letters that stand for A to Z. words: the list, where one is shown."""

    plain: str
    author: str
    key: str
    words: tuple[str, ...] = ()


AnyDraft = f.Draft[Params, Board, Secret | str, str]


def apart(spec: f.Spec[Params]) -> bool:
    """Return whether neighbours in the alphabet never stand for each other."""
    return spec.rule("apart") is not None


def lexicon_of(spec: f.Spec[Params]) -> str:
    """The band of words that count, or LISTED."""
    return LISTED if spec.params.listed else spec.params.lexicon


# ---- answers ------------------------------------------------------------------------------------------------------------


class Form(f.Form[Params, Board, str]):
    """The plain letter of each cipher letter in the order of board.letters, "?" where unknown; written as the plain text."""

    asks = (f.Ask.CELL,)

    def slots(self, spec: f.Spec[Params], board: Board) -> tuple[int, ...]:
        return (26,) * len(board.letters)

    def assemble(self, spec: f.Spec[Params], board: Board, values: f.Slots) -> str:
        return "".join([UNKNOWN if value == f.BLANK else LETTERS[value] for value in values])

    def values(self, spec: f.Spec[Params], board: Board, answer: str) -> f.Slots:
        return tuple([LETTERS.find(letter) for letter in answer])

    def entry_of(self, puzzle: CryptogramPuzzle, slot: int) -> tuple[int, int]:
        return 0, self._run(puzzle).index(puzzle.board.letters[slot])

    def layout(self, puzzle: CryptogramPuzzle) -> f.Layout:
        run, board = self._run(puzzle), puzzle.board
        shown = dict(zip(board.letters, signs(puzzle), strict=True))
        columns = tuple([f.Column(f"letter {place}", tuple(LETTERS)) for place in range(1, len(run) + 1)])
        note = "Give the plain text; only its letters count."
        cipher, between = tuple([shown[letter] for letter in run]), cryptograms.frame(board.text)
        return f.Layout(columns, 1, 1, True, note, "plain text", cipher, between, board.author)

    def write(self, puzzle: CryptogramPuzzle, answer: str) -> f.Rows:
        plain = dict(zip(puzzle.board.letters, answer, strict=True))
        return (tuple([plain[letter] for letter in self._run(puzzle)]),)

    def read(self, puzzle: CryptogramPuzzle, rows: f.Rows) -> str:
        """A letter that is read in two ways is not known."""
        found: dict[str, str] = {}
        for letter, plain in zip(self._run(puzzle), rows[0], strict=True):
            found[letter] = plain.upper() if found.get(letter, plain.upper()) == plain.upper() else UNKNOWN
        return "".join([found[letter] for letter in puzzle.board.letters])

    def _run(self, puzzle: CryptogramPuzzle) -> str:
        """The letters of the text without what stands between them."""
        return "".join([sign for sign in puzzle.board.text if sign in LETTERS])


def signs(puzzle: CryptogramPuzzle) -> list[str]:
    """What is written for each letter of the cipher."""
    symbols = puzzle.style.symbols
    if sorted(set(symbols)) != sorted(symbols) or len(symbols) != 26:
        raise f.BadRow(f"style.symbols: expected 26 different signs, got {str(symbols)[:60]}")
    return [symbols[LETTERS.index(letter)] for letter in puzzle.board.letters]


# ---- what is revealed ---------------------------------------------------------------------------------------------------


class Revealed(f.Clues[Params, Board]):
    """Letters whose plain letter is shown. Ids are letters of the cipher, arguments (slot, value).

    A change shows another plain letter, or puts another letter into one word; an exchange is of two plain letters that are
    shown, or of two neighbours in a word. Each word that is changed still has the pattern of some word of the lexicon.
    """

    edits = 2

    def all_placed(self, puzzle: CryptogramPuzzle) -> list[tuple[int, int]]:
        """Slot and value of each clue. Raises BadRow for what is none."""
        found = []
        for clue in puzzle.clues:
            args = clue.ints()
            if clue.kind != "given" or len(args) != 2 or not (0 <= args[0] < len(puzzle.board.letters) and 0 <= args[1] < 26):
                raise f.BadRow(f"clue {clue.id[:20]}: expected a given letter and a plain letter below 26, got {str(args)[:60]}")
            found.append((args[0], args[1]))
        if len({slot for slot, _ in found}) < len(found):
            raise f.BadRow("a letter of the cipher is revealed twice")
        return found

    def state(self, m: f.Constraints, spec: f.Spec[Params], board: Board, clue: f.Clue) -> None:
        slot, value = clue.ints()
        m.require(m.key[slot][value], label=clue.id)

    def given_slots(self, puzzle: CryptogramPuzzle) -> tuple[int, ...]:
        return tuple([slot for slot, _ in self.all_placed(puzzle)])

    def kept(self, spec: f.Spec[Params]) -> int:
        return spec.params.revealed

    def usable(self, draft: AnyDraft) -> bool:
        return draft.puzzle.spec.params.level == "easy" or not draft.puzzle.clues

    def finish(self, draft: AnyDraft, rng: f.Rng, oracle: f.Oracle) -> AnyDraft:
        """The words of the answer are put on the board; where a rule is added, also those of an answer that it rules out."""
        puzzle, board = draft.puzzle, draft.puzzle.board
        if puzzle.spec.params.listed or draft.answer is None:
            return draft
        answers = [draft.answer]
        if apart(puzzle.spec):
            free = replace(puzzle, spec=puzzle.spec.without_rule("apart"))
            answers += [Form().assemble(puzzle.spec, board, values) for values in oracle.answers(free, 2)]
        words = {word.lower() for answer in answers for word in words_of(put(board.text, board.letters, answer))}
        return replace(draft, puzzle=replace(puzzle, board=replace(board, words=tuple(sorted(words)))))

    # ---- changes

    def can_clash(self, spec: f.Spec[Params]) -> bool:
        return True

    def alternatives(self, puzzle: CryptogramPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        slot, value = clue.ints()
        taken = {shown for _, shown in self.all_placed(puzzle)}
        for other in rng.shuffled(range(26)):
            if other != value and other not in taken:
                yield f.Clue(clue.id, clue.kind, (slot, other))

    def changes(self, puzzle: CryptogramPuzzle, rng: f.Rng) -> Iterator[CryptogramPuzzle]:
        board, places = puzzle.board, cryptograms.count(puzzle.board.text)
        order = rng.child("places").shuffled(range(places * len(board.letters)))
        texts = list(islice(self._fitting(puzzle, cryptograms.misspelt(board, order)), _CHANGES))
        shown = list(islice(super().changes(puzzle, rng.child("shown")), len(texts) // 3))
        yield from rng.child("both").shuffled([*texts, *shown])

    def exchanges(self, puzzle: CryptogramPuzzle, rng: f.Rng) -> Iterator[CryptogramPuzzle]:
        board, clues = puzzle.board, puzzle.clues
        pairs = rng.child("shown").shuffled([(i, k) for k in range(len(clues)) for i in range(k)])
        shown = []
        for i, k in pairs[:_CHANGES]:
            (one, first), (other, second) = clues[i].ints(), clues[k].ints()
            changed = {i: replace(clues[i], args=(one, second)), k: replace(clues[k], args=(other, first))}
            shown.append(puzzle.with_clues([changed.get(at, clue) for at, clue in enumerate(clues)]))
        order = rng.child("places").shuffled(range(len(board.text)))
        texts = list(islice(self._fitting(puzzle, cryptograms.exchanged(board, order)), _CHANGES))
        yield from rng.child("both").shuffled([*shown, *texts])

    def _fitting(self, puzzle: CryptogramPuzzle, texts: Iterator[str]) -> Iterator[CryptogramPuzzle]:
        for text in texts:
            board = replace(puzzle.board, text=text)
            if cryptograms.each_fits(lexicon_of(puzzle.spec), board):
                yield replace(puzzle, board=board)

    def deep_odds(self, puzzle: CryptogramPuzzle) -> tuple[int, int]:
        return (
            (4, 5) if len(puzzle.clues) < 2 else (1, 4)
        )  # where letters are revealed hardly any is deep, else hardly any shallow


def given(board: Board, slot: int, value: int) -> f.Clue:
    """The clue that reveals a letter."""
    return f.Clue(board.letters[slot], "given", (slot, value))


# ---- text form ----------------------------------------------------------------------------------------------------------


class Text(f.TextForm[Params, Board]):
    """Lines text: (several make one), author:, known: X=E ..., and, with lexicon=listed, words:."""

    def parse(self, lines: Sequence[f.Line]) -> CryptogramPuzzle:
        options = f.heading(lines, self.family.name, ("apart",), ("lexicon",))
        band = options.get("lexicon", "known")
        if band not in (*BANDS, LISTED):
            raise lines[0].bad(0, f"expected lexicon={'|'.join((*BANDS, LISTED))}, got {band[:20]}")
        parts: dict[str, list[str]] = {"text": [], "author": [], "known": [], "words": []}
        for line in lines[1:]:
            head, mark, rest = line.text.strip().partition(":")
            if head not in parts or not mark:
                raise line.bad(0, f"expected a line text:, author:, known: or words:, got {line.text.strip()[:20]!r}")
            if head == "text" and (strange := next((sign for sign in rest if not sign.isascii()), "")):
                raise line.bad(line.text.index(strange), f"expected letters from A to Z and signs of ASCII, got {strange!r}")
            parts[head].append(rest.strip())
        text = " ".join(parts["text"]).upper()
        words = tuple(sorted({word.lower() for line in parts["words"] for word in line.replace(",", " ").split()}))
        if bool(words) != (band == LISTED):
            raise lines[0].bad(0, "expected words: with lexicon=listed, and without it none")
        try:
            board = cryptograms.sound(Board(text, " ".join(parts["author"]), words), band == LISTED)
        except f.BadRow as error:
            raise lines[min(1, len(lines) - 1)].bad(0, str(error)) from None
        clues: list[f.Clue] = []
        for line in lines[1:]:
            for word in line.words[1:] if line.text.strip().startswith("known:") else ():
                letter, mark, plain = word.text.upper().rstrip(",").partition("=")
                if letter not in board.letters or len(letter) != 1 or len(plain) != 1 or plain not in LETTERS:
                    raise line.bad(word.column, f"expected a letter of the text, = and its plain letter, got {word.text[:20]!r}")
                if any(clue.id == letter for clue in clues):
                    raise line.bad(word.column, f"{letter} is given twice")
                clues.append(given(board, board.letters.index(letter), LETTERS.index(plain)))
        rules = (f.Rule("apart"),) if "apart" in options else ()
        level = "easy" if board.author or clues else "hard"
        params = Params(level=level, listed=True) if band == LISTED else Params(level=level, lexicon=band)
        return self.family.puzzle(f.Spec(params, rules), clues, board)

    def format(self, puzzle: CryptogramPuzzle) -> str:
        board, band = puzzle.board, lexicon_of(puzzle.spec)
        lines = [f"cryptogram lexicon={band}{' apart' * apart(puzzle.spec)}", f"text: {board.text}"]
        if " #" in board.text or board.text.startswith("#"):
            raise f.BadRow('cryptogram: a text with " #" cannot be written down; leave the sign out')
        lines += [f"author: {board.author}"] if board.author else []
        known = [f"{board.letters[slot]}={LETTERS[value]}" for slot, value in Revealed().all_placed(puzzle)]
        lines += [f"known: {' '.join(known)}"] if known else []
        lines += [f"words: {' '.join(board.words)}"] if band == LISTED else []
        return "\n".join(lines) + "\n"


# ---- other styles -------------------------------------------------------------------------------------------------------


def numbers(puzzle: CryptogramPuzzle, rng: f.Rng) -> f.Style:
    """Numbers from 1 to 26 in place of the cipher's letters."""
    if any(one in LETTERS and two == "-" for one, two in zip(puzzle.board.text, puzzle.board.text[1:], strict=False)):
        raise f.Discarded("inapplicable", "the text has a hyphen, as numbers of one word have between them")
    return replace(puzzle.style, symbols=tuple(rng.shuffled([str(number) for number in range(1, 27)])))


def paraphrased(puzzle: CryptogramPuzzle, rng: f.Rng) -> f.Style:
    """The same prompt in another voice."""
    now = puzzle.style.phrasing
    while True:
        voice = rng.between(FIRST, LAST) * (-1 if now < 0 else 1)
        if voice != now:
            return replace(puzzle.style, phrasing=voice)
