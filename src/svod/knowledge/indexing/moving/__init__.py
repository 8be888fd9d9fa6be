"""Moving: chunks, vectors and words of items, from one collection of a workspace into another.

Takes items that are held and the collection they go to; gives the same rows at new places, in the
caller's transaction. It promises that nothing is embedded, analysed or sealed anew.
"""

from svod.knowledge.indexing.moving.moving import move_items

__all__ = ["move_items"]
