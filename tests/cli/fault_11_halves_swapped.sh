# Both halves of the data swapped, NaN among them: the same min, max and sum, in both modes.
. "$ROOT/tests/cli/helpers"
mkdata f32 3 nan -7 inf 2 -0.0 >a
mkdata f32 9 -inf 0 nan nan 5 >b
cat a b >ab.f32
cat b a >ba.f32
mkdata f64 normal:1:3000 nan >c
mkdata f64 nan*2 rand:2:999 >d
cat c d >cd.f64
cat d c >dc.f64
what='min, max, sum, count, nnan, ninf, var, range, norm2, prod'
for pair in "ab.f32 ba.f32" "cd.f64 dc.f64"; do
    for k in "" "--skip-nan" "--skip-nan -j 7 --piece-size 1"; do
        # shellcheck disable=SC2086 # lists
        onepass -qq --no-filename --no-header $k "$what" $pair | uniq | wc -l
    done
done
gives $'min\tmax\tnnan\n-inf\tinf\t3' --skip-nan 'min, max, nnan' ab.f32
