"""Hooks of mkdocs.yml: pages of the site that do not stand in docs/, and the links between all of them.

The gallery comes from out/site/gallery, where scripts/gallery.py has written it; pages elsewhere in the repository come under
repository/. A link to a file that is no page becomes its path. Python-Markdown wants a blank line before a list, GitHub does not.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "out/site/gallery"
ELSEWHERE = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "tests/README.md",
    "puzzlemill/core/README.md",
    *[path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("examples/*/README.md"))],
)
_FENCE = re.compile(r"^ *(```+|~~~+)")
_LINK = re.compile(r"(\[(?:[^][]|\[[^]]*\])*\])\(([^)\s#]+)(#[^)\s]*)?\)")
_ITEM = re.compile(r"^(?:[*-] |\d+\. )\S")


def on_config(config: Any) -> Any:
    """Fill the gallery's menu."""
    if not (GALLERY / "index.md").exists():
        raise SystemExit("out/site/gallery: missing; scripts/gallery.py writes it, `make site` does both")
    for section in config.nav:
        if "Gallery" in section:
            section["Gallery"] = ["gallery.md", *[f"gallery/{path.name}" for path in _gallery()]]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Bring in the pages that stand elsewhere, and the gallery."""
    for path in ELSEWHERE:
        files.append(File.generated(config, f"repository/{path}", abs_src_path=str(ROOT / path)))
    for found in [*_gallery(), *sorted(GALLERY.glob("*.svg"))]:
        files.append(File.generated(config, f"gallery/{found.name}", abs_src_path=str(found)))
    return files


def _gallery() -> list[Path]:
    """The pages of the gallery: one for each family."""
    return [path for path in sorted(GALLERY.glob("*.md")) if path.stem != "index"]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to where pages stand in the site, and set lists apart; fenced lines stay as they are."""
    here = page.file.src_uri
    stands = here.removeprefix("repository/") if here.startswith("repository/") else f"docs/{here}"
    lines, fenced = list[str](), False
    for line in markdown.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            if not here.startswith("gallery/"):
                line = _LINK.sub(lambda link: _led(link, here, stands), line)
            if _ITEM.match(line) and lines and lines[-1].strip() and not _within_list(lines):
                lines.append("")
        lines.append(line)
    if here == "gallery.md":
        lines.append((GALLERY / "index.md").read_text(encoding="utf-8"))
    return "\n".join(lines)


def _within_list(lines: list[str]) -> bool:
    """Whether the paragraph that these lines end with is part of a list."""
    for line in reversed(lines):
        if not line.strip():
            return False
        if _ITEM.match(line):
            return True
    return False


def _led(link: re.Match[str], here: str, stands: str) -> str:
    """The link from a page that stands in the repository at `stands` and in the site at `here`."""
    text, target, anchor = link[1], link[2], link[3] or ""
    if "://" in target or target.startswith("mailto:"):
        return link[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(stands), target))
    if path.startswith("docs/") and path.endswith(".md"):
        there = path.removeprefix("docs/")
    elif path in ELSEWHERE:
        there = f"repository/{path}"
    elif (ROOT / path).exists():
        bare = text[1:-1]
        return bare if bare.strip("`") == path else f"{bare} (`{path}`)"
    else:
        return link[0]  # which --strict names
    return f"{text}({posixpath.relpath(there, PurePosixPath(here).parent.as_posix() or '.')}{anchor})"
