# CLI 19: SIGUSR1 prints a line about the input in progress, with -q and without a terminal too, and kills
# neither early nor late.
. "$ROOT/tests/cli/helpers"
mkfifo fifo.f32
onepass -q sum fifo.f32 >out 2>err &
pid=$!
exec 7>fifo.f32
mkdata f32 1*1000 >&7
for _ in {1..100}; do
    kill -USR1 $pid
    sleep 0.03
    [ -s err ] && grep -q '4.00 kB' err && break
done
mkdata f32 2 >&7
exec 7>&-
wait $pid
echo "status $?, $(cat out)"
grep -vE '^onepass: fifo\.f32: [0-9.]+ k?B, [0-9.]+ k?B/s, [0-9]+ elements, [0-9.]+ s$' err
[ "$(tail -c 1 err | od -An -to1 | tr -d ' ')" = 012 ] || echo "wrong: no whole line"
# Of a file it knows how much there is, and once some of it is read, how long the rest will take.
truncate -s 4G big.f32
trap '' USR1 # inherited: until its handler stands the signal is ignored
onepass -qj 1 --tsv sum big.f32 big.f32 big.f32 >out 2>err &
pid=$!
for _ in {1..100}; do
    sleep 0.05
    kill -USR1 $pid
    grep -q left err && break
done
kill -TERM $pid
wait $pid
grep -m 1 left err | sed -E 's/[0-9.]+%/N%/; s/[0-9.]+ [kMG]?B/N/g; s/[0-9.]+ s\b/N s/g; s/[0-9]+ elements/N elements/'
# While the process starts and while it ends there is nothing to tell, and that is no trouble.
mkdata f32 1 >a.f32
for _ in {1..20}; do
    onepass -q sum a.f32 >>many 2>/dev/null &
    for _ in {1..20}; do kill -USR1 $!; done 2>/dev/null
done
wait
sort many | uniq -c | tr -s ' '
