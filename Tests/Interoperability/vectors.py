"""Writes channel.json, near.json, own-log.json and sync.json into a folder, ../../protocol/vectors if none is named.

The channel's bytes come from a Noise of this file's own, on PyNaCl alone, so that they check the one which the client
uses. Verdicts are the names of sync.md, Violations; `wrongNode` and `connectedToSelf` are none of them.
Bytes are hexadecimal; 64-bit integers are decimal strings."""

import hashlib
import hmac
import json
import pathlib
import sys

import nacl.bindings as sodium

import near
import own_log
from scurry_client import wire

NETWORK = hashlib.blake2b(b"campus", digest_size=32, person=b"scurry/network").digest()
KEYS = {"initiator": (bytes(range(0, 32)), bytes(range(32, 64))),
        "responder": (bytes(range(64, 96)), bytes(range(96, 128)))}


def public(private):
    return sodium.crypto_scalarmult_base(private)


class Cipher:
    def __init__(self, key):
        self.key, self.counter = key, 0

    def seal(self, plain, data=b""):
        nonce = bytes(4) + self.counter.to_bytes(8, "little")
        self.counter += 1
        return sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plain, data, nonce, self.key)

    def rekey(self):
        nonce = bytes(4) + b"\xff" * 8
        self.key = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(bytes(32), b"", nonce, self.key)[:32]


class Handshake:
    """Both ends of one Noise_XX_25519_ChaChaPoly_BLAKE2b, or of its psk0, at once."""

    def __init__(self, prologue, keys=KEYS, psk=None):
        self.hash = f"Noise_XX{'psk0' if psk else ''}_25519_ChaChaPoly_BLAKE2b".encode().ljust(64, b"\0")
        self.chain, self.cipher, self.psk = self.hash, None, psk
        self.mix_hash(prologue)
        si, ei = keys["initiator"]
        sr, er = keys["responder"]
        if psk:
            self.mix_secret(psk)
        self.messages = [self.finish(self.ephemeral(ei))]
        out = self.ephemeral(er)
        self.mix_key(er, ei)
        out += self.sealed(public(sr))
        self.mix_key(sr, ei)
        self.messages.append(self.finish(out))
        out = self.sealed(public(si))
        self.mix_key(si, er)
        self.messages.append(self.finish(out))
        first, second = self.derive(b"")
        self.ciphers = {"initiator": Cipher(first), "responder": Cipher(second)}

    def mix_hash(self, data):
        self.hash = hashlib.blake2b(self.hash + data).digest()

    def derive(self, material):
        def mac(key, data):
            return hmac.new(key, data, hashlib.blake2b).digest()
        temporary = mac(self.chain, material)
        one = mac(temporary, b"\1")
        two = mac(temporary, one + b"\2")
        self.third = mac(temporary, two + b"\3")
        if material:
            self.chain = one
        return one[:32], two[:32]

    def mix_secret(self, psk):
        """MixKeyAndHash of Noise §5.2: the second output is hashed in whole, of the third the key is made."""
        before = self.chain
        self.derive(psk)
        temporary = hmac.new(before, psk, hashlib.blake2b).digest()
        two = hmac.new(temporary, self.chain + b"\2", hashlib.blake2b).digest()
        self.mix_hash(two)
        self.cipher = Cipher(self.third[:32])

    def ephemeral(self, private):
        """The token e: with a preshared key, the public key is mixed into the key too (Noise §9.2)."""
        out = self.plain(public(private))
        if self.psk:
            self.cipher = Cipher(self.derive(public(private))[1])
        return out

    def mix_key(self, private, other_private):
        self.cipher = Cipher(self.derive(sodium.crypto_scalarmult(private, public(other_private)))[1])

    def plain(self, data):
        self.mix_hash(data)
        return data

    def sealed(self, data):
        return self.plain(self.cipher.seal(data, self.hash))

    def finish(self, out):
        return out + (self.sealed(b"") if self.cipher else self.plain(b""))


def framed(message):
    return len(message).to_bytes(2, "big") + message


def message(kind, body):
    return (len(body) + 1).to_bytes(4, "big") + bytes([kind]) + body


