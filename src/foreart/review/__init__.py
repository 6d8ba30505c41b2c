"""What people judged, and what follows."""

__all__: list[str] = []
