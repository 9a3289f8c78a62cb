"""Sentences in free style: what their form says where the patterns of clauses.py read no claim, and whether to trust a reading.

A chain's own answer (its last rows that match every item) is what elliptic sentences are read by: "It's mahogany." is of what was
spoken of that the chain gives the mahogany in the end. A sentence that is read as a claim that is false, and that the chain's own
answer denies too, is rather a sentence that was not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from puzzlemill.chains.claims import Claim, same
from puzzlemill.chains.clauses import items
from puzzlemill.chains.cut import TEXT
from puzzlemill.chains.recognise import Said
from puzzlemill.chains.scene import Scene
from puzzlemill.chains.signs import N, X, item
from puzzlemill.rules.grids import Item

_ASIDE = re.compile(r"\([^()]*\)?")
_OPENING = re.compile("^[^\ue000-\ue0ffh]*?[\uf000-\uf1ff][\uf000-\uf1ff,&]*[^\ue000-\ue0ffh,;SBw]*")  # "by clue 3 we know"
_GIST = re.compile("[SBwj]|:[^\ue000-\uefff]*[\ue000-\uefff]")
_DIGITS = re.compile(r"\d+")
_SHORT = re.compile(r"\b(?:it|that|this|he|she|who)'s\b|\w \d+\b", re.IGNORECASE)  # "It's mahogany.", "Ann 21"
_PRONOUN = re.compile(r"\W*(?:it|that|this|he|she|they)\b", re.IGNORECASE)
_PLUS = re.compile("[+\u2212<>\u2264\u2265]")
_PREDICATE = re.compile("[V!SsjoLG=<>~#D]")
OUTRIGHT = ("is", "is_not", "neither", "either_or")
_ORDERS = ("before", "exactly", "apart", "at_least", "between")
_CLEAN = re.compile(rf"[^{X[1:-1]}{N[1:-1]}hTWFj<>~#DLGoKZ]*{X}H*[V!mS]+H*{X}H*(?:(?:,?[&/n]+|,){X}H*)*[\uf000-\uf1ff.)]*$")
_WAY = "case|option|possibility|scenario|attempt|branch|version|alternative|variant"
_CASE = re.compile(
    rf"\W*(?:in )?(?:the )?(?:(?:{_WAY})\W+(?:\w{{1,3}}|one|two|three)\b"
    rf"|(?:first|second|third|other) (?:{_WAY})\b)\s*(?:[:.,(\u2014-]|is\b)",
    re.IGNORECASE,
)
_TRIES = re.compile(
    r"\W*(?:(?:let(?:'s| me| us)|i(?:'ll| will)|first|now|so|next|then|but),?\s+)*"
    r"(?:try|say|suppose|assume|imagine|test|guess|hypothesis|what if)\b",
    re.IGNORECASE,
)
_IF = re.compile(
    r"\W*(?:(?:but|and|now|also|then|next|hmm|well|because|since)\W+)*(?:(?:clue|no\.|number|fact|#)\s*#?\d+\W+)?"
    r"(?:if(?! so\b)|were)\b",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\b(?:contradict\w*|impossible|(?:doesn't|does not) (?:work|fit|hold)|(?:can't|cannot) (?:be right|work|be)"
    r"|fails?|no good|not possible|violates?|conflicts?|dead end|breaks|nobody fits|no room)\b\W*$|\u2717|\u2718",
    re.IGNORECASE,
)
_NUMBERS = re.compile(f"{X}|{N}")
_DENIED = re.compile("Sh[Vm]*!")
_KNOWN = re.compile(r"\bknow\b", re.IGNORECASE)
_WORKS = re.compile(r"\b(?:works|seems? to fit|fits|consistent|satisf(?:y|ies|ied)|no contradiction|checks out)\b", re.IGNORECASE)
MOST_CASE = 20  # sentences that a case may go on for


def own_answer(scene: Scene, said: Sequence[Said]) -> Scene | None:
    """The scene with the answer that a chain gives itself, or None if it does not match every item.

    That are the last sentences, or rows, that match an entity with an item of each category.
    """
    n, m = scene.size.items, scene.size.categories
    gold = [list(range(n)), *[[-1] * n for _ in range(m - 1)]]
    done: set[int] = set()
    for one in reversed(said):
        found = dict.fromkeys([x for claim in one.conclusions if claim.kind == "is" for x in claim.items])
        entity = next((v for c, v in found if c == 0), None)
        if entity is None or entity in done or sorted([c for c, _ in found]) != list(range(m)):
            continue
        done.add(entity)
        for c, v in found:
            gold[c][v] = entity
        if len(done) == n:
            break
    if any(sorted(row) != list(range(n)) for row in gold):
        return None
    return replace(scene, gold=tuple([tuple(row) for row in gold]))


def clean(said: Said) -> bool:
    """Return whether a sentence is so plain that it cannot have been misread: one subject, a verb, its objects."""
    return _CLEAN.match(said.signs) is not None


def named(said: Said) -> list[Item]:
    """The items that a sentence names, each once; those in parentheses are left out if there are others."""
    bare = _ASIDE.sub("", said.signs) if "(" in said.signs else said.signs
    return [item(sign) for sign in dict.fromkeys(items(bare) or items(said.signs))]


def predicates(said: Said) -> bool:
    """Return whether a sentence is more than a heading: it has a verb, a cue, a number or an end."""
    return bool(_PREDICATE.search(said.signs)) or len(named(said)) > 1 or bool(_SHORT.search(said.sentence.text))


def leaves_out(said: Said) -> bool:
    """Return whether a sentence denies something of what it does not name: "so it isn't the longest"."""
    return _DENIED.search(said.signs) is not None


def reckons(scene: Scene, said: Said) -> bool:
    """Return whether a sentence is about numbers alone: "only 92 and 107 are 15 apart"."""
    scaled = [category for category, _ in scene.size.scales]
    told = _NUMBERS.findall(said.signs)
    return len(told) > 1 and all(c in scaled for c, _ in named(said)) and "h" not in said.signs


def lists(scene: Scene, said: Said) -> bool:
    """Return whether a sentence lists all the items of a category and says nothing of them."""
    found = named(said)
    here = {int(digits) for digits in _DIGITS.findall(said.sentence.text)}
    every = [
        {int(digits) for name in scene.names[category] for digits in _DIGITS.findall(name)} for category, _ in scene.size.scales
    ]
    return not set(said.signs) & set("oD<>#SK!") and (
        any(own and own <= here for own in every) or (len(found) == scene.size.items and len({c for c, _ in found}) == 1)
    )


def restates(scene: Scene, of_clues: Mapping[int, frozenset[Item]], said: Said, here: Sequence[Item]) -> bool:
    """Return whether a sentence says one clue again, by the items that it names: all of those of the clue and no others."""
    found = set(here)
    if said.listed and not said.clues:
        return False
    able = [number for number in said.clues or scene.clues if found <= of_clues.get(number, frozenset())]
    if not found or not able or _GIST.search(_OPENING.sub("", said.signs)):
        return False
    compares = bool(set(said.signs) & set("<>#~DE1"))
    for number in able:
        clue = scene.clues[number]
        if found == of_clues[number] and len(found) > 1:
            if not said.clues and _PRONOUN.match(said.sentence.text):
                return False
            return clue.kind not in _ORDERS or compares or _PLUS.search(said.sentence.text) is not None
        if len(said.clues) == 1 and clue.kind in ("is", "is_not"):
            return True
        if said.clues and clue.kind in _ORDERS and compares:  # "clue 3: he is somewhere between two"
            return True
    return False


def spoken_of(own: Scene, said: Said, before: Iterable[Item]) -> list[Claim]:
    """What an elliptic sentence concludes by the chain's own answer: each item with what was spoken of before, or beside it."""
    here = named(said)
    if "!" in said.signs:
        return []
    found = []
    for x in here:
        entity = own.gold[x[0]][x[1]]
        y = next((y for y in (*here, *before) if y[0] != x[0] and own.gold[y[0]][y[1]] == entity), None)
        if y is not None:
            found.append(same(min(x, y), max(x, y)))
    return list(dict.fromkeys(found))


