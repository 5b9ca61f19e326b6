# CLI 36: options before, between and after operands; -- ends them; POSIXLY_CORRECT has no effect.
. "$ROOT/tests/cli/helpers"
mkdata u8 1 2 >a.dat
mkdata u8 3 >b.dat
want=$'file\tsum\na.dat\t3\nb.dat\t3'
for posixly in unset set; do
    [ $posixly = unset ] || export POSIXLY_CORRECT=1
    gives "$want" -t u8 sum a.dat b.dat
    gives "$want" sum -t u8 a.dat b.dat
    gives "$want" sum a.dat -t u8 b.dat
    gives "$want" sum a.dat b.dat -t u8
    gives "$want" sum a.dat b.dat -tu8
    gives "$want" sum a.dat --dtype=u8 b.dat --
    gives "$want" --dtype u8 -- sum a.dat b.dat
    gives "$want" a.dat -t u8 -e sum b.dat
    gives 3 -qt u8 sum a.dat
    # After -- there are no options.
    fails 4 'onepass: -t: cannot open: *' -t u8 sum -- -t
done
mkdata u8 7 >./-t
gives 7 -t u8 sum -- -t
gives $'file\tsum\n-t\t7\na.dat\t3' sum -tu8 -- -t a.dat
