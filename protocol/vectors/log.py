#!/usr/bin/env python3
"""Writes log.json, identity.json and frontier.json: what is signed, with the verdict that the pages of protocol/ give.

Needs PyNaCl for Ed25519 and nothing else beyond the standard library. Run it, and it overwrites the files beside it.
Integers beyond 2^53 - 1 would not survive every JSON reader: all 64-bit integers are decimal strings.
"""

import hashlib
import json
import pathlib

from nacl.signing import SigningKey

U64 = 2**64 - 1
LIMIT = 2**32 - 1
ZERO = bytes(32)


def h(tag, data):
    return hashlib.blake2b(data, digest_size=32, person=tag.encode().ljust(16, b"\0")).digest()


def u(value, size=8):
    return value.to_bytes(size, "big")


def flip(data, place, bit=0):
    out = bytearray(data)
    out[place] ^= 1 << bit
    return bytes(out)


# --- Keys: every secret here is public, and made from a word.

NETWORK = h("scurry/network", b"campus")
OTHER_NETWORK = h("scurry/network", b"elsewhere")
ROOT = SigningKey(h("scurry/root", bytes(range(16))))
OTHER_ROOT = SigningKey(h("scurry/root", bytes(range(16, 32))))
DEVICE = SigningKey(bytes(range(32)))
OTHER_DEVICE = SigningKey(bytes(range(1, 33)))
SEALING = hashlib.sha256(b"a sealing key").digest()
ROOT_KEY = bytes(ROOT.verify_key)
DEVICE_KEY = bytes(DEVICE.verify_key)
SERIAL = 1_790_000_000_000


def certificate(network=NETWORK, root=ROOT, device=DEVICE, serial=SERIAL):
    return network + bytes(root.verify_key) + bytes(device.verify_key) + SEALING + u(serial)


def signed(prefix, body, key):
    return body + key.sign(prefix + body).signature


CERTIFICATE = certificate()
SIGNED = signed(b"scurry certificate v1", CERTIFICATE, ROOT)
LOG = h("scurry/log", CERTIFICATE)
OTHER_SIGNED = signed(b"scurry certificate v1", certificate(device=OTHER_DEVICE), ROOT)

# --- identity.json

identity = {"networks": [], "roots": [], "certificates": [], "settlements": []}
for name in ["campus", "elsewhere", "", "Campus", "ünï-cöde", "x" * 100]:
    identity["networks"].append({"name": name, "id": h("scurry/network", name.encode()).hex()})
for entropy in [bytes(16), bytes(range(16)), bytes([255] * 16)]:
    seed = h("scurry/root", entropy)
    identity["roots"].append(
        {"entropy": entropy.hex(), "seed": seed.hex(), "key": bytes(SigningKey(seed).verify_key).hex()}
    )


def cert_case(name, data, verdict):
    case = {"name": name, "network": NETWORK.hex(), "hex": data.hex(), "verdict": verdict}
    if verdict == "valid":
        case["log"] = h("scurry/log", data[:136]).hex()
    identity["certificates"].append(case)


CERT_PREFIX = b"scurry certificate v1"
cert_case("valid", SIGNED, "valid")
cert_case("another device, another log", OTHER_SIGNED, "valid")
for serial in (0, 1, U64):
    cert_case(f"serial {serial}", signed(CERT_PREFIX, certificate(serial=serial), ROOT), "valid")
