# Elements at every byte offset, also one that is no multiple of their size.
. "$ROOT/tests/cli/helpers"
for type in i16 f32 u32 f64 i64 f64be; do
    for skip in 1 2 3 4 5 7 8 9 4095; do
        { head -c $skip /dev/zero | tr '\0' '\377' && mkdata $type 1..2000; } >x.raw
        gives $'sum\tcount\targmax\n2001000\t2000\t1999' -t $type --offset $skip 'sum, count, argmax' x.raw
        gives $'sum\tcount\targmax\n2001000\t2000\t1999' -t $type --offset $skip 'sum, count, argmax' - <x.raw
    done
done
