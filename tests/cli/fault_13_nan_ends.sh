# A compare-and-swap loop that never ends on NaN: nothing but NaN on several threads, under a time limit.
. "$ROOT/tests/cli/helpers"
mkdata f32 nan*300000 >x.f32
timeout 20 onepass -q -j 7 --piece-size 4096 'min, max, argmin, argmax, nnan' x.f32
timeout 20 onepass -qq --skip-nan -j 7 --piece-size 4096 'min, max, argmin, argmax, nnan' x.f32
