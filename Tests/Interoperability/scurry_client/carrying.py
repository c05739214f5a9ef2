"""Which logs of an identity are carried (identity.md §6)."""

MOST = 16


def left_out(logs):
    """Of the logs of one identity that have an item: those behind the 16th without a settlement."""
    ordered = sorted(logs, key=lambda log: (log.certificate.serial, log.name))
    unsettled = 0
    for at, log in enumerate(ordered):
        unsettled += log.settlement is None
        if unsettled == MOST:
            return ordered[at + 1:]
    return []
