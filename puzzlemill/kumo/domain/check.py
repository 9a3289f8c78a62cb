"""Finds the defects of a whole domain in sizes, names, wording, intervals and exclusions, each as one plain sentence.

`defects` is the validator of every domain, whoever wrote or drew it. A task, which is a part of a domain, need not pass it.
Signs that can be listed show whether an outcome reads as a clause: its first word, its marks, a word that may be a verb.
docs/domains.md lists every rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

from puzzlemill.kumo.domain.domain import Action, Domain
from puzzlemill.vocabulary import load

STRUCTURES = ("few_large", "many_small", "chain", "hubs", "near_partition", "dense")
OWN = "own"  # the structure of a domain whose file brings exclusions along that were drawn in no shape
TRUTHS = (40, 60)
ACTIONS = (30, 48)
OUTCOMES = (2, 4)
NUMERIC = 6  # numeric actions at least
SEVERAL = 2  # truths that most outcomes exclude at least
FEW = (1, 4)  # the part of all outcomes that may exclude fewer
NAME_LENGTH = (3, 40)
VERBLESS = 4  # words from which on nobody looks for a verb: a longer noun phrase is rare, and verbs are many
LONG = 5  # letters from which on two names that differ by one letter are taken for each other

_SIGNS = " -'"  # what a name may hold other than letters and digits
_NOT_IN_NAMES = {"and", "or", "not", "if", "when", "then", "none", "any", "all", "unless"}
_MARKS = re.compile(r"[.,;:!?()\[\]{}\"“”/|]")
_UNIT_MARKS = re.compile(r"[.,;:!?()\[\]{}\"“”|]")
_CONFIRMING = re.compile(
    r"\b(?:confirm\w*|prov(?:e|es|ed|en)\b|exclud\w*|rul(?:e|es|ed) out|impl(?:y|ies|ied)|indicat\w*|suggest\w*|consistent with"
    r"|typical (?:of|for)|diagnos\w*|must be)",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"(?:[a-z]s|men|people|children|^they|^you|^we)$")
_SEVERAL = re.compile(r"(?:[^\W\dsiu]s|people|men|children|teeth|feet)$")  # at the end of a noun, not as in mass, radius or axis
_ONE = {"gas", "bias", "lens", "canvas"}
_HEAD = re.compile(  # where a noun phrase ends and what belongs to it begins
    r" (?:of|in|per|from|to|between|at|with|without|on|under|over|before|after|for|by|as|that|which|who|until|since|when)\b"
)
_VERBAL = re.compile(r"[a-z](?:s|ed|n't)$")
_NOT_FIRST = {"if", "when", "then", "that", "and", "or", "but", "because", "yes", "whether"}


@cache
def _verbs() -> frozenset[str]:
    """Forms of verbs that end neither in s nor in ed."""
    return frozenset(load.words(__package__, "verbs.txt"))


def defects(domain: Domain) -> tuple[str, ...]:
    """The defects of a domain; () if it has none.

    A domain whose actions all have no exclusions yet is judged by its names and wording only.
    """
    found = [*_sizes(domain), *_words(domain), *_spelling(domain), *_confusable(domain), *_outcomes(domain), *_scales(domain)]
    if any(action.excludes for action in domain.actions):
        if len(set(domain.truths)) == len(domain.truths):  # else it is unknown which of two equal names is excluded
            found += exclusion_defects(domain)
    elif domain.structure == OWN:
        found.append(f"structure: {OWN!r} is of domains that bring their exclusions along, and this one has none; add excludes")
    return tuple(found)


def exclusion_defects(domain: Domain) -> tuple[str, ...]:
    """The defects of a domain's exclusions; () if they have none."""
    odd = [action for action in domain.actions if len(action.excludes) != action.size]
    if odd:
        return tuple(
            [
                f"action {action.name!r}: expected {action.size} lists of exclusions, got {len(action.excludes)}; one per outcome"
                for action in odd
            ]
        )
    return (
        *_actions_that_exclude_wrongly(domain),
        *_truths_that_are_excluded_wrongly(domain),
        *_outcomes_that_exclude_few(domain),
    )


