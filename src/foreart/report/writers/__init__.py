"""Which file has a search report: one writer for each file type, and the table of all forms?"""

__all__: list[str] = []
