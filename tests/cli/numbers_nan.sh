# NUMBERS: NaN.  It reaches every reduction that is no count of elements; argmin and argmax are the index of
# the first NaN; first and last are whatever stands there.  Its sign and payload are lost.
. "$ROOT/tests/cli/helpers"
mkdata f32 nan 1 -2 >first.f32
mkdata f64 1 -nan nan -2 >middle.f64
mkdata f16 1 -2 nan >last.f16
mkdata bf16 nan nan >only.bf16
mkdata f32 inf nan -inf 0 >infs.f32
mkdata f64 0 nan*3 inf >zero.f64
files="first.f32 middle.f64 last.f16 only.bf16 infs.f32 zero.f64"
# shellcheck disable=SC2086 # a list
turned "$ALL" $files
# shellcheck disable=SC2086
for k in "-j 1" "-j 7 --piece-size 1"; do turned $k "$ALL" $files | cmp - <(turned "$ALL" $files); done
