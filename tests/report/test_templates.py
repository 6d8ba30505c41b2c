"""The rules of all templates: everything is escaped, nothing is loaded, nothing undefined is printed."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from foreart.report.pages.templating import BarPiece, Verbatim, environment, pieces, render, trusted_svg, verbatim
from foreart.report.wording import percent, signed, whole_percent

TEMPLATES = sorted(
    (path for path in resources.files("foreart.report").joinpath("templates").iterdir()), key=lambda path: path.name
)


def rendered(source: str, **view: object) -> str:
    return environment().from_string(source).render(view)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_compiles_and_turns_nothing_off(path: resources.abc.Traversable) -> None:
    source = path.read_text("utf-8")
    environment().get_template(path.name)
    assert not re.search(r"\|\s*safe\b|autoescape|\bMarkup\b", source)
    assert not re.search(r"https?:|//|@import|url\(|javascript:|\son\w+=", source.replace("</", ""))
    assert not re.search(r'\sstyle="', source), "the policy of a server forbids inline styles"


def test_a_page_with_a_script_names_it_by_its_hash() -> None:
    assert "<script" not in "".join(path.read_text("utf-8") for path in TEMPLATES if path.name != "chart.html")
    assert rendered("{{ 'alert(1)'|csp_hash }}") == "bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI="


def test_every_value_is_escaped_and_control_characters_are_taken_out() -> None:
    hostile = '<script>"x"</script>\x1b[31m\u202e\ud800&'
    assert rendered("{{ x }}", x=hostile) == "&lt;script&gt;&#34;x&#34;&lt;/script&gt; [31m  &amp;"
    assert rendered('<p title="{{ x }}">', x='" onclick="a') == '<p title="&#34; onclick=&#34;a">'
    assert rendered("{{ [x, 'b']|join(', ') }}", x="<a>\x00") == "&lt;a&gt; , b"

    class Named:
        def __str__(self) -> str:
            return hostile

    assert rendered("{{ x }}", x=Named()) == rendered("{{ x }}", x=hostile)
    assert rendered("{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}{{ m(x) }}", x="<i>") == "<b>&lt;i&gt;</b>"
    assert rendered("{{ x }}", x="{{ 7 * 7 }}") == "{{ 7 * 7 }}"


def test_verbatim_text_keeps_what_html_can_hold() -> None:
    assert rendered("{{ x|verbatim }}", x="a\u00ad\u202e<b>\x00") == "a\u00ad\u202e&lt;b&gt;\ufffd"
    assert isinstance(verbatim("a"), Verbatim)
    assert rendered("{{ x }}", x=trusted_svg("<svg/>")) == "<svg/>"
    assert isinstance(trusted_svg("<svg/>"), Markup)


def test_a_name_that_is_not_there_is_an_error() -> None:
    for source in (
        "{{ missing }}",
        "{% if missing %}{% endif %}",
        "{{ x.missing }}",
        "{% for a in missing %}{% endfor %}",
    ):
        with pytest.raises(UndefinedError):
            rendered(source, x=BarPiece("c-text", 0.0, 1.0))
    with pytest.raises(UndefinedError):
        render("search.html")


def test_pieces_of_a_bar_lie_side_by_side() -> None:
    found = pieces([("c-text", 3.0), ("c-claims", 1.0)], 4.0, 0.5)
    assert found == (BarPiece("c-text", 0.0, 37.5), BarPiece("c-claims", 37.5, 12.5))


def test_figures_are_printed_alike_everywhere() -> None:
    assert [percent(share) for share in (0.0, 0.031, 0.1, 0.574, 1.0)] == ["0 %", "3.1 %", "10 %", "57 %", "100 %"]
    assert [whole_percent(share) for share in (0.0, 0.004, 0.031, 0.574)] == ["0 %", "< 1 %", "3 %", "57 %"]
    assert [signed(value) for value in (0.0, 0.05, -0.5, 12.3456)] == ["0", "+0.050", "\u22120.50", "+12.35"]
    assert signed(0.05, 3) == "+0.0500"
