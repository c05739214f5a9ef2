#!/usr/bin/env python3
"""Writes fold.json, counted.json and carried.json: what people see of what is here.

Needs PyNaCl, as log.py does, of which it uses the hashes, trees and headers. Run it, and it overwrites the files beside it.
Every case of fold.json says twice what comes of it: by hand (`seen`), and by the fold below; they have to agree.
"""

import hashlib
import json
import pathlib
from collections import namedtuple

from nacl.signing import SigningKey

from log import DEVICE_KEY, FORKED_IDS, IDS, LOG, NETWORK, SEALING, U64, ZERO, compact, h, header, signed, tree, u, varint

HIGHEST = 2**53 - 1  # fold.md §2: no folded time or clock is above it
LONGEST = 65536
POST, EDIT, VOTE, FOLLOW, PROFILE, DELETE = 1, 2, 3, 4, 5, 6
ERASABLE = (POST, EDIT, PROFILE)
NONE, UP, DOWN = 0, 1, 2
FIELDS = ("name", "full_name", "bio", "avatar")
SALT = bytes(range(16))


def seed_of(word):
    return hashlib.sha256(word.encode()).digest()


def certificate(root, device, serial):
    """identity.md §3, signed."""
    data = NETWORK + bytes(root.verify_key) + bytes(device.verify_key) + SEALING + u(serial)
    return signed(b"scurry certificate v1", data, root)


def settlement(root, log, size, tree_root, serial):
    """identity.md §5, signed."""
    data = NETWORK + bytes(root.verify_key) + log + u(size) + tree_root + u(serial)
    return signed(b"scurry settlement v1", data, root)


def log_of(cert):
    return h("scurry/log", cert[:136])


# --- Payloads (payload.md §2), byte by byte.


