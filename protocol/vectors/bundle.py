#!/usr/bin/env python3
"""Writes bundle.json: files of entries, with the verdict that bundle.md gives.

Needs nothing beyond the standard library: what is signed is taken from log.json, which log.py writes. Run it, and it
overwrites the file beside it.
"""

import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).parent
MAGIC = b"scurry bundle\r\n"
LOG = json.loads((HERE / "log.json").read_text())
CHUNKS = {case["name"]: case for case in LOG["chunks"]}
IDENTITY = json.loads((HERE / "identity.json").read_text())
SETTLEMENTS = {case["name"]: bytes.fromhex(case["hex"]) for case in IDENTITY["settlements"]}
EVIDENCE = {case["name"]: bytes.fromhex(case["hex"]) for case in LOG["evidence"]}


def h(data):
    return hashlib.blake2b(data, digest_size=32, person=b"scurry/bundle".ljust(16, b"\0")).digest()


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, value):
    """A field of a Protocol Buffers message; of 0 and of nothing no field is written."""
    if not value:
        return b""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def chunk(case, **other):
    """A Chunk of wire.proto."""
    value = {**case, **other}
    return (
        field(1, bytes.fromhex(value["log"]))
        + field(2, bytes.fromhex(value["certificate"] or ""))
        + field(3, int(value["start"]))
        + field(4, int(value["count"]))
        + field(5, int(value["size"]))
        + field(6, bytes.fromhex(value["signature"]))
        + field(7, bytes.fromhex(value["entries"]))
        + field(8, b"".join(bytes.fromhex(node) for node in value["right"]))
    )


def words(settlement=b"", evidence=b"", certificate=None, log=None, size=0, root=bytes(32)):
    """A LogSize of wire.proto with what is said of the log."""
    if certificate is None:
        certificate = bytes.fromhex(WHOLE["certificate"])
    return (
        field(1, log or bytes.fromhex(WHOLE["log"]))
        + field(2, size)
        + field(3, settlement)
        + field(4, evidence)
        + field(5, root)
        + field(6, certificate)
    )


def changes(*items):
    return frame(3, b"".join(field(1, item) for item in items))


def chunks(*items):
    return frame(5, b"".join(field(1, item) for item in items))


def frame(kind, body):
    return (len(body) + 1).to_bytes(4, "big") + bytes([kind]) + body


def header(network, version=1, magic=MAGIC):
    return magic + bytes([version]) + network


def closing(head, frames, count=None):
    digest = h(head)
    for one in frames:
        digest = h(digest + one)
    return frame(128, (len(frames) if count is None else count).to_bytes(8, "big") + digest)


def bundle(*frames, head=None):
    head = HEADER if head is None else head
    return head + b"".join(frames) + closing(head, frames)


WHOLE = CHUNKS["the whole log"]
FIRST = next(c for c in LOG["chunks"] if c["verdict"] == "verified" and c["held"] == "0" and int(c["count"]) < int(c["size"]))
NETWORK = bytes.fromhex(WHOLE["network"])
HEADER = header(NETWORK)
cases = []


def case(name, data, verdict, entries, judged=0):
    """`judged`: logs with a settlement or evidence, and accounts that ended, as they are known afterwards."""
    cases.append({"name": name, "network": NETWORK.hex(), "hex": data.hex(), "verdict": verdict, "entries": entries, "judged": judged})


ALL = int(WHOLE["count"])
PART = int(FIRST["count"])
whole = chunks(chunk(WHOLE))
# Everything else of a log whose first entries came before.
REST = next(
    (c for c in LOG["chunks"] if c["verdict"] == "verified" and c["held"] == str(PART) and c["log"] == FIRST["log"] and c["size"] == FIRST["size"]),
    None,
)

case("nothing", bundle(), "complete", 0)
case("a whole log", bundle(whole), "complete", ALL)
case("the same log twice", bundle(whole, whole), "complete", ALL)
case("the beginning of a log, and all of it", bundle(chunks(chunk(FIRST)), whole), "complete", ALL)
case("all of a log, and its beginning", bundle(whole, chunks(chunk(FIRST))), "complete", ALL)
case("two chunks in one frame", bundle(chunks(chunk(FIRST), chunk(WHOLE))), "complete", ALL)
if REST:
    case("a log in two frames", bundle(chunks(chunk(FIRST)), chunks(chunk(REST))), "complete", int(REST["start"]) + int(REST["count"]))
    case("a log that begins later", bundle(chunks(chunk(REST, certificate=WHOLE["certificate"]))), "later", 0)
