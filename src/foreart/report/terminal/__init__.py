"""What the command line prints, as rich renderables."""

__all__: list[str] = []
