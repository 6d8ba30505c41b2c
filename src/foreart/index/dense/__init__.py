"""Exact nearest-neighbour search of dense rows, accelerated by int8 codes."""

__all__: list[str] = []
