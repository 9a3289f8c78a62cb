"""How a reply ends that is not right: cut off, with a claim that there is no solution, given up, or simply wrong.

LR2Bench (2502.17848, section 4.4) read 50 cryptogram replies of two models and counted those that give up: with a part of the
answer only, or with the best answer that the model has after so much time. Here rules take the reader's place. Of replies that
are not right, in this order:
  cut         the endpoint stopped it: it is no decision of the model's
  claim       it says that the puzzle has no solution
  partial     there are blanks in its answer, or it has no answer and says why: it cannot, it stops
  compromise  its answer is whole, and it says that this is a guess, the best it can do, or what time allows
  ""          the rest: wrong in good faith, and what cannot be read without a word about giving up
The words are looked for in the end of the thinking and in the reply without its answer, which may be a quotation with such words.
"""

from __future__ import annotations

import re

CUT, CLAIM, PARTIAL, COMPROMISE = "cut off", "claim", "partial", "compromise"
ENDINGS = (PARTIAL, COMPROMISE, CUT, CLAIM)
_END = 3_000  # characters of the thinking that are read, from its end: of drafts before, a model may think better
_REPLY = 20_000  # and of the reply

_OF = r"(?:time|token|tokens|length|context|space|output|budget)"
_BUSY = r"(?: just| now| simply| probably| to| going| have| need){0,3} "
_I = r"\bi(?: am|'m|'ll| will| would| have| need| had| must| may| might| should| can only|)" + _BUSY
_UNABLE = r"(?:am|was)(?: not |n't | un)able to|did(?: not|n't) manage to"
_NOT = rf"\bi (?:can(?:no|')t|can not|could(?: not|n't)|{_UNABLE}) "
_FULLY = r"(?:[a-z]+ly ){0,2}"
_SOLVE = r"(?:solve|decipher|decode|decrypt|complete|finish|determine|figure out|work out|find|resolve|crack)\b"
_ANSWER = r"(?:answer|solution|mapping|decryption|decoding|grid|guess|attempt|assignment|fill|quote|quotation)\b"
_SAID = re.compile(
    "|".join(
        (
            _I + r"(?:giv(?:e|ing) up|stop(?:ping)? (?:here|there|now|at this point))\b",
            _I + r"(?:settl(?:e|ing) (?:for|on|with)|leav(?:e|ing) the rest)\b",
            r"\bgiving up (?:here|now|at this point)\b",
            r"\blet(?:'s| us| me) (?:give up|stop here|settle (?:for|on|with))\b",
            r"\b(?:given|due to|because of|under|owing to|within) (?:the |this |my |these |such )?(?:[a-z]+ )?"
            rf"{_OF} (?:constraints?|limits?|limitations?|left)\b",
            r"\bgiven (?:the|this|how) (?:limited|little|remaining) (?:time|tokens|space)\b",
            r"\bgiven the (?:complexity|difficulty)\b",
            r"\bgiven (?:the|how much) (?:time|effort) (?:i've|i have|already|spent)\b",
            r"\bin the interests? of time\b|\bfor (?:the sake|lack|want) of time\b",
            r"\b(?:running|ran|run) (?:out of|low on) (?:time|tokens|space|room|budget)\b",
            r"\bbest (?:possible |available |educated |effort |current )?(?:guess|attempt|effort|approximation)\b",
            r"\b(?:educated|rough|plausible|tentative|wild) guess\b",
            r"\bbest (?:possible |available )" + _ANSWER,
            r"\bbest (?:that )?i (?:can|could|have|am able to|was able to)\b",
            r"\bas (?:best|far|much) as i (?:can|could) (?:get|do|go|manage)\b",
            r"\bmost (?:likely|plausible|probable|possible) " + _ANSWER,
            r"\b(?:partial|incomplete|approximate|tentative|unfinished) " + _ANSWER,
            r"\b"
            + _ANSWER
            + r" (?:is|may be|might be|remains) (?:only )?(?:partial|incomplete|approximate|tentative|unfinished)\b",
            _NOT + _FULLY + _SOLVE,
            r"\btoo (?:hard|complex|difficult|long|time-consuming|speculative) to " + _FULLY + _SOLVE,
            r"\b(?:may|might) not be (?:[a-z]+ )?(?:correct|right|accurate|exact)\b",
            r"\bi (?:do not|don't) (?:have (?:a|the) (?:full|complete|whole)|know the (?:rest|full))\b",
        )
    )
)
# words before which "give up", "guess" and the like are no giving up
_DENIED = re.compile(r"\b(?:not|n't|never|without|refuse to|no need to|instead of|rather than|than|avoid)(?: [a-z']+){0,2} ?$")
_TAGGED = re.compile(r"<(answer|mapping)\b[^>]{0,40}>.{0,20000}?</\1\s*>", re.IGNORECASE | re.DOTALL)
_SPACES = re.compile(r"\s+")
_DRESS = str.maketrans({"\u2019": "'", "\u2018": "'", "*": "", "_": " ", "`": ""})


def says_so(reply: str, thinking: str = "") -> bool:
    """Return whether the end of the thinking, or the reply beside its answer, says that this is a guess or as far as it goes."""
    told = _TAGGED.sub(" ", reply[-_REPLY:])
    for text in (thinking[-_END:], told):
        plain = _SPACES.sub(" ", text.translate(_DRESS).casefold())
        for found in _SAID.finditer(plain):
            before = plain[max(0, found.start() - 40) : found.start()]
            if not _DENIED.search(before):
                return True
    return False


def ending(reply: str, thinking: str, *, right: bool, cut: bool, claim: bool, answered: bool, blanks: bool) -> str:
    """One of ENDINGS, or "". answered: the reply has an answer, which may have blanks."""
    if right:
        return ""
    if cut:
        return CUT
    if claim:
        return CLAIM
    if answered and blanks:
        return PARTIAL
    if says_so(reply, thinking):
        return COMPROMISE if answered else PARTIAL
    return ""
