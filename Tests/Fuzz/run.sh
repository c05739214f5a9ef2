#!/usr/bin/env bash
# Runs fuzz targets one after another, each for as long as was said: run.sh PROGRAM SECONDS [TARGET...]
# With INPUT=FILE the one target runs that input alone. What is found is left in FINDINGS, with the command that replays it.
set -uo pipefail
cd "$(dirname "$0")/../.."
program=$1 seconds=$2
shift 2
all="frame handshake message payload proof negentropy bundle intake peers invite dialogue beacon control home store"
place=.build-fuzz
findings=$place/findings
# A backtrace would leave a process behind that holds the pipe.
export SWIFT_BACKTRACE=enable=no
# What the program keeps for its next input is no leak.
export ASAN_OPTIONS=detect_leaks=0

if [ -n "${INPUT:-}" ]; then
    FUZZ_TARGET=$1 exec "$program" -timeout=60 -rss_limit_mb=3072 "$INPUT"
fi

mkdir -p "$findings"
python3 Tests/Fuzz/seeds.py "$place/seeds" >/dev/null || exit 1
found=0
stat() { sed -n "s/^stat::$1: *//p" "$log" | tail -1; }
# What a run is worth is how long it computed: on a busy machine that is less than how long it lasted.
TIMEFORMAT='%U %S'
per() { echo "$spent" | awk -v n="${executions:-0}" '{ s = $1 + $2; printf "%d %d", s, (s > 0 ? n / s : 0) }'; }
printf '%-12s %12s %9s %9s %9s %9s %8s  %s\n' target executions CPU-s per-s edges features MB findings
for target in ${*:-$all}; do
    mkdir -p "$place/corpus/$target"
    log=$place/$target.log
    before=$(find "$findings" -name "$target-*" | wc -l)
    # An input's time is on the clock: on a busy machine many seconds say nothing, five minutes do.
    spent=$({ time FUZZ_TARGET=$target "$program" "$place/corpus/$target" "$place/seeds/$target" \
        -max_total_time="$seconds" -timeout=300 -report_slow_units=300 -rss_limit_mb=3072 -max_len=131072 -print_final_stats=1 \
        -artifact_prefix="$findings/$target-" >"$log" 2>&1; } 2>&1)
    executions=$(stat number_of_executed_units)
    edges=$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -c6-)
    features=$(grep -o 'ft: [0-9]*' "$log" | tail -1 | cut -c5-)
    after=$(find "$findings" -name "$target-*" | wc -l)
    # shellcheck disable=SC2046
    printf '%-12s %12s %9s %9s %9s %9s %8s  %s\n' "$target" "$executions" $(per) "$edges" "$features" \
        "$(stat peak_rss_mb)" $((after - before))
    if [ "$after" != "$before" ] || ! grep -q '^stat::' "$log"; then
        found=1
        grep -E 'Fatal error|ERROR: |SUMMARY: ' "$log" | cut -c1-300 | sed 's/^/    /'
        for input in $(find "$findings" -name "$target-*" -newer "$place/corpus/$target/.." 2>/dev/null | head -5); do
            echo "    replay: make fuzz TARGETS=$target INPUT=$input"
        done
        echo "    log: $log"
    fi
done
exit $found