case("frames of other types", bundle(frame(0, b""), frame(2, b"\xff"), whole, frame(31, bytes(100)), frame(129, b"")), "complete", ALL)
case("an empty message", bundle(frame(5, b""), whole), "complete", ALL)
case("number and lacking are not read", bundle(frame(5, field(1, chunk(WHOLE)) + field(2, 9) + field(3, bytes(32)))), "complete", ALL)

case("no bytes", b"", "notABundle", 0)
case("half a header", HEADER[:20], "notABundle", 0)
case("one byte of the header missing", HEADER[:-1], "notABundle", 0)
case("line breaks changed on the way", bundle(head=header(NETWORK, magic=b"scurry bundle\n\n")), "notABundle", 0)
case("version 0", bundle(head=header(NETWORK, version=0)), "notABundle", 0)
case("version 2", bundle(head=header(NETWORK, version=2)), "newerVersion", 0)
case("another network", bundle(head=header(bytes(32))), "otherNetwork", 0)

case("header alone", HEADER, "truncated", 0)
case("no closing frame", HEADER + whole, "truncated", ALL)
case("cut within the closing frame", bundle(whole)[:-1], "truncated", ALL)
case("cut within a length", HEADER + whole + b"\0\0", "truncated", ALL)
case("cut within a frame", HEADER + whole[:-1], "truncated", 0)
case("a length of 0", HEADER + whole + bytes(4), "frameLength", ALL)
case("a length of 1 MiB + 1", HEADER + whole + (1048577).to_bytes(4, "big") + b"\5", "frameLength", ALL)
case("a closing frame of 39 bytes", HEADER + whole + frame(128, bytes(39)), "malformedClosing", ALL)
case("a closing frame of 41 bytes", HEADER + whole + frame(128, bytes(41)), "malformedClosing", ALL)
case("one frame too few", HEADER + whole + closing(HEADER, [whole], count=2), "wrongCount", ALL)
case("one frame too many", HEADER + whole + whole + closing(HEADER, [whole]), "wrongCount", ALL)
case("a frame that is skipped was changed", HEADER + frame(31, b"a") + whole + closing(HEADER, [frame(31, b"b"), whole]), "wrongHash", ALL)
case("two frames changed places", HEADER + frame(31, b"") + whole + closing(HEADER, [whole, frame(31, b"")]), "wrongHash", ALL)
case("the hash of another header", HEADER + whole + closing(header(bytes(32)), [whole]), "wrongHash", ALL)
case("a byte behind the end", bundle(whole) + b"\0", "trailingBytes", ALL)
case("two bundles", bundle(whole) + bundle(whole), "trailingBytes", ALL)

