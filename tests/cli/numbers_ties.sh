# NUMBERS: ties.  The lowest index; arg order is min's and max's own, so x[argmin] is min bit for bit.
. "$ROOT/tests/cli/helpers"
mkdata i16 3 -7 9 -7 9 3 >int.i16
mkdata f32 2 inf -inf inf -inf >infs.f32
mkdata f64 0 -0.0 0 -0.0 >zeros.f64
mkdata u64 18446744073709551615 0 18446744073709551615 0 >wide.u64
mkdata bool 1 0 255 0 >bool.bool
mkdata u8 7*5000 >constant.u8
files="int.i16 infs.f32 zeros.f64 wide.u64 bool.bool constant.u8"
# shellcheck disable=SC2086 # a list
for k in "-j 1" "-j 7 --piece-size 1" "-j 2 --piece-size 4096"; do
    turned $k "argmin, min, argmax, max" $files
done
# Ties made by a map: |x| of -3 and 3.
mkdata f32 1 -3 0.5 3 -0.5 >m.f32
gives $'argmax\targmin\n1\t2' 'abs|argmax, argmin' m.f32
# ... and across the files of --concat.
gives $'argmax\targmin\n2\t1' --concat --no-filename 'argmax, argmin' int.i16 int.i16
