"""A hostile host: it speaks the protocol, with the second client's own code, and lies in each way in turn.

    python3 liar.py SECONDS PORT NODEID@HOST... ; prints one JSON object: how often each lie was told, what it was answered

Each lie comes from a fresh node id, so that none is turned away for the one before. Needs what
Tests/Interoperability/requirements.txt lists; without it ends with 77.
"""

import json
import os
import random
import socket
import sys
import time
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Interoperability"))

try:
    from scurry_client import base32, payload, wire
    from scurry_client.identity import Device, network_id
    from scurry_client.log import sign_head
    from scurry_client.node import Node
except ImportError as missing:
    print(f"liar: {missing}", file=sys.stderr)
    sys.exit(77)

NETWORK = network_id("campus")
CHANCE = random.Random(7)
MOMENT = 1.5  # seconds that a lie is given to be answered


class Liar:
    def __init__(self, port, victims):
        self.port = port
        self.victims = victims  # [(node id, host)]
        self.told = Counter()
        self.answers = Counter()
        self.held = []  # connections that never finish their handshake

    def call(self, victim, node):
        identity, host = victim
        return node.dial(host, self.port, identity)

    def tell(self, lie, victim):
        """One lie on one connection, until the peer ends it or the moment has passed."""
        node = Node(NETWORK)
        try:
            session = self.call(victim, node)
            node.run(lambda: session.ready or session.closed, MOMENT)
            if session.ready:
                lie(node, session)
                node.run(lambda: session.closed, MOMENT)
            self.answers[f"{lie.__name__}: {session.closed.name if session.closed else 'borne'}"] += 1
            node.stop()
        except OSError as error:
            self.answers[f"{lie.__name__}: {type(error).__name__}"] += 1
        self.told[lie.__name__] += 1

    # What a peer can say that is not so.

    def garbage(self, node, session):
        session.channel.send_plain(CHANCE.randbytes(4_096))

    def torn_message(self, node, session):
        session.channel.send(wire.CHANGES, CHANCE.randbytes(200))

    def forged_entry(self, node, session):
        """A genuine chunk with one bit of a post turned."""
        node.run(lambda: node.store.held() or session.closed, MOMENT)
        for log in list(node.store.held().values())[:1]:
            chunk = log.chunk(0, log.size, True)
            entries = bytearray(chunk.entries)
            entries[-1] ^= 1
            self.push(session, chunk, bytes(entries), chunk.signature)

    def wrong_proof(self, node, session):
        """Own entries, and a signature over another root."""
        device = Device(NETWORK)
        node.store.append(device, payload.POST, payload.post("not what was signed"), 1, 1)
        chunk = node.store.logs[device.log].chunk(0, 1, True)
        self.push(session, chunk, chunk.entries, sign_head(device.secret, NETWORK, device.log, 1, bytes(32)))

    def replay(self, node, session):
        """What the peer itself said, over and over: no violation, and nothing new."""
        node.run(lambda: node.store.held() or session.closed, MOMENT)
        for log in list(node.store.held().values())[:1]:
            chunk = log.chunk(0, log.size, True)
            for _ in range(20):
                self.push(session, chunk, chunk.entries, chunk.signature)

    def nothing_behind(self, node, session):
        """Two thousand logs that nobody has, and no answer when they are asked for."""
        logs = [{"log": CHANCE.randbytes(32), "size": 1 << 20} for _ in range(2_000)]
        node.store.logs.clear()
        session.send(wire.CHANGES, logs=logs, number=0)

    def flood(self, node, session):
        """Fresh people, each with one valid post: they are kept, and cost nobody else his turn."""
        for number in range(20):
            device = Device(NETWORK)
            node.store.append(device, payload.POST, payload.post(f"flood {number}"), 1, 1)
            chunk = node.store.logs[device.log].chunk(0, 1, True)
            self.push(session, chunk, chunk.entries, chunk.signature)

    def two_histories(self, node, session):
        """One device that signs two logs, and shows this victim one of them."""
        number = self.told["two_histories"]
        if number % 2 == 0:
            self.twin = Device(NETWORK)
        for text in ("the same", f"history {number % 2}"):
            salt = bytes(16)
            node.store.append(self.twin, payload.POST, payload.post(text, salt=salt), 1, 1)
        chunk = node.store.logs[self.twin.log].chunk(0, 2, True)
        self.push(session, chunk, chunk.entries, chunk.signature)

    def over_credit(self, node, session):
        """More than was allowed, before anything could be read."""
        session.channel.send_plain(b"".join(
            (1_048_576).to_bytes(4, "big") + bytes([wire.BODIES]) + bytes(1_048_575) for _ in range(5)))

    @staticmethod
    def push(session, chunk, entries, signature):
        session.send(wire.CHUNKS, chunks=[{
            "log": chunk.log, "certificate": chunk.certificate, "start": chunk.start, "count": chunk.count,
            "size": chunk.size, "signature": signature, "entries": entries, "right": chunk.right}])

    def half_open(self, victim):
        """A connection that says nothing; the oldest are let go."""
        try:
            self.held.append(socket.create_connection((victim[1], self.port), timeout=5))
        except OSError:
            self.answers["half_open: refused"] += 1
        self.told["half_open"] += 1
        while len(self.held) > 64:
            self.held.pop(0).close()

    def run(self, seconds):
        lies = [self.garbage, self.torn_message, self.forged_entry, self.wrong_proof, self.replay,
                self.nothing_behind, self.flood, self.two_histories, self.over_credit]
        end = time.monotonic() + seconds
        turn = 0
        while time.monotonic() < end:
            for victim in self.victims:
                self.half_open(victim)
                self.tell(lies[turn // len(self.victims) % len(lies)], victim)
                turn += 1
        print(json.dumps({"told": self.told, "answers": self.answers}))


if __name__ == "__main__":
    victims = [tuple(text.split("@")) for text in sys.argv[3:]]
    Liar(int(sys.argv[2]), [(base32.decode(identity), host) for identity, host in victims]).run(float(sys.argv[1]))
