"""The examples of the pages, each module by itself, and two nodes of this implementation with each other.

    python -m unittest test_self        (in this folder)

The environment's SCURRY_PUBLISHED_VECTORS names the folder of negentropy.json; without it that test is skipped.
"""

import base64
import json
import os
import random
import socket
import subprocess
import sys
import time
import unittest
from collections import deque

import dialogues
import near
import own_log
import vectors
from scurry_client import (base32, crowd, hashes, identity, invite, listing, log, lying, negentropy, payload, stages, tree,
                           wire)
from scurry_client.channel import Channel, ChannelError
from scurry_client.evidence import Evidence
from scurry_client.fold import State
from scurry_client.hashes import Refused, keypair_from_seed
from scurry_client.identity import Device
from scurry_client.itemset import ItemSet
from scurry_client.node import Node
from scurry_client.session import CREDIT, FEATURES, Session
from scurry_client.settlement import Settlement

hexed = bytes.fromhex
CAMPUS = identity.network_id("campus")
COUNTING = bytes(range(32))
SIGNATURE = hexed("582386602b62c684eccc8c258c20e57a3b3e74eede85fd408dc4073f71169e5b"
                  "e0e610f0aa8b49bf5eafd6c3b840f1498de27e0c2fc701cf7b8b2220c3b09a09")
LOG = hexed("5cca7e63dbdf8f2a8a2dda88584a815ec9fbb77b69d1f605c6aa3ac8cc2ea1eb")
ROOT7 = hexed("4853f5fbcfd0c31683b22e171a0b4689268bd33d8c40451e3ccdd3b235a670de")
LEFT = [hexed("afc935bfe5cdc91c9f9b775f0f67e1b4b66cacd1a020a90c6c2bde881222af6c"),
        hexed("fff2d229f51853bd30e39513e0fd1ae823073488e7dfeaae25128ad30d8ad9b1")]
RIGHT = [hexed("fb013992a4b79c51f0077932f6851b2be574e74c836d70b53d258920e3e4832d"),
         hexed("2061e679bb5384090b6d50eae4b722955b85e48aeaf6c77add6d81a8598ed392"),
         hexed("e5f4f23bc02c3140dd44f3abf834afb70ba71b80af0c7e702cec1c3c6fffdd3f")]
POST = hexed("0a10000102030405060708090a0b0c0d0e0f12224361756768742074686973206f6e6520737465616c696e67206d79206261"
             "67656c2e2209737175697272656c73")
TIME = 1_790_000_000_000


def example_certificate():
    root, secret = keypair_from_seed(identity.root_seed(bytes(range(16))))
    device, _ = keypair_from_seed(COUNTING)
    sealing = hexed("ac8f559cdd0d88bb8534bd260fb71e29a7eff54af356a2d8029f107b16a0277d")
    return identity.Certificate.issue(CAMPUS, root, secret, device, sealing, TIME)


class Case(unittest.TestCase):
    def refused(self, name, call, *arguments):
        with self.assertRaises(Refused) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.name, name)


