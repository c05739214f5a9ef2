"""Proof that a device signed two histories (log.md §7)."""

from typing import NamedTuple

from .hashes import Refused, u64
from .log import MAX_SIZE, split_nodes, verify_head
from .tree import Range, cut


class Branch(NamedTuple):
    """One of the two: a head that covers the entry at which they part."""

    size: int
    signature: bytes
    leaf: bytes
    rest: list                  # the compact range of [seq + 1, size)

    @property
    def bytes(self):
        return u64(self.size) + self.signature + self.leaf + b"".join(self.rest)


class Evidence:
    def __init__(self, log, prefix, branches):
        """`prefix` is the Range of [0, seq)."""
        self.log, self.prefix, self.branches = log, prefix, branches
        self.seq, self.root = prefix.end, prefix.root()
        self.bytes = log + u64(self.seq) + b"".join(prefix.nodes) + b"".join(one.bytes for one in branches)

    @classmethod
    def parse(cls, data):
        at = 0

        def take(length):
            nonlocal at
            if len(data) - at < length:
                raise Refused("malformed")
            at += length
            return bytes(data[at - length:at])

        log, seq = take(32), int.from_bytes(take(8), "big")
        if seq >= MAX_SIZE:
            raise Refused("malformed")
        prefix = Range(0, seq, split_nodes(take(32 * len(cut(0, seq)))))
        branches = []
        for _ in range(2):
            size = int.from_bytes(take(8), "big")
            if not seq < size <= MAX_SIZE:
                raise Refused("malformed")
            signature, leaf = take(64), take(32)
            branches.append(Branch(size, signature, leaf, split_nodes(take(32 * len(cut(seq + 1, size))))))
        if at != len(data):
            raise Refused("malformed")
        return cls(log, prefix, branches)

    def check(self, network, device):
        """Refused as `noProof` unless `device`, a public key, signed both."""
        if self.branches[0].leaf == self.branches[1].leaf:
            raise Refused("noProof")
        for one in self.branches:
            whole = self.prefix.copy()
            whole.append(one.leaf)
            whole = whole.joined(Range(self.seq + 1, one.size, one.rest))
            if not verify_head(network, self.log, device, one.size, whole.root(), one.signature):
                raise Refused("noProof")

    def over(self, other):
        """Whether it takes the place of `other`, which may be None."""
        return other is None or (self.seq, self.root) < (other.seq, other.root)
