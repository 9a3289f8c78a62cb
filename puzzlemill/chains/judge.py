"""Judges a chain of reasoning sentence by sentence, twice: as the paper's annotators do, and strictly.

paper   2407.14790, section 3 and Appendix D: a premise or a conclusion is wrong only if it violates the answer. RR, RW, WR,
        WW, or NC for a sentence without a conclusion: one that says a clue again, or what was said before, or nothing of the
        puzzle. Then the sub-categories: of a wrong premise 1 to 6, of a wrong conclusion a to c.
strict  a right conclusion follows from the clues that are named and from what was rightly concluded before, or it does not
        (incomplete information), or the search's budget was spent.

What is supposed, marked as such and taken back stands outside of both. So do sentences that were not understood.
How sub-categories are decided is said in docs/chains.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from puzzlemill.chains import free, lies
from puzzlemill.chains.claims import Claim, atoms, items_of, negated, pairs
from puzzlemill.chains.cut import CELLS, MOST_SENTENCES, TEXT, cut
from puzzlemill.chains.follow import BUDGET, FOLLOWS, OPEN, UNDECIDED, Follow
from puzzlemill.chains.recognise import Recogniser, Said
from puzzlemill.chains.scene import Scene
from puzzlemill.rules.grids import Item

RR, RW, WR, WW, NC = "RR", "RW", "WR", "WW", "NC"
CATEGORIES = (NC, RR, RW, WR, WW)
SUPPOSED, UNKNOWN = "supposed", "not understood"
WRONG = "wrong"
PREMISES, CONCLUSIONS = "123456", "abc"
_STORY = 40  # sentences after which a supposition is taken back, if it is
_SOON = 8  # and of these, where no word says that there is a contradiction
_BRIEF = 200  # nodes of a search that decides a sub-category
_NODES = 150_000  # of all searches of one chain
_SPOKEN = 12  # items that were spoken of last, for what a sentence leaves out
_REPEATED = 20  # sentences from which on a chain is looked at for repeating itself


@dataclass(frozen=True, slots=True)
class Label:
    """One sentence with its verdicts.

    category: one of CATEGORIES, SUPPOSED or UNKNOWN. premise, conclusion: its sub-categories, "" where nothing is wrong.
    strict: of a conclusion FOLLOWS, OPEN (incomplete information), UNDECIDED or WRONG; "" for none. right, pairs: of its new
    pairs of items, accepted and rejected ones, those that agree with the answer, and all.
    """

    text: str
    category: str
    premise: str = ""
    conclusion: str = ""
    strict: str = ""
    right: int = 0
    pairs: int = 0
    step: int = 0

    @property
    def sub(self) -> str:
        """ "4b", "c"; "" where nothing is wrong."""
        return self.premise + self.conclusion


@dataclass(frozen=True, slots=True)
class Judged:
    """A chain with its labels. flaw: why it earns nothing: "repeats", "contradicts", "too long"; "" for most."""

    labels: tuple[Label, ...]
    flaw: str = ""

    @property
    def understood(self) -> float:
        """The share of sentences that were understood."""
        return 1 - sum(label.category == UNKNOWN for label in self.labels) / len(self.labels) if self.labels else 1.0

    @property
    def average(self) -> float:
        """The average correctness score: the mean of the shares of right pairs, over sentences with any; 0 for none."""
        scores = [label.right / label.pairs for label in self.labels if label.pairs]
        return 0.0 if self.flaw or not scores else sum(scores) / len(scores)

    def halves(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Sentences with an error and all judged ones, in the first and in the second half of the chain."""
        judged = [label for label in self.labels if label.category in CATEGORIES]
        middle = (len(judged) + 1) // 2
        first, second = [[label.category in (RW, WR, WW) for label in half] for half in (judged[:middle], judged[middle:])]
        return (sum(first), len(first)), (sum(second), len(second))


@dataclass(slots=True)
class _Known:
    """What a chain has said so far. clues: the clues that say an atom; outright: and that
    say nothing more; wrong, right: concluded; assumed: and not taken back."""

    clues: Mapping[Claim, tuple[int, ...]]
    outright: frozenset[Claim]
    right: dict[Claim, None] = field(default_factory=dict)
    wrong: dict[Claim, None] = field(default_factory=dict)
    assumed: dict[Claim, None] = field(default_factory=dict)
    pairs: dict[Claim, None] = field(default_factory=dict)
    last: list[Claim] = field(default_factory=list)  # what the sentence before concluded, or said
    step: int = -1


