# min of -0 and +0 is -0 and max +0 whatever their order; the largest of negative values is negative.
. "$ROOT/tests/cli/helpers"
for type in f16 bf16 f32 f64; do
    for order in "0 -0.0" "-0.0 0"; do
        # shellcheck disable=SC2086 # a list
        mkdata $type $order >x.$type
        gives $'min\tmax\n-0.0\t0' 'min, max' x.$type
        gives $'min\tmax\n-0.0\t0' -j 2 --piece-size 1 'min, max' x.$type
    done
    mkdata $type -0.0 -1 | gives -0.0 max -t $type -
    mkdata $type -3 -1 -2 | gives -1 max -t $type -
    mkdata $type 3 1 2 | gives 1 min -t $type -
done
mkdata i8 -3 -1 -2 | gives -1 max -t i8 -
