#!/usr/bin/env python3
"""Writes discovery.json: datagrams, with what discovery.md §2 makes of them in one network.

Needs nothing beyond the standard library. Run it, and it overwrites the file beside it.
"""

import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).parent
MARK = b"scurry/d"
SALT = bytes(range(16))
SECRET = b"correct horse battery"


def h(tag, data):
    return hashlib.blake2b(data, digest_size=32, person=tag.ljust(16, b"\0")).digest()


CAMPUS = h(b"scurry/network", b"campus")
PSK = h(b"scurry/psk", CAMPUS + SECRET)


def beacon(kind=1, port=7776, key=CAMPUS, mark=MARK, salt=SALT, tag=b"scurry/beacon", length=16):
    head = mark + bytes([kind]) + port.to_bytes(2, "big") + salt
    return head + h(tag, key + head)[:length]


def changed(data, place):
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def cases():
    good = beacon()
    yield "a call", False, good, {"kind": 1, "port": 7776}
    yield "an answer", False, beacon(kind=2), {"kind": 2, "port": 7776}
    yield "nobody can call it", False, beacon(port=0), {"kind": 1, "port": 0}
    yield "the last port", False, beacon(port=65535), {"kind": 1, "port": 65535}
    yield "in the private network", True, beacon(key=PSK), {"kind": 1, "port": 7776}
    yield "of the open network, heard in the private one", True, good, None
    yield "of the private network, heard in the open one", False, beacon(key=PSK), None
    yield "of another network", False, beacon(key=h(b"scurry/network", b"other")), None
    yield "another kind, well sealed", False, beacon(kind=3), None
    yield "kind 0, well sealed", False, beacon(kind=0), None
    yield "another beginning, well sealed", False, beacon(mark=b"scurry/e"), None
    yield "another hash tag", False, beacon(tag=b"scurry/invite"), None
    yield "a longer tag", False, beacon(length=17), None
    yield "a shorter tag", False, beacon(length=15), None
    yield "no tag", False, good[:27], None
    yield "nothing", False, b"", None
    yield "a byte too many", False, good + b"\0", None
    for place, what in [(0, "mark"), (8, "kind"), (9, "port"), (10, "port, low"), (11, "salt"), (26, "salt, last"),
                        (27, "tag"), (42, "tag, last")]:
        yield f"a bit of the {what} changed", False, changed(good, place), None


def main():
    file = {
        "network": "campus",
        "secret": SECRET.hex(),
        "beacons": [
            {"name": name, "private": private, "hex": data.hex(), "read": read} for name, private, data, read in cases()
        ],
    }
    (HERE / "discovery.json").write_text(json.dumps(file, indent=1) + "\n")


main()
