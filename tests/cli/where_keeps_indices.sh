# What follows a where() sees fewer elements, but an index is the element's in the array, an end is the
# first or last that passed, and nothing is counted twice; on every instruction set.
. "$ROOT/tests/cli/helpers"
mkdata f64 -3..1496 nan 1498..2996 >x.f64 # element k is k - 3, but the 1500th is nan
mkdata i64 9007199254740993 -9007199254740995 5 9007199254740997 >wide.i64
mkdata --npy '<f4' 3,4 --fortran f32 1..12 >f.npy
for cpu in portable noflags ''; do
    export ONEPASS_CPU=$cpu
    gives $'argmin\targmax\tfirst\tlast\tcount\tnnan\n13\t2999\t10\t2996\t2986\t0' \
        'where(x >= 10)|argmin,argmax,first,last,count,nnan' x.f64
    gives $'argmin\tfirst\tnnan\n1500\t-3\t1' 'where(x != 0)|argmin,first,nnan' x.f64
    gives $'argmin\tfirst\tnnan\n0\t-3\t1' --skip-nan 'where(x != 0)|argmin,first,nnan' x.f64
    gives $'argmin\tfirst\tlast\tmean\n1003\t1000\t2996\t1998.2510020040081' \
        'where(x > 999)|argmin,first,last,mean' x.f64
    gives $'argmax\tmax\n2503\t50' 'where(x > 1)|where(x < 2501)|sqrt|argmax,max' x.f64
    gives $'argmax\tcount\nnan\t0' -qq 'where(x > 1e9)|log|argmax,count' x.f64
    gives $'sum\targmin\n18014398509481990\t0' 'where(x > 5)|sum, argmin' wide.i64
    # Two filters and none, over the same map.
    gives $'1:argmax\t2:argmax\t3:argmax\tcount\n2999\t0\t2999\t2999' --skip-nan \
        'where(x > 0)|abs|argmax; where(x < 0)|abs|argmax; abs|argmax, count' x.f64
    onepass -q --jsonl --stable 'where(x == 2*floor(x/2))|log|argmax, argmin' f.npy | grep -oE '"index":[0-9]+,"coords":.[0-9,]+.' | paste -sd' '
done
