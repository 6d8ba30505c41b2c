"""Which form does a search report have: what stands in it, by the columns and rules of offices?"""

__all__: list[str] = []
