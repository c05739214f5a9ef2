"""The bytes of a Negentropy V1 message (sync.md §13): ranges that follow each other, each up to a bound.

Integers here are in base 128 with the *high* digit first; those of wire.proto have the low one first."""

from typing import NamedTuple

from .hashes import Refused

VERSION = 0x61
SKIP, FINGERPRINT, ID_LIST = range(3)
INFINITY = 2**64 - 1        # the time of the bound behind everything, in seconds like the others
MAX_IDS = 4128              # in one list


class Bound(NamedTuple):
    """Behind every item before (time, prefix filled with zeros to 32 bytes); time in whole seconds."""

    time: int
    prefix: bytes = b""

    @property
    def place(self):
        return self.time, self.prefix.ljust(32, b"\0")


START, END = Bound(0), Bound(INFINITY)


class Part(NamedTuple):
    """One range: its upper bound, exclusive; `value` is nothing, 16 bytes, or a list of ids of 32 bytes."""

    bound: Bound
    mode: int
    value: object = None


def write_integer(value):
    digits = bytearray([value & 0x7F])
    while value := value >> 7:
        digits.append(value & 0x7F | 0x80)
    return bytes(reversed(digits))


class Writer:
    """A message that grows by parts; the times are written as differences."""

    def __init__(self):
        self.bytes = bytearray([VERSION])
        self.end = START            # the bound of the last part
        self._time = 0

    def add(self, part):
        bound = self.end = part.bound
        if bound.time == INFINITY:
            self.bytes += write_integer(0)
        else:
            self.bytes += write_integer(bound.time - self._time + 1)
            self._time = bound.time
        self.bytes += write_integer(len(bound.prefix)) + bound.prefix + write_integer(part.mode)
        if part.mode == FINGERPRINT:
            self.bytes += part.value
        elif part.mode == ID_LIST:
            self.bytes += write_integer(len(part.value)) + b"".join(part.value)

    def skip_to(self, bound):
        if bound != self.end:
            self.add(Part(bound, SKIP))

    def mark(self):
        """A place to come `back_to`."""
        return len(self.bytes), self.end, self._time

    def back_to(self, mark):
        length, self.end, self._time = mark
        del self.bytes[length:]


def encode(parts):
    writer = Writer()
    for part in parts:
        writer.add(part)
    return bytes(writer.bytes)


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        if length > len(self.data) - self.at:
            raise Refused("malformedReconciliation")
        self.at += length
        return bytes(self.data[self.at - length:self.at])

    def integer(self):
        value = 0
        for index in range(10):
            digit = self.take(1)[0]
            if index == 0 and digit == 0x80:        # a leading zero: there is a shorter form
                break
            value = value << 7 | digit & 0x7F
            if digit < 0x80:
                if value > 2**64 - 1:
                    break
                return value
        raise Refused("malformedReconciliation")

    def bound(self, before):
        step = self.integer()
        time = before.time + step - 1 if step else INFINITY
        length = self.integer()
        if step and time > INFINITY - 1 or length > (32 if step else 0):
            raise Refused("malformedReconciliation")
        return Bound(time, self.take(length))


def decode(data):
    """The parts of a message; raises Refused("malformedReconciliation")."""
    reader = _Reader(data)
    if reader.take(1)[0] != VERSION:
        raise Refused("malformedReconciliation")
    parts, before = [], START
    while reader.at < len(data):
        if before.time == INFINITY:
            raise Refused("malformedReconciliation")
        bound = reader.bound(before)
        mode = reader.integer()
        if parts and bound.place <= before.place or mode > ID_LIST:
            raise Refused("malformedReconciliation")
        value = None
        if mode == FINGERPRINT:
            value = reader.take(16)
        elif mode == ID_LIST:
            count = reader.integer()
            if count > MAX_IDS:
                raise Refused("malformedReconciliation")
            value = [reader.take(32) for _ in range(count)]
        parts.append(Part(bound, mode, value))
        before = bound
    return parts
