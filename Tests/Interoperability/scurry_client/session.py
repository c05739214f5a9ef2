"""What two nodes say (sync.md), without a socket or a clock of its own: bytes in, bytes out, `tick` with the time.

Here are the connection's states and its words; `announcing`, `words`, `entries`, `disputes`, `bodies`, `owning` and
`reconciling` have the rest.
Times are seconds of a clock that only goes forward."""

from collections import deque

from . import wire
from .announcing import Announcing
from .answering import Answering
from .bodies import Bodies
from .channel import Channel, ChannelError
from .closed import NO_SCOPE, NO_VERSION, ONESELF, STOPPING, Closed
from .disputes import Disputes
from .entries import Entries
from .hashes import Refused
from .owning import Owning
from .reconciling import Reconciling
from .windows import Windows
from .words import Words

CREDIT = 4 * 1_048_576      # bytes
WINDOWS = 1
FEATURES = (WINDOWS,)       # numbers of sync.md §3
HANDSHAKE, SILENCE, KEEP_ALIVE_TIME, QUIET_AFTER = 10, 90, 30, 0.2
ANSWER_TIME, ANSWER_TIME_WHILE_HEARD = 20, 120
ENOUGH_CREDIT = 1_048_576   # bytes that a peer must have that owes an answer
OLDEST = 1
WORDS = (wire.KEEP_ALIVE, wire.CREDIT, wire.HELLO, wire.GOODBYE, wire.PEERS_WANTED, wire.PEERS, wire.BRANCH)
ANSWERS = (wire.OWN_LOG, wire.CHUNKS, wire.PREFIX, wire.BODIES, wire.COMPARISON, wire.RECONCILE, wire.ITEMS,
           wire.NODES)
SINCE_VERSION_2 = (wire.RECONCILE, wire.ITEMS_WANTED, wire.ITEMS, wire.NODES_WANTED, wire.NODES, wire.BRANCH)


