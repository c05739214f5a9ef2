"""The messages of wire.proto: a small Protocol Buffers codec, and the lengths and bounds of each field.

`encode` and `decode` know proto3's form, `check` what the comments of wire.proto ask for."""

from .hashes import MASK64, Refused, write_varint

HELLO, OWN_LOG, CHANGES, WANT, CHUNKS, PREFIX_WANTED, PREFIX, BODIES_WANTED, BODIES, KEEP_ALIVE = range(1, 11)
COMPARE, COMPARISON, PEERS_WANTED, PEERS, CREDIT, GOODBYE = range(11, 17)
RECONCILE, ITEMS_WANTED, NODES_WANTED, NODES, ITEMS, BRANCH = range(18, 24)

MAX_LOG = 2**32 - 1
MIN_CREDIT = 2_097_160

# number: (name, type); a list is repeated, a tuple optional (its absence is None), a dictionary a message.
SCOPE = {1: ("identities", ["bytes"])}
LOG_SIZE = {1: ("log", "bytes"), 2: ("size", "uint64"), 3: ("settlement", "bytes"), 4: ("evidence", "bytes"),
            5: ("root", "bytes"), 6: ("certificate", "bytes")}
LOG_WANT = {1: ("log", "bytes"), 2: ("from", "uint64"), 3: ("certificate", "bool"), 4: ("settled", "bool"),
            5: ("newest", "uint64"), 6: ("until", "uint64")}
CHUNK = {1: ("log", "bytes"), 2: ("certificate", "bytes"), 3: ("start", "uint64"), 4: ("count", "uint64"),
         5: ("size", "uint64"), 6: ("signature", "bytes"), 7: ("entries", "bytes"), 8: ("right", "bytes"),
         9: ("left", "bytes")}
BODY_WANT = {1: ("log", "bytes"), 2: ("sequences", ["uint64"])}
BODY = {1: ("log", "bytes"), 2: ("sequence", "uint64"), 3: ("payload", ("bytes",))}
PEER = {1: ("host", "string"), 2: ("port", "uint32"), 3: ("node", "bytes")}
MESSAGES = {
    HELLO: ("Hello", {1: ("version", "uint32"), 2: ("oldest_version", "uint32"), 3: ("features", ["uint32"]),
                      4: ("store", "bytes"), 5: ("number", "uint64"), 6: ("cursor_store", "bytes"),
                      7: ("cursor_number", "uint64"), 8: ("own_log", "bytes"), 9: ("scope", SCOPE),
                      10: ("agent", "string"), 11: ("listen_port", "uint32"), 12: ("credit", "uint64"),
                      13: ("logs", "uint64"), 14: ("cursor_scope", "bytes")}),
    OWN_LOG: ("OwnLog", {1: ("log", "bytes"), 2: ("size", "uint64"), 3: ("root", "bytes")}),
    CHANGES: ("Changes", {1: ("logs", [LOG_SIZE]), 2: ("number", "uint64")}),
    WANT: ("Want", {1: ("wants", [LOG_WANT])}),
    CHUNKS: ("Chunks", {1: ("chunks", [CHUNK]), 2: ("number", "uint64"), 3: ("lacking", ["bytes"]),
                        4: ("lacking_before", ["bytes"])}),
    PREFIX_WANTED: ("PrefixWanted", {1: ("log", "bytes"), 2: ("end", "uint64")}),
    PREFIX: ("Prefix", {1: ("log", "bytes"), 2: ("end", "uint64"), 3: ("nodes", "bytes"), 4: ("size", "uint64"),
                        5: ("signature", "bytes"), 6: ("right", "bytes")}),
    BODIES_WANTED: ("BodiesWanted", {1: ("wants", [BODY_WANT])}),
    BODIES: ("Bodies", {1: ("bodies", [BODY])}),
    KEEP_ALIVE: ("KeepAlive", {1: ("fingerprint", "bytes"), 2: ("count", "uint64"), 3: ("number", "uint64"),
                               4: ("quiet", "bool"), 5: ("answer", "bool")}),
    COMPARE: ("Compare", {1: ("page", "uint32"), 2: ("after", "bytes"), 3: ("through", "bytes"),
                          4: ("logs", [LOG_SIZE])}),
    COMPARISON: ("Comparison", {1: ("page", "uint32"), 2: ("logs", [LOG_SIZE])}),
    PEERS_WANTED: ("PeersWanted", {}),
    PEERS: ("Peers", {1: ("peers", [PEER])}),
    CREDIT: ("Credit", {1: ("bytes", "uint64")}),
    GOODBYE: ("Goodbye", {1: ("reason", "uint32"), 2: ("violation", "uint32")}),
    RECONCILE: ("Reconcile", {1: ("stage", "uint32"), 2: ("round", "uint32"), 3: ("message", "bytes")}),
    ITEMS_WANTED: ("ItemsWanted", {1: ("stage", "uint32"), 2: ("ids", ["bytes"])}),
    NODES_WANTED: ("NodesWanted", {1: ("log", "bytes"), 2: ("level", "uint32"), 3: ("place", "uint64")}),
    NODES: ("Nodes", {1: ("log", "bytes"), 2: ("level", "uint32"), 3: ("place", "uint64"), 4: ("hashes", "bytes")}),
    ITEMS: ("Items", {1: ("stage", "uint32"), 2: ("logs", [LOG_SIZE]), 3: ("end", "uint32")}),
    BRANCH: ("Branch", {1: ("pushed", "bool")}),
}
# Of sync.md, Violations; then what log.md and identity.md call a chunk that is refused.
VIOLATIONS = dict(zip((
    "handshake", "decryption", "messageLength", "malformedMessage", "wrongFieldLength", "tooManyItems",
    "impossibleNumber", "helloMissing", "secondHello", "impossibleVersions", "overCredit", "unaskedAnswer",
    "numberWentBack", "impossiblePage", "emptyChunk", "certificateMissing", "badCertificate", "foreignNetwork",
    "malformedEntries", "wrongNodeCount", "badProof", "falseFork", "wrongBody", "tooManyQuestions",
    "falseEvidence", "badSettlement"), range(1, 27)))
