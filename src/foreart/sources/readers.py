"""The table of readers, in the order in which they are tried."""

from __future__ import annotations

from foreart.sources.formats import (
    beir,
    bigquery,
    ep_fulltext,
    epo_ops,
    evangelist_markdown,
    google_html,
    google_markdown,
    hupd,
    lens,
    lens_csv,
    marec,
    own_jsonl,
    pap2pat,
    paper_data,
    patent_client,
    patentsview,
    patsnap,
    pqai,
    thinkstruct,
    uspto_aps,
    uspto_brs,
    uspto_ppubs,
    uspto_v1,
    uspto_v2,
    uspto_v4,
    uspto_xml4ip,
)
from foreart.sources.reader import Reader

READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        uspto_v4.READER,
        uspto_v2.READER,
        uspto_v1.READER,
        uspto_xml4ip.READER,
        uspto_aps.READER,
        uspto_brs.READER,
        uspto_ppubs.READER,
        ep_fulltext.READER,
        epo_ops.XML_READER,
        epo_ops.JSON_READER,
        patent_client.READER,
        marec.READER,
        patsnap.READER,
        google_html.READER,
        google_markdown.READER,
        evangelist_markdown.READER,
        bigquery.JSON_READER,
        bigquery.CSV_READER,
        bigquery.PARQUET_READER,
        lens.READER,
        lens_csv.READER,
        pqai.READER,
        pap2pat.READER,
        thinkstruct.READER,
        hupd.READER,
        beir.READER,
        patentsview.READER,
        paper_data.CSV_READER,
        paper_data.SQLITE_READER,
        own_jsonl.READER,
    )
}


def recognise(head: bytes, name: str) -> Reader | None:
    """The reader for a file that starts with these bytes."""
    return next((reader for reader in READERS.values() if reader.sniff(head, name)), None)
