"""The items of one stage, in the order of Negentropy, and what is said of ranges of them (sync.md §13)."""

from bisect import bisect_left

from .log import fingerprint_of_sum
from .negentropy import END, FINGERPRINT, ID_LIST, START, Bound, Part, Writer

BRANCHES = 16               # into how many a range is cut that differs
SPARE = 200                 # bytes that are left below the frame limit for what ends a message


class ItemSet:
    """Of (time in seconds, id) pairs; as they are now, and not as they become."""

    def __init__(self, pairs):
        self.items = sorted(pairs)
        self.ids = {one for _, one in self.items}
        self._sums = [0]
        for _, one in self.items:
            self._sums.append((self._sums[-1] + int.from_bytes(one, "little")) % 2**256)

    def __len__(self):
        return len(self.items)

    def below(self, bound, begin=0):
        """The index of the first item at or behind the bound."""
        return bisect_left(self.items, bound.place, begin)

    def listed(self, begin, end):
        return [one for _, one in self.items[begin:end]]

    def fingerprint(self, begin, end):
        return fingerprint_of_sum((self._sums[end] - self._sums[begin]) % 2**256, end - begin)

    def bound_before(self, index):
        """The shortest bound between the item at `index` and the one before it."""
        if index == 0:
            return START
        (earlier, left), (time, right) = self.items[index - 1], self.items[index]
        if earlier != time:
            return Bound(time)
        same = next(at for at in range(32) if left[at] != right[at])
        return Bound(time, right[:same + 1])

    def split(self, begin, end, bound):
        """Parts for the items [begin, end), the last of which ends at `bound`."""
        count = end - begin
        if count < 2 * BRANCHES:
            return [Part(bound, ID_LIST, self.listed(begin, end))]
        parts, at = [], begin
        for branch in range(BRANCHES):
            size = count // BRANCHES + (branch < count % BRANCHES)
            upper = bound if at + size == end else self.bound_before(at + size)
            parts.append(Part(upper, FINGERPRINT, self.fingerprint(at, at + size)))
            at += size
        return parts

    def first_message(self, begin=0):
        """Asks about the items from `begin` on; everything before is skipped."""
        out = Writer()
        out.skip_to(self.bound_before(begin))
        for part in self.split(begin, len(self), END):
            out.add(part)
        return bytes(out.bytes)

    def answer(self, parts, limit=0):
        """(message, ids that it lists), of the side that is asked. `limit`: bytes of a message, 0 for none."""
        return self._next(parts, limit, None)

    def ask_on(self, parts, have, need, limit=0):
        """The next question after the answer `parts`, or None; adds to what only we, and only they, have."""
        message, _ = self._next(parts, limit, (have, need))
        return message if len(message) > 1 else None

    def _next(self, parts, limit, found):
        out, told = Writer(), []
        at, before = 0, START
        for part in parts:
            end = self.below(part.bound, at)
            said = []
            if part.mode == FINGERPRINT and part.value != self.fingerprint(at, end):
                said = self.split(at, end, part.bound)
            elif part.mode == ID_LIST and found:
                ours, theirs = set(self.listed(at, end)), set(part.value)
                found[0].update(ours - theirs)
                found[1].update(theirs - ours)
            elif part.mode == ID_LIST:
                end, bound = self._fitting(at, end, part.bound, limit, len(out.bytes))
                said = [Part(bound, ID_LIST, self.listed(at, end))]
            mark = out.mark()
            if said:
                out.skip_to(before)
            for one in said:
                out.add(one)
            if limit and len(out.bytes) > limit - SPARE:
                if not found and part.mode == ID_LIST:      # a list that was cut stays, the rest waits
                    told += said[0].value
                    at = end
                else:
                    out.back_to(mark)
                    out.skip_to(before)
                if out.end != END:
                    out.add(Part(END, FINGERPRINT, self.fingerprint(at, len(self))))
                break
            told += [one for answer in said if answer.mode == ID_LIST for one in answer.value]
            at, before = end, part.bound
        return bytes(out.bytes), told

    def _fitting(self, begin, end, bound, limit, used):
        """How far a list goes that begins behind `used` bytes: (its end, its bound)."""
        if limit:
            room = max(1, (limit - SPARE - used) // 32 + 1)
            if end - begin > room:
                end = begin + room
                time, one = self.items[end]
                return end, Bound(time, one)
        return end, bound
