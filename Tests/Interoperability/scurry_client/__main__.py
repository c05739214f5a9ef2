"""python -m scurry_client --network NAME [--peer HOST:PORT] [--node-id ID] ACTION …

Prints one JSON object. Ends with 0 if what was asked for came about, else with 1."""

import argparse
import json
import signal
import sys
import time

from . import base32, crowd, lying, payload
from .channel import public_of
from .hashes import Refused, keypair_from_seed
from .identity import Device, network_id, now, root_seed
from .node import Node
from .settlement import Settlement


def arguments():
    parser = argparse.ArgumentParser(prog="scurry_client", description=__doc__)
    parser.add_argument("--network", required=True, help="the name of the network")
    parser.add_argument("--peer", action="append", help="HOST:PORT, or ID@HOST:PORT; several are called at once")
    parser.add_argument("--node-id", help="whom to expect there: base32 or hex")
    parser.add_argument("--key", type=bytes.fromhex, help="the node's X25519 private key, 64 hexadecimal digits")
    parser.add_argument("--entropy", type=bytes.fromhex, help="the person's 16 bytes, 32 hexadecimal digits")
    parser.add_argument("--seconds", type=float, default=30, help="how long at most")
    parser.add_argument("--speak", type=int, default=2, help="the newest protocol version that is said in Hello")
    parser.add_argument("--brief", action="store_true", help="numbers of logs and posts in place of their lists")
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
    reconcile = actions.add_parser("reconcile", help="hold something, and find out what differs (sync.md §13)")
    serve = actions.add_parser("serve", help="hold something, and serve whoever calls, until a signal or --sessions")
    serve.add_argument("--listen", default="127.0.0.1:0", dest="at", help="HOST:PORT")
    serve.add_argument("--sessions", type=int, help="end after so many connections have ended")
    settle = actions.add_parser("settle", help="say by the root key of a log (--entropy) where it ends")
    settle.add_argument("log", help="its id, or person-NUMBER: the log of a made-up person, whose root key is known")
    settle.add_argument("size", type=int, help="of the branch that is held here")
    settle.add_argument("--serial", type=int, default=1)
    for one in (reconcile, serve, settle):
        one.add_argument("--posts", type=int, default=0, help="in a log of one's own")
        one.add_argument("--as-person", type=int, help="the own log is that of this made-up person: an old copy of it")
        one.add_argument("--people", type=span, default=range(0), help="FROM:TO, the numbers of made-up people")
        one.add_argument("--each", type=int, default=1, help="posts of each of them")
        one.add_argument("--branch", default="", help="their later posts have this text: they fork")
        one.add_argument("--branch-from", type=int, default=1, help="the first post that does")
        one.add_argument("--evidence", action="store_true", help="both branches were seen: evidence of it is held")
        one.add_argument("--lie", choices=[*lying.SAID, *lying.ANSWERED], help="break this rule, in the log of person 0")
        one.add_argument("--without-bodies", action="store_true", help="hold the erased forms only")
    end = actions.add_parser("end", help="end the account of --entropy")
    end.add_argument("--person", type=int, help="or of this made-up person")
    options = parser.parse_args()
    options.listens = options.action in ("listen", "serve")
    if not options.listens and not options.peer:
        parser.error("--peer is missing")
    return options


def span(text):
    begin, _, end = text.partition(":")
    return range(int(begin), int(end))


def read_id(text):
    try:
        value = bytes.fromhex(text) if len(text) == 64 else base32.decode(text)
    except (Refused, ValueError):
        value = b""
    if len(value) != 32:
        raise SystemExit("an id is 52 characters of base32 or 64 hexadecimal digits")
    return value


def place(text):
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def summary(node, brief=False):
    store, state = node.store, node.store.state()
    mine, count = store.fingerprint()
    if brief:
        return {"network": store.network.hex(), "fingerprint": mine.hex(), "count": count, "logs": count,
                "entries": sum(store.sizes().values()), "posts": len(state.feed(now())),
                "missing_bodies": len(store.missing), "forked": sum(log.forked for log in store.held().values())}
    return {
        "network": store.network.hex(),
        "fingerprint": mine.hex(),
        "count": count,
        "logs": [{"id": name.hex(), "size": log.size, "root": log.root.hex(),
                  "identity": log.certificate.root.hex() if log.certificate else None, "stored": len(log.entries),
                  "cut": log.evidence.seq if log.evidence else None,
                  "settled": log.settlement.size if log.settlement else None, "complete": log.complete}
                 for name, log in sorted(store.named().items())],
        "entries": sum(store.sizes().values()),
        "posts": [{"id": one.id.hex(), "identity": one.identity.hex(), "time": one.time, "text": one.text,
                   "title": one.title, "channels": one.channels, "parent": one.parent.hex(), "root": one.root.hex()}
                  for one in state.feed(now())],
        "tallies": {target.hex(): {"up": up, "down": down} for target, (up, down) in sorted(state.tallies().items())},
    }


