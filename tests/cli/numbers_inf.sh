# NUMBERS: Inf.  Both signs: sum and mean nan; one sign: that inf.  var, std, sem nan with any Inf; sumsq, rms
# and the norms inf.  A product with 0 is nan, else its sign counts; a negative number leaves no geomean.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 inf 2 >plus.f32
mkdata f64 1 -inf 2 >minus.f64
mkdata f16 -inf 3 inf >both.f16
mkdata bf16 inf inf >all_plus.bf16
mkdata f32 -inf*3 >all_minus.f32
mkdata f64 inf 0 >zero.f64
mkdata f64 inf -1 >negative.f64
files="plus.f32 minus.f64 both.f16 all_plus.bf16 all_minus.f32 zero.f64 negative.f64"
# shellcheck disable=SC2086 # a list
turned "$ALL" $files
# shellcheck disable=SC2086
for k in "-j 1" "-j 7 --piece-size 1"; do turned $k "$ALL" $files | cmp - <(turned "$ALL" $files); done