class Conventions(Case):
    def test_base32(self):
        self.assertEqual(base32.encode(hexed("666f6f62")), "mzxw6yq")
        self.assertEqual(base32.decode("mzxw6yq"), hexed("666f6f62"))
        for bad in ("mzxw6yr", "MZXW6YQ", "mzxw6yq=", "a", "aaa", "aaaaaa", "mzxw6y1"):
            with self.assertRaises(Refused):
                base32.decode(bad)
        for size in range(40):
            data = os.urandom(size)
            self.assertEqual(base32.encode(data), base64.b32encode(data).decode().rstrip("=").lower())
            self.assertEqual(base32.decode(base32.encode(data)), data)

    def test_varints(self):
        for value, form in ((0, "00"), (-1, "01"), (1, "02"), (64, "8001")):
            self.assertEqual(hashes.write_varint(hashes.zigzag(value)), hexed(form))
            self.assertEqual(hashes.unzigzag(hashes.zigzag(value)), value % 2**64)
        self.assertEqual(hashes.zigzag(2**63), 2**64 - 1)
        names = ("truncated", "long", "large")
        for form, name in (("", "truncated"), ("80", "truncated"), ("8000", "long"), ("ff" * 9 + "02", "large"),
                           ("80" * 10, "large")):
            self.refused(name, hashes.read_varint, hexed(form), 0, len(form) // 2, *names)
        self.assertEqual(hashes.read_varint(hexed("ff" * 9 + "01"), 0, 10, *names), (2**64 - 1, 10))


class Identity(Case):
    def test_examples(self):
        self.assertEqual(CAMPUS.hex(), "15acd7b1d76659516b0b87a1d63efac2f53bc378f20e7550a51bf93d38febfd7")
        seed = identity.root_seed(bytes(range(16)))
        self.assertEqual(seed.hex(), "e2523b557fdb63afa4ad5c1554bc5af30835614536b0fb7caaaa52c058293d48")
        made = example_certificate()
        self.assertEqual(made.root.hex(), "1cb21e0d88b842d0f81005c7d833bc7005bc1fb72054383ee9d9a7b0facb7a5f")
        self.assertEqual(made.device.hex(), "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")
        self.assertEqual(made.bytes[128:].hex(), "000001a0c4506c00"
                         "e66af9f275f5e8480ff83bf7bd45b265f8edc497134cae69b9b778017ee78300"
                         "a93c9e9fb5241d11ea93bd6b3b0a646d3999ee60fa55c192e5b1fb287118470e")
        self.assertEqual(made.log, LOG)
        self.assertEqual(base32.encode(LOG), "ltfh4y6336hsvcrn3kefqsubl3e7xn33nhi7mbogvi5mrtbouhvq")

    def test_refused(self):
        good = example_certificate().bytes
        self.refused("wrongLength", identity.Certificate.check, good[:-1], CAMPUS)
        self.refused("foreignNetwork", identity.Certificate.check, good, bytes(32))
        self.refused("badSignature", identity.Certificate.check, good[:-1] + bytes(1), CAMPUS)


class Log(Case):
    def test_header(self):
        entry = log.Entry(LOG, 0, 1, 1, TIME, TIME, POST)
        self.assertEqual(len(entry.header()), 96)
        self.assertEqual(entry.id.hex(), "e0ad35234c4e688838658a91620f958799c4d5ce1ac7f745f364372d058e2271")
        self.assertEqual(log.pack([entry]).hex(), "020180b083c598680041" + POST.hex())

    def test_tree(self):
        ids = [hexed("e0ad35234c4e688838658a91620f958799c4d5ce1ac7f745f364372d058e2271"),
               hexed("2a91a55d845061e16d0a06b2c68d5cf9ce73199cc82ed1cee9299b4170596859")]
        self.assertEqual(tree.root_of_leaves(ids), LEFT[0])
        whole = tree.Range(0, 3, LEFT).joined(tree.Range(3, 7, RIGHT))
        self.assertEqual(whole.root(), ROOT7)
        self.assertTrue(log.head_holds(example_certificate(), 7, ROOT7, SIGNATURE))

    def test_every_split(self):
        leaves = [os.urandom(32) for _ in range(20)]
        for n in range(21):
            self.assertEqual(tree.range_of(leaves, 0, n).root(), tree.root_of_leaves(leaves[:n]))
            for b in range(n + 1):
                for a in range(b + 1):
                    joined = tree.range_of(leaves, a, b).joined(tree.range_of(leaves, b, n))
                    self.assertEqual(joined.parts, tree.range_of(leaves, a, n).parts)

    def test_packed(self):
        entries = [log.Entry(LOG, 0, 1, 1, 5, 2**64 - 1, b"x"), log.Entry(LOG, 1, 9, 3, 0, 7, b"", 2),
                   log.Entry(LOG, 2, 1, 1, 2**64 - 1, 0, None, length=1, hash=bytes(32)),
                   log.Entry(LOG, 3, 3, 0, 1, 1, None, length=70_000, hash=bytes(32))]
        data = log.pack(entries)
        back = log.unpack(LOG, 0, 4, data)
        self.assertEqual([one.id for one in back], [one.id for one in entries])
        self.assertEqual(log.pack(back), data)
        self.refused("trailingBytes", log.unpack, LOG, 0, 3, data)
        self.refused("truncated", log.unpack, LOG, 0, 5, data)
        for form, name in (("08", "malformed"), ("06", "malformed"), ("040101", "malformed"), ("0401", "truncated"),
                           ("008000", "malformed"), ("00808004", "malformed"), ("0001000081" + "8004", "payloadTooLong"),
                           ("0101000000", "bodyRequired"), ("00010000" + "8080808010", "malformed")):
            self.refused(name, log.unpack, LOG, 0, 1, hexed(form))

    def test_item_and_fingerprint(self):
        one = log.item(LOG, 7, ROOT7)
        self.assertEqual(one.hex(), "9243cfa439dc68bc29e5558b5e474361ab7a9681c93917b5b8bb2f6cdb465aca")
        self.assertEqual(log.fingerprint([one]).hex(), "a7526fe1220d58c26e93ca8737fb37ca")
        self.assertEqual(log.fingerprint([]).hex(), "7f9c9e31ac8256ca2f258583df262dbc")


class Payload(Case):
    def test_example(self):
        made = payload.post("Caught this one stealing my bagel.", channels=["squirrels"], salt=bytes(range(16)))
        self.assertEqual(made, POST)
        self.assertEqual(payload.validate(1, POST)["channels"], ["squirrels"])

    def test_refused(self):
        salt = "0a10" + "00" * 16
        for kind, form, name in (
                (7, "", "unknownKind"), (1, "80", "varintTruncated"), (1, "8a00", "varintNotShortest"),
                (1, "ff" * 10, "varintTooLarge"), (1, "02", "fieldNumber"), (1, salt + "7b", "wireType"),
                (1, salt + "1a00" + "1200", "fieldOrder"), (1, salt + "12001200", "fieldRepeated"),
                (1, salt + "1000", "wireTypeMismatch"), (1, salt + "1201", "valueTruncated"),
                (1, salt + "1201ff", "utf8"), (1, salt + "1203eda080", "utf8"), (1, "", "saltLength"),
                (1, salt + "220141", "channelName"), (1, salt + "22016122" + "0161", "channelRepeated"),
                (1, salt + "2a20" + "00" * 32, "replyHalf"), (1, salt + "2a01003201" + "00", "idLength"),
                (3, "", "noTarget"), (3, "0a00", "idLength"), (3, "0a24" + "0a20" + "00" * 32 + "1003", "enumValue"),
                (5, salt + "1200", "nameLength"), (5, salt + "2a00", "avatarLength"), (6, "", "noTarget")):
            self.refused(name, payload.validate, kind, hexed(form))
        self.assertEqual(payload.validate(1, hexed(salt + "3801"))["text"], "")
        self.assertEqual(payload.validate(1, hexed(salt + "2a003200"))["parent"], b"")


class Fold(Case):
    @staticmethod
    def entry(name, seq, kind, body, clock=1, time=1):
        return log.Entry(bytes([name]) * 32, seq, kind, payload.ERASABLE[kind], time, clock, body)

    def test_registers(self):
        who, target = b"i" * 32, b"t" * 32
        counted = [(who, self.entry(3, 4, 3, payload.vote((target, 1), (target, 2)))),
                   (who, self.entry(3, 5, 3, payload.vote((target, 0), (target, 1))))]
        self.assertEqual(State(counted).tallies(), {target: [1, 0]})
        counted.append((who, self.entry(4, 0, 3, payload.vote((target, 2)))))
        self.assertEqual(State(counted).tallies(), {target: [0, 1]})
        counted.append((who, self.entry(3, 0, 3, payload.vote((target, 1)), clock=2)))
        random.shuffle(counted)
        self.assertEqual(State(counted + counted).tallies(), {target: [1, 0]})

    def test_edits_and_deletes(self):
        who, other = b"i" * 32, b"o" * 32
        post = self.entry(1, 0, 1, payload.post("first", channels=["c"]), clock=99)
        edit = self.entry(1, 1, 2, payload.edit(post.id, "second"))
        theirs = self.entry(2, 0, 2, payload.edit(post.id, "not mine"), clock=100)
        counted = [(who, post), (who, edit), (other, theirs)]
        self.assertEqual(State(counted).posts[post.id].text, "second")
        undo = self.entry(1, 2, 6, payload.delete(edit.id))
        self.assertEqual(State(counted + [(who, undo)]).posts[post.id].text, "first")
        foreign = self.entry(2, 1, 6, payload.delete(post.id))
        self.assertFalse(State(counted + [(other, foreign)]).posts[post.id].deleted)
        gone = State(counted + [(who, self.entry(1, 2, 6, payload.delete(post.id)))])
        self.assertTrue(gone.posts[post.id].deleted)
        self.assertEqual(gone.posts[post.id].channels, [])
        self.assertEqual(gone.feed(10), [])

    def test_feed(self):
        who = b"i" * 32
        posts = [self.entry(1, n, 1, payload.post(""), time=time) for n, time in enumerate((5, 5, 9, 10, 11))]
        state = State((who, one) for one in posts)
        self.assertEqual([one.time for one in state.feed(10)], [10, 9, 5, 5])
        self.assertEqual([one.time for one in state.feed(10, who)], [11, 10, 9, 5, 5])
        self.assertLess(state.feed(10)[2].id, state.feed(10)[3].id)


class Wire(Case):
    def test_round_trip(self):
        body = wire.encode(wire.WANT, wants=[{"log": bytes(32), "from": 300, "certificate": True}])
        self.assertEqual(wire.decode(wire.WANT, body)["wants"][0],
                         {"log": bytes(32), "from": 300, "certificate": True, "settled": False, "newest": 0, "until": 0})

    def test_leniency(self):
        self.assertEqual(wire.decode(wire.CREDIT, hexed("088100" + "f83f01" + "0805"))["bytes"], 5)
        self.assertEqual(wire.decode(wire.HELLO, hexed("18011a020203"))["features"], [1, 2, 3])
        for bad in ("08", "0a", "0f", "0001", "0b", "0c"):
            self.refused("malformedMessage", wire.decode, wire.CREDIT, hexed(bad))
        self.assertIsNone(wire.decode(wire.BODIES, hexed("0a00"))["bodies"][0]["payload"])
        self.assertEqual(wire.decode(wire.BODIES, hexed("0a021a00"))["bodies"][0]["payload"], b"")


class Negentropy(Case):
    """The coding of sync.md §13, and what two sides find out by it."""

    def dialogue(self, ours, theirs, limit=0):
        """(what only we have, what only they have, the messages of both)"""
        message, have, need, said = ours.first_message(), set(), set(), []
        while message is not None:
            answer, _ = theirs.answer(negentropy.decode(message), limit)
            said += [message, answer]
            message = ours.ask_on(negentropy.decode(answer), have, need, limit)
        return have, need, said

    def test_integers(self):
        for value, form in ((0, "00"), (127, "7f"), (128, "8100"), (2**64 - 1, "81ffffffffffffffff7f")):
            self.assertEqual(negentropy.write_integer(value), hexed(form))

    def test_decode(self):
        self.assertEqual(negentropy.decode(hexed("6100000200")), [negentropy.Part(negentropy.END, 2, [])])
        parts = [negentropy.Part(negentropy.Bound(5, b"\1"), 0),
                 negentropy.Part(negentropy.Bound(5, b"\1\2"), 1, bytes(16)),
                 negentropy.Part(negentropy.Bound(2**64 - 2), 2, [bytes(32)])]
        self.assertEqual(negentropy.decode(negentropy.encode(parts)), parts)
        for bad in ("", "62", "6180060000", "61000003", "61060000010000", "6100000002"):
            self.refused("malformedReconciliation", negentropy.decode, hexed(bad))

    def test_random_sets(self):
        for seed in range(40):
            dice = random.Random(seed)
            def some(most):
                return [(dice.randrange(20 if seed % 2 else 10**6), dice.randbytes(32))
                        for _ in range(dice.choice((0, 3, most)))]
            both, ours, theirs = some(700), some(300), some(400)
            limit = dice.choice((0, 1500, 5000))
            have, need, said = self.dialogue(ItemSet(both + ours), ItemSet(both + theirs), limit)
            self.assertEqual((have, need), ({one for _, one in ours}, {one for _, one in theirs}))
            if limit:
                self.assertLessEqual(max(len(one) for one in said[1::2]), limit + 700)

    def test_a_stage_skips_the_older(self):
        old, common, new = ([(time + n, os.urandom(32)) for n in range(50)] for time in (0, 1000, 2000))
        ours, theirs = ItemSet(common + new), ItemSet(old + common)
        have, need = set(), set()
        message = ours.first_message(50)
        self.assertEqual(negentropy.decode(message)[0].mode, negentropy.SKIP)
        while message:
            message = ours.ask_on(negentropy.decode(theirs.answer(negentropy.decode(message))[0]), have, need)
        self.assertEqual((have, need), ({one for _, one in new}, set()))

    def test_published(self):
        """Dialogues of the reference implementation; without a frame limit every byte is the same."""
        folder = os.environ.get("SCURRY_PUBLISHED_VECTORS")
        if not folder:
            self.skipTest("SCURRY_PUBLISHED_VECTORS names no folder")
        with open(os.path.join(folder, "negentropy.json")) as file:
            cases = json.load(file)
        self.assertEqual(len(cases), 12)
        for one in cases:
            ours, theirs = (ItemSet([(time, hexed(name)) for time, name in one["common"] + one[side]])
                            for side in ("clientOnly", "serverOnly"))
            have, need, said = self.dialogue(ours, theirs, one["frameSizeLimit"])
            self.assertEqual({name.hex() for name in have}, set(one["have"]), one["name"])
            self.assertEqual({name.hex() for name in need}, set(one["need"]), one["name"])
            if not one["frameSizeLimit"]:
                self.assertEqual([message.hex() for message in said], [m["hex"] for m in one["messages"]], one["name"])
            for message in one["messages"]:
                self.assertEqual(negentropy.encode(negentropy.decode(hexed(message["hex"]))).hex(), message["hex"])


class Stages(Case):
    def test_sizes(self):
        self.assertEqual(stages.next_size(stages.FIRST, True), 8192)
        self.assertEqual(stages.next_size(stages.FIRST, False), stages.WHOLE)

    def test_owed(self):
        for known, ours, theirs, owed in ((False, 1, 4, True), (False, 5, 1, False), (False, 0, 0, False),
                                          (False, 0, 3, False), (True, 2, 2, False), (False, 100, 400, True)):
            self.assertEqual(stages.is_owed(known, ours, theirs), owed)

    def test_first_list(self):
        class Fake:
            def __init__(self, root, time):
                self.certificate, self.size = self, 1
                self.root, self.entries = root, [self]
                self.time = time
        logs = [("a1", Fake("a", 1)), ("a9", Fake("a", 9)), ("b5", Fake("b", 5)), ("b99", Fake("b", 99))]
        self.assertEqual([name for name, _ in listing.first_list(logs, 10)], ["b99", "a9", "b5", "a1"])


class Noise(Case):
    def pair(self, network=CAMPUS, **options):
        return Channel(True, bytes([1]) * 32, CAMPUS, **options), Channel(False, bytes([2]) * 32, network)

    def handshake(self, dialler, listener):
        for one, other in ((dialler, listener), (listener, dialler), (dialler, listener)):
            list(other.receive(one.take_out()))

    def test_messages(self):
        dialler, listener = self.pair()
        self.handshake(dialler, listener)
        self.assertTrue(dialler.open and listener.open)
        self.assertEqual((dialler.peer, listener.peer), (listener.public, dialler.public))
        bodies = [b"", b"x", os.urandom(200_000)]
        for body in bodies:
            dialler.send(200, body)
        data = dialler.take_out()
        got = [message for byte in data for message in listener.receive(bytes([byte]))]
        self.assertEqual(got, [(200, body) for body in bodies])

    def fails(self, name, channel, data):
        with self.assertRaises(ChannelError) as caught:
            list(channel.receive(data))
        self.assertEqual(caught.exception.name, name)

    def test_refused(self):
        self.fails("handshake", self.pair()[1], hexed("0021"))
        self.fails("handshake", self.pair()[1], hexed("0020") + bytes(32))
        dialler, listener = self.pair(network=bytes(32))
        list(listener.receive(dialler.take_out()))
        self.fails("handshake", dialler, listener.take_out())
        dialler, listener = self.pair(expected=bytes(32))
        list(listener.receive(dialler.take_out()))
        self.fails("wrongNode", dialler, listener.take_out())
        for data, name in (("0010", "decryption"), ("0011" + "00" * 17, "decryption")):
            dialler, listener = self.pair()
            self.handshake(dialler, listener)
            self.fails(name, listener, hexed(data))
        for plain in ("00000000", "00100001"):
            dialler, listener = self.pair()
            self.handshake(dialler, listener)
            dialler.send_plain(hexed(plain))
            self.fails("messageLength", listener, dialler.take_out())

    def test_rekey(self):
        dialler, listener = self.pair()
        self.handshake(dialler, listener)
        for _ in range(65_540):
            dialler.send_plain(hexed("0000000163"))
        self.assertEqual(len(list(listener.receive(dialler.take_out()))), 65_540)


class Pairs(Case):
    """Two nodes on a pair of sockets."""

    def node(self, posts=0, **options):
        node = Node(CAMPUS, **options)
        node.errors = []
        if posts:
            node.store.own = Device(CAMPUS)
            for number in range(posts):
                node.write(payload.POST, payload.post(f"{number} of {posts}"))
        return node

    def join(self, one, other):
        left, right = socket.socketpair()
        self.addCleanup(left.close)
        self.addCleanup(right.close)
        return one.adopt(left, True), other.adopt(right, False)

    def settle(self, sessions, nodes, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for node in nodes:
                node.step(0.001)
            if all(session.converged for session in sessions):
                self.assertEqual(len({node.store.fingerprint() for node in nodes}), 1)
                return
            self.assertFalse([session.closed.name for session in sessions if session.closed])
        self.fail("did not converge")


class Nodes(Pairs):
    def test_converge(self):
        one, other = self.node(3), self.node(700)
        sessions = self.join(one, other)
        self.settle(sessions, (one, other))
        self.assertEqual(len(one.store.state().posts), 703)
        target = next(iter(one.store.state().posts))
        one.write(payload.VOTE, payload.vote((target, payload.UP)))
        self.settle(sessions, (one, other))
        self.assertEqual(other.store.state().tallies(), {target: [1, 0]})

    def test_nothing(self):
        one, other = self.node(), self.node()
        self.settle(self.join(one, other), (one, other))

    def test_one_byte_at_a_time(self):
        one, other = self.node(2, chop=1), self.node(2, chop=1)
        self.settle(self.join(one, other), (one, other))

    def test_large(self):
        one, other = self.node(1), self.node()
        for _ in range(200):
            one.write(payload.POST, payload.post("x" * 65_000))
        self.settle(self.join(other, one), (one, other))
        self.assertEqual(sum(other.store.sizes().values()), 201)

    def test_a_push_ahead_of_the_answer(self):
        """What is pushed before the first answer is behind what was asked for, and nobody's fault."""
        one, other = self.node(5), self.node()
        sessions = self.join(one, other)
        for _ in range(200):
            other.step(0.001)
            if sessions[1].wants:
                break
            one.step(0.001)
        self.assertTrue(sessions[1].wants)
        one.store.own_confirmed = True
        log = one.store.logs[one.store.own.log]
        one.store.write(payload.POST, payload.post("meanwhile"))
        sessions[0].push(log.chunk(5, 6, False), 6)
        self.settle(sessions, (one, other))

    def test_three_in_a_row(self):
        one, two, three = self.node(2), self.node(), self.node(1)
        sessions = self.join(one, two) + self.join(two, three)
        self.settle(sessions, (one, two, three))
        one.write(payload.POST, payload.post("live"))
        self.settle(sessions, (one, two, three))

    def test_erased(self):
        one, other = self.node(2), self.node()
        first = next(one.store.counted())[1]
        one.write(payload.DELETE, payload.delete(first.id))
        self.assertIsNone(first.payload)
        self.settle(self.join(other, one), (one, other))
        self.assertTrue(other.store.state().posts[first.id].deleted)

    def test_body_wanted(self):
        one, other, third = self.node(2), self.node(), self.node()
        self.settle(self.join(other, one), (one, other))
        entry = next(other.store.counted())[1]
        kept, entry.payload = entry.payload, None
        self.settle(self.join(third, other), (third, other))
        self.assertEqual(len(third.store.missing), 1)
        self.settle(self.join(third, one), (third, one))
        self.assertEqual(third.store.missing, set())
        self.assertEqual(next(third.store.counted())[1].payload, kept)

    def test_old_copy_stops_signing(self):
        one, other, old = self.node(1), self.node(), self.node()
        old.store.own = one.store.own
        self.settle(self.join(other, one), (one, other))
        self.join(old, other)
        for _ in range(100):
            other.step(0)
            old.step(0)
        self.assertTrue(old.store.stopped_signing)

    def test_claim_of_another_branch(self):
        one, other, old = self.node(3), self.node(), self.node()
        old.store.own = one.store.own
        for _ in range(2):
            old.write(payload.POST, payload.post("another history"))
        self.settle(self.join(other, one), (one, other))
        session, _ = self.join(old, other)
        for _ in range(100):
            other.step(0.001)
            old.step(0.001)
        self.assertTrue(old.store.stopped_signing)
        self.assertTrue(old.store.logs[old.store.own.log].set_aside)
        self.assertEqual(old.store.servable(old.store.own.log), 0)
        self.assertIsNone(session.closed)

    def test_who_lacks_what_it_claims_shows_its_head(self):
        for shown in (True, False):
            one, other, old = self.node(3), self.node(), self.node()
            old.store.own = one.store.own
            self.settle(self.join(other, one), (one, other))
            session, theirs = self.join(old, other)
            theirs._Want = lambda m: theirs.send(wire.CHUNKS, lacking=[old.store.own.log])
            if not shown:
                theirs._PrefixWanted = lambda m: theirs.send(wire.PREFIX, log=m["log"], end=m["end"])
            for _ in range(100):
                other.step(0.001)
                old.step(0.001)
            self.assertEqual(old.store.stopped_signing, shown)
            self.assertFalse(old.store.agreed)
            self.assertFalse(old.store.claims)
            self.assertIsNone(session.closed)

    def test_a_longer_own_log_is_fetched(self):
        one, other, old = self.node(3), self.node(), self.node()
        old.store.own = one.store.own
        self.settle(self.join(other, one), (one, other))
        self.settle(self.join(old, other), (old, other))
        self.assertTrue(old.store.stopped_signing)
        self.assertEqual(old.store.servable(old.store.own.log), 3)

    def test_comparison(self):
        one, other = self.node(2), self.node()
        sessions = self.join(other, one)
        self.settle(sessions, (one, other))
        third = self.node(2)
        for log_ in third.store.logs.values():      # behind the session's back
            one.store.logs[log_.certificate.log] = log_
        one.store._fingerprint = None
        sessions[1]._keep_alive()      # a fingerprint that differs, from a side that is quiet
        self.settle(sessions, (one, other))


class Reconciliation(Pairs):
    """sync.md §13 between two nodes of this implementation, the first of which dials."""

    def people(self, *spans, posts=1, **options):
        node = self.node(**options)
        for numbers in spans:
            crowd.fill(node.store, numbers, posts)
        return node

    def between(self, one, other):
        sessions = self.join(one, other)
        self.settle(sessions, (one, other))
        return sessions

    def test_equal(self):
        dialler, _ = self.between(self.people(range(40)), self.people(range(40)))
        self.assertEqual((dialler.reconciling.rounds, dialler.reconciling.stages), (1, [40]))

    def test_both_ways(self):
        one, other = self.people(range(60)), self.people(range(10, 70))
        dialler, listener = self.between(one, other)
        self.assertEqual(len(one.store.held()), 70)
        self.assertEqual(dialler.reconciling.rounds, listener.reconciling.rounds)
        self.assertEqual((one.served["items"], other.served["items"]), (10, 10))
        self.assertFalse(dialler.owes or listener.owes)

    def test_a_log_that_went_on(self):
        one, other = self.people(range(50)), self.people(range(50))
        device = crowd.person(CAMPUS, 7)
        other.store.append(device, payload.POST, payload.post("later"), crowd.EPOCH * 2, 1)
        self.between(one, other)
        self.assertEqual(one.store.logs[device.log].size, 2)

    def test_stages(self):
        one, other = self.people(range(1100)), self.people(range(1), range(2, 1103))
        dialler, _ = self.between(one, other)
        self.assertEqual(dialler.reconciling.stages, [1024, 1103])

    def test_due(self):
        one, other = self.people(range(5)), self.people(range(5))
        sessions = self.between(one, other)
        third = self.people(range(5, 8))
        other.store.logs |= third.store.logs         # behind the session's back
        other.store._fingerprint = None
        sessions[1]._keep_alive()
        self.settle(sessions, (one, other))
        self.assertEqual(sessions[0].reconciling.rounds, 2)

    def test_own_entries(self):
        one, other = self.node(3), self.node(2)
        dialler, _ = self.between(one, other)
        self.assertEqual(dialler.version, 2)
        one.write(payload.POST, payload.post("live"))
        self.settle(one.sessions.values(), (one, other))

    def test_version_1(self):
        one, other = self.people(range(9), version=1), self.people(range(5, 12))
        dialler, listener = self.between(one, other)
        self.assertEqual((dialler.version, listener.version, dialler.reconciling.rounds), (1, 1, 0))

    def test_only_a_listener_has(self):
        one, other = self.node(), self.people(range(30), posts=2)
        dialler, _ = self.between(one, other)
        self.assertEqual((dialler.reconciling.rounds, other.served["entries"]), (0, 60))

    def test_cursor(self):
        one, other = self.people(range(4)), self.people(range(20))
        sessions = self.between(one, other)
        for _ in range(50):                          # until both have the other's quiet word
            one.step(0.01)
            other.step(0.01)
        for session in sessions:
            session.goodbye()
        crowd.fill(other.store, range(20, 21), 1)
        dialler, listener = self.between(one, other)
        self.assertEqual(dialler.reconciling.rounds, 0)
        self.assertEqual(listener.peer["cursor_store"], other.store.id)

    def refused_by(self, name, which, kind, **fields):
        sessions = self.between(self.people(range(5)), self.people(range(4)))
        nodes = [session.node for session in sessions]
        sessions[which].send(kind, **fields)
        for _ in range(20):
            for node in nodes:
                node.step(0.001)
        closed = sessions[1 - which].closed
        self.assertEqual(closed and closed.name, name)

    def test_impossible(self):
        impossible = "impossibleReconciliation"
        for fields in ({}, {"stage": 9, "round": 2, "message": b"a"}, {"stage": 9, "round": 200, "message": b"a"}):
            self.refused_by(impossible, 0, wire.RECONCILE, **fields)
        self.refused_by("malformedReconciliation", 0, wire.RECONCILE, stage=9, round=1, message=b"b")
        self.refused_by(impossible, 0, wire.ITEMS_WANTED, stage=1, ids=[bytes(32)])
        self.refused_by(impossible, 0, wire.ITEMS, stage=1)
        self.refused_by("unaskedAnswer", 0, wire.ITEMS, stage=9, end=1)
        self.refused_by(impossible, 1, wire.RECONCILE)          # the second request for a run
        self.refused_by(impossible, 1, wire.RECONCILE, stage=9, round=1, message=b"a")
        self.refused_by(impossible, 1, wire.ITEMS_WANTED, stage=1, ids=[bytes(32)])
        self.refused_by("unaskedAnswer", 1, wire.ITEMS, stage=9, end=1)


class Forks(Pairs):
    """sync.md §9 between nodes of this implementation: branches, settlements, ends of accounts."""

    def branches(self, *posts, **options):
        """Nodes that hold one person's log in different branches, with so many posts each."""
        nodes = []
        for index, many in enumerate(posts):
            node = self.node(**options)
            crowd.fill(node.store, range(1), many, f"branch {index}" if index else "")
            nodes.append(node)
        return nodes

    def meet(self, *nodes):
        sessions = []
        for at in range(len(nodes) - 1):
            sessions += self.join(nodes[at], nodes[at + 1])
        self.settle(sessions, nodes)
        return sessions

    def log_of(self, node, number=0):
        return node.store.logs[crowd.person(CAMPUS, number).log]

    def settlement(self, node, size, serial=1):
        log_ = self.log_of(node)
        root, secret = keypair_from_seed(identity.root_seed(crowd.entropy(0)))
        return Settlement.issue(CAMPUS, root, secret, log_.name, size, log_.root_at(size) if size else bytes(32), serial)

    def settle_log(self, node, size, serial=1):
        made = self.settlement(node, size, serial)
        node.store.put_words(self.log_of(node), Settlement.check(made.bytes, CAMPUS), None, None)

    def test_found(self):
        for posts in ((2, 2), (5, 9), (300, 200), (3, 700), (260, 1000)):
            one, other = self.branches(*posts)
            self.meet(one, other)
            for node in (one, other):
                self.assertEqual((self.log_of(node).evidence.seq, self.log_of(node).size), (1, 1))
            self.assertGreater(one.served["prefixes"] + other.served["prefixes"], 0)

    def test_deep(self):
        """The difference lies below several questions for nodes."""
        one, other = self.node(), self.node()
        crowd.fill(one.store, range(1), 1500)
        crowd.fill(other.store, range(1), 700)
        device = crowd.person(CAMPUS, 0)
        for index in range(900):
            other.store.append(device, payload.POST, payload.post(f"{index}"), 1, 1)
        self.meet(other, one)
        self.assertEqual((self.log_of(one).evidence.seq, self.log_of(other).size), (700, 700))
        self.assertEqual(one.store.fingerprint(), other.store.fingerprint())
        self.assertGreater(one.served["nodes"] + other.served["nodes"], 0)

    def test_three(self):
        nodes = self.branches(4, 6, 7)
        self.meet(*nodes)
        self.assertEqual({self.log_of(node).size for node in nodes}, {1})

    def test_bystander(self):
        one, other = self.branches(4, 6)
        third = self.node(2)
        self.meet(one, third, other)
        self.assertEqual(self.log_of(third).size, 1)

    def test_told_to_a_newcomer(self):
        one, other = self.branches(4, 6)
        self.meet(one, other)
        third = self.node()
        self.meet(third, one)
        log_ = self.log_of(third)
        self.assertEqual((log_.size, log_.evidence.seq, log_.head), (1, 1, 0))
        fourth = self.node()
        self.meet(fourth, third)

    def test_lower_evidence(self):
        one, other = self.branches(6, 8)
        third = self.node()
        device = crowd.person(CAMPUS, 0)
        for text in ("x", "y", "z"):
            third.store.append(device, payload.POST, payload.post(text), 1, 1)
        self.meet(one, other)
        self.meet(third, other, one)
        self.assertEqual({self.log_of(node).size for node in (one, other, third)}, {0})

    def test_settled_branch(self):
        for size in (1, 3, 5, 6):
            one, other = self.branches(6, 8)
            self.meet(one, other)
            third = self.node()
            self.settle_log(one, size)
            self.meet(one, other)
            self.meet(third, other)
            for node in (one, other, third):
                log_ = self.log_of(node)
                self.assertTrue(log_.complete)
                self.assertEqual((log_.size, len(log_.entries) >= size), (size, True))
            self.assertEqual(one.store.missing | other.store.missing | third.store.missing, set())

    def test_settled_before_the_fork_is_known(self):
        one, other = self.branches(6, 8)
        self.settle_log(one, 5)
        self.meet(one, other)
        self.assertEqual((self.log_of(other).size, self.log_of(other).complete), (5, True))

    def test_settled_while_connected(self):
        one, other = self.branches(6, 8)
        sessions = self.meet(one, other)
        for serial, size in ((1, 6), (2, 3), (3, 0), (4, 4)):
            self.settle_log(one, size, serial)
            self.settle(sessions, (one, other))
            self.assertEqual(self.log_of(other).size, size)

    def test_no_end_beyond(self):
        one, other = self.branches(6, 0)
        self.settle_log(one, 4)
        self.meet(other, one)
        self.assertEqual((self.log_of(other).size, len(self.log_of(other).entries)), (4, 4))
        self.assertEqual(self.log_of(other).head, 0)

    def test_end_of_account(self):
        one, other = self.branches(6, 8)
        third = self.node()
        crowd.fill(third.store, range(3), 2)
        sessions = self.meet(one, third)
        root, secret = keypair_from_seed(identity.root_seed(crowd.entropy(0)))
        one.store.put_end(Settlement.issue(CAMPUS, root, secret, bytes(32), 0, bytes(32), 1), None)
        self.settle(sessions, (one, third))
        self.assertEqual((len(third.store.held()), len(third.store.named())), (2, 3))
        self.meet(other, third)
        self.assertEqual(len(other.store.state().posts), 4)

    def test_sixteen_logs(self):
        one, other = self.node(), self.node()
        entropy = bytes(16)
        devices = [Device(CAMPUS, entropy, serial=number) for number in range(1, 18)]
        for node, order in ((one, devices), (other, devices[::-1])):
            for device in order:
                if not node.store.leaves_alone(device.log):
                    node.store.append(device, payload.POST, payload.post("x", salt=bytes(16)), 1, 1)
        self.assertEqual(one.store.fingerprint(), other.store.fingerprint())
        self.assertEqual(len(one.store.held()), 16)

    def test_version_1(self):
        one, other = self.branches(3, 5, version=1)
        left, right = self.join(one, other)
        for _ in range(100):
            one.step(0.001)
            other.step(0.001)
        self.assertIsNone(left.closed or right.closed)
        self.assertEqual(left.apart, {self.log_of(one).name})
        self.assertIsNone(self.log_of(one).evidence)

    def test_a_writer_learns_of_its_fork(self):
        one, other, twin = self.node(3), self.node(), self.node()
        self.meet(other, one)
        twin.store.own = one.store.own
        twin.write(payload.POST, payload.post("another first"))
        twin.store.own = None
        self.meet(one, other, twin)
        self.assertTrue(one.store.stopped_signing)

    def lied_to(self, what, posts):
        one, other = self.branches(*posts)
        liar, session = self.join(one, other)
        lying.teach(liar, what)
        for _ in range(200):
            one.step(0.001)
            other.step(0.001)
            if session.closed:
                return session.closed.name
        return None

    def test_lies(self):
        for what, (name, posts) in lying.LIES.items():
            said = self.lied_to(what, posts)
            self.assertEqual(wire.VIOLATIONS.get(said), wire.VIOLATIONS[name], f"{what}: {said}")


class LongLogs(Pairs):
    """Windows (sync.md §5): logs of more entries than are asked for first."""

    def filled(self, people, posts, *branch):
        node = self.node()
        crowd.fill(node.store, people, posts, *branch)
        return node

    def log_of(self, node):
        return node.store.logs[crowd.person(CAMPUS, 0).log]

    def test_newest_first(self):
        one, other = self.filled(range(2), 1500), self.node()
        self.settle(self.join(other, one), (one, other))
        self.assertEqual((one.served["windows"], one.served["entries"], one.served["missing"]), (2, 2048, 952))
        self.assertEqual((other.taken["windows"], other.taken["missing"]), (2, 952))
        self.assertFalse([log_ for log_ in other.store.logs.values() if log_.gap])
        self.assertEqual(len(other.store.state().posts), 3000)

    def test_one_that_does_not_know_them(self):
        one, other = self.filled(range(1), 1500), self.node(version=1)
        self.settle(self.join(other, one), (one, other))
        self.assertEqual((one.served["windows"], one.served["entries"]), (0, 1500))

    def test_a_relay_that_lacks_history(self):
        """What one lacks another gives; what counts is equal all the while."""
        one, relay, other = self.filled(range(1), 1500), self.node(), self.node()
        log_ = self.log_of(one)
        window = log_.chunk(476, 1500, True)
        relay.store.add_proven(log_.certificate, log_.entries[476:], log_.range.copy(), window, tree.Range(1500, 1500), None,
                               log_.span(0, 476))
        self.assertEqual(self.log_of(relay).item, log_.item)
        sessions = self.join(other, relay)
        self.settle(sessions, (relay, other))
        self.assertEqual((self.log_of(other).gap.begin, self.log_of(other).gap.end), (0, 476))
        self.assertEqual(other.store.fingerprint(), one.store.fingerprint())
        self.settle(sessions + self.join(other, one), (one, relay, other))
        self.assertIsNone(self.log_of(other).gap)
        self.assertEqual(len(other.store.state().posts), 1500)

    def test_forks_behind_and_within_a_gap(self):
        """A difference behind what is left out is found over it; for one within, the whole history is fetched anew."""
        for begin, cut in ((1400, 1400), (200, 2**64 - 1)):
            one, relay = self.filled(range(1), 1500), self.node()
            log_ = self.log_of(one)
            relay.store.add_proven(log_.certificate, log_.entries[476:], log_.range.copy(), log_.chunk(476, 1500, True),
                                   tree.Range(1500, 1500), None, log_.span(0, 476))
            forked = self.filled(range(1), 1600, "otherwise", begin)
            sessions = self.join(relay, forked)
            self.settle(sessions, (relay, forked))
            self.assertEqual([self.log_of(node).cut for node in (relay, forked)], [cut, cut])
            self.assertIsNone(self.log_of(relay).gap)
            self.settle(sessions + self.join(relay, one), (one, relay, forked))
            self.assertEqual([self.log_of(node).cut for node in (one, relay, forked)], [begin] * 3)


class Published(Case):
    """The vectors of other programs that this client's parts can read."""

    def vectors(self, name):
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "..", "..", "protocol", "vectors", name)) as file:
            return json.load(file)

    def verdict(self, good, call):
        try:
            call()
        except Refused as why:
            return why.name
        except log.NotYet as why:
            return why.name
        return good

    def test_settlements(self):
        cases = self.vectors("identity.json")["settlements"]
        self.assertGreaterEqual(len(cases), 24)
        for one in cases:
            said = self.verdict("valid", lambda: Settlement.check(hexed(one["hex"]), hexed(one["network"])))
            self.assertEqual(said, one["verdict"], one["name"])

    def test_certificates(self):
        cases = self.vectors("identity.json")["certificates"]
        self.assertGreaterEqual(len(cases), 23)
        for one in cases:
            said = self.verdict("valid", lambda: identity.Certificate.check(hexed(one["hex"]), hexed(one["network"])))
            self.assertEqual(said, one["verdict"], one["name"])

    def test_evidence(self):
        cases = self.vectors("log.json")["evidence"]
        self.assertGreaterEqual(len(cases), 29)
        for one in cases:
            said = self.verdict("proof", lambda: Evidence.parse(hexed(one["hex"])).check(
                hexed(one["network"]), hexed(one["device"])))
            self.assertEqual(said, one["verdict"], one["name"])


