"""Writes own-log.json: what peers say and prove of the log that a node writes, and what it may sign and send then (own-log.md).

The node writes the log of one device; `homes` have so many of its entries. `other` histories part from it. Several peers may
speak, each on a connection of its own. Verdicts: `released`, own entries may leave; `heldBack`, they may not yet; `longer` and
`otherBranch`, what was proven, and nothing more is signed; `stopped`, that was so before; or a violation's name."""

import dialogues
from dialogues import NETWORK, NO, Dialogues, branch, flip
from scurry_client import crowd, wire
from scurry_client.log import pack
from scurry_client.identity import network_id

SIZES = (2, 5, 8, 9, 10, 12)        # of the homes
WINDOWS, SCOPES = 1, 2
GONE = {"gone": True}


class OwnLog(Dialogues):
    def __init__(self):
        super().__init__()
        self.own = branch(14)
        self.log = self.own.name
        self.mine = self.own.certificate.root

    def case(self, name, own, published, verdict, *steps, after=None, held=None, claims=(), stopped=False, **more):
        """`after`: what is published then. `claims`: (peer, from) of each Want for a proof."""
        ends = verdict in ("longer", "otherBranch", "stopped")
        held = own if held is None else held
        self.cases.append({
            "name": name, "own": own, "published": published, **({"stopped": True} if stopped else {}),
            "steps": [step if isinstance(step, dict) else self.step(*step) for step in steps], "verdict": verdict,
            "published_after": after if after is not None else own if verdict == "released" else published,
            "claims": [{"peer": peer, "from": begin} for peer, begin in claims], "held": held,
            "next": None if ends else {"sequence": held, "root": self.own.root_at(held).hex()}, **more})

    @staticmethod
    def step(peer, kind, fields, *more):
        body = fields if isinstance(fields, bytes) else wire.encode(kind, **fields)
        return {"peer": peer, "type": kind, "body": body.hex(), **(more[0] if more else {})}

    # What peers say.

    def hi(self, peer=0, version=2, **change):
        return peer, wire.HELLO, self.hello | {"version": version} | change

    def says(self, size, root=NO, peer=0, version=2, **change):
        """A Hello and an OwnLog; `root` is that of a log at the size."""
        root = root.root_at(size) if hasattr(root, "root_at") else root
        return self.hi(peer, version, **change), (peer, wire.OWN_LOG, {"log": self.log, "size": size, "root": root})

    def agrees(self, peer=1):
        return self.says(0, peer=peer)

    def gives(self, log, start, end, certified=True, peer=0, **change):
        """What answers the question for a proof."""
        return peer, wire.CHUNKS, self.chunk(log, start, end, certified, **change)[1], {"awaits": wire.WANT}

    def lacks(self, peer=0):
        return peer, wire.CHUNKS, {"lacking": [self.log]}, {"awaits": wire.WANT}

    def shows(self, log, end, peer=0, **change):
        return peer, wire.PREFIX, self.prefix(log, end, **change)[1], {"awaits": wire.PREFIX_WANTED}


def at(size, name="other", begin=10):
    """Another history that parts from the own one at `begin`."""
    return branch(size, name, begin)


