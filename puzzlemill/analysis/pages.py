"""Files that are one page for a browser: no server, no script, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path

from puzzlemill.core.errors import BadParams


def write_page(content: str, out: Path, option: str = "--out") -> None:
    """Write the page; an existing file is replaced only once the new one is whole. option: what named the file, for the error."""
    if not out.name:
        raise BadParams(f"{option}: names no file; write {option} FILE")
    aside = out.with_name(f".{out.name}.part")
    try:
        if out.exists() and not out.is_file() and not out.is_dir():  # a device is not to be replaced by a file
            raise OSError(0, "it is no file")
        out.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(content, encoding="utf-8")
        aside.replace(out)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise BadParams(f"{option}: {out} cannot be written ({error.strerror})") from None


def html_page(title: str, head: str, notes: Iterable[str], sections: Sequence[tuple[str, str, str]]) -> str:
    """A page of sections (title, introduction, HTML). head and notes stand before them; all but `title` is HTML."""
    links = " ".join(f'<a href="#s{i}">{name}</a>' for i, (name, _, _) in enumerate(sections))
    body = "".join(
        f'<section id="s{i}"><h2>{name}</h2>{f"<p>{intro}</p>" if intro else ""}{content}</section>'
        for i, (name, intro, content) in enumerate(sections)
    )
    return _PAGE.format(
        title=text(title),
        style=_STYLE,
        links=links,
        head=head,
        notes="".join(f'<p class="note">{note}</p>' for note in notes),
        body=body,
    )


_HIDDEN = dict.fromkeys([*range(32), 127, *range(128, 160), *range(8234, 8239), *range(8294, 8298)], "�")
del _HIDDEN[9], _HIDDEN[10]


def text(content: object) -> str:
    """Escaped, without control characters, marks that turn text round, and lone surrogates."""
    plain = str(content).encode("utf-8", "replace").decode().translate(_HIDDEN)
    return escape(plain, quote=True)


def table(heads: Sequence[str], body: Iterable[Sequence[str]], classes: str = "") -> str:
    """heads and cells are HTML; a cell that is no <td> is made one."""
    lines = []
    for cells in body:
        made = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)
        lines.append(f"<tr>{made}</tr>")
    if not lines:
        return '<p class="none">nothing to tell</p>'
    head = "".join(f"<th>{cell}</th>" for cell in heads)
    return (
        f'<div class="wide"><table class="{classes}"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def number(value: object) -> str:
    return f'<td class="n">{text(value)}</td>'


_STYLE = """
:root{color-scheme:light;font-family:system-ui,sans-serif;line-height:1.4}
body{margin:0 auto;max-width:1500px;padding:0 1rem 4rem;background:#f4f5f7;color:#1b1f24}
header{position:sticky;top:0;background:#f4f5f7;padding:.6rem 0;border-bottom:1px solid #ccd;z-index:1}
h1{font-size:1.3rem;margin:0 0 .3rem}h2{font-size:1.15rem;margin:0 0 .2rem}h3{font-size:1rem;margin:.8rem 0 .3rem}
h4{font-size:.85rem;margin:.6rem 0 .2rem;color:#556}section p{margin:.1rem 0 .5rem;color:#556;font-size:.9rem}
nav a{margin-right:.9rem;font-size:.9rem}a{color:#2b5ea8}
section,.head{background:#fff;border:1px solid #dde;border-radius:6px;padding:.8rem 1rem;margin:1rem 0;scroll-margin-top:5rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem}
th{text-align:left;font-weight:600;color:#445;padding:.25rem .7rem;border-bottom:2px solid #dde;vertical-align:bottom}
td{padding:.22rem .7rem;border-bottom:1px solid #eef;vertical-align:middle}td.n{text-align:right;white-space:nowrap}
.m{display:inline-block;min-width:7rem;max-width:16rem;overflow-wrap:anywhere}
.plain th{white-space:nowrap;padding:.25rem .5rem}.plain td{padding:.22rem .5rem}
td.in{padding-left:1.7rem;color:#445}td.none,p.none{color:#889}
.figures td svg{vertical-align:middle;margin-right:.5rem}.figures td{white-space:nowrap;
padding:.22rem .5rem}.figures th{padding:.25rem .5rem}.figures td.in{padding-left:1.7rem}
small{color:#667;font-weight:400}i{display:inline-block;width:.7rem;height:.7rem;border-radius:50%;margin-right:.35rem}
.note{background:#fff6e0;border:1px solid #ecd9a6;border-radius:6px;padding:.5rem .8rem;margin:.6rem 0}
pre{white-space:pre-wrap;background:#f7f8fa;padding:.6rem;overflow-wrap:anywhere;margin:0;max-height:26rem;overflow-y:auto}
details.row{border:1px solid #e4e7ee;border-radius:6px;padding:.4rem .8rem;margin:.4rem 0;font-size:.9rem;}
h4{scroll-margin-top:8rem}summary{cursor:pointer}h4:target{color:#2b6cb0}ul{margin:.2rem 0}
@media(max-width:700px){header{position:static}body{padding:0 .5rem 2rem}section,.head{padding:.6rem}
.figures td svg{display:block}.m{max-width:9rem}td.in,.figures td.in{padding-left:1rem}}
@media(prefers-color-scheme:dark){:root{color-scheme:dark}body,header{background:#14171c;color:#dfe3ea}
section,.head{background:#1c2027;border-color:#343a45}h4,section p,th,td.in,small{color:#aab3c2}th,td,header{border-color:#343a45}
a,h4:target{color:#8ab4f0}svg{filter:brightness(1.4)}pre{background:#14171c}details.row{border-color:#343a45}.note{background:#3a3320;border-color:#6b5c2c}}
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1><nav>{links}</nav></header>
<div class="head">{head}</div>
{notes}
<main>
{body}
</main>
</body>
</html>
"""
