"""The pages of the codes, as they are shipped with the package or lie in `docs/diagnostics` of a checkout."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from lpcl.diagnostics.codes import CODES

_SHIPPED = Path(__file__).resolve().parent / "pages"
_CHECKOUT = Path(__file__).resolve().parents[2] / "docs" / "diagnostics"


def page(code: str) -> str | None:
    """The page of a code, or None where there is no such code."""
    if code not in CODES:
        return None
    for folder in (_SHIPPED, _CHECKOUT):
        path = folder / f"{code}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    known = CODES[code]
    return f"# {code}\n\n{known.summary[0].upper()}{known.summary[1:]}.\n"


def suggestion(code: str) -> str | None:
    """The code that was probably meant."""
    close = get_close_matches(code, CODES, n=1)
    return close[0] if close else None


def known_codes() -> str:
    """All codes by family, one a line."""
    width = max(map(len, CODES))
    lines: list[str] = []
    for family in dict.fromkeys(code.family for code in CODES.values()):
        lines.append(f"{family}:")
        lines += [
            f"  {code.name:<{width}}  {code.summary}" for code in CODES.values() if code.family == family
        ]
    return "\n".join(lines)
