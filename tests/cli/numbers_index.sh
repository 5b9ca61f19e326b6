# NUMBERS: index.  The C-order number in the array before where and skips, also of Fortran .npy and with
# --stride; coordinates are the array's own.
. "$ROOT/tests/cli/helpers"
# "argmax 4 [1,1]" for each arg reduction
place() {
    onepass -q --jsonl --stable "$@" | grep -oE '"name":"[a-z]*"|"index":[0-9]*|"coords":\[[0-9,]*\]' |
        sed 's/.*://; s/"//g' | paste -d' ' - - -
}
# [[1 3 5] [2 9 -6]], stored by columns: 9 is element 4, -6 element 5
mkdata --npy '<i4' 2,3 --fortran i32 1 2 3 9 5 -6 >f.npy
place 'argmax, argmin' f.npy
gives $'first\tlast\targmax\n1\t-6\t4' 'first, last, argmax' f.npy
place --piece-size 1 -j 7 'argmax, argmin' f.npy
# The 8th stored of shape (2, 3, 4) is [1, 0, 1], number 1*12 + 0*4 + 1.
mkdata --npy '>f8' 2,3,4 --fortran f64be 1..7 100 9..24 >g.npy
place argmax g.npy
# Of equals the lowest index, which is not the first one stored; NaN too.
mkdata --npy '<f4' 2,2 --fortran f32 0 9 9 0 >ties.npy
mkdata --npy '<f4' 2,2 --fortran f32 0 nan nan 0 >nans.npy
place argmax ties.npy
place argmin nans.npy
mkdata --npy '<f4' '()' f32 7 >scalar.npy
place argmax scalar.npy
mkdata u8 0 1 2 3 4 5 6 7 8 9 >raw.u8
place --stride 3 argmax raw.u8            # 0 3 6 9
place --offset 1 --stride 3 argmax raw.u8 # 1 4 7
place --shape 2,5 argmax raw.u8
place --shape=-1,2 --offset 2 argmax raw.u8
place --shape 5,2 'where(x < 5 && x > 2)|argmin, argmax' raw.u8
mkdata f64 nan 5 nan 9 nan >n.f64
place --skip-nan 'argmax, argmin' n.f64
place 'where(!isnan(x))|argmax' n.f64
# With a post it is a number, not a place.
onepass -q --jsonl --stable 'argmax|x + 1' raw.u8 | grep -oE '"value":[0-9]*|"index"'
