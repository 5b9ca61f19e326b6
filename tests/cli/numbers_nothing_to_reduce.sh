# NUMBERS: nothing to reduce.  Sums, norms and counts 0, prod and all 1, the rest nan; one warning an input, exit 0.
. "$ROOT/tests/cli/helpers"
: >empty.f32
mkdata --npy '<f8' 0 f64 >none.npy
mkdata --npy '<i2' 3,0,2 i16 >flat.npy
mkdata f32 nan nan >nans.f32
mkdata u8 1 2 3 >some.u8
turned "$ALL" empty.f32 none.npy flat.npy
onepass -qq --no-header --tsv --no-filename "$ALL" empty.f32 >want
for k in "--count 0" "--offset 3" "--shape 2,0,3" "--offset 2 --count 0 --stride 5"; do
    # shellcheck disable=SC2086 # a list
    onepass -qq --no-header --tsv --no-filename $k "$ALL" some.u8 | cmp - want
done
onepass -qq --no-header --tsv --no-filename "where(x > 3)|$ALL" some.u8 | cmp - want
# Dropped NaN are counted all the same: the one difference.
turned -qq --skip-nan "$ALL" nans.f32 | sed 1d | diff - <(turned -qq "$ALL" empty.f32 | sed 1d)
# No warning where 0 or 1 is the answer; null in JSON, with its text.
gives $'sum\tnorm2\tcount\tall\tprod\n0\t0\t0\t1\t1' 'sum, norm2, count, all, prod' --count 0 some.u8
onepass -qq --json --stable 'mean, argmax, sum' empty.f32 | grep -o '"results".*'
# A post makes what it makes of nan; the warning is of the reduction.
says '*: nothing to reduce: max is nan' 1 -q 'max|isnan' empty.f32
