# CLI 20: on a terminal after a second, redrawn in place, no wider than it, erased before anything else; not
# with -q, --no-progress, a dumb terminal, or when the run is short.
. "$ROOT/tests/cli/helpers"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no script(1) that gives a terminal"; exit 77; }
long=$(printf 'n%.0s' {1..150}).f32
run() { # LABEL TERM SECONDS OPTIONS
    mkdir "$1"
    (
        cd "$1" || exit
        mkfifo "$long"
        { mkdata f32 1*100; for _ in 1 2 3 4 5 6 7 8; do sleep "$3"; mkdata f32 1*100; done; } >"$long" &
        start=$EPOCHREALTIME
        TERM=$2 COLUMNS=60 script -qec "onepass --color never $4 sum $long" /dev/null </dev/null >shown
        awk "BEGIN { print $EPOCHREALTIME - $start }" >seconds
        wait
    ) &
}
run shown xterm 0.2 ""
run forced xterm 0.2 "-q --progress"
run quiet xterm 0.2 "-q"
run off xterm 0.2 "--no-progress"
run dumb dumb 0.2 ""
wait
# On a machine that is busy even a short run may take a second.
for _ in {1..20}; do
    rm -rf short
    run short xterm 0.01 ""
    wait
    awk '{ exit $1 >= 1 }' short/seconds && break
done
for label in shown forced short quiet off dumb; do
    redrawn=$(grep -o $'\r[^\r]*\033\\[K' $label/shown | grep -c 's$\|B/s')
    # At most five times a second.
    awk -v n="$redrawn" '{ exit n > 1 + 5 * $1 }' $label/seconds || redrawn="too often"
    [ "$redrawn" != 0 ] && [ "$redrawn" != "too often" ] && redrawn=some
    echo "$label: $redrawn"
    tr '\r' '\n' <$label/shown | sed 's/\x1b\[K//' | awk 'length > 60 && !/f32, / { print "wrong: wide: " $0 }'
done
# Erased before the result.
grep -o $'\r\033\\[K900' shown/shown | tr -d '\r' | sed 's/\x1b\[K/(erased) /'
grep -c '^900' quiet/shown
