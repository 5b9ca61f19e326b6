# CLI 28, 43: a terminal shows the same columns, order and digits as a pipe gets, aligned; it is never read.
. "$ROOT/tests/cli/helpers"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no script(1) that gives a terminal"; exit 77; }
tty() { TERM=${TERM-xterm} script -qec "$1" /dev/null </dev/null | tr -d '\r'; }
mkdata f32 1 2 0.1 >a.f32
mkdata i64 -9007199254740993 4 >longer_name.i64
mkdata f32 nan >c.f32
what='sum, mean, max, argmin'
tty "onepass -qq --color never '$what' a.f32 longer_name.i64 c.f32" >shown
onepass -qq "$what" a.f32 longer_name.i64 c.f32 >piped
sed -E 's/^ +//; s/ +/\t/g' shown | cmp - piped
# Aligned: every line is as wide as the first, names to the left, numbers to the right.
awk '{ print length }' shown | uniq | wc -l
cut -c1-15 shown
grep -cE ' (sum|-9007199254740989) ' shown
tty "onepass -q sum a.f32"
tty "onepass -q --tsv sum a.f32" | cmp - <(onepass -q --tsv sum a.f32)
tty "onepass -q --json --stable sum a.f32" | cmp - <(onepass -q --json --stable sum a.f32)
tty "onepass -t f32 sum -; echo status \$?"
tty "onepass -f - a.f32; echo status \$?"
tty "onepass -t f32 sum /dev/tty; echo status \$?"
