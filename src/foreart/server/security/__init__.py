"""Who may ask, and what no request may do: tokens, sessions, passwords, hosts, origins, sizes, headers."""

__all__: list[str] = []
