"""Runs the command line: `python -m foreart` is the same as `foreart`."""

from foreart.cli import main

if __name__ == "__main__":
    main()
