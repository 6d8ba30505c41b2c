"""Commands that evaluate, label and reproduce the paper."""

__all__: list[str] = []
