"""Entries with their proofs: asking for them, taking and serving them, and forks (sync.md §5, §9)."""

from collections import deque

from . import wire
from .closed import Closed
from .identity import now as wall
from .listing import newest
from .log import Chunk, NotYet, check_chunk, judge_dispute, pack_entry
from .tree import range_of

ROOM = 262_144              # bytes of entries in one Chunks, about
SPARE_CREDIT = 131_072      # bytes of credit with which an answer is begun
MOST_WANTS, MOST_QUESTIONS = 1024, 8192
MOST_DISPUTES = 64


class Entries:
    """The part of a Session that asks for entries, checks what comes, and serves."""

    # Asking.

    def _lacks(self, name, size):
        """Whether a log of which the peer says that it holds `size` is to be asked for now."""
        self.known[name] = max(size, self.known.get(name, 0))
        log = self.store.logs.get(name)
        if self.store.own and name == self.store.own.log and not self.store.stopped_signing:
            return False
        if name in self.disputes or log and (log.forked or log.size >= size):
            return False
        if self.node.asked(name):
            return False
        if log and len(log.entries) >= size:
            # Proven that far, but no head of the size: only the entries after the head held bring one.
            self._forget_unheld(log)
        return True

    @staticmethod
    def _forget_unheld(log):
        log.entries = log.entries[:log.size]
        log.range = range_of([entry.id for entry in log.entries], 0, log.size)

    def want(self, *names):
        """These are asked for, as soon as few enough others are."""
        self.to_ask.update(dict.fromkeys(names))
        self.compare_brought |= bool(names)

    def _ask(self):
        wants = []
        while self.to_ask and len(self.wants) < MOST_WANTS:
            name = next(iter(self.to_ask))
            del self.to_ask[name]
            log = self.store.logs.get(name)
            if log and (log.forked or log.size >= self.known.get(name, 0)):
                continue
            self.wants[name] = len(log.entries) if log else 0
            wants.append({"log": name, "from": self.wants[name], "certificate": log is None})
        if wants:
            self.send(wire.WANT, wants=wants)

    def _want_rest(self, name):
        if self._lacks(name, self.known.get(name, 0)):
            self.want(name)

    # Serving.

    def _Want(self, m):
        if len(self.serving) + len(m["wants"]) > MOST_QUESTIONS:
            raise Closed("tooManyQuestions", True)
        for one in m["wants"]:
            self.known[one["log"]] = max(self.known.get(one["log"], 0),
                                         min(one["from"], self.store.servable(one["log"])))
            self.serving.append((one["log"], one["from"], one["certificate"]))
        self.compare_brought = True

    def _serve(self):
        while self.serving or self.lacking:
            if self.credit < SPARE_CREDIT or self.credit < ROOM + SPARE_CREDIT and self.serving:
                return
            chunks, room, rest = [], ROOM, deque()
            self.serving = deque(sorted(self.serving, key=self._age))
            while self.serving and room > 0 and len(chunks) < 4096:
                name, begin, certificate = self.serving.popleft()
                size = self.store.servable(name)
                if begin >= size:
                    self.lacking.append(name)
                    continue
                end, used = self._fill(self.store.logs[name].entries, begin, size, room)
                room -= used
                chunks.append(vars(self.store.logs[name].chunk(begin, end, certificate)))
                self.node.served["entries"] += end - begin
                self.known[name] = max(self.known.get(name, 0), end)
                if end < size:
                    rest.append((name, end, False))
            self.serving.extend(rest)
            lacking, self.lacking = self.lacking[:4096], self.lacking[4096:]
            self.node.served["chunks"] += len(chunks)
            self.node.served["lacking"] += len(lacking)
            self.send(wire.CHUNKS, chunks=chunks, lacking=lacking)

    @staticmethod
    def _fill(entries, begin, size, room):
        """(end, bytes) of the entries from `begin` on that go into one chunk: at least one."""
        end, used, before = begin, 1500, 0
        while end < size and (used <= room or end == begin):
            used += len(pack_entry(entries[end], before))
            before = entries[end].time
            end += 1
        return end, used

    def _age(self, want):
        log = self.store.logs.get(want[0])
        return -newest(log, wall()) if log and log.size else 0

    # Taking.

    def _Chunks(self, m):
        self._hear_number(m["number"])
        for one in m["chunks"]:
            self._chunk(Chunk(one["log"], one["start"], one["count"], one["size"], one["signature"], one["entries"],
                              one["right"], one["certificate"]))
        for name in m["lacking"]:
            if self.claim is not None and name == self.store.own.log:
                self._agrees(0)
            if name in self.wants:
                del self.wants[name]
                self.node.unanswered(self, name)

    def _chunk(self, chunk):
        if self.claim is not None and chunk.log == self.store.own.log and self.answers_claim(chunk):
            return
        name, log = chunk.log, self.store.logs.get(chunk.log)
        asked = name in self.wants
        end = chunk.start + chunk.count
        if log and log.forked or name in self.disputes:
            self.wants.pop(name, None)
            return
        if log and end <= len(log.entries):
            self.known[name] = max(self.known.get(name, 0), end)
            if asked and end == chunk.size:
                del self.wants[name]
                self._want_rest(name)
            return
        try:
            certificate, entries, grown = check_chunk(
                self.store.network, chunk, log.range if log else range_of([], 0, 0), log and log.certificate)
        except NotYet as why:
            return self._not_yet(why, chunk, asked)
        complete = self.store.add_proven(certificate, entries, grown, chunk.size, chunk.signature, self)
        self.known[name] = max(self.known.get(name, 0), chunk.size)
        if asked and complete:
            del self.wants[name]
            self._want_rest(name)
        elif asked:
            self.wants[name] = end
        elif not complete:
            self.want(name)
        if complete and not asked:
            self.node.pushed(self, chunk, chunk.size)

    def _not_yet(self, why, chunk, asked):
        name, log = chunk.log, self.store.logs.get(chunk.log)
        self.known[name] = max(self.known.get(name, 0), chunk.size)
        if why.name == "prefixDiffers":
            self.wants.pop(name, None)
            if len(self.disputes) < MOST_DISPUTES:
                self.disputes[name] = (chunk, why.entries)
                self.send(wire.PREFIX_WANTED, log=name, end=chunk.start)
        elif why.name == "certificateMissing" and (asked or chunk.start == 0):
            raise Closed("certificateMissing", True)
        elif asked and log and chunk.start < len(log.entries) and chunk.start + chunk.count == chunk.size:
            del self.wants[name]
            self._want_rest(name)
        elif not asked and not self.node.asked(name):
            self.want(name)

    # Forks.

    def _PrefixWanted(self, m):
        log = self.store.logs.get(m["log"])
        nodes = b""
        if log and m["end"] <= self.store.servable(m["log"]):
            nodes = b"".join(range_of([entry.id for entry in log.entries], 0, m["end"]).nodes)
        self.node.served["prefixes"] += 1
        self.send(wire.PREFIX, log=m["log"], end=m["end"], nodes=nodes)

    def _Prefix(self, m):
        chunk, entries = self.disputes.get(m["log"], (None, None))
        if not chunk or chunk.start != m["end"]:
            raise Closed("unaskedAnswer", True)
        if self.claim is not None and m["log"] == self.store.own.log:
            return self.judge_own_prefix(m["nodes"])
        log = self.store.logs[m["log"]]
        if judge_dispute(chunk, entries, log.certificate, m["nodes"]) == "lie":
            raise Closed("falseFork", True)
        del self.disputes[m["log"]]
        log.forked = True
        self.log("the writer of a log forked")
