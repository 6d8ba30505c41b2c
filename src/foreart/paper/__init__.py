"""Every table and figure of Helmers et al. (2019), for any corpus."""

__all__: list[str] = []
