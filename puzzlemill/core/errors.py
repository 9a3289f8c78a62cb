"""The errors of Puzzlemill.

PuzzlemillError
    BadInput            what the user handed over cannot be used       (exit code 2)
        BadParams       a recipe or parameter describes no puzzle
        BadRow          a stored row or puzzle text cannot be read
        BadFile         a file or folder is missing, corrupt or not writable
    Discarded           this attempt gave no usable puzzle             (normal: counted by reason)
    EnginesDisagree     two formulations proved different things       (our bug: the model is saved)

Replies never raise: an unreadable reply is a Verdict with solved=False and why="unreadable".
"""

from __future__ import annotations


class PuzzlemillError(Exception):
    """Base of every error this library raises on purpose."""


class BadInput(PuzzlemillError):
    """Something the user gave cannot be used; the text names the place and the remedy."""


class BadParams(BadInput):
    """A recipe or parameter describes no puzzle."""


class BadRow(BadInput):
    """A stored row or puzzle text cannot be read."""


class BadFile(BadInput):
    """A file or folder is missing, corrupt or not writable."""


class Discarded(PuzzlemillError):
    """This attempt produced nothing usable.

    reason: one lower-case word that the run counts by ("ambiguous", "budget", "duplicate").
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


class EnginesDisagree(PuzzlemillError):
    """Two formulations of one puzzle proved different things.

    findings: engine -> what it found; puzzle: the puzzle's JSON text, so that the case can be saved and replayed.
    saved: the file that holds both, "" if none does.
    """

    def __init__(self, findings: dict[str, str], puzzle: str, saved: str = "") -> None:
        super().__init__(findings, puzzle, saved)
        self.findings = findings
        self.puzzle = puzzle
        self.saved = saved

    def __str__(self) -> str:
        claims = ", ".join(f"{name} says {what}" for name, what in self.findings.items())
        return f"engines disagree: {claims}" + (f"; the case is saved in {self.saved}" if self.saved else "")
