"""Links: pages among the items, added by their addresses, kept up to date (K13, K17, K35).

Takes addresses; gives items of the kind `link`. It records what fetching a page gave, and which pages
are due; it fetches nothing itself.
"""
