# What reading can do: a directory, a FIFO, no permission, a device, a signal in the middle, a file that
# changes under the run.
. "$ROOT/tests/cli/helpers"
mkdir dir.f32
mkfifo fifo.f32
fails 4 'onepass: dir.f32: is a directory*' sum dir.f32
fails 4 'onepass: none.f32: cannot open: No such file or directory' sum none.f32
fails 4 'onepass: fifo.f32/y: cannot open: Not a directory' sum fifo.f32/y
mkdata f32 1 2 3 >fifo.f32 &
gives 6 sum fifo.f32
wait
gives 0 -t u8 count /dev/null
fails 4 'onepass: -: is a directory*' -t u8 sum - <dir.f32
onepass -t u8 sum - 0<&- 2>&1
echo "status $?"
# EINTR: signals that arrive in a read are no end and no error.
{ mkdata f32 1 2; sleep 0.3; mkdata f32 4; } >fifo.f32 &
onepass -q -j 2 sum fifo.f32 2>status >out &
pid=$!
for _ in 1 2 3 4; do sleep 0.05; kill -USR1 $pid; done
wait $pid && cat out
wait
# While the FIFO keeps the run waiting, the other file shrinks, grows or is written to: no number.
change() { # COMMAND: how y.f32 changes after the run has opened it
    mkdata f32 1..50000 >y.f32
    touch -d 2001-01-01 y.f32
    onepass -q --concat sum fifo.f32 y.f32 >out 2>err &
    pid=$!
    exec 7>fifo.f32
    mkdata f32 1*500 >&7
    for _ in {1..100}; do
        [ -n "$(find /proc/$pid/fd -lname '*/y.f32' 2>/dev/null)" ] && break
        sleep 0.02
    done
    eval "$1"
    mkdata f32 1 >&7
    exec 7>&-
    wait $pid
    echo "status $?, $(wc -c <out) bytes, $(cat err)"
}
change 'truncate -s 100000 y.f32'
change 'mkdata f32 1 >>y.f32'
change 'touch y.f32; mkdata f32 5 | dd of=y.f32 conv=notrunc status=none'
