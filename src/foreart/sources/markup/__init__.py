"""How does marked-up text become plain, readable text?"""

__all__: list[str] = []
