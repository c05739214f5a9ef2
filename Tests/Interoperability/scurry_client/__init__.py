"""A second implementation of the Scurry protocol, written from the pages in protocol/ alone.

It speaks versions 1 and 2."""
