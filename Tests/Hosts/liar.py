"""A hostile host: it speaks the protocol, with the second client's own code, and lies in each way in turn.

    python3 liar.py SECONDS PORT KEY NODEID@HOST... ; prints one JSON object: how often each lie was told, what it was answered

It calls, each lie from a fresh node id, so that none is turned away for the one before; and it listens with the node key
in the file KEY, whose host it stands for, and lies to whoever calls. Each lie is told to everybody at least once, however
few the seconds. Needs what Tests/Interoperability/requirements.txt lists; without it ends with 77.
"""

import json
import os
import random
import socket
import sys
import time
from collections import Counter

from judge import CLOSED, FORGED, HEARD

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Interoperability"))

try:
    from scurry_client import base32, payload, wire
    from scurry_client.identity import Device, network_id
    from scurry_client.log import Entry, pack, sign_head
    from scurry_client.node import Node
except ImportError as missing:
    print(f"liar: {missing}", file=sys.stderr)
    sys.exit(77)

NETWORK = network_id("campus")
CHANCE = random.Random(7)
MOMENT = 1.5  # seconds that a lie is given to be answered, where it need not be
PATIENCE = 15  # seconds, where it must
HOSTS = 5  # that wrote something before


class Liar:
    def __init__(self, port, key, victims):
        self.port = port
        self.server = Node(NETWORK, private=key)  # stands for the host whose key this is
        self.server.listen("0.0.0.0", port)
        self.answered = set()  # sessions of callers that were lied to
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
                node.run(lambda: session.closed, PATIENCE if lie.__name__ in CLOSED else MOMENT)
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
        """A genuine log's next entry, signed with another key.

        No violation: the receiver cannot know whether the histories before it differ, asks, and then takes nothing.
        """
        def logs():
            return [log for log in node.store.held().values() if log.size > 2]

        node.run(lambda: len(logs()) >= HOSTS or session.closed, PATIENCE)
        # A writer who is silent by now: what others have of his log already is not looked at.
        for log in sorted(logs(), key=lambda log: log.entries[-1].time)[:1]:
            genuine = log.chunk(0, log.size, True)
            now = int(time.time() * 1000)
            entry = Entry(genuine.log, log.size, payload.POST, 1, now, now, payload.post(f"{FORGED}: forged"))
            signature = sign_head(Device(NETWORK).secret, NETWORK, genuine.log, log.size + 1, bytes(32))
            session.send(wire.CHUNKS, chunks=[{
                "log": genuine.log, "certificate": genuine.certificate, "start": log.size, "count": 1,
                "size": log.size + 1, "signature": signature, "entries": pack([entry]), "right": b""}])

    def wrong_proof(self, node, session):
        """Own entries, and a signature over another root."""
        device = Device(NETWORK)
        node.store.append(device, payload.POST, payload.post("not what was signed at first"), 1, 1)
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

    def hear(self):
        """Answers whoever called the host that this one stands for, with a lie each."""
        for _ in range(4):
            self.server.step(0.01)
        for session in [one for one in self.server.sessions.values() if one.ready and one not in self.answered]:
            self.answered.add(session)
            lie = self.lies[len(self.answered) % len(self.lies)]
            lie(self.server, session)
            self.told[HEARD + lie.__name__] += 1
        for session in self.server.over:
            self.answers[f"{HEARD}any: {session.closed.name if session.closed else 'borne'}"] += 1
        self.server.over.clear()

    @property
    def lies(self):
        return [self.garbage, self.torn_message, self.forged_entry, self.wrong_proof, self.replay,
                self.nothing_behind, self.flood, self.two_histories, self.over_credit]

    def run(self, seconds):
        end = time.monotonic() + seconds
        turn = 0
        while time.monotonic() < end or turn < len(self.lies):
            for victim in self.victims:
                self.half_open(victim)
                self.tell(self.lies[turn % len(self.lies)], victim)
                self.hear()
            turn += 1
        print(json.dumps({"told": self.told, "answers": self.answers}))


def node_key(path):
    """The private half of a node key's file: behind a line that says what it is, private and public key."""
    with open(path, "rb") as file:
        return file.read().split(b"\n", 1)[1][:32]


if __name__ == "__main__":
    victims = [tuple(text.split("@")) for text in sys.argv[4:]]
    victims = [(base32.decode(identity), host) for identity, host in victims]
    Liar(int(sys.argv[2]), node_key(sys.argv[3]), victims).run(float(sys.argv[1]))
