"""The tables, figures and findings of the paper."""

__all__: list[str] = []
