"""Knowledge books: what is written is read back, and books of others are understood or doubted, never guessed."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from importlib.resources import files

import pytest

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.rng import Rng, stream
from puzzlemill.kumo.book import LONG_WORDS, REGISTERS, changed, counterfactual, write_book
from puzzlemill.kumo.book.notes import ELSEWHERE
from puzzlemill.kumo.book.wording import clause, listed, measured
from puzzlemill.kumo.domain.domain import Action, Domain
from puzzlemill.kumo.domain.invent import invented
from puzzlemill.kumo.reading import audit_book, parse, parse_book

STONES = Domain(
    name="stones",
    title="Six Stones",
    topic="geology",
    truth="mineral",
    truths_plural="minerals",
    action="test",
    actions_plural="tests",
    scene="A stone lies on the table. It consists of one mineral.",
    question="Which mineral is it?",
    structure="dense",
    truths=("Quartz", "Calcite", "Halite", "Magnetite", "Talc", "Galena"),
    actions=(
        Action(
            "Streak plate",
            "rub the stone over unglazed porcelain",
            ("the streak is white", "the streak is black", "the streak is reddish brown"),
            ((3, 5), (0, 1, 2, 4), (0, 4)),
        ),
        Action(
            "Acid drop",
            "put a drop of acid on the stone",
            ("the drop fizzes strongly", "the drop stays quiet"),
            ((0, 2, 4), (1,)),
        ),
        Action(
            "Magnet test",
            "bring a magnet near the stone",
            ("the magnet holds the stone", "the magnet does nothing"),
            ((0, 1, 2, 4, 5), (3,)),
        ),
        Action(
            "Weighing",
            "weigh the stone in air and in water",
            (),
            ((3, 5), (), (0, 1, 2, 4)),
            quantity="the density",
            unit="g/cm³",
            decimals=1,
            bounds=(15, 28, 50, 85),
        ),
    ),
)
RIGHT = {
    "an essay": """Start with the streak plate: rub the stone over unglazed porcelain. A white streak rules out magnetite
and galena. If
the streak comes out black, you can forget about quartz, calcite, halite and talc. Should it be reddish brown, neither quartz nor
talc can be the stone.

The acid drop is quick. When the drop fizzes strongly, Quartz, Halite, and Talc are eliminated; if it stays quiet, Calcite is
impossible.

For the magnet test, hold a magnet to the stone. If the magnet holds the stone, everything but Magnetite is ruled out. If it does
nothing, then the mineral is not Magnetite.

Last comes the weighing. A density below 2.8 g/cm³ excludes magnetite and galena. Between 2.8 and 5.0 nothing is excluded. At 5.0
g/cm³ or more, quartz, calcite, halite and talc drop out.""",
    "a field card": """# Field card

**Streak plate**
- White: eliminates Magnetite, Galena
- Black: eliminates Quartz, Calcite, Halite, Talc
- Reddish brown → not Quartz, not Talc

**Acid drop**
- Fizzes strongly → rule out Quartz, Halite, Talc
- Stays quiet → rule out Calcite

**Magnet test**
If the magnet holds the stone, cross off:
- Quartz
- Calcite
- Halite
- Talc
- Galena

If the magnet does nothing, cross off:
- Magnetite

**Weighing** (density in g/cm³)
- 1.5–2.8: Magnetite and Galena are out
- 2.8–5.0: nothing can be ruled out
- 5.0–8.5: Quartz, Calcite, Halite and Talc are out
""",
    "a textbook": """Streak plate. Magnetite and galena never leave a white streak. If it is black, then it can't be
quartz, calcite,
halite or talc. Quartz and talc do not give a reddish brown streak.

Acid drop. Quartz, halite and talc don't fizz strongly. A drop that stays quiet means that calcite is excluded.

Magnet test. When the magnet holds the stone, the mineral cannot be quartz, calcite, halite, talc, or galena. When the magnet does
nothing, magnetite is no longer possible.

Weighing. If the density is less than 2.8 g/cm³, strike magnetite and galena. With a density of at least 2.8 and below 5.0 g/cm³
everything stays possible. With a density of at least 5.0, rule out quartz, calcite, halite, and talc.
""",
    "a talk": """Ann: What about the Streak plate?