VIOLATIONS |= {"malformedReconciliation": 27, "impossibleReconciliation": 28}
VIOLATIONS |= {"impossibleBounds": 7, "wrongLength": 5, "badSignature": 17, "certificateOfAnotherLog": 17, "lie": 22}
VIOLATIONS |= dict.fromkeys(("truncated", "trailingBytes", "malformed", "payloadTooLong", "bodyRequired"), 19)
DEFAULTS = {"bytes": b"", "string": "", "uint32": 0, "uint64": 0, "bool": False}


def shown(way, kind, length, values):
    """A message in one line: its length in bytes, its numbers, and how long its lists are."""
    out = [way, MESSAGES[kind][0], str(length)]
    for name, value in values.items():
        if isinstance(value, list):
            out.append(f"{name}[{len(value)}]")
        elif isinstance(value, int) and value:
            out.append(f"{name}={int(value)}")
    return " ".join(out)


def _write(number, kind, value):
    if isinstance(kind, dict):
        value = _encode(kind, value)
    elif kind == "string":
        value = value.encode("utf-8")
    elif kind != "bytes":
        return write_varint(number << 3) + write_varint(int(value))
    return write_varint(number << 3 | 2) + write_varint(len(value)) + value


def _encode(fields, values):
    out = bytearray()
    for number, (name, kind) in fields.items():
        value = values.get(name)
        if isinstance(kind, list):
            if kind[0] in ("uint32", "uint64") and value:
                packed = b"".join(write_varint(one) for one in value)
                out += write_varint(number << 3 | 2) + write_varint(len(packed)) + packed
            else:
                for one in value or ():
                    out += _write(number, kind[0], one)
        elif isinstance(kind, tuple):
            if value is not None:
                out += _write(number, kind[0], value)
        elif value or isinstance(kind, dict) and value is not None:
            out += _write(number, kind, value)
    unknown = set(values) - {name for name, _ in fields.values()}
    if unknown:
        raise KeyError(f"no such fields: {unknown}")
    return bytes(out)


def encode(kind, **values):
    return _encode(MESSAGES[kind][1], values)


def _varint(data, at, end, longest=10):
    value = 0
    for index in range(longest):
        if at >= end:
            raise Refused("malformedMessage")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return value & MASK64, at
    raise Refused("malformedMessage")


def _skip_group(data, at, end, number, depth):
    if depth > 100:
        raise Refused("malformedMessage")
    while at < end:
        tag, at = _varint(data, at, end)
        wire = tag & 7
        if not 1 <= tag >> 3 <= 2**29 - 1:
            raise Refused("malformedMessage")
        if wire == 4:
            if tag >> 3 != number:
                raise Refused("malformedMessage")
            return at
        if wire == 3:
            at = _skip_group(data, at, end, tag >> 3, depth + 1)
        elif wire == 0:
            _, at = _varint(data, at, end)
        else:
            _, at = _block(data, at, end, wire)
    raise Refused("malformedMessage")


