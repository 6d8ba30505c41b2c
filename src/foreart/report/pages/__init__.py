"""HTML pages, each one self-contained file, rendered from `report/templates`."""

__all__: list[str] = []
