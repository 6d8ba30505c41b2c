"""Patents and drafts as data, and the parts of their texts: claims, sections, figures, mentions."""

__all__: list[str] = []
