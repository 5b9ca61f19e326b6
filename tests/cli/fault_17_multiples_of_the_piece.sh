# Files of an exact multiple of the piece, one element more, one less; of one piece and of several.
. "$ROOT/tests/cli/helpers"
mkdata f32 1..3073 >x.f32
mkdata i16 1..3073 >x.i16
for n in 1023 1024 1025 2047 2048 2049 3071 3072 3073; do
    want=$'sum\tcount\tfirst\tlast\targmax\n'$((n * (n + 1) / 2))$'\t'$n$'\t1\t'$n$'\t'$((n - 1))
    head -c $((4 * n)) x.f32 >y.f32
    head -c $((2 * n)) x.i16 >y.i16
    for threads in 1 2 7; do
        gives "$want" -j $threads --piece-size 4096 'sum, count, first, last, argmax' y.f32
        gives "$want" -j $threads --piece-size 2048 'sum, count, first, last, argmax' y.i16
        gives "$want" -j $threads --piece-size 4096 -t f32 'sum, count, first, last, argmax' - <y.f32
    done
done
