"""`python -m lpcl`: the same as `lpclc`."""

from lpcl.cli import main

if __name__ == "__main__":
    main()
