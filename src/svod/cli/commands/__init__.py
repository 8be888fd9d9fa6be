"""The commands, one file for each thing they are about."""