class Vectors(Case):
    """The handshake in channel.json was made by another Noise than the one that Channel uses."""

    def test_channel(self):
        made = vectors.channel()
        handshake = made["handshake"]
        ends = {}
        for who in ("initiator", "responder"):
            keys = handshake[who]
            ends[who] = Channel(who == "initiator", hexed(keys["static_private"]), hexed(made["network_id"]),
                                ephemeral=hexed(keys["ephemeral_private"]))
        for one in handshake["messages"]:
            sender, receiver = ends[one["from"]], ends["responder" if one["from"] == "initiator" else "initiator"]
            wire_bytes = sender.take_out()
            self.assertEqual(wire_bytes.hex(), one["wire"])
            self.assertEqual(list(receiver.receive(wire_bytes)), [])
        for one in made["transport"]:
            sender, receiver = ends[one["from"]], ends["responder" if one["from"] == "initiator" else "initiator"]
            sender.send_plain(hexed(one["plaintext"]))
            wire_bytes = sender.take_out()
            self.assertEqual(wire_bytes.hex(), one["wire"])
            self.assertEqual([{"type": kind, "body": body.hex()} for kind, body in receiver.receive(wire_bytes)],
                             one["completes"])

    def test_channel_refused(self):
        made = vectors.channel()
        for one in made["refused"]:
            keys = made["handshake"][one["receiver"]]
            channel = Channel(one["receiver"] == "initiator", hexed(keys["static_private"]), hexed(made["network_id"]),
                              ephemeral=hexed(keys["ephemeral_private"]),
                              expected=hexed(one["expected"]) if "expected" in one else None)
            with self.assertRaises(ChannelError, msg=one["name"]) as caught:
                for data in one["receives"]:
                    list(channel.receive(hexed(data)))
            self.assertEqual(caught.exception.name, one["verdict"], one["name"])

    def test_sync(self):
        for one in vectors.sync()["messages"]:
            try:
                body = hexed(one["body"])
                if "repeat" in one:
                    body += hexed(one["repeat"]["bytes"]) * one["repeat"]["times"]
                message = wire.decode(one["type"], body)
                wire.check(one["type"], message)
                verdict = "ok"
            except Refused as why:
                verdict = why.name
            self.assertEqual(verdict, one["verdict"], one["name"])
            if "fields" in one:
                self.assertEqual(vectors.shown(message), one["fields"], one["name"])

    def test_negentropy(self):
        for one in vectors.sync()["negentropy"]:
            message = hexed(one["bytes"])
            if "repeat" in one:
                message += hexed(one["repeat"]["bytes"]) * one["repeat"]["times"]
            try:
                negentropy.decode(message)
                verdict = "ok"
            except Refused as why:
                verdict = why.name
            self.assertEqual(verdict, one["verdict"], one["name"])