def field(number, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(number << 3 | 2) + varint(len(data)) + data


def choice(target, value):
    return field(1, field(1, target) + (varint(2 << 3) + varint(value) if value else b""))


def post_payload(text, title="", channels=(), parent=b"", root=b"", salt=SALT):
    head = field(1, salt) + field(2, text) + (field(3, title) if title else b"")
    reply = field(5, parent) + field(6, root) if parent else b""
    return head + b"".join(field(4, name) for name in channels) + reply


def edit_payload(post, text, title="", salt=SALT):
    return field(1, salt) + field(2, post) + field(3, text) + (field(4, title) if title else b"")


def profile_payload(values):
    return field(1, SALT) + b"".join(field(FIELDS.index(name) + 2, values[name]) for name in FIELDS if name in values)


# --- Who writes: three identities. The first two have two logs each, the one with the smaller id first.

ROOTS = {name: SigningKey(seed_of(name)) for name in ("ash", "birch", "cedar")}
NAMES = {bytes(root.verify_key): name for name, root in ROOTS.items()}
IDENTITIES = {name: bytes(root.verify_key) for name, root in ROOTS.items()}
Device = namedtuple("Device", "log identity certificate seed")


def devices(name, count):
    out = []
    for number in range(count):
        seed = seed_of(f"{name}, device {number}")
        cert = certificate(ROOTS[name], SigningKey(seed), number)
        out.append(Device(log_of(cert), IDENTITIES[name], cert, seed))
    return sorted(out)


DEVICES = {f"{name}{i + 1}": device for name, count in (("ash", 2), ("birch", 2), ("cedar", 1))
           for i, device in enumerate(devices(name, count))}

# `says`: what the payload says, None if it breaks a rule; `here`: whether it is here.
Entry = namedtuple("Entry", "id identity log seq version flags kind time clock length payload header says here")

# --- The fold (fold.md), of a whole set at once.


def excluded(e):
    """§2, 1 to 5: by the header alone."""
    return (e.version != 1 or e.flags > 1 or e.kind not in range(1, 7) or (e.flags == 1) != (e.kind in ERASABLE)
            or e.length > LONGEST)


def read(e):
    """What it says, if it may have effect and its payload is here and breaks no rule (§2, 6 and 7)."""
    return e.says if e.here and not excluded(e) else None


def covered_of(entries):
    """§5"""
    by_id = {e.id: e for e in entries}
    pairs = [(e, by_id.get(name)) for e in entries if e.kind == DELETE for name in read(e) or ()]
    return {to.id for e, to in pairs if to and to.identity == e.identity and to.flags & 1}


def write(registers, key, e, index, value):
    """§3"""
    place = (min(e.clock, HIGHEST), e.log, e.seq, index)
    if key not in registers or registers[key][0] < place:
        registers[key] = (place, value)


def fold(entries):
    covered = covered_of(entries)
    posts = {e.id: e for e in entries if e.kind == POST and not excluded(e)
             and (e.id in covered or not e.here or e.says is not None)}
    edits, profile, votes, follows = {}, {}, {}, {}
    for e in entries:
        says = read(e)
        if says is None or e.id in covered:
            continue
        if e.kind == EDIT:
            post = posts.get(says["post"])
            if post and post.identity == e.identity and post.id not in covered:  # §2, 8 and 9
                write(edits, post.id, e, 0, says)
        elif e.kind == PROFILE:
            for name, value in says.items():
                write(profile, (e.identity, name), e, 0, value)
        elif e.kind in (VOTE, FOLLOW):
            for index, (target, value) in enumerate(says):
                write(votes if e.kind == VOTE else follows, (e.identity, target), e, index, value)
    return covered, posts, edits, profile, votes, follows


def shown(e, covered, edits):
    """§4: one post as it is read off."""
    deleted = e.id in covered
    own = None if deleted else read(e)
    edit = edits.get(e.id, (None, None))[1]
    words = edit or own or {"text": None, "title": None}
    own = own or {"channels": (), "parent": None, "root": None}
    return {
        "id": e.id.hex(), "identity": e.identity.hex(), "time": str(min(e.time, HIGHEST)), "deleted": deleted,
        "edited": edit is not None, "text": words["text"], "title": words["title"], "channels": list(own["channels"]),
        "parent": own["parent"].hex() if own["parent"] else None, "root": own["root"].hex() if own["root"] else None,
    }


def feed(posts, covered, now, reader):
    """§6"""
    seen = [e for e in posts.values() if e.id not in covered and (min(e.time, HIGHEST) <= now or e.identity == reader)]
    return [e.id for e in sorted(seen, key=lambda e: (-min(e.time, HIGHEST), e.id))]


def next_clock(entries, identity, now):
    """§3: what a writer of the identity sets."""
    known = [min(e.clock, HIGHEST) for e in entries if e.identity == identity]
    return min(HIGHEST, max([now] + [clock + 1 for clock in known]))


def wanted(e, covered):
    """§5, and log.md §2 for what is too long."""
    return not e.here and e.flags & 1 and e.length <= LONGEST and e.id not in covered and e.kind not in (3, 4, 6, 10)


def of(registers, value, side, key):
    """The other half of the keys that have `key` at `side`, of the registers that hold the value."""
    return sorted(k[1 - side] for k, (_, held) in registers.items() if held == value and k[side] == key)


def expected(entries, now):
    covered, posts, edits, profile, votes, follows = fold(entries)
    people = sorted({e.identity for e in entries})
    authors = sorted({e.identity for e in posts.values()})

    def profile_of(identity, name):
        value = profile.get((identity, name), (None, None))[1]
        return value.hex() if isinstance(value, bytes) else value

    return {
        "posts": [shown(posts[i], covered, edits) for i in sorted(posts)],
        "feeds": [{"reader": reader and reader.hex(), "posts": [i.hex() for i in feed(posts, covered, now, reader)]}
                  for reader in [None] + authors],
        "tallies": [{"id": i.hex(), "up": [k.hex() for k in of(votes, UP, 1, i)],
                     "down": [k.hex() for k in of(votes, DOWN, 1, i)]}
                    for i in sorted({*posts, *(target for _, target in votes)})],
        "people": [{"identity": p.hex(), **{name: profile_of(p, name) for name in FIELDS},
                    "follows": [k.hex() for k in of(follows, 1, 0, p)], "next_clock": str(next_clock(entries, p, now))}
                   for p in people],
        "covered": [e.id.hex() for e in sorted(entries) if e.id in covered],
        "wanted": [e.id.hex() for e in sorted(entries) if wanted(e, covered)],
    }


# --- fold.json: cases. A time is the clock where nothing else is said.

fold_cases = []
GONE = object()


class Case:
    def __init__(self, name, now=10_000):
        self.name, self.now, self.entries = name, now, []

    def entry(self, device, kind, payload, says, at, clock=None, seq=None, version=1, flags=None, here=True, length=None):
        log, identity = DEVICES[device].log, DEVICES[device].identity
        if seq is None:
            seq = sum(e.log == log for e in self.entries)
        flags = (kind in ERASABLE) * 1 if flags is None else flags
        clock = at if clock is None else clock
        length = len(payload) if length is None else length
        head = header(seq, payload, kind=kind, flags=flags, version=version, time=at, clock=clock, log_id=log, length=length)
        i = h("scurry/entry", head)
        self.entries.append(Entry(i, identity, log, seq, version, flags, kind, at, clock, length, payload, head, says, here))
        return i

    def post(self, device, text, at, title="", channels=(), parent=b"", root=b"", broken=False, **more):
        payload = post_payload(text, title, channels, parent, root, SALT[:15] if broken else SALT)
        says = {"text": text, "title": title, "channels": channels, "parent": parent, "root": root}
        return self.entry(device, POST, payload, None if broken else says, at, **more)

    def edit(self, device, post, text, at, title="", broken=False, **more):
        payload = edit_payload(post, text, title, SALT[:15] if broken else SALT)
        return self.entry(device, EDIT, payload, None if broken else {"post": post, "text": text, "title": title}, at, **more)

    def vote(self, device, at, *choices, **more):
        return self.entry(device, VOTE, b"".join(choice(*one) for one in choices), choices, at, **more)

    def follow(self, device, at, *choices, **more):
        choices = [(IDENTITIES.get(who, who), value) for who, value in choices]
        return self.entry(device, FOLLOW, b"".join(choice(*one) for one in choices), choices, at, **more)

    def profile(self, device, at, values, broken=False, **more):
        return self.entry(device, PROFILE, profile_payload(values), None if broken else values, at, **more)

    def delete(self, device, at, *names, **more):
        return self.entry(device, DELETE, b"".join(field(1, name) for name in names), names, at, **more)

    def orders(self):
        """As made, backwards, and stirred the same way at every run."""
        straight = list(range(len(self.entries)))
        stirred = sorted(straight, key=lambda i: hashlib.sha256(f"{self.name} {i}".encode()).digest())
        return [order for i, order in enumerate([straight, straight[::-1], stirred])
                if order not in [straight, straight[::-1], stirred][:i]]

    def seen(self, posts, feed=(), edited=(), up=None, down=None, profiles=None, follows=None, covered=(), wanted=(), **more):
        """What is expected, by hand. `posts`: text of each, or GONE, or None where it is not here."""
        for log in {e.log for e in self.entries}:
            seqs = sorted(e.seq for e in self.entries if e.log == log)
            assert seqs == list(range(len(seqs))), self.name
        ids = [e.id for e in self.entries]
        assert len(set(ids)) == len(ids), self.name
        out = expected(self.entries, self.now)
        names = {value.hex(): name for name, value in IDENTITIES.items()}
        same = [
            ({p["id"]: GONE if p["deleted"] else p["text"] for p in out["posts"]}, {k.hex(): v for k, v in posts.items()}),
            (out["feeds"][0]["posts"], [i.hex() for i in feed]),
            ({p["id"] for p in out["posts"] if p["edited"]}, {i.hex() for i in edited}),
            ({t["id"]: {names[k] for k in t["up"]} for t in out["tallies"] if t["up"]},
             {k.hex(): v for k, v in (up or {}).items()}),
            ({t["id"]: {names[k] for k in t["down"]} for t in out["tallies"] if t["down"]},
             {k.hex(): v for k, v in (down or {}).items()}),
            ({names[p["identity"]]: v for p in out["people"] if (v := {f: p[f] for f in FIELDS if p[f] is not None})},
             profiles or {}),
            ({names[p["identity"]]: {names.get(k, k) for k in p["follows"]} for p in out["people"] if p["follows"]},
             follows or {}),
            (set(out["covered"]), {i.hex() for i in covered}),
            (set(out["wanted"]), {i.hex() for i in wanted}),
        ]
        by_id = {p["id"]: p for p in out["posts"]}
        for key in ("title", "channels", "parent", "root", "time"):
            for i, value in more.pop(key, {}).items():
                same.append((by_id[i.hex()][key], value.hex() if isinstance(value, bytes) else value))
        for reader, ids in more.pop("feed_of", {}).items():
            found = next(f["posts"] for f in out["feeds"] if f["reader"] == IDENTITIES[reader].hex())
            same.append((found, [i.hex() for i in ids]))
        for who, clock in more.pop("clock", {}).items():
            same.append((next(p["next_clock"] for p in out["people"] if p["identity"] == IDENTITIES[who].hex()), str(clock)))
        assert not more, self.name
        for found, by_hand in same:
            assert found == by_hand, (self.name, found, by_hand)
        for order in self.orders():
            assert expected([self.entries[i] for i in order], self.now) == out, self.name
        assert len(self.orders()) > 1, self.name
        fold_cases.append({
            "name": self.name, "now": str(self.now), "entries": [
                {"identity": e.identity.hex(), "log": e.log.hex(), "sequence": str(e.seq), "version": e.version,
                 "flags": e.flags, "kind": e.kind, "time": str(e.time), "clock": str(e.clock),
                 "payload": e.payload.hex() if e.here else None, "hex": e.header.hex(), "id": e.id.hex()}
                for e in self.entries],
            "orders": self.orders(), **out})


def ordered(*ids):
    return sorted(ids)


UNKNOWN = h("scurry/entry", b"nobody has it")

# Posts and feeds.
c = Case("posts, the newest first")
a, b, d = c.post("ash1", "one", 1000), c.post("birch1", "two", 3000), c.post("ash1", "three", 2000)
c.seen({a: "one", b: "two", d: "three"}, feed=[b, d, a], feed_of={"ash": [b, d, a]}, time={a: "1000"})

c = Case("posts of one time, the smaller id first")
same = [c.post("ash1", f"{i}", 1000) for i in range(4)] + [c.post("birch1", "of somebody else", 1000, clock=1)]
c.seen({i: e.says["text"] for i, e in zip(same, c.entries)}, feed=ordered(*same))

c = Case("the example of fold.md §6", now=10)
five, also, nine, ten, eleven = [c.post("ash1", f"at {t}", t, clock=i) for i, t in enumerate((5, 5, 9, 10, 11))]
other = c.post("birch1", "of somebody else", 1)
c.seen({five: "at 5", also: "at 5", nine: "at 9", ten: "at 10", eleven: "at 11", other: "of somebody else"},
       feed=[ten, nine, *ordered(five, also), other], feed_of={"ash": [eleven, ten, nine, *ordered(five, also), other],
                                                               "birch": [ten, nine, *ordered(five, also), other]})

c = Case("a title and channels, in the order of the payload")
a = c.post("ash1", "text", 1000, title="title", channels=("nuts", "campus", "a-1"))
b = c.post("ash1", "", 2000)
c.seen({a: "text", b: ""}, feed=[b, a], title={a: "title", b: ""}, channels={a: ["nuts", "campus", "a-1"], b: []})

for name, t, now, visible in [
    ("a post in the future", 10_001, 10_000, False),
    ("a post of the present millisecond", 10_000, 10_000, True),
    ("a post of the time 2^63, which is not negative", 2**63, 10_000, False),
    ("a post of the time 2^64 - 1", U64, HIGHEST - 1, False),
    ("a post of the time 2^64 - 1, and a reader at 2^53 - 1", U64, HIGHEST, True),
]:
    c = Case(name, now=now)
    a, b = c.post("ash1", "now or never", t, clock=1), c.post("birch1", "before", 1)
    c.seen({a: "now or never", b: "before"}, feed=[a, b] if visible else [b], feed_of={"ash": [a, b]},
           time={a: str(min(t, HIGHEST))})

c = Case("times of 2^53 - 1, 2^53 and 2^64 - 1 are one", now=HIGHEST)
far = [c.post("ash1", f"{t}", t, clock=i) for i, t in enumerate((HIGHEST, 2**53, U64))]
near = c.post("ash1", "a little less", HIGHEST - 1, clock=4)
c.seen({far[0]: f"{HIGHEST}", far[1]: f"{2**53}", far[2]: f"{U64}", near: "a little less"}, feed=[*ordered(*far), near],
       time={i: str(HIGHEST) for i in far})

# Edits.
c = Case("an edit: text and title are replaced whole, the channels stay")
a = c.post("ash1", "before", 1000, title="old", channels=("nuts",))
c.edit("ash1", a, "after", 2000, title="new")
c.seen({a: "after"}, feed=[a], edited=[a], title={a: "new"}, channels={a: ["nuts"]}, time={a: "1000"})

c = Case("an edit without a title removes it, one with an empty text empties it")
a, b = c.post("ash1", "before", 1000, title="old"), c.post("ash1", "before", 1001, title="old")
c.edit("ash1", a, "after", 2000)
c.edit("ash1", b, "", 2000, title="new")
c.seen({a: "after", b: ""}, feed=[b, a], edited=[a, b], title={a: "", b: "new"})

c = Case("an edit of a post that comes later in the same log")
a = c.post("ash1", "before", 1000, seq=1)
c.edit("ash1", a, "after", 900, seq=0)
c.seen({a: "after"}, feed=[a], edited=[a])

c = Case("an edit beats the post, whatever their clocks")
a = c.post("ash1", "before", 1000, clock=U64)
c.edit("ash1", a, "after", 0, clock=0)
c.seen({a: "after"}, feed=[a], edited=[a], clock={"ash": HIGHEST})

c = Case("an edit of an edit")
a = c.post("ash1", "before", 1000)
b = c.edit("ash1", a, "after", 2000)
c.edit("ash1", b, "and after that", 3000)
c.seen({a: "after"}, feed=[a], edited=[a])

c = Case("edits of a vote and of a profile")
a = c.post("ash1", "a post", 1000)
b, d = c.vote("ash1", 2000, (a, UP)), c.profile("ash1", 2001, {"name": "Ash"})
c.edit("ash1", b, "not a post", 3000)
c.edit("ash1", d, "not a post", 3001)
c.seen({a: "a post"}, feed=[a], up={a: {"ash"}}, profiles={"ash": {"name": "Ash"}})

c = Case("an edit of a post that nobody has")
c.edit("ash1", UNKNOWN, "after", 1000)
a = c.post("ash1", "a post", 2000)
c.seen({a: "a post"}, feed=[a])

c = Case("an edit by another identity")
a = c.post("ash1", "before", 1000)
c.edit("birch1", a, "after", 2000)
c.seen({a: "before"}, feed=[a])

c = Case("an edit from another device of the same identity")
a = c.post("ash1", "before", 1000)
c.edit("ash2", a, "after", 2000)
c.seen({a: "after"}, feed=[a], edited=[a])

c = Case("two edits: the greater clock, not the greater seq or time")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "first", 2000, clock=5001)
c.edit("ash1", a, "second", 3000, clock=5000)
c.seen({a: "first"}, feed=[a], edited=[a], clock={"ash": 10_000})

