# A build with fast mathematics folds isnan away and flushes subnormals.
. "$ROOT/tests/cli/helpers"
mkdata f32 1e-45*1000 >x.f32
gives $'sum\tcount\tnonzero\tmin\tnorm2\n1.401298464324817e-42\t1000\t1000\t1e-45\t4.4312948289626256e-44' \
    'sum, count, nonzero, min, norm2' x.f32
gives 1000 'x > 0|sum' x.f32
gives 1000 'where(x)|count' x.f32
gives 0 'x == 0|any' x.f32
mkdata f64 5e-324*3 | gives 1.5e-323 sum -t f64 -
mkdata f64 1e-310 | gives 5e-311 'x / 2|sum' -t f64 -
mkdata f16 6e-8*10 | gives 5.960464477539062e-07 sum -t f16 -
mkdata bf16 9.2e-41*10 | gives 9.183549615799121e-40 sum -t bf16 -
mkdata f32 nan 1 inf >n.f32
gives $'1:sum\t2:sum\t3:sum\t4:sum\n1\t1\t1\t1' 'isnan|sum; isinf|sum; isfinite|sum; x != x|sum' n.f32
