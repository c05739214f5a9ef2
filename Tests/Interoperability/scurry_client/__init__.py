"""A second implementation of the Scurry protocol, written from the pages in protocol/ alone.

It speaks versions 1 and 2; of version 2 it knows reconciliation (sync.md §13), and nothing of settlements and fork evidence
(§9): a log that forked it sets aside, as version 1 does."""