class Near(Case):
    """near.json, by this client's own parts; the bytes of each were made without them where that is possible."""

    def verdict(self, good, call):
        try:
            call()
        except (Refused, log.NotYet) as why:
            return why.name
        return good

    def test_payloads(self):
        for one in near.payloads():
            data = hexed(one["hex"]) + hexed(one["repeat"]["bytes"]) * one["repeat"]["times"]
            self.assertEqual(self.verdict("valid", lambda: payload.validate(one["kind"], data)), one["verdict"], one["name"])

    def test_certificates(self):
        for one in near.certificates():
            said = self.verdict("valid", lambda: identity.Certificate.check(hexed(one["hex"]), hexed(one["network"])))
            self.assertEqual(said, one["verdict"], one["name"])

    def test_invites(self):
        for one in near.invites():
            said = self.verdict("ok", lambda: invite.parse(one["line"]))
            self.assertEqual("ok" if said == "ok" else "refused", one["verdict"], one["name"])

    def test_chunks(self):
        for one in near.chunks():
            def check():
                known = [(int(root["size"]), hexed(root["root"])) for root in (one["settled"], one["cut"]) if root]
                side = one["side"] and tree.Range(0, int(one["side"]["end"]), [hexed(node) for node in one["side"]["nodes"]])
                held = tree.Range(0, int(one["held"]), [hexed(node) for node in one["prefix"]])
                chunk = log.Chunk(hexed(one["log"]), int(one["start"]), int(one["count"]), int(one["size"]), b"",
                                  hexed(one["entries"]), b"".join(hexed(node) for node in one["right"]),
                                  hexed(one["certificate"] or ""))
                certificate = identity.Certificate(hexed(one["known"])) if one["known"] else None
                log.check_chunk(hexed(one["network"]), chunk, held, certificate, known, side and (side, known[0]))
            self.assertEqual(self.verdict("verified", check), one["verdict"], one["name"])


    def test_windows(self):
        self.assertEqual(self.run_windows("windows"), 63)

    def test_in_place(self):
        self.assertEqual(self.run_windows("in_place"), 23)

    def run_windows(self, list_):
        """`in_place`: over what is before the gap, as the ground of that name has it."""
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../protocol/vectors/log.json")
        with open(path, encoding="utf-8") as file:
            cases = json.load(file)[list_]
        for one in cases:
            def check():
                def joined(name, of):
                    return b"".join(hexed(value) for value in of[name])

                def range_(begin, end, nodes):
                    return tree.Range(int(begin), int(end), [hexed(value) for value in nodes])
                chunk = log.Chunk(hexed(one["log"]), int(one["start"]), int(one["count"]), int(one["size"]),
                                  hexed(one["signature"]), hexed(one["entries"]), joined("right", one),
                                  hexed(one["certificate"] or ""))
                chunk.left, gap = joined("left", one), one.get("gap")
                certificate = identity.Certificate(hexed(one["known"])) if one["known"] else None
                if gap:
                    gap = (range_(0, gap["start"], gap["before"]), range_(gap["start"], gap["end"], gap["nodes"]))
                asked = None if one["asked"] is None else int(one["asked"])
                settled, cut = (one.get(name) and (int(one[name]["size"]), hexed(one[name]["root"]))
                                for name in ("settled", "cut"))
                side = one.get("side")
                side = side and (range_(0, side["end"], side["nodes"]), settled)
                held = range_(0, one["held"], one["prefix"])
                if list_ == "in_place":
                    held, gap = gap[0], None
                log.check_chunk(hexed(one["network"]), chunk, held, certificate,
                                [known for known in (settled, cut) if known], side, asked, gap)
            self.assertEqual(self.verdict("verified", check), one["verdict"], one["name"])
        return len(cases)