def statements(made):
    """§2: the table, and what is beside it."""
    own, other, case, says = made.own, at(12, begin=0), made.case, made.says
    case("nobody has said anything", 12, 10, "heldBack", made.hi())
    case("a peer with nothing", 12, 10, "released", *says(0))
    for size, what in ((12, "as much as is here"), (11, "more than ever left"), (10, "as much as ever left"), (1, "the first entry")):
        case(f"a peer with {what}", 12, 10, "released", *says(size, own))
        case(f"a peer with {what}, of another history", 12, 10, "heldBack", *says(size, other), claims=[(0, size - 1)])
    case("the example: 2 of 5, the own root there", 5, 2, "released", *says(2, own))
    case("the example: 9 of 10, all of it had left", 10, 10, "released", *says(9, own))
    case("all had left, and the peer has all", 12, 12, "released", *says(12, own))
    case("a bit of the root", 12, 10, "heldBack", *says(12, flip(own.root_at(12))), claims=[(0, 11)])
    case("the root of another size", 12, 10, "heldBack", *says(10, own.root_at(12)), claims=[(0, 9)])
    case("one entry more than is here", 12, 10, "heldBack", *says(13, own), claims=[(0, 12)])
    case("many more than are here", 12, 10, "heldBack", *says(20, bytes([3]) * 32), claims=[(0, 12)])
    case("the greatest size", 12, 10, "heldBack", *says(2**32 - 1, bytes([3]) * 32), claims=[(0, 12)])
    case("more than is here, where all had left", 12, 12, "heldBack", *says(13, own), claims=[(0, 12)])
    case("a log without entries, and a peer with nothing", 0, 0, "released", *says(0))
    case("a log without entries, and a peer with some", 0, 0, "heldBack", *says(7, own), claims=[(0, 0)])
    for version in (1, 2):
        case(f"a claim, and another peer that agrees, version {version}", 12, 10, "heldBack", *says(20, own.root_at(14), version=version),
             *made.agrees(), claims=[(0, 12)])
    case("a peer that agrees, and a claim behind it", 12, 12, "heldBack", *made.agrees(0), *says(13, own, 1), claims=[(1, 12)])
    case("more in Changes is no claim", 12, 10, "released", made.hi(),
         (0, wire.CHANGES, {"logs": [{"log": made.log, "size": 20}], "number": 1}),
         (0, wire.OWN_LOG, {"log": made.log}))
    case("a second OwnLog", 12, 10, "unaskedAnswer", *says(0), (0, wire.OWN_LOG, {"log": made.log}), after=12)
    case("OwnLog of another log", 12, 10, "unaskedAnswer", made.hi(), (0, wire.OWN_LOG, {"log": bytes(32)}))
    for identities, verdict in (([bytes([7]) * 32], "heldBack"), ([made.mine], "released")):
        who = "does not carry" if verdict == "heldBack" else "carries"
        case(f"a peer with nothing that {who} the identity", 12, 10, verdict,
             *says(0, features=[WINDOWS, SCOPES], scope={"identities": identities}), needs=[SCOPES])
    case("a peer that does not carry the identity, and one that does", 12, 10, "released",
         *says(0, features=[WINDOWS, SCOPES], scope={"identities": [bytes([7]) * 32]}), *made.agrees(), needs=[SCOPES])
    for size in (0, 9, 20):
        case(f"a node that has stopped, and a peer with {size}", 12, 10, "stopped", *says(size, own.root_at(min(size, 9)) if size else NO),
             stopped=True)


def times(made):
    """§3: how long a claim delays what leaves."""
    case, says, gone = made.case, made.says, {"peer": 0, **GONE}
    claim = says(20, bytes([3]) * 32)
    case("a claim for 15 s", 12, 10, "heldBack", *claim, *made.agrees(), {"seconds": 15}, claims=[(0, 12)])
    case("a claim for 21 s", 12, 10, "released", *claim, *made.agrees(), {"seconds": 21}, claims=[(0, 12)])
    case("a claim for 21 s, and nobody has agreed", 12, 10, "heldBack", *claim, {"seconds": 21}, claims=[(0, 12)])
    case("a claim of a peer that went", 12, 10, "heldBack", *claim, gone, *made.agrees(), claims=[(0, 12)])
    case("a claim of a peer that went, 21 s ago", 12, 10, "released", *claim, gone, {"seconds": 21}, *made.agrees(), claims=[(0, 12)])
    case("a second claim of one node delays nothing", 12, 10, "released", *claim, gone, {"seconds": 21}, *claim, *made.agrees(),
         claims=[(0, 12), (0, 12)])
    for many, verdict in ((7, "heldBack"), (8, "released")):
        begin = [step for peer in range(many) for step in says(20, bytes([3]) * 32, peer)]
        case(f"{many} claims that are over, and one more", 12, 10, verdict, *begin, {"seconds": 21},
             *says(20, bytes([3]) * 32, many), *made.agrees(many + 1), claims=[(peer, 12) for peer in range(many + 1)])


