#!/bin/sh
# Runs a command with a loopback device of its own, so that nobody else's bytes are counted; where that is not allowed, or
# there is no ip(8), as it is.
if unshare -rn ip link set lo up 2>/dev/null; then
    exec unshare -rn sh -c 'ip link set lo up && exec "$@"' sh "$@"
fi
exec "$@"
