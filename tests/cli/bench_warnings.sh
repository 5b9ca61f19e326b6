# CLI 57: figures that mean little are said to, with the cause and what to do; -q keeps warnings, -qq does not.
. "$ROOT/tests/cli/helpers"
onepass -q --bench sum --size 1K --runs 1 2>&1 >out | sed -E 's/warning: (naive|fused inexact|onepass exact|, )+:/warning: ROWS:/'
onepass -qq --bench sum --size 1K --runs 1 2>&1 >out
mkdata f32 1 >x.f32
onepass -q --bench sum x.f32 --runs 1 2>&1 >out | grep -o 'take a larger file'
# A result without data warns as in any run.
onepass -q --bench 'where(x > 9)|mean' x.f32 --runs 1 2>&1 >out | head -n 1
sed -n 's/^onepass exact .* //p' out | tail -n 1
# Interrupted: it dies of the signal, and prints nothing.
onepass -qq --bench 'log|sin|exp|sum' --size 64M --runs 10000 >killed &
pid=$!
sleep 0.7
kill -TERM $pid
wait $pid
echo "killed: $?, $(wc -c <killed) bytes"