cert_case("empty", b"", "wrongLength")
cert_case("one byte short", SIGNED[:-1], "wrongLength")
cert_case("one byte long", SIGNED + b"\0", "wrongLength")
cert_case("without signature", CERTIFICATE, "wrongLength")
cert_case("valid in another network", signed(CERT_PREFIX, certificate(network=OTHER_NETWORK), ROOT), "foreignNetwork")
cert_case("network changed", flip(SIGNED, 0), "foreignNetwork")
cert_case("root key changed", flip(SIGNED, 32), "badSignature")
cert_case("device key changed", flip(SIGNED, 64), "badSignature")
cert_case("sealing key changed", flip(SIGNED, 96), "badSignature")
cert_case("serial changed", flip(SIGNED, 135), "badSignature")
cert_case("first half of the signature changed", flip(SIGNED, 136), "badSignature")
cert_case("second half of the signature changed", flip(SIGNED, 168), "badSignature")
cert_case("signed by another root", signed(CERT_PREFIX, CERTIFICATE, OTHER_ROOT), "badSignature")
cert_case("signed by the device", signed(CERT_PREFIX, CERTIFICATE, DEVICE), "badSignature")
cert_case("signed without the prefix", signed(b"", CERTIFICATE, ROOT), "badSignature")
cert_case("signed under the prefix of a settlement", signed(b"scurry settlement v1", CERTIFICATE, ROOT), "badSignature")
cert_case(
    "the order added to S: not canonical",
    SIGNED[:168]
    + (int.from_bytes(SIGNED[168:], "little") + 2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little"),
    "badSignature",
)
cert_case("a root of small order", NETWORK + u(1, 1) + bytes(31) + DEVICE_KEY + SEALING + u(SERIAL) + u(1, 1) + bytes(63), "badSignature")


def settlement(network=NETWORK, root=ROOT, log=LOG, size=3, tree=h("scurry/node", b"any"), serial=SERIAL):
    return network + bytes(root.verify_key) + log + u(size) + tree + u(serial)


SETTLE_PREFIX = b"scurry settlement v1"


def settle_case(name, data, verdict):
    identity["settlements"].append({"name": name, "network": NETWORK.hex(), "hex": data.hex(), "verdict": verdict})


def settle(**fields):
    return signed(SETTLE_PREFIX, settlement(**fields), ROOT)


SETTLED = settle()
settle_case("valid", SETTLED, "valid")
settle_case("everything taken back", settle(size=0, tree=ZERO), "valid")
settle_case("the largest size", settle(size=LIMIT), "valid")
settle_case("the end of the account", settle(log=ZERO, size=0, tree=ZERO), "valid")
settle_case("one byte short", SETTLED[:-1], "wrongLength")
settle_case("one byte long", SETTLED + b"\0", "wrongLength")
settle_case("empty", b"", "wrongLength")
settle_case("valid in another network", settle(network=OTHER_NETWORK), "foreignNetwork")
settle_case("network changed", flip(SETTLED, 0), "foreignNetwork")
settle_case("size 2^32", settle(size=2**32), "impossibleSize")
settle_case("size 2^64 - 1", settle(size=U64), "impossibleSize")
settle_case("size 0 with a root", settle(size=0), "impossibleSize")
settle_case("no root with a size", settle(tree=ZERO), "impossibleSize")
settle_case("an end of the account with a size", settle(log=ZERO), "impossibleSize")
settle_case("root key changed", flip(SETTLED, 32), "badSignature")
settle_case("log changed", flip(SETTLED, 64), "badSignature")
settle_case("size changed", flip(SETTLED, 103, 1), "badSignature")
settle_case("tree root changed", flip(SETTLED, 104), "badSignature")
settle_case("serial changed", flip(SETTLED, 143), "badSignature")
settle_case("first half of the signature changed", flip(SETTLED, 144), "badSignature")
settle_case("second half of the signature changed", flip(SETTLED, 176), "badSignature")
settle_case("signed by another root", signed(SETTLE_PREFIX, settlement(), OTHER_ROOT), "badSignature")
settle_case("signed without the prefix", signed(b"", settlement(), ROOT), "badSignature")
settle_case("signed under the prefix of a certificate", signed(CERT_PREFIX, settlement(), ROOT), "badSignature")

# --- Entries

log = {"headers": [], "packed": [], "trees": [], "heads": [], "chunks": [], "disputes": [], "windows": [], "in_place": [],
       "evidence": []}


def header(seq, payload, kind=1, flags=1, version=1, time=SERIAL, clock=SERIAL, log_id=None, length=None, digest=None):
    return (
        u(version, 1)
        + u(flags, 1)
        + u(kind, 2)
        + (LOG if log_id is None else log_id)
        + u(seq)
        + u(time)
        + u(clock)
        + u(len(payload) if length is None else length, 4)
        + (h("scurry/payload", payload) if digest is None else digest)
    )


POST = bytes.fromhex("0a10000102030405060708090a0b0c0d0e0f1222") + b"Caught this one stealing my bagel." + bytes.fromhex(
    "2209"
) + b"squirrels"


def header_case(name, seq, payload, **fields):
    data = header(seq, payload, **fields)
    log["headers"].append(
        {
            "name": name,
            "version": fields.get("version", 1),
            "flags": fields.get("flags", 1),
            "kind": fields.get("kind", 1),
            "log": fields.get("log_id", LOG).hex(),
            "sequence": str(seq),
            "time": str(fields.get("time", SERIAL)),
            "clock": str(fields.get("clock", SERIAL)),
            "payload": payload.hex(),
            "hex": data.hex(),
            "id": h("scurry/entry", data).hex(),
        }
    )


header_case("the example of log.md", 0, POST)
header_case("each field with bytes of its own", 0x0102030405060708, b"x", version=0xA1, flags=0xA2, kind=0xB1B2,
            log_id=bytes(range(0xC0, 0xE0)), time=0x1112131415161718, clock=0x2122232425262728)
header_case("all zero, empty payload", 0, b"", version=0, flags=0, kind=0, log_id=ZERO, time=0, clock=0)
header_case("all ones", U64, b"\xff", version=255, flags=255, kind=65535, log_id=bytes([255] * 32), time=U64, clock=U64)


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(difference):
    difference &= U64
    if difference >> 63:
        difference -= 2**64
    return varint((difference << 1 ^ difference >> 63) & U64)


def pack(before, time, clock, payload, kind=1, flags=1, version=1, withheld=None):
    """One packed entry; `withheld` is (length, hash) in place of the payload."""
    common = version == 1 and flags <= 1
    out = u((withheld is not None) | (2 * flags if common else 4), 1)
    if not common:
        out += u(version, 1) + u(flags, 1)
    out += varint(kind) + zigzag(time - before) + zigzag(clock - time)
    if withheld is None:
        return out + varint(len(payload)) + payload
    return out + varint(withheld[0]) + withheld[1]


def packed_case(name, data, count, verdict, ids=()):
    log["packed"].append(
        {"name": name, "log": LOG.hex(), "start": "0", "count": count, "hex": data.hex(), "verdict": verdict,
         "ids": [i.hex() for i in ids]}
    )


def entry_id(seq, payload, **fields):
    return h("scurry/entry", header(seq, payload, **fields))


T = SERIAL
ONE = pack(0, T, T, POST)
packed_case("nothing", b"", 0, "valid")
packed_case("the example of log.md", ONE, 1, "valid", [entry_id(0, POST)])
packed_case("two", ONE + pack(T, T + 5, T + 7, b"second", kind=3, flags=0), 2, "valid",
            [entry_id(0, POST), entry_id(1, b"second", kind=3, flags=0, time=T + 5, clock=T + 7)])
packed_case("the second is older", ONE + pack(T, 3, 1, b""), 2, "valid",
            [entry_id(0, POST), entry_id(1, b"", time=3, clock=1)])
for time, clock in [(0, 0), (U64, U64), (U64, 0), (0, U64), (2**63, 2**63 - 1), (2**63 - 1, 2**63)]:
    packed_case(f"time {time}, clock {clock}", pack(0, time, clock, b"p"), 1, "valid",
                [entry_id(0, b"p", time=time, clock=clock)])
packed_case("from the greatest time to 0", pack(0, U64, U64, b"p") + pack(U64, 0, 0, b"q"), 2, "valid",
            [entry_id(0, b"p", time=U64, clock=U64), entry_id(1, b"q", time=0, clock=0)])
packed_case("another version", pack(0, T, T, b"p", version=2), 1, "valid", [entry_id(0, b"p", version=2)])
packed_case("a flag of the future", pack(0, T, T, b"p", flags=0x81), 1, "valid", [entry_id(0, b"p", flags=0x81)])
packed_case("the last kind", pack(0, T, T, b"p", kind=65535), 1, "valid", [entry_id(0, b"p", kind=65535)])
DIGEST = h("scurry/payload", POST)
packed_case("withheld", pack(0, T, T, None, withheld=(65, DIGEST)), 1, "valid", [entry_id(0, POST)])
packed_case("withheld, a flag of the future besides", pack(0, T, T, None, flags=3, withheld=(65, DIGEST)), 1, "valid",
            [entry_id(0, POST, flags=3)])
packed_case("withheld and too long, not erasable", pack(0, T, T, None, flags=0, kind=3, withheld=(65537, DIGEST)), 1,
            "valid", [entry_id(0, b"", flags=0, kind=3, length=65537, digest=DIGEST)])
packed_case("withheld, the greatest length", pack(0, T, T, None, withheld=(LIMIT, DIGEST)), 1, "valid",
            [entry_id(0, b"", length=LIMIT, digest=DIGEST)])
for cut in range(len(ONE)):
    packed_case(f"cut after {cut}", ONE[:cut], 1, "truncated")
packed_case("cut in the hash", pack(0, T, T, None, withheld=(65, DIGEST))[:-1], 1, "truncated")
packed_case("one entry fewer than counted", ONE, 2, "truncated")
packed_case("one entry more than counted", ONE + pack(T, T, T, b""), 1, "trailingBytes")
packed_case("a byte too many", ONE + b"\0", 1, "trailingBytes")
packed_case("a byte, no entry", b"\0", 0, "trailingBytes")
for shape in (8, 16, 32, 64, 128, 255):
    packed_case(f"shape {shape}", u(shape, 1) + ONE[1:], 1, "malformed")
packed_case("explicit and erasable bit", u(6, 1) + b"\x02\x01" + ONE[1:], 1, "malformed")
packed_case("explicit version 1, flags 0", u(4, 1) + b"\x01\x00" + ONE[1:], 1, "malformed")
packed_case("explicit version 1, flags 1", u(4, 1) + b"\x01\x01" + ONE[1:], 1, "malformed")
packed_case("kind in two bytes", b"\x02\x81\x00" + ONE[2:], 1, "malformed")
packed_case("kind 65536", b"\x02" + varint(65536) + ONE[2:], 1, "malformed")
tail = ONE[2 + len(zigzag(T)):]
packed_case("time in eleven bytes", ONE[:2] + b"\x80" * 10 + b"\0" + tail, 1, "malformed")
packed_case("time beyond 64 bits", ONE[:2] + b"\xff" * 9 + b"\x02" + tail, 1, "malformed")
packed_case("clock difference 0 in two bytes", ONE[:2] + zigzag(T) + b"\x80\x00" + tail[1:], 1, "malformed")
packed_case("length in two bytes", ONE[:2] + zigzag(T) + b"\x00" + b"\xc1\x00" + POST, 1, "malformed")
packed_case("length 2^32", ONE[:2] + zigzag(T) + b"\x00" + varint(2**32), 1, "malformed")
packed_case("length 2^32, withheld", b"\x03" + ONE[1:2] + zigzag(T) + b"\x00" + varint(2**32) + DIGEST, 1, "malformed")
packed_case("whole and 65,537 bytes", ONE[:2] + zigzag(T) + b"\x00" + varint(65537), 1, "payloadTooLong")
packed_case("withheld, not erasable", pack(0, T, T, None, flags=0, kind=3, withheld=(65, DIGEST)), 1, "bodyRequired")
packed_case("withheld, not erasable, 65,536 bytes", pack(0, T, T, None, flags=0, kind=3, withheld=(65536, DIGEST)), 1,
            "bodyRequired")
packed_case("withheld, a flag of the future instead", pack(0, T, T, None, flags=2, withheld=(65, DIGEST)), 1,
            "bodyRequired")

# --- Trees


def node(left, right):
    return h("scurry/node", left + right)


def tree(leaves):
    if not leaves:
        return ZERO
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return node(tree(leaves[:half]), tree(leaves[half:]))


def compact(leaves, start, end):
    """Roots of the largest perfect subtrees that lie wholly in [start, end), left to right."""
    nodes = []
    while start < end:
        width = 1
        while start % (2 * width) == 0 and start + 2 * width <= end:
            width *= 2
        nodes.append(tree(leaves[start:start + width]))
        start += width
    return nodes


LEAVES = [hashlib.sha256(u(i)).digest() for i in range(70)]
for size in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 70]:
    middle = size * 2 // 5
    log["trees"].append(
        {"size": size, "root": tree(LEAVES[:size]).hex(), "middle": middle,
         "left": [n.hex() for n in compact(LEAVES, 0, middle)],
         "right": [n.hex() for n in compact(LEAVES, middle, size)]}
    )

