# Tails: every length from 0 to 67 and around the block, at two starts; an element's bits do not depend on
# where it lies.
. "$ROOT/tests/cli/helpers"
mkdata i16 1..4200 >x.i16
mkdata f32 1..4200 >x.f32
mkdata f64 1..4200 >x.f64
mkdata f32 0.7*4200 >same.f32
for n in {0..67} 127 128 129 255 256 257 511 512 513 1023 1024 1025 2047 2048 2049 4095 4096 4097; do
    sum=$((n * (n + 1) / 2)) sumsq=$((n * (n + 1) * (2 * n + 1) / 6))
    want=$'sum\tsumsq\tcount\tmax\n'"$sum"$'\t'"$sumsq"$'\t'"$n"
    [ "$n" -eq 0 ] || want=$want$'\t'$n
    [ "$n" -gt 0 ] || want=$want$'\tnan'
    for file in x.i16 x.f32 x.f64; do
        gives "$want" -q --count "$n" 'sum, sumsq, count, max' $file
    done
    # From the third element on: 3 .. n + 2.
    gives $((sum + 2 * n)) --offset 8 --count "$n" sum x.f32
    [ "$n" -eq 0 ] || gives $'range\tvar\n0\t0' --offset 4 --count "$n" 'exp|sin|range, var' same.f32
done
