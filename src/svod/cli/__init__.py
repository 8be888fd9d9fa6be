"""The command line: remote commands through `svod.client`, local ones through `svod.serve`.

Takes arguments; gives text or JSON and an exit code that scripts can trust. It promises to start
fast: nothing heavy is imported before a command needs it.
"""

from svod.cli.app import main, run

__all__ = ["main", "run"]
