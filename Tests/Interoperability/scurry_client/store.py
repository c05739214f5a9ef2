"""What a node holds, in memory, and its change numbers (sync.md, section 1)."""

import os

from . import payload as payloads
from .fold import State, can_be_covered, folds_to_nothing, read
from .hashes import H
from .identity import now
from .log import Chunk, Entry, fingerprint, item, pack, sign_head
from .tree import Range, range_of


class Log:
    def __init__(self, certificate):
        self.certificate = certificate
        self.entries = []           # every proven one
        self.range = Range()        # of all of them
        self.size = 0               # held: of the greatest head whose last entry is here
        self.root = bytes(32)
        self.signature = b""
        self.change = 0
        self.source = None          # whom the last change came from
        self.forked = False
        self.item = b""             # log.md §8

    @property
    def seconds(self):
        """The time of the last entry held, as reconciliation counts it (sync.md §13)."""
        return min(self.entries[self.size - 1].time // 1000, 2**32 - 1)

    def chunk(self, start, end, certificate):
        ids = [entry.id for entry in self.entries[:self.size]]
        return Chunk(self.certificate.log, start, end - start, self.size, self.signature,
                     pack(self.entries[start:end]), b"".join(range_of(ids, end, self.size).nodes),
                     self.certificate.bytes if certificate else b"")


class Store:
    def __init__(self, network):
        self.network = network
        self.id = os.urandom(16)
        self.number = 0
        self.logs = {}
        self.places = {}            # entry id: (log, seq)
        self.covered = set()
        self._deleted = set()       # (identity, entry id)
        self._fingerprint = None
        self.missing = set()        # (log, seq) of bodies that are wanted
        self.own = None             # a Device
        self.own_left = 0           # how much of the own log ever left (sync.md §3: published)
        self.agreed = False         # a peer agreed since the start
        self.own_confirmed = False  # and no claim held the own entries back: they may leave
        self.claims = {}            # node id of a peer: until when its claim holds them back
        self.cursors = {}           # node id of a peer: (its store id, number)
        self.stopped_signing = False

    # What is held.

    def held(self):
        return {name: log for name, log in self.logs.items() if log.size}

    def sizes(self):
        return {name: log.size for name, log in self.held().items()}

    def servable(self, name):
        """How much of a log may leave."""
        log = self.logs.get(name)
        if not log:
            return 0
        if self.own and name == self.own.log and not self.own_confirmed:
            return self.own_left
        return log.size

    def fingerprint(self):
        if self._fingerprint is None:
            held = self.held()
            self._fingerprint = (fingerprint(log.item for log in held.values()), len(held))
        return self._fingerprint

    def items(self):
        """{(seconds, item): log}, of everything that is held."""
        return {(log.seconds, log.item): name for name, log in self.held().items()}

    def own_waits(self):
        """Whether own entries are here that may not leave yet."""
        log = self.own and self.logs.get(self.own.log)
        return bool(log and not self.own_confirmed and log.size > self.own_left and not self.stopped_signing)

    def announceable(self):
        """The greatest change number that may be called announced (sync.md §3)."""
        return self.logs[self.own.log].change - 1 if self.own_waits() else self.number

    def confirm_own(self):
        """A peer agreed: what is here of the own log may leave."""
        self.own_confirmed = True
        self.own_left = self.logs[self.own.log].size if self.own.log in self.logs else 0

    def counted(self):
        for log in self.logs.values():
            for entry in log.entries[:log.size]:
                yield log.certificate.root, entry

    def state(self):
        return State(self.counted())

    # Changes.

    def add_proven(self, certificate, entries, grown, size, signature, source):
        """Entries that a chunk proved; true if the head of that chunk is now held."""
        log = self.logs.setdefault(certificate.log, Log(certificate))
        for entry in entries:
            self.places[entry.id] = (certificate.log, entry.seq)
            log.entries.append(entry)
        log.range = grown
        if grown.end != size:
            return False
        if source is not None and self.own and certificate.log == self.own.log:
            self.own_left = size        # what a peer has proven counts as published
        before, log.size, log.root, log.signature, log.source = log.size, size, grown.root(), signature, source
        self._changed(log)
        self.missing |= {(certificate.log, entry.seq) for entry in log.entries[before:size] if self.body_wanted(entry)}
        self._cover(log, log.entries[before:size])
        return True

    def _changed(self, log):
        self.number += 1
        log.change = self.number
        log.item = item(log.certificate.log, log.size, log.root)
        self._fingerprint = None

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
            if other and other.certificate.root == who and seq < other.size and can_be_covered(other.entries[seq]):
                self.covered.add(target)
                other.entries[seq].payload = None
                self.missing.discard((name, seq))

    # Bodies.

    def body_wanted(self, entry):
        return (entry.payload is None and entry.flags & 1 and entry.length <= 65_536
                and entry.id not in self.covered)

    def body(self, name, seq):
        return self.logs[name].entries[seq].payload if seq < self.servable(name) else None

    def put_body(self, name, seq, payload):
        """False if the hash is another's."""
        log = self.logs.get(name)
        if not log or seq >= len(log.entries):
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
            raise RuntimeError("a peer holds more of the log than this store: it is an old copy")
        time = now()
        return self.append(self.own, kind, payload, time, self.state().next_clock(self.own.root, time))

    def append(self, device, kind, payload, time, clock):
        """A new entry of any device whose keys are here; time and clock in milliseconds."""
        log = self.logs.setdefault(device.log, Log(device.certificate))
        entry = Entry(device.log, len(log.entries), kind, payloads.ERASABLE[kind], time, clock, payload)
        grown = log.range.copy()
        grown.append(entry.id)
        signature = sign_head(device.secret, self.network, device.log, grown.end, grown.root())
        self.add_proven(device.certificate, [entry], grown, grown.end, signature, None)
        return entry

    def withhold_bodies(self):
        """Forgets every payload that may be erased: a node that only has the erased forms."""
        for name, log in self.held().items():
            for entry in log.entries[:log.size]:
                if entry.flags & 1:
                    entry.payload = None
                    self.missing.add((name, entry.seq))
