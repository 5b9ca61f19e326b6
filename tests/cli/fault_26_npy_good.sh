# .npy: versions 1 to 3, both orders and both byte orders, every element type, shapes () (0,) and beyond 2^31.
. "$ROOT/tests/cli/helpers"
for version in 1 2 3; do
    mkdata --npy '<f4' 2,3 --version $version f32 1..6 >x.npy
    gives $'sum\tcount\targmax\n21\t6\t5' 'sum, count, argmax' x.npy
    gives $'sum\tcount\targmax\n21\t6\t5' 'sum, count, argmax' - <x.npy
done
type() { # DESCR TYPE
    mkdata --npy "$1" 3 "$2" 1 0 1 >x.npy
    gives $'dtype\tsum\tlast\n'"$3"$'\t2\t1' --columns dtype,sum,last 'sum, last' x.npy
}
type '<f2' f16 f16
type '>f2' f16be f16be
type '<f4' f32 f32
type '>f4' f32be f32be
type '=f8' f64 f64
type '>f8' f64be f64be
type '|i1' i8 i8
type '<i2' i16 i16
type '>i2' i16be i16be
type '<i4' i32 i32
type '>i4' i32be i32be
type '<i8' i64 i64
type '>i8' i64be i64be
type '|u1' u8 u8
type '<u2' u16 u16
type '>u4' u32be u32be
type '<u8' u64 u64
type '|b1' bool bool
mkdata --npy '<i2' '()' i16 -7 >scalar.npy
gives $'sum\tcount\n-7\t1' 'sum, count' scalar.npy
mkdata --npy '<i2' 0 i16 >none.npy
gives $'sum\tcount\n0\t0' 'sum, count' none.npy
mkdata --npy '<i2' 0,4294967296 i16 >flat.npy
gives $'sum\tcount\n0\t0' 'sum, count' flat.npy
mkdata --npy '<i2' 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2 --fortran i16 3 4 >deep.npy
gives 7 sum deep.npy
# C and Fortran order of one array agree where the index counts.
mkdata --npy '<i4' 3,2 i32 1 2 3 4 5 6 >c.npy
mkdata --npy '<i4' 3,2 --fortran i32 1 3 5 2 4 6 >f.npy
for file in c.npy f.npy; do
    gives $'first\tlast\targmax\targmin\tsum\n1\t6\t5\t0\t21' 'first, last, argmax, argmin, sum' $file
    gives $'first\tlast\targmax\n3\t6\t5' -j 3 --piece-size 1 'where(x > 2)|first, last, argmax' $file
done
# Spellings of the header that numpy reads.
npy() { # TEXT DATA: version 1
    local n=$((${#1} + 1))
    printf '\x93NUMPY\x01\x00'
    printf "\\x$(printf %02x $((n % 256)))\\x$(printf %02x $((n / 256)))%s\n" "$1"
    printf %s "$2"
}
good() { npy "$1" abcd | gives 394 sum -; }
good "{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }"
good "{'shape': (4,), 'fortran_order': False, 'descr': '|u1'}"
good '{"descr": "|u1", "fortran_order": True, "shape": (2, 2)}'
good "{'descr':'|u1','fortran_order':False,'shape':(2,2,)}        "
good "{ 'descr' : '|u1' , 'fortran_order' : False , 'shape' : ( 4 , ) }"
