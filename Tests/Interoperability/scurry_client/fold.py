"""What a set of entries amounts to (fold.md)."""

from . import payload as payloads
from .hashes import Refused

MAX_TIME = 2**53 - 1


def folded(value):
    return min(value, MAX_TIME)


def folds_to_nothing(entry):
    """By its header, for ever (section 2, 1 to 5)."""
    return (entry.version != 1 or entry.flags & ~1 or entry.kind not in payloads.ERASABLE
            or entry.flags & 1 != payloads.ERASABLE[entry.kind] or entry.length > 65_536)


def can_be_covered(entry):
    return bool(entry.flags & 1)


def read(entry):
    """The fields of the payload, or None if it is not here or breaks a rule."""
    if entry.payload is None:
        return None
    try:
        return payloads.validate(entry.kind, entry.payload)
    except Refused:
        return None


class Post:
    def __init__(self, entry, identity, fields):
        self.id, self.identity, self.time = entry.id, identity, folded(entry.time)
        self.here = fields is not None
        fields = fields or {}
        self.text, self.title = fields.get("text", ""), fields.get("title", "")
        self.channels = fields.get("channels", [])
        self.parent, self.root = fields.get("parent", b""), fields.get("root", b"")
        self.deleted = False


class State:
    """Of (identity, entry) pairs, in any order, any of them as often as it likes."""

    def __init__(self, counted):
        entries = {entry.id: (identity, entry) for identity, entry in counted}
        self.posts, self.clocks = {}, {}
        self._votes, self._follows, self._profiles, self._edits = {}, {}, {}, {}
        edits, deletes, covered, broken = [], [], set(), set()
        usable = {key: value for key, value in entries.items() if not folds_to_nothing(value[1])}
        fields = {key: read(entry) for key, (_, entry) in usable.items()}
        for key, (identity, entry) in usable.items():
            if entry.payload is not None and fields[key] is None:
                broken.add(key)
            if entry.kind == payloads.DELETE and fields[key]:
                deletes += [(identity, target) for target in fields[key]["entries"]]
        for identity, entry in entries.values():
            self.clocks[identity] = max(self.clocks.get(identity, 0), folded(entry.clock))
        for identity, target in deletes:
            if target in entries and entries[target][0] == identity and can_be_covered(entries[target][1]):
                covered.add(target)
        self.covered = covered
        for key, (identity, entry) in usable.items():
            said = fields[key]
            if entry.kind == payloads.POST:
                if key in covered:
                    self.posts[key] = Post(entry, identity, None)
                    self.posts[key].deleted = True
                elif key not in broken:
                    self.posts[key] = Post(entry, identity, said)
            elif said is None or key in covered:
                continue
            elif entry.kind == payloads.VOTE:
                for index, choice in enumerate(said["choices"]):
                    self._write(self._votes, (choice["post"], identity), entry, index, choice["value"])
            elif entry.kind == payloads.FOLLOW:
                for index, choice in enumerate(said["choices"]):
                    self._write(self._follows, (identity, choice["identity"]), entry, index, choice["value"])
            elif entry.kind == payloads.PROFILE:
                for name in ("name", "full_name", "bio", "avatar"):
                    if name in said:
                        self._write(self._profiles, (identity, name), entry, 0, said[name])
            elif entry.kind == payloads.EDIT:
                edits.append((identity, entry, said))
        for identity, entry, said in edits:
            post = self.posts.get(said["post"])
            if post and post.identity == identity and not post.deleted:
                self._write(self._edits, (post.id, identity), entry, 0, (said["text"], said["title"]))
        for (target, _), (_, value) in self._edits.items():
            self.posts[target].text, self.posts[target].title = value

    @staticmethod
    def _write(registers, key, entry, index, value):
        place = (folded(entry.clock), entry.log, entry.seq, index)
        if key not in registers or registers[key][0] < place:
            registers[key] = (place, value)

    def tallies(self):
        """{target: [up, down]}, of the targets that have either."""
        out = {}
        for (target, _), (_, value) in self._votes.items():
            if value:
                out.setdefault(target, [0, 0])[value - 1] += 1
        return out

    def following(self, identity):
        return sorted(other for (who, other), (_, value) in self._follows.items() if who == identity and value)

    def profile(self, identity):
        return {name: value for (who, name), (_, value) in self._profiles.items() if who == identity}

    def feed(self, now, reader=None):
        shown = [post for post in self.posts.values()
                 if not post.deleted and (post.time <= now or post.identity == reader)]
        return sorted(shown, key=lambda post: (-post.time, post.id))

    def next_clock(self, identity, now):
        return min(MAX_TIME, max(self.clocks.get(identity, -1) + 1, now))
