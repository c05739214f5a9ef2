"""Dialogues for near.json: windows, scopes and branches in use (sync.md §3, §5 and §6), what takes the place of what is
behind a gap, patient wants (§5), the bounds of what a receiver keeps, and what answers its own questions.

The log of `windows` is the one branch of nine entries; of `scopes` there are two people, of whom one may be outside."""

from dialogues import NETWORK, NO, branch, flip
from scurry_client import crowd, wire
from scurry_client.log import pack_entry
from scurry_client.settlement import Settlement, end_of
from scurry_client.store import Store
from scurry_client.tree import range_of

BOTH = [1, 2]
ALLOWED = 4_194_304         # bytes, of a receiver whose Hello says so


def nodes(log, start, end):
    return b"".join(range_of(log.ids, start, end).nodes)


def want(log, begin=0, newest=False, until=0, certificate=False):
    """As `answers` tells it."""
    return {"log": log.name.hex(), "from": begin, "certificate": certificate, "newest": newest, "until": until}


def shown(log, start, count, size, left=0, right=0, certificate=False, signature=True):
    return {"log": log.name.hex(), "start": start, "count": count, "size": size, "certificate": certificate,
            "signature": signature, "left": left, "right": right}


def windows(made):
    log = made.other
    name = log.name
    named = wire.CHANGES, {"logs": [{"log": name, "size": 9}], "number": 1}

    def add(what, verdict, *messages, **more):
        made.add("windows: " + what, verdict, *messages, needs=[1], **{"features": BOTH} | more)

    def window(start=6, end=9, certified=True, **change):
        return made.chunk(log, start, end, certified, **{"left": nodes(log, 0, start)} | change)

    def fill(start=0, end=6, until=6, **change):
        return made.chunk(log, start, end, False, **{"size": until, "signature": NO, "right": nodes(log, end, until)} | change)

    def ask(begin=0, **more):
        return wire.WANT, {"wants": [{"log": name, "from": begin} | more]}

    def said(chunks=(), lacking=0, before=0):
        return {"chunks": list(chunks), "lacking": [name.hex()] * lacking, "lacking_before": [name.hex()] * before}

    whole, gap = ask(), (named, window())
    # What is asked for.
    add("the newest of a log are asked for", "ok", named, answers={"wants": [want(log, 0, True, certificate=True)]})
    add("not where they are not named", "ok", named, features=None, answers={"wants": [want(log, certificate=True)]})
    add("not in version 1, which names them", "ok", named, version=1, answers={"wants": [want(log, certificate=True)]})
    add("then what was left out, by name", "ok", *gap, answers={"wants": [want(log, until=6)]})
    pending, lacks = made.chunk(log, 0, 2), (wire.CHUNKS, {"lacking": [name]})
    add("the newest behind what is here", "ok", pending, answers={"wants": [want(log, 2, True)]})
    for what, more in (("settled", {"settlement": made.settlement(size=4, root=log.root_at(4))}),
                       ("forked", {"evidence": made.evidence()})):
        add(f"the newest of a log that is {what}", "ok", pending, lacks, made.words(log, **more),
            answers={"wants": [want(log, 2, True)]})
        size = 4 if what == "settled" else 3
        if what == "settled":
            add("a window under the settled root", "ok", pending, lacks, made.words(log, **more),
                made.chunk(log, 3, 4, False, size=4, signature=NO, right=NO, left=nodes(log, 2, 3)),
                answers={"wants": [want(log, 2, until=3)]})
        add(f"of a log that is {what}, what lies beyond", "ok", pending, lacks, made.words(log, **more),
            made.chunk(log, size, 9, False, left=nodes(log, 2, size)), answers={"wants": [want(log, 2)]})
    more = wire.CHANGES, {"logs": [{"log": name, "size": 12}], "number": 2}
    add("not of a log with a gap", "ok", *gap, (wire.CHUNKS, {"lacking_before": [name]}), more,
        answers={"wants": [want(log, 9)]})
    # A chunk with left.
    add("in two parts", "ok", named, window(6, 7), made.chunk(log, 7, 9, False), answers={"wants": [want(log, until=6)]})
    add("a second part with left is not looked at", "ok", named, window(6, 7), window(7, 9, left=nodes(log, 0, 7)),
        answers={"wants": []})
    add("what nobody asked for is not looked at", "ok", window(), window(left=bytes(64 * 32)), answers={"wants": []})
    add("the same again is not looked at", "ok", *gap, window(entries=b""), ask(6),
        answers=said([shown(log, 6, 3, 9)]))
    add("in version 1, which names them, left is not looked at", "ok", named, window(left=bytes(32)), version=1)
    left = nodes(log, 0, 6)
    add("left a node too long", "ok", named, window(left=left + bytes(32)))
    add("left a node short", "ok", named, window(left=left[:-32]))
    add("left of nothing", "ok", named, window(0, 9, left=bytes(32)))
    add("right a node short", "wrongNodeCount", named, window(6, 8, right=NO))
    add("a node of left changed", "badProof", named, window(left=flip(left)))
    add("an entry changed", "badProof", named, window(entries=flip(log.chunk(6, 9, False).entries)))
    add("entries that do not decode", "malformedEntries", named, window(entries=b"\x08"))
    add("no certificate, which was asked for", "certificateMissing", named, window(certified=False))
    add("a forged certificate", "badCertificate", named, window(certificate=flip(log.certificate.bytes)))
    add("no signature: a root that is not known", "ok", named, window(signature=NO),
        answers={"wants": [want(log, certificate=True)]})
    # What is left out comes.
    add("what was left out", "ok", *gap, fill(), whole, answers=said([shown(log, 0, 9, 9)]))
    add("what was left out, in two parts", "ok", *gap, fill(0, 2), fill(2, 6), whole, answers=said([shown(log, 0, 9, 9)]))
    add("a part of it, and the rest is lacking", "ok", *gap, fill(0, 2), (wire.CHUNKS, {"lacking_before": [name]}), whole,
        answers=said([shown(log, 0, 2, 9, right=3)], 1))
    add("lacking before", "ok", *gap, (wire.CHUNKS, {"lacking_before": [name]}), answers={"wants": []})
    add("of what was left out an entry changed", "ok", *gap, fill(entries=flip(log.chunk(0, 6, False).entries)), whole,
        answers=said(lacking=1))
    add("of what was left out a node to the right changed", "ok", *gap, fill(0, 2, right=flip(nodes(log, 2, 6))), whole,
        answers=said(lacking=1))
    add("of what was left out a node too many", "wrongNodeCount", *gap, fill(right=bytes(32)))
    add("of what was left out entries that do not decode", "malformedEntries", *gap, fill(entries=b"\x08"))
    add("of what was left out the second part first", "ok", *gap, fill(2, 6), whole, answers=said(lacking=1))
    add("what was left out, up to another place", "ok", *gap, fill(0, 5, 5), whole, answers=said(lacking=1))
    add("what was left out, under a head", "ok", *gap, made.chunk(log, 0, 6, False), whole, answers=said(lacking=1))
    # Serving.
    here = made.chunk(log, 0, 9)
    for what, question, answer in (
            ("the newest three", ask(newest=3, certificate=True), [shown(log, 6, 3, 9, 2, certificate=True)]),
            ("the newest eight of nine", ask(newest=8), [shown(log, 1, 8, 9, 1)]),
            ("the newest nine of nine", ask(newest=9), [shown(log, 0, 9, 9)]),
            ("the newest 2^64 - 1", ask(newest=2**64 - 1), [shown(log, 0, 9, 9)]),
            ("the newest beyond an entry", ask(4, newest=1), [shown(log, 8, 1, 9, 1)]),
            ("the newest, where as many are wanted", ask(8, newest=1), [shown(log, 8, 1, 9)]),
            ("what another left out", ask(until=6), [shown(log, 0, 6, 6, signature=False)]),
            ("a part of what another left out", ask(4, until=6), [shown(log, 4, 2, 6, signature=False)]),
            ("what another left out before its end", ask(8, until=9), [shown(log, 8, 1, 9, signature=False)])):
        add(f"{what} are given" if "newest" in what else f"{what} is given", "ok", here, question, answers=said(answer))
    for what, more, left in (("settled", {"settlement": made.settlement(size=8, root=log.root_at(8))}, 5),
                             ("forked", {"evidence": made.evidence()}, 2)):
        size = 8 if what == "settled" else 3
        add(f"the newest of a log that is {what} are given", "ok", here, made.words(log, **more), ask(newest=size - left),
            answers=said([shown(log, left, size - left, size, len(range_of(log.ids, 0, left).nodes), signature=False)]))
        if what == "settled":
            add("the newest of a settled history are given", "ok", here, made.words(log, **more), ask(newest=3, settled=True),
                answers=said([shown(log, 5, 3, 8, 2, signature=False)]))
    add("nothing is beyond the end", "ok", here, ask(9, newest=3), answers=said(lacking=1))
    add("newest is not read where windows are not named", "ok", here, ask(newest=3), features=None,
        answers=said([shown(log, 0, 9, 9)]))
    add("until is not read where windows are not named", "ok", here, ask(until=6), features=None,
        answers=said([shown(log, 0, 9, 9)]))
    for what, question in (("beyond what is here", ask(until=10)), ("up to where it begins", ask(6, until=6)),
                           ("backwards", ask(7, until=6)), ("up to 2^64 - 1", ask(until=2**64 - 1)),
                           ("from 2^64 - 1", ask(2**64 - 1, until=6))):
        add(f"what another left out, {what}", "ok", here, question, answers=said(before=1))
    add("what another left out of a log that is not here", "ok", ask(until=6), answers=said(before=1))
    # Serving what has a gap of its own.
    open_gap = *gap, (wire.CHUNKS, {"lacking_before": [name]})
    for what, question, answer in (
            ("all", whole, said(lacking=1)), ("from within", ask(2), said(lacking=1)),
            ("from its end", ask(6), said([shown(log, 6, 3, 9)])),
            ("the newest two", ask(newest=2), said([shown(log, 7, 2, 9, 3)])),
            ("the newest four", ask(newest=4), said([shown(log, 6, 3, 9, 2)])),
            ("the newest from within", ask(2, newest=4), said(lacking=1)),
            ("up to its end", ask(until=6), said(before=1)), ("up to within", ask(until=3), said(before=1)),
            ("from its end, as what another left out", ask(6, until=9), said([shown(log, 6, 3, 9, signature=False)]))):
        add(f"of a log with a gap, {what}", "ok", *open_gap, question, answers=answer)
    add("of a log with a gap, what comes before it", "ok", made.chunk(branch(3, "other", 3), 0, 3), named,
        made.chunk(log, 6, 9, False, left=nodes(log, 3, 6)), (wire.CHUNKS, {"lacking_before": [name]}), whole,
        answers=said([shown(log, 0, 3, 9, right=3)], 1))
    add("of a log with a gap, ranges up to within and up to its end", "ok", *open_gap,
        (wire.PREFIX_WANTED, {"log": name, "end": 3}), (wire.PREFIX_WANTED, {"log": name, "end": 6}, {"together": True}),
        answers={"prefixes": [0, 2]})
    add("of a log with a gap, nodes below those that are known", "ok", *open_gap,
        (wire.NODES_WANTED, {"log": name, "level": 2, "place": 0}), answers={"nodes": [0]})


