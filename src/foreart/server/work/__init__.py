"""Where the work is done: worker processes for requests, child processes for uploads and long jobs."""

__all__: list[str] = []
