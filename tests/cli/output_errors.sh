# CLI 14: a full disk and a closed standard output are noticed, at close too; and only if there was output.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 >x.f32
for line in --help -h --version -qV --list-ops --list-dtypes --dtype=? "--generate man" "sum x.f32" "--json sum x.f32" \
    "--csv stats x.f32" "-n sum x.f32" "--json sum none.f32"; do
    # shellcheck disable=SC2086 # several words
    onepass $line >/dev/full 2>err
    [ $? -eq 5 ] && grep -q '^onepass: standard output: write failed: No space left on device$' err || echo "wrong: full: $line"
    # shellcheck disable=SC2086
    onepass $line >&- 2>err
    [ $? -eq 5 ] && grep -q '^onepass: standard output: write failed: Bad file descriptor$' err || echo "wrong: closed: $line"
    # shellcheck disable=SC2086
    onepass $line 2>err >/dev/null || [ $? -eq 4 ] || echo "wrong: $line"
done
# No output: nothing to complain about.
onepass sum none.f32 >&- 2>/dev/null
echo "closed, no output: $?"
onepass sum none.f32 >/dev/full 2>/dev/null
echo "full, no output: $?"
onepass sun x.f32 >&- 2>/dev/null
echo "closed, usage: $?"
# After the first failed write it stops.
onepass -q sum x.f32 x.f32 x.f32 >/dev/full
# Closed standard error: no message lands in the file that took its number.
onepass sum x.f32 2>&- >out
echo "no stderr: $?, $(cat out)"
onepass sum none.f32 2>&- >out
echo "no stderr: $?, $(wc -c <out) bytes"
onepass sum x.f32 2>/dev/full
echo "full stderr: $?"
gives 3 sum x.f32
