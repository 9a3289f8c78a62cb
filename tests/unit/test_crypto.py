"""Crypto: every method against known ciphers and against its own inverses, the class against its size, clashes of samples."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.model import CIPHERS, Space
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, Clue, Depth, Spec, Status
from puzzlemill.core.words import many
from puzzlemill.factory.build import _draw
from puzzlemill.generators.crypto import FAMILY, Params
from puzzlemill.rules.cipher_menus import MAX_LETTERS
from puzzlemill.rules.ciphers import LETTERS, METHODS, UNKNOWN, decrypted, encrypted, joined, key_of, named, numbers
from puzzlemill.solvers import space
from puzzlemill.solvers.certify import certify, recheck
from puzzlemill.solvers.deduce import ciphers as deducer
from puzzlemill.solvers.deduce import explain, grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.solvers.kernels import ciphers
from puzzlemill.transforms.clash import Clash
from puzzlemill.vocabulary.texts import SHORTEST, rows_of_words, run_on, sentence, sentences
from puzzlemill.vocabulary.words import keywords, plain_words

ENGINES = Engines(FAMILY)
WIKI, LYONS, DCODE = "Wikipedia", "practicalcryptography.com", "dcode.fr"
CASTLE = "DEFENDTHEEASTWALLOFTHECASTLE"
# Plain text, method, key, cipher, and who has published it.
KNOWN = [
    ("THEQUICKBROWNFOXJUMPSOVERTHELAZYDOG", "caesar", "23", "QEBNRFZHYOLTKCLUGRJMPLSBOQEBIXWVALD", f"{WIKI}, Caesar cipher"),
    ("WHYDIDTHECHICKENCROSSTHEROAD", "caesar", "13", "JULQVQGURPUVPXRAPEBFFGUREBNQ", f"{WIKI}, ROT13"),
    ("WIZARD", "atbash", "", "DRAZIW", f"{WIKI}, Atbash"),
    ("AFFINECIPHER", "affine", "5,8", "IHHWVCSWFRCP", f"{WIKI}, Affine cipher"),
    ("FLEEATONCEWEAREDISCOVERED", "keyword", "ZEBRAS", "SIAAZQLKBAVAZOARFPBLUAOAR", f"{WIKI}, Substitution cipher"),
    ("ATTACKATDAWN", "vigenere", "LEMON", "LXFOPVEFRNHR", f"{WIKI}, Vigenere cipher"),
    (CASTLE, "vigenere", "FORTIFICATION", "ISWXVIBJEXIGGBOCEWKBJEVIGGQS", LYONS),
    ("ATTACKATDAWN", "autokey", "QUEENLY", "QNXEPVYTWTWP", f"{WIKI}, Autokey cipher"),
    (CASTLE, "autokey", "FORTIFICATION", "ISWXVIBJEXIGGZEQPBIMOIGAKMHE", LYONS),
    (CASTLE, "beaufort", "FORTIFICATION", "CKMPVCPVWPIWUJOGIUAPVWRIWUUK", LYONS),
    ("DCODE", "trithemius", "", "DDQGI", DCODE),
    ("TRITHEMIUS", "trithemius", "", "TSKWLJSPCB", DCODE),
    ("HIDETHEGOLDINTHETREXESTUMP", "playfair", "PLAYFAIREXAMPLE", "BMODZBXDNABEKUDMUIXMMOUVIF", f"{WIKI}, Playfair cipher"),
    ("BAT", "polybius", "", "12 11 44", f"{WIKI}, Polybius square, with I and J in one cell"),
    ("HI", "bacon", "", "AABBBABAAA", f"{WIKI}, Bacon's cipher, the code with 26 letters"),
    ("UVXYZ", "bacon", "", "BABAABABABBABBBBBAAABBAAB", f"{WIKI}, Bacon's cipher, the code with 26 letters"),
    ("PARIS", "morse", "", ".--. .- .-. .. ...", "ITU-R M.1677"),
    ("CQJ", "morse", "", "-.-. --.- .---", "ITU-R M.1677"),
    ("ABC", "reversal", "", "CBA", "by hand"),
    ("WEAREDISCOVEREDFLEEATONCE", "railfence", "3", "WECRLTEERDSOEEFEAOCAIVDEN", f"{WIKI}, Rail fence cipher"),
    (CASTLE, "railfence", "4", "DTTFSEDHSWOTATFNEAALHCLEELEE", "the text of practicalcryptography.com, by hand"),
    ("WEAREDISCOVEREDFLEEATONCE", "columnar", "ZEBRAS", "EVLNACDTESEAROFODEECWIREE", f"{WIKI}, Transposition cipher"),
]


def entry(method: str, key: str) -> tuple[int, ...]:
    return (CIPHERS.index(method), *numbers(key))


@pytest.mark.parametrize(("plain", "method", "key", "cipher", "source"), KNOWN)
def test_known_ciphers(plain: str, method: str, key: str, cipher: str, source: str) -> None:
    """A method that is not the one that its name says: all three implementations must make the cipher from books."""
    done = encrypted(((method, key),), list(plain))
    assert done is not None
    assert joined(done) == cipher, source
    assert decrypted(((method, key),), cipher) == plain
    assert ciphers.encrypted((entry(method, key),), plain) == cipher
    assert ciphers._decrypt((entry(method, key),), cipher) == plain


def test_every_method_is_known() -> None:
    """The list above, the menus and the table's codes name the same methods."""
    assert {method for _, method, _, _, _ in KNOWN} == set(METHODS) == set(CIPHERS)
    assert len(set(plain_words())) == len(plain_words()) > 500
    assert all(3 <= len(word) <= 8 and word.isalpha() and word.islower() for word in plain_words())
    assert len({frozenset(word) for word in keywords()}) == len(keywords())


