"""`python -m voicesim`."""

from voicesim.cli.app import main

if __name__ == "__main__":
    main()
