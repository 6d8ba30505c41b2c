"""Results, explanations and claim charts as files for other programs, and the reader of exported charts and reports."""

__all__: list[str] = []
