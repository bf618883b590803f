"""The manual of an exported game: the pages of docs/ that are for players and modders, as HTML for any browser."""

import re
from pathlib import Path

from markdown_it import MarkdownIt

from tools.paths import ROOT

PAGES = ("keys", "settings", "modding", "isolation", "fidelity")
INDEX = "manual.html"
TITLE = "Token Factory: the manual"
ABOUT = "Start the game and press Play: the first level leads the way. F5 shows all keys."
STYLE = """
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #222; }
pre, code { font-family: ui-monospace, monospace; font-size: .9em; background: #f2f4f8; border-radius: 4px; }
pre { padding: .75rem; overflow-x: auto; } code { padding: 0 .2em; } pre code { padding: 0; }
table { border-collapse: collapse; } td, th { border: 1px solid #ccd; padding: .25rem .5rem; text-align: left; }
@media (prefers-color-scheme: dark) {
  body { background: #12161f; color: #dde; } pre, code { background: #1c2230; } td, th { border-color: #445; }
  a { color: #6cf; }
}
"""
_LINK = re.compile(r'href="([\w./-]+)\.md(#[\w-]*)?"')
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


def write(docs: Path) -> list[Path]:
    """Write the pages and their index into a folder; what was written."""
    docs.mkdir(parents=True, exist_ok=True)
    titles, written = {}, []
    for name in PAGES:
        source = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
        heading = _HEADING.search(source)
        titles[name] = heading.group(1) if heading else name
        written.append(_write(docs / f"{name}.html", titles[name], source))
    lines = [f"# {TITLE}", ABOUT, *(f"- [{title}]({name}.md)" for name, title in titles.items())]
    written.append(_write(docs / INDEX, TITLE, "\n\n".join(lines)))
    return written


def _write(path: Path, title: str, source: str) -> Path:
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(source)
    body = _LINK.sub(_to_html, body)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    path.write_text(f"<!DOCTYPE html>\n<html><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n")
    return path


def _to_html(link: re.Match[str]) -> str:
    """A link to another page of the manual; one to a page that is not in it stays a word without a target."""
    name = Path(link.group(1)).name
    return f'href="{name}.html{link.group(2) or ""}"' if name in PAGES else ""
