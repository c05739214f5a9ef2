"""What must not be seen after a host lied: an honest one blamed, a lie that was borne, a text that nobody wrote."""

BROKE = "broke the protocol"  # both in the log of who ended a link and of who was told that it was ended

# How each lie must end. What a node cannot tell from the truth is borne, and costs nothing.
CLOSED = {"garbage", "torn_message", "wrong_proof", "over_credit"}
BORNE = {"forged_entry", "replay", "nothing_behind", "flood", "two_histories"}
# Lies told to a host that called: it may have ended the link for the one before.
HEARD = "heard_"

FORGED = "nobody wrote this"  # stands in each text that is a lie


def is_blame(line, nodes, addresses):
    """Whether a line of a node's log says that it and an honest one parted for a violation.

    A caller is named by its address alone before it is authenticated, and by eight characters of its id after that.
    """
    if BROKE not in line:
        return False
    return any(node[:8] in line for node in nodes) or any(f" {address} " in line for address in addresses)


def ends_well(lie, answer):
    """Whether a lie ended as it must: `answer` is how its connection did."""
    if lie in CLOSED:
        return answer == "ended" or "violation" in answer
    return answer in ("borne", "ended") or "violation" not in answer


def faults_of(answers):
    """Each answer that was wrong, and each lie of which no answer is known."""
    wrong, seen = [], set()
    for text, count in answers.items():
        lie, answer = text.split(": ", 1)
        seen.add(lie)
        if lie in CLOSED | BORNE and not ends_well(lie, answer):
            wrong.append(f"{lie}: {answer} ({count} times)")
    return wrong + [f"{lie}: never told" for lie in sorted((CLOSED | BORNE) - seen)]


def prove():
    """A judge that cannot condemn is none: lines and answers that must be told apart."""
    node, address = "ujupxy2i4eg7gtxk", "10.77.0.3"
    log = "2026-11-22T02:00:00Z warning "
    assert is_blame(f"{log}10.77.0.3:7776 (ujupxy2i) {BROKE} (badProof); left alone for 600 s", [node], [])
    assert is_blame(f"{log}10.77.0.3 {BROKE} (notMember); left alone for 600 s", [], [address])
    assert not is_blame(f"{log}10.77.0.33 {BROKE} (notMember); left alone for 600 s", [], [address])
    assert is_blame(f"{log}connection lost: {node[:8]}: the peer says that this node {BROKE} (21)", [node], [address])
    assert not is_blame(f"{log}10.77.0.2 (abcdefgh) {BROKE} (badProof); left alone for 600 s", [node], [address])
    assert not is_blame(f"{log}connected: {node[:8]} (scurry)", [node], [address])
    assert not ends_well("wrong_proof", "borne") and ends_well("wrong_proof", "peer's goodbye, reason 2, violation 21")
    assert not ends_well("flood", "peer's goodbye, reason 2, violation 21") and ends_well("flood", "borne")
    assert faults_of({"garbage: borne": 1})[0] == "garbage: borne (1 times)"
    assert any("never told" in fault for fault in faults_of({}))