def texts_of(options):
    """What is written in a log of one's own, before anybody is called."""
    if options.action == "post":
        return [options.text]
    if options.action == "listen":
        return options.post
    return [f"post {number + 1} of {options.posts}" for number in range(getattr(options, "posts", 0))]


def tracer():
    """Prints a line with the seconds since now."""
    begin = time.monotonic()
    return lambda text: print(f"{time.monotonic() - begin:8.3f} {text}", file=sys.stderr, flush=True)


def filled(options):
    """(a node that holds what the options say, the last entry of its own or None)"""
    trace = tracer() if options.trace else None
    node = Node(network_id(options.network), options.key, trace, options.chop, options.speak)
    people = [getattr(options, name, default)
              for name, default in (("people", ()), ("each", 0), ("branch", ""), ("branch_from", 1))]
    crowd.fill(node.store, *people)
    if getattr(options, "evidence", False):
        crowd.keep_evidence(node.store, *people)
    if getattr(options, "lie", None):
        node.taught = lambda session: lying.teach(session, options.lie)
    entry = None
    if getattr(options, "as_person", None) is not None:
        node.store.own = crowd.person(node.store.network, options.as_person)
    for text in texts_of(options):
        node.store.own = node.store.own or Device(node.store.network, options.entropy)
        title, channels = getattr(options, "title", ""), getattr(options, "channel", [])
        entry = node.write(payload.POST, payload.post(text, title, channels))
    if getattr(options, "without_bodies", False):
        node.store.withhold_bodies()
    return node, entry


def hello_of(session):
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in (session.peer or {}).items()
            if name != "scope"}


def issue(store, options):
    """The settlement of `settle` or `end`, taken like one that came."""
    named, number = getattr(options, "log", ""), getattr(options, "person", None)
    number = int(named.removeprefix("person-")) if named.startswith("person-") else number
    root, secret = keypair_from_seed(root_seed(options.entropy if number is None else crowd.entropy(number)))
    name = read_id(named) if named and number is None else number is not None and crowd.person(store.network, number).log
    log = store.logs.get(name) if options.action == "settle" else None
    if options.action == "settle" and (not log or len(log.entries) < options.size):
        raise SystemExit("that much of the log is not here")
    if log:
        said = log.name, options.size, log.root_at(options.size) if options.size else bytes(32), options.serial
    else:
        said = bytes(32), 0, bytes(32), now()
    made = Settlement.check(Settlement.issue(store.network, root, secret, *said).bytes, store.network)
    if log:
        store.put_words(log, made, None, None)
    else:
        store.put_end(made, None)


def main():
    options = arguments()
    node, entry = filled(options)
    if options.listens:
        return listen(node, options)

    sessions = []
    for peer in options.peer:
        expected, _, address = (peer if "@" in peer else "@" + peer).rpartition("@")
        expected = options.node_id or expected
        sessions.append(node.dial(*place(address), read_id(expected) if expected else None))
    session = sessions[0]

    def alike():
        return all(one.converged or one.closed for one in sessions)

    if options.action in ("settle", "end"):
        node.run(alike, options.seconds)
        issue(node.store, options)
    if options.action == "join":
        done = node.run(lambda: session.peer is not None or session.closed, options.seconds)
    else:
        done = node.run(alike, options.seconds)
    done = bool(done and not any(one.closed for one in sessions))
    out = {"ok": done, "closed": session.closed.name if session.closed else None,
           "node": (session.channel.peer or b"").hex(), "me": session.channel.public.hex()}
    if options.action in ("join", "reconcile"):
        out["hello"] = hello_of(session)
    if options.action != "join":
        out |= {"version": session.version, "signing_stopped": node.store.stopped_signing,
                "rounds": session.reconciling.rounds,
                "stages": session.reconciling.stages, "served": dict(node.served), "taken": dict(node.taken)}
        out |= summary(node, options.brief)
    if entry:
        out["entry"] = entry.id.hex()
        out["identity"] = node.store.own.root.hex()
    node.stop()
    print(json.dumps(out, ensure_ascii=False))
    return 0 if done else 1


def listen(node, options):
    node.listen(*place(options.at))
    host = place(options.at)[0]
    print(json.dumps({"listen": f"{host}:{node.listen_port}", "port": node.listen_port,
                      "node": public_of(node.private).hex(), "id": base32.encode(public_of(node.private))}), flush=True)
    stopped, alike = [], set()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda number, frame: stopped.append(number))
    seen = []

    def enough():
        seen.extend(one for one in node.sessions.values() if one not in seen)
        alike.update(one for one in node.sessions.values() if one.converged)
        return stopped or options.sessions is not None and len(node.over) >= options.sessions

    done = node.run(enough, options.seconds)
    node.stop()
    out = {"ok": bool(done) or options.sessions is None, "ended": [one.closed.name for one in node.over],
           "converged": len(alike), "hellos": [hello_of(one) for one in seen],
           "rounds": sum(one.reconciling.rounds for one in seen), "served": dict(node.served)}
    out |= summary(node, options.brief)
    print(json.dumps(out, ensure_ascii=False))
    return 0 if out["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
