# NUMBERS 1, CLI 32: the shortest text that reads back, in every format; digits in full below 1e16, an exponent
# from there and below 1e-4; -0.0, nan, inf.  What is printed reads back to the same bits.
. "$ROOT/tests/cli/helpers"
texts() { # TYPE VALUE...: each value in a file of its own
    local type=$1 k=0 files=()
    shift
    for value in "$@"; do
        k=$((k + 1))
        mkdata "$type" "$value" >"$k.$type"
        files+=("$k.$type")
    done
    onepass -qq --no-header --no-filename --tsv --columns first first "${files[@]}" | cut -f1 | paste -sd' '
}
texts f64 1e16 9999999999999998 123456789012345.6 0.0001 0.00009999 1e-5 5e-324 2.2250738585072014e-308 \
    1.7976931348623157e308 0.1 0.3 1e23 9007199254740993 100 -0.0 0 nan inf -inf 0x1p-3 1e15 -1e16
texts f32 0.1 16777216 2147483648 41943040 3.4028235e38 1e-45 1.1754944e-38 1e16 9.9e15 1e-4 9e-5 -0.0 33554430 0.3
texts f16 65504 0.1 6e-8 6.1e-5 2048 -0.0 0.333 inf
texts bf16 3.14 0.1 3.39e38 1e-40 256 -0.0 0.333 12345678
texts u64 18446744073709551615 0 10000000000000000
texts i8 -128 127 -0
for type in f16 bf16 f32 f64; do
    for seed in {1..12}; do
        mkdata $type "rand:$seed:1" >a
        mkdata $type "$(onepass -q -t $type first a)" | cmp - a
    done
done
