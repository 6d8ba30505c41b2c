"""Dense rows in order of similarity, exact through int8 codes."""

__all__: list[str] = []
