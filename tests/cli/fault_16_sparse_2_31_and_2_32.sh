# 2^31 - 1, 2^31, 2^31 + 1 and 2^32 + 1 elements (sparse files): the last one found, by offset, by stride and, of
# the larger ones, by reading them all; its index in full.
. "$ROOT/tests/cli/helpers"
[ -z "${SANITIZER:-}" ] || { echo "minutes with a sanitizer"; exit 77; }
sparse() { # FILE N: N - 1 zeros and a 3
    rm -f "$1"
    truncate -s $(($2 - 1)) "$1" && printf '\003' >>"$1" || { echo "no room for a sparse file"; exit 77; }
}
for n in 2147483647 2147483648 2147483649; do
    sparse x.u8 $n
    gives $'count\tfirst\tlast\n1\t3\t3' --offset $((n - 1)) 'count, first, last' x.u8
    fails 4 "onepass: x.u8: *past the end*" --offset $((n + 1)) sum x.u8
    # 13 elements over the whole file
    gives $'argmax\tcount\n12\t13' --offset $(((n - 1) % 12)) --stride $(((n - 1) / 12)) 'argmax, count' x.u8
done
gives 2147483649 count x.u8
sparse x.u8 4294967297
# The filter keeps this quick: only the last element passes it.
gives $'argmax\tlast\t1:count\t2:count\n4294967296\t3\t1\t4294967297' 'where(x)|argmax, last, count; count' x.u8
onepass -q --jsonl --stable --stride 65536 argmax x.u8 | grep -o '"value".*'
# Two in-range factors whose product is not: a lying header, refused without an allocation.
mkdata --npy '|u1' 4294967296,4294967296 u8 0 >lie.npy
fails 4 'onepass: lie.npy: *' sum lie.npy
fails 2 'onepass: *--shape*' --shape 4294967296,4294967296 sum x.u8
fails 4 'onepass: x.u8: *past the end*' --shape 4294967296,2 sum x.u8
