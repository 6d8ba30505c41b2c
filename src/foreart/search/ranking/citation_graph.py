"""Citations, mentions and classes of the documents of a view, as sparse matrices."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus.views import ALONE, CorpusView, Ragged
from foreart.identifiers.date_spans import EARLIEST


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

    @cached_property
    def lists(self) -> csr_array:
        """Documents by the numbers they cite, inside the corpus or not."""
        return self.cited.incidence(len(self.view.numbers))

    @cached_property
    def listed_by(self) -> csr_array:
        """Numbers by the documents that cite them."""
        return csr_array(self.lists.T.tocsr())

    @cached_property
    def number_named_by(self) -> csr_array:
        """Numbers by the documents that name them in their text."""
        return csr_array(self.view.named.incidence(len(self.view.numbers)).T.tocsr())

    @cached_property
    def cites(self) -> csr_array:
        """Documents by the documents of the corpus that they cite."""
        return self._links(self.cited)

    @cached_property
    def cited_by(self) -> csr_array:
        """Documents by the documents of the corpus that cite them."""
        return csr_array(self.cites.T.tocsr())

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
        return self._links(self.view.named)

    @cached_property
    def named_by(self) -> csr_array:
        """Documents by the documents of the corpus that name them in their text."""
        return csr_array(self.names.T.tocsr())

    @cached_property
    def citing(self) -> np.ndarray:
        """A mask of the documents that cite anything, in the corpus or not."""
        mask: np.ndarray = np.diff(self.cited.starts) > 0
        return mask

    @cached_property
    def typical_day(self) -> int:
        """The median day of dated documents, which those without a date count as."""
        days = self.view.days[self.view.days != EARLIEST]
        return int(np.median(days)) if len(days) else 0

    @cached_property
    def class_table(self) -> tuple[np.ndarray, csr_array]:
        """Hashes of the main groups, and documents by main groups, weighted by idf, with rows of unit length."""
        classes = self.view.classes
        names, groups = np.unique(classes.hashes, return_inverse=True)
        pairs = np.unique(classes.rows.astype(np.int64) * max(1, len(names)) + groups[classes.codes])
        rows, columns = np.divmod(pairs, max(1, len(names)))
        weights = np.log((1.0 + len(self)) / (1.0 + np.bincount(columns, minlength=len(names))))
        table = csr_array(
            (weights[columns].astype(np.float32), columns, np.searchsorted(rows, np.arange(len(self) + 1))),
            shape=(len(self), len(names)),
        )
        lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
        table.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(table.indptr)).astype(np.float32)
        return names, table

    def _links(self, lists: Ragged) -> csr_array:
        """Documents by the documents whose numbers are listed, without themselves; several may have one number."""
        own = self.view.own
        order = np.argsort(own, kind="stable")
        # Offsets in that order of the documents of each number, and the end of the last.
        bounds = np.searchsorted(own[order], np.arange(len(self.view.numbers) + 1))
        first, last = bounds[lists.values], bounds[lists.values + 1]
        times = last - first
        starts = np.concatenate([[0], np.cumsum(times)])[lists.starts]
        offsets = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        columns = order[np.repeat(first, times) + offsets]
        rows = np.repeat(np.arange(len(self)), np.diff(starts))
        kept = columns != rows
        links = csr_array((np.ones(int(kept.sum()), np.float32), (rows[kept], columns[kept])), shape=(len(self),) * 2)
        links.sum_duplicates()
        links.data[:] = 1.0
        return links
