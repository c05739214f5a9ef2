"""Entries, heads, chunks, items and fingerprints (log.md)."""

import hashlib

from .hashes import (MASK64, ZERO32, H, Refused, read_varint, sign, u16, u32, u64, unzigzag, verify, write_varint,
                     zigzag)
from .identity import Certificate
from .tree import Range, cut

MAX_SIZE = 2**32 - 1
MAX_PAYLOAD = 65_536


class Entry:
    """A header's fields, and the payload if it is here."""

    __slots__ = ("version", "flags", "kind", "log", "seq", "time", "clock", "length", "hash", "payload", "id")

    def __init__(self, log, seq, kind, flags, time, clock, payload=None, version=1, length=None, hash=None):
        self.version, self.flags, self.kind, self.log, self.seq = version, flags, kind, log, seq
        self.time, self.clock, self.payload = time, clock, payload
        self.length = len(payload) if length is None else length
        self.hash = H("scurry/payload", payload) if hash is None else hash
        self.id = H("scurry/entry", self.header())

    def header(self):
        return (bytes([self.version, self.flags]) + u16(self.kind) + self.log + u64(self.seq) + u64(self.time)
                + u64(self.clock) + u32(self.length) + self.hash)


def pack_entry(entry, before):
    """One packed entry; `before` is the time of the entry before it in the same bytes, 0 for the first."""
    explicit = entry.version != 1 or entry.flags > 1
    withheld = entry.payload is None
    shape = (1 if withheld else 0) | (2 if not explicit and entry.flags == 1 else 0) | (4 if explicit else 0)
    out = bytes([shape])
    if explicit:
        out += bytes([entry.version, entry.flags])
    out += write_varint(entry.kind) + write_varint(zigzag(entry.time - before))
    out += write_varint(zigzag(entry.clock - entry.time)) + write_varint(entry.length)
    return out + (entry.hash if withheld else entry.payload)


def pack(entries):
    out, before = bytearray(), 0
    for entry in entries:
        out += pack_entry(entry, before)
        before = entry.time
    return bytes(out)


def unpack(log, first, count, data):
    entries, at, end, time = [], 0, len(data), 0

    def varint():
        nonlocal at
        value, at = read_varint(data, at, end, "truncated", "malformed", "malformed")
        return value

    def take(length):
        nonlocal at
        if end - at < length:
            raise Refused("truncated")
        at += length
        return bytes(data[at - length:at])

    for seq in range(first, first + count):
        shape = take(1)[0]
        if shape > 7 or shape & 6 == 6:
            raise Refused("malformed")
        version, flags = 1, shape >> 1 & 1
        if shape & 4:
            version, flags = take(2)
            if version == 1 and flags <= 1:
                raise Refused("malformed")
        kind = varint()
        if kind > 0xFFFF:
            raise Refused("malformed")
        time = (time + unzigzag(varint())) & MASK64
        clock = (time + unzigzag(varint())) & MASK64
        length = varint()
        if length > 2**32 - 1:
            raise Refused("malformed")
        if shape & 1:
            if not flags & 1 and length <= MAX_PAYLOAD:
                raise Refused("bodyRequired")
            entries.append(Entry(log, seq, kind, flags, time, clock, None, version, length, take(32)))
        else:
            if length > MAX_PAYLOAD:
                raise Refused("payloadTooLong")
            entries.append(Entry(log, seq, kind, flags, time, clock, take(length), version))
    if at != end:
        raise Refused("trailingBytes")
    return entries


def head_message(network, log, size, root):
    return b"scurry head v1" + network + log + u64(size) + root


def sign_head(secret, network, log, size, root):
    return sign(secret, head_message(network, log, size, root))


def verify_head(network, log, device, size, root, signature):
    return verify(device, signature, head_message(network, log, size, root))


def head_holds(certificate, size, root, signature):
    return verify_head(certificate.network, certificate.log, certificate.device, size, root, signature)


class Chunk:
    def __init__(self, log, start, count, size, signature, entries, right, certificate=b""):
        self.log, self.start, self.count, self.size = log, start, count, size
        self.signature, self.entries, self.right, self.certificate = signature, entries, right, certificate
        self.left = b""             # the compact range of what is left out before `start`


def split_nodes(data):
    return [data[at:at + 32] for at in range(0, len(data), 32)]


class NotYet(Exception):
    """Nobody's fault: `certificateMissing`, `unknownRoot`, `doesNotFit`, `prefixDiffers`."""

    def __init__(self, name, entries=None):
        super().__init__(name)
        self.name = name
        self.entries = entries


