"""What a clause claims, read off its signs (signs.py) by patterns, from left to right; the first pattern that fits is taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from puzzlemill.chains.claims import NOTHING, Claim, negated, other, same, several
from puzzlemill.chains.signs import NUMBER, N, X, item, number, pairs_of
from puzzlemill.rules.grids import Size, stated

_LIST = rf"{X}(?:(?:,?[&/n]+|,)+{X})*"
_OBJECT = rf"{X}(?:(?:,?[&/n]+|,){X}(?![V!m<>~#JEADYGL\ue000-\ue0ff]|{N}))*"
_ONE = chr(NUMBER + 1)


@dataclass(slots=True)
class Context:
    """subject: the last subject, which a pronoun stands for. target: the last item that got or lost something."""

    subject: str = ""
    target: str = ""


@dataclass(slots=True)
class Clauses:
    """claims: found. loose: items in no claim. open: items that are ruled out for something the clause does not name."""

    claims: list[Claim] = field(default_factory=list)
    loose: int = 0
    named: int = 0
    open: list[str] = field(default_factory=list)


_Handler = Callable[["Reader", re.Match[str]], Iterable[Claim] | None]

_TIDY: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    [
        (re.compile(pattern), to)
        for pattern, to in (
            (r"(?:^|(?<=[,.;:SB]))&?h?V*[xk]+R", ""),
            (rf"({X}H*&H*{X}H*)V+[Vm]*x+(?=[,.;)]|$)", r"\1p"),  # "Ann and tea are at odds"
            (r"[qxku]+", ""),
            (r"^&?h,", ""),  # "from these,"
            (rf"h[Vm]*!V*(H*{X}H*)RV*", r"\1!"),  # "it is not Ann that has tea"
            (rf"QR?(H*{X}(?:H*[&/]H*{X})*H*)[Vm]*", r"\1!"),  # "there is no way that Ann has tea"
            (rf"hV+(H*{X}H*)R(?=[V!mH])", r"\1"),
            (rf"hV+(H*{X}H*)(?={X})", r"\1"),  # "it is the baker at house 3"
            (rf"h[Vm]+G(?=H*{X}H*V)", "G"),  # "it is impossible for Ann to be"
            (rf"(?<=[{X[1:-1]}H])[V!]*Z[fV]*(?=H*{X})", "!"),
            (rf"H+R[VH]*(?={X})", ""),
            (rf"(?<![{X[1:-1]}hH])H+V+(?={X})", ""),
            (rf"H+f(?={X})", ""),
            (rf"({N})H+", r"\1"),
            (rf"(?<={X}){_ONE}(?=[{X[1:-1]}.,V!&/;:]|$)", ""),  # "the violet one"
            (rf"(?<={X})V+K(?=H*{X})", "!"),  # "Ann has no tea"
            (rf"(!H*{X},?&?)K(?=H*{X})", r"\1!"),
            (rf"(!H*{X},?&?)K(?=H*{X})", r"\1!"),
            (r"K(?:H|g)*", "K"),
            (rf"o(?:H|{N}(?=H*[Lf]))+", "o"),
            (r"LH+", "L"),
            (rf"o+{N}?[mL]+(?=H*f)", "oL"),
            (r"!m+f", "!"),
            (r"mH+", "m"),
            (r"h+H*", "h"),
            (r"(?:bg|b|e)", ""),
            (r"MH*a?", "M"),
            (r"~g", "~"),
            (rf"(?<![{X[1:-1]},])R", ""),
            (r"H+g", ""),
            (r"H+", ""),
            (r"(?<=[V])a", ""),
            (r",V*oL,?(?=[V!])", ""),
            (rf"(?<=[V!])f(?={X})", ""),
            (rf"/h?V+(?={X})", "/"),
            (r"W", "V"),
            (rf"(?<=[{X[1:-1]}hTRL])[Vmo!]+(?=[^.]|$)", "?"),
            (rf"(?<![{X[1:-1]}hTRLKyo,&])V+(?=[{X[1:-1]}oKL])", ""),
        )
    ]
)
_RUN = re.compile(rf"(?<=[{X[1:-1]}hTRL,])[Vmo!]+")


def _run(found: re.Match[str]) -> str:
    run = found[0]
    if "!" in run:
        return "!"
    if "m" in run and "o" not in run:
        return "m"
    return "V" if "V" in run or "m" in run else run


def tidied(signs: str) -> str:
    """The signs of a clause without words that only fill it, and with one sign for each run of verbs."""
    for pattern, to in _TIDY:
        if to == "?":
            signs = _RUN.sub(_run, signs)
        else:
            signs = pattern.sub(to, signs)
    return signs


class Reader:
    """Reads clauses of one puzzle. scale: the scale that a comparison is on, by its two items."""

    def __init__(self, size: Size, scale: Callable[[str, str], int]) -> None:
        self.size, self.scale_of = size, scale
        self.context = Context()
        self.end = 0

    def read(self, signs: str) -> Clauses:
        """The claims of a clause or several."""
        text = self._resolved(tidied(signs))
        found = Clauses(named=sum("\ue000" <= sign <= "\ue0ff" for sign in text))
        self.found, self.end = found, -1
        text = self._asides(text)
        if self.context.subject and _DENIES.match(text):  # "not the baker"
            text = self.context.subject + text
        at = 0
        while at < len(text):
            sign = text[at]
            kind = "X" if "\ue000" <= sign <= "\ue0ff" else "N" if "\ue100" <= sign <= "\uefff" else sign
            for pattern, handler in _BY_START.get(kind, ()):
                match = pattern.match(text, at)
                if match is not None:
                    self.end = match.end()
                    claims = handler(self, match)
                    if claims is not None:
                        found.claims += claims
                        at = self.end
                        break
            else:
                if sign == "V" and at == self.end and self.context.subject and "\ue000" <= text[at + 1 : at + 2] <= "\ue0ff":
                    text = f"{text[:at]}{self.context.subject}{text[at:]}"  # "Ann -> 2004 -> tea"
                    continue
                if sign in "&," and self.context.subject and _GOES_ON.match(text, at):
                    text = f"{text[: at + 1]}{self.context.subject}{text[at + 1 :].lstrip('&')}"
                found.loose += "\ue000" <= sign <= "\ue0ff"
                at += 1
        return found

    def _resolved(self, text: str) -> str:
        if "h" in text and self.context.subject:
            text = re.sub(r"(?:(?<=^)|(?<=[,&f<>~]))h(?=[V!mG<>~]|$|[,.])", self.context.subject, text)
        return text.replace("h", "")

    def _asides(self, text: str) -> str:
        """Claims of ", which goes with Y," and the text without them."""

        def aside(match: re.Match[str]) -> str:
            x, verb, several_ = match[1], match[2], items(match[3])
            self.found.claims += self._pairs([x], several_, "!" in verb)
            return x

        return _ASIDE.sub(aside, text).replace("R", "") if "R" in text else text

    # ---- claims

    def _pairs(self, subjects: Sequence[str], objects: Sequence[str], denied: bool, way: str = "&") -> list[Claim]:
        found = []
        for x in subjects:
            here = [y for y in objects if item(y)[0] != item(x)[0]]
            if denied:
                found += [other(item(x), item(y)) for y in here]
            elif way == "/" and here and len(objects) > 1:  # "Ann is Bob or the baker" leaves the baker
                none = [NOTHING] * (len(here) < len(objects))
                found.append(several("any", [*[same(item(x), item(y)) for y in here], *none]))
            else:
                found += [same(item(x), item(y)) for y in here]
        return found

    def related(self, kind: str, signs: Sequence[str], d: int = 0, denied: bool = False) -> list[Claim]:
        """A claim about an order. The scale is that of its items, if there are two."""
        found = [item(sign) for sign in signs]
        if len(set(found)) < len(found):
            return []
        scale = self.scale_of(signs[0], signs[1])
        claim = stated(kind, found, scale, d)
        return [negated(claim) if denied else claim]


def items(text: str) -> list[str]:
    return [sign for sign in text if "\ue000" <= sign <= "\ue0ff"]


def numbers(text: str) -> list[int]:
    return [number(sign) for sign in text if "\ue100" <= sign <= "\uefff"]


_GOES_ON = re.compile(rf"[&,]&?(?:[V!m]+(?=[{X[1:-1]}<>~#JoLM]|E?{N}[<>])(?!{X}[V!mG<>~#])|[<>~#J])")
_ITEM = re.compile(X)
_BESIDE = re.compile(rf"{X}(?=[,.;:&)]|$)")
_DENIES = re.compile(f"!{X}")
_RUN_OF = re.compile(_LIST)
_PREDICATE = re.compile(rf"[V!mG<>~#JLDYM{X[1:-1]}]|[EA]?{N}|f{X}")
_AND = re.compile(rf"(?:,?[&/n]+|,)({X})")
_ASIDE = re.compile(rf"({X}),?R([V!m]*)({X}(?:(?:,?[/n]+|,(?={X}(?:,{X})*,?/)){X})*(?:&[V]?{X}(?=,|$))?)(?:,(?=[V!m&<>~J#]|$))?")


# ---- patterns ------------------------------------------------------------------------------------------------------------


def _none_left(_reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    if "O" in match[0]:
        return []
    return [NOTHING]


def _only_left(reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    options, whom = items(match[1]), items(match[2])
    if len(whom) > 1 and _PREDICATE.match(match.string, match.end(2)):  # the others are the subjects of what follows
        reader.end = match.start(2) + 1
        whom = whom[:1]
    if len(whom) != 1 and len(options) == 1:
        options, whom = whom, options
    if not options or not whom:
        return None
    reader.context.target = whom[0]
    reader.context.subject = match[0][0] if "\ue000" <= match[0][0] <= "\ue0ff" else whom[0]
    return reader._pairs(whom, options, False, "/")


def _ruled_out(reader: Reader, match: re.Match[str]) -> list[Claim]:
    what, whom = items(match["what"]), items(match["whom"] or "")
    if len(whom) > 1:
        text, start = match.string, match.start("whom")
        if _PREDICATE.match(text, match.end("whom")):  # the others are the subjects of what follows
            comma = text.find(",", start, match.end("whom"))
            reader.end = comma if comma > 0 else start + 1
        whom = items(text[start : reader.end])
    if whom:
        reader.context.target = whom[0]
        return reader._pairs(whom, what, True)
    reader.found.open += what
    return []


def _left(reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    """ "Only tea is left": for what was spoken of last."""
    options, target = items(match[1]), reader.context.target
    if not target or any(item(x)[0] == item(target)[0] for x in options):
        return None
    return reader._pairs([target], options, False, "/")


def _no_room(_reader: Reader, match: re.Match[str]) -> list[Claim]:
    """ "With 1948 for Ann, no year would be left for Bob": that cannot be Ann's."""
    return [other(item(x), item(match[2])) for x in items(match[1]) if item(x)[0] != item(match[2])[0]]


