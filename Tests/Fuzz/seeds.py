"""Writes the first inputs of each fuzz target, from the vectors of the protocol: seeds.py FOLDER

One file for each case, in the form in which the target reads it (Tests/Fuzz/Program/Targets).
"""

import base64
import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONGEST = 120_000


def vectors(name):
    return json.loads((ROOT / "protocol" / "vectors" / f"{name}.json").read_text())


def octets(case, field):
    more = case.get("repeat")
    return bytes.fromhex(case[field]) + (bytes.fromhex(more["bytes"]) * more["times"] if more else b"")


def short(number):
    return number.to_bytes(2, "big")


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field of a message; bytes and integers."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def framed(kind, body):
    return (len(body) + 1).to_bytes(4, "big") + bytes([kind]) + body


def said(*messages):
    return b"".join(bytes([kind]) + short(len(body)) + body for kind, body in messages)


def frames(sync, channel):
    yield b"\x06" + b"".join(framed(m["type"], octets(m, "body")) for m in sync["messages"][:40])
    for cut in (0, 3, 255):
        yield bytes([cut]) + b"".join(bytes.fromhex(t["plaintext"]) for t in channel["transport"])
        yield bytes([cut]) + b"".join(bytes.fromhex(t["wire"]) for t in channel["transport"])
    for case in channel["refused"]:
        yield b"\x01" + b"".join(bytes.fromhex(r) for r in case["receives"])


