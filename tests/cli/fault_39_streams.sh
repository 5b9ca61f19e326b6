# Errors are never on standard output, results never on standard error; others go on after a failure, but not
# with --fail-fast; a combined number of --concat is not given.
. "$ROOT/tests/cli/helpers"
mkdata i32 1 2 3 >a.i32
mkdata i32 4 5 6 >c.i32
printf abc >odd.i32
onepass -q sum a.i32 none.i32 odd.i32 c.i32 2>err
echo "status $?"
cat err
echo "-- tsv"
onepass --tsv sum a.i32 none.i32 odd.i32 c.i32 2>/dev/null
echo "status $?"
echo "-- --fail-fast"
onepass --csv --fail-fast sum a.i32 none.i32 c.i32 2>/dev/null
echo "status $?"
echo "-- --no-fail-fast"
onepass --csv --fail-fast --no-fail-fast sum none.i32 c.i32 2>/dev/null
echo "status $?"
echo "-- --concat"
onepass --concat sum a.i32 none.i32 c.i32 2>err
echo "status $?"
cat err
onepass --concat --jsonl --stable sum a.i32 odd.i32 c.i32 2>/dev/null
echo "status $?"
echo "-- first and last"
onepass -qq --csv --no-header sum none.i32 a.i32 none2.i32 2>/dev/null
echo "status $?"
