"""Normalises what sources spell in many ways: publication numbers, class symbols, dates, kind codes, names."""

__all__: list[str] = []
