"""The dialler's side of a reconciliation (sync.md §13): it begins runs and stages, asks, and tells what it has."""

from collections import deque

from . import negentropy, stages, wire
from .closed import Closed
from .itemset import ItemSet

LIMIT = 131_072             # bytes of one message, where it can
MAX_ROUNDS = 128
MAX_DIFFERENCES = 65_536    # ids of one stage, those of both sides together
PATIENCE = 20               # seconds between two stages, at most
ITEMS_AT_ONCE = 1024        # logs in one Items
STAGE_TIME = 600            # seconds, of one stage
OVERDUE = 3600              # seconds since the last run, or since both were found equal
IMPOSSIBLE = "impossibleReconciliation"


class Stage:
    def __init__(self, number, size, held, now):
        """Of the newest `size` items of `held`, pairs of (seconds, id) with their logs."""
        self.number, self.size, self.round, self.began = number, size, 1, now
        self.logs = {one: name for (_, one), name in held.items()}
        self.items = ItemSet(held)
        self.whole = size >= len(self.items)
        self.have, self.need = set(), set()
        self.asked = set()                  # ids in ItemsWanted
        self.unanswered = deque()           # of each open ItemsWanted: how many logs may still come
        self.waits = True                   # a Reconcile of ours is not answered
        self.gave_up = False

    @property
    def differs(self):
        return bool(self.have or self.need)


class Reconciling:
    def __init__(self, session):
        self.session = session
        self.stage = None           # the one under way
        self.last = 0               # number of the last stage
        self.size = None            # of the next stage of the run under way; None without a run
        self.ended = 0.0            # when the last stage ended, in seconds
        self.settled = None         # when the last run ended, or both were last found equal, in seconds
        self.asked_for = False      # by the accepting side
        self.rounds = 0             # questions, over all stages
        self.stages = []            # the sizes of those that were begun

    @property
    def busy(self):
        return self.stage is not None or self.size is not None or self._to_begin

    @property
    def waits(self):
        """Whether the peer owes an answer."""
        return self.stage is not None and (self.stage.waits or bool(self.stage.unanswered))

    @property
    def waits_for_first(self):
        """Whether that is the first answer of a stage, which may wait for what the peer fetches before."""
        return self.stage is not None and self.stage.waits and self.stage.round == 1

    @property
    def _to_begin(self):
        return self.session.owes or self.asked_for

    @property
    def _overdue(self):
        session, heard = self.session, self.session.peer_keep_alive
        return bool(session.version >= 2 and heard and session.now - self.settled >= OVERDUE
                    and (heard["fingerprint"], heard["count"]) != session.store.fingerprint())

    def begin_run(self):
        self.size = stages.FIRST
        self.asked_for = False

    def advance(self):
        session = self.session
        if self.stage:
            if session.now - self.stage.began > STAGE_TIME:
                raise Closed("stageTime")
            if not self.waits:
                self._end()
            return
        if self.settled is None or session.converged:
            self.settled = session.now
        idle = session.nothing_open
        if self.size is None and idle and (self._to_begin or self._overdue):
            self.begin_run()
        if self.size is not None and (idle or self.stages and session.now - self.ended >= PATIENCE):
            self._begin()

    def _begin(self):
        held = self.session.store.items()
        count = min(self.size, len(held))
        self.last += 1
        self.stage = Stage(self.last, self.size, held, self.session.now)
        self.stages.append(count)
        self._ask(self.stage.items.first_message(len(held) - count))

    def _ask(self, message):
        self.rounds += 1
        self.stage.waits = True
        self.session.send(wire.RECONCILE, stage=self.stage.number, round=self.stage.round, message=message)

    # What comes.

    def on_reconcile(self, m):
        if not m["stage"]:
            if m["round"] or m["message"] or self.asked_for or self.session.was_asked:
                raise Closed(IMPOSSIBLE, True)
            self.session.was_asked = True
            self.asked_for = self.stage is None and self.size is None
            return
        stage = self.stage
        if not stage or not stage.waits or (m["stage"], m["round"]) != (stage.number, stage.round):
            raise Closed(IMPOSSIBLE, True)
        parts = negentropy.decode(m["message"])
        question = stage.items.ask_on(parts, stage.have, stage.need, LIMIT)
        stage.waits = False
        listed = [one for part in parts if part.mode == negentropy.ID_LIST for one in part.value]
        wanted = [one for one in dict.fromkeys(listed) if one not in stage.items.ids and one not in stage.asked]
        if wanted:
            stage.asked.update(wanted)
            stage.unanswered.append(len(wanted))
            self.session.send(wire.ITEMS_WANTED, stage=stage.number, ids=wanted)
        if not question:
            return
        if stage.round == MAX_ROUNDS or len(stage.have) + len(stage.need) > MAX_DIFFERENCES:
            stage.gave_up = True
            return
        stage.round += 1
        self._ask(question)

    def on_items(self, m):
        stage = self.stage
        if not stage or m["stage"] != stage.number or not stage.unanswered:
            raise Closed("unaskedAnswer", True)
        stage.unanswered[0] -= len(m["logs"])
        if m["end"] == 2 or stage.unanswered[0] < 0:
            raise Closed(IMPOSSIBLE, True)
        if m["end"]:
            stage.unanswered.popleft()
        self.session.learn(m["logs"])

    def on_items_wanted(self, m):
        raise Closed(IMPOSSIBLE, True)

    def _end(self):
        session, stage = self.session, self.stage
        names = [stage.logs[one] for one in sorted(stage.have)]
        many = len(stage.have) > MAX_DIFFERENCES
        told = [] if many else session.items_of(names, mind_known=True)
        session.send_items(stage.number, told, 2 if stage.gave_up or many else 1)
        self.stage, self.ended = None, session.now
        if stage.whole or stage.gave_up or many:
            self.size = None
            self.settled = session.now
            session.run_over(carried=stage.whole and not stage.gave_up and not many)
        else:
            self.size = stages.next_size(stage.size, stage.differs)