c = Case("two edits with equal clocks in one log: the greater seq")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "first", 3000, clock=5000)
c.edit("ash1", a, "second", 2000, clock=5000)
c.seen({a: "second"}, feed=[a], edited=[a])

c = Case("two edits with equal clocks in two logs: the greater log id, not the greater seq")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "in the log with the smaller id", 3000, clock=5000)
c.edit("ash2", a, "in the log with the greater id", 2000, clock=5000)
c.seen({a: "in the log with the greater id"}, feed=[a], edited=[a])

c = Case("clocks of 2^53 - 1 and 2^64 - 1 are equal: the greater log id")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "2^64 - 1", 3000, clock=U64)
c.edit("ash2", a, "2^53 - 1", 2000, clock=HIGHEST)
c.seen({a: "2^53 - 1"}, feed=[a], edited=[a], clock={"ash": HIGHEST})

c = Case("a clock of 2^64 - 1 is greater than one of 2^53 - 2")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "2^64 - 1", 3000, clock=U64)
c.edit("ash2", a, "2^53 - 2", 4000, clock=HIGHEST - 1)
c.seen({a: "2^64 - 1"}, feed=[a], edited=[a])

c = Case("behind a clock of 2^64 - 1 one of 2^53 - 1 in the same log")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "2^64 - 1", 3000, clock=U64)
c.edit("ash1", a, "2^53 - 1", 4000, clock=HIGHEST)
c.seen({a: "2^53 - 1"}, feed=[a], edited=[a])

c = Case("an edit whose payload is not here: the one before shows")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "first", 2000)
b = c.edit("ash1", a, "second", 3000, here=False)
c.seen({a: "first"}, feed=[a], edited=[a], wanted=[b])

c = Case("an edit that breaks a rule: the one before shows")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "first", 2000)
c.edit("ash1", a, "second", 3000, broken=True)
c.seen({a: "first"}, feed=[a], edited=[a])

# Payloads that are missing, broken or unknown.
c = Case("a post whose payload is not here")
a = c.post("ash1", "?", 1000, title="?", channels=("nuts",), here=False)
b = c.post("birch1", "a reply", 2000, parent=a, root=a)
c.seen({a: None, b: "a reply"}, feed=[b, a], wanted=[a], title={a: None}, channels={a: []}, parent={a: None, b: a}, root={a: None})

c = Case("an edit of a post whose payload is not here")
a = c.post("ash1", "?", 1000, title="?", channels=("nuts",), here=False)
c.edit("ash1", a, "after", 2000)
c.vote("birch1", 2000, (a, UP))
c.seen({a: "after"}, feed=[a], edited=[a], wanted=[a], title={a: ""}, channels={a: []}, up={a: {"birch"}})

c = Case("a post that breaks a rule, and an edit of it")
a, b = c.post("ash1", "?", 1000, broken=True), c.post("ash1", "whole", 900)
c.edit("ash1", a, "after", 2000)
c.vote("birch1", 2000, (a, UP))
c.seen({b: "whole"}, feed=[b], up={a: {"birch"}})

c = Case("a post that breaks a rule, of which the payload is not here")
a = c.post("ash1", "?", 1000, broken=True, here=False)
c.edit("ash1", a, "after", 2000)
c.seen({a: "after"}, feed=[a], edited=[a], wanted=[a])

c = Case("posts that break a rule of payload.md, each another, and what may stand in one")
T = field(1, SALT) + field(2, "text")
for i, payload in enumerate([
    b"", T[:-1], field(2, "text") + field(1, SALT), field(1, SALT) + field(2, b"\xff"), T + field(2, "text"), T + b"\x18\x01",
    T + field(4, "a") * 2, T + field(4, "A"), T + field(5, UNKNOWN), T + field(5, UNKNOWN[:31]) * 2, T + field(3, "x" * 1025),
]):
    c.entry("ash1", POST, payload, None, 1000 + i)
says = {"text": "text", "title": "", "channels": (), "parent": b"", "root": b""}
a = c.entry("ash1", POST, T + field(9, b"\xff"), says, 2000)
b = c.entry("ash1", POST, T + field(3, "") + field(5, b"") + field(6, b""), says, 2001)
c.seen({a: "text", b: "text"}, feed=[b, a], title={b: ""}, parent={b: None}, root={b: None})