Ben: A white streak? Then scratch magnetite and galena.
Ann: And a black one?
Ben: Out go quartz, calcite, halite and talc!
Ann: Reddish brown?
Ben: That rules out quartz and talc.
Ann: Now the Acid drop.
Ben: If it fizzes strongly, you may dismiss quartz, halite and talc, but if it stays quiet, dismiss calcite.
Ann: The Magnet test?
Ben: If the magnet holds the stone, only magnetite remains. If it does nothing, magnetite is gone.
Ann: And Weighing?
Ben: Below 2.8 g/cm³, magnetite and galena are excluded. From 2.8 to below 5.0 g/cm³, no mineral is excluded. From 5.0 to 8.5
g/cm³, exclude quartz, calcite, halite, talc.""",
    "a table": """| Test | Result | Eliminated |
|---|---|---|
| Streak plate | white streak | Magnetite, Galena |
| Streak plate | black streak | Quartz, Calcite, Halite, Talc |
| Streak plate | reddish brown | Quartz and Talc |
| Acid drop | fizzes strongly | Quartz, Halite, Talc |
| Acid drop | stays quiet | Calcite |
| Magnet test | holds the stone | Quartz, Calcite, Halite, Talc, Galena |
| Magnet test | does nothing | Magnetite |
| Weighing | < 2.8 | Magnetite, Galena |
| Weighing | 2.8 ≤ density < 5.0 | none |
| Weighing | ≥ 5.0 | Quartz, Calcite, Halite, Talc |
""",
}
WRONG = """Streak plate: a white streak indicates Quartz. A black streak does not rule out calcite, but it excludes
quartz, halite, talc,
and marble. A reddish brown streak rules out Quartz, Granite, and Talc.
Acid drop: if the drop fizzes strongly, Quartz is unlikely. If the drop is lazy, calcite is out.
Magnet test: if the magnet holds the stone, it must be Magnetite. If the magnet does nothing, Magnetite and Galena are excluded.
Weighing: above 2.8, Galena is excluded. If the density is at least 5.0 g/cm³, nothing is ruled out.
"""


def tasks(count: int, seed: str = "tasks") -> list[Domain]:
    """Parts of the authored domains, in several sizes, with exclusions of their own, sparse ones and dense ones."""
    folder = files("puzzlemill.kumo.domain") / "authored"
    paths = sorted([item.name for item in folder.iterdir() if item.name.endswith(".toml")])
    sizes = ((4, 6), (12, 16), (8, 10), (2, 3), (20, 30))
    return [part(paths[i % len(paths)], sizes[i % len(sizes)], stream(seed, i)) for i in range(count)]


@cache
def read(name: str) -> dict[str, object]:
    return tomllib.loads((files("puzzlemill.kumo.domain") / "authored" / name).read_text(encoding="utf-8"))


def whole(name: str, rng: Rng) -> Domain:
    """An authored domain; the exclusions are drawn here, without any structure."""
    raw = dict(read(name))
    actions = []
    for entry in raw.pop("actions"):
        shift = 10 ** entry.get("decimals", 0)
        cuts = [entry["low"], *entry["cuts"], entry["high"]] if "cuts" in entry else []
        kept = {key: value for key, value in entry.items() if key in ("name", "does", "quantity", "unit", "decimals")}
        bounds = tuple([round(cut * shift) for cut in cuts])
        action = Action(**kept, outcomes=tuple(entry.get("outcomes", ())), bounds=bounds)
        share = rng.between(0, 60)
        excludes = [tuple([t for t in range(len(raw["truths"])) if rng.chance(share, 100)]) for _ in range(action.size)]
        actions.append(replace(action, excludes=tuple(excludes)))
    return Domain(name=name.removesuffix(".toml"), **{**raw, "truths": tuple(raw["truths"])}, actions=tuple(actions))


def part(name: str, size: tuple[int, int], rng: Rng) -> Domain:
    domain = whole(name, rng)
    return domain.part(rng.sample(range(len(domain.truths)), size[0]), rng.sample(range(len(domain.actions)), size[1]))


def told(domain: Domain) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple([action.excludes for action in domain.actions])


def bare(domain: Domain) -> Domain:
    return replace(domain, actions=tuple([replace(action, excludes=()) for action in domain.actions]))


def found(text: str, domain: Domain) -> list[tuple[str, str, str, str]]:
    return [(f.kind, f.action, f.outcome, f.truth) for f in audit_book(text, domain)]


def with_rule(domain: Domain, a: int, s: int, truths: tuple[int, ...]) -> Domain:
    """The domain with another set of truths excluded by one outcome."""
    excludes = tuple([truths if i == s else out for i, out in enumerate(domain.actions[a].excludes)])
    actions = [replace(action, excludes=excludes) if i == a else action for i, action in enumerate(domain.actions)]
    return replace(domain, actions=tuple(actions))


@pytest.mark.parametrize("register", REGISTERS)
def test_a_book_is_read_back_exactly(register):
    """parse_book needs names and wording only: the exclusions come out of the text."""
    for i, domain in enumerate(tasks(15)):
        book = write_book(domain, register, i, several=i % 4 == 0)
        assert parse_book(book, bare(domain)) == told(domain), (domain.name, register, i)


@pytest.mark.parametrize("register", REGISTERS)
def test_a_whole_domain_and_a_long_book_are_read_back(register):
    i = list(REGISTERS).index(register)
    name = ("quarry_minerals.toml", "mushroom_basket.toml", "cargo_ship.toml")[i % 3]
    domain, task = whole(name, stream("whole", i)), part(name, (6, 7), stream("long", i))
    assert parse_book(write_book(domain, register, i), bare(domain)) == told(domain)
    board = domain if i % 2 else task
    book = write_book(board, register, i, True)
    assert len(book.split()) >= LONG_WORDS
    assert parse_book(book, bare(board)) == told(board)


@pytest.mark.slow
def test_hundreds_of_tasks_are_read_back():
    for i, domain in enumerate(tasks(300, "many")):
        register = list(REGISTERS)[i // 7 % len(REGISTERS)]
        long = i % 50 == 0
        book = write_book(domain, register, i, long, several=i % 3 == 0)
        assert parse_book(book, bare(domain)) == told(domain), (domain.name, register, i)


@pytest.mark.slow
def test_the_audit_understands_every_book_of_ours():
    """No false alarm in 60 books of the writer, whose wordings the audit does not know."""
    for i, domain in enumerate(tasks(60, "audited")):
        register = list(REGISTERS)[i // 7 % len(REGISTERS)]
        book = write_book(domain, register, i, i % 30 == 0, several=i % 3 == 0)
        assert found(book, domain) == [], (domain.name, register, i)


@pytest.mark.parametrize("register", ["lab_manual", "memo", "table", "symbolic"])
def test_rules_under_the_name_of_another_action_are_told(register):
    """Where every entry bears its action's name, two entries whose names are swapped are both out of place."""
    for i, name in enumerate(("quarry_minerals.toml", "mushroom_basket.toml", "cargo_ship.toml")):
        domain = part(name, (6, 7), stream("swapped", i))
        one, other = [action.name for action in domain.actions[:2]]
        book = write_book(domain, register, i)
        assert audit_book(book, domain) == ()
        swapped = book.replace(one, "§").replace(other, one).replace("§", other)
        assert {one, other} == {finding.action for finding in audit_book(swapped, domain) if finding.kind == "misplaced"}


