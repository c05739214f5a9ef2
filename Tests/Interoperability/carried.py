"""What near.json has of bundles: files for a reader who holds something (bundle.md §4).

Two branches of one log part at entry 3: `one` has six entries, `other` nine. `before` is a file that the reader has
taken. `gapped`: the reader has a gap, since it took `window` behind that."""

import hashlib

import dialogues
from dialogues import NETWORK, NO, Dialogues, branch, flip
from scurry_client import wire
from scurry_client.hashes import u32, u64
from scurry_client.tree import range_of

HEADER = b"scurry bundle\r\n\1" + NETWORK


def h(data):
    return hashlib.blake2b(data, digest_size=32, person=b"scurry/bundle").digest()


def bundle(messages):
    out, digest = HEADER, h(HEADER)
    for kind, fields in messages:
        body = wire.encode(kind, **fields)
        frame = u32(len(body) + 1) + bytes([kind]) + body
        out, digest = out + frame, h(digest + frame)
    return out + u32(41) + b"\x80" + u64(len(messages)) + digest


def bundles():
    """`entries`: how many more are stored. `held`: how many are stored afterwards, hidden ones among them. `judged`: as
    in bundle.json."""
    made = Dialogues()
    one, other, short = made.first, made.other, branch(4)
    out = []

    def add(name, verdict, before, file, entries, held, judged=0):
        out.append({"name": name, "network": NETWORK.hex(), "before": bundle(before).hex() if before else None,
                    "hex": bundle(file).hex(), "verdict": verdict, "entries": entries, "held": held, "judged": judged})

    def part(log, start, end, certified=True, **change):
        return made.chunk(log, start, end, certified, **change)

    whole, forged = part(one, 0, 6), {"signature": flip(one.signature)}
    here = [whole]
    add("what is here already", "complete", here, here, 0, 6)
    add("what is here already, without its certificate", "complete", here, [part(one, 0, 6, False)], 0, 6)
    add("an end of what is here already", "complete", here, [part(one, 4, 6)], 0, 6)
    add("all, over a beginning", "complete", [part(short, 0, 4)], here, 2, 6)
    add("a part that reaches beyond what is here", "complete", [part(short, 0, 4)], [part(one, 2, 6)], 2, 6)
    add("a part that begins where that ends which is here", "complete", [part(short, 0, 4)], [part(one, 4, 6)], 2, 6)
    add("a part that begins one entry later", "later", [part(short, 0, 4)], [part(one, 5, 6)], 0, 4)
    add("a shorter head than is here", "complete", here, [part(short, 0, 4)], 0, 6)
    add("an overlap, and a bit of an entry changed", "complete", [part(short, 0, 4)],
        [part(one, 2, 6, entries=flip(one.chunk(2, 6, False).entries))], 0, 4)
    add("from the beginning, and a bit of an entry changed", "badProof", [part(short, 0, 4)],
        [part(one, 0, 6, entries=flip(one.chunk(0, 6, False).entries))], 0, 4)
    add("what is here already, under a forged head", "badProof", here, [part(one, 0, 6, **forged)], 0, 6)
    add("the end of what is here already, under a forged head", "complete", here, [part(one, 4, 6, **forged)], 0, 6)
    add("the same, behind what is true", "badProof", here, [part(one, 0, 4), part(one, 4, 6, **forged)], 0, 6)
    add("the same, where a part between is not in the file", "complete", here,
        [part(one, 0, 3), part(one, 4, 6, **forged)], 0, 6)

    add("another branch from the beginning", "complete", here, [part(other, 0, 9)], 0, 6, 1)
    add("another branch from where they part", "complete", here, [part(other, 3, 9)], 0, 6, 1)
    add("another branch from behind where they part", "complete", here, [part(other, 4, 9)], 0, 6)
    add("another branch, its common part first", "complete", here, [part(other, 0, 3), part(other, 3, 9)], 0, 6, 1)
    add("another branch, its common part first, under a forged head", "badProof", here,
        [part(other, 0, 3), part(other, 3, 9, signature=flip(other.signature))], 0, 6)
    add("another branch, whose fork is known", "complete", [whole, made.words(evidence=made.evidence())],
        [part(other, 0, 9)], 0, 6, 1)
    add("another branch from its cut on", "complete", [made.words(evidence=made.evidence()), part(short, 0, 3)],
        [part(other, 3, 9)], 0, 3, 1)

    said = made.words(settlement=made.settlement(size=4, root=one.root_at(4)))
    under = {"signature": NO, "size": 4, "right": NO}
    settled = part(one, 0, 4, **under)
    add("under a settled root", "complete", [said], [settled], 4, 4, 1)
    add("under a root that nobody named", "later", None, [settled], 0, 0)
    add("under a settled root that another file names", "complete", None, [said, settled], 4, 4, 1)
    add("under a root of another size than the settled one", "complete", [said],
        [part(one, 0, 3, signature=NO, size=3, right=NO)], 0, 0, 1)
    add("under a settled root, a bit of an entry changed", "complete", [said],
        [part(one, 0, 4, **under | {"entries": flip(one.chunk(0, 4, False).entries)})], 0, 0, 1)
    add("from the settled size on", "complete", [said, settled], [part(one, 4, 6)], 0, 4, 1)
    add("across the settled size", "complete", [said, part(short, 0, 2)], [part(one, 2, 6)], 4, 6, 1)
    cut = made.words(evidence=made.evidence())
    add("under the root at a cut", "complete", [cut], [part(one, 0, 3, signature=NO, size=3, right=NO)], 3, 3, 1)

    named = made.words(settlement=made.settlement(size=7, root=other.root_at(7)))
    add("another history than is stored, under the settled root", "complete", here,
        [named, part(other, 0, 7, signature=NO, size=7, right=NO)], 1, 7, 1)
    add("the same, from where they part", "complete", here,
        [named, part(other, 3, 7, signature=NO, size=7, right=NO)], 1, 7, 1)
    add("the same, from behind where they part", "complete", here,
        [named, part(other, 4, 7, signature=NO, size=7, right=NO)], 0, 6, 1)

    # In the wrong order (§3, `later`).
    begin, rest = part(short, 0, 3), part(one, 3, 6)
    wrong = [rest, begin]
    add("the rest first, then the beginning", "complete", None, wrong, 3, 3)
    add("the same, read again", "complete", wrong, wrong, 3, 6)
    add("the rest, and no beginning", "later", None, [rest], 0, 0)
    add("the rest first, then a part of the beginning", "complete", None, [rest, part(short, 0, 2)], 2, 2)
    add("the beginning, and not what follows", "later", None, [part(short, 0, 2), rest], 2, 2)
    add("the beginning, not what follows, and that", "complete", None, [part(short, 0, 2), rest, part(one, 2, 3, False)], 3, 3)
    add("the rest first, then a beginning that is here", "complete", [begin], [part(one, 5, 6), part(short, 0, 2)], 0, 3)
    add("the rest first, then another branch's beginning", "complete", None, [rest, part(other, 0, 4)], 4, 4)
    add("the rest under a forged head, then the beginning", "complete", None, [part(one, 3, 6, **forged), begin], 3, 3)
    add("the rest first, then a forged beginning", "badProof", None, [rest, part(one, 0, 3, **forged)], 0, 0)
    add("three parts, the last first", "complete", None, [part(one, 4, 6), part(one, 2, 4), part(one, 0, 2)], 2, 2)
    add("a part, the beginning, and the part again", "complete", None, [part(one, 2, 4), part(one, 0, 2), part(one, 2, 4)], 4, 4)
    add("two chunks in one frame, the rest first", "complete", None,
        [(wire.CHUNKS, {"chunks": [rest[1]["chunks"][0], begin[1]["chunks"][0]]})], 3, 3)
    twin = dialogues.branch(6, person=1)
    add("the rest of one log, and another log", "later", None, [rest, part(twin, 0, 6)], 6, 6)
    return out


