"""The encrypted stream between two nodes (channel.md), without a socket: bytes in, bytes and messages out."""

import nacl.bindings
from cryptography.exceptions import InvalidTag
from noise.connection import Keypair, NoiseConnection

from .hashes import u32

NAME = b"Noise_XX_25519_ChaChaPoly_BLAKE2b"
LENGTHS = (32, 96, 64)
MAX_PLAIN = 65_535 - 16
MAX_MESSAGE = 1_048_576
REKEY_AFTER = 65_536


class ChannelError(Exception):
    """Ends the connection. `violation`: by the peer's fault."""

    def __init__(self, name, violation=True):
        super().__init__(name)
        self.name, self.violation = name, violation


def public_of(private):
    return nacl.bindings.crypto_scalarmult_base(private)


class Channel:
    def __init__(self, initiator, private, network, expected=None, ephemeral=None):
        self.initiator, self.expected = initiator, expected
        self.public = public_of(private)
        self.peer = None
        self.open = False
        self.out = bytearray()
        self._in, self._stream = bytearray(), bytearray()
        self._handshakes = 0
        self._sent = self._received = 0
        self.noise = NoiseConnection.from_name(NAME)
        self.noise.set_prologue(b"scurry/1" + network)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, private)
        if ephemeral:   # for vectors and tests only
            self.noise.set_keypair_from_private_bytes(Keypair.EPHEMERAL, ephemeral)
        (self.noise.set_as_initiator if initiator else self.noise.set_as_responder)()
        self.noise.start_handshake()
        self._state = self.noise.noise_protocol.handshake_state
        if initiator:
            self._write_handshake()

    def _write_handshake(self):
        try:
            message = bytes(self.noise.write_message())
        except ValueError:
            raise ChannelError("handshake") from None
        self.out += len(message).to_bytes(2, "big") + message
        self._handshakes += 1

    def _read_handshake(self, message):
        try:
            self.noise.read_message(message)
        except (InvalidTag, ValueError):    # another network, a changed bit; a key of small order
            raise ChannelError("handshake") from None
        self._handshakes += 1
        if self._handshakes >= 2:
            self.peer = self._state.rs.public_bytes
            if self.expected and self.peer != self.expected:
                raise ChannelError("wrongNode", False)
        if self._handshakes < 3:
            self._write_handshake()
        self.open = self._handshakes == 3
        if self.open and self.peer == self.public:
            raise ChannelError("connectedToSelf", False)

    def receive(self, data):
        """A generator of (type, body), to be read to its end."""
        self._in += data
        at = 0
        try:
            while len(self._in) - at >= 2:
                length = int.from_bytes(self._in[at:at + 2], "big")
                if not self.open:
                    if length != LENGTHS[self._handshakes]:
                        raise ChannelError("handshake")
                elif length < 17:
                    raise ChannelError("decryption")
                if len(self._in) - at - 2 < length:
                    break
                message = bytes(self._in[at + 2:at + 2 + length])
                at += 2 + length
                if not self.open:
                    self._read_handshake(message)
                    continue
                self._stream += self._decrypt(message)
                yield from self._messages()
        finally:
            del self._in[:at]

    def _decrypt(self, message):
        try:
            plain = self.noise.decrypt(message)
        except Exception:
            raise ChannelError("decryption") from None
        self._received += 1
        if self._received % REKEY_AFTER == 0:
            self.noise.rekey_inbound_cipher()
        return plain

    def _messages(self):
        at = 0
        try:
            while len(self._stream) - at >= 4:
                length = int.from_bytes(self._stream[at:at + 4], "big")
                if not 1 <= length <= MAX_MESSAGE:
                    raise ChannelError("messageLength")
                if len(self._stream) - at - 4 < length:
                    break
                kind, body = self._stream[at + 4], bytes(self._stream[at + 5:at + 4 + length])
                at += 4 + length
                yield kind, body
        finally:
            del self._stream[:at]

    def send(self, kind, body):
        self.send_plain(u32(len(body) + 1) + bytes([kind]) + body)

    def send_plain(self, plain):
        for at in range(0, len(plain), MAX_PLAIN):
            message = self.noise.encrypt(plain[at:at + MAX_PLAIN])
            self.out += len(message).to_bytes(2, "big") + message
            self._sent += 1
            if self._sent % REKEY_AFTER == 0:
                self.noise.rekey_outbound_cipher()

    def take_out(self):
        data = bytes(self.out)
        self.out.clear()
        return data
