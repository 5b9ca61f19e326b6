# No byte, one element, one number among NaN: every reduction has its stated answer.
. "$ROOT/tests/cli/helpers"
: >empty.i16
mkdata f32 2.5 >one.f32
mkdata i32 -3 >one.i32
mkdata u64 0 >zero.u64
mkdata f64 nan nan 2.5 nan >valid.f64
files="empty.i16 one.f32 one.i32 zero.u64 valid.f64"
# shellcheck disable=SC2086 # a list
turned -qq --skip-nan "$ALL" $files
# shellcheck disable=SC2086
turned -qq --skip-nan -j 7 --piece-size 1 "$ALL" $files | cmp - <(turned -qq --skip-nan "$ALL" $files)
