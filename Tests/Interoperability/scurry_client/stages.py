"""How large the stages of a run of reconciliation are (sync.md §13, Stages)."""

FIRST = 1024        # items of the dialler, the newest
GROWTH = 8
WHOLE = float("inf")    # as many as there are when the stage begins


def next_size(size, differed):
    """After a stage about `size` items that was not the whole."""
    return GROWTH * size if differed else WHOLE


def is_owed(cursor_known, ours, theirs):
    """Whether the first list is left out, by the item counts of both Hellos."""
    few, many = sorted((ours, theirs))
    return not cursor_known and 0 < few and many <= 4 * few
