"""A second implementation of the Scurry protocol, written from the pages in protocol/ alone."""
