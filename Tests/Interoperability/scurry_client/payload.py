"""Which payload bytes are accepted (payload.md), and writing them."""

import os
import re

from .hashes import Refused, read_varint, write_varint

POST, EDIT, VOTE, FOLLOW, PROFILE, DELETE = 1, 2, 3, 4, 5, 6
ERASABLE = {POST: 1, EDIT: 1, VOTE: 0, FOLLOW: 0, PROFILE: 1, DELETE: 0}
NONE, UP, DOWN = 0, 1, 2
FOLLOWING = 1

# number: (name, type, repeated); an enum's type is the set of its numbers, a message's type its fields.
FIELDS = {
    POST: {1: ("salt", "bytes", False), 2: ("text", "string", False), 3: ("title", "string", False),
           4: ("channels", "string", True), 5: ("parent", "bytes", False), 6: ("root", "bytes", False)},
    EDIT: {1: ("salt", "bytes", False), 2: ("post", "bytes", False), 3: ("text", "string", False),
           4: ("title", "string", False)},
    VOTE: {1: ("choices", {1: ("post", "bytes", False), 2: ("value", {0, 1, 2}, False)}, True)},
    FOLLOW: {1: ("choices", {1: ("identity", "bytes", False), 2: ("value", {0, 1}, False)}, True)},
    PROFILE: {1: ("salt", "bytes", False), 2: ("name", "string", False), 3: ("full_name", "string", False),
              4: ("bio", "string", False), 5: ("avatar", "bytes", False)},
    DELETE: {1: ("entries", "bytes", True)},
}
CHANNEL = re.compile(r"[a-z0-9-]{1,32}")


def _parse(data, at, end, fields, depth):
    if depth > 8:
        raise Refused("depth")
    found, before = {}, 0

    def varint():
        nonlocal at
        value, at = read_varint(data, at, end, "varintTruncated", "varintNotShortest", "varintTooLarge")
        return value

    while at < end:
        tag = varint()
        number, wire = tag >> 3, tag & 7
        if not 1 <= number <= 2**29 - 1:
            raise Refused("fieldNumber")
        if wire not in (0, 1, 2, 5):
            raise Refused("wireType")
        if number < before:
            raise Refused("fieldOrder")
        name, kind, repeated = fields.get(number, (None, None, True))
        if number == before and not repeated:
            raise Refused("fieldRepeated")
        before = number
        if name and wire != (0 if isinstance(kind, set) else 2):
            raise Refused("wireTypeMismatch")
        if wire == 0:
            value = varint()
        else:
            length = varint() if wire == 2 else {1: 8, 5: 4}[wire]
            if length > end - at:
                raise Refused("valueTruncated")
            value, begin, at = data[at:at + length], at, at + length
        if not name:
            continue
        if isinstance(kind, set):
            if value not in kind:
                raise Refused("enumValue")
        elif isinstance(kind, dict):
            value = _parse(data, begin, begin + length, kind, depth + 1)
        elif kind == "string":
            try:
                value = value.decode("utf-8")
            except UnicodeDecodeError:
                raise Refused("utf8") from None
        if repeated:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


def _utf8_length(text):
    return len(text.encode("utf-8"))


def _need(holds, name):
    if not holds:
        raise Refused(name)


def validate(kind, data):
    """The fields of an accepted payload by name; of those left out, default values but in a profile."""
    _need(kind in FIELDS, "unknownKind")
    _need(len(data) <= 65_536, "payloadLength")
    found = _parse(bytes(data), 0, len(data), FIELDS[kind], 1)
    if kind in (POST, EDIT, PROFILE):
        _need(len(found.get("salt", b"")) == 16, "saltLength")
    if kind in (POST, EDIT):
        found.setdefault("text", "")
        _need(_utf8_length(found.setdefault("title", "")) <= 1024, "titleLength")
    if kind == POST:
        channels = found.setdefault("channels", [])
        _need(len(channels) <= 8, "channelCount")
        for channel in channels:
            _need(CHANNEL.fullmatch(channel), "channelName")
        _need(len(set(channels)) == len(channels), "channelRepeated")
        parent, root = found.setdefault("parent", b""), found.setdefault("root", b"")
        _need(bool(parent) == bool(root), "replyHalf")
        _need(len(parent) in (0, 32) and len(root) in (0, 32), "idLength")
    elif kind == EDIT:
        _need(len(found.get("post", b"")) == 32, "idLength")
    elif kind in (VOTE, FOLLOW):
        target = "post" if kind == VOTE else "identity"
        _need(found.get("choices"), "noTarget")
        for choice in found["choices"]:
            _need(len(choice.get(target, b"")) == 32, "idLength")
            choice.setdefault("value", 0)
    elif kind == PROFILE:
        _need("name" not in found or 1 <= _utf8_length(found["name"]) <= 64, "nameLength")
        _need(_utf8_length(found.get("full_name", "")) <= 256, "fullNameLength")
        _need(_utf8_length(found.get("bio", "")) <= 4096, "bioLength")
        _need("avatar" not in found or len(found["avatar"]) == 32, "avatarLength")
    elif kind == DELETE:
        _need(found.get("entries"), "noTarget")
        for one in found["entries"]:
            _need(len(one) == 32, "idLength")
    return found


def _field(number, value):
    if isinstance(value, int):
        return write_varint(number << 3) + write_varint(value)
    if isinstance(value, str):
        value = value.encode("utf-8")
    return write_varint(number << 3 | 2) + write_varint(len(value)) + value


def encode(kind, **values):
    return _encode(FIELDS[kind], values)


def _encode(fields, values):
    out = b""
    for number, (name, kind, repeated) in sorted(fields.items()):
        if name not in values:
            continue
        for value in values[name] if repeated else [values[name]]:
            out += _field(number, _encode(kind, value) if isinstance(kind, dict) else value)
    return out


def post(text, title="", channels=(), parent=b"", root=b"", salt=None):
    values = {"salt": salt or os.urandom(16), "text": text, "channels": list(channels)}
    values |= {name: value for name, value in (("title", title), ("parent", parent), ("root", root)) if value}
    return encode(POST, **values)


def edit(target, text, title="", salt=None):
    return encode(EDIT, salt=salt or os.urandom(16), post=target, text=text, **({"title": title} if title else {}))


def vote(*choices):
    return encode(VOTE, choices=[{"post": target, "value": value} for target, value in choices])


def follow(*choices):
    return encode(FOLLOW, choices=[{"identity": target, "value": value} for target, value in choices])


def profile(salt=None, **fields):
    return encode(PROFILE, salt=salt or os.urandom(16), **fields)


def delete(*entries):
    return encode(DELETE, entries=list(entries))
