"""Why a connection ends (sync.md §11 and §12)."""

STOPPING, VIOLATION, NO_VERSION, TOO_MANY, DUPLICATE, ONESELF, NO_SCOPE, REPLACED = range(1, 9)


class Closed(Exception):
    """The connection ends: `name` says why, `violation` whether by the peer's fault."""

    def __init__(self, name, violation=False, reason=None):
        super().__init__(name)
        self.name, self.violation = name, violation
        self.reason = VIOLATION if violation else reason