@pytest.mark.parametrize("method", METHODS)
def test_three_implementations_agree(method: str) -> None:
    """Every key, texts of all lengths: the same cipher or none, and back to the text. Ciphers that nothing makes give nothing."""
    rng = stream("crypto", method)
    for key in METHODS[method].keys:
        assert key_of(method, numbers(key)) == key
        for length in (1, 2, 3, 5, 8, 13, 24):
            text = "".join([rng.pick(LETTERS) for _ in range(length)])
            steps, row = ((method, key),), (entry(method, key),)
            done = encrypted(steps, list(text))
            cipher = None if done is None else joined(done)
            assert ciphers.encrypted(row, text) == cipher
            if cipher is not None:
                assert decrypted(steps, cipher) == ciphers._decrypt(row, cipher) == text
            for strange in (text, "".join([rng.pick("AB") for _ in range(length)]), "11 2", ".- ......", "11 56", " "):
                plain = decrypted(steps, strange)
                assert ciphers._decrypt(row, strange) == plain
                assert plain is None or ciphers.encrypted(row, plain) == strange


def test_what_unknown_letters_leave_open_is_never_blamed() -> None:
    """The checker's search rests on this: a text with unknown letters becomes the cipher with unknown signs, and no other."""
    rng = stream("crypto", "unknown")
    for method, known in METHODS.items():
        steps = ((method, known.keys[-1]),)
        text = "HIDETHEGOLDINTHETREXESTUMP"
        whole = encrypted(steps, list(text))
        assert whole is not None
        for _ in range(20):
            some = encrypted(steps, [sign if rng.chance(1, 2) else UNKNOWN for sign in text])
            assert some is not None
            assert all(sign in (UNKNOWN, want) for sign, want in zip(some, whole, strict=True))


def drawn(number: int, **params: Any) -> AnyDraft:
    return _draw(FAMILY, Spec(Params(**params)), stream("crypto", "drawn", number), ENGINES, True)


@pytest.mark.parametrize(
    "params",
    [
        {"task": "pairs", "samples": 2},
        {"task": "pairs", "samples": 2, "layers": 2, "methods": 5, "keys": 3},
        {"task": "unordered", "samples": 2, "layers": 4},
        {"task": "known", "layers": 3, "segments": 3},
        {"task": "pairs", "samples": 2, "rounds": 2},
    ],
)
def test_the_class_is_enumerated_and_named(params: dict[str, int | str]) -> None:
    """A proof by enumeration is only as good as the enumeration: every hypothesis once, and as many as the scope says."""
    for number in range(4):
        draft = drawn(number, **params)
        model = FAMILY.model(draft.puzzle.spec, draft.puzzle.board)
        assert isinstance(model, Space)
        sizes = [len(set(model.hypotheses(part))) for part in range(model.parts())]
        assert sizes == [model.size(part) for part in range(model.parts())]
        proof = certify(FAMILY, draft.puzzle, draft.answer, Budget(), expect=Status.UNIQUE)
        assert proof.formulations == ("table:kernel", "model:space")
        assert proof.scope is not None
        assert proof.scope.startswith(f"crypto:{'x'.join(map(str, sizes))} hypotheses:sha256:")
        found = space.answers(model, draft.puzzle.clues, 2, sum(sizes) - 1)
        assert not found.decided(2), "a spent budget is no proof"