def _block(data, at, end, wire):
    if wire not in (1, 2, 5):
        raise Refused("malformedMessage")
    if wire == 2:
        length, at = _varint(data, at, end)
    else:
        length = 8 if wire == 1 else 4
    if length > end - at:
        raise Refused("malformedMessage")
    return data[at:at + length], at + length


def _number(kind, value):
    return value & 0xFFFFFFFF if kind == "uint32" else bool(value) if kind == "bool" else value


def _merge(fields, out, data, depth=1):
    names = fields
    at, end = 0, len(data)
    while at < end:
        tag, at = _varint(data, at, end, longest=5)
        number, wire = tag >> 3, tag & 7
        if not 1 <= number <= 2**29 - 1 or wire in (4, 6, 7):
            raise Refused("malformedMessage")
        if wire == 3:
            at = _skip_group(data, at, end, number, depth + 1)
            continue
        name, kind = names.get(number, (None, None))
        repeated = isinstance(kind, list)
        inner = kind[0] if isinstance(kind, (list, tuple)) else kind
        numeric = inner in ("uint32", "uint64", "bool")
        if wire == 0:
            value, at = _varint(data, at, end)
            if name and numeric:
                value = _number(inner, value)
                out[name] = out[name] + [value] if repeated else value
            continue
        value, at = _block(data, at, end, wire)
        if not name or wire != 2:
            continue
        if numeric:
            if repeated:
                inside = 0
                while inside < len(value):
                    one, inside = _varint(value, inside, len(value))
                    out[name] = out[name] + [_number(inner, one)]
            continue
        if isinstance(inner, dict):
            before = None if repeated else out[name]
            value = _merge(inner, before or _empty(inner), value, depth + 1)
        elif inner == "string":
            try:
                value = value.decode("utf-8")
            except UnicodeDecodeError:
                raise Refused("malformedMessage") from None
        if repeated:
            out[name].append(value)
        else:
            out[name] = value
    return out


def _empty(fields):
    return {name: [] if isinstance(kind, list) else DEFAULTS[kind] if isinstance(kind, str) else None
            for name, kind in fields.values()}


# The greatest number that the lists of a message may have; 0 for those without.
BOUNDS = {HELLO: 64, CHANGES: 2000, WANT: 1024, CHUNKS: 2 * 4096, BODIES_WANTED: 1024, BODIES: 1024, COMPARE: 2000,
          COMPARISON: 16_384, PEERS: 32, ITEMS_WANTED: 4_128, ITEMS: 1024}


def count_fields(body):
    """Fields at the top level, those within groups too, as far as they can be read."""
    at, count = 0, 0
    try:
        while at < len(body):
            count += 1
            tag, at = _varint(body, at, len(body))
            if tag & 7 == 0:
                _, at = _varint(body, at, len(body))
            elif tag & 7 not in (3, 4):
                _, at = _block(body, at, len(body), tag & 7)
    except Refused:
        pass
    return count


def decode(kind, body):
    _need(count_fields(body) <= BOUNDS.get(kind, 0) + 32, "tooManyItems")
    return _merge(MESSAGES[kind][1], _empty(MESSAGES[kind][1]), bytes(body))


def _need(holds, name):
    if not holds:
        raise Refused(name)


def _length(value, *lengths):
    _need(len(value) in lengths, "wrongFieldLength")


def _nodes(value, most=64):
    _need(len(value) % 32 == 0, "wrongFieldLength")
    _need(len(value) <= most * 32, "tooManyItems")


def _log_sizes(logs, most):
    _need(len(logs) <= most, "tooManyItems")
    for one in logs:
        _length(one["log"], 32)
        has_words = one["settlement"] or one["evidence"]
        _need((0 if has_words else 1) <= one["size"] <= MAX_LOG, "impossibleNumber")
        if not has_words:
            _length(one["root"], 0, 32)
            _length(one["certificate"], 0)
            continue
        _length(one["settlement"], 0, 208)
        _need(not one["evidence"] or 248 <= len(one["evidence"]) <= 5_368, "wrongFieldLength")
        is_end = one["settlement"][64:96] == bytes(32)
        _length(one["certificate"], 0 if is_end else 200)
        _need(not (is_end and one["evidence"]), "wrongFieldLength")
        _length(one["root"], 32)
        _need((one["size"] == 0) == (one["root"] == bytes(32)), "impossibleNumber")
        _need(not is_end or one["size"] == 0, "impossibleNumber")


