"""People that are made up, the same ones each time, for a test against another implementation."""

from . import payload
from .evidence import Branch, Evidence
from .hashes import H
from .identity import Device
from .store import Store

EPOCH = 1_700_000_000_000       # when person 0 begins to write, in milliseconds
STEP = 60_000                   # from one person to the next, in milliseconds


def _seed(number, what):
    return H("scurry/root", b"made-up person %d: " % number + what)


def entropy(number):
    """What the recovery words of a person stand for."""
    return _seed(number, b"root")[:16]


def person(network, number):
    """A device whose keys and certificate follow from the number alone."""
    return Device(network, entropy(number), _seed(number, b"device"), EPOCH + number, _seed(number, b"sealing"))


def fill(store, numbers, posts, branch="", begin=1):
    """Writes `posts` posts of each. `branch`: other texts from post `begin` on, so that the device forks."""
    for number in numbers:
        device = person(store.network, number)
        for index in range(posts):
            text = f"person {number}, post {index}" + (f", {branch}" if branch and index >= begin else "")
            salt = H("scurry/payload", text.encode())[:16]
            time = EPOCH + number * STEP + index * 1000
            body = payload.post(text, channels=["made-up"], salt=salt)
            store.append(device, payload.POST, body, time, time)


def keep_evidence(store, numbers, posts, branch, begin=1):
    """Proof that those who have more than `begin` posts wrote another branch too."""
    other = Store(store.network)
    fill(other, numbers, posts, branch + ", otherwise", begin)
    for name, log in other.logs.items():
        ours = store.logs[name]
        if log.size > begin:
            both = [Branch(one.size, one.signature, one.entries[begin].id, one.signed(begin + 1).rest.nodes)
                    for one in (ours, log)]
            store.put_words(ours, None, Evidence(name, ours.range_to(begin), both), None)
