"""Citations, mentions and classes of the documents of a view, as sparse matrices."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus.views import ALONE, CorpusView, Links


class CitationGraph:
    """Links between documents; each matrix is built when it is first needed.

    If no document has a citation (`from_texts`), the patents that texts name replace citations.
    """

    def __init__(self, view: CorpusView, *, from_texts: bool = False) -> None:
        self.view = view
        self.from_texts = from_texts or not len(view.cited.values)
        self.cited = view.named if self.from_texts else view.cited

    def __len__(self) -> int:
        return len(self.view)

    @property
    def links(self) -> Links:
        """Documents of the corpus that each document cites, and that cite it."""
        return self.view.lookups.mentions if self.from_texts else self.view.lookups.citations

    @cached_property
    def lists(self) -> csr_array:
        """Documents by the numbers they cite, inside the corpus or not."""
        return self.cited.incidence(len(self.view.numbers))

    @cached_property
    def listed_by(self) -> csr_array:
        """Numbers by the documents that cite them."""
        lookups = self.view.lookups
        return (lookups.naming if self.from_texts else lookups.citing).incidence(len(self))

    @cached_property
    def number_named_by(self) -> csr_array:
        """Numbers by the documents that name them in their text."""
        return self.view.lookups.naming.incidence(len(self))

    @cached_property
    def cites(self) -> csr_array:
        """Documents by the documents of the corpus that they cite."""
        return self.links.to.incidence(len(self))

    @cached_property
    def cited_by(self) -> csr_array:
        """Documents by the documents of the corpus that cite them."""
        return self.links.by.incidence(len(self))

    @cached_property
    def relevant(self) -> csr_array:
        """Documents by the earlier documents of the corpus that they cite, without their own families."""
        view, cites = self.view, self.cites
        rows, columns = np.repeat(np.arange(len(self)), np.diff(cites.indptr)), cites.indices
        related = (view.families[rows] == view.families[columns]) & (view.families[rows] != ALONE)
        kept = (view.days[columns] < view.days[rows]) & ~related
        starts = np.searchsorted(rows[kept], np.arange(len(self) + 1))
        return csr_array((np.ones(int(kept.sum()), np.float32), columns[kept], starts), shape=(len(self),) * 2)

    @cached_property
    def names(self) -> csr_array:
        """Documents by the documents of the corpus that they name in their text."""
        return self.view.lookups.mentions.to.incidence(len(self))

    @cached_property
    def named_by(self) -> csr_array:
        """Documents by the documents of the corpus that name them in their text."""
        return self.view.lookups.mentions.by.incidence(len(self))

    @cached_property
    def citing(self) -> np.ndarray:
        """A mask of the documents that cite anything, in the corpus or not."""
        mask: np.ndarray = np.diff(self.cited.starts) > 0
        return mask

    @property
    def typical_day(self) -> int:
        """The median day of dated documents, which those without a date count as."""
        return int(self.view.lookups.days.typical[0])

    @property
    def class_names(self) -> np.ndarray:
        """Hashes of the main groups."""
        return self.view.lookups.groups.hashes

    def classes_of(self, rows: np.ndarray) -> csr_array:
        """Some documents by main groups, weighted by idf, with rows of unit length."""
        groups = self.view.lookups.groups
        lists = groups.of_rows.take(rows)
        weights = np.log((1.0 + len(self)) / (1.0 + groups.counts))[lists.values].astype(np.float32)
        table = csr_array((weights, lists.values, lists.starts), shape=(len(rows), len(groups.hashes)))
        lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
        table.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(table.indptr)).astype(np.float32)
        return table
