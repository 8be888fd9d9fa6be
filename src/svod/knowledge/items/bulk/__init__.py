"""What is done to items, written for many at once; one is a set of one.

Takes items by id and who asks; gives what became of each. It locks them in the order of their ids,
resolves who may change them within the statements, and works with whole sets: however many items
there are, the statements stay few. What cannot be done to one does not hinder the others.
"""
