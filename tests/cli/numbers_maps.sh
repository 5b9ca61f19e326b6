# NUMBERS 1: maps that IEEE fixes, over special values (a row a map, a column a value); the others where their
# value is exact by C's Annex F.
. "$ROOT/tests/cli/helpers"
maps=('abs' 'neg' 'sign' 'relu' 'square' 'cube' 'sqrt' 'recip' 'rsqrt' 'floor' 'ceil' 'round' 'trunc' 'isnan'
    'isinf' 'isfinite' 'min(0)' 'max(0)' 'min(x, -x)' 'max(-x, x)' 'min(1, x)' 'max(1, x)' 'clamp(-1, 1)' 'fmod(2)' 'mod(2)' 'mod(-2)'
    'x > 0' 'x <= 0' 'x == x' 'x != x' '!x' 'x && 1' 'x || 0' 'where(x, 7, 8)' 'x - x' '1 / x' '-x^2' 'x ** 2' '2 - x')
files=()
for value in nan -inf -2.5 -1 -0.0 0 0.5 1.5 4 inf; do
    mkdata f64 "$value" >"./$value.f64"
    files+=("./$value.f64")
done
expressions=()
for map in "${maps[@]}"; do expressions+=(-e "$map|first"); done
onepass -q --tsv --no-filename --no-header "${expressions[@]}" "${files[@]}" | awk -F'\t' -v maps="$(IFS=';'; echo "${maps[*]}")" '
    { for (k = 1; k < NF; k++) row[k] = row[k] " " $k }
    END { n = split(maps, name, ";"); for (k = 1; k <= n; k++) printf "%-14s%s\n", name[k], row[k] }'
value() { mkdata f64 "$2" | gives "$1" -t f64 "$3|first" -; }
value 1 nan 'pow(0)'
value 1 0 'pow(0)'
value -inf -0.0 'pow(-1)'
value -8 -2 'pow(x, 3)'
value nan -8 'x ^ (1 / 3)'
value 1 nan 'pow(1, x)'
value inf nan 'hypot(inf, x)'
value 5 3 'hypot(4)'
value 3.141592653589793 0 'atan2(x, -1)'
value nan inf 'fmod(3)'
value 3 3 'fmod(inf)'
value 0 -6 'mod(3)'
value 1 0 exp
value 0 -inf exp
value 1024 10 exp2
value 1 0 exp10
value -1 -inf expm1
value -inf 0 log
value nan -1 log
value 3 8 log2
value 3 1000 log10
value -inf -1 log1p
value -2 -8 cbrt
value -0.0 -0.0 sin
value 1 0 cos
value nan inf tan
value 1.5707963267948966 1 asin
value 0 1 acos
value 1 inf tanh
value inf 1 atanh
value nan 0.5 acosh
value 2 -inf erfc
value inf 0 lgamma
value 0 2 lgamma
value 0.5 0 sigmoid
value 0 -inf sigmoid
value 180 3.141592653589793 degrees
value 3.141592653589793 180 radians
value 512 2 'x ^ 3 ^ 2'
value 0.5 2 'x ^ -1'
fails 2 "onepass: clamp's lower limit is above its upper limit"$'\n*' 'clamp(2, 1)|sum' ./0.f64
