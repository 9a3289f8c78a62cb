"""Sentences that explain a book and hold no rule of it. The writer draws them, and the parser knows them word by word:
they are the only sentences with words of excluding in them that are not read as rules.

Slots: {truth} {truths} {action} {actions} are the domain's nouns, {a_truth} and {an_action} the same with an article.
"""

from __future__ import annotations

from collections.abc import Mapping

from puzzlemill.kumo.domain.domain import Domain

READING = (
    "With every outcome stand the {truths} that it rules out; it rules out those and no others.",
    "Each outcome is told with what it rules out, and it rules out nothing else.",
    "All that is told of an outcome is what it rules out.",
    "An outcome rules out the {truths} named with it, all of them and no others.",
    "Whatever is named with an outcome is excluded by that outcome, and nothing else is.",
)
NO_PROOF = (
    "No outcome proves anything: {a_truth} that it does not name has merely not been ruled out by it.",
    "Outcomes only take away; none of them confirms {a_truth}.",
    "An outcome can speak against {a_truth} and never for one, so what it does not name is in no way confirmed by it.",
    "Not to be ruled out by one {action} is no proof; it only means that this {action} had nothing to say.",
    "None of the outcomes confirms {a_truth}; {a_truth} that is not named stays as open as it was before.",
)
EMPTY = (
    "Some outcomes rule out nothing, and then this is said.",
    "Where an outcome rules out nothing, that is said as well.",
    "An outcome that rules out nothing is told all the same.",
)
LEGENDS = (
    "The last column holds the {truths} that an outcome rules out; a dash means that it rules out nothing.",
    "The last column names what is ruled out by the outcome on its left; a dash stands for nothing.",
    "In the last column stand the {truths} that the outcome excludes; where it excludes none, there is a dash.",
)
GRID_LEGENDS = (
    "A cross means that the outcome rules the {truth} out; a dot means that it does not.",
    "Where an outcome rules {a_truth} out there is a cross, and everywhere else a dot.",
)
ASK = (
    ("So whatever an outcome does not name is proved?", "No, it has just not been ruled out by that outcome."),
    ("If an outcome leaves a name out, does that confirm the name?", "Not at all, outcomes only ever rule out."),
    ("Does any outcome tell me which {truth} is right?", "None does; an outcome only tells what it rules out."),
    ("Can an outcome prove {a_truth}?", "It cannot; all that an outcome can do is to rule out."),
)
SYMBOLS = (
    "Below each {action} are its outcomes; o => not X, Y means that outcome o rules out X and Y, o => - that it rules out none.",
    "out(A | o) = {{X, Y}} means that outcome o of {action} A rules out X and Y, and {{}} that it rules out nothing.",
    "A: o |- ~X & ~Y means that outcome o of {action} A rules out X and Y, and |- true that it rules out nothing.",
)
SEVERAL = (
    "More than one of the {truths} may be right, and each of them is judged for itself.",
    "Several of the {truths} may be right, so each name is to be judged by itself.",
)
ELSEWHERE = "This place has rules of its own, whatever is usual elsewhere."


def nouns(domain: Domain) -> dict[str, str]:
    """The values of templates' slots in this domain."""
    return {
        "truth": domain.truth,
        "truths": domain.truths_plural,
        "a_truth": with_article(domain.truth),
        "action": domain.action,
        "actions": domain.actions_plural,
        "an_action": with_article(domain.action),
    }


def with_article(noun: str) -> str:
    """ "a test", "an examination", "an hour", "a unit"."""
    low = noun.lower()
    vowel = low[:1] in "aeiou" and not low.startswith(("uni", "use", "usu", "eu", "one"))
    return ("an " if vowel or low.startswith(("hour", "hono", "heir")) else "a ") + noun


def notes(words: Mapping[str, str]) -> frozenset[str]:
    """Every note of a domain with these nouns, each as one sentence."""
    asked = tuple([side for pair in ASK for side in pair])
    every = (*READING, *NO_PROOF, *EMPTY, *LEGENDS, *GRID_LEGENDS, *asked, *SYMBOLS, *SEVERAL, ELSEWHERE)
    return frozenset([note.format_map(words) for note in every])
