"""Which family each patent belongs to, for those that share one with another."""

from __future__ import annotations

from foreart.corpus.corpus import Corpus


def family_of(corpus: Corpus) -> dict[str, str]:
    """The name of the family by id; patents that are alone are left out."""
    rows = corpus.connection.execute("SELECT id, family FROM family JOIN patent USING (serial) ORDER BY serial")
    return dict(rows.fetchall())
