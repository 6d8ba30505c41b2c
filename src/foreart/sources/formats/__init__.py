"""One module a format: how does a record of it become a patent?"""

__all__: list[str] = []