def in_place(made):
    """Rows 1 to 3 of sync.md §5, *A gap that nobody fills*: the receiver has [0, 2) and [6, 9), and asked long in vain."""
    log, longer = made.other, branch(12, "other", 3)
    name = log.name
    lacks = wire.CHUNKS, {"lacking": [name]}
    begin = (made.chunk(log, 0, 2), made.chunk(log, 6, 9, False, left=nodes(log, 2, 6)), (wire.CHUNKS, {"lacking_before": [name]}),
             (wire.KEEP_ALIVE, {"fingerprint": bytes(16)}, {"after": 3600}))

    def add(what, *messages, hello=True, **answers):
        made.add("in place: " + what, "ok", *begin, *messages, hello=hello, features=BOTH, needs=[1, "in place"], answers=answers)

    def ask(begin=0, **more):
        return wire.WANT, {"wants": [{"log": name, "from": begin} | more]}

    def answered(message, **more):
        return (*message, {"awaits": wire.WANT, **more})

    def size(end):
        """The same history, and no more of it."""
        return branch(end, "other", 3)

    def part(end, start, stop, **change):
        return made.chunk(size(end), start, stop, False, **change)

    def behind(end, start, stop, **change):
        """With what is left out before it."""
        return part(end, start, stop, **{"left": nodes(longer, 2, start)} | change)

    stays = {"chunks": [shown(log, 0, 2, 9, right=len(range_of(log.ids, 2, 9).nodes))], "lacking": [name.hex()]}

    # Row 1.
    add("who wants from within is asked for the beginning", ask(4), wants=[want(log, 2)], lacking=[name.hex()])
    add("who wants the newest from within, too", ask(4, newest=2), wants=[want(log, 2)], lacking=[name.hex()])
    add("not who wants from the gap's start", ask(2), wants=[], lacking=[name.hex()])
    add("not who wants from its end", ask(6), wants=[], chunks=[shown(log, 6, 3, 9)])
    add("not who fills a gap of its own", ask(4, until=6), wants=[], lacking_before=[name.hex()])
    add("not the device itself", ask(4), hello={"own_log": name}, wants=[], lacking=[name.hex()])
    first = ask(4)
    for end in (3, 5, 6):
        add(f"a beginning up to a head of {end}", first, answered(part(end, 2, end)), ask(),
            chunks=[shown(log, 0, end, end)], lacking=[])
    for what, message in (
            ("a beginning up to a head behind the gap", part(7, 2, 7)), ("a beginning under the head that is held", part(9, 2, 9)),
            ("a part of a beginning", part(5, 2, 4)), ("a part of a beginning under the head that is held", part(9, 2, 4)),
            ("a beginning without a signature", part(5, 2, 5, signature=NO)),
            ("what starts behind the beginning", part(5, 3, 5)),
            ("a beginning, and an entry of it changed", part(5, 2, 5, entries=flip(size(5).chunk(2, 5, False).entries))),
            ("a beginning under a forged head", part(5, 2, 5, signature=bytes(64))), ("lacking", lacks)):
        add(f"{what} takes nothing", first, answered(message), ask(), **stays)

    # Row 3.
    over = *lacks, {"together": True}
    show = first, answered(part(5, 2, 4)), over
    add("who shows more of the beginning is asked for an older end", *show, wants=[want(log, 2, True)])
    add("not who shows it under a head behind the gap", first, answered(part(9, 2, 4)), over, wants=[])
    add("not who changed it", first, answered(part(5, 2, 4, entries=flip(size(5).chunk(2, 4, False).entries))), over, wants=[])
    for end in (5, 6):
        add(f"an older end of {end}", *show, answered(behind(end, 4, end)), ask(4), chunks=[shown(log, 4, end - 4, end)], lacking=[])
    for what, message in (
            ("an older end behind the gap", behind(7, 6, 7)), ("an older end without what is left out", part(5, 2, 5)),
            ("a part of an older end", behind(6, 4, 5)),
            ("an older end, and a node of what is left out changed", behind(5, 4, 5, left=flip(nodes(log, 2, 4)))),
            ("an older end under a forged head", behind(5, 4, 5, signature=bytes(64)))):
        add(f"{what} takes nothing", *show, answered(message), ask(), **stays)

    # Row 2.
    offer = wire.CHANGES, {"logs": [{"log": name, "size": 12}], "number": 2}
    more = offer, answered(lacks)
    add("who offers more and lacks what follows is asked for the newest", *more, wants=[want(log, 2, True)])
    add("the newest", *more, answered(behind(12, 10, 12)), ask(10), chunks=[shown(log, 10, 2, 12)], lacking=[])
    add("the newest, and what was held is dropped", *more, answered(behind(12, 10, 12)), ask(6), chunks=[], lacking=[name.hex()])
    for what, message in (
            ("the newest that is here", behind(9, 7, 9)), ("an older end that nobody asked for", behind(5, 4, 5)),
            ("a part of the newest", behind(12, 10, 11)),
            ("the newest, and a node of what is left out changed", behind(12, 10, 12, left=flip(nodes(longer, 2, 10)))),
            ("the newest under a forged head", behind(12, 10, 12, signature=bytes(64)))):
        add(f"{what} takes nothing", *more, answered(message), ask(), **stays)