def test_the_prompt_names_every_method_with_each_of_its_keys() -> None:
    """A solver is kept from the right hypothesis."""
    puzzle = drawn(0, task="pairs", samples=2, methods=5, keys=3).puzzle
    text, entries = FAMILY.render(puzzle), puzzle.board.pool(0)
    assert len(entries) > 5
    for method, key in entries:
        assert METHODS[method].shown(key) in text


def test_samples_of_different_methods_clash() -> None:
    """Two samples that were made in two ways leave no hypothesis; each alone does, and both are named."""
    kept = 0
    for number in range(8):
        draft = drawn(number, task="pairs", samples=2)
        try:
            child = Clash("deep_clash", Depth.DEEP).edit(FAMILY, draft, stream("crypto", "clash", number), ENGINES)
        except Discarded:
            continue  # signs that one method alone writes give it away
        kept += 1
        proof = certify(FAMILY, child.puzzle, None, Budget(), expect=Status.UNSOLVABLE)
        assert (proof.unsat_core, proof.depth) == (("s1", "s2"), Depth.DEEP)
        for clue in child.puzzle.clues:
            assert ENGINES.count(child.puzzle.with_clues([clue]), 1) == 1
        for engine in ("kernel", "space"):
            assert recheck(FAMILY, child.puzzle, Status.UNSOLVABLE, None, None, engine, Budget()).problem == ""
            wrong = recheck(FAMILY, child.puzzle, Status.UNIQUE, draft.answer, None, engine, Budget())
            assert wrong.problem
    assert kept >= 3


def test_a_clash_of_samples_names_none_that_can_be_left_out() -> None:
    """Samples that only repeat what others say stand in the clash."""
    told = ["ABC = DEF", "BCD = EFG", "XYZ = ABC", "ABCD = BCDE"]  # by 3, by 3 again, by 3 once more, by 1
    text = "crypto task=pairs layers=1\nletters: 3\nmethod caesar 1 3 5\ncipher: HIJ\n"
    puzzle = FAMILY.text.parse(lines_of(text + "".join([f"pair: {each}\n" for each in told])))
    clash = ENGINES.unsat_core(puzzle)
    assert len(clash) == 2 and "s4" in clash
    # a text of plain letters that no method of the menu gives is a clash of one
    alone = FAMILY.text.parse(lines_of(text + "pair: ABC = DEF\npair: ABC = ACB\n"))
    assert (ENGINES.unsat_core(alone), ENGINES.depth(alone)) == (("s2",), Depth.SHALLOW)


def test_the_order_of_methods_is_part_of_a_puzzle_only_where_it_is_told() -> None:
    """Two puzzles are taken for one, or one for two."""
    methods = ["method caesar 3\n", "method reversal\n"]
    for task, same in (("known", False), ("unordered", True)):
        texts = [
            f"crypto task={task} layers=2\nletters: 4\n{one}{other}cipher: HIJK\n" for one, other in (methods, methods[::-1])
        ]
        shapes = [FAMILY.symmetry(FAMILY.text.parse(lines_of(text))) for text in texts]
        assert (shapes[0] == shapes[1]) is same


def test_two_hypotheses_with_one_output_are_one_answer() -> None:
    """Caesar by 3 and 4, or by 4 and 3: unique by output, not by hypothesis. One of the two alone leaves two answers."""
    text = "crypto task=unordered layers=2\nletters: 4\nmethod caesar 3 4\ncipher: HIJK\n"
    puzzle = FAMILY.text.parse(lines_of(text))
    proof = certify(FAMILY, puzzle, "ABCD", Budget(), expect=Status.UNIQUE)
    assert proof.answer == "ABCD"
    text = text.replace("unordered layers=2", "pairs layers=1")
    with pytest.raises(Discarded, match="ambiguous"):
        certify(FAMILY, FAMILY.text.parse(lines_of(text)), "EFGH", Budget())