# --- Heads


def head_message(size, root, network=NETWORK, log_id=LOG):
    return b"scurry head v1" + network + log_id + u(size) + root


def head_signature(size, root, key=DEVICE, **fields):
    return key.sign(head_message(size, root, **fields)).signature


def head_case(name, size, root, signature, verdict, log_id=LOG):
    log["heads"].append(
        {"name": name, "network": NETWORK.hex(), "device": DEVICE_KEY.hex(), "log": log_id.hex(), "size": str(size),
         "root": root.hex(), "signature": signature.hex(), "verdict": verdict}
    )


# One log of seven entries; the last but one is a vote, the fourth comes without its body.
PAYLOADS = [POST, b"second", b"", b"fourth" * 50, b"\x00\xff", b"vote", b"last"]
KINDS = [(1, 1), (1, 1), (2, 1), (1, 1), (5, 1), (3, 0), (6, 0)]
TIMES = [T, T + 1000, T + 900, T + 900, T + 5000, T + 5001, 0]
CLOCKS = [T, T + 1000, T + 1001, T + 1002, T + 5000, T + 5001, U64]


def ids_of(payloads):
    return [
        entry_id(i, p, kind=KINDS[i][0], flags=KINDS[i][1], time=TIMES[i], clock=CLOCKS[i])
        for i, p in enumerate(payloads)
    ]


def packed(payloads, start, end, withheld=()):
    out, before = b"", 0
    for i in range(start, end):
        body = (len(payloads[i]), h("scurry/payload", payloads[i])) if i in withheld else None
        out += pack(before, TIMES[i], CLOCKS[i], payloads[i], kind=KINDS[i][0], flags=KINDS[i][1], withheld=body)
        before = TIMES[i]
    return out


