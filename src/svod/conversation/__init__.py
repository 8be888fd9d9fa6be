"""The upper floor: what is said on the ground of what is known."""
