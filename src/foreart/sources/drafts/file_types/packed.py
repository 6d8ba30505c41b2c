"""Parts of office files: members of a zip file with limited size, parsed without external access."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from lxml import etree

from foreart.errors import BadFile

Element: TypeAlias = Any  # lxml's elements carry no types that are right for every version

# What a damaged office file raises.
MALFORMED = (
    zipfile.BadZipFile, zlib.error, etree.LxmlError, OSError, EOFError, ValueError, LookupError, TypeError,
    AttributeError, NotImplementedError, RecursionError, RuntimeError,
)  # fmt: skip

# A document of 10,000 pages has 60 MB of markup, which compresses 10 to 40 times. What exceeds these limits was made to
# fill memory.
_MAX_BYTES = 128 << 20
_MAX_NODES = 4_000_000
_MAX_RATIO, _RATIO_FLOOR = 200, 4 << 20
# A draft of 1,000 pages has about 20,000 paragraphs, empty ones included.
MAX_PARAGRAPHS = 200_000


def member(archive: zipfile.ZipFile, part: str, name: str) -> bytes:
    """The bytes of one part of an office file."""
    check_size(archive.getinfo(part), name)
    return archive.read(part)


def check_size(part: zipfile.ZipInfo, name: str) -> None:
    """Refuses a part that is encrypted, or unpacks to more than a person could write."""
    if part.flag_bits & 1:
        raise BadFile(f"{name} is protected by a password: save it without one")
    if part.file_size > _MAX_BYTES:
        raise BadFile(f"{name} unpacks to more than {_MAX_BYTES >> 20} MB of text: give the document alone")
    if part.file_size > max(_RATIO_FLOOR, _MAX_RATIO * part.compress_size):
        raise BadFile(f"{name} unpacks to more than {_MAX_RATIO} times its size: save it again")


def parsed(data: bytes, name: str) -> Element:
    """The root of an XML part, with neither entities nor network."""
    # Each tag and attribute takes 100 to 200 bytes of memory.
    if data.count(b"<") // 2 + data.count(b"=") > _MAX_NODES:
        raise BadFile(f"{name} has more than {_MAX_NODES:,} tags and attributes: give the document alone")
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def walk(parent: Element, enters: Callable[[Element], bool]) -> Iterator[tuple[Element, bool]]:
    """Each descendant, and again with True when it is left; skips the inside of those that `enters` rejects.

    Without recursion: hostile files are deeply nested.
    """
    stack: list[tuple[Element, Iterator[Element]]] = [(parent, iter(parent))]
    while stack:
        element, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            if stack:
                yield element, True
        else:
            yield child, False
            stack.append((child, iter(child) if enters(child) else iter(())))
