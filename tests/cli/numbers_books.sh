# NUMBERS: books.  n = used + dropped + skipped + missing for each pipeline; nan, posinf, neginf count mapped
# values that reach the reductions, skipped ones included, whatever the reduction.
. "$ROOT/tests/cli/helpers"
books=n,used,dropped,skipped,missing,nan,posinf,neginf
header=${books//,/$'\t'}
mkdata f32 1 nan inf -inf -4 0 >x.f32
gives "$header"$'\n6\t6\t0\t0\t0\t1\t1\t1' --columns $books count x.f32
gives "$header"$'\n6\t6\t0\t0\t0\t1\t1\t1' --columns $books max x.f32
gives "$header"$'\n6\t5\t0\t1\t0\t1\t1\t1' --columns $books --skip-nan first x.f32
# where drops +inf and 0; the roots of -inf and -4 are NaN
gives "$header"$'\n6\t4\t2\t0\t0\t3\t0\t0' --columns $books 'where(x != 0 && !(x > 9))|sqrt|count' x.f32
gives "$header"$'\n6\t1\t2\t3\t0\t3\t0\t0' --columns $books --skip-nan 'where(x != 0 && !(x > 9))|sqrt|sum' x.f32
# 1/0 is inf, 1/inf is not; NaN is not below 0
gives "$header"$'\n6\t4\t2\t0\t0\t1\t1\t0' --columns $books 'where(!(x < 0))|recip|any' x.f32
gives $'n\t1:used\t2:used\t1:dropped\t2:dropped\n6\t2\t6\t4\t0' \
    --columns n,1:used,2:used,1:dropped,2:dropped 'where(x < 0)|sum; sum' x.f32
# log of 1 nan -inf -4 0: 0 nan nan nan -inf
onepass -q --jsonl --stable --skip-nan 'where(!(x > 2))|log|sum; count' x.f32 |
    grep -oE '"(n|missing|used|dropped|skipped|nan|posinf|neginf)":[0-9]*' | tr -d '"' | paste -sd' '
# Two filters; pieces and threads have no part in it.
mkdata i16 1..1000 >i.i16
for k in "-j 1" "-j 7 --piece-size 1" "-j 2 --piece-size 74"; do
    # shellcheck disable=SC2086 # a list
    gives $'n\tused\tdropped\n1000\t333\t667' $k --columns n,used,dropped 'where(x > 3)|where(mod(x, 3) == 1)|sum' i.i16
done
