"""Names in a page are broken behind their dots: never within a word as long as there is such a place."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from lpcl.compose.render.markup import element


@pytest.mark.parametrize(
    ("tag", "text", "written"),
    [
        ("strong", "workers of multiprocessing.pool", "workers of multiprocessing.<wbr>pool"),
        ("td", "a.b and sklearn.hist_boosting.fit", "a.b and sklearn.<wbr>hist_boosting.<wbr>fit"),
        ("p", "4.5 times, 1.25x. Then nothing", "4.5 times, 1.25x. Then nothing"),
        ("pre", "multiprocessing.pool", "multiprocessing.pool"),
        ("style", "main.pool { }", "main.pool { }"),
    ],
)
def test_where_a_name_may_be_broken(tag: str, text: str, written: str) -> None:
    made = ElementTree.tostring(element(tag, text), encoding="unicode", method="html")
    assert made == f"<{tag}>{written}</{tag}>"


def test_text_on_both_sides_of_an_element() -> None:
    made = element("p", "before library.operation ", element("b", "x"), " behind library.operation")
    assert ElementTree.tostring(made, encoding="unicode", method="html") == (
        "<p>before library.<wbr>operation <b>x</b> behind library.<wbr>operation</p>"
    )
