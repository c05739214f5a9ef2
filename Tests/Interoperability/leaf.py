"""A leaf (protocol/client.md) in one file: calls one node, reads all logs, writes one, and serves that alone.

    python leaf.py HOST:PORT NETWORK HOME

Each line of the standard input is a post; at its end the leaf says goodbye. What comes is one JSON object a line. HOME is
its own directory. Needs the packages of requirements.txt. It is an example: it dials once, does not look after its node's
key, keeps of others' logs nothing but what it prints, and reads no more of a payload than the text of a post and what a
delete names: the rules of payload.md it does not check.
"""
import argparse
import base64
import collections
import fcntl
import hashlib
import json
import os
import pathlib
import select
import socket
import sys
import time

import nacl.bindings
import nacl.exceptions
import nacl.signing
from cryptography.exceptions import InvalidTag
from noise.connection import Keypair, NoiseConnection

HELLO, OWN_LOG, CHANGES, WANT, CHUNKS, PREFIX_WANTED, PREFIX, BODIES_WANTED, BODIES, KEEP_ALIVE = range(1, 11)
PEERS_WANTED, PEERS, CREDIT, GOODBYE, BRANCH = 13, 14, 15, 16, 23
# What disturbs nobody's quiet (sync.md §10).
WORDS = {HELLO, KEEP_ALIVE, PEERS_WANTED, PEERS, CREDIT, GOODBYE, BRANCH}
NONE = 2**64 - 1


# README.md §2 to §5

def H(tag, data):
    return hashlib.blake2b(data, digest_size=32, person=tag.encode()).digest()


def u(n, size):
    return n.to_bytes(size, "big")


def tell(**what):
    print(json.dumps(what), flush=True)


def b32(data):
    return base64.b32encode(data).decode().lower().rstrip("=")


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def zigzag(d):
    d = (d + 2**63) % 2**64 - 2**63
    return varint(2 * d if d >= 0 else -2 * d - 1)


