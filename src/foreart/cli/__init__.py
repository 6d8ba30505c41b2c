"""The command line: parse, call one function, print."""

from foreart.cli.app import main

__all__ = ["main"]
