"""One line by which a friend joins (channel.md §1)."""

import re

from . import base32
from .hashes import H, Refused

PORT = 7776
PLAIN = re.compile(rb"[A-Za-z0-9\-._~]")
SECRET = range(16, 1025)        # bytes
NETWORK = re.compile(rb"(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})+")


def check_of(line):
    return base32.encode(H("scurry/invite", line.encode())[:5])


def quote(name):
    return "".join(chr(one) if PLAIN.match(bytes([one])) else f"%{one:02X}" for one in name)


def write(node, address, network, secret=None):
    line = f"scurry:{base32.encode(node)}@{address}/{quote(network)}"
    if secret is not None:
        line += "/" + base32.encode(secret)
    return line + "/" + check_of(line)


def parse(line):
    """(node id, host, port, name of the network, secret or None); raises Refused."""
    try:
        data = line.encode("ascii")
    except UnicodeEncodeError:
        raise Refused("refused") from None
    head, _, check = line.rpartition("/")
    if not line.startswith("scurry:") or check != check_of(head):
        raise Refused("refused")
    parts = data[len("scurry:"):].split(b"/")[:-1]
    if len(parts) not in (2, 3):
        raise Refused("refused")
    found = re.fullmatch(r"([a-z2-7]{52})@(\[[0-9a-fA-F:.]+\]|[^\s:\[\]@]{1,253})(?::([0-9]{1,5}))?", parts[0].decode())
    if not found or not NETWORK.fullmatch(parts[1]):
        raise Refused("refused")
    node, port = base32.decode(found[1]), int(found[3] or PORT)
    name = re.sub(rb"%(..)", lambda one: bytes.fromhex(one[1].decode()), parts[1])
    secret = base32.decode(parts[2].decode()) if len(parts) == 3 else None
    if not 1 <= len(name) <= 64 or not all(0x21 <= one <= 0x7E for one in name):
        raise Refused("refused")
    if quote(name).encode() != parts[1] or not 1 <= port <= 65_535 or secret is not None and len(secret) not in SECRET:
        raise Refused("refused")
    return node, found[2].strip("[]"), port, name, secret
