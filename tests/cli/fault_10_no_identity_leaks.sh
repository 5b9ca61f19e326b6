# The start value of min and max never shows: all NaN, all infinite, all extreme, all skipped.
. "$ROOT/tests/cli/helpers"
columns=$'min\tmax\trange\tabsmax\targmin\targmax'
for type in f16 bf16 f32 f64; do
    mkdata $type nan*5 >nan.$type
    mkdata $type inf*5 >plus.$type
    mkdata $type -inf*5 >minus.$type
    gives "$columns"$'\nnan\tnan\tnan\tnan\t0\t0' "${columns//$'\t'/, }" nan.$type
    gives "$columns"$'\ninf\tinf\tnan\tinf\t0\t0' "${columns//$'\t'/, }" plus.$type
    gives "$columns"$'\n-inf\t-inf\tnan\tinf\t0\t0' "${columns//$'\t'/, }" minus.$type
    says '*: nothing to reduce: *' "$columns"$'\tcount\nnan\tnan\tnan\t0\tnan\tnan\t0' -q --skip-nan \
        "${columns//$'\t'/, }, count" nan.$type
    says '*: nothing to reduce: *' $'used\tskipped\tnan\tmax\n0\t5\t5\tnan' -q --skip-nan \
        --columns used,skipped,nan,max max nan.$type
done
extremes() { mkdata "$1" "$2*3" | gives $'min\tmax\trange\n'"$2"$'\t'"$2"$'\t0' 'min, max, range' -t "$1" -; }
extremes i8 127
extremes i8 -128
extremes i64 9223372036854775807
extremes i64 -9223372036854775808
extremes u64 18446744073709551615
extremes u64 0
extremes f32 3.4028235e+38
extremes f64 -1.7976931348623157e+308