class Judge:
    """Judges the chains of one puzzle. strict: whether to search for what follows. budget: nodes of each search."""

    def __init__(self, scene: Scene, strict: bool = True, budget: int = BUDGET) -> None:
        self.scene, self.strict, self.budget = scene, strict and not scene.false, budget  # named clues may be false there
        self.recogniser, self.follow = Recogniser(scene), Follow(scene.size)
        clues: dict[Claim, tuple[int, ...]] = {}
        for number, clue in scene.clues.items():
            for atom in atoms([clue]):
                clues[atom] = (*clues.get(atom, ()), number)
        self.clues = clues
        self.of_clues = {number: frozenset(items_of(clue)) for number, clue in scene.clues.items()}
        self.outright = atoms([clue for clue in scene.clues.values() if clue.kind in free.OUTRIGHT])
        self.truths: dict[Claim, bool] = {}
        self.named: list[int] = []  # clues that this list entry or paragraph names
        self.before: list[int] = []  # and the one before it
        self.every: dict[int, None] = {}  # and all so far
        self.spent = 0  # nodes of this chain's searches

    def judge(self, reply: str) -> Judged:
        """The verdicts of a chain."""
        found = cut(reply)
        said = self.recogniser.sentences(found.sentences)
        if self.scene.false:
            said = [lies.spoken(self.scene, one) for one in said]
        story = _stories(said)
        self.known = _Known(self.clues, self.outright)
        self.named, self.before = [], []
        self.every, self.spent = {}, 0
        self.own = free.own_answer(self.scene, said)
        self.spoken: list[Item] = []
        cases = free.cases(said)
        labels = [self._label(one, SUPPOSED if cases[k] and story[k] != "back" else story[k]) for k, one in enumerate(said)]
        return Judged(tuple(labels), self._flaw(labels, found.whole))

    def _flaw(self, labels: Sequence[Label], whole: bool) -> str:
        if not whole or len(labels) >= MOST_SENTENCES:
            return "too long"
        texts = {label.text for label in labels}
        if len(labels) > _REPEATED and 3 * len(texts) < len(labels):
            return "repeats"
        stated = self.known.pairs
        both = sum(negated(claim) in stated for claim in stated)
        return "contradicts" if both > 4 and 3 * both > len(stated) else ""

    def right(self, claims: Sequence[Claim]) -> bool:
        """Return whether the answer agrees with all of these claims."""
        for claim in claims:
            if claim not in self.truths:
                self.truths[claim] = self.scene.right(claim)
            if not self.truths[claim]:
                return False
        return True

    # ---- a sentence

    def _label(self, said: Said, story: str) -> Label:
        known, sentence = self.known, said.sentence
        if sentence.step != known.step:
            known.step = sentence.step
            self.before, self.named = self.named, []
        self._name(said)
        if story == SUPPOSED:
            known.last = []
            return Label(sentence.text, SUPPOSED, step=sentence.step)
        if story == "assumed" and said.understood:
            return self._assumed(said)
        before, here = self.spoken, free.named(said)
        if said.understood or said.sentence.kind == CELLS:
            self.spoken = [*here, *[x for x in before if x not in here]][:_SPOKEN] if here else before
        if said.sentence.kind == TEXT and (free.restates(self.scene, self.of_clues, said, here) or sentence.text.endswith("?")):
            known.last = [*said.premises, *said.conclusions]
            return Label(sentence.text, NC, step=sentence.step)
        if not said.understood:
            known.last = []
            if not (said.premises or said.conclusions) and free.reckons(self.scene, said):
                return Label(sentence.text, RR, step=sentence.step)
            return Label(sentence.text, UNKNOWN, step=sentence.step)
        if story != "back" and self._restated(said):
            if said.sentence.kind == TEXT and self._speaks(said):
                return self._elliptic(said, before, story)
            wrong = not self.right(said.premises) and not self._quotes_a_lie(said)
            if said.premises or said.conclusions:
                known.last = [*said.premises, *said.conclusions]
            return Label(sentence.text, NC, self._premise(said, said.premises) if wrong else "", step=sentence.step)
        return self._concluded(said, story)

    def _quotes_a_lie(self, said: Said) -> bool:
        """Return whether the premises are what the false clue says, which is no error by itself."""
        return bool(self.scene.false) and atoms(said.premises) <= atoms([self.scene.clues[self.scene.false]])

    def _speaks(self, said: Said) -> bool:
        """Return whether a sentence concludes something all the same though no conclusion was read: it is no heading."""
        if said.conclusions or (said.premises and not said.cued) or free.lists(self.scene, said):
            return False
        return free.leaves_out(said) or free.reckons(self.scene, said) or (free.predicates(said) and bool(free.named(said)))

    def _elliptic(self, said: Said, before: Sequence[Item], story: str) -> Label:
        """A sentence that leaves out what it speaks of, read by the chain's own answer."""
        if free.reckons(self.scene, said):
            return Label(said.sentence.text, RR, step=said.sentence.step)
        claims = free.spoken_of(self.own, said, before) if self.own is not None else []
        if not claims:
            self.known.last = []
            return Label(said.sentence.text, UNKNOWN, step=said.sentence.step)
        said = replace(said, conclusions=claims)
        return self._concluded(said, story)

    def _assumed(self, said: Said) -> Label:
        """A supposition that is not taken back."""
        claims = [*said.premises, *said.conclusions]
        self.known.assumed.update(dict.fromkeys(atoms(claims)))
        self.known.last = claims
        return Label(said.sentence.text, NC, "" if self.right(claims) else "3", step=said.sentence.step)

    def _restated(self, said: Said) -> bool:
        """Return whether a sentence concludes nothing: it says clues again, or what was said before, or nothing."""
        if not said.conclusions:
            return True
        known = self.known
        if said.sentence.kind == CELLS or said.listed:
            return False
        found = atoms(said.conclusions)
        if said.premises or said.fronted:
            cited = [self.scene.clues[number] for number in said.clues if number in self.scene.clues]
            return not said.premises and any(
                found <= self.outright if one.kind in free.OUTRIGHT else found == atoms([one]) for one in cited
            )
        return all(atom in known.outright or atom in known.right or atom in known.wrong for atom in found)

    def _name(self, said: Said) -> None:
        """Keep the clues that this list entry or paragraph names, by number or by what they say."""
        for atom in atoms([*said.premises, *said.conclusions]):
            self.named += self.clues.get(atom, ())
        self.named += said.clues
        self.every.update(dict.fromkeys(self.named))
        for number in said.clues:  # what a clue says outright is known from there on
            clue = self.scene.clues.get(number)
            if clue is not None and clue.kind in ("is", "is_not") and number != self.scene.false:
                self.known.right[clue] = None

    def _doubtful(self, claims: Sequence[Claim]) -> bool:
        """Return whether claims are false by the answer, and by the chain's own too."""
        return self.own is not None and not self.right(claims) and not all(self.own.right(claim) for claim in claims)

    def _concluded(self, said: Said, story: str) -> Label:
        known = self.known
        premises = said.premises
        supported = said.clues or story == "back" or any(claim.kind == "if" for claim in said.conclusions)
        borrowed = not premises and said.sentence.kind != CELLS and not supported
        if borrowed:
            premises = known.last
        if not free.clean(said) and (self._doubtful(said.conclusions) or (said.premises and self._doubtful(said.premises))):
            known.pairs.update(dict.fromkeys(pairs(said.conclusions)))
            known.last = []
            return Label(said.sentence.text, UNKNOWN, step=said.sentence.step)
        right = self.right(said.conclusions)
        sound = story == "back" or self._sound(said, premises, borrowed, right)
        category = ("R" if sound else "W") + ("R" if right else "W")
        premise = "" if sound else self._premise(said, premises, borrowed)
        conclusion = "" if right else self._conclusion(said, premises, sound)
        strict = WRONG if not right else self._follows(said) if self.strict else ""
        new = [pair for pair in pairs(said.conclusions) if pair not in known.pairs]
        known.pairs.update(dict.fromkeys(new))
        for atom in atoms(said.conclusions):
            (known.right if self.right([atom]) else known.wrong)[atom] = None
        known.last = said.conclusions
        count = sum(self.right([pair]) for pair in new)
        return Label(said.sentence.text, category, premise, conclusion, strict, count, len(new), said.sentence.step)

    def _sound(self, said: Said, premises: Sequence[Claim], borrowed: bool, right: bool) -> bool:
        """Return whether a premise is right. A conclusion that is wrong, of what was concluded wrongly before, leans on that."""
        known = self.known
        if said.sentence.kind == CELLS or said.listed:  # an answer leans on the text before, unless that says otherwise
            told = atoms(said.conclusions)
            return right or not (known.wrong or self.spoken) or any(negated(atom) in known.right for atom in told)
        if borrowed and not right:
            return not (known.wrong or known.assumed)
        if borrowed:
            return not said.fronted or self._doubtful(premises) or self.right(premises)
        return self.right(premises)

    # ---- sub-categories

    def _premise(self, said: Said, premises: Sequence[Claim], borrowed: bool = False) -> str:
        """Why a premise is wrong: 1 to 3 if it is said to come from a clue, or from nowhere; 4 to 6 if it is derived."""
        known = self.known
        wrong = [atom for atom in atoms(premises) if not self.right([atom])]
        if any(atom in known.assumed for atom in wrong):
            return "3"
        if said.assumed:
            return "6" if said.fronted or (said.cued and len(premises) > len(wrong)) else "3"
        if borrowed or any(atom in known.wrong for atom in wrong):
            return "4"
        if said.clues:
            clues = [self.scene.clues[number] for number in said.clues if number in self.scene.clues]
            narrowed = any(self.follow.check(premises, clue, _BRIEF) == FOLLOWS for clue in clues)
            return "2" if narrowed else "1"
        return "5" if said.elimination or any(atom.kind in ("any", "is_not") for atom in wrong) else "1"

    def _conclusion(self, said: Said, premises: Sequence[Claim], sound: bool) -> str:
        """Why a conclusion is wrong: a reasoning, b a wrong premise from which it follows, c elimination."""
        if not sound:
            clues = [self.scene.clues[number] for number in self.named if number in self.scene.clues]
            wrong = [claim for claim in said.conclusions if not self.right([claim])]
            known = [*premises, *clues, *self.known.right]
            if all(self.follow.check(known, claim, _BRIEF) != OPEN for claim in wrong):
                return "b"
        return "c" if said.elimination else "a"

    def _follows(self, said: Said) -> str:
        known = self.known
        numbers = self.every if said.sentence.kind == CELLS else dict.fromkeys(self.named or self.before)
        clues = [self.scene.clues[number] for number in numbers if number in self.scene.clues]
        verdicts = []
        for claim in atoms(said.conclusions):
            if claim not in known.right and claim not in known.clues:
                budget = min(self.budget, _NODES - self.spent)
                verdicts.append(self.follow.check([*clues, *known.right], claim, budget))
                self.spent += self.follow.nodes
        return next((verdict for verdict in (OPEN, UNDECIDED) if verdict in verdicts), FOLLOWS)


def _stories(said: Sequence[Said]) -> list[str]:
    """SUPPOSED for each sentence of a supposition that is taken back, "back" where that is done; "assumed" if it never is."""
    found = [""] * len(said)
    open_: list[int] = []
    for k, one in enumerate(said):
        open_ = [start for start in open_ if k - start <= _STORY]
        if one.supposes and (one.premises or one.conclusions):
            found[k] = "assumed"
            open_.append(k)
        elif open_:
            cued = one.back or said[k - 1].back
            denied = [start for start in open_ if (cued or (one.fronted and k - start <= _SOON)) and _denies(said[start], one)]
            if denied or (one.back and not one.conclusions):
                start = denied[-1] if denied else open_[-1]
                open_ = [other_ for other_ in open_ if other_ < start]
                found[start:k] = [SUPPOSED] * (k - start)
                found[k] = "back" if one.conclusions else SUPPOSED
    return found


def _denies(supposed: Said, one: Said) -> bool:
    claims = atoms([*supposed.premises, *supposed.conclusions])
    found = atoms([*one.conclusions, *(one.premises if one.back else ())])
    return any(negated(claim) in found for claim in claims)