TEXT = "\0, \ufeff, e\u0301 and \u00e9, \r\n, \uffff, \U0010ffff "
c = Case("a text is what it is, byte by byte")
a = c.post("ash1", TEXT, 1000, title=TEXT)
c.profile("ash1", 2000, {"name": " \0e\u0301", "bio": TEXT})
b = c.post("birch1", "before", 1001)
c.edit("birch1", b, TEXT, 2000, title=TEXT)
c.seen({a: TEXT, b: TEXT}, feed=[b, a], edited=[b], title={a: TEXT, b: TEXT}, profiles={"ash": {"name": " \0e\u0301", "bio": TEXT}})

c = Case("kinds that nobody knows, and the reserved ones")
for i, (kind, flags) in enumerate([(0, 0), (7, 1), (8, 1), (9, 1), (10, 0), (11, 0), (257, 1), (65535, 1)]):
    c.entry("ash1", kind, post_payload("?"), None, 1000 + i, flags=flags)
a = c.post("ash1", "a post", 900)
c.seen({a: "a post"}, feed=[a])

c = Case("kinds that nobody knows, without their payloads: what is wanted")
private, proof, later = [c.entry("ash1", kind, b"?", None, 1000, flags=1, here=False) for kind in (7, 10, 11)]
c.seen({}, wanted=[private, later])

c = Case("clocks of entries that fold to nothing are known too")
c.entry("ash1", 11, b"?", None, 1000, clock=20_000, flags=0)
a = c.post("ash1", "a post", 1000, clock=1)
c.post("birch1", "?", 1000, clock=30_000, broken=True)
c.seen({a: "a post"}, feed=[a], clock={"ash": 20_001, "birch": 30_001})

c = Case("versions other than 1")
a = c.post("ash1", "version 0", 1000, version=0)
b = c.post("ash1", "version 2", 1001, version=2)
d = c.post("ash1", "version 1", 1002)
c.edit("ash1", a, "after", 2000)
c.edit("ash1", d, "version 2", 2000, version=2)
c.vote("ash1", 2000, (d, UP), version=2)
c.profile("ash1", 2000, {"name": "Ash"}, version=0)
e = c.post("ash1", "version 2", 2001, version=2, here=False)
c.seen({d: "version 1"}, feed=[d], wanted=[e])

c = Case("flags that are not those of the kind, or of the future")
a = c.post("ash1", "a post without bit 0", 1000, flags=0)
c.post("ash1", "a post with bit 1", 1001, flags=3)
b = c.post("ash1", "a post", 1002)
c.vote("ash1", 2000, (b, UP), flags=1)
c.vote("ash1", 2001, (b, DOWN), flags=2)
c.follow("ash1", 2002, ("birch", 1), flags=1)
c.edit("ash1", b, "without bit 0", 2003, flags=0)
c.profile("ash1", 2004, {"name": "Ash"}, flags=128)
c.edit("ash1", a, "after", 2005)
d = c.vote("ash1", 2006, (b, DOWN), flags=1, here=False)
c.seen({b: "a post"}, feed=[b])

c = Case("payloads that are too long")
c.post("ash1", "?", 1000, length=LONGEST + 1, here=False)
c.entry("ash1", VOTE, b"?", None, 1001, length=LONGEST + 1, here=False)
a = c.post("ash1", "?", 1002, length=LONGEST, here=False)
c.seen({a: None}, feed=[a], wanted=[a])

# Deletes.
c = Case("a delete")
a, b = c.post("ash1", "before", 1000, title="old", channels=("nuts",)), c.post("ash1", "another", 1001)
c.delete("ash1", 2000, a)
c.seen({a: GONE, b: "another"}, feed=[b], covered=[a], title={a: None}, channels={a: []})

c = Case("a delete of a post that comes later in the same log")
a = c.post("ash1", "before", 1000, seq=1)
c.delete("ash1", 900, a, seq=0)
c.seen({a: GONE}, covered=[a])

c = Case("a delete from another device of the same identity, its clock and time 0")
a = c.post("ash2", "before", 1000)
c.delete("ash1", 0, a)
c.seen({a: GONE}, covered=[a])

c = Case("a delete of a post that nobody has")
a = c.post("ash1", "a post", 1000)
c.delete("ash1", 2000, UNKNOWN)
c.seen({a: "a post"}, feed=[a])

c = Case("a delete of an entry of somebody else, and of one's own besides")
a, b, d = c.post("ash1", "of ash", 1000), c.post("birch1", "of birch", 1001), c.profile("ash1", 1002, {"name": "Ash"})
c.delete("birch1", 2000, a, b, d)
c.seen({a: "of ash", b: GONE}, feed=[a], covered=[b], profiles={"ash": {"name": "Ash"}})

c = Case("one delete that names a post twice, and a second delete")
a = c.post("ash1", "before", 1000)
c.delete("ash1", 2000, a, a)
c.delete("ash2", 2000, a)
c.seen({a: GONE}, covered=[a])

c = Case("an edit after the delete, with any clock")
a = c.post("ash1", "before", 1000)
c.delete("ash1", 2000, a)
c.edit("ash1", a, "after", 3000, clock=U64)
c.seen({a: GONE}, covered=[a])

c = Case("an edit of a deleted post that is not here: nobody knows, and it is wanted")
a = c.post("ash1", "before", 1000)
c.delete("ash1", 2000, a)
b = c.edit("ash1", a, "?", 3000, here=False)
c.seen({a: GONE}, covered=[a], wanted=[b])

c = Case("a delete of a post and of its edit")
a = c.post("ash1", "before", 1000)
b = c.edit("ash1", a, "after", 2000)
c.delete("ash1", 3000, a, b)
c.seen({a: GONE}, covered=[a, b])

c = Case("a delete of an edit: the post's own text shows")
a = c.post("ash1", "before", 1000, title="old")
b = c.edit("ash1", a, "after", 2000, title="new")
c.delete("ash1", 3000, b)
c.seen({a: "before"}, feed=[a], covered=[b], title={a: "old"})

c = Case("a delete of the last edit: the one before shows")
a = c.post("ash1", "before", 1000)
c.edit("ash1", a, "first", 2000)
b = c.edit("ash2", a, "second", 3000)
c.delete("ash1", 4000, b)
c.seen({a: "first"}, feed=[a], edited=[a], covered=[b])

c = Case("a delete of a post that breaks a rule")
a = c.post("ash1", "?", 1000, broken=True)
c.delete("ash1", 2000, a)
c.seen({a: GONE}, covered=[a])

c = Case("a delete of an edit that breaks a rule")
a = c.post("ash1", "before", 1000)
b = c.edit("ash1", a, "after", 2000, broken=True)
c.delete("ash1", 3000, b)
c.seen({a: "before"}, feed=[a], covered=[b])

c = Case("deletes of what is not here: nothing of it is wanted")
a = c.post("ash1", "?", 1000, here=False)
b = c.post("ash1", "a post", 1001)
d, e = c.edit("ash1", b, "?", 2000, here=False), c.profile("ash1", 2001, {"name": "?"}, here=False)
c.delete("ash1", 3000, a, d, e)
c.seen({a: GONE, b: "a post"}, feed=[b], covered=[a, d, e])

c = Case("deletes of a vote, a follow and a delete")
a, b = c.post("ash1", "a post", 1000), c.post("ash1", "another", 1001)
d, e, f = c.vote("ash1", 2000, (a, UP)), c.follow("ash1", 2001, ("birch", 1)), c.delete("ash1", 2002, b)
c.delete("ash1", 3000, d, e, f)
c.seen({a: "a post", b: GONE}, feed=[a], up={a: {"ash"}}, follows={"ash": {"birch"}}, covered=[b])

c = Case("deletes that fold to nothing")
a, b, d = c.post("ash1", "a post", 1000), c.post("ash1", "another", 1001), c.post("ash1", "a third", 1002)
c.delete("ash1", 2000, a, version=2)
c.delete("ash1", 2001, b, flags=1)
c.entry("ash1", DELETE, field(1, d) + field(1, d[:31]), None, 2002)
c.entry("ash1", DELETE, b"", None, 2003)
c.seen({a: "a post", b: "another", d: "a third"}, feed=[d, b, a])

