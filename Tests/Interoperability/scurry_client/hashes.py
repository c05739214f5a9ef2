"""Hashes, signatures and integers (README.md, sections 2 to 4)."""

import hashlib

import nacl.bindings
import nacl.exceptions

MASK64 = 2**64 - 1
ZERO32 = bytes(32)


class Refused(Exception):
    """Bytes that a page refuses, by the name that the page gives."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name


def H(tag, data):
    return hashlib.blake2b(data, digest_size=32, person=tag.encode("ascii")).digest()


def u16(value):
    return value.to_bytes(2, "big")


def u32(value):
    return value.to_bytes(4, "big")


def u64(value):
    return value.to_bytes(8, "big")


def keypair_from_seed(seed):
    """(public, secret) of Ed25519; the secret is libsodium's 64 bytes."""
    return nacl.bindings.crypto_sign_seed_keypair(seed)


def sign(secret, message):
    return nacl.bindings.crypto_sign(message, secret)[:64]


def verify(public, signature, message):
    if len(public) != 32 or len(signature) != 64:
        return False
    try:
        nacl.bindings.crypto_sign_open(signature + message, public)
    except (nacl.exceptions.BadSignatureError, ValueError):
        return False
    return True


def write_varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data, at, end, truncated, not_shortest, too_large):
    """(value, position behind it); the three names are what is refused."""
    value = 0
    for index in range(10):
        if at + index >= end:
            raise Refused(truncated)
        byte = data[at + index]
        if index == 9 and byte > 1:
            raise Refused(too_large)
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if byte == 0 and index > 0:
                raise Refused(not_shortest)
            return value, at + index + 1
    raise Refused(too_large)


def zigzag(difference):
    """Of a difference modulo 2^64."""
    difference &= MASK64
    return (difference << 1 ^ MASK64) & MASK64 if difference >> 63 else difference << 1


def unzigzag(value):
    return (value >> 1) ^ (MASK64 if value & 1 else 0)
