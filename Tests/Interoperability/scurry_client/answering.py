"""The accepting side of a reconciliation (sync.md §13): it answers the dialler, and says what its items are."""

from . import negentropy, wire
from .closed import Closed
from .itemset import ItemSet
from .reconciling import IMPOSSIBLE, LIMIT, MAX_DIFFERENCES, MAX_ROUNDS

STILL, LONGEST = 10, 90         # seconds that a stage's first answer waits: for what stands still, and at most
DIALLER_SILENT, STAGE_TIME = 120, 600


class Answering:
    def __init__(self, session):
        self.session = session
        self.stage = self.round = 0     # of the last question
        self.over = True                # of that stage
        self.in_run = False
        self.whole = False
        self.items = None               # of the stage
        self.logs = {}                  # id: log, at the stage's first answer
        self.listed = set()             # ids in the last answer that may be asked for
        self.told = 0                   # logs that the dialler said in this stage
        self.question = None            # the parts of one that is not answered
        self.came = self.began = 0.0    # when the last message of the stage came, and its first, in seconds
        self.rounds = 0                 # answers, over all stages

    waits = waits_for_first = False     # the dialler owes no answer

    @property
    def busy(self):
        return self.in_run or self.session.owes

    def advance(self):
        session, now = self.session, self.session.now
        if not self.over and (now - self.came > DIALLER_SILENT and self.question is None
                              or now - self.began > STAGE_TIME):
            raise Closed("stageTime")
        if self.question is None:
            return
        if self.items is None:
            still = min(now - self.began, now - session.progress)
            if not session.nothing_open and still < STILL and now - self.began < LONGEST:
                return
            held = session.store.items()
            self.items = ItemSet(held)
            self.logs = {one: name for (_, one), name in held.items()}
        message, listed = self.items.answer(self.question, LIMIT)
        self.question, self.listed = None, set(listed)
        self.rounds += 1
        session.send(wire.RECONCILE, stage=self.stage, round=self.round, message=message)

    # What comes.

    def on_reconcile(self, m):
        if m["stage"] == self.stage and not self.over:
            follows = m["round"] == self.round + 1 and m["round"] <= MAX_ROUNDS and self.question is None
        else:
            follows = m["stage"] > self.stage and m["round"] == 1 and self.over
        if not m["stage"] or not follows:
            raise Closed(IMPOSSIBLE, True)
        parts = negentropy.decode(m["message"])
        self.came = self.session.now
        if m["round"] == 1:
            self.began, self.items, self.told = self.came, None, 0
            self.over, self.in_run, self.listed = False, True, set()
            self.whole = bool(parts) and parts[-1].bound == negentropy.END and all(
                part.mode != negentropy.SKIP for part in parts)
        self.stage, self.round, self.question = m["stage"], m["round"], parts

    def on_items_wanted(self, m):
        ids = m["ids"]
        if self.over or m["stage"] != self.stage or len(set(ids)) != len(ids) or not self.listed.issuperset(ids):
            raise Closed(IMPOSSIBLE, True)
        self.came = self.session.now
        self.listed.difference_update(ids)
        names = [self.logs[one] for one in ids]
        self.session.send_items(self.stage, self.session.items_of(names), 1)

    def on_items(self, m):
        if self.over or m["stage"] != self.stage or self.question is not None:
            raise Closed("unaskedAnswer", True)
        self.came = self.session.now
        self.told += len(m["logs"])
        if self.told > MAX_DIFFERENCES:
            raise Closed(IMPOSSIBLE, True)
        if m["end"]:
            self.over = True
        self.session.learn(m["logs"])
        if m["end"] == 2 or m["end"] and self.whole:
            self.in_run = False
            self.session.run_over(carried=m["end"] == 1)