def test_the_same_seed_gives_the_same_book_and_other_seeds_others():
    for register in REGISTERS:
        books = [write_book(STONES, register, seed) for seed in range(12)]
        assert books == [write_book(STONES, register, seed) for seed in range(12)]
        assert len({*books}) == 12
    long = write_book(STONES, "memo", 1, True)
    assert long == write_book(STONES, "memo", 1, True)


def test_orders_of_actions_and_outcomes_vary():
    """What comes first tells nothing: over many seeds every action and every outcome of one does."""
    firsts, outcomes = Counter(), Counter()
    for seed in range(60):
        book = write_book(STONES, "symbolic", seed)
        places = {action.name: book.index(action.name, book.index("\n\n")) for action in STONES.actions}
        firsts[min(places, key=places.get)] += 1
        outcomes[min(STONES.actions[0].outcomes, key=book.index)] += 1
    assert len(firsts) == 4 and max(firsts.values()) < 30
    assert len(outcomes) == 3 and max(outcomes.values()) < 40


def test_no_book_confirms_anything():
    """Words of proving stand in the explaining sentences only, which deny it."""
    confirming = re.compile(r"\b(?:must be|certainly|likely|indicates?|points? to|suggests?|typical|proves|confirms)\b")
    for register in REGISTERS:
        for i, domain in enumerate(tasks(5, "confirming")):
            book = write_book(domain, register, i).replace(domain.scene, "")
            for action in domain.actions:
                for own in (action.does, *action.outcomes):
                    book = re.sub(re.escape(own), "…", book, flags=re.IGNORECASE)
            for sentence in re.split(r"(?<=[.?])\s+", book):
                if confirming.search(sentence):
                    assert re.match(r"No outcome proves|Outcomes only|None of the outcomes", sentence), sentence


