"""Dialogues for near.json: what one side says on a connection, and what the other makes of it (sync.md).

The receiver holds nothing at first; what it holds later came with the messages before. Between two messages it has the
time to take and to answer what came. Verdicts: a violation's name; `ok`, the connection stands; `goodbye N`, the
receiver ends it with that reason; `ended`, it ends without a word. `together`: said in one go with the message before;
`awaits`: when the receiver has said a message of this type. `after`: so many seconds later; the stranger lacks what it is
asked for meanwhile. `listens`: for so many seconds it waits then. `carries`: the receiver's scope. `credit`: what its Hello
allows. `receiver`: how it came to the connection; `full`, it accepted it, and has as many as it takes, of whom nobody can be
called. `needs`: features that it names too, or `guests` (sync.md §11). `answers`: what it says after the last message, all messages of one kind put together."""

from scurry_client import crowd, wire
from scurry_client.disputes import below, subtrees
from scurry_client.evidence import Branch, Evidence
from scurry_client.hashes import keypair_from_seed
from scurry_client.identity import network_id, root_seed
from scurry_client.settlement import Settlement, end_of
from scurry_client.store import Store

NETWORK_NAME = "simulation"
NETWORK = network_id(NETWORK_NAME)
NO = b""


def branch(posts, name="", begin=1, person=0):
    store = Store(NETWORK)
    crowd.fill(store, range(person, person + 1), posts, name, begin)
    return next(iter(store.logs.values()))


def flip(data, at=-1):
    out = bytearray(data)
    out[at] ^= 1
    return bytes(out)


