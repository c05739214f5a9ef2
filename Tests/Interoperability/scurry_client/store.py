"""What a node holds, in memory, and its change numbers (sync.md, section 1)."""

import os

from . import carrying
from . import payload as payloads
from .fold import State, can_be_covered, folds_to_nothing, read
from .hashes import H
from .held import Log, Proof
from .identity import now
from .log import Entry, fingerprint, sign_head
from .settlement import end_of
from .tree import Range

REFUSED_FOR = 600_000           # milliseconds, in which a log that is not carried is left alone


class Store:
    def __init__(self, network):
        self.network = network
        self.id = os.urandom(16)
        self.number = 0
        self.logs = {}
        self.ends = {}              # id of the end of an account (log.md §8): a Log without certificate and entries
        self.refused = {}           # log that is not carried: until when it is left alone
        self.places = {}            # entry id: (log, seq)
        self.covered = set()
        self._deleted = set()       # (identity, entry id)
        self._fingerprint = None
        self.missing = set()        # (log, seq) of bodies that are wanted
        self.own = None             # a Device
        self.own_left = 0           # how much of the own log ever left (own-log.md §1: published)
        self.agreed = False         # a peer agreed since the start
        self.own_confirmed = False  # and no claim held the own entries back: they may leave
        self.claims = {}            # node id of a peer: until when its claim holds them back
        self.claimants = set()      # nodes that made a claim since the start: each is waited for once
        self.cursors = {}           # node id of a peer: (its store id, number)
        self.stopped_signing = False

    # What is held.

    def named(self):
        """Every log that has an item, and the ends of accounts."""
        return {name: log for name, log in (self.logs | self.ends).items() if log.item}

    def held(self):
        return {name: log for name, log in self.logs.items() if log.size and log.item}

    def sizes(self):
        return {name: log.size for name, log in self.held().items()}

    def leaves_alone(self, name):
        return self.refused.get(name, 0) > now()

    def ended(self, root_key):
        return end_of(self.network, root_key) in self.ends

    def servable(self, name):
        """How much of a log may be announced and served: of one that is held back nothing (own-log.md §1)."""
        return 0 if self.is_held_back(name) else self.shown(name)

    def shown(self, name):
        """How much of a log OwnLog shows, and bodies are given of."""
        log = self.logs.get(name)
        if not log or not log.item:
            return 0
        return min(log.size, self.own_left) if self.is_held_back(name) else log.size

    def is_held_back(self, name):
        """Whether entries of a log are here that never left."""
        log = self.own and name == self.own.log and self.logs.get(name)
        return bool(log and not self.own_confirmed and log.size > self.own_left)

    def fingerprint(self):
        if self._fingerprint is None:
            held = self.named()
            self._fingerprint = (fingerprint(log.item for log in held.values()), len(held))
        return self._fingerprint

    def items(self):
        """{(seconds, item): log}, of everything that is held."""
        return {(log.seconds, log.item): name for name, log in self.named().items()}

    def own_waits(self):
        """Whether own entries are here that may not leave yet."""
        log = self.own and self.logs.get(self.own.log)
        return bool(log and not self.own_confirmed and log.size > self.own_left and not self.stopped_signing)

    def announceable(self):
        """The greatest change number that may be called announced (own-log.md §1)."""
        return self.logs[self.own.log].change - 1 if self.own_waits() else self.number

    def confirm_own(self):
        """A peer agreed: what is here of the own log may leave."""
        self.own_confirmed = True
        self.own_left = self.logs[self.own.log].size if self.own.log in self.logs else 0

    def counted(self):
        for log in self.held().values():
            for entry in log.entries[:log.size]:
                if entry:
                    yield log.certificate.root, entry

    def state(self):
        return State(self.counted())

    # Changes.

    def add_proven(self, certificate, entries, grown, chunk, rest, source, left=None):
        """Entries that `chunk` proved, with the Range beside them; true if the head of that chunk is now held.

        `left`: the Range of what is left out before them."""
        log = self.logs.setdefault(certificate.log, Log(certificate))
        if left:
            log.leave_out(left)
        for entry in entries:
            self.places[entry.id] = (certificate.log, entry.seq)
            log.entries.append(entry)
        log.range = grown
        whole = grown.end == chunk.size
        if whole and chunk.signature:
            log.head, log.head_root, log.signature, log.pending = chunk.size, grown.root(), chunk.signature, None
        else:
            log.pending = Proof(chunk.size, chunk.signature, rest)
        if source is not None and self.own and certificate.log == self.own.log and whole:
            self.own_left = chunk.size      # what a peer has proven counts as published
        self.recount(log, source)
        return whole

    def add_missing(self, log, entries, rest):
        """Entries that were left out; `rest` is the Range of those that still are. No item changes."""
        log.fill(entries, rest)
        for entry in entries:
            self.places[entry.id] = (log.name, entry.seq)
        fresh = [entry for entry in entries if entry.seq < log.size]
        self.missing |= {(log.name, entry.seq) for entry in fresh if self.body_wanted(entry)}
        self._cover(log, fresh)

    def recount(self, log, source=None, replaced=False):
        """After anything of a log has changed: what counts of it, its item, and what follows."""
        before, was = log.size, log.item
        log.count()
        if log.item != was:
            self.number += 1
            log.change, log.source, self._fingerprint = self.number, source, None
        if log.size < before or replaced:
            self._refold()
        elif log.size > before:
            fresh = list(filter(None, log.entries[before:log.size]))
            self.missing |= {(log.name, entry.seq) for entry in fresh if self.body_wanted(entry)}
            self._cover(log, fresh)
        if log.certificate and log.item and not was:
            self._carry(log.certificate.root)

    def _carry(self, root_key):
        logs = [log for log in self.logs.values() if log.item and log.certificate.root == root_key]
        for log in logs if self.ended(root_key) else carrying.left_out(logs):
            self.forget(log)

    def forget(self, log):
        """Carries a log no more; the own one stays, without a vote."""
        self.refused[log.name] = now() + REFUSED_FOR
        log.carried, log.item, self._fingerprint = False, b"", None
        if self.own and log.name == self.own.log:
            self.stopped_signing = True
        else:
            del self.logs[log.name]
        self._refold()

    def _refold(self):
        """Which bodies are wanted and which entries deleted, from all that counts."""
        self.places = {entry.id: (log.name, entry.seq) for log in self.logs.values()
                       for entry in log.entries if entry}
        self._deleted, self.covered = set(), set()
        for log in self.held().values():
            self._cover(log, list(filter(None, log.entries[:log.size])))
        self.missing = {(log.name, entry.seq) for log in self.held().values() for entry in log.entries[:log.size]
                        if entry and self.body_wanted(entry)}

    # Settlements and evidence.

    def put_words(self, log, settlement, evidence, source):
        """Those that are given are in force from now on."""
        log.settlement, log.evidence = settlement or log.settlement, evidence or log.evidence
        if self.own and log.name == self.own.log:
            self.stopped_signing = True
        self.recount(log, source)

    def put_end(self, settlement, source):
        name = end_of(self.network, settlement.root_key)
        end = self.ends.setdefault(name, Log(None, name))
        end.settlement = settlement
        self.recount(end, source)
        if self.own and self.own.root == settlement.root_key:
            self.stopped_signing = True
        self._carry(settlement.root_key)

    def take_beside(self, log, source):
        """The settled history that was fetched beside takes the place of the stored one."""
        beside, log.beside = log.beside, None
        if log.head > beside.first:
            log.head, log.head_root, log.signature = 0, bytes(32), b""
        log.entries[beside.first:] = beside.entries
        log.range = beside.range
        log.pending = Proof(beside.settlement.size, b"", Range(log.range.end, log.range.end))
        self.recount(log, source, replaced=True)

    def _cover(self, log, entries):
        who = log.certificate.root
        names = {entry.id for entry in entries if (who, entry.id) in self._deleted}
        for entry in entries:
            if entry.kind == payloads.DELETE and not folds_to_nothing(entry):
                for target in (read(entry) or {}).get("entries", ()):
                    self._deleted.add((who, target))
                    names.add(target)
        for target in names:
            name, seq = self.places.get(target, (None, None))
            other = self.logs.get(name)
            if other and other.item and other.certificate.root == who and seq < other.size and can_be_covered(other.entries[seq]):
                self.covered.add(target)
                other.entries[seq].payload = None
                self.missing.discard((name, seq))

    # Bodies.

    def body_wanted(self, entry):
        return (entry.payload is None and entry.flags & 1 and entry.length <= 65_536
                and entry.id not in self.covered)

    def body(self, name, seq):
        entry = self.logs[name].entries[seq] if seq < self.shown(name) else None
        return entry and entry.payload

    def put_body(self, name, seq, payload):
        """False if the hash is another's."""
        log = self.logs.get(name)
        if not log or seq >= len(log.entries) or not log.entries[seq]:
            return True
        entry = log.entries[seq]
        if H("scurry/payload", payload) != entry.hash:
            return False
        if self.body_wanted(entry):
            entry.payload = payload
            self.missing.discard((name, seq))
            self._cover(log, [entry] if seq < log.size else [])
        return True

    # The own log.

    def write(self, kind, payload):
        """The new entry; the own Device must be set."""
        if self.stopped_signing:
            raise RuntimeError("no more is signed in this log")
        time = now()
        return self.append(self.own, kind, payload, time, self.state().next_clock(self.own.root, time))

    def append(self, device, kind, payload, time, clock):
        """A new entry of any device whose keys are here; time and clock in milliseconds."""
        log = self.logs.setdefault(device.log, Log(device.certificate))
        entry = Entry(device.log, len(log.entries), kind, payloads.ERASABLE[kind], time, clock, payload)
        grown = log.range.copy()
        grown.append(entry.id)
        signature = sign_head(device.secret, self.network, device.log, grown.end, grown.root())
        self.add_proven(device.certificate, [entry], grown, Proof(grown.end, signature, None), None, None)
        return entry

    def withhold_bodies(self):
        """Forgets every payload that may be erased: a node that only has the erased forms."""
        for name, log in self.held().items():
            for entry in log.entries[:log.size]:
                if entry and entry.flags & 1:
                    entry.payload = None
                    self.missing.add((name, entry.seq))
