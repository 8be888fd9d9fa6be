"""The REST door (I1): a request becomes one action of a room, its result becomes JSON.

Takes the rooms, wired; gives a web application. It promises that nothing is decided here: who may
do what is asked in the rooms, and every failure of theirs is told as problem+json in the reader's
language.
"""

from svod.interfaces.api.app import make_app
from svod.interfaces.api.rooms import Health, NotReady, Rooms

__all__ = ["Health", "NotReady", "Rooms", "make_app"]