def patient(made):
    """What every offerer lacks: sync.md §5."""
    log, name = made.first, made.first.name
    lacks = wire.CHUNKS, {"lacking": [name]}

    def add(what, *messages, needs=(), **answers):
        made.add("patient wants: " + what, "ok", *messages, answers=answers, **({"needs": list(needs)} if needs else {}))

    def named(size, number):
        return wire.CHANGES, {"logs": [{"log": name, "size": size}], "number": number}

    def part(end, start, stop, certified=False):
        return made.chunk(branch(end), start, stop, certified)

    def later(message):
        kind, body, *said = message
        return kind, body, {**(said[0] if said else {}), "listens": 10}

    again = lacks[0], lacks[1], {"awaits": wire.WANT}
    here, waits = part(4, 0, 4, True), ["patient wants"]
    add("the rest is lacking, and named anew", here, named(6, 1), lacks, named(6, 2), wants=[want(log, 4)])
    add("the rest is lacking, and more is named", here, named(6, 1), lacks, named(7, 2), wants=[want(log, 4)])
    add("all is lacking, and named anew", named(6, 1), lacks, named(6, 2), wants=[want(log, certificate=True)])
    add("the rest is lacking, and asked for again", here, named(6, 1), later(lacks), wants=[want(log, 4)], needs=waits)
    add("all is lacking, and not asked for again", named(6, 1), later(lacks), wants=[])
    add("the rest is lacking twice, and asked for again", here, named(6, 1), lacks, later(again), wants=[want(log, 4)], needs=waits)
    add("the rest is lacking at first", here, named(6, 1), lacks, (*part(6, 4, 6), {"awaits": wire.WANT}),
        (wire.WANT, {"wants": [{"log": name}]}), chunks=[shown(log, 0, 6, 6)], lacking=[], needs=waits)
    pending = part(2, 0, 2, True), part(6, 2, 4)
    add("the rest of a head is lacking, and asked for from the end", *pending, later(lacks), wants=[want(log, 4)], needs=waits)
    add("the rest of a head is lacking twice, and asked for from the end", *pending, lacks, later(again), wants=[want(log, 4)], needs=waits)
    add("the rest of a head is lacking three times, and asked for from what is held", *pending, lacks, again, later(again),
        wants=[want(log, 2)], needs=waits)
    add("what is held is given meanwhile", *pending, lacks, (wire.WANT, {"wants": [{"log": name}]}), chunks=[shown(log, 0, 2, 2)],
        lacking=[])
    for what, words in (("a settlement is known", {"settlement": made.settlement()}), ("a fork is known", {"evidence": made.evidence()})):
        add(f"all is lacking, and {what}", made.words(**words), later(lacks), wants=[want(log)], needs=waits)


