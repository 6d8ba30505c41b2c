"""Segments, snapshots and manifests on disk: immutable, published by one rename, verified by checksums."""

__all__: list[str] = []
