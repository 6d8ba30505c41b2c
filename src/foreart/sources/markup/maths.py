"""Converts MathML formulas to one readable line."""

from __future__ import annotations

import re

from foreart.sources.markup.xml import Element

_OPERATORS = {"\u2062": "", "\u2061": "", "\u2063": ",", "\u2064": "+", "\u2212": "-"}
_INNER_SPACE = re.compile(r"(?<=[(\[{]) | (?=[)\]}])")


def formula(element: Element) -> str:
    """The formula as people type it: `x^2`, `a_i`, `(a + b)/(c)`, `sqrt(x)`.

    >>> from lxml import etree
    >>> formula(etree.fromstring("<math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math>"))
    'a/(b + 1)'
    """
    return _INNER_SPACE.sub("", " ".join(_line(element).split()))


def _name(element: Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2] if isinstance(tag, str) else ""


def _line(element: Element) -> str:
    name = _name(element)
    children = [child for child in element if isinstance(child.tag, str)]
    if not children:
        text = " ".join((element.text or "").split())
        text = "".join(_OPERATORS.get(char, char) for char in text)
        is_spaced = name == "mtext" or (name == "mo" and text not in "()[]{}|,.")
        return f" {text} " if text and is_spaced else text
    parts = [_line(child) for child in children]
    if name == "mfrac" and len(parts) == 2:
        return f" {_group(parts[0])}/{_group(parts[1])} "
    if name in ("msup", "mover") and len(parts) == 2:
        return f"{_base(parts[0])}^{_group(parts[1])}{_after(children[0])}"
    if name in ("msub", "munder") and len(parts) == 2:
        return f"{_base(parts[0])}_{_group(parts[1])}{_after(children[0])}"
    if name in ("msubsup", "munderover") and len(parts) == 3:
        return f"{_base(parts[0])}_{_group(parts[1])}^{_group(parts[2])}{_after(children[0])}"
    if name == "msqrt":
        return f"sqrt({''.join(parts)})"
    if name == "mroot" and len(parts) == 2:
        return f"root({parts[0]}, {parts[1]})"
    if name == "mfenced":
        return f"({', '.join(part.strip() for part in parts)})"
    if name in ("mtr", "mlabeledtr"):
        return " ".join(parts) + "; "
    if name == "semantics":
        return parts[0]
    return "".join(f"{part} " if _name(child) == "mtd" else part for part, child in zip(parts, children, strict=True))


def _base(text: str) -> str:
    """The base of a power or an index: a sum or a fraction gets brackets; `f(x)` and `(a + b)` already have them."""
    inner = text.strip()
    return _group(inner) if _has_operator(inner) else inner


def _has_operator(text: str) -> bool:
    """Whether a space or a slash is outside of all brackets; an unclosed bracket is an ordinary character."""
    stack: list[bool] = [False]  # for the text outside, and for each open bracket
    for char in text:
        if char in "([{":
            stack.append(False)
        elif char in ")]}" and len(stack) > 1:
            stack.pop()
        elif char in " /":
            stack[-1] = True
    return any(stack)


def _after(base: Element) -> str:
    """A space between an operator with limits and its operand."""
    return " " if _name(base) == "mo" else ""


def _group(text: str) -> str:
    inner = text.strip()
    return inner if inner.isalnum() or len(inner) == 1 else f"({inner})"