def gapped():
    """The reader has [0, 2), a gap [2, 6), and [6, 9) of `other`. `gap`: what is missing then."""
    made = Dialogues()
    log, out = made.other, []
    window = log.chunk(6, 9, False)
    taken = {"log": log.name.hex(), "start": 6, "count": 3, "size": 9, "signature": window.signature.hex(), "asked": 2,
             "entries": window.entries.hex(), "left": [node.hex() for node in range_of(log.ids, 2, 6).nodes], "right": []}
    before = bundle([made.chunk(dialogues.branch(2, "other", 3), 0, 2)]).hex()

    def add(name, verdict, file, entries, gap=(2, 6), judged=0):
        held = 5 + entries
        out.append({"name": name, "network": NETWORK.hex(), "hex": bundle(file).hex(), "verdict": verdict, "entries": entries,
                    "held": held, "judged": judged, "gap": gap and list(gap)})

    def part(end, start, stop, name="other", begin=3, certified=True, **change):
        """[start, stop) under a head of `end`."""
        return made.chunk(dialogues.branch(end, name, begin), start, stop, certified, **change)

    def spoilt(end, start, stop):
        return part(end, start, stop, entries=flip(dialogues.branch(end, "other", 3).chunk(start, stop, False).entries))

    for size in (9, 8, 6):
        add(f"what is missing, under a head of {size}", "complete", [part(size, 2, 6)], 4, None)
    add("what is missing, and all else", "complete", [part(9, 0, 9)], 4, None)
    add("what is missing, and more than is here", "complete", [part(12, 0, 12)], 7, None)
    add("what is missing, and more than is here, from the gap's start on", "complete", [part(12, 2, 12)], 7, None)
    for stop in (3, 4, 5):
        add(f"what is missing, up to {stop}", "complete", [part(9, 0, stop)], stop - 2, (stop, 6))
    add("the first half of what is missing, under a head at its end", "complete", [part(6, 2, 4)], 2, (4, 6))
    add("the first half, and the rest behind it", "complete", [part(9, 2, 4), part(9, 4, 6)], 4, None)
    add("the rest, and the first half behind it", "complete", [part(9, 4, 6), part(9, 2, 4)], 2, (4, 6))
    add("the first half of what is missing, under a head within it", "complete", [part(5, 2, 4)], 0)
    add("all of a head within it", "complete", [part(5, 0, 5)], 0)
    add("from within what is missing", "complete", [part(9, 3, 6)], 0)
    add("up to where it begins", "complete", [part(9, 0, 2)], 0)
    add("from its end on", "complete", [part(9, 6, 9)], 0)
    add("more than is here, from its end on", "complete", [part(12, 6, 12)], 3)
    add("from behind what is here", "later", [part(12, 10, 12)], 0)
    add("what is missing, and an entry of it changed", "complete", [spoilt(9, 2, 6)], 0)
    add("what is missing, under a forged head", "complete", [part(9, 2, 6, signature=bytes(64))], 4, None)
    add("the first half, and an entry of it changed", "complete", [spoilt(9, 2, 4)], 0)
    add("another branch, up to within the gap", "complete", [part(7, 0, 5, "third", 4)], 0)
    return {"before": before, "window": taken, "bundles": out}


if __name__ == "__main__":
    print(len(bundles()) + len(gapped()["bundles"]), "bundles of", dialogues.NETWORK_NAME)
