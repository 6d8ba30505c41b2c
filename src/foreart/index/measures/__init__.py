"""The 22 similarity measures of Helmers et al. (2019), from one pass over shared terms."""

__all__: list[str] = []
