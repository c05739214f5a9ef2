#!/usr/bin/env bash
# Three real nodes in a line, A - B - C: they talk, are split, go on, and heal.
#
# SCURRY is the program. Ends with 0 if all three print the same fingerprint, with 1 if not; leaves no process and no
# home behind, whatever happens.
set -euo pipefail

scurry=${SCURRY:?SCURRY is the path of the program}
patience=20 # seconds that anything here may take
homes=$(mktemp -d "${TMPDIR:-/tmp}/scurry-demo.XXXXXX")
declare -A node=() # name -> process

clean_up() {
    local process
    for process in "${node[@]}"; do kill -TERM "$process" 2>/dev/null || true; done
    for process in "${node[@]}"; do wait "$process" 2>/dev/null || true; done
    rm -rf "$homes"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

if [ -t 1 ]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; else bold='' dim='' plain=''; fi
export PAGER=cat
unset SCURRY_HOME
export XDG_STATE_HOME=$homes/state

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
fail() {
    printf 'demo: %s\n' "$*" >&2
    for log in "$homes"/*.log; do printf -- '--- %s\n' "${log##*/}" >&2 && cat "$log" >&2; done
    exit 1
}

# on NODE COMMAND...: runs a command on a node's home, and shows it as it would be typed.
on() {
    local who=$1
    shift
    printf '%s%s$ scurry' "$dim" "$who"
    local word
    for word in "$@"; do [[ $word == *[\ \']* ]] && printf ' "%s"' "$word" || printf ' %s' "$word"; done
    printf '%s\n' "$plain"
    SCURRY_HOME=$homes/$who "$scurry" "$@" 2>&1
}

# quietly NODE COMMAND...: what a command prints, for this script to read.
quietly() {
    local who=$1
    shift
    SCURRY_HOME=$homes/$who "$scurry" "$@" 2>&1
}

# written NODE COMMAND...: as `on`; leaves the short id of what was written in `id`.
written() {
    local text
    text=$(on "$@") || fail "$text"
    printf '%s\n' "$text"
    id=$(sed -n 's/^\(posted\|replied\) \([a-z2-7]*\).*/\2/p' <<<"$text")
    [ -n "$id" ] || fail "nothing was written"
}

# until_true WHAT COMMAND...: asks again until the command succeeds.
until_true() {
    local what=$1 end=$((SECONDS + patience))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "waited $patience s for $what"
        sleep 0.05
    done
}

field() { sed -n "s/.*\"$2\":\"\\([^\"]*\\)\".*/\\1/p" <<<"$1"; }
is_up() { quietly "$1" status --json | grep -q '"listening":"'; }
fingerprint() { field "$(quietly "$1" fingerprint --json)" fingerprint; }
# Equal fingerprints are there first; a moment later both ends of each connection have told each other.
is_in_step() { quietly "$1" status --json | grep -q "\"peers_in_step\":$2,"; }
is_equal() { [ "$(fingerprint "$1")" = "$(fingerprint "$2")" ]; }
address() {
    local status
    status=$(quietly "$1" status --json)
    echo "$(field "$status" node)@$(field "$status" listening)"
}

start() {
    local who=$1
    shift
    SCURRY_HOME=$homes/$who "$scurry" run --listen 127.0.0.1:0 "$@" 2>>"$homes/$who.log" &
    node[$who]=$!
    until_true "node $who" is_up "$who"
}

stop() {
    kill -TERM "${node[$1]}"
    wait "${node[$1]}" || fail "node $1 ended badly"
    unset "node[$1]"
}

say "Three people, three machines, no server."
for pair in A:hazel B:rowan C:juniper; do
    who=${pair%%:*}
    quietly "$who" init --name "${pair##*:}" --words-to "$homes/$who.words" | sed -n "s/^You are/$who is/p"
done

say "A and C only answer; B calls both. So they stand in a line: A - B - C."
start A --no-dial
start C --no-dial
quietly B join "$(address A)" >/dev/null
quietly B join "$(address C)" >/dev/null
start B
printf 'A, B and C run on ports %s, %s, %s\n' "$(address A | sed 's/.*://')" "$(address B | sed 's/.*://')" \
    "$(address C | sed 's/.*://')"

say "Everybody posts."
written A post "Caught this one stealing my bagel." -c squirrels
bagel=$id
written B post "See the course page; bring your own scratch paper." --title "Midterm room moved to Gates B01" -c cs193
written C post "Does anybody still have the notes of the first week?" -c cs193
notes=$id
until_true "A and B to agree" is_equal A B
until_true "B and C to agree" is_equal B C
on C vote up "$bagel"
until_true "A and C to agree" is_equal A C

say "B goes away: nothing connects A and C any more."
stop B

say "Both ends go on."
written A post "It is back, and it brought a friend." -c squirrels

on A vote up "$notes"
written A post "Selling my bicycle, cheap."
bicycle=$id
written A reply "$notes" "I have them, look for me in the library."
written C post "The fountain is off again." -c squirrels
written C reply "$bagel" "That is the one from the library."
on C vote down "$bagel"
on A delete "$bicycle"
printf 'A %s\nC %s   %s\n' "$(fingerprint A)" "$(fingerprint C)" "two different worlds"
if is_equal A C; then fail "the network was not split"; fi

say "B comes back."
start B
until_true "A and B to agree" is_equal A B
until_true "B and C to agree" is_equal B C
until_true "A to know it" is_in_step A 1
until_true "B to know it" is_in_step B 2
until_true "C to know it" is_in_step C 1

for who in A B C; do
    say "The feed on $who:"
    on "$who" feed
done

say "And what the three nodes hold:"
for who in A B C; do printf '%s  %s\n' "$who" "$(quietly "$who" fingerprint)"; done
if is_equal A B && is_equal B C; then
    say "Equal: the same feed everywhere."
else
    fail "the fingerprints differ"
fi