def test_lists_intervals_and_articles():
    assert [listed(["A", "B", "C"][:n], "and") for n in (1, 2, 3)] == ["A", "A and B", "A, B, and C"]
    weighing = STONES.actions[3]
    assert [clause(weighing, s) for s in range(3)] == [
        "the density is at least 1.5 and below 2.8 g/cm³",
        "the density is at least 2.8 and below 5.0 g/cm³",
        "the density is at least 5.0 and at most 8.5 g/cm³",
    ]
    days = Action("Wait", "wait", (), unit="days", bounds=(0, 1, 5))
    assert [measured(days, value) for value in (0, 1, 5)] == ["0 days", "1 day", "5 days"]


def test_the_rules_of_a_long_book_stand_all_over_it():
    """A sixth of the rules at least, in each quarter of the words, over several books."""
    quarters = Counter()
    for seed in range(8):
        domain = part("river_fish.toml", (12, 16), stream("spread", seed))
        book = write_book(domain, "guidebook", seed, True)
        names = "|".join(map(re.escape, domain.truths))
        for mention in re.finditer(names, book):
            quarters[4 * mention.start() // len(book)] += 1
    total = sum(quarters.values())
    assert total > 100 and all(quarters[q] > total / 6 for q in range(4)), quarters


def test_a_long_book_does_not_go_round_in_circles():
    """Nearly every sentence of the background comes once only, and no five words in a row make up much of it."""
    book = write_book(STONES, "guidebook", 3, True)
    sentences = Counter(re.split(r"(?<=[.?!])\s+", book))
    assert sum(sentences.values()) > 600
    assert sum([n - 1 for n in sentences.values()]) < 0.06 * sum(sentences.values())
    words = book.lower().split()
    runs = Counter(zip(*[words[i:] for i in range(5)], strict=False))
    assert runs.most_common(1)[0][1] < 20, runs.most_common(5)


def test_background_names_no_truth():
    """Truths stand in rules only, and a book on everyday words, such as a miller or a pike, finds others for its stories."""
    everyday = replace(STONES, truths=("Baker", "Roofer", "Umbrella Stand", "Plum Cake", "Draughts", "Ferryman"))
    for seed in range(3):
        book = write_book(everyday, "symbolic", seed, True)
        stories = "\n".join([line for line in book.split("\n") if not re.search(r"=>|\|-|^out\(", line)])
        assert not re.search(r"(?i)\b(?:bakers?|roofers?|umbrella stands?|plum cakes?|draughts?|ferryman)\b", stories)


def test_several_truths_are_not_spoken_of_as_one():
    for register in REGISTERS:
        for seed in range(10):
            book = write_book(STONES, register, seed, several=True)
            assert STONES.scene not in book and STONES.question not in book
            assert not re.search(r"\bthe mineral\b", book.lower().replace("rules the mineral out", ""))


def test_counterfactual_books_mislead():
    """Every action's sets are moved to other outcomes; the domain stays sound and its book is honest about the place."""
    for i, parent in enumerate(tasks(10, "counter")):
        child = counterfactual(parent, stream("moved", i))
        assert [sorted(action.excludes) for action in child.actions] == [sorted(action.excludes) for action in parent.actions]
        expected = 0
        for before, after in zip(parent.actions, child.actions, strict=True):
            size, most = before.size, max(Counter(before.excludes).values())
            here = sum([x != y for x, y in zip(before.excludes, after.excludes, strict=True)])
            assert here == min(size, 2 * (size - most))
            expected += here
        assert changed(parent, child) == expected
        book = write_book(child, list(REGISTERS)[i % 6], i)
        assert ELSEWHERE in book
        assert parse_book(book, bare(child)) == told(child) != told(parent) or expected == 0
        assert found(write_book(parent, "memo", i), child) or expected == 0
    again = counterfactual(STONES, stream("a"))
    assert again == counterfactual(STONES, stream("a"))
    assert counterfactual(again, stream("b")).scene == again.scene


def test_a_book_needs_exclusions_and_a_register():
    with pytest.raises(BadParams, match="no register is called 'poem'; choose one of guidebook"):
        write_book(STONES, "poem", 1)
    with pytest.raises(BadParams, match="Streak plate has 3 outcomes, and 0 of them tell"):
        write_book(bare(STONES), "memo", 1)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Streak plate: the streak is white |- ~", "Streak plate: the streak is whitish |- ~", "is no outcome of the test"),
        ("|- ~", "|- ", "expected true or ~X & ~Y"),
        ("Magnet test: ", "Magnet trial: ", "no test is called “Magnet trial”"),
        ("~Quartz", "~Marble", "expected minerals, each once, got “.*Marble"),
        ("in [2.8, 5.0) g/cm³", "in [2.8, 5.0] g/cm³", "is no outcome of the test in hand"),
        ("in [2.8, 5.0) g/cm³", "in [2.8, 5.0) kg", "is no outcome of the test in hand"),
    ],
)
def test_symbols_that_are_wrong_are_refused(old, new, problem):
    book = next(text for seed in range(40) if "|-" in (text := write_book(STONES, "symbolic", seed)))
    assert old in book
    with pytest.raises(BadRow, match=problem):
        parse_book(book.replace(old, new, 1), STONES)


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("If the streak is white, Galena is confirmed.", "cannot read .* because of"),
        ("If the streak is white, Galena is not ruled out.", "cannot read"),
        ("If the streak is white, Galena and Magnetite could be ruled out.", "cannot read"),
        ("If the streak is white, Galena, Magnetite are ruled out.", "cannot read"),
        ("If the streak is white, Galena and Galena are ruled out.", "cannot read"),
        ("If the streak is white, Marble is ruled out.", "cannot read .* because of “the streak is white”"),
        ("If the streak is whitish, Galena is ruled out.", "cannot read .* because of “Galena”"),
        ("The mineral is Quartz.", "cannot read .* because of “Quartz”"),
        ("It is most certainly a hard one.", "cannot read .* because of “certainly”"),
        ("If the streak is white, nothing is ruled out.", "“the streak is white” of Streak plate is told a second time"),
        ("What if the streak is white?", "the book ends, and the question about"),
    ],
)
def test_sentences_that_are_no_rules_are_refused_with_their_line(sentence, problem):
    board = STONES.part(range(6), (0,))
    book = "## Streak plate\n\nIf the streak is white, Galena and Magnetite are ruled out. "
    book += "Strike Quartz, Calcite, Halite, and Talc from the list if the streak is black. "
    book += "When the streak is reddish brown, the mineral is neither Quartz nor Talc.\n"
    assert parse_book(book, board) == told(board)
    with pytest.raises(BadRow, match=problem) as raised:
        parse_book(f"{book}{sentence}\n", board)
    assert "line 4" in str(raised.value) or "ends" in problem
    with pytest.raises(BadRow, match="does not say what is ruled out by “the density is"):
        parse_book(book, STONES.part(range(6), (0, 3)))


