"""The desk: pages and a REST API on this machine, for people and programs that do not use the command line."""

from foreart.server.server_settings import ServerSettings

__all__ = ["ServerSettings"]
