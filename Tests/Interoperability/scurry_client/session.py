"""What two nodes say (sync.md), without a socket or a clock of its own: bytes in, bytes out, `tick` with the time."""

from collections import deque

from . import wire
from .channel import Channel, ChannelError
from .hashes import ZERO32, Refused
from .identity import now as wall
from .log import Chunk, NotYet, check_chunk, judge_dispute, pack_entry
from .tree import range_of

CREDIT = 8 * 1_048_576
ROOM = 800_000              # of entries in one Chunks; the last entry and 4,096 names in `lacking` come on top
HANDSHAKE, SILENCE, WANT_TIME, KEEP_ALIVE_TIME = 10, 90, 20, 30
STOPPING, VIOLATION, NO_VERSION, TOO_MANY, DUPLICATE, ONESELF, NO_SCOPE = range(1, 8)
MAX_UNANSWERED_BODIES = 8192


class Closed(Exception):
    """The connection ends: `name` says why, `violation` whether by the peer's fault."""

    def __init__(self, name, violation=False, reason=None):
        super().__init__(name)
        self.name, self.violation = name, violation
        self.reason = VIOLATION if violation else reason


class Session:
    def __init__(self, node, initiator, expected=None, started=0.0):
        self.node, self.store, self.initiator = node, node.store, initiator
        self.channel = Channel(initiator, node.private, node.store.network, expected)
        self.started = self.heard = self.said = self.now = started
        self.closed = None                  # a Closed
        self.lingers = None                 # after the Goodbye: until when the peer's end is waited for
        self.peer = None                    # the peer's Hello
        self.peer_keep_alive = None
        self.log = node.trace

        self.own_answered = not self.store.own
        self.announced = None               # the number up to which all was announced; None before the first list
        self.known = {}                     # log: how much of it the peer is known to hold
        self.credit = 0                     # that may be sent
        self.granted = CREDIT               # that the peer may send
        self.busy = True

        self.wants = {}                     # log: (from, when it was asked or heard of last)
        self.serving = deque()              # (log, from, certificate)
        self.lacking = []
        self.bodies_asked = set()
        self.bodies_refused = set()
        self.bodies_serving = deque()
        self.disputes = {}                  # log: (chunk, entries)
        self.compare = None                 # of the dialler: the page in flight
        self.compare_wait, self.compare_next, self.compare_brought = 1, 0.0, False
        self.compared = 0                   # of the other: the last page
        self.page = 0                       # of the dialler: the last page, over all comparisons
        self.peers_answered = None
        self.hello_sent = False

    # In and out.

    @property
    def ready(self):
        return self.announced is not None and not self.closed

    def receive(self, data, now):
        if self.closed:
            return
        self.now = self.heard = now
        try:
            for kind, body in self.channel.receive(data):
                self._message(kind, body)
                if self.closed:
                    return
            self._advance()
        except ChannelError as error:
            closed = Closed(error.name, error.violation)
            closed.reason = ONESELF if error.name == "connectedToSelf" else None
            self.close(closed)
        except Refused as error:
            self.close(Closed(error.name, True))
        except Closed as error:
            self.close(error)

    def tick(self, now):
        if self.closed:
            return
        self.now = now
        if not self.channel.open:
            if now - self.started > HANDSHAKE:
                self.close(Closed("handshakeTime"))
            return
        if now - self.heard > SILENCE:
            return self.close(Closed("silence"))
        for name, (begin, asked) in list(self.wants.items()):
            if now - asked > WANT_TIME:
                del self.wants[name]
                self.node.unanswered(self, name)
        if now - self.said >= KEEP_ALIVE_TIME:
            self._keep_alive()
        self._advance()

    def close(self, closed):
        if self.closed:
            return
        self.closed = closed
        if closed.reason and self.channel.open:
            self._send(wire.GOODBYE, reason=closed.reason,
                       violation=wire.VIOLATIONS[closed.name] if closed.violation else 0, last=True)
        self.log(f"closed: {closed.name}")

    def goodbye(self, reason=STOPPING):
        self.close(Closed("goodbye", reason=reason))

    def _send(self, kind, last=False, **fields):
        if self.closed and not last:
            return
        body = wire.encode(kind, **fields)
        self.log(f"-> {wire.MESSAGES[kind][0]} {len(body)}")
        if kind in (wire.CHUNKS, wire.BODIES):
            self.credit -= len(body) + 5
        if kind not in (wire.KEEP_ALIVE, wire.CREDIT, wire.GOODBYE):
            self.busy = True
        self.channel.send(kind, body)

    # The order of things.

    def _advance(self):
        if not self.channel.open or self.closed:
            return
        self._say_hello()
        if not self.peer or not self.own_answered:
            return
        self._announce()
        self._serve()
        self._serve_bodies()
        self._ask_bodies()
        if self.busy and self.quiet:
            heard = self.peer_keep_alive
            same = heard and (heard["fingerprint"], heard["count"]) == self.store.fingerprint()
            self._keep_alive(answer=self.initiator and not same)

    def _say_hello(self):
        if self.hello_sent:
            return
        self.hello_sent = True
        self.said = self.now
        own = self.store.own
        self._send(wire.HELLO, version=1, oldest_version=1, store=self.store.id, number=self.store.number,
                   own_log=own.log if own else b"", agent="scurry-python", listen_port=self.node.listen_port,
                   credit=CREDIT)

    @property
    def quiet(self):
        return (self.announced == self.store.number and not self.wants and not self.bodies_asked
                and not self.disputes and not self.serving and not self.lacking and not self.bodies_serving
                and not self.compare)

    @property
    def converged(self):
        """Both quiet, with the same fingerprint."""
        heard = self.peer_keep_alive
        mine, count = self.store.fingerprint()
        return bool(not self.closed and self.quiet and heard and heard["quiet"]
                    and (heard["fingerprint"], heard["count"]) == (mine, count))

    def _keep_alive(self, answer=False):
        mine, count = self.store.fingerprint()
        quiet = self.peer is not None and self.own_answered and self.quiet
        self.said = self.now
        self._send(wire.KEEP_ALIVE, fingerprint=mine, count=count, number=self.store.number, quiet=quiet, answer=answer)
        if quiet:
            self.busy = False

    def _announce(self):
        if self.announced == self.store.number:
            return
        first, cursor = self.announced is None, self.announced or 0
        if first and self.peer["cursor_store"] == self.store.id and self.peer["cursor_number"] <= self.store.number:
            cursor = self.peer["cursor_number"]
        logs = [(name, log) for name, log in self.store.held().items()
                if log.change > cursor and self.known.get(name, 0) < log.size]
        logs.sort(key=lambda pair: -min(pair[1].entries[pair[1].size - 1].time, wall()))
        sizes = [{"log": name, "size": self.store.servable(name)} for name, log in logs if self.store.servable(name)]
        self.announced = self.store.number
        for at in range(0, len(sizes), 2000) or [0]:
            last = at + 2000 >= len(sizes)
            if sizes or self.announced:
                self._send(wire.CHANGES, logs=sizes[at:at + 2000], number=self.announced if last else 0)

    def push(self, chunk, size):
        """A live entry; where it cannot be pushed, `_announce` will name it."""
        name = chunk.log
        message = {"chunks": [vars(chunk)], "number": self.store.number}
        if (not self.ready or self.announced != self.store.number - 1 or self.known.get(name, 0) >= size
                or len(wire.encode(wire.CHUNKS, **message)) + 5 > min(self.credit, 1_048_580)):
            return
        self.announced = self.store.number
        self.known[name] = size
        self._send(wire.CHUNKS, **message)

    # What comes.

    def _message(self, kind, body):
        if kind not in wire.MESSAGES:
            return
        message = wire.decode(kind, body)
        self.log(f"<- {wire.MESSAGES[kind][0]} {len(body)}")
        if kind == wire.GOODBYE:
            raise Closed(f"peer's goodbye, reason {message['reason']}, violation {message['violation']}")
        if (self.peer is None) != (kind == wire.HELLO):
            raise Closed("helloMissing" if self.peer is None else "secondHello", True)
        if kind in (wire.CHUNKS, wire.BODIES):
            self.granted -= len(body) + 5
            if self.granted < 0:
                raise Closed("overCredit", True)
        if kind == wire.HELLO and min(message["version"], 1) < max(message["oldest_version"], 1):
            raise Closed("noVersion", reason=NO_VERSION)
        wire.check(kind, message)
        if kind not in (wire.KEEP_ALIVE, wire.CREDIT):
            self.busy = True
        getattr(self, "_" + wire.MESSAGES[kind][0])(message)
        if kind in (wire.CHUNKS, wire.BODIES) and not self.closed:
            self.granted += len(body) + 5
            self._send(wire.CREDIT, bytes=len(body) + 5)

    def _Hello(self, m):
        self.peer = m
        self.credit = m["credit"]
        if m["scope"] and m["scope"]["identities"]:
            raise Closed("scope", reason=NO_SCOPE)
        self._say_hello()
        if m["own_log"]:
            size = self.store.servable(m["own_log"])
            log = self.store.logs.get(m["own_log"])
            self._send(wire.OWN_LOG, log=m["own_log"], size=size, root=log.root if size else b"")
            self.known[m["own_log"]] = size

    def _OwnLog(self, m):
        own = self.store.own
        if self.own_answered or m["log"] != own.log:
            raise Closed("unaskedAnswer", True)
        self.own_answered = True
        log = self.store.logs.get(own.log)
        held = log.size if log else 0
        if m["size"] > held or m["size"] and range_of([e.id for e in log.entries], 0, m["size"]).root() != m["root"]:
            self.store.stopped_signing = True
            self.log("the peer holds another or a longer own log: no more is signed")
        else:
            self.store.own_confirmed = True
            self.known[own.log] = m["size"]

    def _lacks(self, name, size):
        """Whether a log of which the peer says that it holds `size` is to be asked for now."""
        self.known[name] = max(size, self.known.get(name, 0))
        log = self.store.logs.get(name)
        if self.store.own and name == self.store.own.log:
            return False
        if name in self.disputes or log and (log.forked or log.size >= size):
            return False
        if name in self.wants or self.node.asked(name):
            return False
        if log and len(log.entries) >= size:
            # Proven that far, but no head of the size: only the entries after the head held bring one.
            self._forget_unheld(log)
        return True

    def _forget_unheld(self, log):
        log.entries = log.entries[:log.size]
        log.range = range_of([entry.id for entry in log.entries], 0, log.size)

    def _want(self, *names):
        wants = []
        for name in names:
            log = self.store.logs.get(name)
            self.wants[name] = (len(log.entries) if log else 0, self.now)
            wants.append({"log": name, "from": self.wants[name][0], "certificate": log is None})
        for at in range(0, len(wants), 1024):
            self._send(wire.WANT, wants=wants[at:at + 1024])

    def _Changes(self, m):
        self._want(*dict.fromkeys(one["log"] for one in m["logs"] if self._lacks(one["log"], one["size"])))

    def _Comparison(self, m):
        if not self.compare or m["page"] != self.compare["page"]:
            raise Closed("unaskedAnswer", True)
        page, self.compare = self.compare, None
        for one in m["logs"]:
            if one["log"] <= page["after"] or page["through"] and one["log"] > page["through"]:
                raise Closed("impossiblePage", True)
        self.compare_brought |= bool(m["logs"])
        self._Changes(m)
        through = m["logs"][-1]["log"] if len(m["logs"]) == 16_384 else page["through"]
        if through:
            self._send_compare(through)
        else:
            self.compare_next = self.now + (0 if self.compare_brought else self.compare_wait)
            self.compare_wait = 1 if self.compare_brought else min(86_400, 2 * self.compare_wait)

    def _consider_comparison(self):
        heard = self.peer_keep_alive
        if (self.initiator and self.quiet and heard and heard["quiet"] and self.now >= self.compare_next
                and (heard["fingerprint"], heard["count"]) != self.store.fingerprint()):
            self.compare_brought = False
            self._send_compare(b"")

    def _send_compare(self, after):
        self.page += 1
        names = sorted(name for name in self.store.held() if name > after)
        through = names[1999] if len(names) > 2000 else b""
        logs = [{"log": name, "size": size} for name in names[:2000] if (size := self.store.servable(name))]
        self.compare = {"page": self.page, "after": after, "through": through}
        self._send(wire.COMPARE, **self.compare, logs=logs)

    def _Compare(self, m):
        if self.initiator or m["page"] != self.compared + 1:
            raise Closed("impossiblePage", True)
        self.compared = m["page"]
        said = {one["log"]: one["size"] for one in m["logs"]}
        more = [{"log": name, "size": size} for name in sorted(self.store.held())
                if name > m["after"] and (not m["through"] or name <= m["through"])
                and (size := self.store.servable(name)) > said.get(name, 0)][:16_384]
        self._send(wire.COMPARISON, page=m["page"], logs=more)
        self._Changes(m)

    # Entries.

    def _Want(self, m):
        if len(self.serving) + len(m["wants"]) > 8192:
            raise Closed("tooManyQuestions", True)
        for one in m["wants"]:
            self.serving.append((one["log"], one["from"], one["certificate"]))

    def _serve(self):
        while self.serving or self.lacking:
            chunks, room, rest = [], min(ROOM, self.credit - 150_000), deque()
            if room < 100_000:
                return
            self.serving = deque(sorted(self.serving, key=self._age))
            while self.serving and room > 0 and len(chunks) < 4096:
                name, begin, certificate = self.serving.popleft()
                size = self.store.servable(name)
                if begin >= size:
                    self.lacking.append(name)
                    continue
                entries, end, used, before = self.store.logs[name].entries, begin, 1500, 0
                while end < size and (used <= room or end == begin):
                    used += len(pack_entry(entries[end], before))
                    before = entries[end].time
                    end += 1
                room -= used
                chunks.append(vars(self.store.logs[name].chunk(begin, end, certificate)))
                self.known[name] = max(self.known.get(name, 0), end)
                if end < size:
                    rest.append((name, end, False))
            self.serving.extend(rest)
            lacking, self.lacking = self.lacking[:4096], self.lacking[4096:]
            self._send(wire.CHUNKS, chunks=chunks, lacking=lacking)

    def _age(self, want):
        log = self.store.logs.get(want[0])
        return -min(log.entries[log.size - 1].time, wall()) if log and log.size else 0

    def _Chunks(self, m):
        for name in m["lacking"]:
            if name not in self.wants:
                continue
            del self.wants[name]
            self.node.unanswered(self, name)
        for one in m["chunks"]:
            self._chunk(Chunk(one["log"], one["start"], one["count"], one["size"], one["signature"], one["entries"],
                              one["right"], one["certificate"]))

    def _chunk(self, chunk):
        name, log = chunk.log, self.store.logs.get(chunk.log)
        asked = name in self.wants
        end = chunk.start + chunk.count
        if log and (log.forked or name in self.disputes):
            self.wants.pop(name, None)
            return
        if log and chunk.count and end <= len(log.entries) and end <= chunk.size:
            self.known[name] = max(self.known.get(name, 0), end)
            if asked and end == chunk.size:
                del self.wants[name]
                self._want_rest(name)
            return
        try:
            certificate, entries, grown = check_chunk(
                self.store.network, chunk, log.range if log else range_of([], 0, 0), log and log.certificate)
        except NotYet as why:
            if why.name == "prefixDiffers":
                self.wants.pop(name, None)
                self.disputes[name] = (chunk, why.entries)
                self._send(wire.PREFIX_WANTED, log=name, end=chunk.start)
                return
            self.known[name] = max(self.known.get(name, 0), chunk.size)
            if why.name == "certificateMissing" and (asked or chunk.start == 0):
                raise Closed("certificateMissing", True)
            elif asked and chunk.start < len(log.entries if log else ()) and end == chunk.size:
                del self.wants[name]
                self._want_rest(name)
            elif not asked and not self.node.asked(name):
                self._want(name)
            return
        complete = self.store.add_proven(certificate, entries, grown, chunk.size, chunk.signature, self)
        self.known[name] = max(self.known.get(name, 0), end)
        if asked and complete:
            del self.wants[name]
            self._want_rest(name)
        elif asked:
            self.wants[name] = (end, self.now)
        elif not complete:
            self._want(name)
        if complete:
            if self.announced == self.store.number - 1:
                self.announced = self.store.number
            if not asked:
                self.node.pushed(self, chunk, chunk.size)

    def _want_rest(self, name):
        size = self.known.get(name, 0)
        if self._lacks(name, size):
            self._want(name)

    def _PrefixWanted(self, m):
        log = self.store.logs.get(m["log"])
        nodes = b""
        if log and m["end"] <= self.store.servable(m["log"]):
            nodes = b"".join(range_of([entry.id for entry in log.entries], 0, m["end"]).nodes)
        self._send(wire.PREFIX, log=m["log"], end=m["end"], nodes=nodes)

    def _Prefix(self, m):
        chunk, entries = self.disputes.get(m["log"], (None, None))
        if not chunk or chunk.start != m["end"]:
            raise Closed("unaskedAnswer", True)
        log = self.store.logs[m["log"]]
        if judge_dispute(chunk, entries, log.certificate, m["nodes"]) == "lie":
            raise Closed("falseFork", True)
        del self.disputes[m["log"]]
        log.forked = True
        self.log("the writer of a log forked")

    # Bodies.

    def _ask_bodies(self):
        if self.wants or self.bodies_asked:
            return
        wants, count = {}, 0
        for name, seq in sorted(self.store.missing):
            if (name, seq) in self.bodies_refused or self.known.get(name, 0) <= seq or count == 1024:
                continue
            wants.setdefault(name, []).append(seq)
            self.bodies_asked.add((name, seq))
            count += 1
        if wants:
            self._send(wire.BODIES_WANTED, wants=[{"log": name, "sequences": seqs} for name, seqs in wants.items()])

    def _BodiesWanted(self, m):
        self.bodies_serving.extend((one["log"], seq) for one in m["wants"] for seq in one["sequences"])
        if len(self.bodies_serving) > MAX_UNANSWERED_BODIES:
            raise Closed("tooManyQuestions", True)

    def _serve_bodies(self):
        while self.bodies_serving:
            bodies, room = [], min(ROOM, self.credit - 150_000)
            if room < 100_000:
                return
            while self.bodies_serving and room > 0 and len(bodies) < 1024:
                name, seq = self.bodies_serving.popleft()
                payload = self.store.body(name, seq)
                bodies.append({"log": name, "sequence": seq, "payload": payload})
                room -= len(payload or b"") + 64
            self._send(wire.BODIES, bodies=bodies)

    def _Bodies(self, m):
        for one in m["bodies"]:
            place = (one["log"], one["sequence"])
            if place not in self.bodies_asked:
                raise Closed("unaskedAnswer", True)
            self.bodies_asked.discard(place)
            self.bodies_refused.add(place)
            if one["payload"] is not None and not self.store.put_body(*place, one["payload"]):
                raise Closed("wrongBody", True)

    # The rest.

    def _KeepAlive(self, m):
        self.peer_keep_alive = m
        if m["answer"]:
            self._keep_alive()
        self._consider_comparison()

    def _PeersWanted(self, m):
        if self.peers_answered is None or self.now - self.peers_answered >= 60:
            self.peers_answered = self.now
            self._send(wire.PEERS)

    def _Peers(self, m):
        pass

    def _Credit(self, m):
        self.credit += m["bytes"]