class Dialogues:
    def __init__(self):
        self.cases = []
        self.first, self.other = branch(6), branch(9, "other", 3)
        self.log = self.first.name
        self.certificate = self.first.certificate.bytes
        self.hello = {"version": 2, "oldest_version": 1, "store": bytes(range(16)), "number": 7,
                      "credit": wire.MIN_CREDIT}

    def add(self, name, verdict, *messages, receiver="accepted", version=2, hello=True, features=None, scope=None, **more):
        """`messages` are (type, fields) or (type, body), perhaps with what else is told of them; `hello` may be fields."""
        first = self.hello | {"version": version} | (hello if isinstance(hello, dict) else {})
        if features:
            first["features"] = features
        if scope:
            first["scope"] = {"identities": scope}
        said = [(wire.HELLO, first)] * bool(hello) + list(messages)
        told = [{"type": kind, "body": (rest if isinstance(rest, bytes) else wire.encode(kind, **rest)).hex(),
                 **(other[0] if other else {})} for kind, rest, *other in said]
        self.cases.append({"name": name, "receiver": receiver, "verdict": verdict, "messages": told, **more})

    def chunk(self, log, start, end, certified=True, **change):
        return wire.CHUNKS, {"chunks": [vars(log.chunk(start, end, certified)) | change]}

    def words(self, log=None, **change):
        log = log or self.first
        return wire.CHANGES, {"logs": [{"log": log.name, "size": log.size, "root": log.root,
                                        "certificate": self.certificate} | change]}

    def settlement(self, number=0, **change):
        root, secret = keypair_from_seed(root_seed(crowd.entropy(number)))
        values = {"network": NETWORK, "root_key": root, "root_secret": secret, "log": self.log, "size": 2,
                  "root": self.first.root_at(2), "serial": 1}
        return Settlement.issue(**values | change).bytes

    def evidence(self, **change):
        both = [Branch(one.size, one.signature, one.entries[3].id, one.signed(4).rest.nodes)
                for one in (self.first, self.other)]
        return Evidence(change.get("log", self.log), self.first.range_to(3),
                        [change.get("left", both[0]), change.get("right", both[1])]).bytes

    def prefix(self, log, end, **change):
        proof = log.signed(end)
        return wire.PREFIX, {"log": log.name, "end": end, "nodes": b"".join(log.range_to(end).nodes),
                             "size": proof.size, "signature": proof.signature,
                             "right": b"".join(proof.rest.nodes)} | change

    # The parts.

    def hellos(self):
        want = wire.WANT, {"wants": [{"log": self.log}]}
        keep = wire.KEEP_ALIVE, {"fingerprint": bytes(16)}
        for name, message in (
                ("a Want", want), ("a KeepAlive", keep), ("a Credit", (wire.CREDIT, {"bytes": 1})),
                ("a NodesWanted", (wire.NODES_WANTED, {"log": self.log, "level": 1})),
                ("Items", (wire.ITEMS, {"stage": 1, "end": 1}))):
            self.add(f"{name} before Hello", "helloMissing", message, hello=False)
        self.add("a Want that does not decode before Hello", "malformedMessage", (wire.WANT, b"\x0a"), hello=False)
        self.add("a Want with a log id of 31 bytes before Hello", "wrongFieldLength",
                 (wire.WANT, {"wants": [{"log": self.log[1:]}]}), hello=False)
        self.add("unknown types before Hello", "ok", (99, b"later"), (0, b"\xff"), (17, b""),
                 (wire.HELLO, self.hello), hello=False)
        self.add("Goodbye before Hello", "ended", (wire.GOODBYE, {"reason": 1}), hello=False)
        self.add("Hello alone", "ok")
        self.add("Hello of version 1", "ok", version=1)
        self.add("Hello of version 9 that speaks 1 too", "ok", version=9)
        self.add("two Hellos", "secondHello", (wire.HELLO, self.hello))
        self.add("a second Hello that does not decode", "malformedMessage", (wire.HELLO, b"\x0a"))
        self.add("a second Hello with impossible versions", "impossibleVersions", (wire.HELLO, self.hello | {"version": 0}))
        self.add("a peer that speaks nothing before version 3", "goodbye 3",
                 (wire.HELLO, self.hello | {"version": 9, "oldest_version": 3}), hello=False)
        self.add("a scope", "goodbye 7", (wire.HELLO, self.hello | {"scope": {"identities": [self.log]}}), hello=False)
        self.add("a scope of nobody is everything", "ok", (wire.HELLO, self.hello | {"scope": {}}), hello=False)
        self.add("behind a Goodbye nothing is read", "ended", (wire.GOODBYE, {"reason": 1}), (wire.HELLO, self.hello))
        self.add("Goodbye with a reason of later", "ended", (wire.GOODBYE, {"reason": 77}))

    def answers(self):
        for name, message in (
                ("OwnLog of a log that was not named", (wire.OWN_LOG, {"log": self.log})),
                ("a Body", (wire.BODIES, {"bodies": [{"log": self.log, "sequence": 0, "payload": b"x"}]})),
                ("an absent Body", (wire.BODIES, {"bodies": [{"log": self.log, "sequence": 0}]})),
                ("a Prefix", (wire.PREFIX, {"log": self.log, "end": 1})),
                ("Nodes", (wire.NODES, {"log": self.log, "level": 1})),
                ("a Comparison", (wire.COMPARISON, {"page": 1})), ("Peers", (wire.PEERS, {})),
                ("Items", (wire.ITEMS, {"stage": 1, "end": 1}))):
            self.add(f"{name} that nobody asked for", "unaskedAnswer", message)
        self.add("lacking that nobody asked for", "ok", (wire.CHUNKS, {"lacking": [self.log]}))
        self.add("what version 1 does not know", "ok", (wire.NODES, b"\xff"), (wire.ITEMS, b"\xff"),
                 (wire.RECONCILE, b"\xff"), (wire.ITEMS_WANTED, b"\xff"), (wire.NODES_WANTED, b"\xff"), version=1)
        changes, keep = (lambda number: (wire.CHANGES, {"number": number})), {"fingerprint": bytes(16), "quiet": True}
        self.add("the same number twice", "ok", changes(5), changes(5), (wire.CHUNKS, {"number": 5}),
                 (wire.KEEP_ALIVE, keep | {"number": 5}))
        self.add("a number, and then none", "ok", changes(5), changes(0))
        self.add("a lower number in Changes", "numberWentBack", changes(5), changes(4))
        self.add("a lower number in Chunks", "numberWentBack", changes(5), (wire.CHUNKS, {"number": 4}))
        self.add("a lower number in a quiet KeepAlive", "numberWentBack", changes(5), (wire.KEEP_ALIVE, keep | {"number": 4}))
        self.add("a lower number in a KeepAlive that is not quiet", "ok", changes(5),
                 (wire.KEEP_ALIVE, keep | {"number": 4, "quiet": False}))
        page = (lambda number: (wire.COMPARE, {"page": number}))
        for version in (1, 2):
            self.add(f"pages of a comparison, version {version}", "ok", page(1), page(2), version=version)
            self.add(f"a comparison that begins with page 2, version {version}", "impossiblePage", page(2), version=version)
            self.add(f"a page twice, version {version}", "impossiblePage", page(1), page(1), version=version)
            self.add(f"a page from the side that accepted, version {version}", "impossiblePage", page(1),
                     receiver="dialled", version=version)

    def pushes(self):
        log = self.first
        self.add("a whole log, and more of it", "ok", self.chunk(log, 0, 4), self.chunk(log, 4, 6))
        self.add("a whole log twice", "ok", self.chunk(log, 0, 6), self.chunk(log, 0, 6))
        self.add("a log from the middle without a certificate", "ok", self.chunk(log, 2, 4, False))
        self.add("a log from its beginning without a certificate", "certificateMissing", self.chunk(log, 0, 6, False))
        self.add("a forged certificate", "badCertificate", self.chunk(log, 0, 6, certificate=flip(self.certificate)))
        stranger = crowd.person(NETWORK, 1).certificate.bytes
        self.add("the certificate of another log", "badCertificate", self.chunk(log, 0, 6, certificate=stranger))
        foreign = crowd.person(network_id("elsewhere"), 0).certificate.bytes
        self.add("the certificate of another network", "foreignNetwork", self.chunk(log, 0, 6, certificate=foreign))
        packed = log.chunk(0, 6, True).entries
        for name, data in (("a byte behind the entries", packed + b"\0"), ("the entries cut off", packed[:-1]),
                           ("a bit of shape that nobody knows", bytes([packed[0] | 8]) + packed[1:])):
            self.add(name, "malformedEntries", self.chunk(log, 0, 6, entries=data))
        self.add("a node too many", "wrongNodeCount", self.chunk(log, 0, 6, right=bytes(32)))
        self.add("a node too few", "wrongNodeCount", self.chunk(log, 0, 4, right=NO))
        self.add("a signature of another size", "badProof", self.chunk(log, 0, 5, signature=self.other.signature))
        self.add("a payload changed", "badProof", self.chunk(log, 0, 6, entries=flip(packed)))
        nodes = b"".join(log.range_to(2).nodes)
        self.add("what was left out, where nobody named windows", "ok", self.chunk(log, 2, 6, left=nodes),
                 self.chunk(log, 2, 6, left=bytes(64 * 32)), self.chunk(log, 0, 6, entries=b"", left=nodes))
        self.add("lacking before that nobody asked for", "ok", (wire.CHUNKS, {"lacking_before": [self.log]}))
        self.add("no signature, and no root is known", "ok", self.chunk(log, 0, 6, signature=NO))
        self.add("no signature from a peer of version 1", "wrongFieldLength", self.chunk(log, 0, 6, signature=NO), version=1)

    def said(self):
        bad = "badSettlement"
        self.add("a settlement", "ok", self.words(settlement=self.settlement()))
        self.add("evidence", "ok", self.words(evidence=self.evidence()))
        self.add("both", "ok", self.words(settlement=self.settlement(), evidence=self.evidence()))
        ended = self.settlement(log=bytes(32), size=0, root=bytes(32))
        whole = {"size": 0, "root": bytes(32), "certificate": NO}
        name = end_of(NETWORK, Settlement(ended).root_key)
        self.add("the end of an account", "ok",
                 (wire.CHANGES, {"logs": [{"log": name, "settlement": ended} | whole]}))
        self.add("the end of an account under another log id", bad,
                 (wire.CHANGES, {"logs": [{"log": flip(name), "settlement": ended} | whole]}))
        self.add("the end of an account, forged", bad,
                 (wire.CHANGES, {"logs": [{"log": name, "settlement": flip(ended)} | whole]}))
        for what, change in (("forged", None), ("of another network", {"network": network_id("elsewhere")}),
                             ("of 2^32 entries", {"size": 2**32}), ("of nothing with a root", {"size": 0}),
                             ("of entries without a root", {"root": bytes(32)}),
                             ("of another log", {"log": bytes([7]) * 32}), ("by another root key", {"number": 1})):
            data = flip(self.settlement()) if change is None else self.settlement(**change)
            self.add(f"a settlement {what}", bad, self.words(settlement=data))
        false, other = "falseEvidence", Evidence.parse(self.evidence()).branches
        for what, data in (
                ("a node too many", self.evidence() + bytes(32)), ("a node too few", self.evidence()[:-32]),
                ("a forged leaf", self.evidence(right=other[1]._replace(leaf=bytes([1]) * 32))),
                ("one branch twice", self.evidence(right=other[0])),
                ("a forged signature", self.evidence(left=other[0]._replace(signature=flip(other[0].signature, 0)))),
                ("of another log", self.evidence(log=bytes([7]) * 32)),
                ("a size that does not cover the place", self.evidence(left=other[0]._replace(size=3, rest=[])))):
            self.add(f"evidence, {what}", false, self.words(evidence=data))
        good = {"settlement": self.settlement()}
        self.add("words with a forged certificate", "badCertificate", self.words(certificate=flip(self.certificate), **good))
        self.add("words with the certificate of another log", "badCertificate",
                 self.words(certificate=crowd.person(NETWORK, 1).certificate.bytes, **good))
        foreign = crowd.person(network_id("elsewhere"), 0).certificate.bytes
        self.add("words with the certificate of another network", "foreignNetwork", self.words(certificate=foreign, **good))
        self.add("what is no news is not looked at", "ok", self.words(settlement=self.settlement(serial=5)),
                 self.words(settlement=flip(self.settlement(serial=4))))
        self.add("the same evidence, its signature changed, is no news", "ok", self.words(evidence=self.evidence()),
                 self.words(evidence=self.evidence(left=other[0]._replace(signature=bytes(64)))))
        self.add("false words from a peer of version 1", "ok", self.words(settlement=flip(self.settlement())), version=1)
        self.add("false words, true ones besides", bad, (wire.CHANGES, {"logs": [
            self.words(settlement=self.settlement())[1]["logs"][0],
            self.words(settlement=flip(self.settlement(serial=2)))[1]["logs"][0]]}))

    def disputes(self):
        """Both branches come as pushes; the second does not fit, and the receiver asks for [0, 6)."""
        first, other = self.chunk(self.first, 0, 6), self.chunk(self.other, 6, 9, False)
        begin = (first, other)
        true = self.prefix(self.other, 6)
        nodes = wire.NODES, {"log": self.log, "level": 2, "place": 0,
                             "hashes": b"".join(subtrees(self.other.ids, 0, 2, below(2)))}
        false = "falseFork"
        self.add("another branch, and no answer yet", "ok", *begin)
        self.add("a true Prefix", "ok", *begin, true)
        self.add("a true Prefix and true Nodes", "ok", *begin, true, nodes)
        self.add("a Prefix twice", "unaskedAnswer", *begin, true, true)
        self.add("a Prefix of another end", "unaskedAnswer", *begin, self.prefix(self.other, 5))
        self.add("a Prefix of another log", "unaskedAnswer", *begin, (wire.PREFIX, {"log": bytes(32), "end": 6}))
        self.add("Nodes in place of a Prefix", "unaskedAnswer", *begin, nodes)
        self.add("nothing is here any more", "ok", *begin, (wire.PREFIX, {"log": self.log, "end": 6}))
        self.add("a Prefix under a root that is not known", "ok", *begin, self.prefix(self.other, 6, signature=NO))
        values = true[1]
        for what, change in (
                ("a node changed", {"nodes": flip(values["nodes"])}), ("a node too many", {"nodes": values["nodes"] + bytes(32)}),
                ("a node too few", {"nodes": values["nodes"][:-32]}), ("a forged signature", {"signature": bytes(64)}),
                ("right has a node too many", {"right": values["right"] + bytes(32)}),
                ("right is not there", {"right": NO}), ("a size below its end", {"size": 5, "right": NO}),
                ("the size of another head", {"size": 6, "right": NO}),
                ("the other branch's signature", {"signature": self.first.signature})):
            self.add(f"a Prefix, {what}", false, *begin, (wire.PREFIX, values | change))
        wrong = wire.NODES, nodes[1] | {"hashes": flip(nodes[1]["hashes"])}
        self.add("Nodes that do not make up what was shown: the Prefix is asked for again", "ok", *begin, true, wrong)
        self.add("and the same Prefix comes again", false, *begin, true, wrong, true)
        self.add("and nothing is here any more", "ok", *begin, true, wrong, (wire.PREFIX, {"log": self.log, "end": 6}))
        for what, change in (("fewer Nodes than there are", {"hashes": nodes[1]["hashes"][:-32]}),
                             ("Nodes of one too many", {"hashes": nodes[1]["hashes"] + bytes(32)})):
            self.add(f"{what}, and the same Prefix again", false, *begin, true, (wire.NODES, nodes[1] | change), true)
        self.add("Nodes that are not here any more", "ok", *begin, true, (wire.NODES, nodes[1] | {"hashes": NO}))
        self.add("Nodes of another place", "unaskedAnswer", *begin, true, (wire.NODES, nodes[1] | {"place": 1}))
        self.add("Nodes of another level", "unaskedAnswer", *begin, true, (wire.NODES, nodes[1] | {"level": 3}))
        self.add("Nodes twice", "unaskedAnswer", *begin, true, nodes, nodes)
        old = wire.PREFIX, {"log": self.log, "end": 6, "nodes": values["nodes"]}
        self.add("version 1: the prefix of the other branch", "ok", *begin, old, version=1)
        for what, data in (("a node changed", flip(values["nodes"])), ("a node too many", values["nodes"] + bytes(32)),
                           ("nothing", NO), ("the receiver's own", b"".join(self.first.range_to(6).nodes))):
            self.add(f"version 1: {what}", false, *begin, (wire.PREFIX, old[1] | {"nodes": data}), version=1)

    def settled(self):
        """Chunks under the root of a settlement of four entries."""
        said = self.words(settlement=self.settlement(size=4, root=self.first.root_at(4)))
        store = Store(NETWORK)
        crowd.fill(store, range(1), 6)
        log = next(iter(store.logs.values()))
        made = Settlement.check(self.settlement(size=4, root=self.first.root_at(4)), NETWORK)
        store.put_words(log, made, None, None)
        under = self.chunk(log, 0, 4, signature=NO, size=4, right=NO)
        self.add("the settled history under its root", "ok", said, under)
        self.add("under the settled root, an entry changed", "ok", said,
                 (wire.CHUNKS, {"chunks": [under[1]["chunks"][0] | {"entries": flip(under[1]["chunks"][0]["entries"])}]}))
        self.add("under the settled root, entries that do not decode", "malformedEntries", said,
                 (wire.CHUNKS, {"chunks": [under[1]["chunks"][0] | {"entries": b"\x08"}]}))
        self.add("under the settled root, a node too many", "wrongNodeCount", said,
                 (wire.CHUNKS, {"chunks": [under[1]["chunks"][0] | {"right": bytes(32)}]}))
        self.add("of a settled log, a forged head", "badProof", said, self.chunk(self.first, 0, 4, signature=bytes(64)))

    def reconciliations(self):
        everything = b"\x61\0\0\2\0"

        def ask(stage, round, message=everything):
            return wire.RECONCILE, {"stage": stage, "round": round, "message": message}

        impossible = "impossibleReconciliation"
        over = wire.ITEMS, {"stage": 1, "end": 1}
        self.add("a stage that ends, and the next", "ok", ask(1, 1), over, ask(2, 1))
        self.add("a stage that begins with number 9", "ok", ask(9, 1))
        self.add("two rounds", "ok", ask(1, 1), ask(1, 2))
        self.add("a stage that is given up", "ok", ask(1, 1), (wire.ITEMS, {"stage": 1, "end": 2}), ask(2, 1))
        for what, *messages in (
                ("stage 0 from the dialler", ask(0, 0, NO)), ("a stage that begins with round 2", ask(1, 2)),
                ("round 0", ask(1, 0)), ("the same round twice", ask(1, 1), ask(1, 1)),
                ("a round left out", ask(1, 1), ask(1, 3)), ("a stage before the last is over", ask(1, 1), ask(2, 1)),
                ("a stage again that is over", ask(1, 1), over, ask(1, 1)),
                ("a stage below the last", ask(5, 1), (wire.ITEMS, {"stage": 5, "end": 1}), ask(4, 1)),
                ("a round of a stage that is over", ask(1, 1), over, ask(1, 2)),
                ("an id that no answer listed", ask(1, 1), (wire.ITEMS_WANTED, {"stage": 1, "ids": [bytes(32)]})),
                ("ItemsWanted of another stage", ask(1, 1), (wire.ITEMS_WANTED, {"stage": 2, "ids": [bytes(32)]})),
                ("ItemsWanted before a stage", (wire.ITEMS_WANTED, {"stage": 1, "ids": [bytes(32)]}))):
            self.add(what, impossible, *messages)
        here, item = self.chunk(self.first, 0, 6), self.first.item
        wanted = wire.ITEMS_WANTED, {"stage": 1, "ids": [item]}
        self.add("an id that was listed", "ok", here, ask(1, 1), wanted, over)
        self.add("an id that was listed, twice", impossible, here, ask(1, 1), wanted, wanted)
        self.add("an id that was listed, twice in one message", impossible, here, ask(1, 1),
                 (wire.ITEMS_WANTED, {"stage": 1, "ids": [item, item]}))
        self.add("an id that the last answer listed, of a stage that is over", impossible, here, ask(1, 1), over, wanted)
        self.add("an id that an answer before the last listed", impossible, here, ask(1, 1), ask(1, 2, b"\x61\0\0\0"), wanted)
        self.add("a message that is none", "malformedReconciliation", ask(1, 1, b"\x62"))
        self.add("no message", "malformedReconciliation", ask(1, 1, NO))
        self.add("Items of another stage", "unaskedAnswer", ask(1, 1), (wire.ITEMS, {"stage": 2, "end": 1}))
        self.add("Items of a stage that is over", "unaskedAnswer", ask(1, 1), over, over)
        dialled = {"receiver": "dialled"}
        self.add("a request for a run", "ok", ask(0, 0, NO), **dialled)
        self.add("a second request for a run", impossible, ask(0, 0, NO), ask(0, 0, NO), **dialled)
        self.add("a request for a run with a round", impossible, ask(0, 1, NO), **dialled)
        self.add("an answer to no question", impossible, ask(1, 1), **dialled)
        self.add("ItemsWanted from the side that accepted", impossible,
                 (wire.ITEMS_WANTED, {"stage": 1, "ids": [bytes(32)]}), **dialled)
        self.add("Items from the side that accepted", "unaskedAnswer", (wire.ITEMS, {"stage": 1, "end": 1}), **dialled)

    def questions(self):
        here = self.chunk(self.first, 0, 6)
        self.add("questions about what is not here", "ok", (wire.PREFIX_WANTED, {"log": bytes(32), "end": 9}),
                 (wire.NODES_WANTED, {"log": bytes(32), "level": 31}), (wire.WANT, {"wants": [{"log": bytes(32), "from": 3}]}),
                 (wire.BODIES_WANTED, {"wants": [{"log": bytes(32), "sequences": [1, 1]}]}))
        self.add("questions beyond what is here", "ok", here, (wire.PREFIX_WANTED, {"log": self.log, "end": 7}),
                 (wire.PREFIX_WANTED, {"log": self.log, "end": 2**64 - 1}), (wire.PREFIX_WANTED, {"log": self.log}),
                 (wire.NODES_WANTED, {"log": self.log, "level": 3}), (wire.WANT, {"wants": [{"log": self.log, "from": 2**64 - 1}]}),
                 (wire.WANT, {"wants": [{"log": self.log, "from": 6, "settled": True}]}),
                 (wire.BODIES_WANTED, {"wants": [{"log": self.log, "sequences": [2**64 - 1]}]}))
        self.add("credit beyond all bounds", "ok", *[(wire.CREDIT, {"bytes": 2**64 - 1})] * 3)
        self.add("a KeepAlive that asks for one", "ok", (wire.KEEP_ALIVE, {"fingerprint": bytes(16), "answer": True}))
        self.add("PeersWanted twice", "ok", (wire.PEERS_WANTED, {}), (wire.PEERS_WANTED, {}))


def dialogues():
    made = Dialogues()
    from dialogues_in_use import bounds, branches, guests, in_place, patient, questions, scopes, windows     # they are made of the same parts
    for part in (made.hellos, made.answers, made.pushes, made.said, made.disputes, made.settled, made.reconciliations,
                 made.questions):
        part()
    for part in (windows, in_place, patient, scopes, bounds, questions, branches, guests):
        part(made)
    return made.cases
