"""Histories that differ: asking where, making evidence, and answering who asks (sync.md §9, A dispute)."""

from . import wire
from .closed import Closed
from .evidence import Branch, Evidence
from .held import Beside
from .log import head_holds, judge_dispute, split_nodes
from .tree import Range, cut, node

MOST_DISPUTES = 64
MOST_COMPARED = 8           # of one log, until more is known of it


def subtrees(ids, start, level, below):
    """The subtrees of `below` within that of `level` that begins at `start`."""
    row = ids[start:start + (1 << level)]
    for _ in range(below):
        row = [node(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row


def known_subtrees(log, start, level, below):
    """The same of a log; None where one of them is not known."""
    if not log.gap:
        return subtrees(log.ids, start, level, below)
    row = [log.subtree(at, below) for at in range(start, start + (1 << level), 1 << below)]
    return row if all(row) else None


def below(level):
    """The next multiple of eight below `level`."""
    return (level - 1) // 8 * 8


def fold(row):
    while len(row) > 1:
        row = [node(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


class Dispute:
    def __init__(self, end, chunk=None, entries=None, claim=False):
        self.end, self.chunk, self.entries, self.claim = end, chunk, entries, claim
        self.proof = None       # what proves the peer's history: (size, signature)
        self.nodes = b""        # the Prefix that was shown
        self.asked = None       # (level, place) of the question for nodes that is open
        self.shown = None       # the hash that the peer showed there
        self.behind = []        # (start, level, hash) of the peer's, behind the place that differs
        self.again = False      # the prefix was asked for once more


class Disputes:
    """The part of a Session that compares a log with the peer's."""

    def compare_log(self, name, end, chunk=None, entries=None, claim=False):
        """Begins, if it may: PrefixWanted."""
        log = self.store.logs.get(name)
        if name in self.disputes or not log or log.set_aside or name in self.apart or end < 1:
            return
        self.wants.pop(name, None)
        self.to_ask.pop(name, None)
        if len(self.disputes) >= MOST_DISPUTES:
            self.dispute_later[name] = (end, chunk, entries, claim)
            return
        self.compared_logs[name] = self.compared_logs.get(name, 0) + 1
        if self.compared_logs[name] > MOST_COMPARED:
            self.apart.add(name)
            return
        self.disputes[name] = Dispute(end, chunk, entries, claim)
        self.compare_brought = True
        self.send(wire.PREFIX_WANTED, log=name, end=end)

    def _over(self, name):
        del self.disputes[name]
        if self.dispute_later:
            later = next(iter(self.dispute_later))
            self.compare_log(later, *self.dispute_later.pop(later))

    def _not_here(self, name):
        """The peer has not what it is asked for: what it offered is taken back."""
        dispute = self.disputes[name]
        self.known[name] = 0
        self.offers.pop(name, None)
        if dispute.claim:
            self._drop_claim()
            self.release_own()
        self._over(name)

    # The answers.

    def _Prefix(self, m):
        name = m["log"]
        dispute = self.disputes.get(name)
        if self.claim_shown and name == self.store.own.log and m["end"] == self.claimed:
            return self.shows_claim(m)
        if not dispute or dispute.asked or dispute.end != m["end"]:
            raise Closed("unaskedAnswer", True)
        log = self.store.logs.get(name)
        if not log or not log.carried:
            return self._over(name)
        if self.version < 2:
            return self._judge(name, log, dispute, m["nodes"])
        end, size, nodes = m["end"], m["size"], m["nodes"]
        if not nodes:
            return self._not_here(name)
        if size < end or len(nodes) != 32 * len(cut(0, end)) or len(m["right"]) != 32 * len(cut(end, size)):
            raise Closed("falseFork", True)
        prefix, rest = Range(0, end, split_nodes(nodes)), Range(end, size, split_nodes(m["right"]))
        root = prefix.joined(rest).root()
        if not m["signature"] and (size, root) not in log.known_roots:
            return self._not_here(name)
        if m["signature"] and not head_holds(log.certificate, size, root, m["signature"]):
            raise Closed("falseFork", True)
        if dispute.again and nodes == dispute.nodes:
            raise Closed("falseFork", True)
        dispute.nodes, dispute.proof = nodes, (size, m["signature"])
        if not log.knows(end):
            return self._over(name)
        self._differs(name, log, dispute, prefix.parts, log.range_to(end).parts, rest.parts)

    def _differs(self, name, log, dispute, theirs, ours, behind):
        """Goes on at the first of `theirs` that is not ours; each is (start, level, hash)."""
        for at, (one, other) in enumerate(zip(theirs, ours)):
            if one != other:
                break
        else:
            return self._nothing_differs(name, log)
        dispute.behind = theirs[at + 1:] + behind
        start, level, shown = theirs[at]
        if log.lies_in_gap(start) and start + (1 << level) <= log.gap.end:
            return self._differs_in_gap(name, log)
        if level == 0:
            return self._found(name, log, dispute, start, shown)
        dispute.asked, dispute.shown = (level, start >> level), shown
        self.send(wire.NODES_WANTED, log=name, level=level, place=start >> level)

    def _Nodes(self, m):
        name = m["log"]
        dispute = self.disputes.get(name)
        if not dispute or dispute.asked != (m["level"], m["place"]):
            raise Closed("unaskedAnswer", True)
        log = self.store.logs.get(name)
        if not log or not log.carried or len(log.entries) < dispute.end:
            return self._over(name)
        (level, place), dispute.asked = dispute.asked, None
        row, under = split_nodes(m["hashes"]), below(level)
        if not row:
            return self._not_here(name)
        if len(row) != 1 << level - under or fold(row) != dispute.shown:
            if dispute.again:
                raise Closed("falseFork", True)
            dispute.again = True
            return self.send(wire.PREFIX_WANTED, log=name, end=dispute.end)
        start = place << level
        parts = [(start + (index << under), under, one) for index, one in enumerate(row)]
        ours = known_subtrees(log, start, level, under)
        if not ours:
            return self._differs_in_gap(name, log)
        self._differs(name, log, dispute, parts, [(*part[:2], one) for part, one in zip(parts, ours)], dispute.behind)

    def _differs_in_gap(self, name, log):
        """The device signed both: they meet again where nothing is left out."""
        log.drop_window()
        log.in_whole = True
        self.store.recount(log, None, replaced=True)
        self._over(name)
        self.look_again(log)

    def _nothing_differs(self, name, log):
        """The same history up to there, whatever a chunk or a body said."""
        dispute = self.disputes[name]
        if dispute.claim:
            self._agrees(dispute.end)
        self._over(name)
        self.look_again(log)

    def _found(self, name, log, dispute, seq, leaf):
        """The first difference: the peer's entry `seq` is `leaf`."""
        size, signature = dispute.proof
        rest = Range(seq + 1, seq + 1)
        for part in dispute.behind:
            rest._push(part)
            rest.end = part[0] + (1 << part[1])
        self._over(name)
        before = log.range_to(seq)
        theirs = self._branch(log, size, signature, leaf, rest)
        own = self.store.own and name == self.store.own.log
        if own and seq >= self.store.own_left:
            log.set_aside = True
            return self._stop_signing("own entries that never left are another branch")
        ours = self._own_branch(log, seq)
        self.log(f"histories differ at {seq}")
        if theirs and ours:
            self.store.put_words(log, None, self._lower(log, Evidence(name, before, [ours, theirs])), None)
        elif ours is None:
            log.truncate(seq)
            self.store.recount(log, None, replaced=True)
        settled, offer = log.settlement, self.offers.get(name)
        named = offer and settled and offer["settlement"] == settled.bytes and (
            offer["size"], offer["root"]) == (settled.size, settled.root)
        shown = settled and not signature and size == settled.size
        if settled and not log.complete and seq < settled.size and (named or shown):
            log.beside = Beside(settled, before)
        if own:
            self._stop_signing("the own log has another branch")
        self.node.words_came(log)

    @staticmethod
    def _lower(log, evidence):
        return evidence if evidence.over(log.evidence) else None

    @staticmethod
    def _branch(log, size, signature, leaf, rest):
        """The peer's side of evidence; None where no head of the device proves it."""
        if signature:
            return Branch(size, signature, leaf, rest.nodes)
        cut_ = log.evidence
        if not cut_ or size != cut_.seq:
            return None
        head = cut_.branches[0]
        rest = rest.copy()
        rest.append(head.leaf)
        return Branch(head.size, head.signature, leaf, rest.joined(Range(cut_.seq + 1, head.size, head.rest)).nodes)

    def _own_branch(self, log, seq):
        proof = log.signed(seq + 1)
        if proof:
            return Branch(proof.size, proof.signature, log.entries[seq].id, proof.rest.nodes)
        if log.reaches_cut and seq < log.evidence.seq:
            rest = log.span(seq + 1, log.evidence.seq)
            return self._branch(log, log.evidence.seq, b"", log.entries[seq].id, rest)
        return None

    def _judge(self, name, log, dispute, nodes):
        """Version 1: the chunk and the prefix decide it."""
        if judge_dispute(dispute.chunk, dispute.entries, log.certificate, nodes) == "lie":
            raise Closed("falseFork", True)
        self._over(name)
        self.apart.add(name)
        self.log("the writer of a log forked")
        if dispute.claim:
            self.fork_of_own()

    # Answering.

    def _open_log(self, name):
        """A log of which questions are answered; one that is withheld is not."""
        log = self.store.logs.get(name)
        withheld = self.store.own and name == self.store.own.log and self.store.own_waits()
        return None if not log or not log.carried or withheld else log

    def _PrefixWanted(self, m):
        log, end = self._open_log(m["log"]), m["end"]
        self.node.served["prefixes"] += 1
        if self.version < 2:
            log = self.store.logs.get(m["log"])
            here = log and end <= self.store.shown(m["log"]) and log.knows(end)
            nodes = log.range_to(end).nodes if here else []
            return self.send(wire.PREFIX, log=m["log"], end=end, nodes=b"".join(nodes))
        proof = log and log.shown(end)
        if not proof:
            self.send(wire.PREFIX, log=m["log"], end=end)
        else:
            self.send(wire.PREFIX, log=m["log"], end=end, nodes=b"".join(log.range_to(end).nodes), size=proof.size,
                      signature=proof.signature, right=b"".join(proof.rest.nodes))
        if log and log.gap:
            self.compare_log(m["log"], min(end, len(log.entries)))

    def _NodesWanted(self, m):
        log, level, start = self._open_log(m["log"]), m["level"], m["place"] << m["level"]
        here = log and start + (1 << level) <= len(log.entries) and known_subtrees(log, start, level, below(level))
        self.node.served["nodes"] += 1
        self.send(wire.NODES, log=m["log"], level=level, place=m["place"],
                  hashes=b"".join(here or ()))
