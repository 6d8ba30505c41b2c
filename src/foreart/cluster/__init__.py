"""Homes of an index beyond one machine: where `--on ADDRESS` sends a search or a build."""

__all__: list[str] = []
