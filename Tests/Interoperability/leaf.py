"""A leaf (protocol/client.md) in one file: calls one node, reads all logs, writes one, and serves that alone.

    python leaf.py HOST:PORT NETWORK HOME

Each line of the standard input is a post; at its end the leaf says goodbye. What comes is one JSON object a line. HOME is
its own directory. Needs the packages of requirements.txt. It is an example: it dials once, does not look after its node's
key, and keeps of others' logs nothing but what it prints.
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
CREDIT, GOODBYE = 15, 16
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


def split(data):
    return [data[i:i + 32] for i in range(0, len(data), 32)]


# log.md §1, §2

def header(log, seq, kind, flags, time_, clock, length, digest, version=1):
    return (bytes([version, flags]) + u(kind, 2) + log + u(seq, 8) + u(time_, 8) + u(clock, 8) + u(length, 4) + digest)


def unpack(data, count, log, start):
    """[(id, kind, flags, time, payload hash, payload or None)]"""
    out, at, before = [], 0, 0
    for seq in range(start, start + count):
        shape = data[at]
        at += 1
        version, flags = 1, shape >> 1 & 1
        if shape & 4:
            version, flags, at = data[at], data[at + 1], at + 2
        kind, at = read_varint(data, at)
        difference, at = read_varint(data, at)
        moment = (before + (difference >> 1 ^ -(difference & 1))) % 2**64
        difference, at = read_varint(data, at)
        clock = (moment + (difference >> 1 ^ -(difference & 1))) % 2**64
        length, at = read_varint(data, at)
        payload = None
        if shape & 1:
            digest, at = data[at:at + 32], at + 32
        else:
            payload, at = data[at:at + length], at + length
            if len(payload) != length or length > 65_536:
                raise ValueError("malformed entries")
            digest = H("scurry/payload", payload)
        out.append((H("scurry/entry", header(log, seq, kind, flags, moment, clock, length, digest, version)), kind, flags,
                    moment, digest, payload))
        before = moment
    if at != len(data):
        raise ValueError("trailing bytes")
    return out


class Log:
    """One that is read: certificate, [0, end), and the posts that wait for their head."""

    def __init__(self):
        self.certificate, self.range, self.waiting = None, (0, 0, []), []

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
                          "certificate": certificate.hex(), "entries": [], "published": 0, "clock": 0}
            self.save()
        self.network = network
        self.device = nacl.signing.SigningKey(bytes.fromhex(self.state["device"]))
        self.certificate = bytes.fromhex(self.state["certificate"])
        self.log = H("scurry/log", self.certificate[:136])
        self.stopped = False

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

    def item(self):
        size = self.state["published"]
        return H("scurry/item", self.log + u(size, 8) + root(self.range(0, size)) + u(NONE, 8) + u(NONE, 8) + bytes(32))

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
        self.logs, self.bodies, self.stream, self.unpaid, self.credit = {}, {}, b"", collections.deque(), 0
        self.mine, self.theirs_have, self.agreed = self.own.log, 0, False
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.noise = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_BLAKE2b")
        self.noise.set_prologue(b"scurry/1" + self.network)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, bytes.fromhex(self.own.state["node"]))
        self.noise.set_as_initiator()
        self.noise.start_handshake()
        for turn in (self.write_handshake, self.read_handshake, self.write_handshake):
            turn()
        self.counts = [0, 0]
        self.send(HELLO, field(1, 1) + field(2, 1) + field(4, os.urandom(16)) + field(5, self.own.size) + field(8, self.mine)
                  + field(10, b"leaf") + field(12, 2**40))
        self.spoken = time.monotonic()

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
            self.ask({one(fields(item), 1): one(fields(item), 2) for item in message.get(1, [])})
        elif kind == CHUNKS:
            for chunk in message.get(1, []):
                self.take(fields(chunk))
        elif kind == WANT:
            self.answer([fields(want) for want in message.get(1, [])])
        elif kind == PREFIX_WANTED:
            log, end = one(message, 1), one(message, 2)
            nodes = self.own.range(0, end)[2] if log == self.mine and end <= self.own.state["published"] else []
            self.send(PREFIX, field(1, log) + field(2, end) + field(3, b"".join(nodes)))
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

    def keep_alive(self):
        total, count = 0, 0
        if self.own.state["published"]:
            total, count = int.from_bytes(self.own.item(), "little"), 1
        digest = hashlib.sha256(total.to_bytes(32, "little") + bytes([count])).digest()[:16]
        self.send(KEEP_ALIVE, field(1, digest) + field(2, count))
        self.spoken = time.monotonic()

    # client.md §4

    def judge(self, size, there):
        if size == 0 or size <= self.own.size and there == root(self.own.range(0, size)):
            self.agreed, self.theirs_have = True, size
            self.publish()
        else:
            self.own.stopped = True
            tell(stopped="a node knows another history of the own log", here=self.own.size, there=size)

    def publish(self):
        if not self.agreed or self.own.stopped or self.theirs_have >= self.own.size:
            return
        if self.own.state["published"] < self.own.size:
            self.own.state["published"] = self.own.size
            self.own.save()
        self.serve(self.theirs_have, self.theirs_have == 0)
        self.theirs_have = self.own.size

    def serve(self, start, with_certificate):
        for chunk in self.own.chunks(start, with_certificate):
            self.pay(CHUNKS, field(1, chunk))

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
            if log == self.mine and self.agreed and not self.own.stopped and start < self.own.size:
                self.serve(start, bool(one(want, 3)))
            else:
                self.pay(CHUNKS, field(3, log))

    def answer_bodies(self, wants):
        bodies = []
        for want in wants:
            for seq in numbers(want, 2):
                body = field(1, one(want, 1)) + field(2, seq)
                if one(want, 1) == self.mine and seq < self.own.state["published"]:
                    body += varint(3 << 3 | 2) + varint(len(bytes.fromhex(self.own.state["entries"][seq]["payload"])))
                    body += bytes.fromhex(self.own.state["entries"][seq]["payload"])
                bodies.append(field(1, body))
        for at in range(0, len(bodies), 8):
            self.pay(BODIES, b"".join(bodies[at:at + 8]))

    # client.md §5

    def ask(self, sizes):
        wants = []
        for log, size in sizes.items():
            known = self.logs.get(log, Log())
            if size > known.end and log != self.mine:
                wants.append(field(1, field(1, log) + field(2, known.end) + field(3, known.certificate is None)))
        for at in range(0, len(wants), 1_024):
            self.send(WANT, b"".join(wants[at:at + 1_024]))

    def take(self, chunk):
        name, start, count, size = one(chunk, 1), one(chunk, 3), one(chunk, 4), one(chunk, 5)
        right = split(one(chunk, 8, b""))
        if name == self.mine:
            return
        if not 0 < count <= size - start or size >= 2**32 or len(right) != len(pieces(start + count, size)):
            raise ValueError("a chunk that cannot be")
        log = self.logs.setdefault(name, Log())
        if log.certificate is None:
            if 2 not in chunk:
                return self.ask({name: size})
            log.certificate = self.certificate(name, one(chunk, 2))
        if start != log.end:
            return self.ask({name: size}) if start > log.end else None
        entries = unpack(one(chunk, 7, b""), count, name, start)
        whole = log.range
        for at, entry in enumerate(entries):
            whole = join(whole, (start + at, start + at + 1, [entry[0]]))
        message = b"scurry head v1" + self.network + name + u(size, 8) + root(join(whole, (start + count, size, right)))
        nacl.bindings.crypto_sign_open(one(chunk, 6) + message, log.certificate[64:96])
        log.range = whole
        log.waiting += [(start + at, entry) for at, entry in enumerate(entries)]
        if start + count == size:
            for seq, entry in log.waiting:
                self.show(name, seq, entry)
            log.waiting = []

    def certificate(self, log, data):
        if len(data) != 200 or data[:32] != self.network or H("scurry/log", data[:136]) != log:
            raise ValueError("a certificate of something else")
        nacl.bindings.crypto_sign_open(data[136:] + b"scurry certificate v1" + data[:136], data[32:64])
        return data

    def show(self, log, seq, entry):
        name, kind, flags, moment, _, payload = entry
        if kind != 1 or flags != 1:
            return
        if payload is None:
            self.bodies[log, seq] = entry
            return self.send(BODIES_WANTED, field(1, field(1, log) + field(2, varint(seq))))
        tell(post=b32(name), time=moment, text=one(fields(payload), 2, b"").decode())

    def take_body(self, log, seq, payload):
        entry = self.bodies.pop((log, seq), None)
        if entry and payload is not None and H("scurry/payload", payload) == entry[4]:
            self.show(log, seq, entry[:5] + (payload,))

    def write(self, text):
        if self.own.stopped:
            return tell(refused=text)
        self.own.post(text)
        tell(wrote=self.own.state["entries"][-1]["id"])
        self.publish()

    def run(self):
        typed = b""
        while True:
            pause = max(0, self.spoken + 30 - time.monotonic())
            there = select.select([self.socket, sys.stdin], [], [], pause)[0]
            if self.socket in there:
                self.receive()
            if sys.stdin in there:
                more = os.read(sys.stdin.fileno(), 65_536)
                *lines, typed = (typed + more).split(b"\n")
                for line in lines:
                    self.write(line.decode())
                if not more:
                    return self.send(GOODBYE, field(1, 1))
            if time.monotonic() >= self.spoken + 30:
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