c = Case("deletes of entries that fold to nothing: erased, and no deleted posts")
gone = [c.post("ash1", "?", 1000, version=2), c.post("ash1", "?", 1001, flags=3), c.entry("ash1", 7, b"?", None, 1002, flags=1),
        c.entry("ash1", 11, b"?", None, 1003, flags=1, here=False), c.vote("ash1", 1004, (UNKNOWN, UP), flags=1),
        c.post("ash1", "?", 1005, length=LONGEST + 1, here=False)]
kept = [c.post("ash1", "?", 1006, flags=0), c.entry("ash1", 11, b"?", None, 1007, flags=0), c.post("ash1", "?", 1008, flags=2)]
c.delete("ash1", 2000, *gone, *kept)
c.seen({}, covered=gone)

c = Case("a delete of a profile: the name before shows")
c.profile("ash1", 1000, {"name": "Ash", "bio": "first"})
a = c.profile("ash1", 2000, {"name": "Oak", "full_name": "Oak Tree"})
c.delete("ash1", 3000, a)
c.seen({}, covered=[a], profiles={"ash": {"name": "Ash", "bio": "first"}})

# Replies.
c = Case("a reply whose parent and root nobody has")
a = c.post("ash1", "a reply", 1000, parent=UNKNOWN, root=h("scurry/entry", b"nor this"))
b = c.post("birch1", "a reply to it", 2000, parent=a, root=h("scurry/entry", b"nor this"))
c.seen({a: "a reply", b: "a reply to it"}, feed=[b, a], parent={a: UNKNOWN, b: a}, root={a: h("scurry/entry", b"nor this")})

c = Case("replies to a deleted post keep naming it, a deleted reply names nothing")
a = c.post("ash1", "a post", 1000)
b = c.post("birch1", "a reply", 2000, parent=a, root=a)
d = c.post("cedar1", "a reply to it", 3000, parent=b, root=a)
c.delete("ash1", 4000, a)
c.delete("birch1", 4000, b)
c.seen({a: GONE, b: GONE, d: "a reply to it"}, feed=[d], covered=[a, b], parent={b: None, d: b}, root={b: None, d: a})

c = Case("an edit of a reply: parent and root stay")
a = c.post("ash1", "a post", 1000)
b = c.post("birch1", "a reply", 2000, parent=a, root=a)
c.edit("birch1", b, "after", 3000)
c.seen({a: "a post", b: "after"}, feed=[b, a], edited=[b], parent={b: a}, root={b: a})

c = Case("a reply to a post that breaks a rule, and one to a vote")
a = c.post("ash1", "?", 1000, broken=True)
b = c.vote("ash1", 1001, (a, UP))
d, e = c.post("birch1", "to a post", 2000, parent=a, root=a), c.post("birch1", "to a vote", 2001, parent=b, root=b)
c.seen({d: "to a post", e: "to a vote"}, feed=[e, d], up={a: {"ash"}}, parent={d: a, e: b})

# Votes.
c = Case("votes of three identities, the author's among them")
a, b = c.post("ash1", "a post", 1000), c.post("ash1", "another", 1001)
c.vote("ash1", 2000, (a, UP))
c.vote("birch1", 2000, (a, UP), (b, DOWN))
c.vote("cedar1", 2000, (a, DOWN))
c.seen({a: "a post", b: "another"}, feed=[b, a], up={a: {"ash", "birch"}}, down={a: {"cedar"}, b: {"birch"}})

c = Case("a changed vote: the greater clock, not the greater seq")
a = c.post("ash1", "a post", 1000)
c.vote("birch1", 2000, (a, DOWN), clock=3001)
c.vote("birch1", 3000, (a, UP), clock=3000)
c.seen({a: "a post"}, feed=[a], down={a: {"birch"}})

c = Case("a vote that is taken back")
a = c.post("ash1", "a post", 1000)
c.vote("birch1", 2000, (a, UP))
c.vote("birch1", 3000, (a, NONE))
c.seen({a: "a post"}, feed=[a])

c = Case("a vote that was taken back before, by its clock")
a = c.post("ash1", "a post", 1000)
c.vote("birch1", 2000, (a, NONE), clock=3000)
c.vote("birch1", 3000, (a, UP), clock=2999)
c.seen({a: "a post"}, feed=[a])

c = Case("votes of two devices with equal clocks: the greater log id, not the greater seq")
a, b = c.post("ash1", "a post", 1000), c.post("ash1", "another", 1001)
c.vote("birch1", 2000, (b, UP))
c.vote("birch1", 2001, (a, UP), clock=5000)
c.vote("birch2", 2000, (a, DOWN), clock=5000)
c.seen({a: "a post", b: "another"}, feed=[b, a], up={b: {"birch"}}, down={a: {"birch"}})

c = Case("two devices with equal clocks: taken back in the log with the greater id")
a = c.post("ash1", "a post", 1000)
c.vote("birch1", 2000, (a, UP), clock=5000)
c.vote("birch2", 2000, (a, NONE), clock=5000)
c.seen({a: "a post"}, feed=[a])

c = Case("equal clocks in one log: seq 10 is greater than seq 9")
a = c.post("ash1", "a post", 1000)
for i in range(11):
    c.vote("birch1", 2000 + i, (a, DOWN if i == 10 else UP), clock=5000)
c.seen({a: "a post"}, feed=[a], down={a: {"birch"}})

c = Case("one vote that names a post twice: the later place")
a = c.post("ash1", "a post", 1000)
c.vote("birch1", 2000, (a, UP), (UNKNOWN, DOWN), (a, DOWN))
c.seen({a: "a post"}, feed=[a], down={a: {"birch"}, UNKNOWN: {"birch"}})


def example(name, *more):
    """The example of fold.md §3: one identity, one target, equal clocks 1."""
    case = Case(name)
    for i in range(4):
        case.vote("ash1", 1, (h("scurry/entry", u(i)), NONE))
    case.vote("ash1", 1, (UNKNOWN, UP), (UNKNOWN, DOWN))
    case.vote("ash1", 1, (UNKNOWN, NONE), (UNKNOWN, UP))
    for device, at, value in more:
        case.vote(device, at, (UNKNOWN, value))
    return case


example("the example of fold.md §3").seen({}, up={UNKNOWN: {"ash"}})
example("the example of fold.md §3, and the log with the greater id", ("ash2", 1, DOWN)).seen({}, down={UNKNOWN: {"ash"}})
example("the example of fold.md §3, and clock 2", ("ash2", 1, DOWN), ("ash1", 2, UP)).seen({}, up={UNKNOWN: {"ash"}})

c = Case("votes for a deleted post, an edit, a vote, what nobody has, and an identity's key")
a = c.post("ash1", "a post", 1000)
b = c.edit("ash1", a, "after", 2000)
c.delete("ash1", 3000, a)
d = c.vote("birch1", 4000, (a, UP), (b, DOWN), (UNKNOWN, UP), (IDENTITIES["ash"], UP))
c.vote("cedar1", 4000, (a, UP), (d, DOWN))
c.seen({a: GONE}, covered=[a], up={a: {"birch", "cedar"}, UNKNOWN: {"birch"}, IDENTITIES["ash"]: {"birch"}},
       down={b: {"birch"}, d: {"cedar"}})

c = Case("one broken choice: the whole vote folds to nothing")
a = c.post("ash1", "a post", 1000)
c.vote("birch1", 2000, (a, UP))
c.entry("birch1", VOTE, choice(a, DOWN) + choice(UNKNOWN, 3), None, 3000)
c.seen({a: "a post"}, feed=[a], up={a: {"birch"}})

# People.
c = Case("names with equal clocks in two logs: the greater log id")
c.profile("ash1", 2000, {"name": "Smaller"}, clock=5000)
c.profile("ash2", 1000, {"name": "Greater"}, clock=5000)
c.profile("birch1", 1000, {"name": "Greater"}, clock=1)
c.seen({}, profiles={"ash": {"name": "Greater"}, "birch": {"name": "Greater"}})

