"""The experiments behind the paper's tables and figures, step by step."""

__all__: list[str] = []
