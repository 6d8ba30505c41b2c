"""Formats without a real file: sample patents written after the schema come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from foreart.document.patent import Patent
from foreart.sources import scan
from schema_files import sample, schema_files

FILES = schema_files()


def read(name: str, folder: Path) -> list[Patent]:
    path = folder / "file"
    path.write_bytes(FILES[name])
    found = list(scan(path))
    assert all(isinstance(item, Patent) for item in found), found
    assert {item.origins[0].format for item in found} == {name}
    return found


@pytest.mark.parametrize("name", ["bigquery-json", "bigquery-csv", "lens-json", "paper-csv", "paper-sqlite"])
def test_full_texts_come_back(name: str, tmp_path: Path) -> None:
    for written, found in zip(sample(), read(name, tmp_path), strict=True):
        assert found.number.key == written.number.key.replace("XX", "US")
        assert (found.title, found.published) == (written.title, written.published)
        assert found.abstract == written.abstract
        assert [claim.depends_on for claim in found.claims] == [claim.depends_on for claim in written.claims]
        assert [" ".join(claim.text.split()) for claim in found.claims] == [
            " ".join(claim.text.split()) for claim in written.claims
        ]
        assert found.description_text.split() == written.description_text.split()
        assert [item.id[2:].rstrip("AB12") for item in found.citations] == [
            item.id[2:].rstrip("AB12") for item in written.citations
        ]


def test_hupd(tmp_path: Path) -> None:
    (found,) = read("hupd-json", tmp_path)
    written = sample()[0]
    assert (found.id, found.published, found.filed) == ("US20060123456A1", "2006-06-01", "2004-12-02")
    assert (found.title, found.abstract) == (written.title, written.abstract)
    assert len(found.claims) == len(written.claims)
    assert found.inventors == ("Ann Hall",)


def test_beir_and_patentsview(tmp_path: Path) -> None:
    for name in ("beir-jsonl", "patentsview-tsv"):
        found = read(name, tmp_path)
        assert [item.title for item in found] == [item.title for item in sample()]
        assert [item.number.key[2:] for item in found] == [item.number.key[2:] for item in sample()]
