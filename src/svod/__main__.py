"""`python -m svod` is the command line."""

from svod.cli import main

main()
