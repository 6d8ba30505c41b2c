"""Results, reasons and claim charts as files for other programs, and charts read back."""

__all__: list[str] = []
