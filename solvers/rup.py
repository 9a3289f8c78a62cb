"""A checker of refutations: clauses in DIMACS, a proof in DRAT's text form, nothing of the solver that wrote it.

Forward: every line of the proof must follow from the clauses before it by *reverse unit propagation* (RUP: setting all of its
literals to false and then what is forced ends in a contradiction), until a line is the empty clause. What stands after it is not
read. Plain RUP only: a step that needs DRAT's stronger rule (RAT) is refused.

Deletions ("d ... 0") take a clause out, except one that forces a literal without any assumption: that literal stays set, as
`drat-trim` has it. Taking clauses out never makes a wrong step right, so this is safe in either reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from puzzlemill.core.errors import BadFile

MAX_BYTES = 1 << 28  # of one file; the clauses of a 16x16 sudoku take 2 MB
MAX_LINE = 1 << 20
MAX_VARIABLE = 1 << 24
_CLAUSE = re.compile(rb"(?:-?[1-9][0-9]{0,7}[ \t]+)*0")
_HEADER = re.compile(rb"p[ \t]+cnf[ \t]+([0-9]{1,8})[ \t]+([0-9]{1,9})")

Clause = list[int]


def check(top: int, clauses: Iterable[Clause], proof: Iterable[tuple[bool, Clause]]) -> str:
    """Say what is wrong with a proof that these clauses over variables 1..top cannot all hold; "" if nothing is.

    proof: for each line, whether it is a deletion, and its literals.
    """
    state = _Clauses(top)
    for clause in clauses:
        state.add(clause)
    for number, (deletion, clause) in enumerate(proof, 1):
        if any(not 0 < abs(lit) <= top for lit in clause):
            return f"line {number}: names a variable that the clauses do not have"
        if deletion:
            if not state.delete(clause):
                return f"line {number}: takes out a clause that is not there"
            continue
        if not state.follows(clause):
            return f"line {number}: does not follow by unit propagation"
        if not clause:
            return ""
        state.add(clause)
    return "it does not end in the empty clause"


class _Clauses:
    """Clauses under two watched literals.

    values[lit]: 1 true, -1 false, 0 open; watches[lit]: clauses that look out for lit becoming false, at their first two places.
    Both lists are indexed by literals; negative ones count from the end. A clause that was taken out is empty.
    """

    def __init__(self, top: int) -> None:
        self.values = [0] * (2 * top + 1)
        self.watches: list[list[Clause]] = [[] for _ in range(2 * top + 1)]
        self.trail: list[int] = []  # what is true, in the order in which it was set
        self.refuted = False  # propagation without any assumption ends in a contradiction
        self.stored: list[Clause] = []
        self.places: dict[tuple[int, ...], list[Clause]] | None = None  # made at the first deletion
        self.reasons: set[int] = set()  # identities of clauses that force a literal without any assumption

    def add(self, clause: Clause) -> None:
        """Take a clause as given, and set for good what it forces."""
        values = self.values
        lits = sorted(set(clause), key=lambda lit: (values[lit] == -1, lit))  # what is not false first
        self.stored.append(lits)
        if self.places is not None:
            self.places.setdefault(tuple(sorted(lits)), []).append(lits)
        if self.refuted:
            return
        if not lits or values[lits[0]] == -1:
            self.refuted = True
            return
        if len(lits) > 1:
            self.watches[lits[0]].append(lits)
            self.watches[lits[1]].append(lits)
        if values[lits[0]] == 0 and (len(lits) == 1 or values[lits[1]] == -1):
            self.reasons.add(id(lits))
            values[lits[0]], values[-lits[0]] = 1, -1
            self.trail.append(lits[0])
            self.refuted = self._propagate(len(self.trail) - 1, self.reasons)

    def delete(self, clause: Clause) -> bool:
        """Take one such clause out; False if there is none."""
        if self.places is None:
            self.places = {}
            for stored in self.stored:
                self.places.setdefault(tuple(sorted(stored)), []).append(stored)
        found = self.places.get(tuple(sorted(set(clause))))
        if not found:
            return False
        for i, stored in enumerate(found):
            if id(stored) not in self.reasons:
                found.pop(i).clear()
                break
        return True

    def follows(self, clause: Clause) -> bool:
        """Return whether the clause follows by unit propagation; nothing is changed for good."""
        if self.refuted:
            return True
        values, trail = self.values, self.trail
        before = len(trail)
        contradiction = False
        for lit in clause:
            if values[lit] == 1:
                contradiction = True
                break
            if values[lit] == 0:
                values[lit], values[-lit] = -1, 1
                trail.append(-lit)
        contradiction = contradiction or self._propagate(before, None)
        for lit in trail[before:]:
            values[lit] = values[-lit] = 0
        del trail[before:]
        return contradiction

    def _propagate(self, head: int, reasons: set[int] | None) -> bool:
        """Set what is forced by the trail from `head` on; True if that is a contradiction. reasons: where to note who forced."""
        values, trail, watches = self.values, self.trail, self.watches
        while head < len(trail):
            falsified = -trail[head]
            head += 1
            watching = watches[falsified]
            kept = 0
            for place, clause in enumerate(watching):
                if not clause:
                    continue
                if clause[0] == falsified:
                    clause[0], clause[1] = clause[1], falsified
                first = clause[0]
                if values[first] != 1:
                    for k in range(2, len(clause)):
                        lit = clause[k]
                        if values[lit] != -1:
                            clause[1], clause[k] = lit, falsified
                            watches[lit].append(clause)
                            break
                    else:
                        if values[first] == -1:
                            watching[kept:place] = []  # the clauses from here on stay as they are
                            return True
                        values[first], values[-first] = 1, -1
                        trail.append(first)
                        if reasons is not None:
                            reasons.add(id(clause))
                        watching[kept] = clause
                        kept += 1
                    continue
                watching[kept] = clause
                kept += 1
            del watching[kept:]
        return False


# ---- files ------------------------------------------------------------------------------------------------------------


def check_files(cnf: Path, proof: Path) -> str:
    """Say what is wrong with a proof in one file that the clauses in another cannot all hold; "" if nothing is.

    Raises BadFile if one of them cannot be read, or is not in the text form of DIMACS or DRAT.
    """
    top, clauses = read_cnf(cnf)
    return check(top, clauses, read_proof(proof))


def read_cnf(path: Path) -> tuple[int, list[Clause]]:
    """The number of variables and the clauses of a DIMACS file, one clause per line. Raises BadFile, naming the line."""
    top = -1
    promised = 0
    clauses: list[Clause] = []
    for number, line in _lines(path):
        if top < 0:
            header = _HEADER.fullmatch(line)
            if header is None and not line.startswith(b"c"):
                raise BadFile(f"{path}:{number}: expected a comment or `p cnf VARIABLES CLAUSES`")
            if header is not None:
                top, promised = int(header[1]), int(header[2])
                if top > MAX_VARIABLE:
                    raise BadFile(f"{path}:{number}: {top} variables; at most {MAX_VARIABLE} are read")
        elif not line.startswith(b"c"):
            clause = _clause(line, path, number)
            if any(abs(lit) > top for lit in clause):
                raise BadFile(f"{path}:{number}: names a variable above the {top} of the header")
            clauses.append(clause)
    if top < 0:
        raise BadFile(f"{path}: not a DIMACS file: no line `p cnf VARIABLES CLAUSES`")
    if len(clauses) != promised:
        raise BadFile(f"{path}: the header promises {promised} clauses, there are {len(clauses)}")
    return top, clauses


def read_proof(path: Path) -> Iterator[tuple[bool, Clause]]:
    """The lines of a DRAT proof in text form: whether it is a deletion, and its literals. Raises BadFile, naming the line."""
    for number, line in _lines(path):
        deletion = line.startswith(b"d ")
        yield deletion, _clause(line[2:] if deletion else line, path, number)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            left = MAX_BYTES
            number = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                left -= len(line)
                if len(line) > MAX_LINE or left < 0:
                    raise BadFile(
                        f"{path}:{number}: too long; at most {MAX_LINE} bytes in a line and {MAX_BYTES} in all are read"
                    )
                yield number, line.strip(b" \t\r\n")
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror or error})") from None


def _clause(line: bytes, path: Path, number: int) -> Clause:
    if not _CLAUSE.fullmatch(line):
        shown = line[:40].decode("ascii", "backslashreplace")
        raise BadFile(f"{path}:{number}: expected literals and a 0 at the end, in text form, got {shown!r}")
    return [int(token) for token in line.split()[:-1]]
