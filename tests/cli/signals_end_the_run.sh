# CLI 17, 18: SIGINT, SIGTERM and SIGHUP: finished records stand, the input in progress yields no number, the
# temporary file is removed, and the process dies of the signal itself.
. "$ROOT/tests/cli/helpers"
set -m # jobs have the default actions
exec 2>/dev/null # what bash says of dead jobs differs between its versions
mkdata f32 1 2 >a.f32
mkfifo fifo.f32
run() { # SIGNAL ARGUMENT...: interrupted while the FIFO keeps it waiting, after the first record if there is one
    rm -f out
    onepass "${@:2}" >out 2>err &
    local pid=$!
    exec 7>fifo.f32
    mkdata f32 1*1000 >&7
    for _ in {1..200}; do
        [ -s out ] || ls .*.tmp >/dev/null 2>&1 || [ -n "${early:-}" ] && break
        sleep 0.02
    done
    sleep 0.1
    kill "-$1" $pid
    wait $pid
    local status=$?
    exec 7>&-
    echo "$1: status $status, $(wc -c <err) bytes of messages"
    sed 's/,"dataset".*"value"/ ... "value"/; s/,"text".*//' out
}
run INT -q --no-header sum a.f32 fifo.f32 a.f32
run TERM --jsonl --stable sum a.f32 fifo.f32 a.f32
run HUP --csv sum a.f32 fifo.f32
early=1
run INT sum fifo.f32
run INT --json --stable -j 7 sum fifo.f32
run TERM --concat sum a.f32 fifo.f32
run INT --concat --jsonl --stable sum fifo.f32 a.f32
# With -o nothing changes, and nothing is left over.
echo old >result
run INT -o result --tsv sum a.f32 fifo.f32
cat result
find . -name '*onepass*'
# Ignored by the parent (nohup): stays ignored.
set +m
{ mkdata f32 5; sleep 0.3; mkdata f32 6; } >fifo.f32 &
(trap '' INT HUP && exec onepass -q sum fifo.f32) >out &
pid=$!
sleep 0.15
kill -INT $pid
kill -HUP $pid
wait $pid
echo "ignored: status $?, $(cat out)"
wait