def _sizes(domain: Domain) -> Iterator[str]:
    def bounded(what: str, got: int, low: int, high: int) -> Iterator[str]:
        if not low <= got <= high:
            yield f"{what}: expected {low} to {high}, got {got}; {'add some' if got < low else 'take some out'}"

    yield from bounded("truths", len(domain.truths), *TRUTHS)
    yield from bounded("actions", len(domain.actions), *ACTIONS)
    for action in domain.actions:
        yield from bounded(f"action {action.name!r}, {'intervals' if action.quantity else 'outcomes'}", action.size, *OUTCOMES)
    numeric = sum([action.numeric for action in domain.actions])
    if numeric < NUMERIC:
        yield f"actions: expected at least {NUMERIC} numeric ones, got {numeric}; give more of them a quantity and intervals"


def _words(domain: Domain) -> Iterator[str]:
    """Title, nouns, scene, question and structure."""
    if not 2 <= len(domain.title.split()) <= 8:
        yield f"title: expected 2 to 8 words, got {domain.title!r}; write a heading"
    for place in ("topic", "truth", "truths_plural", "action", "actions_plural"):
        word = getattr(domain, place)
        if not re.fullmatch(r"[a-z][a-z' -]{1,30}", word):
            yield f"{place}: expected one noun or two in small letters, got {word!r}; write it so"
    if not re.fullmatch(r"[A-Z0-9].{10,}\.", domain.scene):
        yield f"scene: expected a sentence or two with a full stop at the end, got {domain.scene!r}; write it so"
    if not re.fullmatch(r"[A-Z][^?]{5,}\?", domain.question):
        yield f"question: expected one question with its mark at the end, got {domain.question!r}; write it so"
    if domain.structure not in (*STRUCTURES, OWN):
        yield f"structure: expected one of {', '.join(STRUCTURES)}, got {domain.structure!r}; choose one"


def _named(domain: Domain) -> list[tuple[str, str]]:
    """Every truth and action as (kind, name)."""
    return [*[("truth", name) for name in domain.truths], *[("action", action.name) for action in domain.actions]]


def _spelling(domain: Domain) -> Iterator[str]:
    """Defects of single names."""
    for kind, name in _named(domain):
        strange = next((sign for sign in name if not (_is_latin(sign) or sign in _SIGNS)), None)
        if strange is not None:
            called = unicodedata.name(strange, "a control character")
            yield f"{kind} {name!r}: holds {strange!a} ({called}); write Latin letters, digits, blanks, hyphens and ' only"
            continue
        if unicodedata.normalize("NFC", name) != name:
            yield f"{kind} {name!r}: is not in the composed form of Unicode (NFC); write it in that form"
        if not NAME_LENGTH[0] <= len(name) <= NAME_LENGTH[1]:
            yield f"{kind} {name!r}: expected {NAME_LENGTH[0]} to {NAME_LENGTH[1]} characters, got {len(name)}; choose another"
        if name[:1].islower() or not name[:1].isalnum() or not name[-1:].isalnum() or "  " in name:
            yield f"{kind} {name!r}: expected a capital or a digit first, and no blank too many; write it so"
        for word in _NOT_IN_NAMES & set(name.lower().split()):
            yield f"{kind} {name!r}: holds the word {word!r}, with which a list of names reads wrongly; choose another name"
    for action in domain.actions:
        if not re.fullmatch(r"(?=.{4})[a-z0-9](?:[^.;:?!]|\.(?=\d))+", action.does):
            yield f"action {action.name!r}, does: expected what to do, as in 'To do it, ...', got {action.does!r}; write it so"


def _is_latin(sign: str) -> bool:
    return (sign.isalpha() and "À" <= sign <= "ž") or (sign.isascii() and sign.isalnum())


