"""The command line: parse, call one function, print."""

import os
import sys

__all__ = ["main"]


def main() -> None:
    """The entry point of the console script; everything is imported inside, so that Ctrl-C gives no traceback."""
    code: object = 130
    try:
        from foreart.cli.app import run

        run()
    except SystemExit as ended:
        code = ended.code
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
    if code == 130:
        # At once, without waiting for threads; the exit code stays even if an extension was interrupted in its import.
        sys.stderr.flush()
        os._exit(130)
    sys.exit(code)  # type: ignore[arg-type] # what it was given
