"""Cryptogram: a quotation in a substitution cipher; its plain text, and with it the letter that each letter stands for.

  different  different letters of the cipher stand for different plain letters
  words      the plain text of each word is in the lexicon; that of a word alone is w1, w2, ..., in the order of the text
  apart      (optional) no letter stands for itself or for a neighbour of it in the alphabet; Z and A are no neighbours
The lexicon is declared: all words of vocabulary/lexicon.py up to a band, or the list that the puzzle shows. Word breaks and
punctuation are kept. A puzzle is unique among all that the lexicon allows, of which all are searched.

In every cipher that is made no letter stands for itself, and the prompt says so. No proof leans on that: there is no other answer
either if letters might stand for themselves. So two ciphers of one text are the same puzzle.
Drawn are: quotations as vocabulary/quotes.py draws them, all of whose words are in the lexicon; ciphers evenly of those that
keep the rules. Letters are revealed by leaving out what is not needed, in an even order.
Source: the cryptograms of newspapers, as in LR2Bench (appendix B.4); rules after W. F. Friedman, Military Cryptanalysis (1938).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from json import dumps
from math import log10
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import SubstitutionTable
from puzzlemill.core.pictures import FOUND, GIVEN, MARKED, text_picture
from puzzlemill.generators._cryptogram import (
    AnyDraft,
    CryptogramPuzzle,
    Form,
    Params,
    Revealed,
    Secret,
    Text,
    apart,
    given,
    lexicon_of,
    numbers,
    paraphrased,
    signs,
)
from puzzlemill.rules import cryptograms, cryptograms_prompt
from puzzlemill.rules.cryptograms import LETTERS, LISTED, UNKNOWN, Board, letters_of, put, words_of
from puzzlemill.vocabulary import quotes

FORM = Form()
DRAWS = 400  # quotations that are drawn for one puzzle
SHORTEST, LONGEST = 35, 80  # letters in place of one sentence, of sources that are not composed
KEYS = 12  # ciphers of one quotation, where a rule is to be needed
_WIDE = 60  # letters in a line of a picture
_GAP = "\u00a0"  # which a picture does not shorten


def _herring(puzzle: CryptogramPuzzle, places: Sequence[int], rng: f.Rng) -> f.Style:
    """Remarks that say of themselves that they may be of no use."""
    told: list[str] = []
    for turn in range(len(places)):
        remark = cryptograms_prompt.remark(rng.child(turn))
        told += [remark] if remark not in told else []
    return replace(puzzle.style, asides=tuple(zip(places, told, strict=False)))


@final
class Cryptogram(f.Family[Params, Board, Secret | str, str]):
    name, version, title = "cryptogram", 1, "Cryptogram"
    source = "cryptograms of newspapers; tasks after LR2Bench"
    params, board, answer, form, clues, text = Params, Board, str, FORM, Revealed(), Text()
    rules = f.declared(f.OptionalRule("apart"))
    symbols = tuple(LETTERS)
    lexical = True
    transforms = (
        f.FewerGivens(
            "fewer_letters", f.Kind.IC2, field="revealed", about="fewer letters revealed, the plain text being the same"
        ),
        f.SetParam("rare_words", f.Kind.IC1, f.Relation.RESIZE, f.Pairing.NONE, (("lexicon", "rare"),), "rare words count too"),
        f.AddRule("apart", values=(("revealed", 0),), about="no letter stands for itself or for a neighbour in the alphabet"),
        f.Restyle("numbers", f.Kind.UE1, against=("apart",), how=numbers, about="numbers in place of the cipher's letters"),
        f.surface("paraphrase", paraphrased, "the same puzzle in other words"),
        f.RedHerring(_herring, about="remarks that may be irrelevant, and say so"),
    )
    smallest = (
        f.Spec(Params(1, listed=True)),
        f.Spec(Params(1, "hard", listed=True)),
        f.Spec(Params(1, revealed=3, lexicon="common", listed=True)),
        f.Spec(Params(1, listed=True), (f.Rule("apart"),)),
    )
    worked = (
        (
            "cryptogram\ntext: VOBB XSDO QK IOFFOU FGHD VOBB KHQX.\nauthor: Benjamin Franklin\nknown: V=W S=O F=T",
            "WELLDONEISBETTERTHANWELLSAID",
            "LR2Bench (2502.17848), appendix B.4: a saying of Benjamin Franklin",
        ),
        (
            "cryptogram lexicon=listed\ntext: C BCD CR C ECR\nwords: a at bat man mat",
            "AMANATABAT",
            "by hand: at is the only word of two letters, bat and mat end in it, and man has the other M",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        try:
            quotes.check_source(p.source)
        except f.BadParams as error:
            raise f.BadParams(f"cryptogram.{error}; set family.params.source") from None
        if p.revealed and (p.level == "hard" or apart(spec)):
            what = "where level is hard" if p.level == "hard" else "under rule apart"
            raise f.BadParams(f"cryptogram.revealed must be 0 {what}, got {p.revealed}; leave family.params.revealed out")

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
        """Quotations are drawn until one has the wanted letters and words and, where nothing may be revealed, one answer.

        Under rule apart it has one answer too, and several without the rule, so that the rule is needed.
        """
        p = spec.params
        lexicon = cryptograms.allowed(p.lexicon, Board(""))
        ruled, hard = apart(spec), p.level == "hard"
        several: set[str] = set()  # texts that have several answers
        for attempt in range(DRAWS):
            here = rng.child(attempt)
            said = _quotation(p, here.child("text"))
            plain = quotes.plain(said.text)
            words = [word.lower() for word in words_of(plain)]
            if not all(word in lexicon for word in words) or p.letters not in (0, len(letters_of(plain))) or plain in several:
                continue
            listed = _with_others(words, p.lexicon, here.child("list")) if p.listed else ()
            for turn in range(KEYS if ruled else 1):
                secret = Secret(plain, said.author, _key(ruled, here.child("key", turn)), listed)
                puzzle = self._posed(spec, secret)
                if ruled and oracle.count(replace(puzzle, spec=spec.without_rule("apart"))) == 1:
                    break
                if not (ruled or hard) or oracle.count(puzzle) == 1:
                    return secret
                several.update([] if ruled or p.listed else [plain])
        if p.source != quotes.COMPOSED and not ruled:
            why = f"has {p.letters} different letters" if p.letters and not several else "is long enough for one answer"
            raise f.BadParams(
                f"cryptogram.source: no quotation of {p.source} {why}; add longer and other ones, or set family.params.level=easy"
            )
        raise f.Discarded("inapplicable", f"{DRAWS} quotations gave no puzzle of this kind")

    def make_puzzle(self, spec: f.Spec[Params], hidden: Secret | str, rng: f.Rng) -> AnyDraft:
        if not isinstance(hidden, Secret):
            raise f.BadRow("cryptogram: letters alone say nothing of the text")
        puzzle = self._posed(spec, hidden)
        board = puzzle.board
        answer = put(board.letters, hidden.key, LETTERS)
        if spec.params.level == "easy":
            puzzle = puzzle.with_clues([given(board, slot, LETTERS.index(plain)) for slot, plain in enumerate(answer)])
        return f.Draft(puzzle, answer, answer)

    def _posed(self, spec: f.Spec[Params], secret: Secret) -> CryptogramPuzzle:
        text = put(secret.plain, LETTERS, secret.key)
        author = secret.author if spec.params.level == "easy" else ""
        return self.puzzle(spec, (), Board(text, author, secret.words))

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more sentence."""
        more = spec.params.sentences + 1
        return None if more > 8 or spec.params.letters else replace(spec, params=replace(spec.params, sentences=more))

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> f.Constraints:
        band = lexicon_of(spec)
        return cryptograms.stated(band, cryptograms.sound(board, band == LISTED), apart(spec))

    def rules_board(self, board: Board) -> Board:
        return replace(board, author="")

    def table(self, puzzle: CryptogramPuzzle) -> SubstitutionTable:
        band, board = lexicon_of(puzzle.spec), cryptograms.sound(puzzle.board, puzzle.spec.params.listed)
        cipher = tuple([tuple([board.letters.index(letter) for letter in word]) for word in words_of(board.text)])
        barred: tuple[int, ...] = ()
        if apart(puzzle.spec):
            places = [LETTERS.index(letter) for letter in board.letters]
            barred = tuple([(7 << place >> 1) & (1 << 26) - 1 for place in places])
        listed = board.words if band == LISTED else ()
        return SubstitutionTable(len(board.letters), cipher, tuple(Revealed().all_placed(puzzle)), band, listed, barred)

    def broken_rules(self, puzzle: CryptogramPuzzle, answer: str, partial: bool = False) -> list[str]:
        board = puzzle.board
        known = LETTERS + UNKNOWN if partial else LETTERS
        if not isinstance(answer, str) or len(answer) != len(board.letters) or any(plain not in known for plain in answer):
            return [f.MALFORMED]
        broken = []
        plain = answer.replace(UNKNOWN, "")
        if any(plain.count(letter) > 1 for letter in plain):
            broken.append("different")
        for clue, (slot, value) in zip(puzzle.clues, Revealed().all_placed(puzzle), strict=True):
            if answer[slot] not in (LETTERS[value], UNKNOWN):
                broken.append(clue.id)
        words = cryptograms.allowed(puzzle.spec.params.lexicon, board)
        becomes = dict(zip(board.letters, answer.lower(), strict=True))
        for cipher in words_of(board.text):
            word = "".join([becomes[letter] for letter in cipher])
            if word not in words and (UNKNOWN not in word or not cryptograms.some_fits(words, cipher, word)):
                broken.append("words")
                break
        if apart(puzzle.spec):
            steps = [
                abs(LETTERS.index(cipher) - LETTERS.find(plain)) for cipher, plain in zip(board.letters, answer, strict=True)
            ]
            if any(step < 2 for step, plain in zip(steps, answer, strict=True) if plain != UNKNOWN):
                broken.append("apart")
        return broken

    def search_space_log10(self, puzzle: CryptogramPuzzle) -> float:
        """Ways to give different plain letters to the letters that are not revealed."""
        shown = len(puzzle.clues)
        return sum([log10(26 - taken) for taken in range(shown, len(puzzle.board.letters))])

    def paper_bound(self, puzzle: CryptogramPuzzle) -> str:
        return "26!"

    def symmetry(self, puzzle: CryptogramPuzzle) -> str:
        """The words in order, their letters renamed as they come; as they are where a rule speaks of the alphabet."""
        board, band, ruled = puzzle.board, lexicon_of(puzzle.spec), apart(puzzle.spec)
        runs = "".join([sign if sign in LETTERS else " " for sign in board.text]).split()
        order = letters_of(board.text)
        renamed = order if ruled else LETTERS[: len(order)]
        known = sorted([(order.index(board.letters[slot]), value) for slot, value in Revealed().all_placed(puzzle)])
        listed = board.words if band == LISTED else ()
        return dumps([band, listed, ruled, [put(word, order, renamed) for word in runs], known])

    # ---- text

    def render(self, puzzle: CryptogramPuzzle) -> str:
        p, voice = puzzle.spec.params, f.Voice(self.name, puzzle.style.phrasing, self.title)
        board, shown = cryptograms.sound(puzzle.board, p.listed), signs(puzzle)
        known = [(shown[slot], LETTERS[value]) for slot, value in sorted(Revealed().all_placed(puzzle))]
        for _, aside in puzzle.style.asides:
            if aside not in cryptograms_prompt.ASIDES:
                raise f.BadRow(f"style.asides holds no remark of a cryptogram: {aside[:60]!r}")
        return cryptograms_prompt.told(
            lexicon_of(puzzle.spec), board, known, shown, puzzle.style.asides, apart(puzzle.spec), voice
        )

    def describe(self, puzzle: CryptogramPuzzle, label: str) -> str:
        board, shown = puzzle.board, signs(puzzle)
        clue = puzzle.clue(label)
        if clue is not None:
            slot, value = clue.ints()
            return f"{shown[slot]} stands for {LETTERS[value]}."
        words = words_of(board.text)
        if (
            label[:1] == "w"
            and label[1:].isdecimal()
            and label.isascii()
            and 1 <= int(label[1:4]) <= len(words)
            and len(label) < 5
        ):
            cipher = cryptograms_prompt.written(words[int(label[1:]) - 1], board.letters, shown)
            return f"{cipher} stands for a word of the list."
        if label == "words":
            return "Every word of the plain text is in the list."
        if label == f.MALFORMED:
            return "A letter of the cipher stands for the same plain letter wherever it occurs."
        if label == "different":
            return "Different letters of the cipher stand for different plain letters."
        if label == "apart":
            return "No letter stands for itself or for a neighbour of it in the alphabet."
        raise f.BadRow(
            f"cryptogram: {label[:40]!r} is no letter, no word and no rule; expected a letter, w1, w2, ... or different"
        )

    def words(self, puzzle: CryptogramPuzzle) -> f.Words:
        board, shown = puzzle.board, signs(puzzle)
        ciphers = [cryptograms_prompt.written(word, board.letters, shown) for word in words_of(board.text)]
        return f.Words(
            cell=lambda slot: shown[slot],
            value=lambda value: LETTERS[value],
            unit=lambda number: ciphers[number],
            noun="letter",
            ids=[clue.id for clue in puzzle.clues],
            voice=puzzle.style.phrasing,
        )

    def checks(self, puzzle: CryptogramPuzzle, answer: str) -> list[str]:
        board, ciphers = puzzle.board, self.words(puzzle).unit
        plain = words_of(put(board.text, board.letters, answer))
        said = [f"{ciphers(number)} is {word}, which is in the list." for number, word in enumerate(plain)]
        return [*said, f"{len(answer)} letters of the cipher stand for {len(set(answer))} different plain letters."]

    def draw(self, puzzle: CryptogramPuzzle, answer: str | None = None, marked: Collection[str] = ()) -> str:
        """The text in cipher, line by line, with what is known of the plain text over it; an unsat core below."""
        board, shown = puzzle.board, signs(puzzle)
        plain = list(answer or UNKNOWN * len(board.letters))
        for slot, value in Revealed().all_placed(puzzle):
            plain[slot] = LETTERS[value] if plain[slot] == UNKNOWN else plain[slot]
        wide, rows = max(map(len, shown)), [("", "")]
        above = {letter: "." if sign == UNKNOWN else sign for letter, sign in zip(board.letters, plain, strict=True)}
        for line in _lines(board.text, _WIDE // wide):
            for known, ink in ((above, FOUND), (dict(zip(board.letters, shown, strict=True)), GIVEN)):
                written = [known.get(sign, sign).rjust(wide, _GAP) for sign in line]
                rows.append(((_GAP * (wide > 1)).join(written), ink))
            rows.append(("", ""))
        rows += [(f"\u2014 {board.author}", GIVEN)] if board.author else []
        rows += [(self.describe(puzzle, label), MARKED) for label in marked]
        return text_picture(rows)


# ---- what is drawn ------------------------------------------------------------------------------------------------------


def _quotation(p: Params, rng: f.Rng) -> quotes.Quotation:
    """So many sentences; of other sources something of that length."""
    if p.source == quotes.COMPOSED:
        return quotes.quotation(p.sentences, rng)
    least, most = SHORTEST * p.sentences, LONGEST * p.sentences
    return quotes.drawn(p.source, least, most, rng, p.lexicon)


def _key(far: bool, rng: f.Rng) -> str:
    """An even draw of the letters that stand for A to Z, none for itself or, if far, for a neighbour."""
    while True:
        key = rng.shuffled(LETTERS)
        if all(abs(ord(cipher) - ord(plain)) >= 1 + far for cipher, plain in zip(key, LETTERS, strict=True)):
            return "".join(key)


def _with_others(words: Sequence[str], band: str, rng: f.Rng) -> tuple[str, ...]:
    """The words in alphabetical order with two others for each where there are any: one of as many letters, one that is alike."""
    found = dict.fromkeys(words)
    for turn, word in enumerate(words):
        for way, others in enumerate((cryptograms.as_long(band, len(word)), cryptograms.near_words(band, word))):
            if others:
                found[rng.child(turn, way).pick(others)] = None
    return tuple(sorted(found))


def _lines(text: str, wide: int) -> list[str]:
    """A text in lines that break between words."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= wide:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


FAMILY = Cryptogram()