def handshakes(channel):
    """What the vectors have one side receive, in place of what the partner says, which uses the keys of the vectors."""

    def instead(stream):
        """Up to two handshake messages, and then the rest in place of a transport message."""
        out, place = b"", 0
        for _ in range(2):
            length = int.from_bytes(stream[place : place + 2], "big") + 2
            piece = stream[place : place + length]
            place += length
            out += (b"\x03" + short(len(piece)) + piece) if piece else b""
        rest = stream[place:]
        return out + ((b"\x0f\x00" + b"\x03" + short(len(rest)) + rest) if rest else b"")

    # What nobody changes, in all kinds of channel: a few messages, whole, byte by byte, and more of them than that.
    said = b"".join(
        bytes([m["type"], min(255, len(m["body"]) // 2)]) + bytes.fromhex(m["body"])[:255] + way
        for t in channel["transport"]
        for m in t["completes"]
        for way in (b"\x00", b"\x05\x00", b"\x05\x11")
    )
    for flags in range(16):
        yield bytes([flags]) + b"\x00\x00" + said
        yield bytes([flags]) + b"\x05\x00\x05\x00" + said
    for case in channel["refused"]:
        # With its own key it would be the same channel, over words that the partner did not say.
        if case["verdict"] == "connectedToSelf":
            continue
        for flags in {"initiator": (1, 5, 13), "responder": (0,)}[case["receiver"]]:
            stream = bytes.fromhex("".join(case["receives"]))
            if case["receiver"] == "initiator":
                stream = stream[: 2 + int.from_bytes(stream[:2], "big")]
            yield bytes([flags]) + instead(stream)
            yield bytes([flags]) + b"\x00" + instead(stream)
    for case in channel["private_network"]["cases"]:
        yield b"\x02" + instead(bytes.fromhex("".join(case["receives"])))
    for message in channel["handshake"]["messages"]:
        for flags in range(4):
            yield bytes([flags]) + instead(bytes.fromhex(message["wire"]))


def beacons():
    for case in vectors("discovery")["beacons"]:
        yield bytes([case["private"]]) + octets(case, "hex")
        yield bytes([case["private"]]) + octets(case, "hex")[:27] + bytes(range(1, 60, 7))


def controls(near, log, identity, sync):
    def line(said, answer=0):
        return bytes([answer]) + json.dumps(said, separators=(",", ":")).encode()

    def coded(octets):
        return base64.b64encode(octets).decode()

    for word in ("status", "peersChanged", "keyChanged", "releaseOwnLog", "stop", "unknown"):
        yield line({word: {}})
    for number in (0, 1_000, 2**63, 2**64 - 1, 2**64, -1, 1.5):
        yield line({"sync": {"milliseconds": number}})
    for payload in near["payloads"][:40]:
        yield line({"append": {"kind": payload["kind"], "payload": coded(octets(payload, "hex"))}})
    for settlement in identity["settlements"][:20]:
        yield line({"settle": {"_0": coded(bytes.fromhex(settlement["hex"]))}})
    for message in sync["messages"]:
        body = octets(message, "body")
        if len(body) < 3_000 and message["type"] in (5, 3):
            yield line({"importChunks" if message["type"] == 5 else "importChanges": {"_0": coded(body)}})
    yield line({"unlock": {"sealed": coded(bytes(112))}})
    yield line({"deletePost": {"id": "a" * 52}})
    yield line({"deletePost": {"id": "b" * 51}})
    yield line({"failed": {"_0": "the request is too long"}}, 1)
    yield line({"done": {}}, 1)
    yield line({"appended": {"_0": {"id": "a" * 52, "log": "a" * 52, "sequence": 7}}}, 1)
    yield line({"refused": {"_0": {"rule": "payloadTooLong", "bytes": 9}}}, 1)
    yield line({"refused": {"_0": {"rule": "unknownPost", "post": "a" * 52}}}, 1)
    yield line({"synced": {"_0": {"equal": {"peers": 1, "unreachable": 0}}}}, 1)
    yield line({"released": {"log": "a" * 52, "size": 1, "published": 1}}, 1)


def homes(identity):
    for text in ("carry = all  # yes\n# a comment\nlisten = :7776\n", "color = # none\n\nx\n = y\na b = c\n", "k=v\nk=w\n"):
        yield b"\x00" + text.encode()
    for case in identity.get("recovery", identity.get("words", [])):
        words = case["words"] if isinstance(case, dict) and "words" in case else ""
        yield b"\x01" + (" ".join(words) if isinstance(words, list) else words).encode()
    yield b"\x01" + b"abandon " * 11 + b"about"
    for address in (":0", "*:7776", "[::1]:0", "host.example", "127.0.0.1:65535", "[fe80::1%eth0]:1", ":", "a:b:c"):
        yield b"\x02" + address.encode()
    yield b"\x04log " + b"a" * 52 + b"\nsize 7\ninode 12\nbirth -3\n"
    yield b"\x04log -\nsize 0\ninode -\nbirth -\n"
    yield b"\x05scurry backup 1\n" + b"\x01\x00\x00\x00\x10" + bytes(48)
    names = ("store.sqlite", "network", "keys/node.key", "keys/../x", "drafts/a", "keys/device.key")
    for name in names:
        body = (7).to_bytes(8, "big") + name.encode()
        yield b"\x06\x00" + short(len(body)) + body + b"\x01\x00\x07campus\n\x02\x00\x00"
    yield b"\x07scurry node key\n" + bytes(64)
    yield b"\x07scurry netsecret" + bytes(64)
    for mark in (b"scurry devicekey", b"scurry lockedkey"):
        for case in identity["certificates"][:4]:
            yield b"\x07" + mark + bytes(64) + bytes.fromhex(case["hex"])
            yield b"\x07" + mark + b"\x00\x00\x00\x03\x00\x01\x00\x00" + bytes(40) + bytes.fromhex(case["hex"]) + bytes(80)
    yield b"\x08host.example:7776 " + b"a" * 52 + b"\n[::1]:1 " + b"a" * 52 + b"\nx\n"


def stores():
    """Places in the file, and what is changed there: the head of a page, its cells, and the last bytes of pages."""
    for place in range(0, 4_096 * 48, 1_024):
        for change in (b"\x00\xff", b"\x03\x01\x02\x04\x80"):
            yield place.to_bytes(3, "big") + change


def proofs(log, identity, near, sync):
    for case in log["packed"]:
        yield b"\x00" + short(case["count"] % 65_536) + int(case["start"]).to_bytes(8, "big") + bytes.fromhex(case["hex"])
    for case in log["evidence"]:
        yield b"\x01" + bytes.fromhex(case["hex"])
    for case in identity["settlements"]:
        yield b"\x02" + bytes.fromhex(case["hex"])
    for case in identity["certificates"] + near["certificates"]:
        yield b"\x03" + bytes.fromhex(case["hex"])
    for case in log["chunks"] + log["windows"] + log["in_place"] + near["chunks"]:
        held, count = int(case["held"]) % 80, max(0, int(case["count"]) - 1) % 40
        beyond = (int(case["size"]) - int(case["start"]) - int(case["count"])) % 65_536
        yield bytes([4, held, count]) + short(beyond) + b"\x00\x01\x01" + bytes.fromhex(case["entries"])
        body = field(1, bytes.fromhex(case["log"])) + field(2, bytes.fromhex(case["certificate"] or ""))
        body += field(3, int(case["start"])) + field(4, int(case["count"])) + field(5, int(case["size"]))
        body += field(6, bytes.fromhex(case.get("signature") or "")) + field(7, bytes.fromhex(case["entries"]))
        body += field(8, bytes.fromhex("".join(case["right"]))) + field(9, bytes.fromhex("".join(case.get("left") or [])))
        for flags in (0, 7, 31):
            yield bytes([5, flags, held, int(case["size"]) % 256]) + field(1, body)
    for message in sync["messages"]:
        if message["type"] == 5:
            yield b"\x05\x07\x00\x07" + octets(message, "body")
    for end, size, nodes, right in [(7, 9, 3, 1), (5, 5, 2, 0), (0, 2**64 - 1, 0, 64), (2**63, 2**64 - 1, 1, 63)]:
        yield b"\x06" + end.to_bytes(8, "big") + size.to_bytes(8, "big") + bytes([nodes, right])
    for size, first in [(2, 0), (300, 299), (255, 100), (698, 512)]:
        yield b"\x07" + short(size) + short(first) + b"\x00\x00\x00"


def negentropies(sync):
    for case in sync["negentropy"]:
        for flags in range(16):
            yield bytes([flags]) + octets(case, "bytes")
        message = octets(case, "bytes")
        if len(message) < 60_000:
            yield b"\x16\x01\x01\x01\x00" + short(len(message)) + message
            yield b"\x37\x00\x01" + short(len(message)) + message


def bundles(sync):
    head = 48
    for case in vectors("bundle")["bundles"]:
        whole = octets(case, "hex")
        yield b"\x00" + whole
        parts, place = b"\x01", head
        while place + 5 <= len(whole):
            length = int.from_bytes(whole[place : place + 4], "big")
            body = whole[place + 5 : place + 4 + length]
            if whole[place + 4] == 128 or len(body) > 65_535:
                break
            parts += said((whole[place + 4], body))
            place += 4 + length
        yield parts
    for message in sync["messages"]:
        body = octets(message, "body")
        if message["type"] in (3, 5) and len(body) < 65_536:
            yield b"\x01" + said((message["type"], body))


def peers(near):
    yield (ROOT / "peers.example").read_bytes()
    node = next(c["line"] for c in near["invites"] if c["verdict"] == "ok").split("@")[0].removeprefix("scurry:")
    yield f"{node}@host.example:7776  # Anna\r\n[fe80::1%eth0]:1\n\n  # note\nhost\nbad host\n::1\n@x\nx:0\n".encode()
    for case in near["invites"]:
        yield case["line"].removeprefix("scurry:").split("/")[0].encode()


def invites(near):
    for case in near["invites"]:
        yield b"\x00" + case["line"].encode()
        yield b"\x01" + case["line"].rsplit("/", 1)[0].encode()


def dialogues(near, sync):
    for case in near["dialogues"]:
        said_now = [(m["type"], bytes.fromhex(m["body"])) for m in case["messages"]]
        if all(len(body) < 65_536 for _, body in said_now):
            flags = 4 + (2 if case["receiver"] == "dialled" else 0)
            yield bytes([flags]) + said(*said_now)
    own, other, third = (bytes([0xE0 + k]) * 32 for k in range(3))
    questions = []
    for log in (own, other, third):
        for size in (1, 5, 9, 12):
            questions.append((3, field(1, field(1, log) + field(2, size)) + field(2, 9)))
            questions.append((4, field(1, field(1, log) + field(2, size - 1) + field(3, 1))))
            questions.append((4, field(1, field(1, log) + field(5, 2))))
            questions.append((6, field(1, log) + field(2, size)))
            questions.append((8, field(1, field(1, log) + field(2, size))))
            questions.append((2, field(1, log) + field(2, size) + field(3, other)))
        for level in (1, 3):
            questions.append((20, field(1, log) + field(2, level) + field(3, 0)))
        questions.append((5, field(2, log)))
        questions.append((11, field(1, 1) + field(4, field(1, log) + field(2, 4))))
    questions.append((18, field(1, 1) + field(2, 1) + field(3, b"\x61\x00\x00\x02\x00")))
    questions.append((18, field(1, 1) + field(2, 1) + field(3, b"\x61\x00\x00\x01" + bytes(16))))
    questions.append((22, field(1, 1) + field(2, field(1, third) + field(2, 30)) + field(3, 1)))
    for flags in (0, 1, 2, 3, 8, 10, 16):
        for place in range(0, len(questions), 4):
            yield bytes([flags]) + said(*questions[place : place + 4])
        for message in sync["messages"]:
            body = octets(message, "body")
            if len(body) < 4_000 and message["verdict"] == "ok" and flags in (0, 2):
                yield bytes([flags]) + said((message["type"], body))


def main(folder):
    sync, near, log, identity = (vectors(n) for n in ("sync", "near", "log", "identity"))
    payloads = vectors("payload")
    payloads = (payloads if isinstance(payloads, list) else next(v for v in payloads.values() if isinstance(v, list)))
    seeds = {
        "frame": frames(sync, vectors("channel")),
        "handshake": handshakes(vectors("channel")),
        "message": (bytes([m["type"]]) + octets(m, "body") for m in sync["messages"]),
        "payload": (bytes([p["kind"] & 255]) + octets(p, "hex") for p in payloads + near["payloads"]),
        "proof": proofs(log, identity, near, sync),
        "negentropy": negentropies(sync),
        "bundle": bundles(sync),
        "intake": bundles(sync),
        "peers": peers(near),
        "invite": invites(near),
        "dialogue": dialogues(near, sync),
        "beacon": beacons(),
        "control": controls(near, log, identity, sync),
        "home": homes(identity),
        "store": stores(),
    }
    for target, inputs in seeds.items():
        place = pathlib.Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        for one in inputs:
            if len(one) <= LONGEST:
                (place / hashlib.sha256(one).hexdigest()[:16]).write_bytes(one)
        print(f"{target}: {len(list(place.iterdir()))} seeds")


if __name__ == "__main__":
    main(sys.argv[1])
