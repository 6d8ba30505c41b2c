"""Results, explanations and claim charts as files for other programs, and the reader of exported charts."""

__all__: list[str] = []
