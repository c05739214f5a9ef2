#!/usr/bin/env python3
"""Writes payload.json: payloads with the verdict of `protocol/payload.md`, made byte by byte.

Uses nothing but the standard library, and no protobuf: run it, and it overwrites payload.json beside it.
"""

import json
import pathlib

POST, EDIT, VOTE, FOLLOW, PROFILE, DELETE = 1, 2, 3, 4, 5, 6
VARINT, FIXED64, LENGTH, GROUP, GROUP_END, FIXED32 = 0, 1, 2, 3, 4, 5


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(number, wire_type):
    return varint(number << 3 | wire_type)


def field(number, data):
    if isinstance(data, str):
        data = data.encode()
    return tag(number, LENGTH) + varint(len(data)) + data


def number(n, value):
    return tag(n, VARINT) + varint(value)


SALT = bytes(range(16))
ID = bytes(range(32))
ID2 = bytes(range(32, 64))
S = field(1, SALT)
VECTORS = []


def case(name, kind, verdict, *parts):
    VECTORS.append({"name": name, "kind": kind, "hex": b"".join(parts).hex(), "verdict": verdict})


def valid(name, kind, *parts):
    case(name, kind, "valid", *parts)


# The example of payload.md.
valid("a post in a channel", POST, S, field(2, "Caught this one stealing my bagel."), field(4, "squirrels"))

# One whole payload of each kind.
valid("a post with everything", POST, S, field(2, "text"), field(3, "title"), field(4, "a"), field(4, "b-2"),
      field(5, ID), field(6, ID2))
valid("an edit", EDIT, S, field(2, ID), field(3, "text"), field(4, "title"))
valid("a vote", VOTE, field(1, field(1, ID) + number(2, 1)))
valid("a vote for two posts", VOTE, field(1, field(1, ID) + number(2, 1)), field(1, field(1, ID2) + number(2, 2)))
valid("a vote twice for one post", VOTE, field(1, field(1, ID) + number(2, 1)), field(1, field(1, ID)))
valid("a vote taken back, the value left out", VOTE, field(1, field(1, ID)))
valid("a follow", FOLLOW, field(1, field(1, ID) + number(2, 1)))
valid("a profile", PROFILE, S, field(2, "hazel"), field(3, "Hazel N."), field(4, "Squirrels."), field(5, ID))
valid("a profile of a salt", PROFILE, S)
valid("a delete", DELETE, field(1, ID))
valid("a delete of two", DELETE, field(1, ID), field(1, ID2))
valid("a delete of the same one twice", DELETE, field(1, ID), field(1, ID))

# Kinds.
case("kind 0", 0, "unknownKind", S)
for reserved in (7, 8, 9, 10):
    case(f"reserved kind {reserved}", reserved, "unknownKind", S)
case("kind 11", 11, "unknownKind", S)
case("kind 257 is not kind 1", 257, "unknownKind", S)
case("kind 65535", 65535, "unknownKind", S)

# Explicit default values are accepted.
valid("an empty text written out", POST, S, field(2, ""))
valid("an empty title written out", POST, S, field(2, "t"), field(3, ""))
valid("an empty parent and root written out", POST, S, field(5, b""), field(6, b""))
valid("an empty parent written out and no root", POST, S, field(5, b""))
valid("value 0 written out", VOTE, field(1, field(1, ID) + number(2, 0)))
valid("value 0 of a follow written out", FOLLOW, field(1, field(1, ID) + number(2, 0)))

# Unknown fields: skipped once their form is checked.
valid("unknown varint", POST, S, number(9, 1))
valid("unknown varint of 64 bits", POST, S, tag(9, VARINT) + b"\xff" * 9 + b"\x01")
case("unknown varint of 65 bits", POST, "varintTooLarge", S, tag(9, VARINT) + b"\xff" * 9 + b"\x02")
case("unknown varint whose tenth byte has a successor", POST, "varintTooLarge",
     S, tag(9, VARINT) + b"\xff" * 9 + b"\x81\x00")
