"""One log at a node: the entries of one history, what proves them, and how many of them count (log.md §8)."""

from .log import Chunk, item, pack
from .hashes import ZERO32
from .tree import Range, node

INFINITY = float("inf")


class Proof:
    """A head that proves [0, end): its size, signature (empty: a known root) and the compact range of [end, size)."""

    def __init__(self, size, signature, rest):
        self.size, self.signature, self.rest = size, signature, rest    # `rest` is a Range


class Beside:
    """A settled history that differs from the stored one, from the first difference on."""

    def __init__(self, settlement, before):
        self.settlement, self.entries, self.range = settlement, [], before
        self.first = before.end

    @property
    def known(self):
        """What check_chunk asks for."""
        return self.range, (self.settlement.size, self.settlement.root)


class Log:
    def __init__(self, certificate, name=None):
        self.certificate, self.name = certificate, name or certificate.log
        self.entries = []           # every proven one, of one history; None in a gap
        self.gap = None             # the Range of the entries that are left out (log.md §6)
        self.before_gap = None      # the head that was held when they were: (size, root, signature)
        self.in_whole = False       # nothing is left out of it any more
        self.range = Range()        # of all of them
        self.head, self.head_root, self.signature = 0, ZERO32, b""     # the greatest head of which all is here
        self.pending = None         # a Proof of all entries, by a head that reaches beyond them or a known root
        self.evidence = self.settlement = None      # in force
        self.beside = None
        self.size, self.root = 0, ZERO32            # what counts
        self.complete = False
        self.carried = True         # identity.md §6
        self.set_aside = False      # the own log, whose other branch nobody has seen (sync.md §9)
        self.change = 0
        self.source = None          # whom the last change came from
        self.item = b""             # log.md §8; empty if there is none

    @property
    def ids(self):
        """Of a log without a gap."""
        return [entry.id for entry in self.entries]

    def span(self, begin, end):
        """The Range of [begin, end); both are known (`knows`)."""
        gap = self.gap
        if not gap or end <= gap.begin or begin >= gap.end:
            out = Range(begin, begin)
            for entry in self.entries[begin:end]:
                out.append(entry.id)
            return out
        return self.span(begin, gap.begin).joined(gap).joined(self.span(gap.end, end))

    def range_to(self, end):
        return self.range.copy() if end == len(self.entries) else self.span(0, end)

    def root_at(self, end):
        return self.range_to(end).root()

    # What is left out.

    def lies_in_gap(self, seq):
        return bool(self.gap) and self.gap.begin <= seq < self.gap.end

    def knows(self, place):
        """Whether the range of [0, place) can be told."""
        return place <= len(self.entries) and not (self.lies_in_gap(place) and place > self.gap.begin)

    def subtree(self, start, level):
        """The node of a perfect subtree; None if it is not known."""
        end, gap = start + (1 << level), self.gap
        if end > len(self.entries):
            return None
        if not gap or end <= gap.begin or start >= gap.end:
            return self.span(start, end).nodes[0]
        inside = [value for at, height, value in gap.parts if (at, height) == (start, level)]
        if inside or gap.begin <= start and end <= gap.end:
            return inside[0] if inside else None
        left, right = self.subtree(start, level - 1), self.subtree(start + (1 << level - 1), level - 1)
        return node(left, right) if left and right else None

    def leave_out(self, left):
        """The entries of a Range that begins where this ends are not here, and what follows may come."""
        self.gap, self.before_gap = left, (self.head, self.head_root, self.signature)
        self.entries += [None] * (left.end - left.begin)

    def fill(self, entries, rest):
        """The next of the entries that were left out; `rest` is the Range of those that still are."""
        self.entries[self.gap.begin:rest.begin] = entries
        self.gap = rest if rest.begin < rest.end else None

    def drop_window(self):
        """Goes back to where nothing is left out: all that lies behind the gap is dropped."""
        if not self.gap:
            return
        begin = self.gap.begin
        proof = self.signed(begin)
        self.head, self.head_root, self.signature = self.before_gap
        self.range, self.gap = self.span(0, begin), None
        del self.entries[begin:]
        self.pending = proof if begin > self.head else None

    @property
    def seconds(self):
        """The time of the last entry held, as reconciliation counts it (sync.md §13)."""
        return min(self.entries[self.size - 1].time // 1000, 2**32 - 1) if self.size else 0

    @property
    def forked(self):
        return self.evidence is not None

    @property
    def known_roots(self):
        """(size, root) of the settlement and the cut."""
        return [(one.size, one.root) for one in (self.settlement,) if one] + [
            (one.seq, one.root) for one in (self.evidence,) if one]

    @property
    def settled_root(self):
        """(size, root) of the settlement, or None."""
        return (self.settlement.size, self.settlement.root) if self.settlement else None

    @property
    def has_settled(self):
        """Whether exactly the settled entries are stored up to there, and the last of them is here."""
        return bool(self.settlement) and self.has(*self.settled_root) and not (
            self.gap and self.settlement.size <= self.gap.end)

    @property
    def cut(self):
        return self.evidence.seq if self.evidence and not self.complete else 2**64 - 1

    @property
    def words(self):
        """What is said of a settlement and evidence: (size, root, settlement, cut), or None."""
        if not self.settlement and not self.evidence:
            return None
        return self.size, self.root, self.settlement.bytes if self.settlement else b"", (
            self.evidence.seq if self.evidence else 2**64 - 1)

    # What counts.

    @property
    def ceiling(self):
        if self.complete:
            return self.settlement.size
        return min([one for one, _ in self.known_roots], default=INFINITY)

    def has(self, size, root):
        """Whether the stored history has this root at `size`."""
        return self.knows(size) and self.root_at(size) == root

    @property
    def reaches_cut(self):
        return bool(self.evidence) and self.has(self.evidence.seq, self.evidence.root)

    def count(self):
        """Counts anew. What nothing proves any more is dropped before."""
        if self.gap and not self.has_settled and min((one for one, _ in self.known_roots), default=INFINITY) <= self.gap.end:
            self.drop_window()
        if not self.known_roots:
            self.size, self.root, self.complete = self.head, self.head_root, False
        else:
            self._give_way()
            settled = self.settlement
            self.complete = self.has_settled
            top = self.ceiling
            signed = self.pending and self.pending.signature
            self.size = min(self.head, top)
            if self.complete or len(self.entries) >= top and (signed or self.reaches_cut):
                self.size = top
            self.root = self.root_at(self.size)
            if self.beside and (self.complete or self.beside.settlement.bytes != settled.bytes):
                self.beside = None
        if not self.carried or not self.size and not self.known_roots:
            self.item = b""
            return
        settled = self.settlement
        self.item = item(self.name, self.size, self.root, self.cut, *(
            (settled.size, settled.root) if settled else ()))

    def _give_way(self):
        shown = self.pending
        if shown and not shown.signature:
            root = self.range.joined(shown.rest).root()
            if (shown.size, root) not in self.known_roots:
                self.truncate(self.head)

    def truncate(self, size):
        """Drops the entries from `size` on; what proves them proves those that are left."""
        if self.gap and size < self.gap.end:
            self.drop_window()
            size = min(size, len(self.entries))
        proof = self.signed(size)
        if size < self.head:
            self.head, self.head_root, self.signature = 0, ZERO32, b""
        self.pending = proof if size and size != self.head else None
        self.range = self.span(0, size)
        del self.entries[size:]

    # What is shown to others.

    def proof(self, end):
        """What proves the entries below `end` that count: the Proof, with the range beside them."""
        if self.head != self.size and (self.complete or self.reaches_cut and self.size == self.evidence.seq):
            return Proof(self.size, b"", self.span(end, self.size))
        return self.signed(end)

    def signed(self, end):
        """The Proof of [0, end) by a head, or None."""
        if self.head >= end and self.head:
            return Proof(self.head, self.signature, self.span(end, self.head))
        if self.pending and self.pending.signature:
            return Proof(self.pending.size, self.pending.signature,
                         self.span(end, len(self.entries)).joined(self.pending.rest))
        return None

    def shown(self, end):
        """The Proof of [0, end) for a dispute, hidden entries among them, or None (sync.md §9)."""
        if not end or not self.knows(end):
            return None
        if self.complete and self.settlement.size >= end:
            return Proof(self.settlement.size, b"", self.span(end, self.settlement.size))
        if self.head < end and self.evidence and self.evidence.seq >= end and self.reaches_cut:
            return Proof(self.evidence.seq, b"", self.span(end, self.evidence.seq))
        return self.signed(end)

    def chunk(self, start, end, certificate):
        proof = self.proof(end)
        return Chunk(self.name, start, end - start, proof.size, proof.signature, pack(self.entries[start:end]),
                     b"".join(proof.rest.nodes), self.certificate.bytes if certificate else b"")

    def settled_chunk(self, start, end, certificate):
        """Of a complete log, under the settled root whatever its head is."""
        one = self.chunk(start, end, certificate)
        one.size, one.signature = self.settlement.size, b""
        one.right = b"".join(self.span(end, one.size).nodes)
        return one

    def missing_chunk(self, start, end, until):
        """What somebody else left out, who knows the root at `until`."""
        return Chunk(self.name, start, end - start, until, b"", pack(self.entries[start:end]),
                     b"".join(self.span(end, until).nodes))
