"""Knowledge books: a domain's rules in words (docs/books.md). kumo/reading reads them.

write.py           writes a book in one of six registers: registers.py and wording.py, with sentences of registers.toml
                   (notes.py), and for a long book background.py, with paragraphs of lore.toml
prompt.py          the prompt of a task, with its book or with one of another author
counterfactual.py  moves the rules of a domain, so that a book about it contradicts the book of the domain that it comes from
"""

from puzzlemill.kumo.book.counterfactual import changed, counterfactual
from puzzlemill.kumo.book.write import LONG_WORDS, REGISTERS, write_book

__all__ = ["LONG_WORDS", "REGISTERS", "changed", "counterfactual", "write_book"]