valid("unknown fixed64", POST, S, tag(9, FIXED64) + b"\xff" * 8)
case("unknown fixed64 of 7 bytes", POST, "valueTruncated", S, tag(9, FIXED64) + b"\xff" * 7)
valid("unknown fixed32", POST, S, tag(9, FIXED32) + b"\xff" * 4)
case("unknown fixed32 of 3 bytes", POST, "valueTruncated", S, tag(9, FIXED32) + b"\xff" * 3)
valid("unknown bytes, not UTF-8", POST, S, field(9, b"\xff"))
valid("unknown bytes that would be no message", POST, S, field(9, b"\x00\x07"))
case("unknown bytes past the end", POST, "valueTruncated", S, tag(9, LENGTH) + b"\x02\x00")
valid("unknown field several times", POST, S, number(9, 1), number(9, 2))
valid("unknown field with two wire types", POST, S, number(9, 1), field(9, b"x"))
valid("reserved fields 7 and 8", POST, S, field(7, b"media"), field(8, b"place"))
valid("unknown field in a choice", VOTE, field(1, field(1, ID) + number(2, 1) + number(3, 1)))
valid("unknown field after a delete's entries", DELETE, field(1, ID), number(2, 1))
case("unknown field out of order", POST, "fieldOrder", S, number(10, 1), number(9, 1))

# Varints: whole.
case("a tag cut off", POST, "varintTruncated", S, b"\x92")
case("a length missing", POST, "varintTruncated", S, tag(2, LENGTH))
case("a length cut off", POST, "varintTruncated", S, tag(2, LENGTH) + b"\x80")
case("a value missing", VOTE, "varintTruncated", field(1, field(1, ID) + tag(2, VARINT)))
case("a value cut off at the end of its message", VOTE, "varintTruncated",
     field(1, field(1, ID) + tag(2, VARINT) + b"\x81"), field(1, field(1, ID)))

# Varints: shortest.
case("a tag of two bytes instead of one", POST, "varintNotShortest", b"\x8a\x00\x10" + SALT)
case("a length of two bytes instead of one", POST, "varintNotShortest", b"\x0a\x90\x00" + SALT)
case("a length of 0 in two bytes", POST, "varintNotShortest", S, b"\x12\x80\x00")
case("a value of two bytes instead of one", VOTE, "varintNotShortest", field(1, field(1, ID) + b"\x10\x81\x00"))
case("a value of 0 in ten bytes", VOTE, "varintNotShortest",
     field(1, field(1, ID) + b"\x10" + b"\x80" * 9 + b"\x00"))
case("unknown varint not shortest", POST, "varintNotShortest", S, tag(9, VARINT) + b"\xff\x00")
valid("a length that needs two bytes", POST, S, field(2, "x" * 128))
case("a length of 127 in two bytes", POST, "varintNotShortest", S, b"\x12\xff\x00" + b"x" * 127)

# Varints: 64 bits.
case("a tag of eleven bytes", POST, "varintTooLarge", S, b"\xff" * 10 + b"\x01")
case("a length of 65 bits", POST, "varintTooLarge", S, b"\x12" + b"\xff" * 9 + b"\x02")
case("a value of 65 bits", VOTE, "varintTooLarge", field(1, field(1, ID) + b"\x10" + b"\x80" * 9 + b"\x02"))

# Field numbers.
case("field number 0", POST, "fieldNumber", field(0, b"x"))
case("field number 0 after a field", POST, "fieldNumber", S, number(0, 1))
valid("field number 2^29 - 1", POST, S, number(2**29 - 1, 1))
case("field number 2^29", POST, "fieldNumber", S, number(2**29, 1))
case("field number 2^61 - 1", POST, "fieldNumber", S, number(2**61 - 1, 1))
case("a tag that is right only in its low 32 bits", POST, "fieldNumber", S, number(2**29 + 9, 1))

