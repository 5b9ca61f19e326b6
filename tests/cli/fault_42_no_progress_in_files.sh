# No progress bar in a log file or pipe, forced or not, however long the run takes.
. "$ROOT/tests/cli/helpers"
slow() { mkdata f32 1 2; sleep 1.4; mkdata f32 3; }
slow | onepass -t f32 sum - >a.out 2>a.err &
slow | onepass --progress -t f32 sum - 2>&1 | cat >b.out &
slow | onepass -q --progress -t f32 --json --stable sum - >c.out 2>c.err &
wait
cat a.out
for file in a.err b.out c.err; do
    grep -cE $'\r|\033' $file
    grep -vcE '^(3 f32, 12 B in |6$)' $file
done
sed 's/ in .*//' a.err b.out
cat c.err
