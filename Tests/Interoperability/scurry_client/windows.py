"""The newest entries of a log first, and what was left out for them (sync.md §5, Windows)."""

from collections import namedtuple

from . import wire
from .log import NotYet, check_chunk, split_nodes
from .tree import Range

WINDOW = 1024               # entries that are asked for first
GAPS_AT_ONCE = 8            # logs
FIRST_WAIT, LONGEST_WAIT = 60, 86_400   # seconds until a peer that lacked it is asked again

# A question for entries; `newest` and `until` are 0 where nothing is said.
Wanted = namedtuple("Wanted", "log begin certificate settled newest until")


class Windows:
    """The part of a Session that asks for windows and gaps, and that says what of a log answers a question."""

    # Asking.

    def _may_leave_out(self, name, log):
        own = self.store.own and name == self.store.own.log
        return self.windows and not own and not (log and (log.gap or log.beside or log.in_whole)) and (
            name not in self.left_too_much)

    def _ask_gaps(self):
        for name in list(self.gaps_asked):
            log = self.store.logs.get(name)
            if not log or not log.gap:
                del self.gaps_asked[name]
        if not self.windows or self.wants or self.to_ask or self.gaps_asked:
            return
        wants = []
        for name, log in self.store.logs.items():
            when, _ = self.gaps_lacking.get(name, (0, 0))
            if not log.gap or not log.carried or name in self.disputes or when > self.now:
                continue
            if len(wants) == GAPS_AT_ONCE or any(name in other.gaps_asked for other in self.node.sessions.values()):
                continue
            self.gaps_asked[name] = log.gap.begin
            wants.append({"log": name, "from": log.gap.begin, "until": log.gap.end})
        if wants:
            self.send(wire.WANT, wants=wants)

    def lacks_missing(self, name):
        """The peer has not what is missing: whoever else is there is asked, it itself later."""
        if self.gaps_asked.pop(name, None) is not None:
            _, wait = self.gaps_lacking.get(name, (0, FIRST_WAIT))
            self.gaps_lacking[name] = self.now + wait, min(2 * wait, LONGEST_WAIT)

    def takes_missing(self, chunk):
        """Whether a chunk was the next of what is missing, as it was asked for."""
        name, log = chunk.log, self.store.logs.get(chunk.log)
        if self.gaps_asked.get(name) != chunk.start or chunk.signature or chunk.left or not log or not log.gap:
            return False
        if chunk.size != log.gap.end:
            return False
        before = log.span(0, log.gap.begin), log.gap
        try:
            _, entries, grown = check_chunk(self.store.network, chunk, log.range, log.certificate, gap=before)
        except NotYet:
            self.lacks_missing(name)
            return True
        self.store.add_missing(log, entries, Range(grown.end, chunk.size, split_nodes(chunk.right)))
        self.node.taken["missing"] += len(entries)
        self.gaps_asked[name] = grown.end
        if not log.gap:
            del self.gaps_asked[name]
        for other in self.node.sessions.values():
            other.gaps_lacking.pop(name, None)
        return True

    # Serving.

    def _part(self, wanted):
        """(first entry, end, Range that is left out before it) of what answers a question now; None if nothing does."""
        begin, until = wanted.begin, wanted.until
        size, log = self.store.servable(wanted.log), self.store.logs.get(wanted.log)
        if begin >= size or wanted.settled and not log.complete:
            return None
        gap = log.gap
        ahead = gap.begin if gap and begin < gap.begin else size
        if until:
            here = begin < until <= size and not log.lies_in_gap(begin) and log.knows(until)
            return (begin, min(until, ahead), None) if here else None
        # None: the evidence alone proves what counts (log.md §8).
        proof = log.proof(size)
        if proof is None or self.version < 2 and not proof.signature:
            return None
        if wanted.newest:
            first = max(size - wanted.newest, gap.end if gap and begin < gap.end else 0, begin)
            if first > begin:
                return (first, size, log.span(begin, first)) if log.knows(begin) else None
        return None if log.lies_in_gap(begin) else (begin, ahead, None)