# Wire types.
case("a group", POST, "wireType", S, tag(9, GROUP) + tag(9, GROUP_END))
case("the end of a group", POST, "wireType", S, tag(9, GROUP_END))
case("a known field as a group", POST, "wireType", S, tag(2, GROUP) + tag(2, GROUP_END))
case("wire type 6", POST, "wireType", S, tag(9, 6) + b"\x00")
case("wire type 7", POST, "wireType", S, tag(9, 7) + b"\x00")
case("wire type 7 in a choice", VOTE, "wireType", field(1, field(1, ID) + tag(3, 7)))

# The wire type of a known field.
case("text as varint", POST, "wireTypeMismatch", S, number(2, 1))
case("salt as fixed64", POST, "wireTypeMismatch", tag(1, FIXED64) + bytes(8))
case("a channel as fixed32", POST, "wireTypeMismatch", S, tag(4, FIXED32) + bytes(4))
case("value as bytes", VOTE, "wireTypeMismatch", field(1, field(1, ID) + field(2, b"\x01")))
case("value as fixed32", VOTE, "wireTypeMismatch", field(1, field(1, ID) + tag(2, FIXED32) + b"\x01\0\0\0"))
case("choices as varint", VOTE, "wireTypeMismatch", number(1, 1))

# Order.
case("text before salt", POST, "fieldOrder", field(2, "text"), S)
case("channels apart", POST, "fieldOrder", S, field(4, "a"), field(5, ID), field(6, ID), field(4, "b"))
case("value before post", VOTE, "fieldOrder", field(1, number(2, 1) + field(1, ID)))
case("a known field after an unknown one", POST, "fieldOrder", S, number(9, 1), field(2, "text"))

# Once.
case("salt twice", POST, "fieldRepeated", S, S)
case("text twice", POST, "fieldRepeated", S, field(2, "a"), field(2, "b"))
case("root twice", POST, "fieldRepeated", S, field(5, ID), field(6, ID), field(6, ID))
case("value twice", VOTE, "fieldRepeated", field(1, field(1, ID) + number(2, 1) + number(2, 1)))
case("name twice", PROFILE, "fieldRepeated", S, field(2, "a"), field(2, "a"))

# Lengths.
case("text past the end", POST, "valueTruncated", S, b"\x12\x05text")
case("salt past the end", POST, "valueTruncated", b"\x0a\x10" + SALT[:15])
case("a length of 2^63", POST, "valueTruncated", S, b"\x12" + varint(2**63) + b"text")
case("a length of 2^64 - 1", POST, "valueTruncated", S, b"\x12" + varint(2**64 - 1) + b"text")
case("a choice past the end", VOTE, "valueTruncated", b"\x0a\x23" + field(1, ID))
case("an id past its choice, within the payload", VOTE, "valueTruncated",
     b"\x0a\x21" + field(1, ID)[:-1], field(1, field(1, ID)))

# UTF-8: each edge of each range, inside and just outside.
for name, text in (
    ("NUL", b"\x00"), ("slash and zero", b"/0"), ("the lowest of 2 bytes", b"\xc2\x80"),
    ("the highest of 2 bytes", b"\xdf\xbf"), ("the lowest of 3 bytes", b"\xe0\xa0\x80"),
    ("just below the surrogates", b"\xed\x9f\xbf"), ("just above the surrogates", b"\xee\x80\x80"),
    ("a byte order mark", b"\xef\xbb\xbf"), ("a noncharacter", b"\xef\xbf\xbf"),
    ("the lowest of 4 bytes", b"\xf0\x90\x80\x80"), ("the highest of all", b"\xf4\x8f\xbf\xbf"),
    ("a right-to-left override", b"\xe2\x80\xae"),
):
    valid("text: " + name, POST, S, field(2, text))