def check_chunk(network, chunk, held, certificate, known=(), beside=None, asked=None, gap=None):
    """(certificate, entries, new range), over the receiver's Range `held` of [0, h).

    `known` are (size, root) of the settlement and the cut; `beside` is the Range of a settled history that is fetched
    beside, with its (size, root). `asked`: from where the newest entries were asked for. `gap`: the Ranges before what is
    left out and of that; what fills it gives the new range of [0, start + count), which ends at or before the gap's end."""
    if chunk.size > MAX_SIZE or chunk.start > chunk.size or chunk.count > chunk.size - chunk.start:
        raise Refused("impossibleBounds")
    if chunk.count == 0:
        raise Refused("emptyChunk")
    end = chunk.start + chunk.count
    if len(chunk.right) != 32 * len(cut(end, chunk.size)):
        raise Refused("wrongNodeCount")
    if chunk.left:
        if asked is None or asked >= chunk.start or len(chunk.left) != 32 * len(cut(asked, chunk.start)):
            raise NotYet("doesNotFit")
    if certificate is None:
        if not chunk.certificate:
            raise NotYet("certificateMissing")
        certificate = Certificate.check(chunk.certificate, network)
        if certificate.log != chunk.log:
            raise Refused("certificateOfAnotherLog")
    grounds = _grounds(chunk, held, known, beside, gap)
    if not grounds:
        raise NotYet("unknownRoot")
    begin = asked if chunk.left else chunk.start
    grounds = [one for one in grounds if one[1].end == begin and not (chunk.left and (gap or one[0] != "stored"))]
    if not grounds:
        raise NotYet("doesNotFit")
    entries = unpack(chunk.log, chunk.start, chunk.count, chunk.entries)
    own = Range(begin, chunk.start, split_nodes(chunk.left))
    for entry in entries:
        own.append(entry.id)
    for _, before, expected in grounds:
        grown = before.joined(own)
        root = grown.joined(Range(end, chunk.size, split_nodes(chunk.right))).root()
        if root == expected or expected is None and head_holds(certificate, chunk.size, root, chunk.signature):
            if chunk.left and any(chunk.start >= size for size, _ in known):
                raise NotYet("unknownRoot")
            return certificate, entries, grown
    if begin == 0 and chunk.signature:
        raise Refused("badProof")
    if begin == 0 or "stored" not in [one[0] for one in grounds]:
        raise NotYet("unknownRoot")
    raise NotYet("prefixDiffers", entries)


def _grounds(chunk, held, known, beside, gap):
    """What a chunk may be checked over: (where its entries go, the Range before them, the root or None of a head)."""
    if chunk.signature:
        return [("stored", held, None)]
    grounds = []
    if gap and gap[1].end == chunk.size:
        grounds.append(("gap", gap[0], gap[0].joined(gap[1]).root()))
    if beside is not None and chunk.size == beside[1][0]:
        return grounds + [("beside", beside[0], beside[1][1])]
    return grounds + [("stored", held, root) for size, root in known if size == chunk.size]


def judge_dispute(chunk, entries, certificate, nodes):
    """`writerForked` or `lie`, after `prefixDiffers`; nodes is the sender's compact range of [0, start)."""
    if len(nodes) != 32 * len(cut(0, chunk.start)):
        return "lie"
    prefix = Range(0, chunk.start, split_nodes(nodes))
    for entry in entries:
        prefix.append(entry.id)
    whole = prefix.joined(Range(chunk.start + chunk.count, chunk.size, split_nodes(chunk.right)))
    return "writerForked" if head_holds(certificate, chunk.size, whole.root(), chunk.signature) else "lie"


def item(log, size, root, cut=MASK64, settled_size=MASK64, settled_root=ZERO32):
    return H("scurry/item", log + u64(size) + root + u64(cut) + u64(settled_size) + settled_root)


def fingerprint_of_sum(total, count):
    """16 bytes, of the sum of the items modulo 2^256 and their number (log.md §9)."""
    digits = bytearray([count & 0x7F])
    while count := count >> 7:
        digits.insert(0, count & 0x7F | 0x80)
    return hashlib.sha256(total.to_bytes(32, "little") + bytes(digits)).digest()[:16]


def fingerprint(items):
    total = count = 0
    for one in items:
        total = (total + int.from_bytes(one, "little")) % 2**256
        count += 1
    return fingerprint_of_sum(total, count)
