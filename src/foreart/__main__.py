"""`python -m foreart` is `foreart`."""

from foreart.cli import main

if __name__ == "__main__":
    main()