IDS = ids_of(PAYLOADS)
FORKED = PAYLOADS[:2] + [b"another third"] + PAYLOADS[3:]
FORKED_IDS = ids_of(FORKED)
SEVEN = tree(IDS)
head_case("the example of log.md", 7, SEVEN, head_signature(7, SEVEN), "valid")
head_case("size changed", 6, SEVEN, head_signature(7, SEVEN), "badSignature")
head_case("root changed", 7, flip(SEVEN, 31), head_signature(7, SEVEN), "badSignature")
head_case("log changed", 7, SEVEN, head_signature(7, SEVEN), "badSignature", log_id=flip(LOG, 0))
head_case("of another network", 7, SEVEN, head_signature(7, SEVEN, network=OTHER_NETWORK), "badSignature")
head_case("by another device", 7, SEVEN, head_signature(7, SEVEN, key=OTHER_DEVICE), "badSignature")
head_case("by the root", 7, SEVEN, head_signature(7, SEVEN, key=ROOT), "badSignature")
head_case("first half of the signature changed", 7, SEVEN, flip(head_signature(7, SEVEN), 0), "badSignature")
head_case("second half of the signature changed", 7, SEVEN, flip(head_signature(7, SEVEN), 32), "badSignature")
head_case("without the prefix", 7, SEVEN, DEVICE.sign(head_message(7, SEVEN)[14:]).signature, "badSignature")

# --- Chunks: what the receiver holds, what comes, what is made of it.


def chunk_case(name, verdict, held=0, known=False, ids=IDS, start=0, count=7, size=7, signature=None, entries=None,
               right=None, certificate=SIGNED, log_id=LOG):
    if entries is None:
        entries = packed(PAYLOADS, start, start + count)
    if right is None:
        right = compact(IDS, start + count, size)
    if signature is None:
        signature = head_signature(size, tree(IDS[:size]))
    case = {
        "name": name, "network": NETWORK.hex(),
        "held": str(held), "prefix": [n.hex() for n in compact(ids, 0, held)],
        "known": SIGNED.hex() if known else None,
        "log": log_id.hex(), "certificate": None if certificate is None else certificate.hex(),
        "start": str(start), "count": str(count), "size": str(size), "signature": signature.hex(),
        "entries": entries.hex(), "right": [n.hex() for n in right], "verdict": verdict,
    }
    if verdict == "verified":
        case["ids"] = [i.hex() for i in IDS[start:start + count]]
        case["tip"] = [n.hex() for n in compact(IDS, 0, start + count)]
    log["chunks"].append(case)
    return case


chunk_case("the whole log", "verified")
chunk_case("the whole log, the fourth body withheld", "verified", entries=packed(PAYLOADS, 0, 7, withheld={3}))
chunk_case("the first three of seven", "verified", count=3)
chunk_case("the first alone", "verified", count=1)
chunk_case("the middle", "verified", held=3, known=True, certificate=None, start=3, count=2)
chunk_case("the end", "verified", held=5, known=True, certificate=None, start=5, count=2)
chunk_case("under a smaller head", "verified", held=3, known=True, certificate=None, start=3, count=2, size=5)
chunk_case("a known log, and a certificate that nobody reads", "verified", held=5, known=True, certificate=b"\0",
           start=5, count=2)
chunk_case("no certificate of an unknown log", "certificateMissing", certificate=None)
chunk_case("it begins beyond what is held", "doesNotFit", held=2, known=True, start=3, count=4)
chunk_case("it begins before the end of what is held", "doesNotFit", held=4, known=True, start=3, count=4)
chunk_case("all of it is held", "doesNotFit", held=7, known=True)
for size in (2**32, 2**63, U64):
    chunk_case(f"size {size}", "impossibleBounds", size=size, right=[], signature=bytes(64))
chunk_case("start beyond the size", "impossibleBounds", start=8, count=1, right=[], entries=b"")
chunk_case("start 2^64 - 1", "impossibleBounds", start=U64, count=1, right=[], entries=b"")
chunk_case("more entries than the head covers", "impossibleBounds", count=8, right=[], entries=b"")
chunk_case("count 2^64 - 1", "impossibleBounds", count=U64, right=[], entries=b"")
chunk_case("start + count wraps round", "impossibleBounds", start=7, count=U64, right=[], entries=b"")
chunk_case("no entries", "emptyChunk", count=0)
chunk_case("no entries at the head", "emptyChunk", start=7, count=0)
chunk_case("an empty log", "emptyChunk", count=0, size=0)
chunk_case("a node dropped", "wrongNodeCount", count=3, right=compact(IDS, 3, 7)[:-1])
chunk_case("a node added", "wrongNodeCount", count=3, right=compact(IDS, 3, 7) + [ZERO])
chunk_case("a node where none is wanted", "wrongNodeCount", right=[ZERO])
chunk_case("certificate one byte short", "wrongLength", certificate=SIGNED[:-1])
chunk_case("certificate of another network", "foreignNetwork",
           certificate=signed(CERT_PREFIX, certificate(network=OTHER_NETWORK), ROOT))