def chi(counts: Counter[Any], classes: int) -> float:
    """How many standard deviations the chi-square statistic of an even draw lies above its mean."""
    mean = sum(counts.values()) / classes
    statistic = sum((count - mean) ** 2 / mean for count in counts.values()) + mean * (classes - len(counts))
    return float((statistic - (classes - 1)) / (2 * (classes - 1)) ** 0.5)


def test_methods_and_keys_are_drawn_evenly() -> None:
    """A method or a key that hardly ever comes is never learned. Every method encrypts some texts of random letters."""
    spec = Spec(Params(text="random", letters=8))
    steps = [FAMILY.sample_solution(spec, stream("crypto", "even", n), ENGINES).steps[0][0] for n in range(3_000)]
    counts = Counter(method for method, _ in steps)
    assert set(counts) == set(METHODS)
    assert chi(counts, len(METHODS)) < 5
    for method in ("caesar", "affine", "vigenere", "railfence"):
        assert chi(Counter(key for name, key in steps if name == method), len(METHODS[method].keys)) < 5


def test_texts_are_drawn_evenly() -> None:
    """Words that never come, or always together, can be memorised. The rows of words of a length are counted exactly."""
    lengths = Counter(len(word) for word in plain_words())
    assert rows_of_words(6) == lengths[6] + lengths[3] ** 2
    assert rows_of_words(8) == lengths[8] + lengths[4] ** 2 + 2 * lengths[3] * lengths[5]
    assert rows_of_words(2) == 0
    rng = stream("crypto", "texts")
    three = Counter(run_on(3, rng) for _ in range(3_000))
    assert set(three) <= {word for word in plain_words() if len(word) == 3}
    assert chi(three, lengths[3]) < 5
    six = Counter(run_on(6, rng) for _ in range(3_000))
    most = rows_of_words(6)
    expected = most * (1 - (1 - 1 / most) ** 3_000)
    assert abs(len(six) - expected) < 5 * expected**0.5
    long = sum(text in plain_words() for text in six.elements())
    assert abs(long - 3_000 * lengths[6] / most) < 5 * (3_000 * lengths[6] / most) ** 0.5
    assert {len(run_on(length, rng)) for length in range(3, 61)} == set(range(3, 61))


def test_sentences_are_drawn_evenly() -> None:
    """Sentences that are few, of another length, or come again and again can be memorised. They are counted exactly."""
    assert all(sentences(letters) > 100_000 for letters in range(SHORTEST, MAX_LETTERS + 1))
    rng = stream("crypto", "sentences")
    grammar = tomllib.loads(resources.files("puzzlemill.vocabulary").joinpath("sentences.toml").read_text())
    known = {word for name, words in grammar.items() if name != "clauses" for text in words for word in text.split()}
    known |= {word for text in grammar["clauses"] for word in text.split()}
    known |= {many(word) for name in ("who", "what", "see", "go") for word in grammar[name]}
    for letters in (*range(3, MAX_LETTERS + 1), *[20] * 60):
        drawn = sentence(letters, rng)
        assert len(drawn.replace(" ", "")) == letters and (letters < SHORTEST or set(drawn.split()) <= known), drawn
    few = Counter(sentence(SHORTEST, rng) for _ in range(4_000))
    most = sentences(SHORTEST)
    expected = most * (1 - (1 - 1 / most) ** 4_000)
    assert abs(len(few) - expected) < 5 * (4_000 - expected + 1) ** 0.5


