"""What a patent and a draft are: the data, and what stands where in a text."""

__all__: list[str] = []