def _neither(reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    subjects, objects = items(match[1]), items(match[2])
    reader.context.subject = subjects[-1]
    return reader._pairs(subjects, objects, True)


def _pair(_reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    return [stated("pair", [item(match[k]) for k in range(1, 5)])]


def _between_sides(reader: Reader, match: re.Match[str]) -> list[Claim]:
    return reader.related("between", [match["a"], match["b"], match["c"]])


def _between(reader: Reader, match: re.Match[str]) -> list[Claim]:
    reader.context.subject = match["a"]
    return reader.related("between", [match["a"], match["b"], match["c"]], 0, "!" in match["v"])


def _gap(reader: Reader, match: re.Match[str]) -> list[Claim]:
    """Some places between two items."""
    d = numbers(match["d"])[0] + 1
    pair = [match["a"], match["b"]]
    if "A" in match["d"]:
        return [several("any", [*reader.related("at_least", pair, d), *reader.related("at_least", pair[::-1], d)])]
    return reader.related("apart", pair, d)


def _next(reader: Reader, match: re.Match[str]) -> list[Claim]:
    reader.context.subject = match["a"]
    return reader.related("apart", [match["a"], match["b"]], 1, "!" in match["v"])


def _order(reader: Reader, match: re.Match[str]) -> list[Claim]:
    a, b, how = match["a"], match["b"], match["how"]
    if match["r"] == ">":
        a, b = b, a
    reader.context.subject = match["a"]
    denied, found = "!" in match["v"], numbers(how)
    if "A" in how and found:
        return reader.related("at_least", [a, b], found[0], denied)
    if found or "J" in how:
        return reader.related("exactly", [a, b], found[0] if found else 1, denied)
    return reader.related("before", [a, b], 0, denied)


def _either_way(reader: Reader, match: re.Match[str]) -> list[Claim]:
    found = numbers(match["how"])
    return reader.related("apart", [match["a"], match["b"]], found[0] if found else 1, "!" in match["v"])


def _apart(reader: Reader, match: re.Match[str]) -> list[Claim]:
    d, pair = numbers(match["d"])[0], [match["a"], match["b"]]
    if "A" in match["d"]:
        return [several("any", [*reader.related("at_least", pair, d), *reader.related("at_least", pair[::-1], d)])]
    return reader.related("apart", pair, d)


def _different(_reader: Reader, match: re.Match[str]) -> list[Claim]:
    return [other(item(x), item(y)) for x, y in pairs_of(items(match[1]))]


def _one(reader: Reader, match: re.Match[str]) -> list[Claim]:
    first, *rest = items(match[0])
    return reader._pairs([first], rest, "!" in match[0])


def _chain(reader: Reader, match: re.Match[str]) -> list[Claim]:
    return [claim for pair in pairwise(items(match[1])) for claim in reader.related("before", pair)]


def _share(reader: Reader, match: re.Match[str]) -> list[Claim]:
    """Some items have some others between them."""
    return reader._pairs(items(match[1]), items(match[2]), False, "/")


def _plain(reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    """X is Y; X is Y or Z; A, B and C are not Y. Objects of another category than the first may be subjects of what follows."""
    subjects, verb, objects, first = items(match[1]), match[2], [match[3][0]], item(match[3][0])[0]
    text, start = match.string, match.start(3)
    reader.end = start + 1
    tail = _tail(text, start)
    pure = not _PREDICATE.match(text, tail) and (tail == len(text) or text[tail] not in ",&/n")
    for more in _AND.finditer(text[:tail], start + 1):
        c = item(more[1])[0]
        if more.start() != reader.end or (c != first and not pure and "/" not in more[0]):
            break
        objects.append(more[1])
        reader.end = more.end()
    joined = match.string[match.start(3) : reader.end]
    if match["l"] and reader.end == match.end(3):
        reader.end = match.end()
    if _BESIDE.match(text, reader.end) and item(text[reader.end])[0] not in [item(y)[0] for y in (*subjects, *objects)]:
        objects.append(text[reader.end])  # "Ann used brass, with 37 attempts"
        reader.end += 1
    kinds = list(dict.fromkeys([item(y)[0] for y in objects]))
    if not any(item(x)[0] != kind for x in subjects for kind in kinds):
        return [] if len(objects) == 1 and len(subjects) == 1 else None
    reader.context.subject = subjects[-1]
    if "/" in match[1] and "!" not in verb and len(subjects) > 1 and len(objects) == 1:
        return [several("any", [same(item(x), item(objects[0])) for x in subjects if item(x)[0] != kinds[0]])]
    if verb == "m" and len(objects) == 1:
        return []
    several_ = len(objects) > 1 and (len(kinds) == 1 or (len(subjects) > 1 and len({item(x)[0] for x in subjects}) == 1))
    way = "/" if "/" in joined or verb == "m" or several_ else "&"
    if match["l"] and len(subjects) == len(objects):
        return [claim for x, y in zip(subjects, objects, strict=True) for claim in reader._pairs([x], [y], "!" in verb)]
    if "!" not in verb:
        reader.context.target = subjects[-1]
    return reader._pairs(subjects, objects, "!" in verb, way)


def _tail(text: str, start: int) -> int:
    """Where a list of objects ends, of which the last ones may be the subjects of what follows."""
    listed = _RUN_OF.match(text, start)
    if listed is None or listed.end() >= len(text) or not _PREDICATE.match(text, listed.end()):
        return listed.end() if listed is not None else start + 1
    run = text[start : listed.end()]
    found = [(match.start(), item(match[0])[0]) for match in _ITEM.finditer(run)]
    first = len(found) - 1  # of the last items of one category, which are subjects together
    while first > 0 and found[first - 1][1] == found[-1][1]:
        first -= 1
    if first > 0:
        return start + found[first - 1][0] + 1
    cuts = [run.rfind(sign) for sign in (",&", ",", "&", "/")]
    return next((start + cut for cut in cuts if cut >= 0), listed.end())


def _values(_reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    """Items of one category in a row say nothing."""
    return [] if len({item(x)[0] for x in items(match[0])}) == 1 else None


def _compiled(starts: str, pattern: str, handler: _Handler) -> tuple[str, re.Pattern[str], _Handler]:
    return starts, re.compile(pattern), handler


_HOW = rf"(?P<how>(?:[EAJ]|{N}|D)*)"
_A, _B = rf"(?P<a>{X})", rf"(?P<b>{X})"
_PATTERNS = (
    _compiled("K", rf"K[V!mO]*L(?:O?f?(?:{_LIST})?)?", _none_left),
    _compiled("X", rf"({X}(?:,?[/,]+{X})*)f({X}),K[VO]*(?:L)?f(?:{X}(?:[/,]+{X})*)", _no_room),
    _compiled("oX", rf"o?({_LIST})[Vo]*L[V]?f({_LIST})", _only_left),
    _compiled("o", rf"o({_LIST})V?f({X})", _only_left),
    _compiled("X", rf"({X}(?:,?[/,]+{X})+)f({X})", _only_left),
    _compiled("oL", rf"o?Lo?f({X})V?({_OBJECT})", _only_left),
    _compiled("oL", rf"o?Lo?({_LIST})fo?({X})", _only_left),
    _compiled("X", rf"({_LIST})Vo[mL]*f({X})", _only_left),
    _compiled("o", rf"o({_LIST})V?[mL]f({X})", _only_left),
    _compiled("o", rf"o({X})[Vm]({X})(?![,&/]*{X})", _only_left),
    _compiled("X", rf"({X})V{N}?m,?({X}(?:,?/{X})+)", _only_left),
    _compiled("D", rf"Dg?(?P<d>{N})#{_A}&{_B}", _apart),
    _compiled("X", rf"({X})Vo?L,?({_OBJECT})", _only_left),
    _compiled("X", rf"({X})Vo?[Lm]f({X})", _only_left),
    _compiled("o", rf"of({X})V?({_OBJECT})", _only_left),
    _compiled("om", rf"o?m[Lo]?f({X})V({_OBJECT})", _only_left),
    _compiled("o", rf"o[mL]*V?({_LIST})V?L?(?=[.,;)]|$)", _left),
    _compiled("G", rf"G({X})V({_LIST})", _neither),
    _compiled("X", rf"(?P<what>{_LIST})[V]?G(?:f?(?P<whom>{_LIST}))?", _ruled_out),
    _compiled("G", rf"G(?P<what>{X})V?(?P<whom>{X})(?![V!m<>~#])", _ruled_out),
    _compiled("G", rf"G(?P<what>{_LIST})(?:f(?P<whom>{_LIST}))?", _ruled_out),
    _compiled("X", rf"({X})[Vm]?y({_LIST})", _neither),
    _compiled("yK", rf"[yK]({_LIST})[Vm]?({_OBJECT})", _neither),
    _compiled("gX", rf"g?({X})&({X}),?:?{_ONE}?g?V?({X}),?(?:&,?)?OV?({X})", _pair),
    _compiled("gX", rf"g?(?P<b>{X})&(?P<c>{X}),?{_ONE}?V?[<>](?P<a>{X}),?&O?V?[<>]", _between_sides),
    _compiled("X", rf"{_A}V?[<>]{_ONE}g?{_B}&(?P<c>{X}),?&[<>]O?", _between_sides),
    _compiled("X", rf"{_B}&(?P<c>{X})V?YV?(?P<a>{X})", _between_sides),
    _compiled("X", rf"{_A}V?{_B}1[&,]*(?P<c>{X})(?:2|O)?", _between_sides),
    _compiled("X", rf"{_A}(?P<v>[V!m]?)J?#{_B}(?:,?[&,]+)(?P<c>{X})", _between),
    _compiled("X", rf"{_B}&(?P<c>{X})[V]?#O?(?P<a>{X})", _between_sides),
    _compiled("VEAN", rf"V?(?P<d>[EA]?{N})V?#{_A}[&,]+{_B}", _gap),
    _compiled("X", rf"{_A}[&,]+{_B}[V]?(?P<d>[EA]?{N})V?#", _gap),
    _compiled("X", rf"{_A}(?P<v>[V!m]?)J?~{_B}", _next),
    _compiled("X", rf"{_A}[&,]+{_B}(?P<v>[V!m]?)J?~", _next),
    _compiled("X", rf"{_A}(?P<v>[V!m]?)(?P<how>(?:[EJ]|{N})*)[<>](?:/[EJ]?{N}?|/?)[<>]{_B}", _either_way),
    _compiled("X", rf"{_A}(?P<v>[V!m]?){_HOW}(?P<r>[<>]){_B}", _order),
    _compiled("X", rf"{X}&{X}V{_ONE}(?=[,.;)&]|$)", _one),
    _compiled("X", rf"{_A}[&,]+{_B}V?D?(?P<d>[EA]?{N})D?", _apart),
    _compiled("X", rf"{_A}V?(?P<d>[EA]?{N})D{_B}", _apart),
    _compiled("X", rf"{_A}V?(?P<d>E{N}){_B}", _apart),
    _compiled("f", rf"f({X}),?:?V?({_LIST})(?![V!m<>~#GLJD])", _only_left),
    _compiled("X", rf"{_A}[&,]+{_B}V?#Dg?(?P<d>[EA]?{N})", _apart),
    _compiled("D", rf"D#{_A}&{_B}V?(?P<d>[EA]?{N})", _apart),
    _compiled("X", rf"({_LIST})V?{N}?D", _different),
    _compiled("X", rf"{X}[&,]+{X}[V!]?{_ONE}?M", _one),
    _compiled("X", rf"{X}[V!]?M{X}", _one),
    _compiled("X", rf"{X}&{X}[V!](?=[,.;)&]|$)", _one),
    _compiled("VM", rf"V?M#{X}&{X}", _one),
    _compiled("r", rf"r[V]?({X}(?:[,&s]+{X})+)", _chain),
    _compiled("X", rf"({_LIST})V({_LIST})#", _share),
    _compiled("X", rf"({_LIST})([V!m])({_LIST})(?P<l>l?)", _plain),
    _compiled("X", rf"({X})()({_LIST})(?P<l>l?)", _plain),
    _compiled("X", rf"({_LIST})f({X})", _only_left),
    _compiled("X", rf"{X}(?:[,&/]+{X})+", _values),
)
_BY_START = {
    kind: [(pattern, handler) for starts, pattern, handler in _PATTERNS if kind in starts]
    for kind in sorted({*"".join([starts for starts, _, _ in _PATTERNS])})
}
