"""Views: a corpus as a table of arrays, read without its database."""

from foreart.corpus.views.hashes import hashed, main_group
from foreart.corpus.views.lookups import Lookups
from foreart.corpus.views.selected_rows import selected_rows
from foreart.corpus.views.view import ALONE, UNDATED, CorpusView
from foreart.corpus.views.view_columns import Coded, Inverted, Ragged
from foreart.corpus.views.view_file import FILE, damaged_columns, load_view, write_view
from foreart.corpus.views.view_links import Links
from foreart.corpus.views.view_reader import read_view

__all__ = [
    "ALONE",
    "FILE",
    "UNDATED",
    "Coded",
    "CorpusView",
    "Inverted",
    "Links",
    "Lookups",
    "Ragged",
    "damaged_columns",
    "hashed",
    "load_view",
    "main_group",
    "read_view",
    "selected_rows",
    "write_view",
]