def proofs(made):
    """§3: what the first chunk of the answer proves."""
    own, case, says, gives = made.own, made.case, made.says, made.gives
    later = at(12)                                  # parts at 10, which never left
    claim = [(0, 10)]
    said = says(11, later)
    case("what was claimed is here", 12, 10, "released", *said, gives(branch(11), 10, 11), claims=claim)
    case("what was claimed is here, and the peer has as much", 12, 10, "released", *said, gives(branch(12), 10, 12), claims=claim)
    case("another entry", 12, 10, "otherBranch", *said, gives(at(11), 10, 11), claims=claim, set_aside=True)
    case("the second entry is another", 12, 10, "otherBranch", *said, gives(at(12, begin=11), 10, 12), claims=claim,
         set_aside=True)
    case("another entry, and more behind it", 12, 10, "otherBranch", *said, gives(at(14), 10, 14), claims=claim, set_aside=True)
    case("the example: another branch of 9, 7 of them had left", 9, 7, "otherBranch", *says(8, at(8, begin=7)),
         gives(at(8, begin=7), 7, 8), claims=[(0, 7)], set_aside=True)
    case("another entry, where all had left", 9, 9, "otherBranch", *says(9, at(9, begin=8)), gives(at(9, begin=8), 8, 9),
         claims=[(0, 8)], set_aside=False)
    case("an entry that had left is another, and others never left", 12, 10, "otherBranch", *says(10, at(10, begin=9)),
         gives(at(10, begin=9), 9, 10), claims=[(0, 9)], set_aside=True)
    case("the example: an old copy of 2, and 7", 2, 2, "longer", *says(7, branch(7)), gives(branch(7), 2, 7), after=7, held=7,
         claims=[(0, 2)])
    case("one entry more, where the last never left", 12, 10, "longer", *says(13, branch(13)), gives(branch(13), 12, 13), after=13,
         held=13, claims=[(0, 12)])
    case("more than is here, shown from before the end", 9, 9, "longer", *says(8, at(8, begin=7)), gives(branch(12), 7, 12),
         claims=[(0, 7)])
    case("a log without entries, and three", 0, 0, "longer", *says(3, own), gives(branch(3), 0, 3), after=3, held=3, claims=[(0, 0)])
    case("a part of a head that reaches on", 12, 10, "longer", *says(14, own), gives(own, 12, 13), claims=[(0, 12)], after=None)
    made.cases[-1]["published_after"] = made.cases[-1]["held"] = None       # the page does not say (pending entries)
    case("a forged head over what is here", 12, 10, "heldBack", *said, gives(branch(11), 10, 11, signature=bytes(64)), *made.agrees(),
         claims=claim)
    case("a forged head from the first entry on", 12, 10, "badProof", *says(1, at(1, begin=0)), gives(branch(1), 0, 1, signature=bytes(64)),
         claims=[(0, 0)])
    case("entries that do not decode", 12, 10, "malformedEntries", *said, gives(branch(11), 10, 11, entries=b"\x08"), claims=claim)
    case("no signature, and no root is known", 12, 10, "heldBack", *said, gives(branch(11), 10, 11, signature=NO), *made.agrees(),
         claims=claim)
    case("no signature, and 21 s later", 12, 10, "released", *said, gives(branch(11), 10, 11, signature=NO), *made.agrees(),
         {"seconds": 21}, claims=claim)
    case("what comes without its certificate is a push", 12, 10, "heldBack", *said, gives(branch(11), 10, 11, False), *made.agrees(),
         claims=claim)
    case("what starts elsewhere is a push", 12, 10, "heldBack", *said, gives(branch(12), 11, 12), *made.agrees(), claims=claim)
    case("a push, and the proof behind it", 12, 10, "released", *said, gives(branch(12), 11, 12),
         (0, wire.CHUNKS, made.chunk(branch(11), 10, 11)[1]), claims=claim)
    case("a push of more, and no OwnLog", 12, 10, "longer", made.hi(), (0, wire.CHUNKS, made.chunk(branch(13), 12, 13, False)[1]),
         after=13, held=13)
    nodes = b"".join(own.range_to(10).nodes)
    case("what comes with left does not fit", 12, 10, "heldBack", *says(11, later, features=[WINDOWS]), gives(branch(11), 10, 11, left=nodes),
         *made.agrees(), claims=claim, needs=[WINDOWS])


