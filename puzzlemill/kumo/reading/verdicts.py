"""Reads what a clause says of the truths that it names: that they are ruled out, that they stay, or that they are confirmed.

A clause comes as words in lower case with § for every list of truths and ◊ for every outcome: "if ◊ , § are ruled out".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OUT, STAYS, REVERSED, DOUBT, NOTHING = "out", "stays", "reversed", "doubt", "nothing"
MAX_WORDS = 6_000  # characters


def _any(*parts: str) -> str:
    return f"(?:{'|'.join(parts)})"


_EXCLUDE = _any(
    r"rul(?:e|es|ed|ing)(?: § | it | them | )out",
    r"exclud(?:e|es|ed|ing)",
    r"eliminat(?:e|es|ed|ing)",
    r"discard(?:s|ed|ing)?",
    r"dismiss(?:es|ed|ing)?",
    r"strikes?|struck|striking",
    r"cross(?:es|ed|ing)?(?: § | )(?:off|out)|cross(?:es|ed)?",
    r"drop(?:s|ped|ping)?(?: out)?",
    r"remov(?:e|es|ed|ing)",
    r"reject(?:s|ed|ing)?",
    r"disqualif(?:y|ies|ied)",
    r"acquit(?:s|ted)?",
    r"scratch(?:es|ed)?(?: off| out)?",
    r"banish(?:es|ed)?",
    r"(?:put|set)s? aside",
    r"out of the question",
    r"impossible",
)
_BE = _any(
    r"is|are|was|were|be|been|get|gets|has|have|had|to|can|could|may|must|should|will",
    r"then|thus|therefore|also|now|both|all|at|once",
)
_NOT = _any(
    r"not|never|cannot|can't|isn't|aren't|doesn't|don't|won't|wasn't|weren't|hasn't|haven't",
    r"nor|without|hardly|no longer",
)
_OF_THEM = r"(?: of (?:the|them|these)(?: [\w-]+){0,2})?"
_NAMED = r"(?= (?:the |an? )?§)"  # right before a list of truths
_KINDS: tuple[tuple[str, str], ...] = (  # tried in this order at every place
    (
        NOTHING,
        _any(
            rf"(?:nothing|no one|nobody|none{_OF_THEM}|no (?!longer)[\w-]+(?: [\w-]+)?)(?: {_BE}){{0,4}} {_EXCLUDE}",
            rf"{_EXCLUDE} (?:out )?(?:: )?(?:nothing|no one|nobody|none(?! of §){_OF_THEM}|no [\w-]+)(?! but)",
            r"no [\w-]+ (?:leaves?|is taken off) the list",
            r"the list (?:stays|remains|is) (?:as it (?:was|is)|unchanged|the same)",
            r"(?:leaves?|keeps?) (?:all|everything|everyone|every [\w-]+|all [\w -]{1,40}?)"
            r" (?:in play(?: that was in play before)?|possible|open|as (?:it|they) (?:was|were))",
            r"(?:all|everything|everyone|every [\w-]+)(?: [\w-]+){0,6} (?:stays?|remains?|is|are)(?: still)?"
            r" (?:in play|possible|open)",
            r"(?:tells?|says?|teaches?) (?:us |you |me )?nothing|no conclusions?",
            r"nothing (?:follows|changes|happens|can be said)",
            r"(?:= >|- >|→|⇒|\| -|⊢|:) (?:-|—|–|nothing|none|no one|true|⊤|∅|\{ \})(?: \.)?$",
        ),
    ),
    (
        DOUBT,
        _any(
            r"unlikely|improbable|less likely|hardly|rarely|seldom|usually|often|mostly|sometimes",
            r"may be excluded|might be excluded|(?:some|many|people) (?:say|think|believe)",
            r"wrong(?:ly)?|a mistake to|mistaken(?:ly)?|false(?:ly)?|myth|not true|not the case|contrary to",
            r"used to|allegedly|supposedly|maybe|perhaps|possibly|unless|only (?:if|when)|except (?:if|when)|not necessarily",
        ),
    ),
    (STAYS, rf"{_NOT}(?: [\w'-]+){{0,3}} {_EXCLUDE}|{_EXCLUDE} (?:neither|none of)(?= §)"),
    (
        REVERSED,
        _any(
            r"confirm(?:s|ed|ing)?|prov(?:e|es|ed|en|ing)|identif(?:y|ies|ied)|establish(?:es|ed)?",
            r"must be(?! (?:excluded|ruled|struck|dismissed|eliminated|crossed|removed))",
            r"certainly|definitely|surely|indicat(?:e|es|ed|ing)|points? to|suggests?|(?:a )?(?:sure )?signs? of",
            r"typical (?:of|for)|characteristic of|likely|probabl[ye]|speaks? for|evidence (?:for|of)",
            r"favou?rs?|supports?|consistent with|is due to|comes? from",
        ),
    ),
    (
        OUT,
        _any(
            _EXCLUDE,
            rf"(?:cannot|can't|can not|could not|couldn't|must not)(?: \w+)? be(?: the [\w -]{{1,30}})?(?! {_EXCLUDE})",
            rf"(?:is|are|was|were|isn't|aren't|wasn't|be)(?: [\w-]+){{0,2}}? (?:neither|none of|not|never){_NAMED}",
            rf"(?:isn't|aren't|wasn't|neither|none of|not|~|¬){_NAMED}",
            rf"(?<=§ )(?:(?:is|are) (?:not|never|neither)|isn't|aren't)(?!(?: [\w'-]+){{0,3}} {_EXCLUDE})|no longer",
            r"(?:leaves?|off|from) the (?:list|table)|(?:is|are|falls?|goes|go|comes?) out(?: of the question)?|out (?:goes|go)",
            r"incompatible|inconsistent with|contradict(?:s|ed)?|(?:is|are) gone|forget(?: about)?|speaks? against",
        ),
    ),
    (
        STAYS,
        _any(
            r"remains?|stays?|(?:still )?possible|in play|keeps?|survives?|leaves?|left",
            r"could(?: still)? be|may(?: still)? be|might be|can(?: still)? be",
        ),
    ),
)
_CUES = re.compile(rf"(?<!\S)(?:{'|'.join([f'(?P<k{i}>{pattern})' for i, (_, pattern) in enumerate(_KINDS)])})(?!\w)")
_REST = re.compile(
    r"(?:all|every[\w-]*|any[\w-]*|each|others?|nothing|none)(?: [\w-]+){0,3}"
    r" (?:but|except(?: for)?|save|other than|apart from) (?=§)|only (?=§)|§ (?:alone|only)"
)
_ELLIPSIS = re.compile(
    r"(?:but|and|though|although|yet)(?: [\w-]+ly)? not § ?[.!]?"
)  # "…, but not §": the contrary of what came before
_CONTRAST = re.compile(r"(?:, )?(?:and |but )?not")  # between two lists: "…, not §"
_VERBS = re.compile(r"out\b|exclud|eliminat|discard|dismiss|strik|struck|cross|disqualif")
_DENIAL = re.compile(
    r"neither|none of|no longer|not|never|(?:is|are) (?:not|never)|(?:can|could) ?(?:not|n't)(?: \w+)?(?: be)?|can't(?: be)?"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """kind: OUT, STAYS, REVERSED, or "" where the words do not say clearly. group: which list of truths, -1 for none.

    empty: the clause says that nothing is ruled out. rest: all truths but those named are meant. words: the words of judging.
    """

    kind: str
    group: int
    words: str
    empty: bool = False
    rest: bool = False


def excludes(words: str) -> bool:
    """True if these words of judging have a verb of excluding among them."""
    return bool(_VERBS.search(words))


def verdicts(words: str, groups: int) -> list[Verdict]:
    """The verdict of a clause on each of its lists of truths; [] if it has no words of judging."""
    if len(words) > MAX_WORDS:
        return [Verdict("", -1, "")]
    if _ELLIPSIS.fullmatch(words):
        return [Verdict("", 0, words)]
    found = [(m.start(), m.end(), _KINDS[int((m.lastgroup or "k0")[1:])][0], m.group()) for m in _CUES.finditer(words)]
    if not found:
        return []
    kinds = _kinds(found)
    said = " ".join([text for _, _, _, text in found])
    if groups == 0:
        if kinds & {NOTHING} and not kinds & {REVERSED, DOUBT}:
            return [Verdict(OUT, -1, said, empty=True)]
        return [Verdict(_one(kinds - {NOTHING}), -1, said)]
    rest = bool(_REST.search(words))
    if groups == 1:
        kind = _one(kinds)
        if rest:
            return [_complement(words, kind, said)]
        return [Verdict(kind, 0, said)]
    return _several(found, words, said, rest)


def _kinds(found: list[tuple[int, int, str, str]]) -> set[str]:
    """The kinds of these cues; to deny that something stays, or that it is likely, is to exclude it."""
    kinds = {kind for _, _, kind, _ in found}
    denied = all(_DENIAL.fullmatch(text) for _, _, kind, text in found if kind == OUT)
    return {OUT} if kinds == {OUT, STAYS} and denied else kinds


def _one(kinds: set[str]) -> str:
    """The kind that these cues agree on; "" if they do not."""
    return next(iter(kinds)) if len(kinds) == 1 and kinds <= {OUT, STAYS, REVERSED} else ""


def _complement(words: str, kind: str, said: str) -> Verdict:
    """ "all but § are ruled out", "only § remain": the others are out; whatever else is said of "only" is not understood."""
    alone = re.search(r"only §|§ (?:alone|only)", words)
    if (kind == STAYS and alone) or (kind == OUT and not alone):
        return Verdict(OUT, 0, said, rest=True)
    return Verdict(OUT, 0, said) if kind == OUT else Verdict("" if kind != REVERSED else REVERSED, 0, said)


def _several(found: list[tuple[int, int, str, str]], words: str, said: str, rest: bool) -> list[Verdict]:
    """Each list of truths with the words of judging that belong to it: those before it, or else those after it."""
    places = [i for i, sign in enumerate(words) if sign == "§"]
    leading = found[0][0] < places[0]
    judged = []
    for g, place in enumerate(places):
        low = places[g - 1] if g else -1
        high = places[g + 1] if g + 1 < len(places) else 1 << 30
        own = _kinds([cue for cue in found if (low < cue[0] < place if leading else place < cue[0] < high)])
        contrast = g > 0 and _CONTRAST.fullmatch(words[low + 1 : place].strip())
        judged.append(Verdict("" if rest or contrast or not own else _one(own), g, said))
    return judged
