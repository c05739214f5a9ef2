"""People that are made up, the same ones each time, for a test against another implementation."""

from . import payload
from .hashes import H
from .identity import Device

EPOCH = 1_700_000_000_000       # when person 0 begins to write, in milliseconds
STEP = 60_000                   # from one person to the next, in milliseconds


def person(network, number):
    """A device whose keys and certificate follow from the number alone."""
    def seed(what):
        return H("scurry/root", b"made-up person %d: " % number + what)
    return Device(network, seed(b"root")[:16], seed(b"device"), EPOCH + number, seed(b"sealing"))


def fill(store, numbers, posts, branch=""):
    """Writes `posts` posts of each. `branch`: other texts from the second on, so that the device forks."""
    for number in numbers:
        device = person(store.network, number)
        for index in range(posts):
            text = f"person {number}, post {index}" + (f", {branch}" if branch and index else "")
            salt = H("scurry/payload", text.encode())[:16]
            time = EPOCH + number * STEP + index * 1000
            body = payload.post(text, channels=["made-up"], salt=salt)
            store.append(device, payload.POST, body, time, time)