def heads(made):
    """§3: what a peer shows that lacks the entries."""
    own, case, says, lacks, shows = made.own, made.case, made.says, made.lacks, made.shows
    later, claim = at(12), [(0, 10)]
    begin = *says(11, later), lacks()
    more = *says(14, own), lacks()
    case("it lacks the entries, version 1", 12, 10, "heldBack", *says(11, later, version=1), lacks(), claims=claim)
    case("it lacks the entries, version 1, and another agrees", 12, 10, "released", *says(11, later, version=1), lacks(),
         *made.agrees(), claims=claim)
    case("it lacks the entries, and has shown nothing", 12, 10, "heldBack", *begin, *made.agrees(), claims=claim)
    case("it shows what is here", 12, 10, "released", *begin, shows(branch(11), 11), claims=claim)
    case("it shows what is here, under a head of all that is here", 12, 10, "released", *begin, shows(branch(12), 11), claims=claim)
    case("it shows what is here, under a head beyond", 12, 10, "longer", *begin, shows(branch(13), 11), claims=claim)
    made.cases[-1]["published_after"] = None        # whether what was shown counts as proven the page does not say
    case("it shows another history", 12, 10, "otherBranch", *begin, shows(at(11), 11), claims=claim)
    case("it shows more than is here", 12, 10, "longer", *more, shows(own, 14), claims=[(0, 12)])
    case("it shows more than is here, of another history", 12, 10, "longer", *more, shows(at(14), 14), claims=[(0, 12)])
    none = {"nodes": NO, "size": 0, "signature": NO, "right": NO}
    case("it shows nothing", 12, 10, "heldBack", *begin, shows(own, 11, **none), claims=claim)
    case("it shows nothing, and another agrees", 12, 10, "released", *begin, shows(own, 11, **none), *made.agrees(), claims=claim)
    case("it shows nodes without a head", 12, 10, "heldBack", *begin, shows(branch(11), 11, signature=NO), claims=claim)
    case("it shows nodes without a head, and another agrees", 12, 10, "released", *begin, shows(branch(11), 11, signature=NO),
         *made.agrees(), claims=claim)
    values = made.prefix(at(12), 11)[1]
    for what, change in (("a forged head", {"signature": flip(values["signature"])}), ("a node changed", {"nodes": flip(values["nodes"])}),
                         ("a node too few", {"nodes": values["nodes"][:-32]}), ("a node too many", {"nodes": values["nodes"] + bytes(32)}),
                         ("the head of another size", {"size": 11, "right": NO})):
        case(f"it shows {what}", 12, 10, "falseFork", *begin, shows(at(12), 11, **change), claims=claim)
    case("it shows another end", 12, 10, "unaskedAnswer", *begin, shows(branch(12), 12), claims=claim)
    # What is compared after prefixDiffers.
    claim = [(0, 8)]
    for begins, aside in ((7, True), (6, False)):
        theirs = at(9, begin=begins)
        differs = *says(9, theirs), made.gives(theirs, 8, 9)
        nodes = (0, wire.NODES, {"log": made.log, "level": 3, "place": 0, "hashes": b"".join(entry.id for entry in theirs.entries[:8])},
                 {"awaits": wire.NODES_WANTED})
        what = "that never left" if aside else "that had left"
        case(f"it goes on behind an entry {what}, which is another", 8, 7, "otherBranch", *differs, shows(theirs, 8), nodes, claims=claim,
             set_aside=aside)
        if not aside:
            made.cases[-1]["published_after"] = None    # the page does not say, of a log that forked
        else:
            case("it goes on behind another history, and has not shown that", 8, 7, "heldBack", *differs, claims=claim)