def test_a_question_is_answered_before_another_action_comes_up():
    """The answer would be told of an outcome of the other action."""
    board = STONES.part(range(6), (0, 1))
    asked = "## Streak plate\n\nWhat if the streak is white?\n\n## Acid drop\n\nThen strike Quartz from the list.\n"
    with pytest.raises(BadRow, match="line 5: a new test comes up, and “the streak is white” of Streak plate has not been told"):
        parse_book(asked, board)


def test_a_sentence_of_many_parts_is_cut_in_a_few_places(monkeypatch):
    """A book of colons, of which each is tried with all that follows it: minutes for one line."""
    tried = []
    pair = parse._Reader._pair
    monkeypatch.setattr(parse._Reader, "_pair", lambda *parts: tried.append(1) or pair(*parts))
    for sign in (": ", " if ", ", ", " when "):
        with pytest.raises(BadRow):
            parse_book("**Streak plate**: " + f"x{sign}" * 5_000, STONES)
    assert len(tried) < 5_000


def test_a_table_with_another_meaning_is_refused():
    board = STONES.part(range(6), (1,))
    rows = ["| Outcome | Rules out |", "| --- | --- |", "| the drop fizzes strongly | Talc, Quartz, Halite |"]
    book = "\n".join(["## Acid drop", "", *rows, "| the drop stays quiet | Calcite |", ""])
    assert parse_book(book, board) == told(board)
    for old, new in (
        ("Rules out", "Points to"),
        ("| --- | --- |\n", ""),
        ("| Calcite |", "| Calcite | x |"),
        ("Calcite", "Chalk"),
    ):
        with pytest.raises(BadRow, match=r"line [3-6]: "):
            parse_book(book.replace(old, new), board)


