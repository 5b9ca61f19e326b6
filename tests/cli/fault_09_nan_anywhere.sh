# One NaN, wherever it lies in its block and piece: kept by default, dropped by --skip-nan.
. "$ROOT/tests/cli/helpers"
for type in f32 f64; do
    for n in 0 1 2 63 64 1022 1023 1024 1025 2047 2048 2998 2999; do
        mkdata $type "1*$n" nan "1*$((2999 - n))" >x.$type
        for k in "-j 1" "-j 3 --piece-size 4096"; do
            # shellcheck disable=SC2086 # a list
            gives $'sum\tmin\tmax\tvar\targmax\tnnan\tcount\nnan\tnan\tnan\tnan\t'$n$'\t1\t3000' $k \
                'sum, min, max, var, argmax, nnan, count' x.$type
            # shellcheck disable=SC2086
            gives $'sum\tmin\tmax\tvar\targmax\tnnan\tcount\n2999\t1\t1\t0\t'$((n == 0))$'\t1\t2999' $k --skip-nan \
                'sum, min, max, var, argmax, nnan, count' x.$type
        done
    done
done