def scopes(made):
    log, name = made.first, made.first.name
    store = Store(NETWORK)
    crowd.fill(store, range(1, 2), 6)
    other = next(iter(store.logs.values()))
    mine, theirs = log.certificate.root, other.certificate.root
    certified = other.certificate.bytes

    def add(what, verdict, *messages, **more):
        made.add("scopes: " + what, verdict, *messages, needs=[2], **{"features": BOTH} | more)

    def said(**changes):
        return {"chunks": [], "lacking": [], "lacking_before": [], **changes}

    def settled(number, log, **change):
        """Words of a settlement of two entries."""
        made_so = {"log": log.name, "root": log.root_at(2)} | change
        return wire.CHANGES, {"logs": [{"log": log.name, "size": 6, "root": log.root, "certificate": log.certificate.bytes,
                                        "settlement": made.settlement(number, **made_so)}]}

    def forged(message):
        one = message[1]["logs"][0]
        return wire.CHANGES, {"logs": [one | {"settlement": flip(one["settlement"])}]}

    # Who goes on.
    for what, more in (("a scope, and no feature", {"scope": [mine], "features": [1]}),
                       ("a scope in version 1", {"scope": [mine], "version": 1}),
                       ("a receiver with a scope, and no feature", {"carries": [mine.hex()], "features": [1]}),
                       ("a receiver with a scope, in version 1", {"carries": [mine.hex()], "version": 1})):
        add(what, "goodbye 7", **more)
    add("a scope", "ok", scope=[mine])
    add("a receiver with a scope", "ok", carries=[mine.hex()])
    add("two scopes that have nobody in common", "ok", scope=[theirs], carries=[mine.hex()])
    # What lies outside of the common scope is not spoken of.
    both = made.chunk(log, 0, 6), made.chunk(other, 0, 6)
    for what, carried, one in (("outside", mine, other), ("inside", theirs, other)):
        inside = what == "inside"
        more = {"scope": [carried]}
        question = {"log": one.name}
        chunk = [shown(one, 0, 6, 6)] if inside else []
        add(f"{what}, a Want", "ok", *both, (wire.WANT, {"wants": [question]}), **more,
            answers=said(chunks=chunk, lacking=[] if inside else [one.name.hex()]))
        fill = [shown(one, 0, 4, 4, signature=False)] if inside else []
        add(f"{what}, a Want with until", "ok", *both, (wire.WANT, {"wants": [question | {"until": 4}]}), **more,
            answers=said(chunks=fill, lacking_before=[] if inside else [one.name.hex()]))
        add(f"{what}, BodiesWanted", "ok", *both, (wire.BODIES_WANTED, {"wants": [question | {"sequences": [0]}]}), **more,
            answers={"bodies": [inside]})
        add(f"{what}, PrefixWanted", "ok", *both, (wire.PREFIX_WANTED, question | {"end": 4}), **more,
            answers={"prefixes": [1 if inside else 0]})
        add(f"{what}, NodesWanted", "ok", *both, (wire.NODES_WANTED, question | {"level": 2}), **more,
            answers={"nodes": [4 if inside else 0]})
        item = {"log": one.name.hex(), "size": 6}
        add(f"{what}, Compare", "ok", *both, (wire.COMPARE, {"page": 1}), **more,
            answers={"named": [item] if inside else [{"log": name.hex(), "size": 6}]})
        add(f"{what}, KeepAlive", "ok", *both, (wire.KEEP_ALIVE, {"fingerprint": bytes(16), "answer": True}), **more,
            answers={"count": 1})
    add("nobody in common, KeepAlive", "ok", made.chunk(log, 0, 6),
        (wire.KEEP_ALIVE, {"fingerprint": bytes(16), "answer": True}), scope=[bytes([7]) * 32], answers={"count": 0})
    add("of the own log of who asks nothing is held back", "ok", made.chunk(log, 0, 6),
        (wire.WANT, {"wants": [{"log": name}]}), scope=[theirs], hello={"own_log": name},
        answers=said(chunks=[shown(log, 0, 6, 6)]))
    # What comes from outside of the receiver's own scope is dropped.
    carries = {"carries": [mine.hex()]}
    count = wire.KEEP_ALIVE, {"fingerprint": bytes(16), "answer": True}
    add("a push from outside", "ok", made.chunk(other, 0, 6), count, **carries, answers={"count": 0})
    add("a push from inside", "ok", made.chunk(log, 0, 6), count, **carries, answers={"count": 1})
    add("a push under a forged certificate that names somebody outside is not looked at", "ok",
        made.chunk(other, 0, 6, certificate=flip(certified)), **carries)
    add("a push under a forged certificate that names somebody inside", "badCertificate",
        made.chunk(log, 0, 6, certificate=flip(log.certificate.bytes)), **carries)
    add("a push under the certificate of somebody outside says nothing of the log", "ok",
        made.chunk(log, 0, 6, certificate=certified), made.chunk(log, 0, 6), count, **carries, answers={"count": 1})
    named = wire.CHANGES, {"logs": [{"log": other.name, "size": 6}], "number": 1}
    again = wire.CHANGES, {"logs": [{"log": other.name, "size": 7}], "number": 2}
    add("an answer from outside, and the log is not asked for again", "ok", named, made.chunk(other, 0, 6), again, **carries,
        answers={"wants": []})
    add("an answer from inside, and the log is asked for again", "ok",
        (wire.CHANGES, {"logs": [{"log": name, "size": 6}], "number": 1}), made.chunk(log, 0, 6),
        (wire.CHANGES, {"logs": [{"log": name, "size": 7}], "number": 2}), **carries,
        answers={"wants": [want(log, 6, True)]})
    add("an answer under a forged certificate that names somebody outside", "badCertificate", named,
        made.chunk(other, 0, 6, certificate=flip(certified)), **carries)
    add("an answer under the certificate of somebody outside, of another log", "badCertificate",
        (wire.CHANGES, {"logs": [{"log": name, "size": 6}], "number": 1}), made.chunk(log, 0, 6, certificate=certified), **carries)
    add("words from outside", "ok", settled(1, other), count, **carries, answers={"count": 0})
    add("words from inside", "ok", settled(0, log), count, **carries, answers={"count": 1})
    add("forged words from outside are not looked at", "ok", forged(settled(1, other)), **carries)
    add("forged words from inside", "badSettlement", forged(settled(0, log)), **carries)
    for number, where, verdict in ((1, "outside is not looked at", "ok"), (0, "inside", "badSettlement")):
        end = made.settlement(number, log=bytes(32), size=0, root=bytes(32))
        end_name = end_of(NETWORK, Settlement(end).root_key)
        whole = {"size": 0, "root": bytes(32), "certificate": NO}
        add(f"the end of an account, forged, from {where}", verdict,
            (wire.CHANGES, {"logs": [{"log": end_name, "settlement": flip(end)} | whole]}), **carries)


