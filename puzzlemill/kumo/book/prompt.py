"""The prompt of a task: the question, what can be done or was done, and the book between its two lines."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.errors import BadRow
from puzzlemill.core.words import NUMBERS
from puzzlemill.kumo.book.write import write_book
from puzzlemill.kumo.domain.domain import CHANCES, Domain

BEGIN, END = "=== The book begins ===", "=== The book ends ==="
_EDGES = frozenset({BEGIN.strip("= ").lower(), END.strip("= ").lower()})


def task_prompt(
    domain: Domain, count: int, seen: Sequence[str] | None, chances: bool, register: str, seed: int, long: bool
) -> str:
    """The prompt of a task of which `count` truths are right. seen: sentences about the outcomes, None for a dialogue.

    chances: outcomes do not come up alike. register, seed, long: of the book (write.py).
    """
    one, several, many = domain.truth, domain.truths_plural, domain.actions_plural
    names = f"these {len(domain.truths)} {several}"
    opening = f"{domain.question} Exactly one of {names} is right"
    if count > 1:
        opening = f"Find out which {several} are right. Exactly {NUMBERS[count]} of {names} are"
    parts = [f"{opening}: {', '.join(domain.truths)}."]
    if seen is not None:
        shown = "\n".join([f"- {sentence}" for sentence in seen])
        parts.append(f"These {many} were done, with these outcomes:\n{shown}")
    else:
        actions = "\n".join([f"- {action.name}: {action.does}" for action in domain.actions])
        parts.append(f"To find out, you can do each of these {many} once:\n{actions}")
        right = "the right one" if count == 1 else "a right one"
        rest = f"every {one} except the right one" if count == 1 else f"all {several} except the right ones"
        promise = f"The outcomes of all {len(domain.actions)} {many} together are sure to rule out {rest}"
        parts.append(
            f"Every {domain.action} shows one of its outcomes. {promise}, and none of them rules out {right}: this is promised. "
            + _prior(domain, chances)
        )
    book = write_book(domain, register, seed, long, several=count > 1).strip()
    parts.append(f"This book says what each outcome rules out.\n\n{BEGIN}\n\n{book}\n\n{END}")
    return "\n\n".join(parts)


def _prior(domain: Domain, chances: bool) -> str:
    """The likelihood of worlds, in words."""
    if not chances:
        return "Of all combinations of outcomes that keep this promise, each is as likely as any other."
    lines = []
    for action in domain.actions:
        outcomes = [f"{action.clause(s)} ({chance})" for s, chance in enumerate(action.chances)]
        lines.append(f"- {action.name}: {'; '.join(outcomes)}\n")
    return (
        f"Outcomes are not equally likely. By itself, each comes up this many times in {CHANCES}:\n{''.join(lines)}"
        "Of all combinations of outcomes that keep the promise, each is as likely as the product of its numbers says: one with "
        "product 12 is twice as likely as one with product 6."
    )


# ---- prompts with books of others


def book_in(prompt: str) -> str:
    """The book of a task's prompt. Raises BadRow for a text that does not hold one book between its two lines."""
    return _parted(prompt)[1].strip() + "\n"


def with_book(prompt: str, book: str) -> str:
    """The prompt of a task with this book in the place of its own, whatever that says (`audit_book` checks it).

    Raises BadRow for a prompt without a book, and for a book in which a line could be taken for the one that begins or ends it.
    """
    before, _, after = _parted(prompt)
    for line in book.splitlines():
        if line.strip(" =*_`#>-").lower() in _EDGES:
            raise BadRow(f"book: the line {line[:60]!r} reads as the edge of a book; leave it out")
    return f"{before}\n\n{book.strip()}\n\n{after}"


def _parted(prompt: str) -> tuple[str, str, str]:
    """A prompt up to the line that begins its book, the book, and the rest from the line that ends it."""
    begin, end = f"\n{BEGIN}\n", f"\n{END}"
    if not prompt.count(begin) == prompt.count(end) == 1 or prompt.index(begin) > prompt.index(end):
        raise BadRow(f"prompt: expected one book between {BEGIN!r} and {END!r}; use a kumo row of a release")
    start, stop = prompt.index(begin) + len(begin) - 1, prompt.index(end) + 1
    return prompt[:start], prompt[start:stop], prompt[stop:]
