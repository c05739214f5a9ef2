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

    def chunk(self, start, end, certificate):
        ids = [entry.id for entry in self.entries[:self.size]]
        return Chunk(self.certificate.log, start, end - start, self.size, self.signature,
                     pack(self.entries[start:end]), b"".join(range_of(ids, end, self.size).nodes),
                     self.certificate.bytes if certificate or start == 0 else b"")


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
        self.own_left = 0           # how much of the own log ever left
        self.own_confirmed = False  # a peer answered OwnLog since the start
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
            self._fingerprint = (fingerprint(item(name, log.size, log.root) for name, log in held.items()), len(held))
        return self._fingerprint

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
        before, log.size, log.root, log.signature, log.source = log.size, size, grown.root(), signature, source
        self._changed(log)
        self.missing |= {(certificate.log, entry.seq) for entry in log.entries[before:size] if self.body_wanted(entry)}
        self._cover(log, log.entries[before:size])
        return True

    def _changed(self, log):
        self.number += 1
        log.change = self.number
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
        own = self.own
        log = self.logs.setdefault(own.log, Log(own.certificate))
        time = now()
        entry = Entry(own.log, len(log.entries), kind, payloads.ERASABLE[kind], time,
                      self.state().next_clock(own.root, time), payload)
        grown = log.range.copy()
        grown.append(entry.id)
        signature = sign_head(own.secret, self.network, own.log, grown.end, grown.root())
        self.add_proven(own.certificate, [entry], grown, grown.end, signature, None)
        return entry
