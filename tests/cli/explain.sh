# --explain shows the plan on standard output, reads metadata only, and runs nothing.
. "$ROOT/tests/cli/helpers"
mkdata --npy '<f4' 2,3 f32 1..6 >x.npy
for option in -n --explain --dry-run; do onepass $option 'abs|sum, mean' x.npy >"plan$option" 2>err; echo "$option: $?, $(wc -c <err)"; done
cmp plan-n plan--explain
cmp plan-n plan--dry-run
for word in x.npy f32 'shape \[2, 3\]' 'abs|sum,mean' 'passes *1' sum mean cpu; do
    grep -q -- "$word" plan-n || echo "wrong: no $word in the plan"
done
# 2^40 elements take no time, and a file that lies is found out all the same.
truncate -s 1T huge.u8 && onepass -n sum huge.u8 | grep -c 1099511627776
fails 4 'onepass: none.f32: cannot open: *' -n sum none.f32
printf abc >odd.f32
fails 4 'onepass: odd.f32: *left-over*' -n sum odd.f32
ONEPASS_CPU=portable onepass -n -j 2 sum x.npy | grep '^device'
ONEPASS_CPU=portable onepass -n -j 1 --piece-size 4K sum x.npy | grep '^device'
# Why it is computed there.
reason() { onepass -n "$@" | sed -n '/^device/{n;s/[0-9.]* s on/S on/g;p}'; }
reason sum x.npy
reason --device cpu sum x.npy
mkdata f32 1 | cat | reason -t f32 sum -
fails 2 'onepass: unknown*' -n sun x.npy
fails 2 'onepass: there is no input*' -n sum
onepass -n sum x.npy none.f32 x.npy >plan 2>/dev/null
echo "status $?, $(grep -c '^input' plan) plans"
onepass -n --concat sum x.npy x.npy | grep -c '^passes'
fails 2 "onepass: option --explain: 'gpu' is not cuda*" --explain=gpu sum x.npy
# The kernel's text needs no GPU, unless one is asked for.
onepass --explain=cuda 'abs|sum' x.npy | grep -c 'onepass_fused'
fails 3 'onepass: --device cuda: *' --explain=cuda --device cuda sum x.npy
onepass -n -o plan sum x.npy && grep -c '^input' plan
# Two equal reductions share their accumulators: s1 of the same value once.
onepass -n 'sum, mean, var, std; sum' x.npy | grep -c '= sum of'