def _confusable(domain: Domain) -> Iterator[str]:
    """Defects of pairs of names: a player who writes one must not be read as writing another."""
    named = _named(domain)
    exact: set[str] = set()
    folds: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for kind, name in named:
        if name in exact:
            yield f"{kind} {name!r}: is there twice; take one out or rename it"
            continue
        exact.add(name)
        folds[folded(name)].append((kind, name))
    for same in folds.values():
        for (_, other), (kind, name) in combinations(same, 2):
            yield f"{kind} {name!r}: differs from {other!r} by case, blanks, hyphens, accents or a plural only; rename one"
    words = {name: f" {_spaced(name)} " for _, name in named}
    for kind, name in named:
        for other in exact:
            if name != other and words[name] in words[other] and folded(name) != folded(other):
                yield f"{kind} {name!r}: is a part of {other!r}; rename one"
    for fold, other in near(folds):
        kind, name = folds[fold][0]
        yield f"{kind} {name!r}: differs from {folds[other][0][1]!r} by one letter; rename one"


def folded(name: str) -> str:
    """A name without regard to case, accents, blanks, hyphens, apostrophes, plurals and look-alike digits."""
    plain = unicodedata.normalize("NFKD", name.casefold().replace("0", "o").replace("1", "l"))
    words = re.sub(
        r"[^a-z0-9 ]", "", "".join([sign for sign in plain if not unicodedata.combining(sign)]).replace("-", " ")
    ).split()
    return "".join([re.sub(r"(?<=[a-z]{3})(?:es|s)$", "", word) for word in words])