def withheld(made):
    """§1: what is shown of a log that is held back."""
    name = made.log
    ask = (0, wire.WANT, {"wants": [{"log": name}]})
    named = {"chunks": [], "lacking": [name.hex()]}
    places = (0, wire.BODIES_WANTED, {"wants": [{"log": name, "sequences": [9, 10, 11]}]})
    prefix = [(0, wire.PREFIX_WANTED, {"log": name, "end": end}, {"together": True} if end > 10 else {}) for end in (10, 11)]
    for version in (1, 2):
        hi = made.hi(version=version)

        def add(what, *steps, **expected):
            made.case(f"held back: {what}, version {version}", 12, 10, "heldBack", hi, *steps, **expected)
        add("a Want", ask, answers=named)
        add("bodies", places, answers={"bodies": [True, False, False]})
        add("prefixes", *prefix, answers={"prefixes": [2, 0] if version == 1 else [0, 0]})
        add("a comparison", (0, wire.COMPARE, {"page": 1}), answers={"named": []})
        add("a KeepAlive counts it", (0, wire.KEEP_ALIVE, {"fingerprint": bytes(16), "answer": True}), answers={"count": 1})
        made.case(f"held back: the device itself asks, version {version}", 12, 10, "heldBack",
                  made.hi(version=version, own_log=name), answers={"own_logs": [{"log": name.hex(), "size": 10}]})
    made.case("held back: nodes, version 2", 12, 10, "heldBack", made.hi(), (0, wire.NODES_WANTED, {"log": name, "level": 2}),
              answers={"nodes": [0]})
    shown = {"log": name.hex(), "start": 0, "count": 12, "size": 12, "certificate": False, "signature": True, "left": 0, "right": 0}
    made.case("released: a Want", 12, 10, "released", *made.agrees(0), ask, answers={"chunks": [shown], "lacking": []})
    made.case("released: bodies", 12, 10, "released", *made.agrees(0), places, answers={"bodies": [True, True, True]})
    made.case("released: prefixes", 12, 10, "released", *made.agrees(0), *prefix, answers={"prefixes": [2, 3]})


def resumed(made):
    """identity.md §7, *The same log*: what the person's statement allows. `stored` entries are here, fetched under a head of
    `head`; `shown` is the most that a peer said in OwnLog of those that were asked."""
    out = []
    for name, stored, head, shown, may in (
            ("all of a head is here, and a peer has as much", 12, 12, 12, True), ("no peer could be asked", 12, 12, None, True),
            ("a peer with nothing", 12, 12, 0, True), ("a peer with less", 12, 12, 9, True),
            ("an old copy that has fetched the rest", 7, 7, 7, True), ("a peer with one entry more", 12, 12, 13, False),
            ("a peer that says the greatest size", 12, 12, 2**32 - 1, False), ("a part of a head, and no peer could be asked", 9, 12, None, False),
            ("a part of a head, and a peer has as much", 9, 12, 9, False), ("all but the last of a head, and a peer has all", 11, 12, 12, False)):
        out.append({"name": name, "stored": stored, "head": head, "shown": shown,
                    "next": {"sequence": stored, "root": made.own.root_at(stored).hex()} if may else None})
    return out


def own_log():
    made = OwnLog()
    for part in (statements, times, proofs, heads, withheld):
        part(made)
    homes = {}
    for size in SIZES:
        home = branch(size)
        homes[str(size)] = {"entries": pack(home.entries).hex(), "signature": home.signature.hex()}
    return {"about": "See README.md beside this. Made by own_log.py of Tests/Interoperability. Bytes are hexadecimal.",
            "network": dialogues.NETWORK_NAME, "log": made.log.hex(), "certificate": made.own.certificate.bytes.hex(),
            "device_seed": crowd._seed(0, b"device").hex(), "homes": homes, "cases": made.cases,
            "resumed": resumed(made)}


if __name__ == "__main__":
    print(len(own_log()["cases"]), "cases of", network_id(dialogues.NETWORK_NAME).hex())
