"""How does the file of an attorney become a draft?"""

from foreart.sources.drafts.reading import read_draft

__all__ = ["read_draft"]
