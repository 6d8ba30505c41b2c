"""Relations between patents of a corpus: families and citations."""

__all__: list[str] = []
