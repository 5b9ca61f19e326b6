# Ones and then minus-ones over several pieces: what is handed from piece to piece is not cut to the type.
. "$ROOT/tests/cli/helpers"
mkdata f16 1*65521 -1*65521 >x.f16
mkdata f32 16777216 1*5000 -16777216 -1*5000 >x.f32
mkdata i8 127*40000 -127*40000 >x.i8
for k in "-j 1" "-j 7 --piece-size 4096" "-j 2 --piece-size 1001" "-j 3 --piece-size 64K"; do
    for file in x.f16 x.f32 x.i8; do
        # shellcheck disable=SC2086 # a list
        gives $'sum\tmean\n0\t0' $k 'sum, mean' $file
    done
done
