"""Where a log ends, by the word of its root key (identity.md §5)."""

from .hashes import ZERO32, H, Refused, sign, u64, verify

TAG = b"scurry settlement v1"
LENGTH = 208
MAX_SIZE = 2**32 - 1


def end_of(network, root_key):
    """The log id that the end of an account has (log.md §8)."""
    return H("scurry/end", network + root_key)


class Settlement:
    def __init__(self, data):
        self.bytes = bytes(data)
        self.network, self.root_key, self.log = self.bytes[:32], self.bytes[32:64], self.bytes[64:96]
        self.size = int.from_bytes(self.bytes[96:104], "big")
        self.root = self.bytes[104:136]
        self.serial = int.from_bytes(self.bytes[136:144], "big")

    @classmethod
    def check(cls, data, network):
        if len(data) != LENGTH:
            raise Refused("wrongLength")
        made = cls(data)
        if made.network != network:
            raise Refused("foreignNetwork")
        if made.size > MAX_SIZE or (made.size == 0) != (made.root == ZERO32) or made.ends_account and made.size:
            raise Refused("impossibleSize")
        if not verify(made.root_key, made.bytes[144:], TAG + made.bytes[:144]):
            raise Refused("badSignature")
        return made

    @classmethod
    def issue(cls, network, root_key, root_secret, log, size, root, serial):
        body = network + root_key + log + u64(size) + root + u64(serial)
        return cls(body + sign(root_secret, TAG + body))

    @property
    def ends_account(self):
        return self.log == ZERO32

    @property
    def place(self):
        """Of several of one log the one with the smallest place is in force."""
        return -self.serial, self.size, self.root

    def over(self, other):
        """Whether it takes the place of `other`, which may be None."""
        return other is None or self.place < other.place