c = Case("names with equal clocks in one log: the greater seq")
c.profile("ash1", 2000, {"name": "First"}, clock=5000)
c.profile("ash1", 1000, {"name": "Second"}, clock=5000)
c.seen({}, profiles={"ash": {"name": "Second"}})

c = Case("each field of a profile for itself")
c.profile("ash1", 1000, {"name": "Ash", "full_name": "Ash Tree", "bio": "first", "avatar": UNKNOWN})
c.profile("ash2", 2000, {"bio": "second"})
c.profile("ash2", 3000, {"name": "Oak"}, clock=999)
c.profile("ash1", 4000, {"full_name": ""})
c.profile("ash1", 5000, {})
c.seen({}, profiles={"ash": {"name": "Ash", "full_name": "", "bio": "second", "avatar": UNKNOWN.hex()}})

c = Case("a profile with an empty name folds to nothing, its bio too")
c.profile("ash1", 1000, {"name": "Ash", "bio": "first"})
c.profile("ash1", 2000, {"name": "", "bio": "second"}, broken=True)
c.seen({}, profiles={"ash": {"name": "Ash", "bio": "first"}})

c = Case("a profile whose payload is not here")
c.profile("ash1", 1000, {"name": "Ash"})
a = c.profile("ash1", 2000, {"name": "Oak"}, here=False)
c.seen({}, wanted=[a], profiles={"ash": {"name": "Ash"}})

c = Case("follows: one another, oneself, somebody who is not here")
c.follow("ash1", 1000, ("birch", 1), ("cedar", 1), ("ash", 1), (UNKNOWN, 1))
c.follow("birch1", 1000, ("ash", 1))
c.seen({}, follows={"ash": {"ash", "birch", "cedar", UNKNOWN.hex()}, "birch": {"ash"}})

c = Case("follows: taken back, taken up again, and twice in one")
c.follow("ash1", 1000, ("birch", 1), ("cedar", 1))
c.follow("ash1", 2000, ("birch", 0), ("cedar", 0))
c.follow("ash2", 3000, ("cedar", 1))
c.follow("birch1", 1000, ("ash", 1), ("cedar", 0), ("cedar", 1), ("ash", 0))
c.seen({}, follows={"ash": {"cedar"}, "birch": {"cedar"}})

c = Case("follows with equal clocks in two logs: the greater log id")
c.follow("ash1", 2000, ("birch", 1), ("cedar", 0), clock=5000)
c.follow("ash2", 1000, ("birch", 0), ("cedar", 1), clock=5000)
c.seen({}, follows={"ash": {"cedar"}})

c = Case("follows that break a rule, the choices before them stay")
c.follow("ash1", 1000, ("birch", 1), clock=20_000)
c.entry("ash1", FOLLOW, b"", None, 2000, clock=21_000)
c.entry("ash1", FOLLOW, choice(IDENTITIES["birch"], 0) + choice(IDENTITIES["cedar"], 2), None, 3000, clock=22_000)
c.seen({}, follows={"ash": {"birch"}}, clock={"ash": 22_001})


# --- counted.json (log.md §8). The stored history is that of the example: the seven entries of log.json.

counted_cases = []


def own(size):
    return size, tree(IDS[:size])


def foreign(size):
    """A root that is not of the stored history, at a size above 2."""
    return size, tree((FORKED_IDS + IDS)[:size])


def other(size, smaller):
    """A root at the size that is not of the stored history, and smaller as bytes than its root, or greater."""
    tries = (tree([hashlib.sha256(u(i)).digest()] + IDS[1:size]) for i in range(1000))
    return size, next(root for root in tries if (root < own(size)[1]) == smaller)


def has(stored, word):
    return word is not None and stored >= word[0] and own(word[0])[1] == word[1]


def count(stored, held, pending, cut, settled):
    """complete, ceiling (None: there is none), counted"""
    if has(stored, settled):
        return True, settled[0], settled[0]
    ceiling = min((word[0] for word in (cut, settled) if word), default=None)
    if ceiling is None:
        return False, None, held
    if stored >= ceiling and (pending or has(stored, cut)):
        return False, ceiling, ceiling
    return False, ceiling, min(held, ceiling)


def under(size, held, complete, stored, cut):
    """What the entries that count are shown under."""
    if size == 0:
        return None
    if size == held:
        return "head"
    if complete:
        return "settlement"
    return "cut" if cut and cut[0] == size and has(stored, cut) else "beyond"


def item_of(size, complete, cut, settled):
    if size == 0 and not cut and not settled:
        return None
    cut_size = U64 if cut is None or complete else cut[0]
    return LOG + u(size) + tree(IDS[:size]) + u(cut_size) + (u(settled[0]) + settled[1] if settled else u(U64) + ZERO)


def counted_case(name, size, stored=7, head=7, pending=None, cuts=(), settlements=(), gap=None, earlier=0, complete=False,
                 drops=False):
    """`cuts`: (size, root); `settlements`: (size, root), serial. `size`, `complete` and `drops` are the expectation by hand.

    `gap`: [start, end). `earlier`: where what is behind the gap is dropped, the head that was held before `head`.
    """
    cut = min(cuts, default=None)
    settled = min((-serial, *word) for word, serial in settlements)[1:] if settlements else None
    left, held, waits = stored, head, pending is not None
    words = [settled] if has(stored, settled) and not (gap and gap[0] < settled[0] < gap[1]) else [cut, settled]
    assert drops == bool(gap and any(word and word[0] <= gap[1] for word in words)), name
    if drops:
        # log.md §6: the head that was held is pending, or the one before it is held again. Both come to the same here.
        left, held, waits = gap[0], earlier, True
        assert len({count(left, *kept, cut, settled) for kept in ((earlier, True), (earlier, False), (0, True))}) == 1, name
    found = count(left, held, waits, cut, settled)
    assert (found[0], found[2]) == (complete, size), (name, found)
    item = item_of(size, complete, cut, settled)
    case = {
        "name": name, "stored": str(stored), "head": str(head),
        "pending": None if pending is None else {
            "size": str(pending), "nodes": [n.hex() for n in compact(IDS, stored, pending)]},
        "gap": None if gap is None else {
            "start": str(gap[0]), "end": str(gap[1]), "before": [n.hex() for n in compact(IDS, 0, gap[0])],
            "nodes": [n.hex() for n in compact(IDS, *gap)]},
        "cuts": [{"size": str(c), "root": root.hex()} for c, root in cuts],
        "settlements": [{"size": str(n), "root": root.hex(), "serial": str(serial)} for (n, root), serial in settlements],
    }
    if drops:
        case["earlier"] = str(earlier)
    case |= {
        "drops": drops, "complete": complete, "ceiling": None if found[1] is None else str(found[1]), "counted": str(size),
        "root": tree(IDS[:size]).hex(), "item": item and item.hex(), "id": item and h("scurry/item", item).hex(),
    }
    if not drops:
        case["under"] = under(size, head, complete, stored, cut)
    counted_cases.append(case)


def both(name, size, words, key, **more):
    """The same words in both orders."""
    counted_case(name, size, **{key: list(words)}, **more)
    counted_case(f"{name}; they came the other way round", size, **{key: list(words)[::-1]}, **more)


# Heads alone.
counted_case("nothing", 0, stored=0, head=0)
counted_case("all of a head", 7)
counted_case("a part of the first head", 0, stored=5, head=0, pending=7)
counted_case("a head, and a part of a greater one", 3, stored=5, head=3, pending=7)