class Dialogues(Case):
    """Each dialogue with a session of this client as the receiver, in a time of its own."""

    def play(self, case):
        one, other = Node(dialogues.NETWORK), Node(dialogues.NETWORK)
        receiver = Session(one, case["receiver"] == "dialled")
        channel = Channel(case["receiver"] != "dialled", other.private, dialogues.NETWORK)
        one.sessions[None] = receiver
        now, came = 0.0, []

        def pump():
            nonlocal now
            for _ in range(4):
                now += 0.05
                came.extend(channel.receive(receiver.channel.take_out()))
                receiver.receive(channel.take_out(), now)
                receiver.tick(now)

        def said(message):
            again = message.get("repeat", {"bytes": "", "times": 0})
            channel.send(message["type"], hexed(message["body"]) + hexed(again["bytes"]) * again["times"])

        pump()
        self.assertIn(case.get("credit"), (None, CREDIT))
        heard, messages = 0, deque(case["messages"])
        while messages:
            message = messages.popleft()
            while "awaits" in message and now < 90 and message["awaits"] not in [kind for kind, _ in came[heard:]]:
                pump()
            heard = len(came)
            said(message)
            while messages and messages[0].get("together"):
                said(messages.popleft())
            pump()
        for _ in range(4 * ("answers" in case) + 5 * case["messages"][-1].get("listens", 0)):
            pump()
        self.answers(case, came[heard:])
        if not receiver.closed:
            return "ok"
        if receiver.closed.violation:
            return receiver.closed.name
        return f"goodbye {receiver.closed.reason}" if receiver.closed.reason else "ended"

    def answers(self, case, came):
        """What was said last, as far as the dialogue tells it."""
        said = {"wants": [], "chunks": [], "lacking": [], "lacking_before": [], "bodies": [], "prefixes": [], "nodes": [],
                "own_logs": [], "named": []}
        for kind, body in came:
            m = wire.decode(kind, body)
            if kind == wire.WANT:
                said["wants"] += [{"log": one["log"].hex(), "from": one["from"], "certificate": one["certificate"],
                                   "newest": one["newest"] > 0, "until": one["until"]} for one in m["wants"]]
            elif kind == wire.CHUNKS:
                said["chunks"] += [{"log": one["log"].hex(), **{key: one[key] for key in ("start", "count", "size")},
                                    "certificate": bool(one["certificate"]), "signature": bool(one["signature"]),
                                    "left": len(one["left"]) // 32, "right": len(one["right"]) // 32} for one in m["chunks"]]
                for name in ("lacking", "lacking_before"):
                    said[name] += [one.hex() for one in m[name]]
            elif kind == wire.BODIES:
                said["bodies"] += [one["payload"] is not None for one in m["bodies"]]
            elif kind == wire.PREFIX:
                said["prefixes"].append(len(m["nodes"]) // 32)
            elif kind == wire.NODES:
                said["nodes"].append(len(m["hashes"]) // 32)
            elif kind == wire.OWN_LOG:
                said["own_logs"].append({"log": m["log"].hex(), "size": m["size"]})
            elif kind in (wire.CHANGES, wire.COMPARISON, wire.ITEMS):
                said["named"] += [{"log": one["log"].hex(), "size": one["size"]} for one in m["logs"]]
            elif kind == wire.KEEP_ALIVE:
                said["count"] = m["count"]
        for key, expected in case.get("answers", {}).items():
            with self.subTest(case["name"]):
                self.assertEqual(said.get(key), expected, key)

    def test_dialogues(self):
        cases = dialogues.dialogues()
        self.assertEqual(len({one["name"] for one in cases}), len(cases))
        cases = [one for one in cases if set(one.get("needs", ())) <= set(FEATURES)]
        self.assertEqual(len(cases), 276)
        for one in cases:
            said = self.play(one)
            expected = one["verdict"]
            if expected in wire.VIOLATIONS:
                said, expected = wire.VIOLATIONS.get(said, said), wire.VIOLATIONS[expected]
            with self.subTest(one["name"]):
                self.assertEqual(said, expected)


class OwnLogs(Dialogues):
    """own-log.json, by a node of this client that writes the log; each peer has a session."""

    def home(self, case):
        node = Node(dialogues.NETWORK)
        store, device = node.store, crowd.person(dialogues.NETWORK, 0)
        store.own = device
        crowd.fill(store, range(1), case["own"])
        store.own_left, store.stopped_signing = case["published"], case.get("stopped", False)
        return node

    def play(self, case):
        node, now, ends, keys = self.home(case), 0.0, {}, {}
        said, since = [], {}        # (peer, type, fields) of what the node said; how much of it there was at each peer's last step

        def pump(seconds):
            nonlocal now
            end = now + seconds
            while now < end:
                now += 0.05
                for peer, (session, channel) in ends.items():
                    try:
                        said.extend((peer, kind, wire.decode(kind, body)) for kind, body in channel.receive(session.channel.take_out()))
                        session.receive(channel.take_out(), now)
                    except ChannelError:
                        pass
                    session.tick(now)

        faults = []

        def forget(peer):
            session, _ = ends.pop(peer)
            if session.closed and session.closed.violation:
                faults.append(session.closed.name)
            node.sessions.pop(peer, None)

        for step in case["steps"]:
            peer = step.get("peer")
            if "seconds" in step:
                pump(step["seconds"])
                continue
            if "gone" in step:
                forget(peer)
                pump(0.2)
                continue
            if peer not in ends:
                keys.setdefault(peer, Node(dialogues.NETWORK).private)
                ends[peer] = Session(node, False, started=now), Channel(True, keys[peer], dialogues.NETWORK)
                node.sessions[peer] = ends[peer][0]
                pump(0.2)
            if "awaits" in step:
                heard = [kind for who, kind, _ in said[since[peer]:] if who == peer]
                self.assertIn(step["awaits"], heard, case["name"])
            if not step.get("together"):
                since[peer] = len(said)
            ends[peer][1].send(step["type"], hexed(step["body"]))
            if step["type"] != wire.PREFIX_WANTED:
                pump(0.3)
        last = [step["peer"] for step in case["steps"] if "peer" in step][-1]
        pump(1)
        with self.subTest(case["name"]):
            self.answers(case, [(kind, wire.encode(kind, **fields)) for who, kind, fields in said[since[last]:] if who == last])
        for peer in list(ends):
            forget(peer)
        claims = [{"peer": peer, "from": one["from"]} for peer, kind, fields in said if kind == wire.WANT
                  for one in fields["wants"] if one["certificate"]]
        return node.store, faults, claims, now

    def test_dialogues(self):
        cases = own_log.own_log()["cases"]
        self.assertEqual(len({one["name"] for one in cases}), len(cases))
        cases = [one for one in cases if set(one.get("needs", ())) <= set(FEATURES)]
        self.assertEqual(len(cases), 99)
        for one in cases:
            store, faults, claims, now = self.play(one)
            with self.subTest(one["name"]):
                log, verdict = store.logs.get(store.own.log), one["verdict"]
                delayed = any(until > now for until in store.claims.values())
                if verdict in wire.VIOLATIONS:
                    self.assertEqual([wire.VIOLATIONS[name] for name in faults], [wire.VIOLATIONS[verdict]])
                else:
                    self.assertEqual(faults, [])
                    self.assertEqual(store.stopped_signing, verdict in ("longer", "otherBranch", "stopped"))
                    self.assertEqual(store.agreed and not delayed and not store.stopped_signing, verdict == "released")
                self.assertEqual(claims, one["claims"])
                if one["published_after"] is not None:
                    self.assertEqual(store.own_left, one["published_after"])
                if one["held"] is not None:
                    self.assertEqual(len(log.entries) if log else 0, one["held"])
                if one["next"]:
                    self.assertEqual((log.root if log else bytes(32)).hex(), one["next"]["root"])
                if "set_aside" in one:
                    self.assertEqual(log.set_aside, one["set_aside"])


class Program(Case):
    def run_client(self, *arguments):
        return subprocess.run([sys.executable, "-m", "scurry_client", "--network", "campus", *arguments],
                              cwd=os.path.dirname(os.path.abspath(__file__)), capture_output=True, text=True,
                              timeout=60)

    def test_post_and_catch_up(self):
        listener = subprocess.Popen(
            [sys.executable, "-m", "scurry_client", "--network", "campus", "listen", "--post", "hello",
             "--sessions", "3"], cwd=os.path.dirname(os.path.abspath(__file__)), stdout=subprocess.PIPE, text=True)
        self.addCleanup(listener.stdout.close)
        self.addCleanup(listener.kill)
        said = json.loads(listener.stdout.readline())
        peer = ["--peer", f"127.0.0.1:{said['port']}", "--node-id", said["id"]]
        joined = self.run_client(*peer, "join")
        self.assertEqual(joined.returncode, 0, joined.stderr)
        self.assertEqual(json.loads(joined.stdout)["hello"]["version"], 2)
        posted = self.run_client(*peer, "post", "grüezi", "--channel", "a")
        self.assertEqual(posted.returncode, 0, posted.stderr)
        caught = json.loads(self.run_client(*peer, "catch-up").stdout)
        self.assertEqual({one["text"] for one in caught["posts"]}, {"hello", "grüezi"})
        self.assertEqual(json.loads(posted.stdout)["fingerprint"], caught["fingerprint"])
        self.assertEqual(json.loads(listener.communicate(timeout=20)[0])["fingerprint"], caught["fingerprint"])


if __name__ == "__main__":
    unittest.main()
