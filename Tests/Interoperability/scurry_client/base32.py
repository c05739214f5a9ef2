"""Base32 of ids (README.md, section 5): one spelling for each id."""

from .hashes import Refused

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
DIGITS = {character: value for value, character in enumerate(ALPHABET)}


def encode(data):
    bits = int.from_bytes(data, "big")
    length = (len(data) * 8 + 4) // 5
    bits <<= length * 5 - len(data) * 8
    return "".join(ALPHABET[bits >> 5 * (length - 1 - index) & 31] for index in range(length))


def decode(text):
    if len(text) % 8 in (1, 3, 6):
        raise Refused("length")
    bits = 0
    for character in text:
        if character not in DIGITS:
            raise Refused("character")
        bits = bits << 5 | DIGITS[character]
    size, left = divmod(len(text) * 5, 8)
    if bits & ((1 << left) - 1):
        raise Refused("leftOverBits")
    return (bits >> left).to_bytes(size, "big")
