"""The routes: parse, call one function, answer. Each module has a `ROUTER`."""

__all__: list[str] = []
