"""How good was that?"""

__all__: list[str] = []
