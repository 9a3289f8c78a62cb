"""Files that are one page for a browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from puzzlemill.core.errors import BadParams


def write_page(text: str, out: Path) -> None:
    """Write the page; an existing file is replaced only once the new one is whole."""
    aside = out.with_name(f".{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(text, encoding="utf-8")
        aside.replace(out)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise BadParams(f"--out: {out} cannot be written ({error.strerror})") from None