def cases(said: Sequence[Said]) -> list[bool]:
    """Which sentences stand under a supposition: "if ..., ... would ..."; "Case A: ..." until it fails, works out or is left;
    "suppose ..." in a paragraph that says so."""
    found = [False] * len(said)
    open_, failed = -1, False
    for k, one in enumerate(said):
        text = one.sentence.text
        case, tries = _opens(one)
        if one.sentence.kind != TEXT or ("?" in text and not tries):
            open_ = -1
        elif case and failed:
            open_, failed = -1, False  # the case that is left
        elif case or tries:
            open_, failed = k, False
            found[k] = case or _goes_on(said, k)
        elif open_ >= 0 and k - open_ <= MOST_CASE and _WORKS.search(text) and not _FAILS.search(text):
            found[open_:k] = [True] * (k - open_)
            open_ = -1
        elif open_ >= 0 and not _left(said, open_, k):
            found[k] = _FAILS.search(text) is None or "S" not in one.signs
            if _FAILS.search(text):
                found[open_ : k + found[k]] = [True] * (k + found[k] - open_)
                open_, failed = -1, True
            elif not _CASE.match(said[open_].sentence.text):
                found[k] = False  # until it is seen that it fails
        elif _IF.match(text):
            open_ = -1
            found[k] = _only_supposes(one)
        else:
            open_ = -1
            under = k > 0 and found[k - 1]
            found[k] = under and (_goes_on(said, k - 1) or (not items(one.signs) and _FAILS.search(text) is not None))
    return found


def _opens(said: Said) -> tuple[bool, bool]:
    """Whether a sentence opens a case, and whether it tries something out."""
    text = said.sentence.text
    if not items(said.signs) or said.sentence.kind != TEXT:
        return False, False
    asked = text.endswith("?") and not set("VWR/") & set(said.signs) and len(text) < 40
    return _CASE.match(text) is not None, _TRIES.match(text) is not None or asked


def _only_supposes(said: Said) -> bool:
    """Return whether a sentence with "if" says what would be, and no more."""
    text = said.sentence.text
    if set("UB") & set(said.signs) or _KNOWN.search(text):
        return False
    return "S" not in said.signs or _FAILS.search(text) is not None or "W" in said.signs[said.signs.rindex("S") :]


def _goes_on(said: Sequence[Said], k: int) -> bool:
    """Return whether the sentence after this one goes on with "would"."""
    if k + 1 >= len(said):
        return False
    one = said[k + 1]
    return "?" not in one.sentence.text and one.signs[:1] != "S" and "W" in one.signs


def _left(said: Sequence[Said], start: int, k: int) -> bool:
    """Return whether a sentence is no longer within the case that was opened."""
    one, first = said[k], said[start]
    if k - start > MOST_CASE:
        return True
    other = one.sentence.step != first.sentence.step
    return other and (one.signs[:1] == "S" or not _CASE.match(first.sentence.text))
