"""What a side tells of its logs: the first list, what changes, live pushes, Items, and version 1's comparison
(sync.md §4, §6, §10, §13)."""

from . import listing, stages, wire
from .closed import Closed
from .identity import now as wall
from .reconciling import ITEMS_AT_ONCE

LIST_AT_ONCE, COMPARISON_AT_ONCE = 2000, 16_384     # logs in one message
LARGEST_PUSH = 262_144                              # bytes


class Announcing:
    """The part of a Session that announces, and that learns what the peer announces."""

    def _start_announcing(self):
        """Both Hellos are here: what the first list is."""
        store, peer = self.store, self.peer
        known = peer["cursor_store"] == store.id and peer["cursor_number"] <= store.number
        if known:
            self.listed = peer["cursor_number"]
        elif self.version >= 2 and stages.is_owed(known, self.hello_logs, peer["logs"]):
            self.listed, self.owes = self.hello_number, True
            if not self.initiator:
                self.send(wire.RECONCILE)
        else:
            self.listed, self.lists_all = 0, True

    def _announce(self):
        store = self.store
        waits = store.own_waits()
        if self.listed == store.number and (waits or not self.left_out):
            return
        logs = [(name, log) for name, log in store.named().items()
                if (log.change > self.listed or name == self.left_out) and self.is_news(log)]
        logs = listing.first_list(logs, wall()) if self.lists_all else listing.by_change(logs)
        sizes = [(log, one) for _, log in logs if (one := self.log_size(log))["size"] or one.get("root")]
        self.left_out = store.own.log if waits else None
        self.listed, self.lists_all = store.number, False
        for log, _ in sizes:
            self.note_told(log)
        sizes = [one for _, one in sizes]
        for at in range(0, len(sizes), LIST_AT_ONCE):
            last = at + LIST_AT_ONCE >= len(sizes)
            self.send(wire.CHANGES, logs=sizes[at:at + LIST_AT_ONCE], number=self._number() if last else 0)

    def _number(self):
        return 0 if self.owes else self.store.announceable()

    def push(self, chunk, size):
        """A live entry; where it cannot be pushed, `_announce` will name it."""
        name, log = chunk.log, self.store.logs[chunk.log]
        if log.words:
            return
        known = self.known.get(name, 0)
        if not self.ready or self.listed != self.store.number - 1 or known >= size or known < chunk.start:
            return
        message = {"chunks": [vars(chunk)], "number": self._number()}
        length = len(wire.encode(wire.CHUNKS, **message)) + 5
        if length > min(self.credit, LARGEST_PUSH):
            return
        self.listed = self.store.number
        self.known[name] = size
        self.node.served["pushes"] += 1
        self.send(wire.CHUNKS, **message)

    # What the peer has.

    def _Changes(self, m):
        self._hear_number(m["number"])
        self.learn(m["logs"])

    def _hear_number(self, number):
        if number and number < self.peer_number:
            raise Closed("numberWentBack", True)
        self.peer_number = max(number, self.peer_number)

    def learn(self, logs):
        """The peer says that it holds these; what of it is not here is asked for, or compared."""
        for one in logs:
            name = one["log"]
            if self.offers.get(name) != one:
                self.compared_logs.pop(name, None)
            self.offers[name] = one
            self.known[name] = max(one["size"], self.known.get(name, 0))
            if not self.hear(one):
                continue
            log = self.store.logs.get(name)
            if log:
                self.look_again(log)
            elif one["size"] and self._lacks(name, one["size"]):
                self.want(name)

    # Items (sync.md §13).

    def items_of(self, names, mind_known=False):
        """The logs as they are now, without those of which nothing may leave."""
        out, named = [], self.store.named()
        for log in (named[name] for name in names if name in named):
            one = self.log_size(log, root=True)
            if one.get("root") and (log.words or not (mind_known and self.known.get(log.name, 0) > one["size"])):
                out.append(one)
        return out

    def send_items(self, stage, logs, end):
        named = self.store.named()
        for one in logs:
            self.note_told(named[one["log"]])
        self.node.served["items"] += len(logs)
        pages = [logs[at:at + ITEMS_AT_ONCE] for at in range(0, len(logs), ITEMS_AT_ONCE)] or [[]]
        for index, page in enumerate(pages):
            self.send(wire.ITEMS, stage=stage, logs=page, end=end if index == len(pages) - 1 else 0)

    def run_over(self, carried):
        """A run of reconciliation is over; `carried`: with the whole, so that everything is announced."""
        if self.owes and not carried:
            self.listed, self.lists_all = 0, True       # what is left is told as in a first list
        self.owes = False

    def _Reconcile(self, m):
        self.reconciling.on_reconcile(m)

    def _ItemsWanted(self, m):
        self.reconciling.on_items_wanted(m)

    def _Items(self, m):
        self.reconciling.on_items(m)

    # When frontiers are compared (sync.md §10, §13).

    def _consider_comparison(self):
        heard = self.peer_keep_alive
        if (not self.initiator or not self.quiet or self.said_quiet is None or not heard or not heard["quiet"]
                or not self.only_words or self.now < self.compare_next
                or (heard["fingerprint"], heard["count"]) == self.store.fingerprint()):
            return
        self.compare_wait = 1 if self.compare_brought else self.compare_wait
        self.compare_next = self.now + self.compare_wait
        self.compare_wait = min(86_400, 2 * self.compare_wait)
        self.compare_brought = False
        if self.version >= 2:
            self.reconciling.begin_run()
            self.reconciling.advance()
        else:
            self._send_compare(b"")

    # The comparison of version 1.

    def _send_compare(self, after):
        self.page += 1
        names = sorted(name for name in self.store.held() if name > after and self.store.servable(name))
        through = names[LIST_AT_ONCE - 1] if len(names) > LIST_AT_ONCE else b""
        logs = [{"log": name, "size": self.store.servable(name)} for name in names[:LIST_AT_ONCE]]
        self.compare = {"page": self.page, "after": after, "through": through}
        self.send(wire.COMPARE, **self.compare, logs=logs)

    def _Comparison(self, m):
        if not self.compare:
            raise Closed("unaskedAnswer", True)
        page, self.compare = self.compare, None
        outside = any(one["log"] <= page["after"] or page["through"] and one["log"] > page["through"]
                      for one in m["logs"])
        if m["page"] != page["page"] or outside:
            raise Closed("impossiblePage", True)
        self.learn(m["logs"])
        through = m["logs"][-1]["log"] if len(m["logs"]) == COMPARISON_AT_ONCE else page["through"]
        if through:
            self._send_compare(through)

    def _Compare(self, m):
        if self.initiator or m["page"] != self.compared + 1:
            raise Closed("impossiblePage", True)
        self.compared = m["page"]
        said = {one["log"]: one["size"] for one in m["logs"]}
        more = [{"log": name, "size": size} for name in sorted(self.store.held())
                if name > m["after"] and (not m["through"] or name <= m["through"])
                and (size := self.store.servable(name)) > said.get(name, 0)][:COMPARISON_AT_ONCE]
        self.send(wire.COMPARISON, page=m["page"], logs=more)
        self.learn(m["logs"])
