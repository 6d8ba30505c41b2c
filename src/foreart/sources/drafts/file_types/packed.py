"""Parts of office files: members of a zip file, of bearable size, parsed without reaching outside."""

from __future__ import annotations

import zipfile
from typing import Any, TypeAlias

from lxml import etree

from foreart.errors import BadFile

Element: TypeAlias = Any  # lxml's elements carry no types that hold for every version

_LARGEST = 256 << 20


def member(archive: zipfile.ZipFile, part: str, name: str) -> bytes:
    """The bytes of one part of an office file."""
    if archive.getinfo(part).file_size > _LARGEST:
        raise BadFile(f"{name} unpacks to more than {_LARGEST >> 20} MB: remove its pictures")
    return archive.read(part)


def parsed(data: bytes) -> Element:
    """The root of an XML part; entities and the network stay closed."""
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