def branches(made):
    log = made.first
    pushed, named, broken = (wire.BRANCH, {"pushed": True}), (wire.BRANCH, {}), (wire.BRANCH, b"\x08")

    def add(what, verdict, *messages, **more):
        made.add("branches: " + what, verdict, *messages, **{"needs": [3], "features": [3]} | more)

    for what, message in (("a link is to be one", pushed), ("a link is to be none", named)):
        made.add(f"branches: {what}, before Hello", "helloMissing", message, hello=False)
    made.add("branches: where they are not named", "ok", named, pushed)
    made.add("branches: one that does not decode, where they are not named", "malformedMessage", broken)
    made.add("branches: in version 1", "ok", named, broken, features=[3], version=1)
    add("none, and one again, over and over", "ok", *[named, pushed, pushed, named] * 8)
    add("one that does not decode", "malformedMessage", named, broken)
    add("a push over a link that is none", "ok", named, made.chunk(log, 0, 6),
        (wire.KEEP_ALIVE, {"fingerprint": bytes(16), "answer": True}), answers={"wants": [], "count": 1})
    add("a first list on a link that is none is asked for at once", "ok", named,
        (wire.CHANGES, {"logs": [{"log": log.name, "size": 6}]}), answers={"wants": [want(log, certificate=True)]})


