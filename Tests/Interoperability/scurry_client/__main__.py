"""python -m scurry_client --network NAME [--peer HOST:PORT] [--node-id ID] ACTION …

Prints one JSON object. Ends with 0 if what was asked for came about, else with 1."""

import argparse
import json
import sys

from . import base32, payload
from .channel import public_of
from .hashes import Refused
from .identity import Device, network_id, now
from .node import Node


def arguments():
    parser = argparse.ArgumentParser(prog="scurry_client", description=__doc__)
    parser.add_argument("--network", required=True, help="the name of the network")
    parser.add_argument("--peer", help="HOST:PORT, or ID@HOST:PORT")
    parser.add_argument("--node-id", help="whom to expect there: base32 or hex")
    parser.add_argument("--key", type=bytes.fromhex, help="the node's X25519 private key, 64 hexadecimal digits")
    parser.add_argument("--entropy", type=bytes.fromhex, help="the person's 16 bytes, 32 hexadecimal digits")
    parser.add_argument("--seconds", type=float, default=30, help="how long at most")
    parser.add_argument("--chop", type=int, help="read and write at most so many bytes at once")
    parser.add_argument("--trace", action="store_true", help="the messages, on the error stream")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("join", help="handshake and Hello")
    actions.add_parser("catch-up", help="fetch all that the peer has")
    post = actions.add_parser("post", help="write a post in a log of one's own, and hand it over")
    post.add_argument("text")
    post.add_argument("--title", default="")
    post.add_argument("--channel", action="append", default=[])
    listen = actions.add_parser("listen", help="accept connections and serve what is held")
    listen.add_argument("--at", default="127.0.0.1:0", help="HOST:PORT")
    listen.add_argument("--post", action="append", default=[], help="written before the first connection")
    listen.add_argument("--sessions", type=int, help="end after so many connections have ended")
    options = parser.parse_args()
    if options.action != "listen" and not options.peer:
        parser.error("--peer is missing")
    return options


def read_id(text):
    try:
        value = bytes.fromhex(text) if len(text) == 64 else base32.decode(text)
    except (Refused, ValueError):
        value = b""
    if len(value) != 32:
        raise SystemExit("a node id is 52 characters of base32 or 64 hexadecimal digits")
    return value


def place(text):
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def summary(node):
    store, state = node.store, node.store.state()
    mine, count = store.fingerprint()
    return {
        "network": store.network.hex(),
        "fingerprint": mine.hex(),
        "count": count,
        "logs": [{"id": name.hex(), "size": log.size, "root": log.root.hex(),
                  "identity": log.certificate.root.hex(), "forked": log.forked}
                 for name, log in sorted(store.held().items())],
        "entries": sum(store.sizes().values()),
        "posts": [{"id": one.id.hex(), "identity": one.identity.hex(), "time": one.time, "text": one.text,
                   "title": one.title, "channels": one.channels, "parent": one.parent.hex(), "root": one.root.hex()}
                  for one in state.feed(now())],
        "tallies": {target.hex(): {"up": up, "down": down} for target, (up, down) in sorted(state.tallies().items())},
    }


def main():
    options = arguments()
    trace = (lambda text: print(text, file=sys.stderr, flush=True)) if options.trace else None
    node = Node(network_id(options.network), options.key, trace, options.chop)
    texts = {"post": lambda: [options.text], "listen": lambda: options.post}.get(options.action, list)()
    entries = []
    if texts:
        node.store.own = Device(node.store.network, options.entropy)
        for text in texts:
            title, channels = getattr(options, "title", ""), getattr(options, "channel", [])
            entries.append(node.write(payload.POST, payload.post(text, title, channels)))
    if options.action == "listen":
        return listen(node, options)

    expected, _, address = (options.peer if "@" in options.peer else "@" + options.peer).rpartition("@")
    expected = options.node_id or expected
    session = node.dial(*place(address), read_id(expected) if expected else None)
    if options.action == "join":
        done = node.run(lambda: session.peer is not None or session.closed, options.seconds)
    else:
        done = node.run(lambda: session.converged or session.closed, options.seconds)
    done = bool(done and not session.closed)
    out = {"ok": done, "closed": session.closed.name if session.closed else None,
           "node": (session.channel.peer or b"").hex(), "me": session.channel.public.hex()}
    if options.action == "join":
        hello = session.peer or {}
        out["hello"] = {name: value.hex() if isinstance(value, bytes) else value for name, value in hello.items()
                        if name != "scope"}
    else:
        out |= summary(node)
        if entries:
            out["entry"] = entries[-1].id.hex()
            out["identity"] = node.store.own.root.hex()
    node.stop()
    print(json.dumps(out, ensure_ascii=False))
    return 0 if done else 1


def listen(node, options):
    node.listen(*place(options.at))
    print(json.dumps({"port": node.listen_port, "node": public_of(node.private).hex(),
                      "id": base32.encode(public_of(node.private))}), flush=True)
    enough = node.run(lambda: options.sessions is not None and len(node.over) >= options.sessions, options.seconds)
    node.stop()
    out = {"ok": enough or options.sessions is None, "ended": [one.closed.name for one in node.over]} | summary(node)
    print(json.dumps(out, ensure_ascii=False))
    return 0 if out["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
