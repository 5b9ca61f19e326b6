# CLI 57, 64: --bench prints what each row does, how fast, and what it gives: formulas on top, 100 columns, the
# declared columns and the exact values independent of the machine.
. "$ROOT/tests/cli/helpers"
onepass -qq --bench 'x + 0.1 | abs | sum' --size 400KB --runs 3 -j 2 >table
head -n 1 table | grep -cE '^# onepass [0-9.]+( \([0-9a-f]+(-dirty)?\))? --bench: x \+ 0\.1\|abs\|sum$'
grep -cE '^# machine  .+, [a-z0-9]+, 2 threads$' table
sed -n '/^# data/,$p' table | sed -E '/^# system/d' >rest
# Times, spread, rates and speed-up are the machine's; so are the values of the inexact rows.
sed -E 's/ +[0-9.]+ [mu]?s +[0-9.]+ % +[0-9.]+ +[0-9.]+$/ */; s/^(naive|fused inexact)( +)[0-9]+( +)[0-9.e+]+  [0-9.]+$/\1\2N\3U  V/' rest
awk 'length > 100' table
sed -n 's/^onepass exact .*  //p' table | tail -n 1 >value
mkdata f32 normal:1:100000 >x.f32
onepass -q 'x + 0.1 | abs | sum' x.f32 | cmp - value
# Several reductions: the first is shown.
onepass -qq --bench 'max, sum; min' --size 4000 --runs 1 --warmup 0 >several
grep -E 'Of|^row  ' several
grep -cE '^naive .* -  ' several
# No header, other digits; a file of one's own.
onepass -qq --no-header --digits 3 --bench 'max' x.f32 --runs 1 >file
grep '^# data' file
grep -c '^row' file
tail -n 1 file
onepass -qq --hex --bench 'max' x.f32 --runs 1 | sed -n 's/^onepass exact .* //p' | tail -n 1