def _place(m):
    _need(1 <= m["level"] <= 32 and m["place"] + 1 << m["level"] <= MAX_LOG, "impossibleNumber")


def check(kind, m):
    """What wire.proto asks of one message alone; raises Refused. What it is an answer to is the session's."""
    if kind == HELLO:
        _need(1 <= m["oldest_version"] <= m["version"], "impossibleVersions")
        _need(len(m["features"]) <= 64, "tooManyItems")
        _length(m["store"], 16)
        _length(m["cursor_store"], 0, 16)
        _length(m["cursor_scope"], 0, 32)
        _length(m["own_log"], 0, 32)
        identities = (m["scope"] or {"identities": []})["identities"]
        _need(len(identities) <= 1024, "tooManyItems")
        for one in identities:
            _length(one, 32)
        _need(len(m["agent"].encode()) <= 64, "wrongFieldLength")
        _need(m["listen_port"] <= 65_535, "impossibleNumber")
        _need(m["credit"] >= MIN_CREDIT, "impossibleNumber")
    elif kind == OWN_LOG:
        _length(m["log"], 32)
        _need(m["size"] <= MAX_LOG, "impossibleNumber")
        _length(m["root"], 32 if m["size"] else 0)
    elif kind == CHANGES:
        _log_sizes(m["logs"], 2000)
    elif kind == WANT:
        _need(len(m["wants"]) <= 1024, "tooManyItems")
        for one in m["wants"]:
            _length(one["log"], 32)
    elif kind == CHUNKS:
        _need(all(len(m[name]) <= 4096 for name in ("chunks", "lacking", "lacking_before")), "tooManyItems")
        for one in m["lacking"] + m["lacking_before"]:
            _length(one, 32)
        for one in m["chunks"]:
            _need(one["count"], "emptyChunk")
            _need(one["start"] + one["count"] <= one["size"] <= MAX_LOG, "impossibleNumber")
            _length(one["signature"], 0, 64)
            _length(one["certificate"], 0, 200)
            _length(one["log"], 32)
            _nodes(one["right"])
            _nodes(one["left"])
    elif kind == PREFIX_WANTED:
        _length(m["log"], 32)
    elif kind == PREFIX:
        _length(m["log"], 32)
        _need(m["size"] <= MAX_LOG, "impossibleNumber")
        _nodes(m["nodes"])
        _length(m["signature"], 0, 64)
        _nodes(m["right"])
    elif kind == NODES_WANTED:
        _length(m["log"], 32)
        _place(m)
    elif kind == NODES:
        _length(m["log"], 32)
        _place(m)
        _nodes(m["hashes"], 256)
    elif kind == BODIES_WANTED:
        _need(len(m["wants"]) <= 1024 and sum(len(one["sequences"]) for one in m["wants"]) <= 1024, "tooManyItems")
        for one in m["wants"]:
            _length(one["log"], 32)
    elif kind == BODIES:
        _need(len(m["bodies"]) <= 1024, "tooManyItems")
        for one in m["bodies"]:
            _length(one["log"], 32)
            _need(len(one["payload"] or b"") <= 65_536, "wrongFieldLength")
    elif kind == KEEP_ALIVE:
        _length(m["fingerprint"], 16)
    elif kind == COMPARE:
        _need(m["page"] >= 1, "impossiblePage")
        _length(m["after"], 0, 32)
        _length(m["through"], 0, 32)
        _log_sizes(m["logs"], 2000)
        before = m["after"]
        for one in m["logs"]:
            _need(one["log"] > before, "impossiblePage")
            _need(not m["through"] or one["log"] <= m["through"], "impossiblePage")
            before = one["log"]
    elif kind == COMPARISON:
        _log_sizes(m["logs"], 16_384)
        for one, other in zip(m["logs"], m["logs"][1:]):
            _need(one["log"] < other["log"], "impossiblePage")
    elif kind == PEERS:
        _need(len(m["peers"]) <= 32, "tooManyItems")
    elif kind == RECONCILE:
        _need(len(m["message"]) <= 132_096, "wrongFieldLength")
    elif kind == ITEMS_WANTED:
        _need(len(m["ids"]) <= 4_128, "tooManyItems")
        _need(m["ids"], "impossibleReconciliation")
        for one in m["ids"]:
            _length(one, 32)
    elif kind == ITEMS:
        _need(m["end"] <= 2, "impossibleNumber")
        _need(m["end"] or m["logs"], "impossibleReconciliation")
        _log_sizes(m["logs"], 1024)
