"""The status of documents as prior art of a draft, under the law of an office."""

__all__: list[str] = []
