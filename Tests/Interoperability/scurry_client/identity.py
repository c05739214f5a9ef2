"""Who writes (identity.md)."""

import os
import time

import nacl.bindings

from .hashes import H, Refused, keypair_from_seed, sign, u64, verify

TAG = b"scurry certificate v1"


def network_id(name):
    return H("scurry/network", name.encode("utf-8"))


def root_seed(entropy):
    if len(entropy) != 16:
        raise ValueError("16 bytes of entropy")
    return H("scurry/root", entropy)


def now():
    return int(time.time() * 1000)


class Certificate:
    def __init__(self, data):
        self.bytes = bytes(data)
        self.network, self.root = self.bytes[:32], self.bytes[32:64]
        self.device, self.sealing = self.bytes[64:96], self.bytes[96:128]
        self.serial = int.from_bytes(self.bytes[128:136], "big")
        self.log = H("scurry/log", self.bytes[:136])

    @classmethod
    def check(cls, data, network):
        if len(data) != 200:
            raise Refused("wrongLength")
        if data[:32] != network:
            raise Refused("foreignNetwork")
        if not verify(data[32:64], data[136:], TAG + data[:136]):
            raise Refused("badSignature")
        return cls(data)

    @classmethod
    def issue(cls, network, root_public, root_secret, device, sealing, serial):
        body = network + root_public + device + sealing + u64(serial)
        return cls(body + sign(root_secret, TAG + body))


class Device:
    """A person and one device of it: what writes one log."""

    def __init__(self, network, entropy=None, device_seed=None, serial=None, sealing_seed=None):
        self.network = network
        self.root, root_secret = keypair_from_seed(root_seed(entropy or os.urandom(16)))
        public, self.secret = keypair_from_seed(device_seed or os.urandom(32))
        sealing = nacl.bindings.crypto_scalarmult_base(sealing_seed or os.urandom(32))
        self.certificate = Certificate.issue(
            network, self.root, root_secret, public, sealing, now() if serial is None else serial
        )
        self.log = self.certificate.log
