# CLI 0: element k lies at offset + k * stride * itemsize; --count is the elements taken, by default all there
# are; --shape implies it; left-over bytes are an error unless the count ends before them.
. "$ROOT/tests/cli/helpers"
mkdata i16 0..9 >x.i16
what='sum, count, first, last'
l() { gives $'sum\tcount\tfirst\tlast\n'"$1" "${@:2}" "$what" x.i16; }
l $'45\t10\t0\t9'
l $'44\t8\t2\t9' --offset 4
l $'20\t5\t0\t8' --stride 2
l $'18\t4\t0\t9' --stride 3
l $'15\t3\t2\t8' --stride 3 --offset 4
l $'12\t3\t1\t7' --stride 3 --offset 2 --count 3
l $'0\t1\t0\t0' --stride 100
l $'0\t1\t0\t0' --stride 4611686018427387903
l $'9\t2\t0\t9' --stride 9
l $'6\t3\t1\t3' --count 3 --offset 2
l $'15\t6\t0\t5' --shape 2,3
l $'45\t10\t0\t9' --shape 5,-1
l $'45\t10\t0\t9' --shape=-1
l $'39\t6\t4\t9' --shape=-1,3 --offset 8
for k in "-j 1" "-j 7 --piece-size 1" "-j 2 --piece-size 5"; do
    # shellcheck disable=SC2086 # options
    l $'18\t4\t0\t9' --stride 3 $k
    # shellcheck disable=SC2086
    l $'12\t3\t1\t7' --stride 3 --offset 2 --count 3 $k
done
# The same of a pipe.
p() { gives $'sum\tcount\tfirst\tlast\n'"$1" -t i16 "${@:2}" "$what" - <x.i16; cat x.i16 | gives $'sum\tcount\tfirst\tlast\n'"$1" -t i16 "${@:2}" "$what" -; }
p $'18\t4\t0\t9' --stride 3
p $'12\t3\t1\t7' --stride 3 --offset 2 --count 3
p $'45\t10\t0\t9' --shape 5,-1
p $'6\t3\t1\t3' --count 3 --offset 2
p $'0\t1\t0\t0' --stride 100
# Suffixes: K and KiB are 1024, KB is 1000.
mkdata u8 1*1000 2*24 3*1000 >k.u8
for suffix in 1K 1k 1KiB 1024; do gives 3000 --offset $suffix sum k.u8; done
gives 3048 --offset 1KB sum k.u8
gives 3048 --offset 1000 sum k.u8
fails 4 'onepass: k.u8: offset 1048576 is past the end*' --offset 1M sum k.u8
fails 4 'onepass: k.u8: offset 1000000 is past the end*' --offset 1MB sum k.u8
fails 4 'onepass: k.u8: offset 1152921504606846976 is past the end*' --offset 1EiB sum k.u8
# The end: exactly there is empty, past it an error.
gives $'sum\tcount\n0\t0' --offset 20 'sum, count' x.i16
gives $'sum\tcount\n0\t0' --offset 20 --count 0 'sum, count' x.i16
fails 4 'onepass: x.i16: offset 21 is past the end: there are 20 bytes' --offset 21 sum x.i16
fails 4 'onepass: x.i16: count 11 reaches past the end*10 elements*' --count 11 sum x.i16
fails 4 'onepass: x.i16: count 5 *' --count 5 --stride 3 sum x.i16
fails 4 'onepass: x.i16: count 10 *' --count 10 --offset 2 sum x.i16
fails 4 'onepass: x.i16: *' --count 9223372036854775807 sum x.i16
fails 4 'onepass: x.i16: *' --shape 11 sum x.i16
fails 4 'onepass: x.i16: *' --shape 3,-1 sum x.i16
fails 4 'onepass: -: *' -t i16 --count 11 sum - < <(cat x.i16)
fails 4 'onepass: -: *' -t i16 --offset 21 sum - < <(cat x.i16)
fails 4 'onepass: -: *' -t i16 --shape 3,-1 sum - < <(cat x.i16)
# Left-over bytes, also behind a stride; not if the count ends earlier.
head -c 19 x.i16 >odd.i16
fails 4 'onepass: odd.i16: 19 bytes of i16: 1 left-over byte'$'\n''hint: --count 9 *' sum odd.i16
fails 4 'onepass: odd.i16: * 1 left-over byte*' --stride 4 sum odd.i16
fails 4 'onepass: odd.i16: *left-over*' --offset 2 sum odd.i16
fails 4 'onepass: odd.i16: *left-over*' --shape=-1 sum odd.i16
gives 45 --offset 1 'count|x * 5' odd.i16
gives 36 --count 9 sum odd.i16
gives 36 --shape 3,3 sum odd.i16
gives 3 --shape 3 sum odd.i16
fails 4 'onepass: -: *1 left-over byte*' -t i16 sum - < <(cat odd.i16)
gives 36 -t i16 --count 9 sum - < <(cat odd.i16)