for name, text in (
    ("a lone continuation", b"\x80"), ("0xff", b"\xff"), ("overlong NUL", b"\xc0\x80"),
    ("overlong of 2 bytes", b"\xc1\xbf"), ("overlong of 3 bytes", b"\xe0\x9f\xbf"),
    ("overlong of 4 bytes", b"\xf0\x8f\xbf\xbf"), ("the lowest surrogate", b"\xed\xa0\x80"),
    ("the highest surrogate", b"\xed\xbf\xbf"), ("a surrogate pair", b"\xed\xa0\xbd\xed\xb0\xbf"),
    ("just above the highest", b"\xf4\x90\x80\x80"), ("first byte 0xf5", b"\xf5\x80\x80\x80"),
    ("2 bytes cut off", b"\xc2"), ("3 bytes cut off", b"\xe2\x82"), ("4 bytes cut off", b"\xf0\x9f\x90"),
    ("third byte no continuation", b"\xe2\x82\x41"), ("fourth byte no continuation", b"\xf0\x9f\x90\x41"),
    ("second byte no continuation", b"\xc2\x41"), ("broken behind valid text", b"abc\xe2\x82\xac\xfe"),
):
    case("text: " + name, POST, "utf8", S, field(2, text))
case("a character that goes on in the next field", POST, "utf8", S, field(2, b"\xc2"), b"\x80")
case("title not UTF-8", POST, "utf8", S, field(3, b"\xff"))
case("channel not UTF-8", POST, "utf8", S, field(4, b"\xff"))
case("an edit's text not UTF-8", EDIT, "utf8", S, field(2, ID), field(3, b"\xff"))
case("an edit's title not UTF-8", EDIT, "utf8", S, field(2, ID), field(4, b"\xff"))
case("name not UTF-8", PROFILE, "utf8", S, field(2, b"\xff"))
case("full name not UTF-8", PROFILE, "utf8", S, field(3, b"\xff"))
case("bio not UTF-8", PROFILE, "utf8", S, field(4, b"\xff"))

# Enums.
valid("value 2 of a vote", VOTE, field(1, field(1, ID) + number(2, 2)))
case("value 3 of a vote", VOTE, "enumValue", field(1, field(1, ID) + number(2, 3)))
case("value -1 of a vote", VOTE, "enumValue", field(1, field(1, ID) + number(2, 2**64 - 1)))
case("value 2^32 + 1 of a vote", VOTE, "enumValue", field(1, field(1, ID) + number(2, 2**32 + 1)))
case("one unknown value among known ones", VOTE, "enumValue",
     field(1, field(1, ID) + number(2, 1)), field(1, field(1, ID2) + number(2, 3)))
case("value 2 of a follow", FOLLOW, "enumValue", field(1, field(1, ID) + number(2, 2)))

# Salts.
for kind, rest in ((POST, b""), (EDIT, field(2, ID)), (PROFILE, b"")):
    case(f"kind {kind} without salt", kind, "saltLength", rest)
    case(f"kind {kind} with an empty salt", kind, "saltLength", field(1, b""), rest)
    case(f"kind {kind} with a salt of 15 bytes", kind, "saltLength", field(1, SALT[:15]), rest)
    case(f"kind {kind} with a salt of 17 bytes", kind, "saltLength", field(1, SALT + b"\x10"), rest)

# Ids.
for short, name in ((ID[:31], "31 bytes"), (ID + b"\x20", "33 bytes")):
    case(f"an edit of a post of {name}", EDIT, "idLength", S, field(2, short))
    case(f"a vote for a post of {name}", VOTE, "idLength", field(1, field(1, short) + number(2, 1)))
    case(f"a follow of an identity of {name}", FOLLOW, "idLength", field(1, field(1, short) + number(2, 1)))
    case(f"a delete of an entry of {name}", DELETE, "idLength", field(1, short))
    case(f"a parent of {name}", POST, "idLength", S, field(5, short), field(6, ID))
    case(f"a root of {name}", POST, "idLength", S, field(5, ID), field(6, short))
    case(f"an avatar of {name}", PROFILE, "avatarLength", S, field(5, short))
