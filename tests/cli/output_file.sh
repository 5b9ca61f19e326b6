# -o: results go to the file in one step, by a temporary name beside it; when something fails it is as it was.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 >x.f32
left() { find . -name '*onepass*' -o -name '.*tmp*' | sed 's/^/wrong: left over: /'; }
gives '' -o out sum x.f32
cat out
gives '' --output=out --csv mean x.f32
cat out
gives '' -o out --list-dtypes && head -n 1 out
left
# A symbolic link stays one; the mode stays; a file that was not there gets the usual mode.
mkdir sub
ln -s sub/real link
echo old >sub/real
chmod 640 sub/real
gives '' -o link sum x.f32
[ -L link ] && cat sub/real && stat -c %a sub/real
(umask 027 && onepass -q -o fresh sum x.f32 && stat -c %a fresh)
# An input is not replaced by its result, under no name of it.
cp x.f32 both.f32
ln both.f32 other.f32
fails 2 "onepass: option --output: 'both.f32' is an input*" -o both.f32 sum x.f32 other.f32
onepass -q -o both.f32 sum -t f32 - <other.f32 2>/dev/null
cmp x.f32 both.f32
# An input that fails does not keep the others' results away.
onepass -q -o out --tsv sum none.f32 x.f32 2>/dev/null
echo "status $?"
cat out
# Failures: status 5, one line, the old content, nothing left over.
echo old >out
fails 5 'onepass: none/out: *: No such file or directory' -o none/out sum x.f32
fails 5 'onepass: .: *: Is a directory' -o . sum x.f32
fails 5 'onepass: /dev/full: write failed: No space left on device*' -o /dev/full sum x.f32
fails 5 'onepass: x.f32/y: *' -o x.f32/y sum x.f32
fails 2 'onepass: *empty*' -o '' sum x.f32
fails 2 'onepass: *' -o out sun x.f32
fails 3 'onepass: *' -o out --device cuda sum x.f32
fails 2 'onepass: *' -o out --columns nothing sum x.f32
cat out
# The disk is full when the second record is written.
(
    trap '' XFSZ
    ulimit -f 1
    # shellcheck disable=SC2046 # many operands
    onepass -q -o out --jsonl sum $(printf 'x.f32 %.0s' {1..200}) 2>&1
    echo "status $?"
)
cat out
left
# Standard output by its names: appended where the shell appends.
{ echo head && onepass -q -o /dev/stdout sum x.f32 && onepass -q -o - sum x.f32 && echo tail; } >appended
paste -sd' ' appended
{ onepass -q -o /dev/stderr sum x.f32 >/dev/null; } 2>&1
onepass -q -o /dev/null sum x.f32
mkfifo fifo
onepass -q -o fifo sum x.f32 &
cat fifo
wait
