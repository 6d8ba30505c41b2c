"""How is a file opened and cut into records?"""

__all__: list[str] = []
