"""The paragraphs of a draft in each file type."""

__all__: list[str] = []
