"""Svod: a self-hosted knowledge server that always names its sources."""