case("no Protocol Buffers", bundle(whole, frame(5, b"\xff")), "malformedMessage", ALL)
case("a signature of 63 bytes", bundle(chunks(chunk(WHOLE, signature=WHOLE["signature"][2:]))), "wrongFieldLength", 0)
case("a chunk without entries", bundle(chunks(chunk(WHOLE, count=0))), "emptyChunk", 0)
case("more entries than the head covers", bundle(chunks(chunk(WHOLE, count=ALL + 1))), "impossibleNumber", 0)
small = field(1, chunk(WHOLE, entries="", certificate=""))
case("4,097 chunks", HEADER + (len(small) * 4097 + 1).to_bytes(4, "big") + b"\5", "tooManyItems", 0)
cases[-1]["repeat"] = {"bytes": small.hex(), "times": 4097}
case("a log without its certificate", bundle(chunks(chunk(WHOLE, certificate=""))), "certificateMissing", 0)
flipped = bytearray.fromhex(WHOLE["certificate"])
flipped[199] ^= 1
case("a forged certificate", bundle(chunks(chunk(WHOLE, certificate=flipped.hex()))), "badCertificate", 0)
other = next(c["certificate"] for c in LOG["chunks"] if c["verdict"] == "certificateOfAnotherLog")
case("the certificate of another log", bundle(chunks(chunk(WHOLE, certificate=other))), "badCertificate", 0)
foreign = next(c for c in LOG["chunks"] if c["verdict"] == "foreignNetwork")
case("a certificate of another network", bundle(chunks(chunk(foreign))), "foreignNetwork" if foreign["network"] == WHOLE["network"] else "badProof", 0)
case("entries with a byte behind them", bundle(chunks(chunk(WHOLE, entries=WHOLE["entries"] + "00"))), "malformedEntries", 0)
case("one node too many", bundle(chunks(chunk(WHOLE, right=WHOLE["right"] + ["00" * 32]))), "wrongNodeCount", 0)
VALID = SETTLEMENTS["valid"]
PROOF = EVIDENCE["the example of log.md"]
END = SETTLEMENTS["the end of the account"]
END_LOG = hashlib.blake2b(END[:64], digest_size=32, person=b"scurry/end".ljust(16, b"\0")).digest()
case("an empty list of words", bundle(frame(3, b""), whole), "complete", ALL)
case("a log that is named without words", bundle(changes(field(1, bytes(32)) + field(2, 9)), whole), "complete", ALL)
case("a settlement", bundle(changes(words(VALID))), "complete", 0, judged=1)
case("a settlement before its log", bundle(changes(words(VALID)), whole), "complete", ALL, judged=1)
case("a settlement behind its log", bundle(whole, changes(words(VALID))), "complete", ALL, judged=1)
case("the same settlement twice", bundle(changes(words(VALID)), changes(words(VALID))), "complete", 0, judged=1)
case("a log of which nothing stays", bundle(whole, changes(words(SETTLEMENTS["everything taken back"]))), "complete", ALL, judged=1)
case("the end of the account", bundle(changes(words(END, certificate=b"", log=END_LOG))), "complete", 0, judged=1)
case("the end of the account, and a log of it", bundle(changes(words(END, certificate=b"", log=END_LOG)), whole), "complete", 0, judged=1)
case("evidence", bundle(changes(words(evidence=PROOF))), "complete", 0, judged=1)
case("evidence and a settlement", bundle(changes(words(VALID, PROOF)), whole), "complete", ALL, judged=1)
case("words that are no Protocol Buffers", bundle(whole, frame(3, b"\xff")), "malformedMessage", ALL)
case("a settlement of 207 bytes", bundle(whole, changes(words(VALID[:-1]))), "wrongFieldLength", ALL)
case("words without a certificate", bundle(whole, changes(words(VALID, certificate=b""))), "wrongFieldLength", ALL)
case("an end with a certificate", bundle(whole, changes(words(END, log=END_LOG))), "wrongFieldLength", ALL)
case("a size beside no root", bundle(whole, changes(words(VALID, size=3))), "impossibleNumber", ALL)
many = field(1, words(VALID))
case("2,033 logs with words", HEADER + whole + (len(many) * 2033 + 1).to_bytes(4, "big") + b"\3", "tooManyItems", ALL)
cases[-1]["repeat"] = {"bytes": many.hex(), "times": 2033}
case("a changed settlement", bundle(whole, changes(words(SETTLEMENTS["size changed"]))), "badSettlement", ALL)
case("a settlement of another network", bundle(whole, changes(words(SETTLEMENTS["valid in another network"]))), "badSettlement", ALL)
case("a settlement of another log", bundle(whole, changes(words(SETTLEMENTS["log changed"]))), "badSettlement", ALL)
case("an end under the name of a log", bundle(whole, changes(words(END, certificate=b""))), "badSettlement", ALL)
case("words with a forged certificate", bundle(whole, changes(words(VALID, certificate=bytes(flipped)))), "badCertificate", ALL)
case("words with the certificate of another log", bundle(whole, changes(words(VALID, certificate=bytes.fromhex(other)))), "badCertificate", ALL)
for name in ["one branch twice", "the second leaf changed", "another log", "the largest size, with as many nodes as that asks for"]:
    case("evidence: " + name, bundle(whole, changes(words(evidence=EVIDENCE[name]))), "falseEvidence", ALL)
case("evidence one byte long", bundle(whole, changes(words(evidence=EVIDENCE["one byte long"]))), "falseEvidence", ALL)
case("no evidence, and true words behind it", bundle(changes(words(evidence=EVIDENCE["one branch twice"]), words(VALID)), whole), "falseEvidence", 0)
case("true words, and no evidence behind them", bundle(changes(words(VALID), words(evidence=EVIDENCE["one branch twice"]))), "falseEvidence", 0, judged=1)
signature = bytearray.fromhex(WHOLE["signature"])
signature[0] ^= 1
case("a forged head", bundle(chunks(chunk(WHOLE, signature=signature.hex()))), "badProof", 0)
case("a forged head behind a true beginning", bundle(chunks(chunk(FIRST)), chunks(chunk(WHOLE, signature=signature.hex()))), "badProof", PART)
case("a forged head of what is here already", bundle(whole, chunks(chunk(WHOLE, signature=signature.hex()))), "badProof", ALL)
case("a true log behind a forged one is not reached", bundle(chunks(chunk(WHOLE, signature=signature.hex())), whole), "badProof", 0)

(HERE / "bundle.json").write_text(json.dumps({"bundles": cases}, indent=1) + "\n")
print(len(cases), "cases", "REST" if REST else "no rest")
