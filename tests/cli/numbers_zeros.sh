# NUMBERS: zeros.  A sum that is exactly 0 is +0 whatever the zeros' signs; min and max have -0 < +0,
# argmin and argmax the same order; a product's zero has the product's sign.
. "$ROOT/tests/cli/helpers"
mkdata f32 -0.0 -0.0 >both.f32
mkdata f64 0 -0.0 >plus_minus.f64
mkdata f16 -0.0 0 >minus_plus.f16
mkdata bf16 -0.0 -1 >below.bf16
mkdata f32 1 -0.0 -1 >cancel.f32
mkdata f64 3 -0.0 >above.f64
mkdata i32 0 0 >int.i32
files="both.f32 plus_minus.f64 minus_plus.f16 below.bf16 cancel.f32 above.f64 int.i32"
# shellcheck disable=SC2086 # a list
turned "$ALL" $files
# shellcheck disable=SC2086
for k in "-j 1" "-j 7 --piece-size 1"; do turned $k "$ALL" $files | cmp - <(turned "$ALL" $files); done
gives -0.0 'neg|sum|neg' int.i32
gives -0.0 'neg|max' -t f32 --count 1 - < <(mkdata f32 0)
gives 0 'abs|min' both.f32