def test_numbers_of_any_size_are_drawn_evenly() -> None:
    """There are more rows of words of 60 letters than one word of the generator can tell apart."""
    rng = stream("crypto", "below")
    n = 3 * 2**64 + 1
    drawn_numbers = [rng.below(n) for _ in range(3_000)]
    assert 0 <= min(drawn_numbers) <= max(drawn_numbers) < n
    assert chi(Counter(number // 2**62 for number in drawn_numbers if number < 3 * 2**64), 12) < 5
    assert [rng.below(1) for _ in range(3)] == [0, 0, 0]
    assert {rng.below(3) for _ in range(100)} == {0, 1, 2}


def test_a_text_is_never_its_own_cipher() -> None:
    """Encrypted twice by a method that is its own inverse, a text would stand there as the answer."""
    for number in range(40):
        draft = drawn(number, task="pairs", samples=1, rounds=2, letters=8)
        assert "|".join(draft.puzzle.board.cipher) != draft.answer


TRACED: list[dict[str, Any]] = [
    {},
    {"layers": 4},
    {"segments": 3, "layers": 2},
    {"task": "unordered", "layers": 3, "samples": 2},
    {"task": "pairs", "samples": 2},
    {"task": "pairs", "samples": 2, "rounds": 2},
    {"task": "pairs", "samples": 2, "layers": 2, "methods": 6, "keys": 4, "segments": 2},
]


@pytest.mark.parametrize("params", TRACED, ids=str)
def test_traces_end_in_the_answer(params: dict[str, Any]) -> None:
    """A worked decryption whose words end in another text, or is called easier than it is."""
    for number in range(12):
        draft = drawn(number, **params)
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        ends = [step for step in graded.steps if step.sets]
        texts = [explain(FAMILY, draft.puzzle, step).rsplit(" is ", 1)[1].rstrip(".") for step in ends]
        assert "".join(texts) == draft.answer
        hard = params.get("task") == "pairs" and "layers" in params
        assert graded.band == ("easy" if "task" not in params else "hard" if hard else "medium")
        beyond = replace(graded.steps[0], claims=(), sets=((99, 0), (999, 0)))
        for at, step in enumerate(graded.steps):
            for claim in step.claims:
                other = (
                    (*claim[:-1], claim[-1][::-1] + "A")
                    if claim[0] == "before"
                    else ("is" if claim[0] == "not" else "not", *claim[1:])
                )
                planted = [*graded.steps[:at], replace(step, claims=(other,)), *graded.steps[at + 1 :]]
                assert wrong_step(FAMILY, draft.puzzle, planted).startswith(f"step {at + 1} (")
        assert "no slot" in wrong_step(FAMILY, draft.puzzle, [beyond])


@pytest.mark.parametrize("params", [{}, {"rounds": 2}, {"task": "unordered", "layers": 2}], ids=str)
def test_the_way_that_is_left_is_named_and_tested(params: dict[str, Any]) -> None:
    """A list of refuted ways that skips one in silence; a result that is stated twice."""
    for number in range(3):
        draft = drawn(number, **{"task": "pairs", "samples": 2} | params)
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        words = [explain(FAMILY, draft.puzzle, step) for step in graded.steps]
        refuted = [each for step in graded.steps if isinstance(step.found, deducer.Refute) for each in step.found.tried]
        assert refuted
        left = next(text for text in words if " is left" in text)
        table = FAMILY.deduction_table(draft.puzzle)
        plain, cipher = table.parts[0].samples[0]
        way = re.match(r"So only (?:one order is left: )?(.*?)(?: is left|\.)", left)
        assert way, left
        assert way.group(1) not in [named(each) for each, _, _ in refuted]
        shown = plain[:5] if "layers" in params else plain
        assert all(f"{one[:5]}" in left and code[:5] in left for one, code in table.parts[0].samples)
        assert f" turns {shown}" in left and cipher[:5] in left
        assert ("so undo it twice" in left) == ("rounds" in params)
        assert draft.answer is not None and " ".join(words).count(draft.answer) == 1
        assert not re.search(r"\([^()]*\([^()]*\)", " ".join(words)) or "Playfair" in " ".join(words)


def told(text: str, answer: str | None) -> list[str]:
    puzzle = FAMILY.text.parse(lines_of(text))
    graded = grade(FAMILY, puzzle, answer)
    assert graded is not None
    assert wrong_step(FAMILY, puzzle, graded.steps) == ""
    return [explain(FAMILY, puzzle, step) for step in graded.steps]


def test_a_method_that_a_sample_refutes_in_words() -> None:
    """What a sample shows of methods together; then the letter that changes, the column that is read first, the odd number."""
    keys = "caesar 1 2\nmethod playfair ZEBRA EAGLE\nmethod columnar DOG CAB\nmethod railfence 2 3\nmethod affine 3,1 5,2"
    keys += "\nmethod vigenere LEMON BASKET\nmethod morse"
    assert told(f"crypto task=pairs layers=1\nletters: 3\nmethod {keys}\npair: ABX = BCY\ncipher: BCD\n", "ABC") == [
        "ABX became BCY, which is written in letters. But Morse code writes dots and dashes, so it was not used.",
        "ABX became BCY. The letter C is new, but the columnar transposition and the rail fence only change the order of the "
        "letters, so neither was used.",
        "Caesar shift: ABX became BCY, and B is 1 place after A in the alphabet. So k is not 2. With k = 1 it fits, so "
        "that stays possible.",
        "Playfair cipher: ABX cannot be encrypted, because it has 3 letters, an odd number.",
        "Affine cipher: ABX became BCY. The first letter, A, would become C with (5, 2), but it became B. With (3, 1) the first "
        "letter is right, but the second letter, B, would become E, not C.",
        "Vigenere cipher: ABX became BCY. A key letter is the cipher letter minus the plain one, so the first is B (1) - A (0) = "
        "1, B. LEMON does not begin with B. With BASKET the first letter is right, "
        "but the second letter, B, would become B, not C.",
        "So only the Caesar shift by 1 is left. It turns ABX into BCY, as the sample says.",
        "Every letter moves 1 place back in the alphabet. Of the letters that occur, B stands for A, C for B, D for C. BCD "
        "becomes ABC. The plain text is ABC.",
    ]


def test_one_reason_is_told_only_where_it_holds() -> None:
    """Methods that move letters, or that replace each by the same one, are tried by their keys where the sample looks so."""
    menu = "method caesar 1\nmethod atbash\nmethod reversal\nmethod columnar DOG\nmethod bacon"
    first, *_ = told(f"crypto task=pairs layers=1\nletters: 3\n{menu}\npair: ABBA = BACB\ncipher: BCD\n", None)
    assert first.startswith("ABBA became BACB, which has the letter C. But Bacon's code writes only the letters A and B")
    moved = told(f"crypto task=pairs layers=1\nletters: 4\n{menu}\npair: ABBC = CBBA\ncipher: DCBA\n", "ABCD")
    assert "Columnar transposition: ABBC became CBBA" in " ".join(moved) and "only change the order" not in " ".join(moved)
    steady = told(f"crypto task=pairs layers=1\nletters: 4\n{menu}\npair: ABBC = ZYYX\ncipher: ZYXW\n", "ABCD")
    assert "Caesar shift: ABBC became ZYYX" in " ".join(steady) and "equal letters" not in " ".join(steady)


def test_a_step_that_leans_on_too_few_samples_is_wrong() -> None:
    """Without its sample the step is true, but does not follow. What earlier steps concluded may be leant on."""
    text = "crypto task=pairs layers=1\nletters: 3\nmethod caesar 1 2\npair: AAA = BBB\npair: AAA = BBB\ncipher: BCD\n"
    puzzle = FAMILY.text.parse(lines_of(text))
    graded = grade(FAMILY, puzzle, "ABC")
    assert graded is not None
    refuted, left, last = graded.steps
    assert refuted.uses == ("s1",) and left.uses == ("#1",) and last.uses == ("#2",)
    step = replace(last, uses=("s1",))
    assert "does not follow" in wrong_step(FAMILY, puzzle, [replace(step, uses=())])
    first = replace(step, sets=step.sets[:1])
    assert wrong_step(FAMILY, puzzle, [first, replace(step, uses=("#1",), sets=step.sets[1:])]) == ""
    assert "does not follow" in wrong_step(FAMILY, puzzle, [first, replace(step, uses=(), sets=step.sets[1:])])
    dropped = replace(step, sets=(), drops=((0, 25),))
    assert wrong_step(FAMILY, puzzle, [dropped, replace(step, uses=("#1", "s2"))]) == ""
    false = replace(step, sets=(), drops=((0, 0),))
    assert "does not follow" in wrong_step(FAMILY, puzzle, [false, step])


@pytest.mark.parametrize("depth", list(Depth))
def test_traces_of_puzzles_without_an_answer(depth: Depth) -> None:
    """They end in a contradiction, by as few samples as the clash has."""
    kept = 0
    for number in range(12):
        params: dict[str, Any] = {"task": "pairs", "samples": 3, "segments": 1 + number % 2}
        draft = drawn(number, **params)
        try:
            child = Clash("clash", depth).edit(FAMILY, draft, stream("crypto", "traced", number), ENGINES)
        except Discarded:
            continue
        kept += 1
        graded = grade(FAMILY, child.puzzle, None)
        assert graded is not None
        *refuted, step = graded.steps
        assert not step.sets and not step.claims
        named = {use for each in refuted for use in each.uses}
        assert len(named) == (1 if depth is Depth.SHALLOW else 2)
        assert wrong_step(FAMILY, child.puzzle, graded.steps) == ""
        for part in named:  # the steps that lean on a sample are needed (some ways cannot have made the cipher anyway)
            fewer = tuple([f"#{at}" for at, each in enumerate(refuted, 1) if part not in each.uses])
            assert "does not follow" in wrong_step(FAMILY, child.puzzle, [*refuted, replace(step, uses=fewer)])
        assert "so no method fits" in explain(FAMILY, child.puzzle, step).casefold()
    assert kept >= 6


def test_contradictions_that_are_not_in_the_samples() -> None:
    """Written by hand: what fits the samples cannot have made the cipher, or nothing that is told can."""
    for text, words in (
        ("task=known layers=1\nletters: 3\nmethod reversal\npair: ABC = ABC\ncipher: ABC", "does not turn ABC into ABC."),
        ("task=known layers=1\nletters: 3\nmethod bacon\ncipher: ABC", "cannot have made ABC."),
        (
            "task=pairs layers=1\nletters: 3\nmethod bacon\nmethod morse\ncipher: ABC",
            "Bacon's code or Morse code cannot have made ABC",
        ),
        (
            "task=pairs layers=1\nletters: 3\nmethod caesar 1\nmethod bacon\npair: A = AAAAA\ncipher: ABC",
            "Bacon's code cannot have made ABC",
        ),
    ):
        puzzle = FAMILY.text.parse(lines_of(f"crypto {text}\n"))
        graded = grade(FAMILY, puzzle, None)
        assert graded is not None
        assert wrong_step(FAMILY, puzzle, graded.steps) == ""
        assert words in " ".join([explain(FAMILY, puzzle, step) for step in graded.steps])


def test_several_ways_to_one_text_are_told() -> None:
    """Caesar by 3, then 4, or by 4, then 3: the trace must not say that only one way fits."""
    text = "crypto task=unordered layers=2\nletters: 4\nmethod caesar 3 4\npair: AB = HI\ncipher: HIJK\n"
    puzzle = FAMILY.text.parse(lines_of(text))
    graded = grade(FAMILY, puzzle, "ABCD")
    assert graded is not None
    assert explain(FAMILY, puzzle, graded.steps[0]).startswith(
        "Both ways of encrypting turn AB into HI, and they give the same text. One is "
    )
    alone = FAMILY.text.parse(lines_of(text.replace("pair: AB = HI\n", "")))
    graded = grade(FAMILY, alone, "ABCD")
    assert graded is not None
    assert graded.steps[0].technique == "search"
    assert wrong_step(FAMILY, alone, graded.steps) == ""


def test_rows_that_mean_nothing_are_refused() -> None:
    """A stored puzzle with an unknown method or a sample without its segments raises BadRow, not an index error."""
    draft = drawn(0, task="pairs", samples=1)
    assert draft.answer is not None
    for board in (replace(draft.puzzle.board, menus=((("rot", "1"),),)), replace(draft.puzzle.board, menus=((("caesar",),),))):
        with pytest.raises(BadRow):
            FAMILY.broken_rules(replace(draft.puzzle, board=board), draft.answer)
    with pytest.raises(BadRow):
        FAMILY.render(draft.puzzle.with_clues([Clue("s1", "sample", ("ABC", "DEF|GHI"))]))
    for lengths in ((10**9,), (), (0,), (8, 8), (8,) * 5):
        made_up = replace(draft.puzzle, board=replace(draft.puzzle.board, lengths=lengths))
        with pytest.raises(BadRow, match="lengths"):  # before as many columns are made
            FAMILY.form.layout(made_up)
        with pytest.raises(BadRow, match="lengths"):
            FAMILY.form.slots(made_up.spec, made_up.board)


@pytest.mark.parametrize("params", [each for each in TRACED if each.get("samples")], ids=str)
def test_shared_work_finds_what_trying_one_by_one_finds(params: dict[str, Any]) -> None:
    """A hypothesis that the quick look at beginnings leaves out would make two answers look like one."""
    for number in range(4):
        draft = drawn(number, **params)
        model = FAMILY.model(draft.puzzle.spec, draft.puzzle.board)
        assert isinstance(model, Space)
        other = drawn(number + 50, **params).puzzle.clues  # samples that nothing or something else fits
        for clues in (draft.puzzle.clues, draft.puzzle.clues[:1], other, ()):
            told = [(clue.kind, clue.args) for clue in clues]
            for part in range(model.parts()):
                assert set(model.fitting(part, told)) == set(Space.fitting(model, part, told))
