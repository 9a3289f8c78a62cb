"""What chains say of clues themselves, where exactly one is false: "clue 3 is true", "suppose clue 3 is the false one".

The claims are of kinds of their own: TRUE and FALSE, whose number is the clue's, or 0 for all clues (some clue is false).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from puzzlemill.chains.claims import FALSE, TRUE, Claim
from puzzlemill.chains.recognise import Said
from puzzlemill.chains.scene import Scene
from puzzlemill.rules.grids import Statement

_NUMBERS = r"((?:#?\d{1,3}(?:\s*(?:,|and|&|or)\s*)*)+)"
_IS = r"\s*(?:is|are|must(?: both| all)? be|was|were|would be|turns? out to be|has to be|have to be)\s+"
_TRUE = r"(?:all |both )?(?:true|right|correct|reliable)\b"
_FALSE = r"(?:the )?(?:(?:only )?(?:false|wrong|untrue|incorrect)|not true|not right|a lie|lie|the liar)\b"
_CLUE = r"(?:clue|sentence|statement|hint)s?\s*(?:no\.?|#)?\s*"
_SAID = re.compile(rf"{_CLUE}{_NUMBERS}{_IS}(?:({_FALSE})|{_TRUE})", re.IGNORECASE)
_IT_IS = re.compile(rf"(?:false|wrong|untrue) (?:one|clue|sentence) is\s+{_CLUE}(\d{{1,3}})", re.IGNORECASE)
_ALL = re.compile(rf"\b(?:all|every)(?: of)?(?: the)? (?:clues?|sentences?){_IS}{_TRUE}", re.IGNORECASE)
_AMONG = re.compile(rf"false (?:one|clue|sentence) (?:is|must be) (?:among|one of)\s+{_CLUE}{_NUMBERS}", re.IGNORECASE)
_ONLY_LEFT = re.compile(rf"only {_CLUE}(\d{{1,3}}) is left: it is the false one", re.IGNORECASE)
_OTHERS = re.compile(rf"(?:all|every) (?:the )?others? (?:clues? |sentences? )?{_IS}{_TRUE}", re.IGNORECASE)
_EVERY = (_AMONG, _ALL, _SAID, _IT_IS, _ONLY_LEFT)
_SO = re.compile(r"\b(?:so|therefore|thus|hence|means|shows|conclude|follows|must)\b[^.]*$", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\W*(?:now |so |first,? |next,? )*(?:suppose|assume|assuming|imagine|what if|try|let us|let's|say|consider)\b", re.IGNORECASE
)


def spoken(scene: Scene, said: Said) -> Said:
    """The sentence with what it says of clues; itself if that is nothing."""
    text, claims = said.sentence.text, list[Claim]()
    among = _AMONG.search(text)
    if among is not None:
        named = _numbers(among[1])
        claims.append(_claim(FALSE, 0))
        claims += [_claim(TRUE, k) for k in scene.clues if k not in named and _OTHERS.search(text)]
    elif _ALL.search(text):
        claims.append(_claim(TRUE, 0))
    else:
        for found in _SAID.finditer(text):
            claims += [_claim(FALSE if found[2] else TRUE, k) for k in _numbers(found[1])]
        for found in (*_IT_IS.finditer(text), *_ONLY_LEFT.finditer(text)):
            claims.append(_claim(FALSE, int(found[1])))
    claims = [claim for claim in dict.fromkeys(claims) if claim.number == 0 or claim.number in scene.clues]
    if not claims:
        return said
    if _SUPPOSED.match(text) and not said.back:
        return replace(said, premises=claims, conclusions=[], supposes=True, understood=True)
    start = next(match.start() for pattern in _EVERY if (match := pattern.search(text)))
    if said.conclusions and not _SO.search(text[:start]):  # "as clue 3 is false, Ana has no cat"
        return replace(said, premises=[*said.premises, *claims])
    return replace(said, premises=[*said.premises, *said.conclusions], conclusions=claims, clues=(), understood=True)


def _claim(kind: str, number: int) -> Claim:
    return Statement(kind, number=number)


def _numbers(text: str) -> Sequence[int]:
    return [int(number) for number in re.findall(r"\d{1,3}", text)]