# A cut.
counted_case("a cut below the head, its root of the stored history", 3, cuts=[own(3)])
counted_case("a cut below the head, its root of another history", 3, cuts=[foreign(3)])
counted_case("a cut at the head", 7, cuts=[own(7)])
counted_case("a cut at the head, of another history", 7, cuts=[foreign(7)])
counted_case("a cut beyond what is stored", 7, cuts=[foreign(8)])
counted_case("a cut at 0", 0, cuts=[(0, ZERO)])
counted_case("a cut at 0, and nothing stored", 0, stored=0, head=0, cuts=[(0, ZERO)])
counted_case("a cut at 3, and nothing stored", 0, stored=0, head=0, cuts=[own(3)])
counted_case("a cut among the pending, its root of the stored history", 4, stored=5, head=3, pending=7, cuts=[own(4)])
counted_case("a cut among the pending, of another history", 4, stored=5, head=3, pending=7, cuts=[foreign(4)])
counted_case("a cut at the end of the pending, of another history", 5, stored=5, head=3, pending=7, cuts=[foreign(5)])
counted_case("a cut beyond the pending", 3, stored=5, head=3, pending=7, cuts=[own(6)])
counted_case("a cut below the head, and pending behind it", 2, stored=5, head=3, pending=7, cuts=[own(2)])
counted_case("a cut among the pending, no head below it", 4, stored=5, head=0, pending=7, cuts=[foreign(4)])
counted_case("up to the cut under its root", 5, stored=5, head=3, cuts=[own(5)])
counted_case("a part of what the cut's root proves", 3, stored=4, head=3, cuts=[own(5)])
counted_case("no head, up to the cut under its root", 2, stored=2, head=0, cuts=[own(2)])

# A settlement.
counted_case("settled below the head", 5, settlements=[(own(5), 1)], complete=True)
counted_case("settled at the head", 7, settlements=[(own(7), 1)], complete=True)
counted_case("settled at 0", 0, settlements=[((0, ZERO), 1)], complete=True)
counted_case("settled at 0, and nothing stored", 0, stored=0, head=0, settlements=[((0, ZERO), 1)], complete=True)
counted_case("settled at 5, and nothing stored", 0, stored=0, head=0, settlements=[(own(5), 1)])
counted_case("settled beyond what is stored", 7, settlements=[(foreign(9), 1)])
counted_case("settled beyond what is stored, a part of it without a head", 5, stored=6, head=5, settlements=[(own(7), 1)])
counted_case("settled beyond the head, all of it here under its root", 6, stored=6, head=3, settlements=[(own(6), 1)], complete=True)
counted_case("settled beyond the head, no head at all", 6, stored=6, head=0, settlements=[(own(6), 1)], complete=True)
counted_case("settled among the pending", 4, stored=5, head=3, pending=7, settlements=[(own(4), 1)], complete=True)
counted_case("settled in another history, below the head", 5, settlements=[(foreign(5), 1)])
counted_case("settled in another history, at the head", 7, settlements=[(foreign(7), 1)])
counted_case("settled in another history, among the pending", 4, stored=5, head=3, pending=7, settlements=[(foreign(4), 1)])

# Both.
counted_case("complete, and a cut below it", 5, cuts=[own(3)], settlements=[(own(5), 1)], complete=True)
counted_case("complete, and a cut at 0", 5, cuts=[(0, ZERO)], settlements=[(own(5), 1)], complete=True)
counted_case("complete, and a cut beyond it", 3, cuts=[foreign(5)], settlements=[(own(3), 1)], complete=True)
counted_case("settled at 0, and a cut at 0", 0, cuts=[(0, ZERO)], settlements=[((0, ZERO), 1)], complete=True)
counted_case("settled and cut at one size, both of the stored history", 4, cuts=[own(4)], settlements=[(own(4), 1)], complete=True)
counted_case("settled and cut at one size, the cut of another history", 4, cuts=[foreign(4)], settlements=[(own(4), 1)], complete=True)
counted_case("settled and cut at one size, the settlement of another history", 4, cuts=[own(4)], settlements=[(foreign(4), 1)])
counted_case("settled in another history, and a cut below", 3, cuts=[own(3)], settlements=[(foreign(5), 1)])
counted_case("settled in another history, and a cut beyond", 3, cuts=[own(5)], settlements=[(foreign(3), 1)])
counted_case("settled in another history, below it the head, and a cut beyond under whose root all is here", 3, stored=5, head=2,
             cuts=[own(5)], settlements=[(foreign(3), 1)])
counted_case("the same, and the cut beyond what is stored", 2, stored=4, head=2, cuts=[own(5)], settlements=[(foreign(3), 1)])
counted_case("settled beyond what is stored, and a cut below the head", 3, cuts=[foreign(3)], settlements=[(foreign(9), 1)])
counted_case("settled beyond, and the cut of another history at the end of what its root proves", 3, stored=5, head=3,
             cuts=[foreign(5)], settlements=[(own(6), 1)])
counted_case("settled beyond, and the cut of the stored history", 5, stored=5, head=3, cuts=[own(5)], settlements=[(own(6), 1)])

# Several of one kind.
both("of two cuts the lower one", 3, [foreign(3), own(5)], "cuts")
both("of two cuts the lower one, though it is of another history", 2, [foreign(3), own(5)], "cuts", stored=5, head=2)
both("of two cuts at one place the smaller root: that of the other history", 2, [own(3), other(3, smaller=True)], "cuts",
     stored=3, head=2)
both("of two cuts at one place the smaller root: that of the stored history", 3, [own(3), other(3, smaller=False)], "cuts",
     stored=3, head=2)
both("of two settlements the higher serial, which gives back", 5, [(own(3), 1), (own(5), 2)], "settlements", complete=True)
both("of two settlements the higher serial, which takes more", 3, [(own(3), 2), (own(5), 1)], "settlements", complete=True)
both("of two settlements the higher serial, though it is of another history", 4, [(foreign(4), 2), (own(5), 1)], "settlements")
both("of two settlements the higher serial, 2^64 - 1", 5, [(own(3), 2**63 - 1), (own(5), U64)], "settlements", complete=True)
both("of two settlements with one serial the smaller size", 3, [(own(3), 1), (own(5), 1)], "settlements", complete=True)
both("of two settlements with one serial and size the smaller root: that of the other history", 3,
     [(own(3), 1), (other(3, smaller=True), 1)], "settlements")
both("of two settlements with one serial and size the smaller root: that of the stored history", 3,
     [(own(3), 1), (other(3, smaller=False), 1)], "settlements", complete=True)

# Gaps (log.md §6): they change nothing, unless a cut or a settlement has made it impossible to know what is in them.
counted_case("a gap", 7, gap=(1, 5))
counted_case("a gap from the beginning on, and pending behind the head", 5, stored=6, head=5, pending=7, gap=(0, 3))
counted_case("a gap, and a cut behind it", 6, cuts=[own(6)], gap=(1, 5))
counted_case("a gap, and a cut of another history behind it", 6, cuts=[foreign(6)], gap=(1, 5))
counted_case("a gap, and settled behind it", 6, settlements=[(own(6), 1)], gap=(1, 5), complete=True)
counted_case("a gap, and settled behind it in another history", 6, settlements=[(foreign(6), 1)], gap=(1, 5))
counted_case("a gap, complete behind it, and a cut within it", 6, cuts=[foreign(3)], settlements=[(own(6), 1)], gap=(1, 5), complete=True)
counted_case("a gap from the beginning on, and a cut within it", 0, cuts=[own(3)], gap=(0, 5), drops=True)
counted_case("a gap from the beginning on, and a cut at its end", 0, cuts=[own(5)], gap=(0, 5), drops=True)
counted_case("a gap from the beginning on, and settled within it", 0, settlements=[(own(3), 1)], gap=(0, 5), drops=True)
counted_case("a gap from the beginning on, and settled at its end", 0, settlements=[(foreign(5), 1)], gap=(0, 5), drops=True)
counted_case("a gap from the beginning on, and settled at 0", 0, settlements=[((0, ZERO), 1)], gap=(0, 5), complete=True, drops=True)
counted_case("a gap, and a cut before it", 2, cuts=[own(2)], gap=(3, 5), earlier=3, drops=True)
counted_case("a gap, and a cut of another history before it", 3, cuts=[foreign(3)], gap=(3, 5), earlier=3, drops=True)
counted_case("a gap, and settled before it", 2, settlements=[(own(2), 1)], gap=(3, 5), earlier=3, complete=True, drops=True)
counted_case("a gap, and settled at its start", 3, settlements=[(own(3), 1)], gap=(3, 5), earlier=3, complete=True, drops=True)
counted_case("a gap, and settled before it in another history", 3, settlements=[(foreign(3), 1)], gap=(3, 5), earlier=3, drops=True)


