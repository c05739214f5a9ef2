"""Entries with their proofs: asking for them, taking and serving them (sync.md §5)."""

from collections import deque

from . import wire
from .closed import Closed
from .identity import now as wall
from .listing import newest
from .log import Chunk, NotYet, check_chunk, pack_entry, split_nodes
from .tree import Range
from .windows import WINDOW, Wanted

ROOM = 262_144              # bytes of entries in one Chunks, about
SPARE_CREDIT = 131_072      # bytes of credit with which an answer is begun
MOST_WANTS, MOST_QUESTIONS = 1024, 8192


class Entries:
    """The part of a Session that asks for entries, checks what comes, and serves."""

    # Asking.

    def _lacks(self, name, size):
        """Whether a log of which the peer says that it holds `size` is to be asked for now."""
        self.known[name] = max(size, self.known.get(name, 0))
        log = self.store.logs.get(name)
        if self.store.own and name == self.store.own.log and not self.store.stopped_signing:
            return False
        if name in self.disputes or name in self.dispute_later or name in self.apart or self.node.asked(name):
            return False
        if log and (log.set_aside or not log.carried) or self.store.leaves_alone(name):
            return False
        if log and self._settled_from(log) is not None:
            return True
        if log and log.size >= min(size, log.ceiling):
            return False
        if log and len(log.entries) >= min(size, log.ceiling):
            # Proven that far, but no head of the size: only the entries after the head held bring one.
            log.truncate(log.head)
        return True

    def _settled_from(self, log):
        """Where the settled history is to be asked for from, of a peer that has it; None if it is not."""
        settled, offer = log.settlement, self.offers.get(log.name)
        if not settled or log.complete or not offer or offer["settlement"] != settled.bytes:
            return None
        if (offer["size"], offer["root"]) != (settled.size, settled.root):
            return None
        if log.beside:
            return log.beside.range.end
        return len(log.entries) if log.ceiling <= len(log.entries) < settled.size else None

    def _to_compare(self, log, offer):
        """Up to where the log is to be compared with the peer's, by what it named; 0 if it is not."""
        stored = len(log.entries)
        if log.complete or log.beside or not offer:
            return 0
        other = offer["root"] and offer["size"] == log.size and offer["root"] != log.root
        if other or any(stored >= size and not log.has(size, root) for size, root in log.known_roots):
            return min(offer["size"], stored)
        return 0

    def look_again(self, log):
        """What there is to do about a log with this peer, as things are now."""
        name, offer = log.name, self.offers.get(log.name)
        if not self.ready or not log.carried or name in self.disputes:
            return
        end = self._to_compare(log, offer) if self.version >= 2 else 0
        if end:
            question = (name, end, log.root_at(end), offer["size"], offer["root"])
            if question not in self.compared_so:
                self.compared_so.add(question)
                return self.compare_log(name, end)
        if self._lacks(name, self.known.get(name, 0)):
            self.want(name)

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
            settled = self._settled_from(log) if log else None
            if log and settled is None and (log.set_aside or log.size >= min(self.known.get(name, 0), log.ceiling)):
                continue
            begin = (len(log.entries) if log else 0) if settled is None else settled
            self.wants[name] = begin
            (self.settled_asked.discard if settled is None else self.settled_asked.add)(name)
            want = {"log": name, "from": begin, "certificate": not log or not log.entries, "settled": settled is not None}
            self.newest_asked.discard(name)
            if settled is None and self._may_leave_out(name, log):
                self.newest_asked.add(name)
                want["newest"] = WINDOW
            wants.append(want)
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
            more = (one["newest"], one["until"]) if self.windows else (0, 0)
            self.serving.append(Wanted(one["log"], one["from"], one["certificate"], one["settled"], *more))
        self.compare_brought = True

    def _serve(self):
        while self.serving or self.lacking or self.lacking_before:
            if self.credit < SPARE_CREDIT or self.credit < ROOM + SPARE_CREDIT and self.serving:
                return
            chunks, room, rest = [], ROOM, deque()
            self.serving = deque(sorted(self.serving, key=self._age))
            while self.serving and room > 0 and len(chunks) < 4096:
                wanted = self.serving.popleft()
                name, part = wanted.log, self._part(wanted)
                if not part:
                    (self.lacking_before if wanted.until else self.lacking).append(name)
                    continue
                log, (begin, stop, left) = self.store.logs[name], part
                end, used = self._fill(log.entries, begin, stop, room)
                room -= used
                chunk = self._made(log, wanted, begin, end, left)
                chunks.append(vars(chunk))
                self.node.served["missing" if wanted.until else "entries"] += end - begin
                self.known[name] = max(self.known.get(name, 0), end)
                if end < chunk.size:
                    rest.append(wanted._replace(begin=end, certificate=False, newest=0))
            self.serving.extend(rest)
            lacking, self.lacking = self.lacking[:4096], self.lacking[4096:]
            before, self.lacking_before = self.lacking_before[:4096], self.lacking_before[4096:]
            self.node.served["windows"] += sum(bool(one["left"]) for one in chunks)
            self.node.served["chunks"] += len(chunks)
            self.node.served["lacking"] += len(lacking)
            self.send(wire.CHUNKS, chunks=chunks, lacking=lacking, lacking_before=before)

    @staticmethod
    def _made(log, wanted, begin, end, left):
        if wanted.until:
            return log.missing_chunk(begin, end, wanted.until)
        chunk = (log.settled_chunk if wanted.settled else log.chunk)(begin, end, wanted.certificate)
        chunk.left = b"".join(left.nodes) if left else b""
        return chunk

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
        log = self.store.logs.get(want.log)
        return -newest(log, wall()) if log and log.size else 0

    # Taking.

    def _Chunks(self, m):
        self._hear_number(m["number"])
        for one in m["chunks"]:
            if one["left"] and (one["log"] not in self.newest_asked or one["log"] not in self.wants):
                continue
            chunk = Chunk(one["log"], one["start"], one["count"], one["size"], one["signature"], one["entries"],
                          one["right"], one["certificate"])
            chunk.left = one["left"]
            self._chunk(chunk)
        for name in m["lacking"]:
            if self.claim is not None and name == self.store.own.log:
                self.lacks_claim()
            if name in self.wants:
                if name in self.settled_asked:
                    self.offers.pop(name, None)
                del self.wants[name]
                self.node.unanswered(self, name)
        for name in m["lacking_before"]:
            self.lacks_missing(name)

    def _chunk(self, chunk):
        proves = self.claim is not None and chunk.log == self.store.own.log and chunk.start == self.claim and chunk.certificate
        if proves and self.answers_claim(chunk):
            return
        name, log = chunk.log, self.store.logs.get(chunk.log)
        asked = name in self.wants
        end = chunk.start + chunk.count
        if not chunk.signature and self.version < 2:
            raise Closed("wrongFieldLength", True)
        if self._is_dropped(name, log):
            self.wants.pop(name, None)
            return
        if self.takes_missing(chunk):
            return
        begin = self.wants.get(name)
        if chunk.left or chunk.start == begin:
            self.newest_asked.discard(name)
        beside = log.beside if log and not chunk.signature and asked and name in self.settled_asked else None
        if log and end <= len(log.entries) and not beside:
            self.known[name] = max(self.known.get(name, 0), end)
            if asked and end == chunk.size:
                del self.wants[name]
                self._want_rest(name)
            return
        try:
            certificate, entries, grown = check_chunk(
                self.store.network, chunk, log.range if log else Range(), log and log.certificate,
                log.known_roots if log else (), beside.known if beside else None, begin if chunk.left else None,
                (log.span(0, log.gap.begin), log.gap) if log and log.gap else None)
        except NotYet as why:
            return self._not_yet(why, chunk, asked)
        self.known[name] = max(self.known.get(name, 0), end if not chunk.signature else chunk.size)
        if beside:
            complete = self._grow_beside(log, beside, entries, grown)
        else:
            rest = Range(end, chunk.size, split_nodes(chunk.right))
            self.node.taken["windows"] += bool(chunk.left)
            left = Range(begin, chunk.start, split_nodes(chunk.left)) if chunk.left else None
            complete = self.store.add_proven(certificate, entries, grown, chunk, rest, self, left)
            if self.store.own and name == self.store.own.log and not self.store.stopped_signing:
                self._stop_signing("a peer has more of the own log")
        if asked and complete:
            del self.wants[name]
            self._want_rest(name)
        elif asked:
            self.wants[name] = end
        elif not complete:
            self._want_rest(name)
        log = self.store.logs.get(name)
        if log and log.words:
            self.node.words_came(log)
        elif complete and not asked and log:
            self.node.pushed(self, chunk, chunk.size)

    def _is_dropped(self, name, log):
        return (name in self.disputes or name in self.dispute_later or name in self.apart
                or self.store.leaves_alone(name) or log and (log.set_aside or not log.carried))

    def _grow_beside(self, log, beside, entries, grown):
        beside.entries += entries
        beside.range = grown
        if grown.end < beside.settlement.size:
            return False
        self.store.take_beside(log, self)
        return True

    def _not_yet(self, why, chunk, asked):
        name, log = chunk.log, self.store.logs.get(chunk.log)
        if why.name == "unknownRoot":
            self.wants.pop(name, None)
            if chunk.left and name not in self.left_too_much:
                self.left_too_much.add(name)
                return self.want(name)
            self.known[name] = 0
            self.offers.pop(name, None)
            if log:
                log.beside = None
            return
        self.known[name] = max(self.known.get(name, 0), chunk.size if chunk.signature else chunk.start + chunk.count)
        if why.name == "prefixDiffers":
            self.compare_log(name, chunk.start, chunk, why.entries)
        elif why.name == "certificateMissing" and (
                chunk.start == 0 or chunk.left or chunk.start == self.wants.get(name)):
            raise Closed("certificateMissing", True)
        elif chunk.left:
            del self.wants[name]
            self._want_rest(name)
        elif asked and log and chunk.start < len(log.entries) and chunk.start + chunk.count == chunk.size:
            del self.wants[name]
            self._want_rest(name)
        elif not asked and not self.node.asked(name):
            self.want(name)
