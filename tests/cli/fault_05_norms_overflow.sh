# Squares that leave the type of the elements, or binary64, on the way.
. "$ROOT/tests/cli/helpers"
value() { mkdata "$2" "${@:4}" | gives "$1" "$3" -t "$2" -; }
value 1000 f16 norm2 600 800
value 1000000 f16 sumsq 600 800
value 1.414213562373095e+200 f64 norm2 1e200 1e200
value 5e-200 f64 norm2 3e-200 4e-200
value 65025000 u8 sumsq 255*1000