def near(folds: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of different words of at least LONG letters that one insertion, deletion or exchange of a letter makes equal."""
    seen: dict[str, list[str]] = defaultdict(list)
    for word in folds:
        if len(word) < LONG:
            continue
        less = list(dict.fromkeys([word, *shortened(word)]))
        found = dict.fromkeys([other for form in less for other in seen[form]])
        yield from [(word, other) for other in found if _one_apart(word, other)]
        for form in less:
            seen[form].append(word)


def shortened(word: str) -> list[str]:
    """The word without each of its letters. Words that are one edit apart have one of these, or the word itself, in common."""
    return [word[:i] + word[i + 1 :] for i in range(len(word))]


def _one_apart(a: str, b: str) -> bool:
    if len(a) < len(b):
        a, b = b, a
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(b))
    return a[start + 1 :] == b[start + (len(a) == len(b)) :]


def _spaced(text: str) -> str:
    return re.sub(r"[^\w']+", " ", text.lower()).strip()


def _clauses(action: Action) -> Sequence[str]:
    """The clauses that somebody wrote; of a numeric action the quantity, with which all of its clauses begin."""
    return [f"{action.quantity} is"] if action.numeric or action.quantity else action.outcomes


def _outcomes(domain: Domain) -> Iterator[str]:
    truths = {_spaced(truth): truth for truth in domain.truths}
    actions = {_spaced(action.name): action.name for action in domain.actions}
    longest = max([len(name.split()) for name in (*truths, *actions)], default=1)
    whose: dict[str, str] = {}
    for action in domain.actions:
        for clause in _clauses(action):
            at = f"action {action.name!r}, {'quantity' if action.quantity else 'outcome'} {clause.removesuffix(' is')!r}"
            yield from [f"{at}: {problem}" for problem in _misread(clause)]
            fold = _spaced(clause)
            if fold in whose:
                yield f"{at}: is also one of {whose[fold]!r}; word one of them otherwise"
            whose[fold] = action.name
            for words in dict.fromkeys(_runs(fold.split(), longest)):
                if words in truths:
                    yield f"{at}: names the truth {truths[words]!r}; say what is seen"
                elif " " in words and actions.get(words, action.name) != action.name:
                    yield f"{at}: names the action {actions[words]!r}; say what is seen"


def _runs(words: Sequence[str], longest: int) -> Iterator[str]:
    """Every run of words, up to this length."""
    for i in range(len(words)):
        for length in range(1, min(longest, len(words) - i) + 1):
            yield " ".join(words[i : i + length])


def _misread(clause: str) -> Iterator[str]:
    """Reasons why a text does not read after "If"."""
    words = clause.split()
    mark = _MARKS.search(clause)
    if mark or not clause.isprintable():
        yield f"holds {mark.group() if mark else 'a sign that cannot be printed'!r}; write a clause without marks"
    if len(words) < 2 or len(clause) > 120:
        yield "expected a clause of 2 words and at most 120 characters; write one that can follow 'If'"
        return
    if clause[:1].isupper():
        yield "begins with a capital; begin with a small letter, as after 'If'"
    if words[0].lower() in _NOT_FIRST:
        yield f"begins with {words[0]!r}; begin with what is seen, as after 'If'"
    if len(words) <= VERBLESS and not _has_verb(words):
        yield "no word of it can be its verb; write a clause that can follow 'If', such as 'the streak is white'"
    confirming = _CONFIRMING.search(clause)
    if confirming:
        yield f"holds {confirming.group()!r}; say what is seen, not what follows from it"


def _has_verb(words: Sequence[str]) -> bool:
    """True if a word may be a verb, by its form or by the word before it: "it glows", "reeds wear out", "they graze"."""
    before = any(_PLURAL.search(word) for word in words[:-1])
    return before or any(word.lower() in _verbs() or _VERBAL.search(word) for word in words[1:])


def _scales(domain: Domain) -> Iterator[str]:
    """Intervals that overlap, leave gaps or are out of order cannot be built from ascending bounds."""
    for action in domain.actions:
        if any(low >= high for low, high in pairwise(action.bounds)):
            yield f"action {action.name!r}: its bounds {list(action.bounds)} do not ascend; sort them, each once"
        if action.quantity and not action.numeric:
            yield f"action {action.name!r}: has a quantity and no intervals; give it bounds"
        if action.quantity and re.search(r"\b(?:is|are)$", action.quantity):
            yield f"action {action.name!r}, quantity: expected a noun phrase, got {action.quantity!r}; leave the verb out"
        head = _HEAD.split(action.quantity)[0].split(" ")[-1].lower()
        if _SEVERAL.search(head) and head not in _ONE:
            yield (
                f"action {action.name!r}, quantity: {head!r} is plural, and {action.quantity + ' is'!r} reads badly; "
                f"write one thing, as in 'the number of {head}'"
            )
        if len(action.unit) > 30 or not action.unit.isprintable() or _UNIT_MARKS.search(action.unit):
            yield f"action {action.name!r}, unit: expected up to 30 characters without marks, got {action.unit!r}; write it so"


def _actions_that_exclude_wrongly(domain: Domain) -> Iterator[str]:
    for action, masks in zip(domain.actions, domain.masks(), strict=True):
        if not any(masks):
            yield f"action {action.name!r}: none of its outcomes excludes anything; let them, or take it out"
        common = masks[0] if masks else 0
        for mask in masks:
            common &= mask
        if common:
            names = _listed(domain, common)
            yield f"action {action.name!r}: all of its outcomes exclude {names}; let one outcome exclude none of it"


def _truths_that_are_excluded_wrongly(domain: Domain) -> Iterator[str]:
    masks = domain.masks()
    touching = [_union(outcomes) for outcomes in masks]
    signatures: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for t, truth in enumerate(domain.truths):
        count = sum([mask >> t & 1 for mask in touching])
        if not count:
            yield f"truth {truth!r}: no outcome of any action excludes it; let some"
            continue
        if count == len(touching):
            yield f"truth {truth!r}: every action has an outcome that excludes it; let one action leave it alone"
        signatures[tuple([mask >> t & 1 for outcomes in masks for mask in outcomes])].append(truth)
    for same in signatures.values():
        for truth, other in pairwise(same):
            yield f"truth {truth!r}: no action tells it from {other!r}; let an outcome exclude one of them only"


def _outcomes_that_exclude_few(domain: Domain) -> Iterator[str]:
    sizes = [len(out) for action in domain.actions for out in action.excludes]
    few = sum([size < SEVERAL for size in sizes])
    if few * FEW[1] > len(sizes) * FEW[0]:
        yield (
            f"outcomes: {few} of {len(sizes)} exclude fewer than {SEVERAL} truths, at most {len(sizes) * FEW[0] // FEW[1]} may; "
            "let more of them exclude several"
        )


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _listed(domain: Domain, mask: int) -> str:
    return ", ".join([truth for t, truth in enumerate(domain.truths) if mask >> t & 1])