# --- carried.json (identity.md §6)

carried_cases = []
KEEPER = ROOTS["ash"]
MANY = 16


def evidence(device, log):
    """log.md §7: a fork in the first entry, both branches of one entry."""
    leaves = [h("scurry/entry", log + u(i)) for i in range(2)]
    heads = [device.sign(b"scurry head v1" + NETWORK + log + u(1) + leaf).signature for leaf in leaves]
    return log + u(0) + b"".join(u(1) + signature + leaf for signature, leaf in zip(heads, leaves))


def carried_log(number, serial, says="entry"):
    """`says`: beside one entry; `certificate`: there is none. In `settled` and `settled elsewhere` it counts."""
    seed = seed_of(f"device {number}")
    device = SigningKey(seed)
    cert = certificate(KEEPER, device, serial)
    log = log_of(cert)
    first = header(0, post_payload("hello"), time=1000, clock=1000, log_id=log)
    settled = {"settled": (1, h("scurry/entry", first)), "settled at 0": (0, ZERO), "settled elsewhere": (9, tree(IDS)),
               "settled and forked": (1, h("scurry/entry", first))}.get(says)
    return {
        "log": log.hex(), "serial": str(serial), "certificate": cert.hex(), "device_seed": seed.hex(),
        "counted": "1" if says in ("entry", "settled", "settled elsewhere", "settled and forked") else "0",
        "entry": None if says == "certificate" else first.hex(),
        "payload": None if says == "certificate" else post_payload("hello").hex(),
        "settlement": None if settled is None else settlement(KEEPER, log, *settled, serial=1).hex(),
        "evidence": evidence(device, log).hex() if "forked" in says else None,
    }


def carried(logs):
    """identity.md §6"""
    out, places = [], 0
    for one in sorted(logs, key=lambda one: (int(one["serial"]), bytes.fromhex(one["log"]))):
        if places == MANY:
            break
        if one["counted"] == "0" and not one["settlement"] and not one["evidence"]:
            continue
        out.append(one["log"])
        places += one["settlement"] is None
    return out


def carried_case(name, logs, number, ended=False, by_hand=None):
    """`number`: how many are carried. `by_hand`: which, as places in `logs`, in any order."""
    kept = [] if ended else carried(logs)
    assert len(kept) == number and len({one["log"] for one in logs}) == len(logs), (name, len(kept))
    if by_hand is not None:
        assert set(kept) == {logs[i]["log"] for i in by_hand}, name
    rank = sorted(range(len(logs)), key=lambda i: (int(logs[i]["serial"]), bytes.fromhex(logs[i]["log"])))
    stirred = sorted(rank, key=lambda i: hashlib.sha256(f"{name} {i}".encode()).digest())
    orders = [order for i, order in enumerate([rank, rank[::-1], stirred]) if order not in [rank, rank[::-1], stirred][:i]]
    end = settlement(KEEPER, ZERO, 0, ZERO, serial=2) if ended else None
    item = h("scurry/end", NETWORK + bytes(KEEPER.verify_key)) + u(0) + ZERO + u(U64) + u(0) + ZERO
    carried_cases.append({
        "name": name, "logs": logs, "orders": orders, "end": end and end.hex(), "carried": kept,
        "end_item": h("scurry/item", item).hex() if ended else None})


def plain(serials, **says):
    """Logs with these serials; `says` has by place (`at3`) what is not a log of one entry."""
    return [carried_log(i, serial, says.get(f"at{i}", "entry")) for i, serial in enumerate(serials)]


carried_case("no log", [], 0)
carried_case("one log", plain([5]), 1)
carried_case("a mere certificate", plain([5], at0="certificate"), 0)
carried_case("sixteen logs", plain(range(1, 17)), 16)
carried_case("seventeen logs, the example of identity.md", plain(range(1, 18)), 16, by_hand=range(16))
carried_case("twenty logs, the serials far apart and not in the order of the devices",
             plain([(i * 7 % 20 + 1) * 1_000_003 for i in range(20)]), 16, by_hand=[i for i in range(20) if i * 7 % 20 < 16])
carried_case("serials are numbers: 9, 10, 100, up to 2^63 and 2^64 - 1", plain(
    [100, 9, 10, 0, 2**63, U64, 2**63 - 1, 2**32, 256, 255, 99, 11, 90, 1, 2, 3, 4, 2**53]), 16,
    by_hand=[i for i in range(18) if i not in (4, 5)])
SAME = plain([7] * 18)
carried_case("eighteen logs of one serial: by their ids", SAME, 16,
             by_hand=sorted(range(18), key=lambda i: bytes.fromhex(SAME[i]["log"]))[:16])
EDGE = plain(list(range(1, 16)) + [16, 16, 16])
carried_case("three of one serial for the last place: the smallest id", EDGE, 16,
             by_hand=[*range(15), min(range(15, 18), key=lambda i: bytes.fromhex(EDGE[i]["log"]))])
carried_case("one settled, which takes no place", plain(range(1, 19), at4="settled"), 17, by_hand=range(17))
carried_case("one settled, before all others", plain(range(1, 19), at0="settled"), 17, by_hand=range(17))
carried_case("one settled, right before the last place", plain(range(1, 19), at15="settled"), 17, by_hand=range(17))
carried_case("one settled, right behind the last place", plain(range(1, 19), at16="settled"), 16, by_hand=range(16))
carried_case("two settled, one before the last place and one behind it", plain(range(1, 20), at2="settled", at17="settled"), 17,
             by_hand=range(17))
carried_case("twenty settled, and fifteen others", plain(range(1, 36), **{f"at{i}": "settled" for i in range(15, 35)}), 35)
carried_case("twenty settled, and seventeen others behind them", plain(range(1, 38), **{f"at{i}": "settled" for i in range(20)}), 36,
             by_hand=range(36))
carried_case("settled at 0: nothing counts, and it takes no place", plain(range(1, 19), at3="settled at 0"), 17, by_hand=range(17))
carried_case("settled, and the settled history is not here: no place", plain(range(1, 19), at3="settled elsewhere"), 17,
             by_hand=range(17))
carried_case("forked in the first entry: nothing counts, and it takes a place", plain(range(1, 18), at3="forked"), 16,
             by_hand=range(16))
carried_case("settled and forked: no place", plain(range(1, 19), at3="settled and forked"), 17, by_hand=range(17))
carried_case("mere certificates take no place, wherever they stand",
             plain(range(1, 21), at0="certificate", at7="certificate", at19="certificate"), 16,
             by_hand=[*range(1, 7), *range(8, 18)])
carried_case("the account ended", plain(range(1, 18)), 0, ended=True)
carried_case("the account ended, settled and forked logs too", plain(range(1, 4), at0="settled", at1="forked"), 0, ended=True)
carried_case("the account ended, and nothing else is known of it", [], 0, ended=True)


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent
    logs = [{"log": d.log.hex(), "identity": d.identity.hex(), "certificate": d.certificate.hex(), "device_seed": d.seed.hex()}
            for d in DEVICES.values()]
    files = {
        "fold": {"network": NETWORK.hex(), "logs": logs, "cases": fold_cases},
        "counted": {"network": NETWORK.hex(), "device": DEVICE_KEY.hex(), "log": LOG.hex(), "ids": [i.hex() for i in IDS],
                    "cases": counted_cases},
        "carried": {"network": NETWORK.hex(), "identity": bytes(KEEPER.verify_key).hex(), "cases": carried_cases},
    }
    for name, value in files.items():
        names = [case["name"] for case in value["cases"]]
        assert len(set(names)) == len(names), name
        (folder / f"{name}.json").write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(name, len(names))
