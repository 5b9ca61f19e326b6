# Sums in which large terms cancel: the true sum.
. "$ROOT/tests/cli/helpers"
mkdata f64 1e16 1 -1e16 1 >block
for _ in {1..500}; do cat block; done >x.f64
gives $'sum\tmean\n1000\t0.5' 'sum, mean' x.f64
gives 1000 -j 7 --piece-size 24 sum x.f64
value() { mkdata "$2" "${@:3}" | gives "$1" sum -t "$2" -; }
value 9007199254740994 f64 0x1p53 1 1 0
value 2 f64 1 1e100 1 -1e100
value 1 f64 1e308 1e308 1 -1e308 -1e308
value 5e-324 f64 1e308 5e-324 -1e308
value 1.401298464324817e-45 f32 3e38 1e-45 -3e38
value 5.960464477539063e-08 f16 65504 6e-8 -65504
# linspace(-100, 100, 2001) shuffled: to every v there is -v.
awk 'BEGIN { for (k = 0; k <= 2000; k++) print (k * 997 % 2001 - 1000) / 10 }' >shuffled
# shellcheck disable=SC2046 # a list
mkdata f32 $(cat shuffled) >x.f32
gives $'sum\tmean\tcount\tmax\n0\t0\t2001\t100' 'sum, mean, count, max' x.f32
