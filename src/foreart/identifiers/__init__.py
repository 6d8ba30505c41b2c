"""One spelling for what sources spell in many ways: numbers, class symbols, dates, kind codes."""

__all__: list[str] = []
