"""Own entries after a start: what a peer says of the own log, and whether they may leave (own-log.md)."""

from . import wire
from .closed import Closed
from .log import NotYet, check_chunk, head_holds, split_nodes
from .tree import Range, cut, range_of

HOLD = 20       # seconds that a claim holds own entries back
MOST_CLAIMANTS = 8


class Owning:
    """The part of a Session that hears OwnLog, and proves or drops a claim."""

    def _OwnLog(self, m):
        own = self.store.own
        if self.own_answered or m["log"] != own.log:
            raise Closed("unaskedAnswer", True)
        self.own_answered = True
        ids, size = self._own_ids(), m["size"]
        if self.store.stopped_signing:
            said = {"log": own.log, "size": size, "root": b"", "settlement": b"", "evidence": b""}
            return self.learn([said] if size else [])
        if size <= len(ids) and (not size or range_of(ids, 0, size).root() == m["root"]):
            return self._agrees(size)
        self.claim = size - 1 if size <= len(ids) else len(ids)
        self.claimed = size
        peer, claimants = self.channel.peer, self.store.claimants
        if peer not in claimants and len(claimants) < MOST_CLAIMANTS:
            claimants.add(peer)
            self.store.claims[peer] = self.now + HOLD
        self.log(f"a claim: {size} entries of the own log")
        self.send(wire.WANT, wants=[{"log": own.log, "from": self.claim, "certificate": True}])

    def _own_ids(self):
        log = self.store.logs.get(self.store.own.log)
        return log.ids if log else []

    def _agrees(self, size):
        self._drop_claim()
        self.known[self.store.own.log] = max(size, self.known.get(self.store.own.log, 0))
        self.store.agreed = True
        self.release_own()

    def _drop_claim(self):
        self.claim = None
        self.store.claims.pop(self.channel.peer, None)

    def lacks_claim(self):
        """The peer lacks what it claimed, which says nothing: it may have left it out. Its tree and a head it has."""
        if self.version < 2:
            self._drop_claim()
            return self.release_own()
        self.claim = None
        self.claim_shown = True
        self.send(wire.PREFIX_WANTED, log=self.store.own.log, end=self.claimed)

    def shows_claim(self, m):
        """Judges the range and the head of a peer that lacks the entries."""
        self.claim_shown = False
        own, ids, end, size = self.store.own, self._own_ids(), m["end"], m["size"]
        if not m["nodes"] or not m["signature"]:
            self._drop_claim()
            return self.release_own()
        if size < end or len(m["nodes"]) != 32 * len(cut(0, end)) or len(m["right"]) != 32 * len(cut(end, size)):
            raise Closed("falseFork", True)
        prefix, rest = Range(0, end, split_nodes(m["nodes"])), Range(end, size, split_nodes(m["right"]))
        if not head_holds(own.certificate, size, prefix.joined(rest).root(), m["signature"]):
            raise Closed("falseFork", True)
        if end <= len(ids) and prefix.root() != range_of(ids, 0, end).root():
            return self.fork_of_own(end)
        if size > len(ids):
            return self._stop_signing("the own log is longer")
        self._agrees(end)

    def release_own(self):
        """Own entries may leave once a peer agreed, and no claim that is not older than `HOLD` is open."""
        store = self.store
        if (store.own and store.agreed and not store.own_confirmed and not store.stopped_signing
                and all(until <= self.now for until in store.claims.values())):
            store.confirm_own()

    def _stop_signing(self, why):
        """Proven: this store is an old copy, or the device signed two histories."""
        self._drop_claim()
        self.store.stopped_signing = True
        self.log(f"no more is signed: {why}")

    def answers_claim(self, chunk):
        """Judges the first chunk that answers the claim; whether nothing else is to be done with it."""
        ids, own = self._own_ids(), self.store.own
        try:
            _, entries, _ = check_chunk(self.store.network, chunk, range_of(ids, 0, self.claim), own.certificate)
        except NotYet as why:
            if why.name == "prefixDiffers":
                self.compare_log(own.log, chunk.start, chunk, why.entries, claim=True)
            elif why.name == "certificateMissing":
                raise Closed("certificateMissing", True) from None
            return True
        end = chunk.start + chunk.count
        both = zip(entries, ids[chunk.start:])
        if any(entry.id != mine for entry, mine in both):
            self.fork_of_own(min(end, len(ids)))
        elif end > len(ids):
            self._stop_signing("the own log is longer")
            return chunk.start != len(ids)
        else:
            self._agrees(end)
        return True

    def fork_of_own(self, end=0):
        """A peer proved another branch, up to `end` where it is not compared yet."""
        self._stop_signing("the own log has another branch")
        log = self.store.logs.get(self.store.own.log)
        if not log:
            return
        if self.store.is_held_back(log.name) or self.version < 2:
            log.set_aside = True
        else:
            self.compare_log(log.name, end)
