"""The middle floor: what is kept, how it is read, split, indexed and found."""
