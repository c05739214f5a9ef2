"""What near.json has of bundles: files for a reader who holds something (bundle.md §4).

Two branches of one log part at entry 3: `one` has six entries, `other` nine. `before` is a file that the reader has
taken."""

import hashlib

import dialogues
from dialogues import NETWORK, NO, Dialogues, branch, flip
from scurry_client import wire
from scurry_client.hashes import u32, u64

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
    return out


if __name__ == "__main__":
    print(len(bundles()), "bundles of", dialogues.NETWORK_NAME)
