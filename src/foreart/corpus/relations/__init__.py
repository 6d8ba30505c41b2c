"""Which patents of a corpus belong together: families and citations."""

__all__: list[str] = []
