# NUMBERS 2: the exact value, rounded once to nearest even; beyond binary64 inf and a warning; nothing to
# divide by is nan and a warning.
. "$ROOT/tests/cli/helpers"
largest=1.7976931348623157e308
mkdata f64 $largest $largest >two.f64
mkdata f64 $largest -$largest >pm.f64
mkdata f64 $largest $largest -$largest >three.f64
gives $'mean\trms\tstd\n1.7976931348623157e+308\t1.7976931348623157e+308\t0' 'mean, rms, std' two.f64
says 'onepass: warning: two.f64: beyond the range of binary64: sum, norm2 are infinite' $'sum\tnorm2\ninf\tinf' \
    -q 'sum, norm2' two.f64
gives $'sum\tmean\n1.7976931348623157e+308\t5.992310449541053e+307' 'sum, mean' three.f64
gives $'mean\tstd\tsem\n0\t1.7976931348623157e+308\t1.7976931348623157e+308' 'mean, std, sem' pm.f64
says '*: beyond the range of binary64: var is infinite' inf -q var pm.f64
says '*: beyond the range of binary64: range is infinite' inf -q range pm.f64
# One element: its variance is 0, and there is none that divides by 0.
mkdata f64 7 >one.f64
gives $'var\tstd\n0\t0' 'var, std' one.f64
says '*: one.f64: fewer than 2 elements: var1, std1, sem are nan' $'var1\tstd1\tsem\nnan\tnan\tnan' \
    -q 'var1, std1, sem' one.f64
# Halfway between two numbers: to even, unless something below it is not 0.
value() { mkdata f64 "${@:3}" | gives "$1" "$2" -t f64 -; }
value 9007199254740992 sum 0x1p53 1
value 9007199254740994 sum 0x1p53 1 5e-324
value 9007199254740996 sum 9007199254740994 1
value 9007199254740992 sum 0x1p53 1 -5e-324
# A quotient that a remainder alone lifts above halfway: (5 * (2^53 + 1) + a little) / 5.
for little in 0x1p-9 0x1p-20 0x1p-40 5e-324; do value 9007199254740994 mean 0x5p53 5 $little 0 0; done
for little in 0 -0x1p-20 -5e-324; do value 9007199254740992 mean 0x5p53 5 $little 0 0; done
# The same of a variance: 212216858^2 + 38135^2 + 60^2 + 176^2 = 5 * (2^53 + 1), halfway between two numbers.
pairs=(212216858 -212216858 38135 -38135 60 -60 176 -176)
for m in 100 127 128 129 130 131 132 133 134 200; do
    value 9007199254740994 var "${pairs[@]}" 0x1p-$m -0x1p-$m
done
value 9007199254740992 var "${pairs[@]}" 0 0
# Subnormal results: half and one and a half of the smallest number.
value 0 mean 5e-324 0
value 1e-323 mean 1.5e-323 0
value 5e-324 norm2 5e-324
value 1e-323 norm2 5e-324*3
# A mean of the rounded sum would be 3.1999999999999997, a root of the rounded mean 0.469041575982343.
value 3.2 mean 9 0.3 0.3
value 0.4690415759823429 rms 0.4 0.7 0.1
value 0.469041575982343 'square|mean|sqrt' 0.4 0.7 0.1
value 1.949358868961793 std1 2 4 6 1 4
value 3.2249030993194197 std 5 9 1 5 0
# Squares out of range on the way.
value 1.414213562373095e+200 norm2 1e200 1e200
value 9.428090415820633e-201 std 1e-200 1e-200 3e-200
value 6.666666666666667e-201 sem 1e-200 1e-200 3e-200
