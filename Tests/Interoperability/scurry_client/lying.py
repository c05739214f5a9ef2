"""A peer that breaks a rule of sync.md §9, for a test of what another implementation says to it."""

import types

from . import wire
from .crowd import entropy, person
from .evidence import Branch, Evidence
from .hashes import keypair_from_seed
from .identity import root_seed
from .settlement import Settlement, end_of



def _log(session):
    """That of made-up person 0, of which this side holds a branch."""
    return session.store.logs[person(session.store.network, 0).log]


def _words(session, **change):
    log = _log(session)
    one = {"log": log.name, "size": log.size, "root": log.root, "certificate": log.certificate.bytes}
    session.send(wire.CHANGES, logs=[one | change])


def _evidence(session, **change):
    log = _log(session)
    head = log.signed(2)
    left = Branch(head.size, head.signature, log.entries[1].id, head.rest.nodes)
    right = left._replace(leaf=bytes([1]) * 32)
    return Evidence(change.get("log", log.name), log.range_to(1), [left, change.get("right", right)]).bytes


def _settlement(session, number=0, **change):
    log = _log(session)
    root, secret = keypair_from_seed(root_seed(entropy(number)))
    values = {"network": session.store.network, "root_key": root, "root_secret": secret, "log": log.name, "size": 1,
              "root": log.root_at(1), "serial": 1}
    return Settlement.issue(**values | change).bytes


def _flip(data, at=-1):
    out = bytearray(data)
    out[at] ^= 1
    return bytes(out)


def _certificate(session, at):
    return _flip(_log(session).certificate.bytes, at)


def _end(session, name):
    session.send(wire.CHANGES, logs=[{"log": name, "root": bytes(32),
                                      "settlement": _settlement(session, log=bytes(32), size=0, root=bytes(32))}])


SAID = {
    "evidence-forged": lambda s: _words(s, evidence=_evidence(s)),
    "evidence-one-branch": lambda s: _words(s, evidence=_evidence(s, right=Evidence.parse(_evidence(s)).branches[0])),
    "evidence-length": lambda s: _words(s, evidence=_evidence(s) + bytes(32)),
    "evidence-log": lambda s: _words(s, evidence=_evidence(s, log=bytes(32))),
    "settlement-forged": lambda s: _words(s, settlement=_flip(_settlement(s))),
    "settlement-network": lambda s: _words(s, settlement=_settlement(s, network=bytes(32))),
    "settlement-size": lambda s: _words(s, settlement=_settlement(s, size=2**32)),
    "settlement-log": lambda s: _words(s, settlement=_settlement(s, log=bytes([7]) * 32)),
    "settlement-root-key": lambda s: _words(s, settlement=_settlement(s, number=1)),
    "certificate-forged": lambda s: _words(s, settlement=_settlement(s), certificate=_certificate(s, -1)),
    "certificate-network": lambda s: _words(s, settlement=_settlement(s), certificate=_certificate(s, 0)),
    "certificate-log": lambda s: _words(
        s, settlement=_settlement(s), certificate=person(s.store.network, 1).certificate.bytes),
    "end-log": lambda s: _end(s, end_of(s.store.network, bytes(32))),
    "prefix-unasked": lambda s: s.send(wire.PREFIX, log=_log(s).name, end=1),
    "nodes-unasked": lambda s: s.send(wire.NODES, log=_log(s).name, level=1, place=0),
}


def _answer(kind, change):
    """Sends the honest answer to a question with something changed."""
    def teach(session):
        send = session.send

        def lies(self, sent, last=False, **fields):
            if sent == kind and (fields.get("nodes") or fields.get("hashes")):
                fields |= change(fields)
            send(sent, last, **fields)
        session.send = types.MethodType(lies, session)
    return teach


ANSWERED = {
    "prefix-signature": _answer(wire.PREFIX, lambda m: {"signature": bytes(64)}),
    "prefix-node": _answer(wire.PREFIX, lambda m: {"nodes": _flip(m["nodes"])}),
    "prefix-nodes-more": _answer(wire.PREFIX, lambda m: {"nodes": m["nodes"] + bytes(32)}),
    "prefix-right-more": _answer(wire.PREFIX, lambda m: {"right": m["right"] + bytes(32)}),
    "prefix-size": _answer(wire.PREFIX, lambda m: {"size": m["end"] - 1, "right": b""}),
    "prefix-end": _answer(wire.PREFIX, lambda m: {"end": m["end"] + 1}),
    "nodes-hash": _answer(wire.NODES, lambda m: {"hashes": _flip(m["hashes"])}),
    "nodes-fewer": _answer(wire.NODES, lambda m: {"hashes": m["hashes"][:-32]}),
    "nodes-place": _answer(wire.NODES, lambda m: {"place": m["place"] + 1}),
}
# What the other side is to call each, and how many posts person 0 has at the liar and at the other.
LIES = {
    what: (name, (9, 6)) for what, name in (
        ("evidence-forged", "falseEvidence"), ("evidence-one-branch", "falseEvidence"),
        ("evidence-length", "falseEvidence"), ("evidence-log", "falseEvidence"),
        ("settlement-forged", "badSettlement"), ("settlement-network", "badSettlement"),
        ("settlement-size", "badSettlement"), ("settlement-log", "badSettlement"),
        ("settlement-root-key", "badSettlement"), ("certificate-forged", "badCertificate"),
        ("certificate-network", "foreignNetwork"), ("certificate-log", "badCertificate"), ("end-log", "badSettlement"),
        ("prefix-unasked", "unaskedAnswer"), ("nodes-unasked", "unaskedAnswer"), ("prefix-signature", "falseFork"),
        ("prefix-node", "falseFork"), ("prefix-nodes-more", "falseFork"), ("prefix-right-more", "falseFork"),
        ("prefix-size", "falseFork"), ("prefix-end", "unaskedAnswer"), ("nodes-hash", "falseFork"),
        ("nodes-fewer", "falseFork"), ("nodes-place", "unaskedAnswer"))}


def teach(session, what):
    """From now on the session lies; what is `SAID` it says once, when both Hellos are there."""
    if what in ANSWERED:
        return ANSWERED[what](session)
    start = session._start_announcing

    def says():
        start()
        SAID[what](session)
    session._start_announcing = says