def read_varint(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return n, at


# proto3: fields as {number: [values]}

def field(number, value):
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value else b""
    return varint(number << 3 | 2) + varint(len(value)) + value if value else b""


def fields(data):
    out, at = {}, 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if tag & 7 == 0:
            value, at = read_varint(data, at)
        elif tag & 7 == 2:
            length, at = read_varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            size = {1: 8, 5: 4}[tag & 7]
            value, at = data[at:at + size], at + size
        out.setdefault(tag >> 3, []).append(value)
    return out


def one(message, number, default=0):
    return message.get(number, [default])[-1]


def numbers(message, number):
    out = []
    for value in message.get(number, []):
        if isinstance(value, int):
            out.append(value)
            continue
        at = 0
        while at < len(value):
            n, at = read_varint(value, at)
            out.append(n)
    return out


# log.md §3, §4: a range is (a, b, nodes)

def node(left, right):
    return H("scurry/node", left + right)


def pieces(a, b):
    """(begin, leaves) of each perfect subtree of [a, b)."""
    out = []
    while a < b:
        size = a & -a or 1 << 40
        while a + size > b:
            size >>= 1
        out.append((a, size))
        a += size
    return out


def join(left, right):
    (a, b, first), (_, c, second) = left, right
    parts = [(at, size, h) for (at, size), h in zip(pieces(a, b) + pieces(b, c), first + second)]
    merged = []
    for part in parts:
        merged.append(part)
        while len(merged) > 1:
            (p, m, h), (q, n, g) = merged[-2:]
            if m != n or p % (2 * m) or q != p + m:
                break
            merged[-2:] = [(p, 2 * m, node(h, g))]
    return a, c, [h for _, _, h in merged]


def root(r):
    if not r[2]:
        return bytes(32)
    total = r[2][-1]
    for h in reversed(r[2][:-1]):
        total = node(h, total)
    return total


def appended(before, entries):
    for entry in entries:
        before = join(before, (before[1], before[1] + 1, [entry[0]]))
    return before


def split(data):
    return [data[i:i + 32] for i in range(0, len(data), 32)]


# log.md §1, §2

def header(log, seq, kind, flags, time_, clock, length, digest, version=1):
    return (bytes([version, flags]) + u(kind, 2) + log + u(seq, 8) + u(time_, 8) + u(clock, 8) + u(length, 4) + digest)


def strict_varint(data, at):
    """README.md §3: the shortest, of 64 bits at most."""
    n, end = read_varint(data, at)
    if varint(n) != data[at:end] or n >= 2**64:
        raise ValueError("malformed entries")
    return n, end


def unpack(data, count, log, start):
    """[(id, kind, flags, time, payload hash, payload or None)]"""
    out, at, before = [], 0, 0
    for seq in range(start, start + count):
        shape = data[at]
        at += 1
        version, flags = 1, shape >> 1 & 1
        if shape & 4:
            version, flags, at = data[at], data[at + 1], at + 2
        kind, at = strict_varint(data, at)
        difference, at = strict_varint(data, at)
        moment = (before + (difference >> 1 ^ -(difference & 1))) % 2**64
        difference, at = strict_varint(data, at)
        clock = (moment + (difference >> 1 ^ -(difference & 1))) % 2**64
        length, at = strict_varint(data, at)
        withheld, payload = shape & 1, None
        size = 32 if withheld else length
        given, at = data[at:at + size], at + size
        if (shape > 7 or shape & 6 == 6 or shape & 4 and version == 1 and flags < 2 or kind > 65_535 or length >= 2**32
                or len(given) != size or length > 65_536 and not withheld
                or withheld and not flags & 1 and length <= 65_536):
            raise ValueError("malformed entries")
        if not withheld:
            payload = given
        digest = given if withheld else H("scurry/payload", payload)
        out.append((H("scurry/entry", header(log, seq, kind, flags, moment, clock, length, digest, version)), kind, flags,
                    moment, digest, payload))
        before = moment
    if at != len(data):
        raise ValueError("trailing bytes")
    return out


def item(log, size, tree):
    """log.md §8, of a log without settlement and evidence."""
    return H("scurry/item", log + u(size, 8) + tree + u(NONE, 8) + u(NONE, 8) + bytes(32))


class Log:
    """One that is read: certificate, [0, end), the entries that wait for their head, and the item of those that do not."""

    def __init__(self):
        self.certificate, self.range, self.waiting, self.item = None, (0, 0, []), [], None
        # The most that was offered; where the next chunk of the answer is due, None where no Want is open.
        self.offered, self.due = 0, None
        # The history of the node is another: nothing more of it is asked or taken on this connection.
        self.differs = False

    @property
    def end(self):
        return self.range[1]


class Own:
    """What must outlive the process, in one file that is replaced whole."""

    def __init__(self, home, network):
        self.path = pathlib.Path(home) / "leaf.json"
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Two that write one log would fork it.
        self.lock = open(self.path.with_suffix(".lock"), "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if self.path.exists():
            self.state = json.loads(self.path.read_text())
        else:
            person, device = nacl.signing.SigningKey.generate(), nacl.signing.SigningKey.generate()
            body = (network + bytes(person.verify_key) + bytes(device.verify_key) + os.urandom(32)
                    + u(int(time.time() * 1000), 8))
            certificate = body + person.sign(b"scurry certificate v1" + body).signature
            self.state = {"node": os.urandom(32).hex(), "device": bytes(device).hex(), "root": bytes(person).hex(),
                          "certificate": certificate.hex(), "entries": [], "published": 0, "clock": 0, "stopped": False}
            self.save()
        self.network = network
        self.device = nacl.signing.SigningKey(bytes.fromhex(self.state["device"]))
        self.certificate = bytes.fromhex(self.state["certificate"])
        self.log = H("scurry/log", self.certificate[:136])
        if self.state["published"] > self.size:
            self.stop()

    def save(self):
        new = self.path.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(self.state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path)
        directory = os.open(self.path.parent, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)

    @property
    def size(self):
        return len(self.state["entries"])

    def range(self, begin, end):
        """The compact range of [begin, end)."""
        total = (begin, begin, [])
        for seq in range(begin, end):
            total = join(total, (seq, seq + 1, [bytes.fromhex(self.state["entries"][seq]["id"])]))
        return total

    @property
    def stopped(self):
        return self.state["stopped"]

    def number(self):
        """The own log's item, as it is added up (log.md §9)."""
        return int.from_bytes(item(self.log, self.size, root(self.range(0, self.size))), "little")

    def stop(self):
        """For good: how to go on is for the person to decide (identity.md §7)."""
        self.state["stopped"] = True
        self.save()

    def post(self, text):
        now = int(time.time() * 1000)
        clock = max(self.state["clock"] + 1, now)
        payload = field(1, os.urandom(16)) + field(2, text.encode())
        head = header(self.log, self.size, 1, 1, now, clock, len(payload), H("scurry/payload", payload))
        self.state["entries"].append({"id": H("scurry/entry", head).hex(), "time": now, "clock": clock,
                                      "payload": payload.hex()})
        tree = root(self.range(0, self.size))
        message = b"scurry head v1" + self.network + self.log + u(self.size, 8) + tree
        self.state.update(clock=clock, head=self.device.sign(message).signature.hex())
        self.save()

    def chunks(self, start, with_certificate):
        """From `start` to the end, each of some 256 KiB, all under the one head."""
        while start < self.size:
            packed, before, end = b"", 0, start
            while end < self.size and len(packed) < 262_144:
                entry = self.state["entries"][end]
                payload = bytes.fromhex(entry["payload"])
                packed += (b"\x02" + varint(1) + zigzag(entry["time"] - before) + zigzag(entry["clock"] - entry["time"])
                           + varint(len(payload)) + payload)
                before, end = entry["time"], end + 1
            yield (field(1, self.log) + (field(2, self.certificate) if with_certificate else b"") + field(3, start)
                   + field(4, end - start) + field(5, self.size) + field(6, bytes.fromhex(self.state["head"]))
                   + field(7, packed) + field(8, b"".join(self.range(end, self.size)[2])))
            start, with_certificate = end, False


class Leaf:
    def __init__(self, address, name, home):
        self.network = H("scurry/network", name.encode())
        self.own = Own(home, self.network)
        # Logs that are read; those to be asked for; bodies that were asked for; what waits for the node's credit.
        self.logs, self.wanted, self.bodies, self.unpaid, self.credit = {}, {}, {}, collections.deque(), 0
        # What is shown of whom, and what of whom was deleted.
        self.shown, self.deleted = {}, set()
        # The sum of the items of `logs`, and how many there are (log.md §9).
        self.sum = self.items = 0
        # Whether the node has said what it holds of the own log, and agreed; how much it holds; where a claim is to be proven.
        self.judged = self.agreed = False
        self.theirs, self.claim, self.disputed = 0, None, None
        self.spoken = self.disturbed = time.monotonic()
        self.is_quiet = False
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.noise = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_BLAKE2b")
        self.noise.set_prologue(b"scurry/1" + self.network)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, bytes.fromhex(self.own.state["node"]))
        self.noise.set_as_initiator()
        self.noise.start_handshake()
        for turn in (self.write_handshake, self.read_handshake, self.write_handshake):
            turn()
        self.stream, self.counts = b"", [0, 0]
        self.send(HELLO, field(1, 1) + field(2, 1) + field(4, os.urandom(16)) + field(5, self.own.size)
                  + field(8, self.own.log) + field(10, b"leaf") + field(12, 2**40))
        if self.own.stopped:
            tell(stopped="a node knew another history of the own log, or some of it is lost here")

    # channel.md

    def write_handshake(self):
        message = bytes(self.noise.write_message())
        self.socket.sendall(u(len(message), 2) + message)

    def read_handshake(self):
        self.noise.read_message(self.exactly(int.from_bytes(self.exactly(2), "big")))

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def send(self, kind, body):
        if kind not in WORDS:
            self.disturb()
        data = u(len(body) + 1, 4) + bytes([kind]) + body
        for at in range(0, len(data), 65_519):
            sealed = self.noise.encrypt(data[at:at + 65_519])
            self.socket.sendall(u(len(sealed), 2) + sealed)
            self.counts[0] += 1
            if self.counts[0] % 65_536 == 0:
                self.noise.rekey_outbound_cipher()

    def receive(self):
        self.stream += self.noise.decrypt(self.exactly(int.from_bytes(self.exactly(2), "big")))
        self.counts[1] += 1
        if self.counts[1] % 65_536 == 0:
            self.noise.rekey_inbound_cipher()
        while len(self.stream) >= 4 and len(self.stream) - 4 >= int.from_bytes(self.stream[:4], "big"):
            length = int.from_bytes(self.stream[:4], "big")
            kind, body = self.stream[4], self.stream[5:4 + length]
            self.stream = self.stream[4 + length:]
            if kind not in WORDS:
                self.disturb()
            self.hear(kind, fields(body))

    # client.md §3

    def hear(self, kind, message):
        if kind == HELLO:
            self.credit = one(message, 12)
            if one(message, 8, b""):
                log = self.logs.get(one(message, 8), Log())
                self.send(OWN_LOG, field(1, one(message, 8)) + field(2, log.end)
                          + (field(3, root(log.range)) if log.end else b""))
        elif kind == OWN_LOG:
            self.judge(one(message, 2), one(message, 3, b""))
        elif kind == CHANGES:
            for named in map(fields, message.get(1, [])):
                self.offer(one(named, 1), one(named, 2))
        elif kind == CHUNKS:
            for chunk in map(fields, message.get(1, [])):
                self.take(chunk)
            for log in message.get(3, []):
                self.lacks(log)
        elif kind == WANT:
            self.answer([fields(want) for want in message.get(1, [])])
        elif kind == PREFIX_WANTED:
            log, end = one(message, 1), one(message, 2)
            nodes = self.own.range(0, end)[2] if log == self.own.log and end <= self.own.state["published"] else []
            self.send(PREFIX, field(1, log) + field(2, end) + field(3, b"".join(nodes)))
        elif kind == PREFIX:
            self.settle_dispute(one(message, 1), one(message, 2), split(one(message, 3, b"")))
        elif kind == BODIES_WANTED:
            self.answer_bodies([fields(want) for want in message.get(1, [])])
        elif kind == BODIES:
            for body in map(fields, message.get(1, [])):
                self.take_body(one(body, 1), one(body, 2), body.get(3, [None])[-1])
        elif kind == KEEP_ALIVE and one(message, 5):
            self.keep_alive()
        elif kind == CREDIT:
            self.credit += one(message, 1)
            self.pay_on()
        elif kind == GOODBYE:
            tell(goodbye=one(message, 1), violation=one(message, 2))
            raise EOFError
        self.ask()

    def disturb(self):
        self.disturbed, self.is_quiet = time.monotonic(), False

    def is_decided(self):
        """Whether the node agrees with the own log, or at least does not dispute it: before that nothing is signed."""
        return self.own.stopped or self.judged and self.claim is None and self.disputed is None

    def may_be_quiet(self):
        return (self.is_decided() and (self.own.stopped or self.theirs == self.own.size) and not self.is_quiet and not self.wanted and not self.bodies and not self.unpaid
                and all(log.due is None for log in self.logs.values()))

    def keep_alive(self, quiet=False):
        total, count = self.sum, self.items
        if self.own.size:
            total, count = total + self.own.number(), count + 1
        digits = [count & 127]
        while count := count >> 7:
            digits.insert(0, count & 127 | 128)
        fingerprint = hashlib.sha256((total % 2**256).to_bytes(32, "little") + bytes(digits)).digest()[:16]
        self.send(KEEP_ALIVE, field(1, fingerprint) + field(2, self.items + bool(self.own.size)) + field(3, self.own.size)
                  + field(4, quiet))
        self.spoken, self.is_quiet = time.monotonic(), quiet or self.is_quiet

    # client.md §4

    def judge(self, size, there):
        self.judged = True
        if size == 0 or size <= self.own.size and there == root(self.own.range(0, size)):
            self.agree(size)
        elif not self.own.stopped:
            self.claim = self.own.size if size > self.own.size else size - 1
            self.send(WANT, field(1, field(1, self.own.log) + field(2, self.claim) + field(3, True)))

    def agree(self, size):
        self.agreed, self.theirs = True, size
        self.publish()

    def prove(self, chunk, start, count, size, right):
        """The first chunk of the answer to a claim, over the own range of [0, `start`)."""
        self.claim = None
        entries = unpack(one(chunk, 7, b""), count, self.own.log, start)
        before, certificate = self.own.range(0, start), self.certificate(self.own.log, one(chunk, 2))
        if self.is_proven(chunk, before, entries, size, right, certificate):
            theirs = [entry[0].hex() for entry in entries]
            ours = [entry["id"] for entry in self.own.state["entries"][start:start + count]]
            return self.agree(start + count) if theirs == ours else self.stop(size)
        if start == 0:
            raise ValueError("a proof that is none")
        # Another history, or a lie: the node's own range of what is before tells.
        self.disputed = (chunk, entries, start, size, right)
        self.send(PREFIX_WANTED, field(1, self.own.log) + field(2, start))

    def settle_dispute(self, log, end, nodes):
        if not self.disputed or log != self.own.log or end != self.disputed[2]:
            raise ValueError("a prefix that nobody asked for")
        (chunk, entries, start, size, right), self.disputed = self.disputed, None
        if len(nodes) != len(pieces(0, end)) or not self.is_proven(chunk, (0, end, nodes), entries, size, right,
                                                                   self.own.certificate):
            raise ValueError("a fork that is none")
        self.stop(size)

    def stop(self, size):
        self.own.stop()
        tell(stopped="a node has proven another history of the own log", here=self.own.size, there=size)

    def publish(self):
        if not self.agreed or self.own.stopped or self.theirs >= self.own.size:
            return
        if self.own.state["published"] < self.own.size:
            self.own.state["published"] = self.own.size
            self.own.save()
        first, *more = self.own.chunks(self.theirs, self.theirs == 0)
        if more:
            self.send(CHANGES, field(1, field(1, self.own.log) + field(2, self.own.size)))
        else:
            self.pay(CHUNKS, field(1, first))
        self.theirs = self.own.size

    def pay(self, kind, body):
        """Sends it when the node's credit allows it (sync.md §7)."""
        self.unpaid.append((kind, body))
        self.pay_on()

    def pay_on(self):
        while self.unpaid and len(self.unpaid[0][1]) + 5 <= self.credit:
            kind, body = self.unpaid.popleft()
            self.credit -= len(body) + 5
            self.send(kind, body)

    def answer(self, wants):
        for want in wants:
            log, start = one(want, 1), one(want, 2)
            if log == self.own.log and self.agreed and not self.own.stopped and start < self.own.size:
                for chunk in self.own.chunks(start, bool(one(want, 3))):
                    self.pay(CHUNKS, field(1, chunk))
            else:
                self.pay(CHUNKS, field(3, log))

    def answer_bodies(self, wants):
        bodies = []
        for want in wants:
            for seq in numbers(want, 2):
                body = field(1, one(want, 1)) + field(2, seq)
                if one(want, 1) == self.own.log and seq < self.own.state["published"]:
                    payload = bytes.fromhex(self.own.state["entries"][seq]["payload"])
                    body += varint(3 << 3 | 2) + varint(len(payload)) + payload
                bodies.append(field(1, body))
        for at in range(0, len(bodies), 8):
            self.pay(BODIES, b"".join(bodies[at:at + 8]))

    # client.md §5

    def offer(self, name, size):
        if name == self.own.log:
            return
        log = self.logs.setdefault(name, Log())
        log.offered = max(log.offered, size)
        if log.offered > log.end and not log.differs and log.due is None:
            self.wanted[name] = log

    def ask(self):
        unanswered = sum(log.due is not None for log in self.logs.values()) if self.wanted else 0
        while self.wanted and unanswered < 8_192:
            names = list(self.wanted)[:1_024]
            wants = b""
            for name in names:
                log = self.wanted.pop(name)
                log.due = log.end
                wants += field(1, field(1, name) + field(2, log.end) + field(3, log.certificate is None))
            self.send(WANT, wants)
            unanswered += len(names)

    def lacks(self, name):
        if name == self.own.log:
            self.claim = None
        elif name in self.logs:
            log = self.logs[name]
            log.offered, log.due = log.end, None

    def take(self, chunk):
        name, start, count, size = one(chunk, 1), one(chunk, 3), one(chunk, 4), one(chunk, 5)
        right = split(one(chunk, 8, b""))
        if not 0 < count <= size - start or size >= 2**32 or len(right) != len(pieces(start + count, size)):
            raise ValueError("a chunk that cannot be")
        if name == self.own.log:
            if start == self.claim and 2 in chunk:
                self.prove(chunk, start, count, size, right)
            return
        log = self.logs.setdefault(name, Log())
        if log.differs:
            return
        is_answer = log.due == start
        if is_answer:
            log.due = start + count if start + count < size else None
        if log.certificate is None:
            if 2 in chunk:
                log.certificate = self.certificate(name, one(chunk, 2))
            elif is_answer or start == 0:
                raise ValueError("a certificate is missing")
        if log.certificate and start == log.end:
            self.extend(name, log, chunk, start, count, size, right)
        # What is left of what was offered, of this or of what came while something else was on its way.
        self.offer(name, size)

    def extend(self, name, log, chunk, start, count, size, right):
        entries = unpack(one(chunk, 7, b""), count, name, start)
        if not self.is_proven(chunk, log.range, entries, size, right, log.certificate):
            if start == 0:
                raise ValueError("a proof that is none")
            log.differs, log.due = True, None
            return tell(differs=b32(name))
        log.range = appended(log.range, entries)
        log.waiting += [(start + at, entry) for at, entry in enumerate(entries)]
        if start + count < size:
            return
        number = int.from_bytes(item(name, size, root(log.range)), "little")
        self.sum, self.items = self.sum + number - (log.item or 0), self.items + (log.item is None)
        log.item = number
        for seq, entry in log.waiting:
            self.show(name, seq, entry)
        log.waiting = []

    def is_proven(self, chunk, before, entries, size, right, certificate):
        tip = appended(before, entries)
        message = (b"scurry head v1" + self.network + one(chunk, 1) + u(size, 8)
                   + root(join(tip, (tip[1], size, right))))
        try:
            nacl.bindings.crypto_sign_open(one(chunk, 6) + message, certificate[64:96])
        except nacl.exceptions.BadSignatureError:
            return False
        return True

    def certificate(self, log, data):
        if len(data) != 200 or data[:32] != self.network or H("scurry/log", data[:136]) != log:
            raise ValueError("a certificate of something else")
        nacl.bindings.crypto_sign_open(data[136:] + b"scurry certificate v1" + data[:136], data[32:64])
        return data

    def show(self, log, seq, entry):
        name, kind, flags, moment, _, payload = entry
        identity = self.logs[log].certificate[32:64]
        try:
            if kind == 6 and flags == 0:
                for gone in fields(payload).get(1, []):
                    self.deleted.add((identity, gone))
                    if self.shown.get(gone) == identity:
                        del self.shown[gone]
                        tell(deleted=b32(gone))
            if kind != 1 or flags != 1 or (identity, name) in self.deleted:
                return
            if payload is None:
                self.bodies[log, seq] = entry
                return self.send(BODIES_WANTED, field(1, field(1, log) + field(2, varint(seq))))
            tell(post=b32(name), time=moment, text=one(fields(payload), 2, b"").decode())
            self.shown[name] = identity
        except (ValueError, IndexError, KeyError, TypeError, AttributeError):
            pass            # what its writer made of it is not the node's fault, and says nothing

    def take_body(self, log, seq, payload):
        entry = self.bodies.pop((log, seq), None)
        if entry is None or payload is not None and H("scurry/payload", payload) != entry[4]:
            raise ValueError("a body that nobody asked for, or another")
        if payload is not None:
            self.show(log, seq, entry[:5] + (payload,))

    def write(self, text):
        if self.own.stopped:
            return tell(refused=text)
        self.own.post(text)
        tell(wrote=self.own.state["entries"][-1]["id"])
        self.disturb()
        self.publish()

    def run(self):
        typed = b""
        while True:
            due = self.spoken + 30
            if self.may_be_quiet():
                due = min(due, self.disturbed + 0.2)
            inputs = [self.socket, sys.stdin] if self.is_decided() else [self.socket]
            there = select.select(inputs, [], [], max(0, due - time.monotonic()))[0]
            if self.socket in there:
                self.receive()
            if sys.stdin in there:
                more = os.read(sys.stdin.fileno(), 65_536)
                *lines, typed = (typed + more).split(b"\n")
                for line in lines:
                    self.write(line.decode())
                if not more:
                    return self.send(GOODBYE, field(1, 1))
            now = time.monotonic()
            if self.may_be_quiet() and now >= self.disturbed + 0.2:
                self.keep_alive(quiet=True)
            elif now >= self.spoken + 30:
                self.keep_alive()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("network")
    parser.add_argument("home")
    options = parser.parse_args()
    try:
        Leaf(options.address, options.network, options.home).run()
    except EOFError:
        sys.exit(1)
    except BlockingIOError:
        sys.exit("another leaf is at home there")
    except (InvalidTag, nacl.exceptions.BadSignatureError, ValueError, IndexError) as error:
        # What the node said cannot be, or is of another network.
        tell(hung_up=type(error).__name__, why=str(error))
        sys.exit(1)
