"""robots.txt by RFC 9309: groups, longest match, `*` and `$`, crawl delay.

Python's own robotparser knows neither the wildcards nor the longest match, both of which the sites use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

# The RFC requires at least 500 KiB.
SIZE = 512 << 10
_LINE = re.compile(r"^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*$")
_SAFE = "/?&=*$:@!,;+~'()"


@dataclass(frozen=True, slots=True)
class Rule:
    """Whether paths with this prefix are allowed."""

    path: str
    allow: bool


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules that apply to this crawler, and the seconds between requests."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0

    def allows(self, url: str) -> bool:
        """Whether a URL may be fetched: the longest matching rule decides, and `allow` among equal ones."""
        parts = urlsplit(url)
        path = _spelled((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        matching = [rule for rule in self.rules if _matches(rule.path, path)]
        if path == "/robots.txt" or not matching:
            return True
        return max(matching, key=lambda rule: (len(rule.path), rule.allow)).allow


EVERYTHING = Robots()
NOTHING = Robots((Rule("/", allow=False),))


def parse_robots(text: str, agent: str) -> Robots:
    """The rules of the groups for this agent, else of those for `*`."""
    own, everybody = _Group(), _Group()
    current: list[_Group] = []
    naming = False
    for line in text.splitlines():
        match = _LINE.match(line.partition("#")[0])
        if not match:
            continue
        key, value = match[1].lower(), match[2]
        if key == "user-agent":
            current = current if naming else []
            if value == "*":
                current.append(everybody)
            elif value.partition("/")[0].strip().lower() == agent.lower():
                current.append(own)
                own.named = True
            naming = True
        elif key in ("allow", "disallow", "crawl-delay"):
            naming = False
            for group in current:
                group.add(key, value)
    return own.robots() if own.named else everybody.robots()


class _Group:
    def __init__(self) -> None:
        self.named = False
        self._rules: list[Rule] = []
        self._delay = 0.0

    def add(self, key: str, value: str) -> None:
        if key == "crawl-delay":
            if re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", value):
                self._delay = max(self._delay, float(value))
        elif value:  # an empty Disallow forbids nothing
            self._rules.append(Rule(_spelled(value), key == "allow"))

    def robots(self) -> Robots:
        return Robots(tuple(self._rules), self._delay)


def _spelled(path: str) -> str:
    """A path with normalised percent-encoding."""
    return quote(unquote(path), safe=_SAFE)


def _matches(pattern: str, path: str) -> bool:
    """Matches the parts between the wildcards one by one, in linear time."""
    ends = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for place, piece in enumerate(rest):
        if ends and place == len(rest) - 1:
            return len(path) - len(piece) >= at and path.endswith(piece)
        position = path.find(piece, at)
        if position < 0:
            return False
        at = position + len(piece)
    return not ends or at == len(path)
