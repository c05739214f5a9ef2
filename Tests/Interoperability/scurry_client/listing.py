"""In which order logs are announced (sync.md §4)."""


def newest(log, now):
    """When the last entry held was written, in milliseconds; the future counts as now."""
    return min(log.entries[log.size - 1].time, now) if log.size else 0


def first_list(logs, now):
    """Of (name, log) pairs: of each identity the newest, newest first; then the second newest of each, and so on."""
    turns = {}
    ranked = []
    for name, log in sorted(logs, key=lambda pair: -newest(pair[1], now)):
        root = log.certificate and log.certificate.root
        turn = turns.get(root, 0)
        turns[root] = turn + 1
        ranked.append((turn, name, log))
    return [(name, log) for _, name, log in sorted(ranked, key=lambda one: one[0])]


def by_change(logs):
    return sorted(logs, key=lambda pair: pair[1].change)
