# NUMBERS 2: products without overflow on the way; zeros, signs and infinities; geometric means.
. "$ROOT/tests/cli/helpers"
value() { mkdata f64 "${@:3}" | gives "$1" "$2" -t f64 -; }
value 24 prod 1 2 3 4
value 2.43290200817664e+18 prod 1..20
value -6 prod -1 -2 -3
value -0.0 prod -3 0
value 0 prod -3 -0.0
value nan prod 0 inf
value -inf prod -2 inf
value nan prod 2 nan
value 1.5000000000000002 prod 1e300 0x1p1000 1.5 0x1p-1000 1e-300
value 1024 prod 0x1p-1074 0x1p1023 0x1p61
value 1.0000000000000002e+300 prod 1e300 1e300 1e-300
says '*: beyond the range of binary64: prod is infinite' inf -q prod -t f64 - < <(mkdata f64 1e200 1e200)
value 0 prod 5e-324 0.25
value 5e-324 prod 5e-324 0.75
value 4 geomean 2 8
value 1 geomean 1e300 0x1p1000 0x1p-1000 1e-300
value 1e+300 geomean 1e300*1000
value 5e-324 geomean 5e-324*7
value 0 geomean 5 0
value nan geomean 5 -1
value nan geomean 0 inf
value inf geomean 3 inf
value nan geomean 3 nan
value nan geomean -1 0
gives 6 geomean -t u64 - < <(mkdata u64 4 9)
gives 2 prod -t u8 - < <(mkdata u8 1 2 1)
gives 1.8446744073709552e+19 geomean -t u64 - < <(mkdata u64 18446744073709551615*5)
