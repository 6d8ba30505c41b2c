"""Skips tests whose optional library is not installed, and names the extra that brings it."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

EXTRAS = {
    "matplotlib": "plots",
    "pyarrow": "parquet",
    "openpyxl": "sheets",
    "gensim": "word2vec",
    "onnxruntime": "embedding",
    "tokenizers": "embedding",
    "fastapi": "server",
    "uvicorn": "server",
    "mcp_types": "mcp",  # tests/mcp would be found as `mcp`
    "typst": "pdf",
    "distributed": "cluster",
    "opensearchpy": "opensearch",
}


def reason(library: str) -> str:
    """Why a test is skipped: what to install."""
    return f"needs the extra {EXTRAS[library]}: pip install 'foreart[{EXTRAS[library]}]'"


def needs(library: str) -> pytest.MarkDecorator:
    """Skips a test without the library."""
    return pytest.mark.skipif(find_spec(library) is None, reason=reason(library))


def skip_without(message: str) -> None:
    """Skips a test that was told which extra is missing, if that is so."""
    for extra in re.findall(r"foreart\[(\w+)\]", message):
        for library, brought_by in EXTRAS.items():
            if brought_by == extra and find_spec(library) is None:
                pytest.skip(reason(library))


needs_tools = pytest.mark.skipif(
    any(find_spec(tool) is None for tool in ("ruff", "mypy", "importlinter")),
    reason="needs the tools of development: `make test` installs them",
)
