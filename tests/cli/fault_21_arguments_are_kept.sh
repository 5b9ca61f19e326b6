# An op's argument before and after the reduction, and in several pipelines of one run.
. "$ROOT/tests/cli/helpers"
mkdata f64 1 2 3 4 >x.f64
gives $'1:sum\t2:sum\t3:sum\t4:sum\n7\t9\t11\t10' 'min(2)|sum; min(3)|sum; max(2)|sum; clamp(2, 3)|sum' x.f64
gives $'sum|min(2)\tsum|max(20)\tsum|clamp(2, 3)\n2\t20\t3' 'sum|min(2); sum|max(20); sum|clamp(2,3)' x.f64
gives 100 'pow(3)|sum' x.f64
gives 1000 'sum|pow(3)' x.f64
gives 5 'x * 0.5|sum' x.f64
gives 5 'sum|x * 0.5' x.f64
gives 0.6000000000000001 'where(x < 4)|sum|x * 0.1' x.f64
gives 0.1 'where(x == 1)|x * 0.1|max' x.f64
gives 6 'sum|fmod(4)|x * 3' x.f64
