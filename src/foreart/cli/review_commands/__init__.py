"""Commands on matters: review projects and the review itself."""

__all__: list[str] = []
