"""The command line: parse, call one function, print."""

import os
import sys

__all__ = ["main"]


def main() -> None:
    """Entry point of the console script; it imports inside, so that Ctrl-C during imports gives no traceback."""
    code: object = 130
    try:
        from foreart.cli.app import run

        run()
    except SystemExit as ended:
        code = ended.code
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
    if code == 130:
        # Exit without waiting for threads; keeps the exit code even if an extension was interrupted during its import.
        sys.stderr.flush()
        os._exit(130)
    sys.exit(code)  # type: ignore[arg-type]
