"""Recognises what the sentences of a chain say: premises, conclusions, clues that are named, suppositions.

A sentence is split where "so", "because", "if" and the like stand; clauses.py reads the claims of each piece.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from puzzlemill.chains.claims import NOTHING, Claim, negated, other, same, several
from puzzlemill.chains.clauses import Reader, items, tidied
from puzzlemill.chains.cut import CELLS, CODE, LONGEST, Sentence
from puzzlemill.chains.scene import Scene
from puzzlemill.chains.signs import ITEM, N, Signs, X, clue, item
from puzzlemill.rules.grids import Item, Statement

_ORDERS = ("before", "exactly", "apart", "at_least", "between")
_PARENS = re.compile(r"\(([^()]*)\)?")
_CANNOT = re.compile(r"(?<=[hR])!V*(?=[,.:;S]|$)")  # "that cannot be"
_LISTED = re.compile(rf"[^{X[1:-1]}.,;:CSB]*{X}H*:(?=(?:H*{X}H*[,;&]*)+[.,]?$)")  # "Ann: 2004, tea"
_QUOTED = re.compile(rf"q([^q]*{X}[^q]*)q,?([V!]*[tu])?")
_ARROW = re.compile("j")
_BACK = re.compile(rf"(?:^|[,.;:SB&w(])[^{X[1:-1]},.;:SB&w(]*Z(?!f?H*{X})")  # not "house 4 cannot hold the baker"
_LEAD = re.compile(rf"[^{X[1:-1]}]*Z(?!f?H*{X})")  # "that is a contradiction", before anything else
_COLON = re.compile(rf"(?:^|(?<=[,;&SB:Rk])){X}H*:(?=H*{X})")  # "house 3: the baker", within a sentence
_BECAUSE_OF = re.compile(rf"[BaF][^{X[1:-1]},.;:SB]*[\uf000-\uf1ff]+[^{X[1:-1]},.;:SB]*,")  # "because of clue 3,"
_ADVERB = re.compile(rf"((?:^|(?<=[,.;:BkRSUFs&])){X}H*)S(?=[V!mo])")  # "the baker therefore is"
_AS = re.compile(rf"((?<![{X[1:-1]}H])V{X}H*)a(?=H*{X}H*(?:[,.;S]|$))")  # "we have Ann as the baker"
_IF_CLUE = re.compile("F(?=[\uf000-\uf1ff]+k)")  # "if clue 3 says"
_THUS = re.compile(rf"({X}H*[V!m]+)S(?=H*[V!m]*H*{X})")  # "Ann is thus the baker"
_THEN = re.compile(rf"(?<=[V!m])s(?=H*[V!m]*H*{X})")  # "Ann is then the baker"
_FOR = re.compile(rf",f(?=H*{X}H*(?:&H*{X}H*)?(?:[V!m]+[^,.;:]*{X}|[V!]+M))")  # "..., for Ann is the baker"
_WITH = re.compile(rf"[QG]|H*{X}H*(?:&H*{X}H*)?[V!mG]")  # "with Ann being the baker", not "with 1948 for Ann"
_OPTIONS = re.compile(rf"(f{X}H*):(?=H*{X}H*[/,&])")  # "two choices for Ann: tea or milk"
_LEAVING = re.compile(rf",&?L(?=H*{X})")  # ", leaving house 3"
_NO_REASON = re.compile(r"(?<=[MVH<>~])a|a(?=[om])")  # "the same as", "works as"
_CITE = re.compile("[\uf000-\uf1ff]")
_SPLIT = re.compile(r"([SBwF;.:asU])")
_FULL = re.compile(rf"[^{X[1:-1]}F,&/hT]*[{X[1:-1]}hT][^,]*?[V!m<>~#LWf{X[1:-1]}]")
_ENDED = re.compile(rf"(?:[V!mfG<>~#JLYDM/{X[1:-1]}{N[1:-1]}]{X}|#{X}&{X}|[GLDM~q.V!]|{N}|\))$")  # not within a list of subjects
_NUMBER = re.compile(N)
_RECKONED = re.compile(rf"[{X[1:-1]}{N[1:-1]}]H*&?H*{N}|{N}H*&?H*[{X[1:-1]}{N[1:-1]}]")
_CLAIMED = re.compile(rf"{X}.*{X}")


@dataclass(slots=True)
class Said:
    """One sentence as it was recognised.

    cues: whether "so", "because" or the like stands in it. supposes: a supposition is made here; back: one is taken back.
    signs: of its text. elimination: "only ... is left". listed: it is a line "Ann: 2004, tea". understood: no claim was missed,
    as far as can be seen; a sentence that claims nothing is understood.
    """

    sentence: Sentence
    premises: list[Claim] = field(default_factory=list)
    conclusions: list[Claim] = field(default_factory=list)
    clues: tuple[int, ...] = ()
    cued: bool = False
    fronted: bool = False
    supposes: bool = False
    assumed: bool = False
    back: bool = False
    signs: str = ""
    elimination: bool = False
    listed: bool = False
    understood: bool = True


class Recogniser:
    """Recognises the sentences of the chains of one puzzle."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.signs = scene, Signs(scene)
        self.reader = Reader(scene.size, self._scale)
        self.columns: list[int | None] = []
        self.named: list[int] = []  # scales whose words the sentence has

    def sentences(self, sentences: Sequence[Sentence]) -> list[Said]:
        """What the sentences of a chain say, in order."""
        self.reader.context.subject = self.reader.context.target = ""
        self.columns = []
        known: dict[tuple[str, str], Said] = {}
        found = []
        for sentence in sentences:
            if sentence.kind == CELLS:
                found.append(self._cells(sentence))
                continue
            key = (sentence.text, self.reader.context.subject)
            if key not in known:  # a chain may repeat itself a thousand times
                known[key] = self._said(sentence)
            found.append(replace(known[key], sentence=sentence))
        return found

    def _scale(self, x: str, y: str) -> int:
        """The scale that two items are compared on: the only one, that of a clue of both, or one that words name."""
        scales = self.scene.size.scales
        if len(scales) < 2:
            return 0
        pair = {item(x), item(y)}
        clues = {claim.scale for claim in self.scene.clues.values() if pair <= set(claim.items) and claim.kind in _ORDERS}
        return clues.pop() if len(clues) == 1 else self.named[0] if self.named else 0

    # ---- text

    def _said(self, sentence: Sentence) -> Said:
        if sentence.kind == CODE:
            return Said(sentence)
        if len(sentence.text) > LONGEST:
            return Said(sentence, understood=False)
        self.named = self.signs.scales(sentence.text) if len(self.scene.size.scales) > 1 else []
        signs = _CANNOT.sub("Z", self._there(self.signs.encoded(sentence.text)))
        first = sentence.text[:5].casefold()
        if first.startswith("say "):
            signs = f"U{signs}"
        elif first == "once " or (first == "with " and _WITH.match(signs)):
            signs = f"B{signs}"
        signs = _OPTIONS.sub(r"\1V", signs)
        listed = _LISTED.match(signs) is not None
        if listed:
            signs = signs.replace(":", "V", 1)
        signs = _COLON.sub(lambda found: f"{found[0][:-1]}V", signs)
        said = Said(
            sentence, listed=listed, clues=tuple(dict.fromkeys([clue(sign) for sign in _CITE.findall(signs)])), signs=signs
        )
        signs = _ARROW.sub(self._arrow, signs)
        said.back = _BACK.search(signs) is not None
        said.cued = any(sign in signs for sign in "SB")
        lead = _LEAD.match(signs)
        signs = signs[lead.end() :] if lead else signs
        said.elimination = any(sign in signs for sign in "oLG")
        named = len(items(signs))
        if named < 2 and "K" not in signs and "Z" not in signs:
            return said
        loose = self._pieces(said, signs)
        said.understood = loose <= max(1, named // 4) and bool(said.premises or said.conclusions or loose < 2 or named < 3)
        return said

    def _arrow(self, found: re.Match[str]) -> str:
        """An arrow between two statements is a "so", one between two names a verb."""
        before = re.split("[,;.:SBU&+]", found.string[: found.start()])[-1]
        left, right = items(before), items(found.string[found.end() :])
        return "S" if len(left) > 1 and right and found.string.count("j") == 1 else "V"

    def _there(self, signs: str) -> str:
        """The signs with "there" as the place that was named last."""
        if "T" not in signs:
            return signs
        out, last = [], ""
        for sign in signs:
            if self.scene.place and ITEM <= ord(sign) < ITEM + 16:
                last = sign
            out.append(last if sign == "T" else sign)
        return "".join(out)

    def _pieces(self, said: Said, signs: str) -> int:
        """Fill in what a sentence claims; how many names are in no claim."""
        beside: list[str] = []

        def parens(match: re.Match[str]) -> str:
            inner, before = _CITE.sub("", match[1]), match.string[match.start() - 1 : match.start()]
            if len(items(inner)) == 1 and items(before) and not set(inner) & set("<>#~!/") and not _NUMBER.search(inner):
                beside.append(before + items(inner)[0])  # "Ann (2004)"
            elif _CLAIMED.search(inner):
                beside.append(inner)
            return ""

        if "(" in signs:
            signs = _PARENS.sub(parens, signs)
        if "q" in signs:
            signs = self._quoted(said, signs)
        if "r" in signs:  # "the order is A, then B"
            signs = signs.replace("s", "")
        signs = _BECAUSE_OF.sub("", signs)
        signs = _LEAVING.sub(",S", signs)
        signs = _THUS.sub(r"S\1", _THEN.sub("", signs))
        signs = _FOR.sub(",B", signs)
        signs = _AS.sub(r"\1V", signs)
        signs = _IF_CLUE.sub("B", signs)
        signs = self._adverbs(signs)
        signs = re.sub("[\uf000-\uf1ff][\uf000-\uf1ff,&]*(?:[Vk]+R?)?,?", "", signs)
        roles = _roles(_SPLIT.split(_NO_REASON.sub("", signs)), said)
        loose = 0
        antecedent: list[Claim] = []
        consequent: list[Claim] = []
        gone: list[tuple[str, list[Claim]]] = []
        for role, piece in roles:
            if role == "since":
                premise, rest = self._since(piece, joined=said.assumed and said.fronted)
                loose += self._into(premise, said.premises, gone)
                loose += self._into(rest, said.conclusions, gone)
                said.supposes = said.supposes and not rest
                continue
            if role == "if":
                condition, rest = self._since(piece)
                loose += self._into(condition, antecedent, gone)
                loose += self._into(rest, consequent, gone)
                continue
            to = {"premise": said.premises, "conclusion": said.conclusions, "then": consequent}[role]
            loose += self._into(piece, to, gone)
        for inner in beside:
            self._into(inner, said.premises, gone)
        if not antecedent:
            self._ruled_out(said, gone)
        if antecedent:
            self._conditional(said, antecedent, consequent, signs)
        return loose

    @staticmethod
    def _adverbs(signs: str) -> str:
        """The signs with "therefore" before its clause; without it, where other words say what follows from what."""
        bare = _ADVERB.sub(r"\1", signs)
        return bare if any(sign in bare for sign in "SBU") else _ADVERB.sub(r"S\1", signs)

    def _quoted(self, said: Said, signs: str) -> str:
        """Take out statements in quotes that are said to be true or false."""
        if not any(sign in signs for sign in "tu"):
            return signs
        ended = signs.rfind("S")

        def taken(match: re.Match[str]) -> str:
            claims = self.reader.read(match[1]).claims
            verdict = match[2] or signs[match.end() :].lstrip(",")[:2]
            if claims and verdict:
                whole = several("all", claims)
                whole = negated(whole) if ("u" in verdict) != ("!" in verdict) else whole
                (said.premises if match.start() < ended else said.conclusions).append(whole)
            return ""

        return _QUOTED.sub(taken, signs)

    def _into(self, piece: str, to: list[Claim], gone: list[tuple[str, list[Claim]]]) -> int:
        if not piece:
            return 0
        if _RECKONED.search(piece) and all(self._scaled(sign) for sign in items(piece)):
            return 0  # "27 + 10 = 37"
        found = self.reader.read(piece)
        to += found.claims
        if found.named == 1 and not found.claims and items(piece):
            self.reader.context.subject = items(piece)[0]
        if found.open:
            gone += [(what, to) for what in found.open]
        return found.loose

    def _scaled(self, sign: str) -> bool:
        return any(item(sign)[0] == category for category, _ in self.scene.size.scales)

    def _ruled_out(self, said: Said, gone: Sequence[tuple[str, list[Claim]]]) -> None:
        """What is ruled out without saying for what, is so for what the sentence concludes of."""
        if not gone:
            return
        target = next((claim.items for claim in said.conclusions if claim.items), ())
        for what, to in gone:
            found = [x for x in target if x[0] != item(what)[0]]
            if not found and self.reader.context.target and item(self.reader.context.target)[0] != item(what)[0]:
                found = [item(self.reader.context.target)]
            whom = [x for x in found if x[0] != 0] or found
            to += [other(x, item(what)) for x in whom[:1]]

    def _conditional(self, said: Said, antecedent: list[Claim], consequent: list[Claim], signs: str) -> None:
        """ "If A, then B, but that cannot be": the conclusion that A is false; else "if A, then B"."""
        condition = several("all", antecedent)
        refuted = "w" in signs or "Z" in signs or NOTHING in consequent
        if refuted:
            if not said.conclusions:
                said.conclusions.append(negated(condition))
        elif consequent:
            said.conclusions.append(Statement("if", parts=(condition, several("all", consequent))))
        elif not said.conclusions:
            said.supposes = True
            said.premises += antecedent
        said.cued = True

    def _since(self, piece: str, joined: bool = False) -> tuple[str, str]:
        """The premise and what follows it, of "since A, B". joined: of "so we assume A, and B" too."""
        piece = tidied(piece)
        commas = [k for k, sign in enumerate(piece) if sign == ","]
        closing = max([k for k in commas if piece[k + 1 : k + 2] == "&"], default=-1)
        able = []
        for k in commas:
            left, right = piece[:k], piece[k + 1 :]
            if joined and right[:1] == "&":
                right = right[1:]
            if (
                right[:1] in ("&", "/", "R", "n", "")
                or not _CLAIMED.search(left)
                or not _ENDED.search(left)
                or not _FULL.match(right)
            ):
                continue
            able.append(k)
        after = [k for k in able if k > closing]
        chosen = after[0] if after else able[0] if able else -1
        return (piece[:chosen], piece[chosen + 1 :].lstrip("&")) if chosen >= 0 else (piece, "")

    # ---- tables

    def _cells(self, sentence: Sentence) -> Said:
        """A line of a table: its first name goes with every other one; a header tells the columns."""
        said = Said(sentence)
        header = [self._column(cell) for cell in sentence.cells]
        if sum(column is not None for column in header) >= 2:
            self.columns = header
            return said
        found: list[Item] = []
        for k, cell in enumerate(sentence.cells):
            one = self._cell(cell, k, len(sentence.cells))
            if one is not None and one[0] not in [x[0] for x in found]:
                found.append(one)
        said.conclusions = [same(found[0], x) for x in found[1:]]
        return said

    def _column(self, cell: str) -> int | None:
        bare = cell.casefold().rstrip("s")
        return next((c for c, title in enumerate(self.scene.titles) if title.casefold().rstrip("s") == bare), None)

    def _cell(self, cell: str, k: int, many: int) -> Item | None:
        bare = cell.casefold()
        found = self.signs.cells.get(bare, [])
        if len(found) == 1:
            return found[0]
        column = self.columns[k] if k < len(self.columns) and len(self.columns) == many else None
        if column is None and many == self.scene.size.categories:
            column = k
        if len(found) > 1:
            return next((x for x in found if x[0] == column), None)
        named = dict.fromkeys([item(sign) for sign in items(self.signs.encoded(cell))]) if len(cell) < 60 else {}
        return next(iter(named)) if len(named) == 1 else None


def _roles(pieces: Sequence[str], said: Said) -> list[tuple[str, str]]:
    """Pieces of a sentence, each with the part that it plays."""
    found: list[tuple[str, str]] = []
    role = "plain"
    conditional = False
    would = any("W" in piece for piece in pieces)
    refuted = "w" in pieces or _BACK.search("".join(pieces)) is not None  # what is supposed, in the same sentence
    for k, piece in enumerate(pieces):
        if k % 2:
            if piece == "S" or piece == "s":
                if piece == "s" and not conditional and not said.assumed and any(_CLAIMED.search(text) for _, text in found):
                    continue
                if not found or not any(items(text) for _, text in found):
                    said.fronted = True
                role = "then" if conditional and not any(r == "then" for r, _ in found) else "conclusion"
                if piece == "S" or said.assumed:
                    found = [("premise" if r == "plain" else r, text) for r, text in found]
            elif piece in "Ba":
                role = "since" if not any(items(text) for _, text in found) or found[-1][1][-1] in ",&" else "premise"
            elif piece == "w":
                role = "premise" if conditional or would else role
            elif piece == "F":
                assumed = "U" in pieces and not refuted
                role, conditional = ("since", False) if assumed else ("if", True)
            elif piece == "U":
                conditional = conditional or refuted
                role, said.assumed = "if" if conditional else "since", True
            elif piece in ";.:" and not any(items(text) for _, text in found):
                role, conditional = ("plain", False) if not said.assumed else (role, conditional)
                if role == "plain":  # "that gives more: ..."
                    found = [pair for pair in found if "K" in pair[1]]
            elif piece in ";.:" and role in ("premise", "since", "if") and found and items(found[-1][1]):
                role = "plain" if not conditional else "then"
            continue
        if piece.strip(",&"):
            found.append((role, piece))
    if said.assumed and not conditional and not any(r == "conclusion" for r, _ in found):
        said.supposes = all(r == "since" for r, text in found if items(text))
    if any(r == "conclusion" for r, _ in found):
        return [("premise" if r in ("plain", "since") else r, text) for r, text in found]
    return [("conclusion" if r == "plain" else r, text) for r, text in found]
