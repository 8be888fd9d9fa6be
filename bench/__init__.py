"""Measurements: quality and speed on sets of real files and questions."""
