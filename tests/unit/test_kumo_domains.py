"""Domain files, the validator, and exclusions drawn in a shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files as resources
from itertools import combinations
from pathlib import Path
from statistics import mean

import pytest

from puzzlemill.cli import main
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.rng import stream
from puzzlemill.kumo.domain import files
from puzzlemill.kumo.domain.check import OWN, STRUCTURES, defects, exclusion_defects, folded, near
from puzzlemill.kumo.domain.domain import Action, Domain
from puzzlemill.kumo.domain.structure import SHAPES, domain_of, drawn_for, exclusions

NAMES = files.names()
Change = Callable[[str], str]


def text_of(name: str = "") -> str:
    """The text of an authored domain; without a name, of the one that these tests bend, which nobody edits."""
    if not name:
        return Path(__file__).with_name("quarry.toml").read_text(encoding="utf-8")
    return (resources("puzzlemill.kumo.domain") / "authored" / f"{name}.toml").read_text(encoding="utf-8")


def quarry(structure: str = "few_large") -> Domain:
    domain, found = files.parse(text_of(), "quarry")
    assert domain is not None and found == ()
    return replace(domain, structure=structure)


def problems(text: str) -> tuple[str, ...]:
    return files.parse(text, "some_name")[1]


def swap(old: str, new: str) -> Change:
    """Exchanges a text that is there, once."""

    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


# ---- files ----------------------------------------------------------------------------------------------------------------


def test_the_first_example_of_a_file_is_read_as_it_is_written() -> None:
    """A number that went through a float would be off by one in its last digit, and a clause would be wrong."""
    domain = quarry()
    assert (domain.name, domain.truth, len(domain.truths)) == ("quarry", "mineral", 50)
    density = next(action for action in domain.actions if action.quantity == "the density")
    assert density.bounds == (15, 26, 32, 80) and density.decimals == 1
    assert density.clause(1) == "the density is at least 2.6 g/cm³ and below 3.2 g/cm³"
    assert density.clause(2) == "the density is at least 3.2 g/cm³ and at most 8.0 g/cm³"


def test_there_are_many_domains_over_many_topics() -> None:
    domains = [files.authored(name) for name in NAMES]
    assert len(domains) >= 40 and len({domain.topic for domain in domains}) >= 18
    assert all(48 <= len(domain.truths) <= 52 and len(domain.actions) >= 30 for domain in domains)
    assert {domain.structure for domain in domains} == set(SHAPES)
    assert len({domain.title for domain in domains}) == len(domains)
    assert {domain.structure for domain in domains} == set(STRUCTURES)
    assert tuple(SHAPES) == STRUCTURES


@pytest.mark.parametrize("name", NAMES)
def test_every_authored_domain_is_good(name: str) -> None:
    """Names, wording and the exclusions of two editions."""
    assert files.parse(text_of(name), name) == (files.authored(name), ())
    for edition in ("", "a"):
        assert defects(domain_of(name, edition)) == ()


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_written_domain_is_read_back(name: str) -> None:
    """A domain with its exclusions can be handed on as a file."""
    for domain in (files.authored(name), domain_of(name, "x")):
        assert files.parse(files.write(domain), name) == (domain, ())


def test_a_name_that_there_is_none_of() -> None:
    with pytest.raises(BadParams, match="no authored domain is called 'quary_minerals'; do you mean quarry_minerals"):
        files.authored("quary_minerals")
    with pytest.raises(BadParams, match="puzzlemill domains lists them"):
        domain_of("\x1b", "a")


FORMS: dict[str, tuple[Change, str]] = {
    "no TOML": (lambda text: text + "\n=", "not TOML: "),
    "endless digits": (lambda text: text + f"\nx = {'9' * 5000}", "not TOML: "),
    "deep lists": (lambda text: text + "\nx = " + "[" * 5000, "lists are nested too deep"),
    "a key is missing": (swap('topic = "geology"\n', ""), "the file: 'topic' is missing; add it"),
    "a key has a slip": (swap("scene =", "scenes ="), "the file: no key is called 'scenes'; write 'scene'"),
    "a key of no use": (swap("topic =", "zzz = 1\ntopic ="), "the file: no key is called 'zzz'; take it out"),
    "a key of an action": (swap("does =", "do ="), "action 1 ('Streak test'): no key is called 'do'; write 'does'"),
    "no text": (swap('topic = "geology"', "topic = 3"), "topic: expected a text, got 3; write it in quotes"),
    "two lines": (swap('topic = "geology"', 'topic = "geo\\nlogy"'), "topic: expected one line of at most 400 printable"),
    "no list": (swap("outcomes = [", 'outcomes = "" #'), "action 1 ('Streak test'), outcomes: expected a list of at most 200"),
    "no number": (swap("low = 1.5", 'low = "1.5"'), ", low: expected a number from -1000000000 to 1000000000"),
    "truth as a number": (swap("low = 1.5", "low = true"), ", low: expected a number"),
    "no finite number": (swap("high = 8.0", "high = inf"), ", high: expected a number"),
    "a huge number": (swap("high = 8.0", "high = 1e999999"), ", high: expected a number"),
    "a number beyond arithmetic": (swap("high = 8.0", "high = 1e999999999"), ", high: expected a number"),
    "a number beside nothing": (swap("low = 1.5", "low = 1e-999999999"), ", low: expected a number"),
    "more digits than arithmetic has": (swap("low = 1.5", f"low = 1.5{'0' * 40}1"), ", low: expected a number"),
    "too fine": (
        swap("high = 8.0", "high = 8.05"),
        ", decimals: expected at least 2, as in the bounds, got 1; raise it or round",
    ),
    "odd decimals": (swap("decimals = 1", "decimals = 7"), ", decimals: expected a whole number from 0 to 6, got 7"),
    "unordered cuts": (swap("cuts = [2.6, 3.2]", "cuts = [3.2, 2.6]"), ": 3.2 does not lie below 2.6; write low, "),
    "a cut twice": (swap("cuts = [2.6, 3.2]", "cuts = [2.6, 2.6]"), ": 2.6 does not lie below 2.6; "),
    "a cut outside": (swap("high = 8.0", "high = 3.0"), ": 3.2 does not lie below 3.0; "),
    "an alien structure": (swap('structure = "few_large"', 'structure = "ring"'), "structure: expected one of few_large, "),
    "own without exclusions": (swap('structure = "few_large"', 'structure = "own"'), "structure: 'own' is of domains that bring"),
}


@pytest.mark.parametrize("kind", FORMS)
def test_each_defect_of_form_gets_one_clear_error(kind: str) -> None:
    """One line with the place, what was expected, what came, and what to do; nothing else is complained about."""
    change, told = FORMS[kind]
    found = problems(change(text_of()))
    assert told in found[0], found
    assert len(found) == 1 and all("\n" not in line for line in found)


SCALE = "low = 1.5\nhigh = 8.0\ncuts = [2.6, 3.2]\n"
INTERVALS = {
    "[[1.5, 2.6], [2.8, 3.2], [3.2, 8.0]]": "intervals[2]: expected a lower end at 2.6, got '2.8'; close the gap from 2.6 to 2.8",
    "[[1.5, 2.6], [2.4, 3.2], [3.2, 8.0]]": "intervals[2]: expected a lower end at 2.6, got '2.4'; end the interval before",
    "[[2.6, 3.2], [1.5, 2.6], [3.2, 8.0]]": "intervals[2]: expected a lower end at 3.2, got '1.5'; sort the intervals",
    "[[2.6, 1.5], [2.6, 3.2]]": "intervals[1]: expected a lower end below the upper one, got '[2.6, 1.5]'; swap or change them",
    "[[1.5, 2.6, 3.0], [2.6, 3.2]]": "intervals[1]: expected a pair [low, high], got [Decimal",
    "[1.5, 2.6]": "intervals[1]: expected a pair [low, high], got Decimal('1.5'); write both ends",
}


def test_no_file_makes_the_reader_fail() -> None:
    """Whatever is cut out of a file or written into it, the reader tells what is wrong, in single lines."""
    rng = stream("fuzz")
    whole, told = text_of(), 0
    bits = [
        "[",
        "]",
        '"',
        "\n",
        "=",
        "0",
        "-1e400",
        "nan",
        "[[actions]]\n",
        "{}",
        "[[1, 2], 3]",
        "true",
        "1979-05-27",
        "\u202e",
        "excludes = 3\n",
    ]
    for _ in range(150):
        start = rng.below(len(whole))
        text = whole[:start] + rng.pick(["", *bits]) + whole[start + rng.pick((0, 0, 1, 5, 40, 2000)) :]
        domain, found = files.parse(text, "some_name")
        assert domain is not None or found
        assert all(line.isprintable() for line in found)
        told += bool(found)
    assert told > 75


def test_intervals_may_be_written_out() -> None:
    """As other people and models write them; the bounds are the same."""
    written = swap(SCALE, "intervals = [[1.5, 2.6], [2.6, 3.2], [3.2, 8]]\n")(text_of())
    assert files.parse(written, "quarry") == (quarry(), ())


@pytest.mark.parametrize("intervals", INTERVALS)
def test_gaps_and_overlaps_are_refused(intervals: str) -> None:
    """Also where the file brings exclusions along, which cannot be counted against wrong intervals."""
    for text in (text_of(), files.write(drawn_for(quarry(), "x"))):
        found = problems(swap(SCALE, f"intervals = {intervals}\n")(text))
        assert INTERVALS[intervals] in found[0], found
        assert all("intervals[" in line for line in found)


def test_exclusions_of_a_file_are_read_and_kept() -> None:
    """A file may bring its exclusions; nothing is drawn over them."""
    domain = replace(drawn_for(quarry(), "x"), structure=OWN)
    read, found = files.parse(files.write(domain), "quarry")
    assert found == () and read == domain
    assert read is not None and drawn_for(read, "y") == domain


def test_a_truth_that_is_there_twice_is_told_once() -> None:
    """Which of the two is excluded is unknown: nothing is said of it."""
    once = replace(drawn_for(quarry(), "x"), structure=OWN)
    twice = replace(once, truths=(once.truths[0], once.truths[0], *once.truths[2:]))
    (line,) = problems(files.write(twice).replace('["Quartz", "Quartz"', '["Quartz"'))
    assert line == "truth 'Quartz': is there twice; take one out or rename it"


def test_exclusions_of_a_file_that_say_nothing() -> None:
    written = files.write(drawn_for(quarry(), "x"))
    first = next(line for line in written.splitlines() if line.startswith('    ["'))
    assert (
        "excludes[1]: expected a truth of the domain, got 'Quarz'; write 'Quartz'"
        in problems(swap(first, '    ["Quarz"],')(written))[0]
    )
    assert "excludes[1]: expected each truth once, got 'Quartz'" in problems(swap(first, '    ["Quartz", "Quartz"],')(written))[0]
    assert "excludes: expected 3 lists, one per outcome, got 2" in problems(swap(first + "\n", "")(written))[0]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.toml: No such file"):
        files.read(tmp_path / "none.toml")
    (tmp_path / "big.toml").write_bytes(b"#" * (files.MAX_BYTES + 1))
    with pytest.raises(BadFile, match=r"big\.toml: the file has more than 500000 bytes"):
        files.read(tmp_path / "big.toml")
    (tmp_path / "latin.toml").write_bytes(b'title = "caf\xe9"')
    with pytest.raises(BadFile, match="byte 12: expected UTF-8, got 0xe9; save the file as UTF-8"):
        files.read(tmp_path / "latin.toml")
    (tmp_path / "Strange Name.toml").write_text(text_of(), encoding="utf-8")
    with pytest.raises(BadFile, match="the file's name: expected 2 to 40 small letters"):
        files.read(tmp_path / "Strange Name.toml")
    (tmp_path / "two.toml").write_text(text_of().replace('"geology"', "1").replace('"mineral"', "2"), encoding="utf-8")
    with pytest.raises(
        BadFile, match=r"topic: expected a text, got 1; write it in quotes \(and 1 more: puzzlemill domains check"
    ):
        files.read(tmp_path / "two.toml")


# ---- names and wording ------------------------------------------------------------------------------------------------------

STREAK = 'outcomes = ["the streak is white", "the streak is black", "the streak is reddish brown"]'
WORDING: dict[str, tuple[Change, str]] = {
    "few truths": (
        lambda text: re.sub(r"truths = \[[^]]*\]", 'truths = ["Quartz", "Calcite"]', text),
        "truths: expected 40 to 60, got 2; add some",
    ),
    "few actions": (lambda text: "\n[[".join(text.split("\n[[")[:30]), "actions: expected 30 to 48, got 29; add some"),
    "one outcome": (
        swap(STREAK, 'outcomes = ["the streak is white"]'),
        "action 'Streak test', outcomes: expected 2 to 4, got 1; add some",
    ),
    "five outcomes": (
        swap(STREAK, 'outcomes = ["a is b", "b is c", "c is d", "d is e", "e is f"]'),
        "outcomes: expected 2 to 4, got 5; take",
    ),
    "one interval": (swap("cuts = [2.6, 3.2]", "cuts = []"), ", intervals: expected 2 to 4, got 1; add some"),
    "title": (swap('"Minerals of a Quarry"', '"Minerals"'), "title: expected 2 to 8 words, got 'Minerals'"),
    "noun": (swap('truth = "mineral"', 'truth = "Mineral"'), "truth: expected one noun or two in small letters, got 'Mineral'"),
    "scene": (swap('to be named."', 'to be named"'), "scene: expected a sentence or two with a full stop"),
    "question": (swap("Which mineral is it?", "Name the mineral."), "question: expected one question with its mark"),
    "twice": (swap('"Calcite"', '"Quartz"'), "truth 'Quartz': is there twice; take one out or rename it"),
    "case": (
        swap('"Calcite"', '"QuartZ"'),
        "truth 'QuartZ': differs from 'Quartz' by case, blanks, hyphens, accents or a plural only",
    ),
    "plural": (swap('"Calcite"', '"Quartzes"'), "truth 'Quartzes': differs from 'Quartz' by case, blanks"),
    "hyphen": (swap('"Calcite"', '"Qu-artz"'), "truth 'Qu-artz': differs from 'Quartz' by case, blanks"),
    "accent": (swap('"Calcite"', '"Quärtz"'), "truth 'Quärtz': differs from 'Quartz' by case, blanks"),
    "a digit for a letter": (swap('"Gypsum"', '"D0lomite"'), "'Dolomite'"),
    "one letter": (swap('"Calcite"', '"Quartx"'), "truth 'Quartx': differs from 'Quartz' by one letter; rename one"),
    "a letter more": (swap('"Calcite"', '"Quarttz"'), "truth 'Quarttz': differs from 'Quartz' by one letter; rename one"),
    "a part": (swap('"Calcite"', '"Rose Quartz"'), "truth 'Quartz': is a part of 'Rose Quartz'; rename one"),
    "a truth as an action": (swap('name = "Streak test"', 'name = "Quartz"'), "action 'Quartz': is there twice"),
    "a truth in an action": (swap('name = "Streak test"', 'name = "Quartz test"'), "truth 'Quartz': is a part of 'Quartz test'"),
    "homoglyph": (swap('"Calcite"', '"C\u0430lcite"'), "holds '\\u0430' (CYRILLIC SMALL LETTER A); write Latin letters"),
    "not composed": (swap('"Calcite"', '"Ka\u0308lcite"'), "holds '\\u0308' (COMBINING DIAERESIS); write Latin letters"),
    "mark": (swap('"Calcite"', '"Calcite; Spar"'), "truth 'Calcite; Spar': holds ';' (SEMICOLON); write Latin letters"),
    "small letter": (swap('"Calcite"', '"calc Spar"'), "truth 'calc Spar': expected a capital or a digit first"),
    "too short": (swap('"Calcite"', '"Ca"'), "truth 'Ca': expected 3 to 40 characters, got 2; choose another"),
    "joining word": (swap('"Calcite"', '"Chalk and Lime"'), "truth 'Chalk and Lime': holds the word 'and', with which a list"),
    "does": (swap('does = "scratch', 'does = "Scratch'), "action 'Streak test', does: expected what to do"),
    "no clause": (swap('"the streak is white"', '"white streak"'), "outcome 'white streak': no word of it can be its verb"),
    "one word": (swap('"the streak is white"', '"white"'), "outcome 'white': expected a clause of 2 words"),
    "stop": (swap('"the streak is white"', '"the streak is white."'), "holds '.'; write a clause without marks"),
    "capital": (swap('"the streak is white"', '"The streak is white"'), "begins with a capital; begin with a small letter"),
    "if": (swap('"the streak is white"', '"if the streak is white"'), "begins with 'if'; begin with what is seen"),
    "confirming": (
        swap('"the streak is white"', '"the streak confirms it"'),
        "holds 'confirms'; say what is seen, not what follows",
    ),
    "twice the same": (
        swap('"the streak is black"', '"the streak is white"'),
        "'the streak is white': is also one of 'Streak test'",
    ),
    "truth in a clause": (
        swap('"the streak is white"', '"the streak is that of quartz"'),
        "names the truth 'Quartz'; say what is seen",
    ),
    "action in a clause": (
        swap('"the streak is black"', '"the density measurement fails"'),
        "names the action 'Density measurement'",
    ),
    "unit with a mark": (swap('unit = "g/cm³"', 'unit = "sq. mm"'), ", unit: expected up to 30 characters without marks"),
    "quantity with a verb": (
        swap('quantity = "the density"', 'quantity = "the density is"'),
        "quantity: expected a noun phrase, got",
    ),
    "plural quantity": (
        swap('quantity = "the density"', 'quantity = "the clicks per minute"'),
        "quantity: 'clicks' is plural, and 'the clicks per minute is' reads badly",
    ),
}


@pytest.mark.parametrize(
    "quantity",
    [
        "the mass",
        "the radius of the rings",
        "the axis",
        "the gas pressure",
        "the gas",
        "the number of clicks",
        "the loss in tests",
    ],
)
def test_quantities_in_the_singular_are_none(quantity: str) -> None:
    assert problems(swap('quantity = "the density"', f'quantity = "{quantity}"')(text_of())) == ()


@pytest.mark.parametrize("kind", WORDING)
def test_each_defect_of_wording_gets_one_clear_error(kind: str) -> None:
    change, told = WORDING[kind]
    found = problems(change(text_of()))
    hits = [line for line in found if told in line]
    assert len(hits) == 1, found
    assert all("; " in line and "\n" not in line for line in found)
    if kind not in ("few truths", "few actions", "one word", "five outcomes"):
        assert len(found) == 1, found


def test_few_numeric_actions() -> None:
    domain = quarry()
    plain = tuple([action for action in domain.actions if not action.numeric])
    extra = [
        Action(f"Look {word}", "look at it", (f"it is {word} left", f"it is {word} right")) for word in ("quickly", "slowly")
    ]
    found = defects(replace(domain, actions=(*plain, *extra, *plain[:0], *domain.actions[-5:])))
    assert "actions: expected at least 6 numeric ones, got 5; give more of them a quantity and intervals" in found


def test_intervals_of_a_domain_that_no_file_told() -> None:
    """A domain that code made is checked like one of a file."""
    domain = quarry()
    at = next(i for i, action in enumerate(domain.actions) if action.quantity == "the density")
    for bounds in ((15, 32, 26, 80), (15, 15, 80)):
        wrong = replace(domain.actions[at], bounds=bounds)
        found = defects(replace(domain, actions=(*domain.actions[:at], wrong, *domain.actions[at + 1 :])))
        assert found == (f"action 'Density measurement': its bounds {list(bounds)} do not ascend; sort them, each once",)


def test_names_that_are_one_letter_apart_are_found_against_a_plain_comparison() -> None:
    """The search by shortened forms finds what a comparison of every pair finds."""

    def apart(a: str, b: str) -> bool:
        longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
        if len(longer) == len(shorter):
            return sum([x != y for x, y in zip(a, b, strict=True)]) == 1
        return len(longer) == len(shorter) + 1 and any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))

    rng = stream("near")
    words = list(dict.fromkeys(["".join([rng.pick("ab") for _ in range(rng.between(5, 9))]) for _ in range(120)]))
    expected = {frozenset(pair) for pair in combinations(words, 2) if apart(*pair)}
    assert expected == {frozenset(pair) for pair in near(words)} and len(expected) > 100


def test_folding() -> None:
    assert folded("St John's-Wort") == folded("st johns worts") == "stjohnwort"
    assert folded("Fée 0ne") == folded("Fee One")
    assert folded("Iron Gas") != folded("Iron Gate")


# ---- exclusions -------------------------------------------------------------------------------------------------------------


def with_exclusions(domain: Domain, change: Callable[[list[list[tuple[int, ...]]]], object]) -> tuple[str, ...]:
    """The defects after a change of the exclusions, lists by action and outcome."""
    lists = [list(action.excludes) for action in domain.actions]
    change(lists)
    actions = [replace(action, excludes=tuple(out)) for action, out in zip(domain.actions, lists, strict=True)]
    return exclusion_defects(replace(domain, actions=tuple(actions)))


def test_each_defect_of_exclusions_gets_one_clear_error() -> None:
    domain = drawn_for(quarry(), "x")
    first, second = domain.truths[:2]
    name = domain.actions[0].name

    def everywhere(lists: list[list[tuple[int, ...]]]) -> None:
        for out in lists:
            if not any(0 in one for one in out):
                out[0] = (0, *out[0])

    def nowhere(lists: list[list[tuple[int, ...]]]) -> None:
        for out in lists:
            out[:] = [tuple([t for t in one if t]) for one in out]

    def alike(lists: list[list[tuple[int, ...]]]) -> None:
        for out in lists:
            out[:] = [tuple(sorted({t for t in one if t != 1} | ({1} if 0 in one else set()))) for one in out]

    def few(lists: list[list[tuple[int, ...]]]) -> None:
        for out in lists:
            out[0] = out[0][:1]

    assert with_exclusions(domain, lambda lists: None) == ()
    common = with_exclusions(domain, lambda lists: lists.__setitem__(0, [tuple(sorted({*one, 0})) for one in lists[0]]))
    assert common == (f"action {name!r}: all of its outcomes exclude {first}; let one outcome exclude none of it",)
    assert f"truth {first!r}: every action has an outcome that excludes it; let one action leave it alone" in with_exclusions(
        domain, everywhere
    )
    assert f"truth {first!r}: no outcome of any action excludes it; let some" in with_exclusions(domain, nowhere)
    assert f"truth {first!r}: no action tells it from {second!r}; let an outcome exclude one of them only" in with_exclusions(
        domain, alike
    )
    idle = with_exclusions(domain, lambda lists: lists.__setitem__(0, [() for _ in lists[0]]))
    assert f"action {name!r}: none of its outcomes excludes anything; let them, or take it out" in idle
    assert any(
        line.startswith("outcomes: ") and "exclude fewer than 2 truths, at most " in line for line in with_exclusions(domain, few)
    )
    short = with_exclusions(domain, lambda lists: lists[0].pop())
    assert short == (f"action {name!r}: expected 3 lists of exclusions, got 2; one per outcome",)


def joined(domain: Domain) -> list[int]:
    """Of each truth, the truths that share an action's outcomes with it, as a bit mask."""
    neighbours = [0] * len(domain.truths)
    for action in domain.actions:
        touched = sorted({t for out in action.excludes for t in out})
        for a, b in combinations(touched, 2):
            neighbours[a] |= 1 << b
            neighbours[b] |= 1 << a
    return neighbours