def channel():
    prologue = b"scurry/1" + NETWORK
    shake = Handshake(prologue)
    senders = ("initiator", "responder", "initiator")
    on_wire = [framed(one) for one in shake.messages]
    out = {
        "about": "See Tests/Interoperability/vectors.py. `wire` has the u16 length in front. `completes`: the protocol messages that the "
                 "receiver has whole with these bytes. `refused`: what the receiver reads, and why it closes.",
        "network": "campus", "network_id": NETWORK.hex(),
        "handshake": {
            "prologue": prologue.hex(),
            **{who: {"static_private": static.hex(), "static_public": public(static).hex(),
                     "ephemeral_private": ephemeral.hex(), "ephemeral_public": public(ephemeral).hex()}
               for who, (static, ephemeral) in KEYS.items()},
            "messages": [{"from": who, "wire": one.hex()} for who, one in zip(senders, on_wire)],
            "handshake_hash": shake.hash.hex(),
            "keys": {who: one.key.hex() for who, one in shake.ciphers.items()},
        },
    }
    keep = wire.encode(wire.KEEP_ALIVE, fingerprint=bytes(range(16)), count=1, number=2, quiet=True)
    credit = wire.encode(wire.CREDIT, bytes=4096)
    whole = message(wire.KEEP_ALIVE, keep)
    plans = [
        ("initiator", message(wire.CREDIT, credit), [(wire.CREDIT, credit)], "one in one"),
        ("responder", message(wire.PEERS_WANTED, b""), [(wire.PEERS_WANTED, b"")], "L = 1, an empty body"),
        ("initiator", whole[:3], [], "one in two: the cut is within the length"),
        ("initiator", whole[3:], [(wire.KEEP_ALIVE, keep)], "the rest"),
        ("responder", whole + message(wire.CREDIT, credit), [(wire.KEEP_ALIVE, keep), (wire.CREDIT, credit)],
         "two in one"),
        ("initiator", message(wire.CREDIT, credit) + whole[:9], [(wire.CREDIT, credit)], "one and a part"),
        ("initiator", whole[9:], [(wire.KEEP_ALIVE, keep)], "the rest"),
        ("responder", message(99, b"later"), [(99, b"later")], "an unknown type: to be ignored"),
        ("responder", b"\0", [], "one byte: the shortest plaintext, a transport message of 17"),
    ]
    out["transport"] = [
        {"from": who, "name": name, "plaintext": plain.hex(), "wire": framed(shake.ciphers[who].seal(plain)).hex(),
         "completes": [{"type": kind, "body": body.hex()} for kind, body in completes]}
        for who, plain, completes, name in plans]

    fresh = Handshake(prologue)
    cipher = fresh.ciphers["initiator"]
    for number in range(65_536):
        last = cipher.seal(b"\0")
    before, counter = cipher.key, cipher.counter
    cipher.rekey()
    out["rekey"] = {
        "about": "The initiator's direction where every plaintext is one zero byte.",
        "key_before": before.hex(), "message_65536": framed(last).hex(), "key_after": cipher.key.hex(),
        "counter_after": counter, "message_65537": framed(cipher.seal(b"\0")).hex()}

    refused = out["refused"] = []

    def refuse(name, receiver, verdict, *receives, **more):
        refused.append({"name": name, "receiver": receiver, "receives": [one.hex() for one in receives],
                        "verdict": verdict, **more})

    def first_transport(length_and_rest):
        return ("responder", on_wire[0], on_wire[2], length_and_rest)

    for length in (0, 31, 33, 96, 65_535):
        refuse(f"first message, length {length}, at once", "responder", "handshake", length.to_bytes(2, "big"))
    for length in (32, 64, 95, 97):
        refuse(f"second message, length {length}", "initiator", "handshake", length.to_bytes(2, "big"))
    for length in (63, 65, 96):
        refuse(f"third message, length {length}", "responder", "handshake", on_wire[0], length.to_bytes(2, "big"))
    other = Handshake(b"scurry/1" + hashlib.blake2b(b"other", digest_size=32, person=b"scurry/network").digest())
    refuse("second message of another network", "initiator", "handshake", framed(other.messages[1]))
    bad = bytearray(on_wire[1])
    bad[-1] ^= 1
    refuse("second message, last bit of the last tag", "initiator", "handshake", bytes(bad))
    bad = bytearray(on_wire[2])
    bad[2] ^= 1
    refuse("third message, a bit of the static key", "responder", "handshake", on_wire[0], bytes(bad))
    for name, key in (("zero", bytes(32)), ("one", b"\1" + bytes(31)), ("2^255 - 19", b"\xed" + b"\xff" * 30 + b"\x7f"),
                      ("of order 8", bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"))):
        refuse(f"ephemeral key of small order: {name}", "responder", "handshake", framed(key))
    refuse("responder's ephemeral key of small order", "initiator", "handshake", framed(bytes(32) + shake.messages[1][32:]))
    refuse("another node than was expected", "initiator", "wrongNode", on_wire[1], expected=public(b"\7" * 32).hex())
    mirror = Handshake(prologue, {"initiator": KEYS["initiator"],
                                  "responder": (KEYS["initiator"][0], KEYS["responder"][1])})
    refuse("itself", "initiator", "connectedToSelf", framed(mirror.messages[1]))
    refuse("the first message twice: the length of the third is due", "responder", "handshake", on_wire[0] * 2)
    for length in (0, 1, 16):
        where = first_transport(length.to_bytes(2, "big"))
        refuse(f"transport message of length {length}, at once", where[0], "decryption", *where[1:])
    for name, plain in (("L = 0", bytes(4)), ("L = 1,048,577", (1_048_577).to_bytes(4, "big")),
                        ("L = 2^32 - 1", b"\xff" * 4)):
        sealed = Handshake(prologue).ciphers["initiator"].seal(plain)
        where = first_transport(framed(sealed))
        refuse(f"{name}, at once", where[0], "messageLength", *where[1:])
    sealed = bytearray(framed(Handshake(prologue).ciphers["initiator"].seal(message(wire.PEERS_WANTED, b""))))
    sealed[-1] ^= 1
    where = first_transport(bytes(sealed))
    refuse("transport message, last bit of the tag", where[0], "decryption", *where[1:])
    wrong = framed(Handshake(prologue).ciphers["responder"].seal(message(wire.PEERS_WANTED, b"")))
    where = first_transport(wrong)
    refuse("transport message under the other direction's key", where[0], "decryption", *where[1:])
    out["private_network"] = private_network(prologue)
    return out


def private_network(prologue):
    """What the responder of a private network says to a first message: its second, or nothing."""
    secret = b"correct horse battery"

    def psk_of(text, network=NETWORK):
        return hashlib.blake2b(network + text, digest_size=32, person=b"scurry/psk").digest()

    def shake(psk, ephemeral=KEYS["initiator"][1], about=prologue):
        return Handshake(about, {**KEYS, "initiator": (KEYS["initiator"][0], ephemeral)}, psk)

    psk = psk_of(secret)
    good = shake(psk)
    first, second = framed(good.messages[0]), framed(good.messages[1])
    again = shake(psk, bytes(range(96, 128)))
    other_name = hashlib.blake2b(b"other", digest_size=32, person=b"scurry/network").digest()
    tag = bytearray(first)
    tag[-1] ^= 1
    key = bytearray(first)
    key[2] ^= 1
    cases = []

    def case(name, sends, *receives):
        cases.append({"name": name, "receives": [bytes(one).hex() for one in receives], "sends": bytes(sends).hex()})

    case("the secret is known", second, first)
    case("the same, byte by byte", second, *[first[at:at + 1] for at in range(len(first))])
    case("the same secret, another ephemeral key", framed(again.messages[1]), framed(again.messages[0]))
    case("another secret", b"", framed(shake(psk_of(b"correct horse battert")).messages[0]))
    case("the secret of another network", b"", framed(shake(psk_of(secret, other_name)).messages[0]))
    case("the secret, under the prologue of another network", b"",
         framed(shake(psk, about=b"scurry/1" + other_name).messages[0]))
    case("the first message of an open network", b"", framed(Handshake(prologue).messages[0]))
    case("the last bit of the tag", b"", tag)
    case("a bit of the key", b"", key)
    case("a wrong message, and a right one behind it", b"", tag, first)
    case("47 bytes", b"", (47).to_bytes(2, "big") + first[2:49])
    case("49 bytes", b"", (49).to_bytes(2, "big") + first[2:] + b"\0")
    case("a length of 0, and a right message behind it", b"", bytes(2), first)
    case("half a message", b"", first[:20])
    case("nothing", b"")
    case("a key of small order, its tag right", b"", framed(small_order(psk, prologue)))
    return {"about": "The keys are those of `handshake`. `receives`: what a responder of the network reads, which knows the "
                     "secret; `sends`: all that it writes, also at its deadline.",
            "secret": secret.hex(), "psk": psk.hex(), "cases": cases}


def small_order(psk, prologue):
    """A first message with the key 0, made as if that were one."""
    made = Handshake.__new__(Handshake)
    made.hash = b"Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b".ljust(64, b"\0")
    made.chain, made.cipher, made.psk = made.hash, None, psk
    made.mix_hash(prologue)
    made.mix_secret(psk)
    out = made.plain(bytes(32))
    made.cipher = Cipher(made.derive(bytes(32))[1])
    return made.finish(out)


def shown(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: shown(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shown(one) for one in value]
    return value if isinstance(value, (bool, str)) or value is None else str(value)


def sync():
    a, b, c = (bytes([n]) * 32 for n in (1, 2, 3))
    top, no = 2**32 - 1, b""
    hello = {"version": 1, "oldest_version": 1, "store": bytes(range(16)), "number": 7, "credit": wire.MIN_CREDIT}
    chunk = {"log": a, "start": 1, "count": 1, "size": 2, "signature": bytes(64), "entries": b"\2\1\0\0\0", "right": no}
    page = {"page": 1, "logs": [{"log": a, "size": 1}, {"log": b, "size": top}]}
    keep = {"fingerprint": bytes(range(16)), "count": 1, "number": 2, "quiet": True}
    cases = []

    def add(name, kind, verdict="ok", **fields):
        raw(name, kind, wire.encode(kind, **fields), verdict)

    def raw(name, kind, body, verdict="ok", repeat=None):
        one = {"name": name, "type": kind, "message": wire.MESSAGES[kind][0], "body": body.hex(), "verdict": verdict}
        if repeat:
            one["repeat"] = {"bytes": repeat[0].hex(), "times": repeat[1]}
        elif verdict == "ok":
            one["fields"] = shown(wire.decode(kind, body))
        cases.append(one)

    def bound(what, kind, most, item, head=None, least="ok"):
        head, item = wire.encode(kind, **head or {}), wire.encode(kind, **item)
        raw(f"{most:,} {what}", kind, head, least, repeat=(item, most))
        raw(f"{most + 1:,} {what}", kind, head, "tooManyItems", repeat=(item, most + 1))

    add("least", wire.HELLO, **hello)
    add("all fields", wire.HELLO, **hello, features=[1, 300], cursor_store=bytes(16), cursor_number=2**64 - 1, own_log=a,
        scope={"identities": [b]}, agent="someone 1", listen_port=65_535)
    add("newer versions", wire.HELLO, **hello | {"version": 9})
    for name, verdict, change in (
            ("store id of 15 bytes", "wrongFieldLength", {"store": bytes(15)}), ("store id of 17", "wrongFieldLength", {"store": bytes(17)}),
            ("no store id", "wrongFieldLength", {"store": no}), ("cursor of 15 bytes", "wrongFieldLength", {"cursor_store": bytes(15)}),
            ("own log of 31 bytes", "wrongFieldLength", {"own_log": bytes(31)}),
            ("identity of 31 bytes", "wrongFieldLength", {"scope": {"identities": [bytes(31)]}}),
            ("identity of 33 bytes", "wrongFieldLength", {"scope": {"identities": [a, bytes(33)]}}),
            ("cursor's scope of 31 bytes", "wrongFieldLength", {"cursor_store": bytes(16), "cursor_scope": bytes(31)}),
            ("cursor's scope of 31 bytes, and no cursor", "wrongFieldLength", {"cursor_scope": bytes(31)}),
            ("version 0", "impossibleVersions", {"version": 0}), ("oldest above the newest", "impossibleVersions", {"oldest_version": 2}),
            ("oldest 0", "impossibleVersions", {"oldest_version": 0}), ("65 features", "tooManyItems", {"features": list(range(65))}),
            ("agent of 65 bytes", "wrongFieldLength", {"agent": "é" * 32 + "x"}),
            ("port 65,536", "impossibleNumber", {"listen_port": 65_536}),
            ("credit one too small", "impossibleNumber", {"credit": wire.MIN_CREDIT - 1})):
        add(name, wire.HELLO, verdict, **hello | change)
    add("64 bytes of agent", wire.HELLO, **hello | {"agent": "é" * 32})
    add("an identity twice", wire.HELLO, **hello | {"scope": {"identities": [a, b, a]}})
    add("a cursor of a scope", wire.HELLO, **hello | {"version": 2, "features": [2], "scope": {"identities": [b]},
                                                      "cursor_store": bytes(16), "cursor_number": 5, "cursor_scope": c})
    for count, verdict in ((1024, "ok"), (1025, "tooManyItems")):
        length = bytes([34 * count & 127 | 128, 34 * count >> 7 & 127 | 128, 34 * count >> 14])
        raw(f"a scope of {count:,} identities", wire.HELLO, wire.encode(wire.HELLO, **hello) + b"\x4a" + length, verdict,
            repeat=(b"\x0a\x20" + b, count))
    add("held", wire.OWN_LOG, log=a, size=3, root=b)
    add("nothing held", wire.OWN_LOG, log=a)
    add("size without root", wire.OWN_LOG, "wrongFieldLength", log=a, size=3)
    add("root without size", wire.OWN_LOG, "wrongFieldLength", log=a, root=b)
    add("size 2^32", wire.OWN_LOG, "impossibleNumber", log=a, size=top + 1, root=b)
    add("log id of 31 bytes", wire.OWN_LOG, "wrongFieldLength", log=a[:31])
    add("two logs", wire.CHANGES, logs=[{"log": b, "size": 1}, {"log": a, "size": top}], number=12)
    add("none", wire.CHANGES, number=12)
    one_log = {"logs": [{"log": a, "size": 1}]}
    bound("logs", wire.CHANGES, 2000, one_log)
    bound("logs, the same", wire.COMPARISON, 16_384, one_log, least="impossiblePage")
    bound("logs, the same", wire.COMPARE, 2000, one_log, {"page": 1}, least="impossiblePage")
    for kind, rest in ((wire.CHANGES, {}), (wire.COMPARE, {"page": 1}), (wire.COMPARISON, {"page": 1})):
        add("size 0", kind, "impossibleNumber", **rest, logs=[{"log": a, "size": 0}])
        add("size 2^32", kind, "impossibleNumber", **rest, logs=[{"log": a, "size": top + 1}])
        add("log id of 31 bytes", kind, "wrongFieldLength", **rest, logs=[{"log": a[:31], "size": 1}])
        add("log id of 33 bytes", kind, "wrongFieldLength", **rest, logs=[{"log": a + b"x", "size": 1}])
    add("two", wire.WANT, wants=[{"log": a, "from": 0, "certificate": True}, {"log": b, "from": 2**64 - 1}])
    add("log id of 31 bytes", wire.WANT, "wrongFieldLength", wants=[{"log": a[:31]}])
    bound("wants", wire.WANT, 1024, {"wants": [{"log": a}]})
    add("a chunk", wire.CHUNKS, chunks=[chunk], number=3)
    add("lacking", wire.CHUNKS, lacking=[a, b])
    add("no signature", wire.CHUNKS, chunks=[chunk | {"signature": no}])
    add("certificate", wire.CHUNKS, chunks=[chunk | {"certificate": bytes(200)}])
    for name, change in (("certificate of 199 bytes", {"certificate": bytes(199)}),
                         ("signature of 63 bytes", {"signature": bytes(63)}),
                         ("log id of 31 bytes", {"log": a[:31]})):
        add(name, wire.CHUNKS, "wrongFieldLength", chunks=[chunk | change])
    for name, verdict, change in (
            ("no entries", "emptyChunk", {"count": 0}), ("no entries of none", "emptyChunk", {"count": 0, "size": 0}),
            ("behind its head", "impossibleNumber", {"count": 2}), ("size 2^32", "impossibleNumber", {"size": top + 1}),
            ("count 2^64 - 1", "impossibleNumber", {"count": 2**64 - 1}),
            ("start 2^64 - 1", "impossibleNumber", {"start": 2**64 - 1}),
            ("right of 31 bytes", "wrongFieldLength", {"right": bytes(31)}),
            ("right of 65 nodes", "tooManyItems", {"right": bytes(65 * 32)})):
        add(name, wire.CHUNKS, verdict, chunks=[chunk | change])
    bound("lacking", wire.CHUNKS, 4096, {"lacking": [a]})
    bound("chunks", wire.CHUNKS, 4096, {"chunks": [chunk]})
    add("lacking, 31 bytes", wire.CHUNKS, "wrongFieldLength", lacking=[a[:31]])
    add("question", wire.PREFIX_WANTED, log=a, end=5)
    add("log id of 31 bytes", wire.PREFIX_WANTED, "wrongFieldLength", log=a[:31], end=5)
    add("of nothing", wire.PREFIX_WANTED, log=a)
    add("end 2^64 - 1", wire.PREFIX_WANTED, log=a, end=2**64 - 1)
    add("65 nodes", wire.PREFIX, "tooManyItems", log=a, end=5, nodes=bytes(65 * 32))
    add("answer", wire.PREFIX, log=a, end=5, nodes=b + c)
    add("no more held", wire.PREFIX, log=a, end=5)
    add("nodes of 63 bytes", wire.PREFIX, "wrongFieldLength", log=a, end=5, nodes=bytes(63))
    add("three of two logs", wire.BODIES_WANTED, wants=[{"log": a, "sequences": [0, 300]}, {"log": b, "sequences": [1]}])
    raw("sequences not packed", wire.BODIES_WANTED, bytes.fromhex("0a26 0a20" + a.hex() + "1000 1001"))
    add("sequence 2^64 - 1", wire.BODIES_WANTED, wants=[{"log": a, "sequences": [2**64 - 1]}])
    bound("places", wire.BODIES_WANTED, 1024, {"wants": [{"log": a, "sequences": [0]}]})
    bound("bodies", wire.BODIES, 1024, {"bodies": [{"log": a}]})
    add("sequence 2^64 - 1", wire.BODIES, bodies=[{"log": a, "sequence": 2**64 - 1}])
    add("1,025 sequences", wire.BODIES_WANTED, "tooManyItems", wants=[{"log": a, "sequences": list(range(1025))}])
    add("absent, empty, present", wire.BODIES, bodies=[{"log": a, "sequence": 0}, {"log": a, "sequence": 1,
                                                       "payload": no}, {"log": a, "sequence": 2, "payload": b"x"}])
    for size, verdict in ((65_536, "ok"), (65_537, "wrongFieldLength")):
        body = wire.encode(wire.BODIES, bodies=[{"log": a, "payload": bytes(size)}])
        raw(f"{size:,} bytes", wire.BODIES, body[:-size], verdict, repeat=(b"\0", size))
    add("quiet", wire.KEEP_ALIVE, **keep)
    add("with a question", wire.KEEP_ALIVE, **keep | {"quiet": False, "answer": True})
    add("fingerprint of 15 bytes", wire.KEEP_ALIVE, "wrongFieldLength", **keep | {"fingerprint": bytes(15)})
    add("one page", wire.COMPARE, **page)
    add("a page within", wire.COMPARE, page=2, after=a, through=c, logs=[{"log": b, "size": 1}, {"log": c, "size": 1}])
    add("page 0", wire.COMPARE, "impossiblePage", **page | {"page": 0})
    add("after of 31 bytes", wire.COMPARE, "wrongFieldLength", **page | {"after": bytes(31)})
    add("the same log twice", wire.COMPARE, "impossiblePage", page=1, logs=[{"log": a, "size": 1}] * 2)
    add("descending", wire.COMPARE, "impossiblePage", page=1, logs=[{"log": b, "size": 1}, {"log": a, "size": 1}])
    add("a log at after", wire.COMPARE, "impossiblePage", page=2, after=a, logs=[{"log": a, "size": 1}])
    add("a log behind through", wire.COMPARE, "impossiblePage", page=1, through=a, logs=[{"log": b, "size": 1}])
    add("answer", wire.COMPARISON, **page)
    add("nothing", wire.COMPARISON, page=1)
    add("descending", wire.COMPARISON, "impossiblePage", page=1, logs=[{"log": b, "size": 1}, {"log": a, "size": 1}])
    add("question", wire.PEERS_WANTED)
    add("answer", wire.PEERS, peers=[{"host": "192.0.2.1", "port": 4000, "node": a}])
    add("none", wire.PEERS)
    add("one that cannot be used", wire.PEERS, peers=[{"host": "", "port": 70_000, "node": a[:31]}])
    add("33 peers", wire.PEERS, "tooManyItems", peers=[{"host": "a", "port": 1, "node": a}] * 33)
    add("more", wire.CREDIT, bytes=2**64 - 1)
    add("stopping", wire.GOODBYE, reason=1)
    add("violation", wire.GOODBYE, reason=2, violation=1)
    add("of version 2", wire.HELLO, **hello | {"version": 2, "logs": 1_000_000})
    everything = b"\x61\0\0\2\0"
    add("question", wire.RECONCILE, stage=1, round=1, message=everything)
    add("invitation", wire.RECONCILE)
    for size, verdict in ((132_096, "ok"), (132_097, "wrongFieldLength")):
        body = wire.encode(wire.RECONCILE, stage=1, round=1, message=bytes(size))
        raw(f"message of {size:,} bytes", wire.RECONCILE, body[:-size], verdict, repeat=(b"\0", size))
    add("two", wire.ITEMS_WANTED, stage=2**32 - 1, ids=[a, b])
    add("none", wire.ITEMS_WANTED, "impossibleReconciliation", stage=1)
    add("id of 31 bytes", wire.ITEMS_WANTED, "wrongFieldLength", stage=1, ids=[a, b[:31]])
    bound("ids", wire.ITEMS_WANTED, 4_128, {"ids": [a]})
    add("with and without root", wire.ITEMS, stage=1, logs=[{"log": a, "size": 1, "root": b}, {"log": b, "size": top}])
    add("the last of none", wire.ITEMS, stage=1, end=1)
    add("given up", wire.ITEMS, stage=1, logs=[{"log": a, "size": 1}], end=2)
    add("none, and more", wire.ITEMS, "impossibleReconciliation", stage=1)
    add("end 3", wire.ITEMS, "impossibleNumber", stage=1, end=3)
    add("size 0", wire.ITEMS, "impossibleNumber", stage=1, logs=[{"log": a, "size": 0}])
    settlement, ending, certificate = bytes([9]) * 208, bytes(208), bytes([8]) * 200
    evidence = bytes([7]) * 248
    words = {"log": a, "size": 1, "root": b, "settlement": settlement, "evidence": evidence, "certificate": certificate}
    end = {"log": a, "settlement": ending, "root": bytes(32)}
    add("both words", wire.CHANGES, logs=[words, {"log": b, "size": 1}], number=1)
    add("a settlement", wire.CHANGES, logs=[words | {"evidence": no}])
    add("evidence", wire.CHANGES, logs=[words | {"settlement": no}])
    add("evidence of 5,368 bytes", wire.CHANGES, logs=[words | {"evidence": bytes(5368)}])
    add("words and nothing held", wire.CHANGES, logs=[words | {"size": 0, "root": bytes(32)}])
    add("an end", wire.CHANGES, logs=[end])
    add("words", wire.ITEMS, stage=1, logs=[words])
    for name, verdict, change in (
            ("settlement of 207 bytes", "wrongFieldLength", {"settlement": settlement[1:]}),
            ("evidence of 247 bytes", "wrongFieldLength", {"evidence": evidence[1:]}),
            ("evidence of 5,369 bytes", "wrongFieldLength", {"evidence": bytes(5369)}),
            ("words without a root", "wrongFieldLength", {"root": no}),
            ("words without a certificate", "wrongFieldLength", {"certificate": no}),
            ("certificate of 199 bytes", "wrongFieldLength", {"certificate": certificate[1:]}),
            ("certificate without words", "wrongFieldLength", {"settlement": no, "evidence": no}),
            ("no entries, and a root", "impossibleNumber", {"size": 0}),
            ("entries, and no root", "impossibleNumber", {"root": bytes(32)}),
            ("size 2^32 with words", "impossibleNumber", {"size": top + 1})):
        add(name, wire.CHANGES, verdict, logs=[words | change])
    for name, verdict, change in (
            ("an end with a certificate", "wrongFieldLength", {"certificate": certificate}),
            ("an end with evidence", "wrongFieldLength", {"evidence": evidence}),
            ("an end of a size", "impossibleNumber", {"size": 1, "root": b})):
        add(name, wire.CHANGES, verdict, logs=[end | change])
    add("the settled history", wire.WANT, wants=[{"log": a, "from": 1, "settled": True}])
    add("with a proof", wire.PREFIX, log=a, end=3, nodes=b + c, size=4, signature=bytes(64), right=a)
    add("under a known root", wire.PREFIX, log=a, end=3, nodes=b + c, size=3)
    add("size 2^32", wire.PREFIX, "impossibleNumber", log=a, end=3, nodes=b + c, size=top + 1)
    add("signature of 63 bytes", wire.PREFIX, "wrongFieldLength", log=a, end=3, nodes=b + c, size=3, signature=bytes(63))
    add("right of 31 bytes", wire.PREFIX, "wrongFieldLength", log=a, end=3, nodes=b + c, size=4, right=bytes(31))
    add("right of 65 nodes", wire.PREFIX, "tooManyItems", log=a, end=3, nodes=b + c, size=4, right=bytes(65 * 32))
    for kind, rest in ((wire.NODES_WANTED, {}), (wire.NODES, {"hashes": a + b})):
        add("below a place", kind, log=a, level=1, place=2, **rest)
        add("the last place", kind, log=a, level=31, place=0, **rest)
        add("log id of 31 bytes", kind, "wrongFieldLength", log=a[:31], level=1, **rest)
        add("level 0", kind, "impossibleNumber", log=a, level=0, place=2, **rest)
        add("level 33", kind, "impossibleNumber", log=a, level=33, **rest)
        add("a place beyond every log", kind, "impossibleNumber", log=a, level=31, place=1, **rest)
        add("place 2^64 - 1", kind, "impossibleNumber", log=a, level=8, place=2**64 - 1, **rest)
    add("not here", wire.NODES, log=a, level=1, place=2)
    add("256 nodes", wire.NODES, log=a, level=8, hashes=a * 256)
    add("257 nodes", wire.NODES, "tooManyItems", log=a, level=8, hashes=a * 257)
    add("hashes of 31 bytes", wire.NODES, "wrongFieldLength", log=a, level=8, hashes=bytes(31))
    add("root of 31 bytes", wire.ITEMS, "wrongFieldLength", stage=1, logs=[{"log": a, "size": 1, "root": b[:31]}])
    bound("logs", wire.ITEMS, 1024, one_log)
    add("pushed", wire.BRANCH, pushed=True)
    add("named", wire.BRANCH)
    raw("33 fields", wire.BRANCH, b"", "tooManyItems", repeat=(b"\x08\1", 33))
    raw("ends within a value", wire.BRANCH, b"\x08", "malformedMessage")
    near_misses(add, raw, bound, hello, chunk, page)
    raw("unknown fields", wire.CREDIT, bytes.fromhex("0805 f83f01 fa3f0100"))
    raw("varint not the shortest", wire.CREDIT, bytes.fromhex("088500"))
    raw("the later of two counts", wire.CREDIT, bytes.fromhex("0804 0805"))
    raw("what 64 bits do not hold is cut", wire.CREDIT, b"\x08\x85" + b"\x80" * 8 + b"\x7e")
    raw("what 32 bits do not hold is cut", wire.GOODBYE, bytes.fromhex("0881808080f0ffffffff01"))
    raw("another wire type than the field's: skipped", wire.CREDIT, bytes.fromhex("0805 0a01ff 0d01020304"))
    raw("a group: skipped", wire.CREDIT, bytes.fromhex("0805 7b 0809 7b 7c 7c"))
    raw("any number but 0 is true", wire.KEEP_ALIVE, wire.encode(wire.KEEP_ALIVE, **keep) + b"\x28\x02")
    raw("a message twice is one", wire.HELLO,
        wire.encode(wire.HELLO, **hello) + bytes.fromhex("4a220a20" + a.hex() + "4a220a20" + b.hex()))
    raw("97 fields of a later version", wire.HELLO, b"", "tooManyItems", repeat=(bytes.fromhex("f83f01"), 97))
    raw("33 fields within a group", wire.CREDIT, b"\x7b", "tooManyItems", repeat=(bytes.fromhex("0800"), 32))
    raw("a group without an end", wire.CREDIT, bytes.fromhex("7b0801"), "malformedMessage")
    raw("an end without a group", wire.CREDIT, bytes.fromhex("7c"), "malformedMessage")
    raw("fields out of order", wire.GOODBYE, bytes.fromhex("1001 0802"))
    raw("ends within a varint", wire.CREDIT, b"\x08\x80", "malformedMessage")
    raw("varint of eleven bytes", wire.CREDIT, b"\x08" + b"\x80" * 10 + b"\1", "malformedMessage")
    raw("ends within a value", wire.OWN_LOG, b"\x0a\x20" + a[:31], "malformedMessage")
    raw("field number 0", wire.CREDIT, b"\0\0", "malformedMessage")
    raw("a key of five bytes", wire.CREDIT, bytes.fromhex("888080800005"))
    raw("a key of six bytes", wire.CREDIT, bytes.fromhex("88808080800005"), "malformedMessage")
    raw("a key of six bytes within a group: skipped", wire.CREDIT, bytes.fromhex("0805 7b 88808080800005 7c"))
    raw("a key of eleven bytes within a group", wire.CREDIT, b"\x7b\x88" + b"\x80" * 9 + b"\0\5\x7c", "malformedMessage")
    raw("wire type 7", wire.CREDIT, b"\x0f", "malformedMessage")
    raw("text that is no UTF-8", wire.HELLO, wire.encode(wire.HELLO, **hello) + b"\x52\x01\xff", "malformedMessage")
    return {"about": "See Tests/Interoperability/vectors.py. `body` without length and type. The verdict is on the message alone, not on its "
                     "place in a session; those of `negentropy` are the `message` of a Reconcile. Integers are decimal strings; a null is a field that is absent. Where there is `repeat`, its bytes "
                     "follow the body that many times.",
            "messages": cases,
            "negentropy": negentropy()}


def near_misses(add, raw, bound, hello, chunk, page):
    """Lengths and bounds, one on either side of each."""
    a, b, no, top = bytes([1]) * 32, bytes([2]) * 32, b"", 2**32 - 1
    length, number, many, malformed = "wrongFieldLength", "impossibleNumber", "tooManyItems", "malformedMessage"
    for name, change in (("cursor of 17 bytes", {"cursor_store": bytes(17)}), ("own log of 33 bytes", {"own_log": bytes(33)}),
                         ("identity of 33 bytes", {"scope": {"identities": [a, bytes(33)]}}),
                         ("an empty identity", {"scope": {"identities": [no]}})):
        add(name, wire.HELLO, length, **hello | change)
    for count, verdict in ((64, "ok"), (65, many)):
        add(f"{count} features, each by itself", wire.HELLO, verdict, **hello | {"features": [300] * count})
    for count, verdict in ((1024, "ok"), (1025, many)):
        raw(f"{count:,} identities", wire.HELLO, wire.encode(wire.HELLO, **hello | {"scope": {"identities": [a] * count}}),
            verdict, repeat=(b"\x10\1", 1))
    add("a scope without identities", wire.HELLO, **hello | {"scope": {"identities": []}})
    raw("features packed and not", wire.HELLO, wire.encode(wire.HELLO, **hello) + bytes.fromhex("1801 1a020203 1804"))
    add("root of 31 bytes", wire.OWN_LOG, length, log=a, size=3, root=b[1:])
    add("root of 33 bytes", wire.OWN_LOG, length, log=a, size=3, root=b + b"x")
    add("log id of 33 bytes", wire.OWN_LOG, length, log=a + b"x")
    add("no log id", wire.OWN_LOG, length)
    add("size 2^32 - 1", wire.OWN_LOG, log=a, size=top, root=b)
    add("log id of 33 bytes", wire.WANT, length, wants=[{"log": a + b"x"}])
    for name, change in (("certificate of 201 bytes", {"certificate": bytes(201)}), ("signature of 65 bytes", {"signature": bytes(65)}),
                         ("log id of 33 bytes", {"log": a + b"x"}), ("right of 33 bytes", {"right": bytes(33)})):
        add(name, wire.CHUNKS, length, chunks=[chunk | change])
    add("one wrong among right ones", wire.CHUNKS, length, chunks=[chunk, chunk | {"signature": bytes(65)}, chunk])
    add("64 nodes", wire.CHUNKS, chunks=[chunk | {"right": bytes(64 * 32)}])
    add("up to 2^32 - 1", wire.CHUNKS, chunks=[chunk | {"start": top - 1, "size": top}])
    add("lacking, 33 bytes", wire.CHUNKS, length, lacking=[a + b"x"])
    for size, verdict in ((31, length), (33, length), (64 * 32, "ok"), (65 * 32, many)):
        add(f"left of {size:,} bytes", wire.CHUNKS, verdict, chunks=[chunk | {"left": bytes(size)}])
    for size in (31, 33):
        add(f"lacking before, {size} bytes", wire.CHUNKS, length, lacking_before=[bytes(size)])
    bound("lacking before", wire.CHUNKS, 4096, {"lacking_before": [a]})
    add("the newest, and those before", wire.WANT, wants=[{"log": a, "newest": 2**64 - 1}, {"log": a, "until": 2**64 - 1}])
    add("log id of 33 bytes", wire.PREFIX_WANTED, length, log=a + b"x", end=5)
    add("log id of 31 bytes", wire.PREFIX, length, log=a[1:], end=5)
    add("signature of 65 bytes", wire.PREFIX, length, log=a, end=3, nodes=b, size=3, signature=bytes(65))
    add("64 nodes, and as many beside", wire.PREFIX, log=a, end=5, nodes=bytes(64 * 32), size=top, right=bytes(64 * 32))
    for kind, rest in ((wire.NODES_WANTED, {}), (wire.NODES, {"hashes": a + b})):
        add("level 32", kind, number, log=a, level=32, **rest)
        add("level 2^32 - 1", kind, number, log=a, level=top, **rest)
        add("the last place of level 1", kind, log=a, level=1, place=2**31 - 2, **rest)
        add("a place that ends at 2^32", kind, number, log=a, level=1, place=2**31 - 1, **rest)
        add("log id of 33 bytes", kind, length, log=a + b"x", level=1, **rest)
    for size in (31, 33):
        add(f"log id of {size} bytes", wire.BODIES_WANTED, length, wants=[{"log": bytes(size), "sequences": [0]}])
        add(f"log id of {size} bytes", wire.BODIES, length, bodies=[{"log": bytes(size)}])
        add(f"through of {size} bytes", wire.COMPARE, length, **page | {"through": bytes(size)})
    add("after of 33 bytes", wire.COMPARE, length, **page | {"after": bytes(33)})
    add("1,024 sequences", wire.BODIES_WANTED, wants=[{"log": a, "sequences": list(range(1024))}])
    add("1,025 sequences of two logs", wire.BODIES_WANTED, many,
        wants=[{"log": a, "sequences": list(range(1000))}, {"log": b, "sequences": list(range(25))}])
    add("fingerprint of 17 bytes", wire.KEEP_ALIVE, length, fingerprint=bytes(17))
    add("no fingerprint", wire.KEEP_ALIVE, length, count=1)
    add("a log at through", wire.COMPARE, page=1, through=b, logs=[{"log": a, "size": 1}, {"log": b, "size": 1}])
    add("32 peers", wire.PEERS, peers=[{"host": "a", "port": 1, "node": a}] * 32)
    raw("a host that is no UTF-8", wire.PEERS, bytes.fromhex("0a030a01ff"), malformed)
    add("id of 33 bytes", wire.ITEMS_WANTED, length, stage=1, ids=[a + b"x"])
    add("root of 33 bytes", wire.ITEMS, length, stage=1, logs=[{"log": a, "size": 1, "root": b + b"x"}])
    words = {"log": a, "size": 1, "root": b, "settlement": bytes([9]) * 208, "evidence": bytes([7]) * 248, "certificate": bytes([8]) * 200}
    for name, change in (("settlement of 209 bytes", {"settlement": bytes([9]) * 209}), ("certificate of 201 bytes", {"certificate": bytes(201)}),
                         ("root of 33 bytes with words", {"root": b + b"x"}), ("evidence of one byte", {"evidence": b"x"})):
        add(name, wire.ITEMS, length, stage=1, logs=[words | change])
    groups = lambda depth: b"\x7b" * depth + b"\x7c" * depth
    raw("98 groups in a peer", wire.PEERS, bytes.fromhex("0a" + "c401") + groups(98))
    raw("99 groups in a peer", wire.PEERS, bytes.fromhex("0a" + "c601") + groups(99), malformed)
    raw("wire type 6", wire.CREDIT, b"\x0e", malformed)
    raw("field number 2^29 - 1", wire.CREDIT, bytes.fromhex("0805 f8ffffff0f 00"))
    raw("field number 2^29", wire.CREDIT, bytes.fromhex("0805 8080808010 00"), malformed)
    raw("eight bytes that are seven", wire.CREDIT, bytes.fromhex("79 00000000000000"), malformed)
    raw("four bytes that are three", wire.CREDIT, bytes.fromhex("7d 000000"), malformed)
    raw("a group that ends as another", wire.CREDIT, bytes.fromhex("7b 8401"), malformed)
    raw("a length of 2^64 - 1", wire.CREDIT, b"\x7a" + b"\xff" * 9 + b"\1", malformed)
    raw("32 fields", wire.CREDIT, no, repeat=(bytes.fromhex("0805"), 32))
    raw("33 fields", wire.CREDIT, no, many, repeat=(bytes.fromhex("0805"), 33))
    whole = wire.encode(wire.HELLO, **hello)
    spare = 96 - wire.count_fields(whole)
    raw("96 fields", wire.HELLO, whole, repeat=(bytes.fromhex("f83f01"), spare))
    raw("97 fields", wire.HELLO, whole, many, repeat=(bytes.fromhex("f83f01"), spare + 1))
    raw("32 fields beside 2,000 logs", wire.CHANGES, b"\x10\1" * 32, repeat=(wire.encode(wire.CHANGES, logs=[{"log": a, "size": 1}]), 2000))
    raw("33 fields beside 2,000 logs", wire.CHANGES, b"\x10\1" * 33, many, repeat=(wire.encode(wire.CHANGES, logs=[{"log": a, "size": 1}]), 2000))


def negentropy():
    """Messages of a reconciliation (sync.md, Reconciliation); what one is an answer to is the session's."""
    bad, a, print = "malformedReconciliation", bytes([1]) * 32, bytes(range(16))
    far = b"\x81" + b"\xff" * 8 + b"\x7f"
    cases = (
        ("nothing is said", b"\x61", "ok"), ("everything, none of it here", b"\x61\0\0\2\0", "ok"),
        ("a skip, a fingerprint, a list of one", b"\x61\x06\x01\x05\0\x01\x01\x06\1" + print + b"\0\0\2\1" + a, "ok"),
        ("two bounds of one time", b"\x61\x06\0\0\x01\x20" + a + b"\0\0\0\0", "ok"),
        ("the greatest time", b"\x61" + far + b"\0\0", "ok"),
        ("no end: the rest is skipped", b"\x61\x06\0\2\0", "ok"),
        ("empty", b"", bad), ("version 2", b"\x62\0\0\2\0", bad), ("version 0", b"\x60", bad),
        ("the same bound twice", b"\x61\x06\0\0\x01\0\0", bad),
        ("a bound before the last", b"\x61\x06\x01\x05\0\x01\x01\x04\0", bad),
        ("a prefix and the same with a zero behind", b"\x61\x06\x01\x05\0\x01\x02\x05\0\0", bad),
        ("a range behind the end", b"\x61\0\0\0\x06\0\0", bad), ("the end twice", b"\x61\0\0\0\0\0\0", bad),
        ("mode 3", b"\x61\0\0\3", bad), ("no mode", b"\x61\0\0", bad),
        ("prefix of 33 bytes", b"\x61\x06\x21" + a + b"\1\0", bad), ("prefix of the end", b"\x61\0\x01\x05\0", bad),
        ("a prefix that is cut", b"\x61\x06\x20" + a[:31], bad),
        ("a fingerprint that is cut", b"\x61\0\0\1" + print[:15], bad),
        ("a list that is cut", b"\x61\0\0\2\2" + a + a[:31], bad), ("a list longer than its count", b"\x61\0\0\2\0" + a, bad),
        ("integer with a leading zero digit", b"\x61\x80\x06\0\0", bad),
        ("integer of 65 bits", b"\x61\x82" + b"\x80" * 8 + b"\0\0\0", bad),
        ("the time of the end", b"\x61" + far + b"\0\0\x02\0\0", bad),
        ("times beyond 64 bits", b"\x61" + far + b"\0\0" + far + b"\0\0", bad),
        ("4,128 ids", b"\x61\0\0\2\xa0\x20", "ok", 4_128), ("4,129 ids", b"\x61\0\0\2\xa0\x21", bad, 4_129))
    return [{"name": name, "bytes": message.hex(), "verdict": verdict}
            | ({"repeat": {"bytes": a.hex(), "times": times[0]}} if times else {}) for name, message, verdict, *times in cases]


def main():
    here = pathlib.Path(__file__).resolve().parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent.parent / "protocol" / "vectors"
    for name, made in (("channel", channel()), ("near", near.near()), ("own-log", own_log.own_log()), ("sync", sync())):
        (folder / f"{name}.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
