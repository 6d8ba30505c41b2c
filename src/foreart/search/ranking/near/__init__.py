"""The documents near a draft: how near they are, and what their citations say."""

__all__: list[str] = []
