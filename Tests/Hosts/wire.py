"""A network cable for a test: a switch in user space that delays, loses and cuts.

Not every kernel has netem, and where it is missing tc says nothing more than "unknown". So the frames of all hosts go
through this process: it reads each from the near end of the host's veth pair, and writes it to the far side later, or
never. It is started inside the namespace that holds all near ends.
"""

import heapq
import json
import random
import selectors
import socket
import sys
import time

ETH_P_ALL = 0x0003
PACKET_OUTGOING = 4
BROADCAST = b"\xff" * 6


class Wire:
    """Ports are interface names. A frame goes where its destination was last seen, or to all."""

    def __init__(self, ports, latency, spread, loss, seed):
        self.latency = latency  # seconds, one way
        self.spread = spread  # seconds, evenly to either side
        self.loss = loss  # share of frames
        self.random = random.Random(seed)
        self.groups = None  # port -> side; a frame crosses no border between sides
        self.seen = {}  # hardware address -> port
        self.waiting = []  # (due, number, port, frame)
        self.number = 0
        self.counts = {"passed": 0, "lost": 0, "cut": 0}
        self.sockets = {}
        for port in ports:
            end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            end.bind((port, 0))
            end.setblocking(False)
            self.sockets[port] = end

    def take(self, port, now):
        """Reads what waits at a port."""
        while True:
            try:
                frame, sender = self.sockets[port].recvfrom(65_536)
            except BlockingIOError:
                return
            # What this process wrote itself comes back here, too.
            if sender[2] == PACKET_OUTGOING or len(frame) < 14:
                continue
            self.seen[frame[6:12]] = port
            known = self.seen.get(frame[0:6])
            to = [known] if known else [other for other in self.sockets if other != port]
            for other in to:
                self.send(frame, port, other, now)

    def send(self, frame, port, other, now):
        if other == port:
            return
        if self.groups and self.groups.get(port) != self.groups.get(other):
            self.counts["cut"] += 1
        elif self.random.random() < self.loss:
            self.counts["lost"] += 1
        else:
            self.counts["passed"] += 1
            self.number += 1
            delay = max(0, self.latency + self.random.uniform(-self.spread, self.spread))
            heapq.heappush(self.waiting, (now + delay, self.number, other, frame))

    def deliver(self, now):
        """Writes what is due; the seconds until the next frame is, None if none waits."""
        while self.waiting and self.waiting[0][0] <= now:
            _, _, port, frame = heapq.heappop(self.waiting)
            try:
                self.sockets[port].send(frame)
            except OSError:
                # The host has gone, or its queue is full: a cable loses such a frame.
                self.counts["lost"] += 1
        return max(0, self.waiting[0][0] - now) if self.waiting else None

    def obey(self, line):
        """One order, a JSON object: {"split": [["a", "b"], ["c"]]}, {"heal": true} or {"counts": true}."""
        order = json.loads(line)
        if "split" in order:
            self.groups = {port: side for side, ports in enumerate(order["split"]) for port in ports}
        elif "heal" in order:
            self.groups = None
        print(json.dumps(self.counts), flush=True)

    def run(self):
        selector = selectors.DefaultSelector()
        for port, end in self.sockets.items():
            selector.register(end, selectors.EVENT_READ, port)
        selector.register(sys.stdin, selectors.EVENT_READ, None)
        print(json.dumps(self.counts), flush=True)
        while True:
            wait = self.deliver(time.monotonic())
            for key, _ in selector.select(wait):
                if key.data is not None:
                    self.take(key.data, time.monotonic())
                    continue
                line = sys.stdin.readline()
                if not line:
                    return
                self.obey(line)


if __name__ == "__main__":
    options = json.loads(sys.argv[1])
    Wire(options["ports"], options["latency"], options["spread"], options["loss"], options["seed"]).run()