class Session(Announcing, Words, Entries, Windows, Disputes, Bodies, Owning):
    def __init__(self, node, initiator, expected=None, started=0.0):
        self.node, self.store, self.initiator = node, node.store, initiator
        self.channel = Channel(initiator, node.private, node.store.network, expected)
        self.started = self.heard = self.said = self.now = started
        self.closed = None                  # a Closed
        self.lingers = None                 # after the Goodbye: until when the peer's end is waited for
        self.log = node.trace

        self.hello_sent = False
        self.hello_number = self.hello_logs = 0     # of this side's Hello
        self.peer = None                    # the peer's Hello
        self.version = None                 # in which both go on
        self.own_answered = not self.store.own
        self.claim = None                   # of the own log: from where its proof was asked for
        self.claimed = 0                    # and the size that the peer said
        self.claim_shown = False            # it lacks the entries, and was asked for its range and head
        self.peer_number = 0                # the last that the peer gave
        self.peer_keep_alive = None
        self.only_words = False             # passed since the peer's last KeepAlive
        self.disturbed = started            # when the last message passed that is no word
        self.said_quiet = None              # the number of this side's last quiet KeepAlive since then
        self.progress = started             # when the peer last sent a part of an answer
        self.peers_answered = None

        self.listed = None                  # the change number up to which all was told; None before the first list
        self.lists_all = False              # the next list is the whole first one
        self.left_out = None                # the own log, while it waits
        self.owes = False                   # a whole reconciliation stands in for the first list
        self.was_asked = False              # by the accepting side, for a run
        self.known = {}                     # log: how much of it the peer is known to hold
        self.reconciling = (Reconciling if initiator else Answering)(self)
        self.compare = None                 # of the dialler: the page in flight
        self.compare_wait, self.compare_next, self.compare_brought = 1, 0.0, False
        self.compared = 0                   # of the other: the last page
        self.page = 0                       # of the dialler: the last page, over all comparisons

        self.credit = 0                     # bytes that may be sent
        self.granted = CREDIT               # bytes that the peer may send
        self.taken = 0                      # bytes of what came and was stored or refused, to be given back
        self.to_ask = {}                    # logs, in order
        self.wants = {}                     # log: where the next answering chunk starts
        self.newest_asked = set()           # those of them of which the newest entries will do
        self.gaps_asked = {}                # log: where the next chunk of what was left out starts
        self.gaps_lacking = {}              # log: when what was left out may be asked for again, and the wait after that
        self.serving = deque()              # a Wanted each
        self.lacking = []
        self.lacking_before = []
        self.bodies_asked = set()
        self.bodies_refused = set()
        self.bodies_serving = deque()
        self.settled_asked = set()          # logs of which the settled history is asked for

        self.offers = {}                    # log: the LogSize by which the peer last named it
        self.left_too_much = set()          # logs that are asked of this peer in whole (sync.md §9)
        self.told_words = {}                # log: the words that the peer last said or was told (Log.words)
        self.disputes = {}                  # log: a Dispute
        self.dispute_later = {}             # log: what compare_log is to be called with
        self.compared_logs = {}             # log: how often it was compared, since more was known of it
        self.compared_so = set()            # the questions that follow from what was named, and what was here
        self.apart = set()                  # logs that are not asked of this peer any more

    # In and out.

    @property
    def windows(self):
        """Whether both sides know windows."""
        return self.version == 2 and WINDOWS in FEATURES and bool(self.peer) and WINDOWS in self.peer["features"]

    @property
    def ready(self):
        return self.listed is not None and not self.closed

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
            self.close(Closed(error.name, error.violation, ONESELF if error.name == "connectedToSelf" else None))
        except Refused as error:
            self.close(Closed(error.name, True))
        except Closed as error:
            self.close(error)

    def tick(self, now):
        if self.closed:
            return
        self.now = now
        try:
            if self.peer is None and now - self.started > HANDSHAKE:
                raise Closed("handshakeTime")
            if self.peer is None:
                return
            if now - self.heard > SILENCE:
                raise Closed("silence")
            if not self._owed_an_answer:
                self.progress = now
            patient = now - self.heard < ANSWER_TIME or self.reconciling.waits_for_first
            limit = ANSWER_TIME_WHILE_HEARD if patient else ANSWER_TIME
            if now - self.progress > limit and self.granted > ENOUGH_CREDIT:
                raise Closed("noAnswer")
            self._advance()
            if now - self.said >= KEEP_ALIVE_TIME:
                self._keep_alive()
        except Closed as error:
            self.close(error)

    @property
    def _owed_an_answer(self):
        return bool(self.claim is not None or self.claim_shown or self.wants or self.gaps_asked or self.bodies_asked or self.disputes or self.compare
                    or not self.own_answered or self.reconciling.waits)

    def close(self, closed):
        if self.closed:
            return
        self.closed = closed
        if closed.reason and self.channel.open:
            self.send(wire.GOODBYE, reason=closed.reason,
                      violation=wire.VIOLATIONS[closed.name] if closed.violation else 0, last=True)
        self.log(f"closed: {closed.name}")

    def goodbye(self, reason=STOPPING):
        self.close(Closed("goodbye", reason=reason))

    def send(self, kind, last=False, **fields):
        if self.closed and not last:
            return
        body = wire.encode(kind, **fields)
        self.log(wire.shown("->", kind, len(body), fields))
        if kind in (wire.CHUNKS, wire.BODIES):
            self.credit -= len(body) + 5
        if kind not in WORDS:
            self._disturb()
        self.channel.send(kind, body)

    def _disturb(self):
        self.disturbed, self.said_quiet, self.only_words = self.now, None, False

    # The order of things.

    def _advance(self):
        if not self.channel.open or self.closed:
            return
        self._say_hello()
        if not self.peer:
            return
        if self.taken:
            self.granted, taken, self.taken = self.granted + self.taken, self.taken, 0
            self.send(wire.CREDIT, bytes=taken)
        self.release_own()
        self._announce()
        self._ask()
        self._ask_gaps()
        self.reconciling.advance()
        self._serve()
        self._ask_bodies()
        self._serve_bodies()
        if self.quiet and self.said_quiet != self.store.number and self.now - self.disturbed >= QUIET_AFTER:
            self._keep_alive()
        self._consider_comparison()

    def _say_hello(self):
        if self.hello_sent:
            return
        self.hello_sent, self.said = True, self.now
        own = self.store.own
        self.hello_number, self.hello_logs = self.store.number, self.store.fingerprint()[1]
        cursor_store, cursor_number = self.store.cursors.get(self.channel.peer, (b"", 0))
        self.send(wire.HELLO, version=self.node.version, oldest_version=OLDEST, store=self.store.id,
                  number=self.hello_number, features=FEATURES if self.node.version >= 2 else (),
                  cursor_store=cursor_store, cursor_number=cursor_number, own_log=own.log if own else b"", agent="scurry-python", listen_port=self.node.listen_port,
                  credit=CREDIT, logs=self.hello_logs if self.node.version >= 2 else 0)

    @property
    def nothing_open(self):
        """Nothing of what the peer offered or wants is open (sync.md §13)."""
        return not (self.claim is not None or self.claim_shown or self.wants or self.to_ask or self.disputes or self.serving
                    or self.lacking or self.lacking_before or self.dispute_later)

    @property
    def quiet(self):
        return (self.nothing_open and self.listed == self.store.number and not self.store.own_waits()
                and not self.left_out and self.own_answered and not self.bodies_asked and not self.gaps_asked and not self.bodies_serving
                and not self.compare and not self.reconciling.busy)

    @property
    def converged(self):
        """Both quiet, with the same fingerprint."""
        heard = self.peer_keep_alive
        return bool(not self.closed and self.ready and self.quiet and heard and heard["quiet"]
                    and (heard["fingerprint"], heard["count"]) == self.store.fingerprint())

    def _keep_alive(self):
        mine, count = self.store.fingerprint()
        quiet = self.ready and self.quiet
        self.said = self.now
        self.send(wire.KEEP_ALIVE, fingerprint=mine, count=count, number=self.store.number, quiet=quiet)
        if quiet:
            self.said_quiet = self.store.number

    # What comes.

    def _message(self, kind, body):
        if kind not in wire.MESSAGES or kind in SINCE_VERSION_2 and (self.version or self.node.version) < 2:
            return
        message = wire.decode(kind, body)
        self.log(wire.shown("<-", kind, len(body), message))
        if kind == wire.GOODBYE:
            raise Closed(f"peer's goodbye, reason {message['reason']}, violation {message['violation']}")
        wire.check(kind, message)
        if (self.peer is None) != (kind == wire.HELLO):
            raise Closed("helloMissing" if self.peer is None else "secondHello", True)
        if kind in (wire.CHUNKS, wire.BODIES):
            self.granted -= len(body) + 5
            if self.granted < 0:
                raise Closed("overCredit", True)
        if kind not in WORDS:
            self._disturb()
        if kind in ANSWERS:
            self.progress = self.now
        getattr(self, "_" + wire.MESSAGES[kind][0])(message)
        if kind in (wire.CHUNKS, wire.BODIES):
            self.taken += len(body) + 5

    def _Hello(self, m):
        self._say_hello()
        self.version = min(self.node.version, m["version"])
        if self.version < max(OLDEST, m["oldest_version"]):
            raise Closed("noVersion", reason=NO_VERSION)
        if m["scope"] and m["scope"]["identities"]:
            raise Closed("scope", reason=NO_SCOPE)
        self.peer, self.credit = m, m["credit"]
        name = m["own_log"]
        if name:
            size = self.store.shown(name)
            self.send(wire.OWN_LOG, log=name, size=size, root=self.store.logs[name].root_at(size) if size else b"")
            self.known[name] = size
        self._start_announcing()

    # Words.

    def _KeepAlive(self, m):
        if m["quiet"]:
            self._hear_number(m["number"])
            if self.nothing_open:
                self.store.cursors[self.channel.peer] = (self.peer["store"], m["number"])
        self.peer_keep_alive, self.only_words = m, True
        if m["answer"]:
            self._keep_alive()

    def _PeersWanted(self, m):
        if self.peers_answered is None or self.now - self.peers_answered >= 60:
            self.peers_answered = self.now
            self.send(wire.PEERS)

    def _Peers(self, m):
        raise Closed("unaskedAnswer", True)     # this node never asks

    def _Credit(self, m):
        self.credit = min(2**40, self.credit + m["bytes"])

    def _Branch(self, m):
        pass                                    # this node knows of no branches
