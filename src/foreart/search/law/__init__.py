"""What may count against a draft under the law of an office."""

__all__: list[str] = []