def components(neighbours: list[int]) -> int:
    left, count = (1 << len(neighbours)) - 1, 0
    while left:
        count, group = count + 1, left & -left
        for _ in neighbours:
            for t, mask in enumerate(neighbours):
                if group >> t & 1:
                    group |= mask
        left &= ~group
    return count


def drawings(shape: str, count: int = 8) -> list[Domain]:
    base = quarry(shape)
    return [exclusions(base, stream("shapes", i)) for i in range(count)]


def overlap(domain: Domain) -> float:
    """How many outcomes of an action exclude a truth that any of them excludes."""
    return mean(
        [
            sum([t in out for out in action.excludes])
            for action in domain.actions
            for t in {t for out in action.excludes for t in out}
        ]
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_drawn_has_no_defects_and_suits_tasks(shape: str) -> None:
    """Outcomes exclude several truths each, and neither too few nor too many of all."""
    for domain in drawings(shape):
        assert exclusion_defects(domain) == ()
        sizes = [len(out) for action in domain.actions for out in action.excludes]
        assert 0.05 < mean(sizes) / len(domain.truths) < 0.25
        touching = [
            sum([any(t in out for out in action.excludes) for action in domain.actions]) for t in range(len(domain.truths))
        ]
        assert min(touching) * 2 > max(touching) / 3 and min(touching) >= 3


def test_shapes_differ_as_their_names_say() -> None:
    """Measured on the truths' graph; hubs and chains that are dense clouds would make the names lies."""
    graphs = {shape: [joined(domain) for domain in drawings(shape)] for shape in SHAPES}
    degrees = {shape: [sorted([mask.bit_count() for mask in graph]) for graph in graphs[shape]] for shape in SHAPES}
    counts = {shape: {components(graph) for graph in graphs[shape]} for shape in SHAPES}
    assert counts["many_small"] == {5, 6} and counts["chain"] == {1, 2}
    assert all(counts[shape] == {1} for shape in ("few_large", "hubs", "near_partition", "dense"))
    assert all(ranks[-1] <= 9 for ranks in degrees["many_small"])
    assert all(15 <= mean(ranks) <= 34 for ranks in degrees["few_large"])
    assert all(ranks[-1] >= 48 and ranks[len(ranks) * 3 // 4] <= 25 for ranks in degrees["hubs"])
    assert all(ranks[-1] < 35 for ranks in degrees["chain"])
    assert all(mean(ranks) > 26 for ranks in degrees["near_partition"])
    assert all(mean(ranks) > 32 for ranks in degrees["dense"])
    assert all(overlap(domain) < 1.1 for domain in drawings("near_partition"))
    assert all(overlap(domain) > 1.3 for domain in drawings("dense"))


def test_a_chain_has_no_short_cut() -> None:
    """From one end of a chain to the other it takes steps; in a cloud one is enough."""
    for graph in [graph for graph in map(joined, drawings("chain")) if components(graph) == 1]:
        far = 0
        for start in range(len(graph)):
            reached, steps = 1 << start, 0
            while reached != (1 << len(graph)) - 1:
                for t in [t for t in range(len(graph)) if reached >> t & 1]:
                    reached |= graph[t]
                steps += 1
            far = max(far, steps)
        assert far >= 3


def test_no_truth_and_no_outcome_is_favoured() -> None:
    """Over many editions, each truth and each outcome of an action excludes as often as the others."""
    base = quarry("dense")
    by_truth, by_place = [0] * len(base.truths), [0] * 4
    for i in range(60):
        for action in exclusions(base, stream("even", i)).actions:
            if action.size == 4:
                for s, out in enumerate(action.excludes):
                    by_place[s] += len(out)
            for out in action.excludes:
                for t in out:
                    by_truth[t] += 1
    assert max(by_truth) < 1.12 * min(by_truth) and max(by_place) < 1.12 * min(by_place)


def test_editions_differ_and_are_reproducible() -> None:
    domain_of.cache_clear()
    one, other = domain_of("quarry_minerals", "a"), domain_of("quarry_minerals", "b")
    domain_of.cache_clear()
    assert domain_of("quarry_minerals", "a") == one and one.masks() != other.masks()
    assert one.truths == other.truths


def test_a_structure_that_there_is_none_of() -> None:
    base = quarry()
    with pytest.raises(BadParams, match="no structure is called 'ring'; choose one of few_large, many_small"):
        exclusions(replace(base, structure="ring"), stream("x"))


def test_a_domain_that_is_too_small_for_a_structure() -> None:
    base = quarry()
    small = replace(base, structure="many_small", actions=base.actions[:2])
    with pytest.raises(
        BadParams, match=r"100 drawings of 'many_small' all had defects, the last one: .*give the domain more actions"
    ):
        exclusions(small, stream("x"))


def test_exclusions_of_published_editions_stay() -> None:
    """A release names its edition only, so the same edition has to give the same exclusions for ever."""
    drawn = {shape: drawn_for(quarry(shape), "golden").masks() for shape in SHAPES}
    assert {shape: sha256(repr(masks).encode()).hexdigest()[:16] for shape, masks in drawn.items()} == GOLDEN


GOLDEN = {
    "few_large": "0f3c4220cb1a9439",
    "many_small": "2fc17dbaa0eb7c0c",
    "chain": "ba4298bffe7f0ded",
    "hubs": "39f32fe4546cf11f",
    "near_partition": "ef63e8be3faf6771",
    "dense": "50101300eb7bf175",
}


# ---- the command ------------------------------------------------------------------------------------------------------------


def test_domains_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "topic", "structure", "truths", "actions", "numeric", "title"]
    assert [row.split()[0] for row in rows] == list(NAMES)
    assert any("Minerals of a Quarry" in row and " geology " in row and " few_large " in row for row in rows)


def test_domains_check_tells_every_defect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(text_of(), encoding="utf-8")
    bad.write_text(
        text_of().replace('"Calcite"', '"Quartz"').replace('"the streak is white"', '"white\u2028streak"'), encoding="utf-8"
    )
    assert main(["domains", "check", str(good)]) == 0
    assert capsys.readouterr().out == f"{good}: good, 50 truths and 32 actions\n"
    assert main(["domains", "check", str(bad), str(tmp_path / "none.toml"), str(good)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [str(bad), str(tmp_path / "none.toml"), str(good)]
    assert "No such file" in lines[1]


def test_domains_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "show", "quarry_minerals", "--edition", "x"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Minerals of a Quarry (quarry_minerals; geology, few_large)\n")
    domain = domain_of("quarry_minerals", "x")
    action = domain.actions[0]
    assert f"   If {action.clause(0)}, this excludes {', '.join([domain.truths[t] for t in action.excludes[0]])}.\n" in text
    assert main(["domains", "show", "invented:3", "--toml"]) == 0
    (tmp_path / "three.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["domains", "check", str(tmp_path / "three.toml")]) == 0
    assert main(["domains", "show", str(tmp_path / "three.toml"), "--edition", "any"]) == 0
    shown = capsys.readouterr().out
    assert main(["domains", "show", "invented:3"]) == 0
    assert shown.splitlines()[2:][-1] == capsys.readouterr().out.splitlines()[-1]
    assert main(["domains", "show", "invented:x"]) == 2
    assert "expected invented: and a number, got 'x'" in capsys.readouterr().err
    for word in ("\udcff", "x" * 201):
        assert main(["domains", "show", "quarry_minerals", "--edition", word]) == 2
        assert "--edition: expected at most 200 printable characters" in capsys.readouterr().err
