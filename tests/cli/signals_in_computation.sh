# A signal in the middle of a long computation, not of a wait: it ends soon, without a number.  A second signal
# kills at once, even while a record cannot be written.
. "$ROOT/tests/cli/helpers"
set -m # jobs have the default actions
exec 2>/dev/null # what bash says of dead jobs differs between its versions
truncate -s 8G big.f32 2>/dev/null || { echo "no sparse files of 8 GiB here"; exit 77; }
onepass -j 2 'sin|exp|sum' big.f32 >out 2>err &
pid=$!
sleep 0.4
start=$SECONDS
kill -INT $pid
wait $pid
echo "status $?, $(wc -c <out) bytes, $(wc -c <err) bytes, soon: $((SECONDS - start < 5))"
# A full pipe that nobody reads.
mkfifo pipe
exec 7<>pipe
dd if=/dev/zero of=pipe bs=4096 count=1000 oflag=nonblock status=none 2>/dev/null
mkdata f32 1 >a.f32
onepass -q --json sum a.f32 >pipe &
pid=$!
sleep 0.3
kill -INT $pid
sleep 0.1
kill -INT $pid 2>/dev/null
wait $pid
echo "blocked: status $?"