case("an edit of nothing", EDIT, "idLength", S, field(3, "text"))
case("a vote with an empty choice", VOTE, "idLength", field(1, b""))
case("a vote without a post", VOTE, "idLength", field(1, number(2, 1)))
case("a follow without an identity", FOLLOW, "idLength", field(1, number(2, 1)))
case("a delete of an empty id", DELETE, "idLength", field(1, b""))
case("one short id among whole ones", DELETE, "idLength", field(1, ID), field(1, ID[:31]))
case("an empty avatar", PROFILE, "avatarLength", S, field(5, b""))

# Replies.
case("a parent without a root", POST, "replyHalf", S, field(5, ID))
case("a root without a parent", POST, "replyHalf", S, field(6, ID))
case("a parent and an empty root", POST, "replyHalf", S, field(5, ID), field(6, b""))
valid("a parent that is the root", POST, S, field(5, ID), field(6, ID))

# Channels.
valid("8 channels", POST, S, *[field(4, f"c{i}") for i in range(8)])
case("9 channels", POST, "channelCount", S, *[field(4, f"c{i}") for i in range(9)])
valid("a channel of 32 bytes", POST, S, field(4, "a" * 32))
case("a channel of 33 bytes", POST, "channelName", S, field(4, "a" * 33))
case("an empty channel", POST, "channelName", S, field(4, ""))
valid("a channel with every edge of the alphabet", POST, S, field(4, "az09-"))
for wrong in ("A", "a b", "a_b", "caf\u00e9", "#a", "a\0", "`", "{", "/", ":", ",", "."):
    case(f"a channel named {wrong!r}", POST, "channelName", S, field(4, wrong))
case("the second channel wrong", POST, "channelName", S, field(4, "a"), field(4, "B"))
case("a channel twice", POST, "channelRepeated", S, field(4, "a"), field(4, "a"))
case("a channel twice, apart", POST, "channelRepeated", S, field(4, "a"), field(4, "b"), field(4, "a"))
valid("channels that begin alike, not sorted", POST, S, field(4, "ab"), field(4, "a"))

# Titles.
valid("a title of 1,024 bytes", POST, S, field(3, "\u00e9" * 512))
case("a title of 1,025 bytes", POST, "titleLength", S, field(3, "\u00e9" * 512 + "x"))
valid("an edit's title of 1,024 bytes", EDIT, S, field(2, ID), field(4, "x" * 1024))
case("an edit's title of 1,025 bytes", EDIT, "titleLength", S, field(2, ID), field(4, "x" * 1025))

# Profiles.
case("an empty name", PROFILE, "nameLength", S, field(2, ""))
valid("a name of 1 byte", PROFILE, S, field(2, "h"))
valid("a name of 64 bytes", PROFILE, S, field(2, "\u00e9" * 32))
case("a name of 65 bytes", PROFILE, "nameLength", S, field(2, "\u00e9" * 32 + "x"))
valid("an empty full name", PROFILE, S, field(3, ""))
valid("a full name of 256 bytes", PROFILE, S, field(3, "x" * 256))
case("a full name of 257 bytes", PROFILE, "fullNameLength", S, field(3, "x" * 257))
valid("an empty bio", PROFILE, S, field(4, ""))
valid("a bio of 4,096 bytes", PROFILE, S, field(4, "x" * 4096))
case("a bio of 4,097 bytes", PROFILE, "bioLength", S, field(4, "x" * 4097))

# Targets.
case("a vote for nothing", VOTE, "noTarget")
case("a follow of nobody", FOLLOW, "noTarget")
case("a delete of nothing", DELETE, "noTarget")
case("a vote of an unknown field alone", VOTE, "noTarget", number(2, 1))
case("an empty post", POST, "saltLength")

names = [vector["name"] for vector in VECTORS]
assert len(set(names)) == len(names), "two vectors share a name"
path = pathlib.Path(__file__).with_name("payload.json")
lines = ",\n".join(json.dumps(vector) for vector in VECTORS)
path.write_text("[\n" + lines + "\n]\n")
print(f"{len(VECTORS)} vectors")
