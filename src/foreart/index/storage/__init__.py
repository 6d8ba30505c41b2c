"""Segments, snapshots and manifests on disk: written once, published by one rename, verified by checksums."""

__all__: list[str] = []
