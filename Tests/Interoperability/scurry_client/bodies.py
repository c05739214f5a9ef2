"""Payloads of entries that came in the erased form: asking for them, and serving them (sync.md §8)."""

from . import wire
from .closed import Closed

ROOM = 262_144              # bytes of payloads in one Bodies, about
SPARE_CREDIT = 131_072      # bytes of credit with which an answer is begun
AT_ONCE, IN_ONE_MESSAGE, MOST_QUESTIONS = 128, 1024, 8192


class Bodies:
    """The part of a Session that moves payloads by themselves."""

    def _ask_bodies(self):
        if self.wants or self.to_ask or self.bodies_asked or len(self.store.missing) <= len(self.bodies_refused):
            return
        wants = {}
        for name, seq in sorted(self.store.missing - self.bodies_refused):
            if self.known.get(name, 0) > seq and len(self.bodies_asked) < AT_ONCE:
                wants.setdefault(name, []).append(seq)
                self.bodies_asked.add((name, seq))
        if wants:
            self.send(wire.BODIES_WANTED, wants=[{"log": name, "sequences": seqs} for name, seqs in wants.items()])

    def _BodiesWanted(self, m):
        self.bodies_serving.extend((one["log"], seq) for one in m["wants"] for seq in one["sequences"])
        if len(self.bodies_serving) > MOST_QUESTIONS:
            raise Closed("tooManyQuestions", True)

    def _serve_bodies(self):
        while self.bodies_serving and self.credit >= ROOM + SPARE_CREDIT:
            bodies, room = [], ROOM
            while self.bodies_serving and room > 0 and len(bodies) < IN_ONE_MESSAGE:
                name, seq = self.bodies_serving.popleft()
                payload = self.store.body(name, seq)
                bodies.append({"log": name, "sequence": seq, "payload": payload})
                self.node.served["bodies" if payload is not None else "bodies_absent"] += 1
                room -= len(payload or b"") + 64
            self.send(wire.BODIES, bodies=bodies)

    def _Bodies(self, m):
        for one in m["bodies"]:
            place = (one["log"], one["sequence"])
            if place not in self.bodies_asked:
                raise Closed("unaskedAnswer", True)
            self.bodies_asked.discard(place)
            self.bodies_refused.add(place)
            if one["payload"] is not None and not self.store.put_body(*place, one["payload"]):
                if self.version < 2:
                    raise Closed("wrongBody", True)
                self.compare_log(place[0], place[1] + 1, chunk=one)
