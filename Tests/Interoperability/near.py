"""What near.json has beside dialogues: bytes that are almost right, with the verdict of the pages.

`payloads`: payload.md. `certificates`: identity.md §3, where Ed25519 (README.md §4) has its edges. `chunks`: log.md §6
under known roots. `invites`: channel.md §1."""

import hashlib

import carried
import dialogues
from scurry_client import invite
from scurry_client.hashes import H, keypair_from_seed, u64
from scurry_client.identity import TAG, network_id
from scurry_client.tree import range_of

# Edwards25519, affine, for what no library signs.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def add(one, other):
    (a, b), (c, d) = one, other
    cross = D * a * b * c * d
    return (a * d + b * c) * pow(1 + cross, -1, P) % P, (b * d + a * c) * pow(1 - cross, -1, P) % P


def times(number, point):
    out = (0, 1)
    for bit in bin(number)[2:]:
        out = add(out, out)
        if bit == "1":
            out = add(out, point)
    return out


def point_at(y, odd=0):
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P:
        return None
    return (P - x if x % 2 != odd else x), y


def encoded(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def number(data):
    return int.from_bytes(data, "little")


BASE = point_at(4 * pow(5, -1, P) % P)
ORDER_8 = next(point for y in range(2, 100) if (point := point_at(y)) and (point := times(L, point))
               and times(4, point) != (0, 1))


def sign_oddly(secret, key_torsion, nonce_torsion, message, nonce=None):
    """(key, R, S) of a signature by secret·B + key_torsion over `message(key)`, with the nonce point moved."""
    key = encoded(add(times(secret, BASE), key_torsion))
    nonce = 12345 if nonce is None else nonce
    r = encoded(add(times(nonce, BASE), nonce_torsion))
    h = number(hashlib.sha512(r + key + message(key)).digest()) % L
    return key, r, (nonce + h * secret) % L, h


def certificates():
    network = network_id("campus")
    device, _ = keypair_from_seed(bytes(range(32)))
    out = []

    def make(name, verdict, key_torsion=(0, 1), nonce_torsion=(0, 1), wanted=None, nonce=None):
        secret = 98765
        for serial in range(64):
            def body(key, serial=serial):
                return network + key + device + bytes(32) + u64(serial)
            key, r, s, h = sign_oddly(secret, key_torsion, nonce_torsion, lambda key: TAG + body(key), nonce)
            if wanted is None or wanted(h):
                break
        out.append({"name": name, "network": network.hex(), "hex": (body(key) + r + s.to_bytes(32, "little")).hex(),
                    "verdict": verdict})

    minus = (P - ORDER_8[0], ORDER_8[1])
    make("a signature made by hand", "valid")
    make("R is the neutral point", "badSignature", nonce=0)
    make("R of order 8", "badSignature", nonce_torsion=ORDER_8, nonce=0)
    make("a point of order 8 added to R", "badSignature", nonce_torsion=ORDER_8)
    make("a key with a part of order 8, the equation holds", "valid", key_torsion=ORDER_8, wanted=lambda h: h % 8 == 0)
    make("a key with a part of order 8, the equation holds but for that", "badSignature", key_torsion=ORDER_8,
         wanted=lambda h: h % 8 == 1)
    make("a key with a part of order 8, and R makes up for it", "valid", key_torsion=ORDER_8,
         nonce_torsion=minus, wanted=lambda h: h % 8 == 1)
    good = bytes.fromhex(out[0]["hex"])
    for name, s in (("S + the order", number(good[168:]) + L), ("S + eight times the order", number(good[168:]) + 8 * L)):
        out.append({"name": name, "network": network.hex(), "hex": (good[:168] + s.to_bytes(32, "little")).hex(),
                    "verdict": "badSignature"})
    return out


def payloads():
    head = bytes.fromhex("0a10" + "00" * 16)
    out = []
    for size, verdict in ((65_536, "valid"), (65_537, "payloadLength")):
        text = size - len(head) - 4
        begin = head + b"\x12" + bytes([text & 127 | 128, text >> 7 & 127 | 128, text >> 14])
        out.append({"name": f"a post of {size:,} bytes", "kind": 1, "hex": begin.hex(),
                    "repeat": {"bytes": "61", "times": text}, "verdict": verdict})
    return out


def chunks():
    """Over a stored history, with what is known of a settlement, a cut, and a settled history fetched beside."""
    one, other = dialogues.branch(6), dialogues.branch(9, "other", 3)
    out = []

    def add(name, verdict, log, start, end, size, held=0, stored=one, cut=None, settled=None, side=None, certified=False,
            right=None, certificate=None):
        def root(known):
            return None if known is None else {"size": str(known[1]), "root": known[0].root_at(known[1]).hex()}
        chunk = log.chunk(start, end, certified)
        nodes = range_of(log.ids, end, size).nodes if right is None else right
        out.append({
            "name": name, "network": dialogues.NETWORK.hex(), "log": log.name.hex(),
            "known": one.certificate.bytes.hex() if certificate is None else None,
            "certificate": one.certificate.bytes.hex() if certified else None,
            "held": str(held), "prefix": [node.hex() for node in stored.range_to(held).nodes],
            "cut": root(cut), "settled": root(settled),
            "side": None if side is None else {"end": str(side), "nodes": [node.hex() for node in other.range_to(side).nodes]},
            "start": str(start), "count": str(end - start), "size": str(size),
            "entries": chunk.entries.hex(), "right": [node.hex() for node in nodes], "verdict": verdict})

    add("all under the settled root", "verified", one, 0, 4, 4, settled=(one, 4))
    add("the beginning under the settled root", "verified", one, 0, 2, 4, settled=(one, 4))
    add("the rest under the settled root", "verified", one, 2, 4, 4, held=2, settled=(one, 4))
    add("all under the root at the cut", "verified", one, 0, 3, 3, cut=(one, 3))
    add("under the cut, a settlement of another size", "verified", one, 0, 3, 3, cut=(one, 3), settled=(other, 7))
    add("settlement and cut of one size, under the root of the cut", "verified", one, 0, 4, 4, cut=(one, 4), settled=(other, 4))
    add("settlement and cut of one size, under the settled root", "verified", other, 0, 4, 4, cut=(one, 4), settled=(other, 4))
    add("under the settled root, with a certificate", "verified", one, 0, 4, 4, settled=(one, 4), certified=True, certificate="none")
    add("no root is known", "unknownRoot", one, 0, 4, 4)
    add("a known root of another size", "unknownRoot", one, 0, 4, 4, settled=(one, 5), cut=(one, 3))
    add("the settled root, with its nodes, of another size", "unknownRoot", one, 0, 4, 8, settled=(one, 6),
        right=one.range_to(6).nodes[1:])
    add("another root of that size", "unknownRoot", one, 0, 4, 4, settled=(other, 4))
    add("another root of that size, over a stored beginning", "prefixDiffers", one, 3, 4, 4, held=3, settled=(other, 4))
    add("the settled history over another one", "prefixDiffers", other, 5, 7, 7, held=5, settled=(other, 7))
    add("the settled history beside another one", "verified", other, 4, 7, 7, held=6, settled=(other, 7), side=4)
    add("the settled history beside another one, in parts", "verified", other, 4, 6, 7, held=6, settled=(other, 7), side=4)
    add("beside, not from where that ends", "doesNotFit", other, 5, 7, 7, held=6, settled=(other, 7), side=4)
    add("beside, entries of the stored history", "unknownRoot", one, 4, 6, 7, held=6, settled=(other, 7), side=4,
        right=other.range_to(7).nodes[-1:])
    add("not from where the stored one ends", "doesNotFit", one, 1, 4, 4, held=2, settled=(one, 4))
    add("no certificate, and no root is known", "certificateMissing", one, 0, 4, 4, certificate="none")
    add("a node too many under the settled root", "wrongNodeCount", one, 0, 4, 4, settled=(one, 4), right=[bytes(32)])
    return out


def invites():
    node, secret = bytes([7]) * 32, b"a secret of the laboratory"
    out = []

    def add(name, verdict, line, check=None):
        out.append({"name": name, "line": line + "/" + (invite.check_of(line) if check is None else check), "verdict": verdict})

    def line(address="oak.example.edu:7776", network="campus", hidden=None, scheme="scurry:", who=None):
        who = invite.base32.encode(node) if who is None else who
        return f"{scheme}{who}@{address}/{network}" + ("" if hidden is None else "/" + hidden)

    good, known = line(), invite.base32.encode(secret)
    add("an open network", "ok", good)
    add("a private network", "ok", line(hidden=known))
    add("an address", "ok", line("10.0.0.7:1"))
    add("an address of IPv6", "ok", line("[2001:db8::1]:65535"))
    add("no port", "ok", line("oak.example.edu"))
    add("every byte that stands for itself", "ok", line(network="AZaz09-._~"))
    add("a name with other bytes", "ok", line(network="a%2Fb%25%21%40"))
    add("a name of 64 bytes", "ok", line(network="x" * 64))
    add("a secret of 16 bytes", "ok", line(hidden=invite.base32.encode(bytes(16))))
    add("a secret of 1,024 bytes", "ok", line(hidden=invite.base32.encode(bytes(1024))))
    for name, bad in (
            ("a secret of 15 bytes", line(hidden=invite.base32.encode(bytes(15)))),
            ("a secret of 1,025 bytes", line(hidden=invite.base32.encode(bytes(1025)))),
            ("an empty secret", line(hidden="")), ("a secret in upper case", line(hidden=known.upper())),
            ("a secret with left-over bits", line(hidden=known[:-1] + "b")),
            ("lower-case digits behind %", line(network="a%2fb")), ("a letter that stands as %", line(network="%63ampus")),
            ("one digit behind %", line(network="campus%2")), ("a space", line(network="two words")),
            ("a name of 65 bytes", line(network="x" * 65)), ("a name with a space", line(network="two%20words")),
            ("a name that is no ASCII", line(network="b%C3%BCro")), ("a name with a control byte", line(network="a%7F")),
            ("a plus", line(network="two+words")), ("a byte that is no ASCII", line(network="büro")),
            ("no name", line(network="")), ("a part too many", line(hidden=known) + "/more"),
            ("another scheme", line(scheme="scamper:")), ("the scheme in upper case", line(scheme="SCURRY:")),
            ("no id", line(who="")), ("an id of 51 characters", line(who=invite.base32.encode(node)[:-1])),
            ("an id in upper case", line(who=invite.base32.encode(node).upper())),
            ("an id with left-over bits", line(who=invite.base32.encode(node)[:-1] + "b")),
            ("port 0", line("oak:0")), ("port 65,536", line("oak:65536")), ("an empty port", line("oak:")),
            ("a port that is no number", line("oak:http")), ("no host", line(":7776")),
            ("an address of IPv6 without brackets", line("2001:db8::1")), ("no network", "scurry:" + line()[7:].split("/")[0])):
        add(name, "refused", bad)
    add("a check in upper case", "refused", good, invite.check_of(good).upper())
    add("the check of another line", "refused", good, invite.check_of(line(hidden=known)))
    add("an empty check", "refused", good, "")
    add("a check that is cut off", "refused", good, invite.check_of(good)[:-1])
    add("a check that is too long", "refused", good, invite.base32.encode(H("scurry/invite", good.encode())[:6]))
    return out


def near():
    return {"about": "See README.md beside this. Made by dialogues.py, carried.py and near.py of Tests/Interoperability. Bytes are hexadecimal, 64-bit integers decimal "
                     "strings. Where there is `repeat`, its bytes follow that many times.",
            "network": dialogues.NETWORK_NAME, "payloads": payloads(), "certificates": certificates(),
            "chunks": chunks(), "invites": invites(), "bundles": carried.bundles(), "gapped": carried.gapped(), "dialogues": dialogues.dialogues()}
