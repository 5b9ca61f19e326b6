# A choice of 64-bit integers by a condition that is a fraction: it is not 0.
. "$ROOT/tests/cli/helpers"
value() { mkdata "$2" "${@:4}" | gives "$1" "$3" -t "$2" -; }
value 8 i64 'where(x / 3, x, 7) | sum' 1 0
value 8 u64 'x * 0.25 ? x : 7 | sum' 1 0
