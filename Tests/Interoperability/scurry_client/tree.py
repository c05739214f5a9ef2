"""The Merkle tree and its compact ranges (log.md, sections 3 and 4)."""

from .hashes import H, ZERO32


def node(left, right):
    return H("scurry/node", left + right)


def root_of_leaves(leaves):
    """The definition, recursive; for tests."""
    if not leaves:
        return ZERO32
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node(root_of_leaves(leaves[:k]), root_of_leaves(leaves[k:]))


def cut(begin, end):
    """The (start, level) of the perfect subtrees that cover [begin, end)."""
    parts = []
    while begin < end:
        level = (end - begin).bit_length() - 1
        if begin:
            level = min(level, (begin & -begin).bit_length() - 1)
        parts.append((begin, level))
        begin += 1 << level
    return parts


class Range:
    """The compact range of [begin, end)."""

    def __init__(self, begin=0, end=0, nodes=()):
        parts = cut(begin, end)
        if len(parts) != len(nodes):
            raise ValueError("wrong number of nodes")
        self.begin, self.end = begin, end
        self.parts = [(start, level, value) for (start, level), value in zip(parts, nodes)]

    @property
    def nodes(self):
        return [value for _, _, value in self.parts]

    def copy(self):
        other = Range(self.begin, self.begin)
        other.end, other.parts = self.end, list(self.parts)
        return other

    def joined(self, right):
        if self.end != right.begin:
            raise ValueError("ranges do not touch")
        out = self.copy()
        for part in right.parts:
            out._push(part)
        out.end = right.end
        return out

    def append(self, leaf):
        self._push((self.end, 0, leaf))
        self.end += 1

    def _push(self, part):
        start, level, value = part
        while self.parts:
            left, left_level, left_value = self.parts[-1]
            if left_level != level or left % (2 << level):
                break
            self.parts.pop()
            start, level, value = left, level + 1, node(left_value, value)
        self.parts.append((start, level, value))

    def root(self):
        if self.begin:
            raise ValueError("only a range from 0 has a root")
        if not self.parts:
            return ZERO32
        value = self.parts[-1][2]
        for _, _, left in reversed(self.parts[:-1]):
            value = node(left, value)
        return value


def range_of(leaves, begin, end):
    out = Range(begin, begin)
    for leaf in leaves[begin:end]:
        out.append(leaf)
    return out
