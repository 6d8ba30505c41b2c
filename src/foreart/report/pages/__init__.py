"""HTML pages, each one file that needs nothing but a browser, made from `report/templates`."""

__all__: list[str] = []