def guests(made):
    """Who calls a node that has no room: sync.md §11."""
    ask = wire.PEERS_WANTED, {}

    def add(what, verdict, *messages, **more):
        made.add("guests: " + what, verdict, *messages, receiver="full", needs=["guests"], **more)

    add("one that asks for addresses", "goodbye 4", ask, answers={"peers": [0], "own_logs": [], "named": []})
    add("one that asks twice", "goodbye 4", ask, ask, answers={"peers": []})
    add("one that asks for nothing", "goodbye 4")
    add("one that says other things before", "goodbye 4", (wire.CHANGES, {"logs": [{"log": made.log, "size": 6}], "number": 7}),
        (wire.WANT, b"\x08"), (200, b"\x01"), made.chunk(made.first, 0, 6), ask,
        answers={"peers": [0], "wants": [], "own_logs": [], "named": []})
    add("two Hellos", "secondHello", (wire.HELLO, made.hello))
    add("a question before Hello", "helloMissing", ask, hello=False)
    add("one that speaks nothing before version 3", "goodbye 3", hello={"version": 4, "oldest_version": 3})


def bounds(made):
    """11, 23 and 24 of sync.md §12."""
    many = {"together": True}

    # 24: what waits, where the asker gives no credit for the answers. One entry of 65,536 bytes, asked for 64 times.
    device, store = crowd.person(NETWORK, 2), Store(NETWORK)
    entry = store.append(device, 1, b"a" * 65_536, crowd.EPOCH, crowd.EPOCH)
    log = store.logs[device.log]
    size = len(pack_entry(entry, 0))
    fields = vars(log.chunk(0, 1, True))
    body = wire.encode(wire.CHUNKS, chunks=[fields])
    assert body.endswith(entry.payload) and size > 65_536
    push = wire.CHUNKS, body[:-65_536], {"repeat": {"bytes": "61", "times": 65_536}}

    def bodies(count):
        return wire.BODIES_WANTED, {"wants": [{"log": log.name, "sequences": [0] * count}]}

    def wants(count):
        one = wire.encode(wire.WANT, wants=[{"log": log.name}])
        return wire.WANT, NO, {"repeat": {"bytes": one.hex(), "times": count}, **many}

    spent = push, bodies(64)
    lot = [(*bodies(1024), many)] * 7
    made.add("8,192 bodies wait at most", "ok", *spent, *lot, (*bodies(960), many))
    made.add("more than 8,192 bodies wait", "tooManyQuestions", *spent, *lot, (*bodies(1024), many))
    made.add("8,192 wanted logs wait", "ok", *spent, *[wants(1024)] * 8)
    made.add("8,193 wanted logs wait", "tooManyQuestions", *spent, *[wants(1024)] * 8, wants(1))

    # 11: four messages with nothing in them but a field that nobody knows.
    def bulky(length):
        """A Chunks of which the credit is `length`."""
        content = length - 5 - 5
        head = b"\xa2\x06" + bytes([content & 127 | 128, content >> 7 & 127 | 128, content >> 14])
        return wire.CHUNKS, head, {"repeat": {"bytes": "00", "times": content}, **many}

    whole = [bulky(ALLOWED // 4)] * 3
    made.add("as many bytes as are allowed", "ok", (wire.CHUNKS, {}), *whole, bulky(ALLOWED // 4 - 5), credit=ALLOWED)
    made.add("one byte more than is allowed", "overCredit", (wire.CHUNKS, {}), *whole, bulky(ALLOWED // 4 - 4), credit=ALLOWED)

    made.add("a message of 1,048,576 bytes", "ok", bulky(1_048_580)[:2] + ({"repeat": bulky(1_048_580)[2]["repeat"]},))

    # 28: the 129th round of a stage.
    def rounds(count):
        return [(wire.RECONCILE, {"stage": 1, "round": number + 1, "message": b"\x61\0\0\0"}) for number in range(count)]

    made.add("128 rounds of a stage", "ok", *rounds(128))
    made.add("129 rounds of a stage", "impossibleReconciliation", *rounds(129))

    # 23: another body than the entry's, when it is asked for.
    log, name = made.first, made.first.name
    entries = branch(6).entries
    true, entries[2].payload = entries[2].payload, None
    packed, before = b"", 0
    for one in entries:
        packed, before = packed + pack_entry(one, before), one.time
    bare = made.chunk(log, 0, 6, entries=packed)

    def came(payload):
        answer = wire.BODIES, {"bodies": [{"log": name, "sequence": 2, "payload": payload}]}
        return bare, (*answer, {"awaits": wire.BODIES_WANTED})

    made.add("the body of an entry", "ok", *came(true), version=1)
    made.add("no body of an entry", "ok", *came(None), version=1)
    made.add("another body, version 1", "wrongBody", *came(flip(true)), version=1)
    made.add("another body of another length, version 1", "wrongBody", *came(true + b"\0"), version=1)
    made.add("another body, version 2: the two histories are compared", "ok", *came(flip(true)))
    made.add("the body twice", "unaskedAnswer", *came(true), (wire.BODIES, {"bodies": [
        {"log": name, "sequence": 2, "payload": true}]}))


def questions(made):
    """What answers the questions of a receiver that dialled."""
    quiet = wire.KEEP_ALIVE, {"fingerprint": bytes(16), "count": 1, "quiet": True}

    def add(what, verdict, *messages, **more):
        made.add(what, verdict, quiet, *messages, receiver="dialled", **more)

    # 14: of a comparison, in version 1.
    def comparison(page, **more):
        return wire.COMPARISON, {"page": page}, more

    first = comparison(1, awaits=wire.COMPARE)
    add("a Comparison of the page that was sent", "ok", first, version=1)
    add("a Comparison of the page before", "impossiblePage", comparison(0, awaits=wire.COMPARE), version=1)
    add("a Comparison of the page behind", "impossiblePage", comparison(2, awaits=wire.COMPARE), version=1)
    add("a Comparison twice", "unaskedAnswer", first, comparison(1), version=1)

    # 27, 28 and 12: of a reconciliation. The receiver has nothing, so that all that is listed is asked for.
    def answer(ids=(), stage=1, number=1, **more):
        message = b"\x61\0\0\2" + bytes([len(ids)]) + b"".join(ids)
        return wire.RECONCILE, {"stage": stage, "round": number, "message": message}, more

    def items(count=1, end=1, stage=1, **more):
        return wire.ITEMS, {"stage": stage, "end": end, "logs": [
            {"log": bytes([7 + at]) * 32, "size": 1, "root": bytes([9]) * 32} for at in range(count)]}, more

    impossible, listed = "impossibleReconciliation", [bytes([5]) * 32]
    begin = {"awaits": wire.RECONCILE}
    asked = answer(listed, **begin)
    then = {"awaits": wire.ITEMS_WANTED}
    add("an answer that lists nothing", "ok", answer(**begin))
    add("an answer that lists an id, and Items", "ok", asked, items(**then))
    add("Items without what has no item any more", "ok", asked, items(0, **then))
    add("Items in two messages", "ok", answer(listed + [bytes([6]) * 32], **begin), items(end=0, **then), items())
    add("Items of more logs than were asked for", impossible, asked, items(2, **then))
    add("Items of more logs than were asked for, in two messages", impossible, asked, items(end=0, **then), items())
    add("Items with end 2 from the side that accepted", impossible, asked, items(end=2, **then))
    add("empty Items, and more follow", impossible, asked, items(0, 0, **then))
    add("Items behind the last", "unaskedAnswer", asked, items(**then), items())
    add("Items of a stage that the dialler did not begin", "unaskedAnswer", asked, items(stage=2, **then))
    add("Items before anything was asked", "unaskedAnswer", answer(**begin), items())
    add("an answer of another stage", impossible, answer(stage=2, **begin))
    add("an answer of another round", impossible, answer(number=2, **begin))
    add("an answer twice", impossible, answer(**begin), answer())
    add("an answer that is no message of Negentropy", "malformedReconciliation",
        (wire.RECONCILE, {"stage": 1, "round": 1, "message": b"\x60"}, begin))
