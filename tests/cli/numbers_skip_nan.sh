# NUMBERS: --skip-nan drops NaN where it reaches a reduction, also one that a map made;
# nnan counts it all the same.
. "$ROOT/tests/cli/helpers"
mkdata f32 nan 4 -9 nan >a.f32
mkdata f64 inf nan -inf 2 >b.f64
mkdata f16 1 2 3 >c.f16
mkdata bf16 -0.0 nan 0 >d.bf16
mkdata i32 7 -7 >e.i32
turned -q --skip-nan "$ALL" a.f32 b.f64 c.f16 d.bf16 e.i32
turned -q --skip-nan -j 7 --piece-size 1 "$ALL" a.f32 b.f64 c.f16 d.bf16 e.i32 | cmp - <(turned -q --skip-nan "$ALL" a.f32 b.f64 c.f16 d.bf16 e.i32)
gives $'sum\tcount\tnnan\targmin\n2\t1\t3\t1' --skip-nan 'sqrt|sum, count, nnan, argmin' a.f32
# Before the map there was no reduction: where and isnan still see them.
gives 2 --skip-nan 'isnan|sum' a.f32
gives $'count\tnnan\n0\t2' --skip-nan 'where(isnan(x))|count, nnan' a.f32