@pytest.mark.parametrize("voice", RIGHT)
def test_a_foreign_book_that_is_right_is_understood(voice):
    assert found(RIGHT[voice], STONES) == []


@pytest.mark.parametrize("voice", RIGHT)
def test_a_foreign_book_is_held_against_the_domain(voice):
    """The same books beside a domain with one rule less, and one more."""
    fewer = with_rule(STONES, 0, 0, (3,))
    assert found(RIGHT[voice], fewer) == [("added", "Streak plate", "the streak is white", "Galena")]
    more = with_rule(STONES, 1, 1, (1, 5))
    assert found(RIGHT[voice], more) == [("missing", "Acid drop", "the drop stays quiet", "Galena")]


def test_a_foreign_book_that_is_wrong_is_told_so():
    got = audit_book(WRONG, STONES)
    kinds = {(f.kind, f.action, f.outcome, f.truth) for f in got}
    light, heavy = STONES.actions[3].clause(0), STONES.actions[3].clause(2)
    assert {
        ("reversed", "Streak plate", "the streak is white", "Quartz"),
        ("reversed", "Streak plate", "the streak is black", "Calcite"),
        ("missing", "Streak plate", "the streak is white", "Galena"),
        ("reversed", "Magnet test", "the magnet holds the stone", "Magnetite"),
        ("missing", "Magnet test", "the magnet holds the stone", "Talc"),
        ("added", "Magnet test", "the magnet does nothing", "Galena"),
        ("untold", "Acid drop", "the drop stays quiet", ""),
        ("untold", "Weighing", light, ""),
        ("missing", "Weighing", heavy, "Talc"),
        ("unknown", "Streak plate", "", "marble"),
        ("unknown", "Streak plate", "", "Granite"),
    } <= kinds
    unread = [f.text for f in got if f.kind == "unread"]
    assert [text.split(":")[-1].strip() for text in unread] == [
        "if the drop fizzes strongly, Quartz is unlikely.",
        "If the drop is lazy, calcite is out.",
        "above 2.8, Galena is excluded.",
    ]
    assert (
        str(got[0])
        == "line 1: reversed: Streak plate / the streak is white / Quartz (“Streak plate: a white streak indicates Quartz.”)"
    )
    assert {f.line for f in got if f.kind == "unread"} == {4, 6}


@pytest.mark.parametrize("register", REGISTERS)
def test_a_rule_taken_out_or_put_in_is_named(register):
    for seed, domain in enumerate(tasks(5, "mutants")):
        rng = stream("mutant", register, seed)
        a = rng.below(len(domain.actions))
        action = domain.actions[a]
        s = rng.below(action.size)
        t = rng.below(len(domain.truths))
        excluded = set(action.excludes[s])
        book = write_book(with_rule(domain, a, s, tuple(sorted(excluded ^ {t}))), register, seed)
        kind = "missing" if t in excluded else "added"
        assert found(book, domain) == [(kind, action.name, action.clause(s), domain.truths[t])]


@pytest.mark.parametrize(
    ("pattern", "to"),
    [
        (r" (is|are) ruled out", r" \1 confirmed"),
        (r" (is|are) ruled out", r" \1 not ruled out"),
        (r" (is|are) out of the question", r" \1 still possible"),
        (r"this rules out", "this proves"),
        (r"this rules out", "this does not rule out"),
        (r"mineral cannot be", "mineral must be"),
        (r"have to be excluded", "must not be excluded"),
    ],
)
def test_a_rule_turned_round_is_named(pattern, to):
    """One sentence says the contrary: each truth in it is reversed, and nothing else is reported."""
    tried = 0
    for seed in range(12):
        for register in ("guidebook", "memo", "dialogue"):
            book = write_book(STONES, register, seed)
            for sentence in re.findall(r"[^.?:\n]*" + pattern + r"[^.?\n]*\.", book) and re.finditer(
                rf"(?:(?<=[.?:*]) |^)[^.?:\n]*{pattern}[^.?\n]*\.", book, re.MULTILINE
            ):
                truths = [name for name in STONES.truths if name in sentence.group()]
                if not truths or "Nothing" in sentence.group() or "nothing" in sentence.group():
                    continue
                turned = re.sub(pattern, to, sentence.group(), count=1)
                got = found(book[: sentence.start()] + turned + book[sentence.end() :], STONES)
                assert {kind for kind, *_ in got} == {"reversed"}, (sentence.group(), turned, got)
                assert [truth for *_, truth in got] == truths
                tried += 1
    assert tried >= 5


