"""One search over many processes: shards of the published state, on the workers of a Dask cluster."""

__all__: list[str] = []
