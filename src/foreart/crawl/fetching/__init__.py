"""Fetches pages of servers within a policy of rates, retries and robots.txt."""

__all__: list[str] = []