chunk_case("certificate not signed", "badSignature", certificate=flip(SIGNED, 199))
chunk_case("certificate of another log", "certificateOfAnotherLog", certificate=OTHER_SIGNED)
chunk_case("log changed", "certificateOfAnotherLog", log_id=flip(LOG, 31))
WHOLE = packed(PAYLOADS, 0, 7)
chunk_case("entries cut short", "truncated", entries=WHOLE[:-1])
chunk_case("entries with a byte too many", "trailingBytes", entries=WHOLE + b"\0")
chunk_case("an entry in a longer spelling", "malformed", entries=b"\x04\x01\x01" + WHOLE[1:])
chunk_case("an entry too long", "payloadTooLong",
           entries=pack(0, T, T, b"")[:-1] + varint(65537) + bytes(65537 // 100))
chunk_case("a vote withheld", "bodyRequired", entries=packed(PAYLOADS, 0, 7, withheld={5}))
chunk_case("a payload changed", "badProof", entries=WHOLE.replace(b"second", b"Second"))
chunk_case("a hash changed", "badProof",
           entries=packed(PAYLOADS, 0, 7, withheld={3}).replace(h("scurry/payload", PAYLOADS[3]), ZERO))
chunk_case("a time changed", "badProof", entries=WHOLE.replace(zigzag(T), zigzag(T + 1), 1))
chunk_case("a flag changed", "badProof", entries=b"\x00" + WHOLE[1:])
chunk_case("a kind changed", "badProof", entries=WHOLE[:1] + b"\x02" + WHOLE[2:])
chunk_case("a version changed", "badProof", entries=b"\x04\x02\x01" + WHOLE[1:])
chunk_case("a node changed", "badProof", count=3, right=[flip(compact(IDS, 3, 7)[0], 0)] + compact(IDS, 3, 7)[1:])
chunk_case("nodes swapped", "badProof", count=3, right=compact(IDS, 3, 7)[::-1])
chunk_case("signature changed", "badProof", signature=flip(head_signature(7, SEVEN), 0))
chunk_case("signature for another network", "badProof", signature=head_signature(7, SEVEN, network=OTHER_NETWORK))
chunk_case("signature by another device", "badProof", signature=head_signature(7, SEVEN, key=OTHER_DEVICE))
chunk_case("signature of another size", "badProof", signature=head_signature(6, SEVEN))
chunk_case("the entries of another place", "badProof", count=3, entries=packed(PAYLOADS, 1, 4))


def dispute(name, verdict, held_ids, sent, prefix, start=5):
    case = chunk_case(name, "prefixDiffers", held=start, known=True, certificate=None, ids=held_ids, start=start,
                      count=7 - start, **sent)
    log["disputes"].append({**case, "name": name, "sent": [n.hex() for n in prefix], "judgement": verdict})


dispute("held is a fork, the sender shows its branch", "writerForked", FORKED_IDS, {}, compact(IDS, 0, 5))
dispute("the sender shows the receiver's branch", "lie", FORKED_IDS, {}, compact(FORKED_IDS, 0, 5))
dispute("the sender shows too few nodes", "lie", FORKED_IDS, {}, compact(IDS, 0, 5)[:-1])
dispute("the sender shows too many nodes", "lie", FORKED_IDS, {}, compact(IDS, 0, 5) + [ZERO])
dispute("the sender shows nothing", "lie", FORKED_IDS, {}, [])
dispute("a forged signature over the right prefix", "lie", IDS, {"signature": bytes(64)}, compact(IDS, 0, 5))
dispute("a payload changed over the right prefix", "lie", IDS,
        {"entries": packed(PAYLOADS[:5] + [b"Vote"] + PAYLOADS[6:], 5, 7)}, compact(IDS, 0, 5))

# --- What is left out: chunks with `left`, and such as fill a gap. `asked`: from where the newest entries were asked for;
# `gap`: what is missing of what is held; `after`: what is then. `cut`, `settled`: (size, root) that are known, and `side`:
# (end, nodes) of the settled history beside the stored one; a case that has none of these has no such key.


def window_case(name, verdict, held=0, asked=None, gap=None, after=None, left=None, start=5, count=2, size=7, root=None,
                cut=None, settled=None, side=None, known=None, becomes=None, **sent):
    """`root` is the proof in place of the head's signature over IDS; `becomes` the history that is stored then, if not IDS."""
    if root is not None:
        sent["signature"] = root
    case = chunk_case(name, verdict, held=held, known=held > 0 if known is None else known, start=start, count=count,
                      size=size, **sent)
    log["chunks"].remove(case)
    if left is None:
        left = [] if asked is None else compact(IDS, asked, start)
    case["asked"] = None if asked is None else str(asked)
    case["left"] = [n.hex() for n in left]
    case["gap"] = None if gap is None else {
        "start": str(gap[0]), "end": str(gap[1]), "before": [n.hex() for n in compact(IDS, 0, gap[0])],
        "nodes": [n.hex() for n in compact(IDS, gap[0], gap[1])],
    }
    case["after"] = None if after is None else [str(after[0]), str(after[1])]
    for key, value in (("cut", cut), ("settled", settled)):
        if value is not None:
            case[key] = {"size": str(value[0]), "root": value[1].hex()}
    if side is not None:
        case["side"] = {"end": str(side[0]), "nodes": [n.hex() for n in side[1]]}
    if becomes is not None:
        case["ids"] = [i.hex() for i in becomes[start:start + count]]
        case["tip"] = [n.hex() for n in compact(becomes, 0, start + count)]
    log["windows"].append(case)


window_case("the last two of a log that is not known", "verified", asked=0, after=(0, 5))
window_case("the last two behind the first two", "verified", held=2, asked=2, after=(2, 5), certificate=None)
window_case("the last but one of many", "verified", held=1, asked=1, count=1, after=(1, 5), certificate=None)
window_case("the next behind a window", "verified", held=6, start=6, count=1, gap=(0, 5), after=(0, 5), certificate=None)
window_case("left, and nobody asked for it", "doesNotFit", held=2, left=compact(IDS, 2, 5), certificate=None)
window_case("asked from elsewhere than the end", "doesNotFit", held=3, asked=2, certificate=None)
window_case("asked from beyond the end", "doesNotFit", held=1, asked=2, certificate=None)
window_case("a second window", "doesNotFit", held=4, asked=4, gap=(1, 2), certificate=None)
window_case("a window under a known root", "unknownRoot", held=2, asked=2, root=b"", certificate=None)
window_case("left a node short", "doesNotFit", held=2, asked=2, left=compact(IDS, 2, 5)[:-1], certificate=None)
window_case("left a node too long", "doesNotFit", held=2, asked=2, left=compact(IDS, 2, 5) + [ZERO],
            certificate=None)
window_case("left of nothing", "doesNotFit", held=5, asked=5, left=[ZERO], certificate=None)
window_case("left backwards", "doesNotFit", held=6, asked=6, left=[ZERO], certificate=None)
window_case("right a node short", "wrongNodeCount", asked=0, count=1, right=[])
window_case("a node of left changed, nothing held", "badProof", asked=0,
            left=[flip(compact(IDS, 0, 5)[0], 0)] + compact(IDS, 0, 5)[1:])
window_case("a node of left changed", "prefixDiffers", held=2, asked=2,
            left=[flip(compact(IDS, 2, 5)[0], 0)] + compact(IDS, 2, 5)[1:], certificate=None)
window_case("nodes of left swapped, nothing held", "badProof", asked=0, left=compact(IDS, 0, 5)[::-1])
window_case("a window, and no certificate", "certificateMissing", asked=0, certificate=None)
window_case("behind another history", "prefixDiffers", held=4, asked=4, ids=FORKED_IDS, certificate=None)

GAP = dict(held=7, gap=(1, 6), size=6, root=b"", certificate=None)
window_case("the first of a gap", "verified", start=1, count=1, after=(2, 6), **GAP)
window_case("the first three of a gap", "verified", start=1, count=3, after=(4, 6), **GAP)
window_case("a whole gap", "verified", start=1, count=5, **GAP)
window_case("from before a gap", "doesNotFit", start=0, count=3, **GAP)
window_case("from within a gap", "doesNotFit", start=2, count=3, **GAP)
window_case("up to within a gap", "unknownRoot", start=1, count=2, **{**GAP, "size": 5})
window_case("up to behind a gap", "unknownRoot", start=1, count=2, **{**GAP, "size": 7})
window_case("up to behind a gap, with the nodes of the gap", "unknownRoot", start=1, count=3, right=compact(IDS, 4, 6),
            **{**GAP, "size": 8})
window_case("where there is no gap", "unknownRoot", start=1, count=2, **{**GAP, "gap": None})
window_case("beyond the end of a gap", "impossibleBounds", start=1, count=6, right=[], **GAP)
window_case("no entries of a gap", "emptyChunk", start=1, count=0, **GAP)
window_case("a gap's payload changed", "unknownRoot", start=1, count=5,
            entries=packed(PAYLOADS, 1, 6).replace(b"second", b"Second"), **GAP)
window_case("a gap's right changed", "unknownRoot", start=1, count=1,
            right=[flip(compact(IDS, 2, 6)[0], 0)] + compact(IDS, 2, 6)[1:], **GAP)
window_case("a gap's right a node short", "wrongNodeCount", start=1, count=1, right=compact(IDS, 2, 6)[:-1], **GAP)
window_case("a gap's entries cut short", "truncated", start=1, count=5, entries=packed(PAYLOADS, 1, 6)[:-1], **GAP)

# What is left out where a cut or a settlement is known. The histories of IDS and FORKED_IDS part at entry 2, and have the
# same entries from 3 on.


def at(size):
    return size, tree(IDS[:size])


def forked_at(size):
    return size, tree(FORKED_IDS[:size])


HERE = dict(known=True, certificate=None)
KNOWN = dict(root=b"", **HERE)  # under a known root
BEHIND = dict(held=2, asked=2, after=(2, 5))
REFUSED = dict(held=2, asked=2)

# Under a known root.
window_case("a window under the settled root", "verified", asked=0, after=(0, 5), settled=at(7), **KNOWN)
window_case("a window under the root at the cut, of its last entry", "verified", count=1, size=6, cut=at(6),
            **BEHIND, **KNOWN)
window_case("a window under a known root of another size", "unknownRoot", cut=at(5), settled=at(6), **REFUSED, **KNOWN)
window_case("a window under a root that is not known, and no certificate", "certificateMissing", asked=0, root=b"",
            certificate=None)
window_case("a node of left changed under the settled root, nothing held", "unknownRoot", asked=0, settled=at(7),
            left=[flip(compact(IDS, 0, 5)[0], 0)] + compact(IDS, 0, 5)[1:], **KNOWN)
window_case("a node of left changed under the settled root", "prefixDiffers", settled=at(7),
            left=[flip(compact(IDS, 2, 5)[0], 0)] + compact(IDS, 2, 5)[1:], **REFUSED, **KNOWN)
window_case("left a node short under the settled root", "doesNotFit", settled=at(7), left=compact(IDS, 2, 5)[:-1],
            **REFUSED, **KNOWN)
window_case("left a node too long under the root at the cut", "doesNotFit", count=1, size=6, cut=at(6),
            left=compact(IDS, 2, 5) + [ZERO], **REFUSED, **KNOWN)
window_case("a window under the settled root, behind another history", "prefixDiffers", held=4, asked=4, ids=FORKED_IDS,
            settled=at(7), **KNOWN)
window_case("settlement and cut of one size, a window of the history of the cut, not to its end", "verified", asked=0,
            after=(0, 5), count=1, left=compact(FORKED_IDS, 0, 5), cut=forked_at(7), settled=at(7), becomes=FORKED_IDS,
            **KNOWN)
window_case("settlement and cut of one size, a window behind the history of the cut", "verified", held=4, asked=4,
            after=(4, 5), ids=FORKED_IDS, cut=forked_at(7), settled=at(7), becomes=FORKED_IDS, **KNOWN)
window_case("a window under the root at the cut, from the settled size on", "unknownRoot", cut=at(7), settled=forked_at(5),
            **REFUSED, **KNOWN)
window_case("a window under the settled root, beyond the cut", "unknownRoot", cut=forked_at(4), settled=at(7),
            **REFUSED, **KNOWN)

# Under a head.
window_case("a window from the settled size on", "unknownRoot", settled=at(5), **REFUSED, **HERE)
window_case("a window from the last settled entry on", "verified", settled=at(6), **BEHIND, **HERE)
window_case("a window from the cut on", "unknownRoot", cut=forked_at(5), **REFUSED, **HERE)
window_case("a window from the last entry before the cut on", "verified", cut=forked_at(6), **BEHIND, **HERE)
window_case("the cut within what is left out", "unknownRoot", cut=at(3), **REFUSED, **HERE)
window_case("the cut within what is held", "unknownRoot", held=4, asked=4, cut=at(3), **HERE)
window_case("a window under the head that is settled, beyond the cut", "unknownRoot", cut=forked_at(4), settled=at(7),
            **REFUSED, **HERE)
window_case("a window under the head that is settled, beyond the cut, not to its end", "unknownRoot", count=1,
            cut=forked_at(4), settled=at(7), **REFUSED, **HERE)
window_case("a window under a head of the settled size, beyond the cut", "unknownRoot", cut=at(4), settled=forked_at(7),
            **REFUSED, **HERE)
window_case("a node of left changed, beyond the cut, nothing held", "badProof", asked=0, cut=at(4),
            left=[flip(compact(IDS, 0, 5)[0], 0)] + compact(IDS, 0, 5)[1:], **HERE)

# Beside another history, and with a gap.
BESIDE = dict(ids=FORKED_IDS, settled=at(7), side=(3, compact(IDS, 0, 3)), certificate=None)
window_case("a window under the settled root, where the settled history is beside", "doesNotFit", held=3, asked=3, root=b"",
            **BESIDE)
window_case("a window under a head, the settled history beside", "verified", held=4, asked=4, after=(4, 5),
            root=head_signature(*forked_at(7)), becomes=FORKED_IDS, **BESIDE)
window_case("a window under the root at the cut, the settled history beside", "verified", held=4, asked=4, after=(4, 5),
            count=1, size=6, root=b"", cut=forked_at(6), becomes=FORKED_IDS, **BESIDE)
window_case("a second window, under the settled root", "doesNotFit", held=4, asked=4, gap=(1, 2), settled=at(7), **KNOWN)
window_case("a second window, under the root at the cut", "doesNotFit", held=4, asked=4, gap=(1, 2), count=1, size=6,
            cut=at(6), **KNOWN)
window_case("the first of a gap that ends at the cut, under a settlement beyond", "verified", start=1, count=1, after=(2, 6),
            cut=forked_at(6), settled=at(7), **GAP)

# --- What takes the place of what is behind a gap (sync.md §5): the fields are those of windows.


def place_case(name, verdict, after=None, **sent):
    window_case(name, verdict, after=after, **{"held": 7, "gap": (1, 6), "certificate": None, **sent})
    log["in_place"].append(log["windows"].pop())


place_case("a beginning, up to a head within the gap", "verified", start=1, count=3, size=4)
place_case("a beginning, up to a head at the gap's end", "verified", start=1, count=5, size=6)
place_case("a part of a beginning", "verified", start=1, count=2, size=5)
place_case("a beginning of another history", "verified", start=1, count=3, size=4, root=head_signature(*forked_at(4)),
           entries=packed(FORKED, 1, 4), becomes=FORKED_IDS)
place_case("an older end", "verified", (1, 3), asked=1, start=3, count=1, size=4)
place_case("an older end at the gap's end", "verified", (1, 4), asked=1, start=4, count=2, size=6)
place_case("the newest", "verified", (1, 6), asked=1, start=6, count=1, size=7)
place_case("an older end of a log that begins with its gap", "verified", (0, 3), asked=0, start=3, count=1, size=4, gap=(0, 5))
place_case("from before the gap", "doesNotFit", start=0, count=4, size=4)
place_case("from within the gap", "doesNotFit", start=2, count=2, size=4)
place_case("from the gap's end", "doesNotFit", start=6, count=1, size=7)
place_case("left from elsewhere", "doesNotFit", asked=2, start=4, count=2, size=6)
place_case("left, and nobody asked for it", "doesNotFit", start=3, count=1, size=4, left=compact(IDS, 1, 3))
place_case("left a node short", "doesNotFit", asked=1, start=3, count=1, size=4, left=compact(IDS, 1, 3)[:-1])
place_case("right a node short", "wrongNodeCount", start=1, count=2, size=5, right=[])
place_case("the payload of an older end changed", "prefixDiffers", asked=1, start=3, count=2, size=5,
           entries=packed(PAYLOADS[:4] + [b"fifth"] + PAYLOADS[5:], 3, 5))
place_case("a payload of a beginning changed", "prefixDiffers", start=1, count=3, size=4,
           entries=packed(PAYLOADS, 1, 4).replace(b"second", b"Second"))
place_case("a node of left changed", "prefixDiffers", asked=1, start=3, count=1, size=4,
           left=[flip(compact(IDS, 1, 3)[0], 0)] + compact(IDS, 1, 3)[1:])
place_case("a forged head", "prefixDiffers", start=1, count=3, size=4, signature=bytes(64))
place_case("a forged head of a log that begins with its gap", "badProof", start=0, count=4, size=4, gap=(0, 5), signature=bytes(64))
place_case("the cut at an older end", "unknownRoot", asked=1, start=3, count=1, size=4, cut=at(3))
place_case("the cut behind an older end", "verified", (1, 3), asked=1, start=3, count=1, size=4, cut=at(4))
place_case("the settled size at an older end", "unknownRoot", asked=1, start=3, count=1, size=4, settled=at(3))

# --- Fork evidence


def branch(ids, seq, covered, key=DEVICE, **changes):
    root = tree(ids[:covered])
    return (
        u(changes.get("size", covered))
        + changes.get("signature", head_signature(covered, root, key=key))
        + changes.get("leaf", ids[seq])
        + b"".join(changes.get("right", compact(ids, seq + 1, covered)))
    )


def evidence(first, second, seq=2, log_id=LOG, prefix=None):
    return log_id + u(seq) + b"".join(compact(IDS, 0, seq) if prefix is None else prefix) + first + second


def evidence_case(name, data, verdict):
    log["evidence"].append(
        {"name": name, "network": NETWORK.hex(), "device": DEVICE_KEY.hex(), "hex": data.hex(), "verdict": verdict}
    )


A, B = branch(IDS, 2, 7), branch(FORKED_IDS, 2, 7)
PROOF = evidence(A, B)
evidence_case("the example of log.md", PROOF, "proof")
evidence_case("the branches the other way round", evidence(B, A), "proof")
evidence_case("branches of different sizes", evidence(branch(IDS, 2, 3), branch(FORKED_IDS, 2, 5)), "proof")
FIRST = ids_of([b"another first"] + PAYLOADS[1:])
evidence_case("a fork in the first entry", evidence(branch(IDS, 0, 7), branch(FIRST, 0, 4), seq=0), "proof")
evidence_case("one branch twice", evidence(A, A), "noProof")
evidence_case("two heads of one branch", evidence(A, branch(IDS, 2, 5)), "noProof")
evidence_case("a wrong prefix", evidence(A, B, prefix=[flip(IDS[0], 0)]), "noProof")
evidence_case("the prefix of an earlier fork", evidence(branch(IDS, 2, 7), branch(FIRST, 2, 7)), "noProof")
evidence_case("a node beside the first leaf changed",
              evidence(branch(IDS, 2, 7, right=[flip(n, 0) for n in compact(IDS, 3, 7)]), B), "noProof")
evidence_case("a node beside the second leaf changed",
              evidence(A, branch(FORKED_IDS, 2, 7, right=[flip(n, 0) for n in compact(IDS, 3, 7)])), "noProof")
evidence_case("the second leaf changed", evidence(A, branch(FORKED_IDS, 2, 7, leaf=ZERO)), "noProof")
evidence_case("the second branch by another device", evidence(A, branch(FORKED_IDS, 2, 7, key=OTHER_DEVICE)), "noProof")
evidence_case("the first signature forged", evidence(branch(IDS, 2, 7, signature=bytes(64)), B), "noProof")
evidence_case("another log", evidence(A, B, log_id=flip(LOG, 0)), "noProof")
evidence_case("one byte short", PROOF[:-1], "malformed")
evidence_case("one byte long", PROOF + b"\0", "malformed")
evidence_case("one node long", PROOF + ZERO, "malformed")
evidence_case("empty", b"", "malformed")
evidence_case("a size that does not cover the leaf", evidence(A, branch(FORKED_IDS, 2, 7, size=2)), "malformed")
evidence_case("a size of 2^32", evidence(A, branch(FORKED_IDS, 2, 7, size=2**32)), "malformed")
evidence_case("a size of 2^64 - 1", evidence(A, branch(FORKED_IDS, 2, 7, size=U64)), "malformed")


def places(start, end):
    """How many nodes a compact range of [start, end) has."""
    count = 0
    while start < end:
        width = min(start & -start or 2**63, 2**((end - start).bit_length() - 1))
        start, count = start + width, count + 1
    return count


for seq, size in [(2, 2**32), (2, U64), (LIMIT - 1, 2**32), (LIMIT, 2**32), (U64 - 1, U64)]:
    beside = [ZERO] * places(seq + 1, size)
    far = [branch(IDS, 2, 7, size=size, leaf=leaf, right=beside) for leaf in (IDS[2], FORKED_IDS[2])]
    evidence_case(f"place {seq}, size {size}, with as many nodes as that asks for",
                  evidence(*far, seq=seq, prefix=[ZERO] * places(0, seq)), "malformed")
far = [branch(IDS, 2, 7, size=LIMIT, leaf=leaf, right=[ZERO] * places(3, LIMIT)) for leaf in (IDS[2], FORKED_IDS[2])]
evidence_case("the largest size, with as many nodes as that asks for", evidence(*far), "noProof")
evidence_case("a place of 2^32 - 1", LOG + u(LIMIT) + PROOF[40:], "malformed")
evidence_case("a place of 2^64 - 1", LOG + u(U64) + PROOF[40:], "malformed")

# --- frontier.json

frontier = {"items": [], "fingerprints": [], "base32": []}


def item(log_id, size, root, cut=None, settled=None):
    size_root = (U64, ZERO) if settled is None else settled
    data = log_id + u(size) + root + u(U64 if cut is None else cut) + u(size_root[0]) + size_root[1]
    digest = h("scurry/item", data)
    frontier["items"].append(
        {"log": log_id.hex(), "size": str(size), "root": root.hex(), "cut": None if cut is None else str(cut),
         "settled_size": None if settled is None else str(settled[0]),
         "settled_root": None if settled is None else settled[1].hex(), "hex": data.hex(), "id": digest.hex()}
    )
    return digest


items = [
    item(LOG, 7, SEVEN),
    item(LOG, 1, IDS[0]),
    item(LOG, LIMIT, SEVEN),
    item(LOG, 2, tree(IDS[:2]), cut=2),
    item(LOG, 0, ZERO, cut=0),
    item(LOG, 7, SEVEN, settled=(7, SEVEN)),
    item(LOG, 0, ZERO, settled=(0, ZERO)),
    item(LOG, 3, tree(IDS[:3]), cut=3, settled=(5, tree(IDS[:5]))),
    item(h("scurry/end", NETWORK + ROOT_KEY), 0, ZERO, settled=(0, ZERO)),
]


def fingerprint_case(name, members):
    total = sum(int.from_bytes(m, "little") for m in members) % 2**256
    count, digits = len(members), [len(members) & 127]
    while count := count >> 7:
        digits.insert(0, count & 127 | 128)
    digest = hashlib.sha256(total.to_bytes(32, "little") + bytes(digits)).digest()[:16]
    frontier["fingerprints"].append({"name": name, "items": [m.hex() for m in members], "fingerprint": digest.hex()})


fingerprint_case("nothing", [])
fingerprint_case("one", items[:1])
fingerprint_case("two", items[:2])
fingerprint_case("two, the other way round", items[1::-1])
fingerprint_case("all", items)
fingerprint_case("zero", [ZERO])
fingerprint_case("carries through every byte", [bytes([255] * 32), u(1, 1) + bytes(31)])
fingerprint_case("carries through one word", [bytes([255] * 8) + bytes(24), u(1, 1) + bytes(31)])
fingerprint_case("overflows", [bytes([255] * 32)] * 3)
for count in (127, 128, 129, 16383 // 64, 1000):
    fingerprint_case(f"{count}", [hashlib.sha256(u(i)).digest() for i in range(count)])

import base64  # noqa: E402

for data in [b"", b"f", b"fo", b"foo", b"foob", b"fooba", b"foobar", ZERO, bytes([255] * 32), LOG]:
    frontier["base32"].append({"hex": data.hex(), "text": base64.b32encode(data).decode().lower().rstrip("=")})
for text in ["a", "abc", "abcdef", "mz", "mzxr", "mzxw7", "mzxw6yr", "MY", "my======", "m0", "m1", "m8", "m y", "mé"]:
    frontier["base32"].append({"hex": None, "text": text})

if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent
    for name, cases in [("log", log), ("identity", identity), ("frontier", frontier)]:
        for group in cases.values():
            assert len({json.dumps(case) for case in group}) == len(group), name
        text = json.dumps(cases, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(name, {group: len(members) for group, members in cases.items()})