@pytest.mark.parametrize("register", ["lab_manual", "table", "symbolic"])
def test_an_outcome_left_out_is_named(register):
    for seed in range(6):
        book = write_book(STONES, register, seed)
        line = next(line for line in book.split("\n") if "the drop stays quiet" in line.lower())
        got = found(book.replace(f"{line}\n", ""), STONES)
        assert ("untold", "Acid drop", "the drop stays quiet", "") in got
        assert ("missing", "Acid drop", "the drop stays quiet", "Calcite") in got and len(got) == 2
        with pytest.raises(BadRow, match="does not say what is ruled out by “the drop stays quiet” of Acid drop"):
            parse_book(book.replace(f"{line}\n", ""), STONES)


@pytest.mark.parametrize("read", [parse_book, audit_book])
@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        "word " * 20_000,
        "if the streak is white, Quar\u200btz is ruled out",
        "if the streak is white, \u202eztrauQ is ruled out",
        "Streak plate\x00",
    ],
)
def test_texts_that_are_too_large_or_hide_something_end_with_an_error(read, text):
    with pytest.raises(BadRow, match=r"at most \d+ are read|the sign U\+[0-9A-F]{4} cannot be printed"):
        read(text, STONES)


@pytest.mark.parametrize(
    "piece",
    [
        "if the streak is white, ",
        "([{",
        "|",
        "not ",
        "none of the ",
        "Quartz, ",
        "at least 1 and ",
        "9",
        "“",
        "# ",
        "- ",
        "Streak plate: ",
    ],
)
def test_texts_made_to_be_slow_are_read_to_their_end(piece):
    """Repeated a thousand times in a line, and in many lines: there is an answer, and it is never that all is well."""
    text = "## Streak plate\n" + "\n".join([piece * (12_000 // len(piece))] * 10)
    assert found(text, STONES)
    with pytest.raises(BadRow):
        parse_book(text, STONES)


def test_a_homoglyph_is_no_truth():
    book = RIGHT["a talk"].replace("dismiss calcite", "dismiss с\u0430lcite")  # two Cyrillic letters
    assert ("missing", "Acid drop", "the drop stays quiet", "Calcite") in found(book, STONES)


@pytest.mark.parametrize(
    "sentence",
    [
        "If the streak is white, Magnetite and Galena are not necessarily ruled out.",
        "If the streak is white, it is wrong to rule out Magnetite.",
        "If the streak is white, Magnetite is ruled out, but not Galena.",
        "A white streak rules out Magnetite, not Galena.",
        "A white or black streak rules out Talc.",
        "If the streak is white and the drop fizzes strongly, Talc is ruled out.",
        "Unless the streak is white, Galena is ruled out.",
        "Only if the streak is white is Galena ruled out.",
        "If the streak is not white, Galena is ruled out.",
        "Some say that a white streak rules out Galena.",
        "A white streak does not exclude anything but Galena.",
    ],
)
def test_sentences_that_only_look_like_rules_are_doubted(sentence):
    """Each of them holds all the words of a rule that the domain has, and does not say it."""
    got = audit_book(f"Streak plate. {sentence}", STONES)
    assert [f.text for f in got if f.kind == "unread"] == [sentence]
    assert ("missing", "Streak plate", "the streak is white", "Galena") in {(f.kind, f.action, f.outcome, f.truth) for f in got}


def test_words_of_judging_are_whole_words():
    """ "across" is no "cross", and what a test is done with is no outcome."""
    book = RIGHT["a talk"] + "\nBen: When you draw it across the plate, do not press. Quartz is common across the county.\n"
    assert found(book, STONES) == []


def test_an_invented_domain_has_books_like_any_other():
    for index, register in enumerate(REGISTERS):
        domain = invented("books", index)
        rng = stream("invented part", index)
        task = domain.part(rng.sample(range(len(domain.truths)), 12), rng.sample(range(len(domain.actions)), 16))
        book = write_book(task, register, index, index == 0)
        assert parse_book(book, bare(task)) == told(task)
        assert found(book, task) == []
