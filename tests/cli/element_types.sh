# NUMBERS 1: names count bits, numpy codes behind a byte-order sign count bytes; what is neither is an error that
# says what is.
. "$ROOT/tests/cli/helpers"
mkdata f32 1.5 -2 >x.bin
mkdata u64be 18446744073709551615 1 0 0 >y.bin
same() { # WANT TYPE...
    for name in "${@:2}"; do gives "$1" -t "$name" last x.bin; done
}
same -2 f32 f32le float32 f4 '<f4' '=f4' float32le
same 192 u8 uint8 u1 '|u1'
same -64 i8 int8 i1 '|i1'
same 1 bool '|b1'
same -16384 i16 i16le int16 i2 '<i2' '=i2'
same 49152 u16 uint16 u2 '<u2'
same 192 u16be uint16be '>u2' i16be '>i2'
same -1073741824 i32 int32 i4 '<i4'
same 3221225472 u32 uint32 u4 '<u4'
gives $'first\tlast\n18446744073709551615\t0' -t '>u8' 'first, last' y.bin
gives $'first\tcount\n255\t32' -t u8 'first, count' y.bin
gives $'first\tcount\n-1\t4' -t '>i8' 'first, count' y.bin
gives $'first\tcount\n-1\t32' -t i8 'first, count' y.bin
gives $'first\tcount\n18446744073709551615\t4' -t u64be 'first, count' y.bin
gives $'first\tcount\n18446744073709551615\t4' --endian big -t u64 'first, count' y.bin
gives -1 --endian big -t int64 first y.bin
gives -2 --endian little -t f32 last x.bin
gives -2 --endian little -t f32le last x.bin
gives -2 --endian big -t '>f4' last - < <(mkdata f32be -2)
# f16 is half, never 128 bits; bool is 1 for any nonzero byte.
mkdata f16 0.1 65504 | gives $'first\tlast\tcount\n0.1\t65504\t2' -t f16 'first, last, count' -
mkdata bf16 3.14 | gives 3.14 -t bf16 max -
mkdata bool 0 1 2 255 128 | gives $'sum\tmax\tmean\n4\t1\t0.8' -t bool 'sum, max, mean' -
wrong_type() { fails 2 "onepass: *'$1'*"$'\n'"*$2*" -t "$1" sum x.bin; }
wrong_type '>f32' f32be
wrong_type '<f32' f32
wrong_type '<i64' i64
wrong_type f8be '*'
wrong_type b1 '*'
wrong_type u8be u8
wrong_type c8 f32
# An extension gets the same explanation.
cp x.bin x.u8be
cp x.bin x.boolle
fails 4 "onepass: x.u8be: *'u8be': u8 is one byte and has no order"$'\n''hint: *u8, or u64be for eight bytes' sum x.u8be
fails 4 "onepass: x.boolle: *'boolle': bool is one byte and has no order"$'\n''hint: *bool' sum x.boolle
gives 8 -t u8 count x.u8be
wrong_type complex64 f32
wrong_type f128 f64
wrong_type F32 f32
wrong_type ' f32' f32
wrong_type 'f32 ' f32
fails 2 'onepass: option --dtype: *empty*' -t '' sum x.bin
fails 2 'onepass: *big-endian*' -t f32be --endian little sum x.bin
fails 2 'onepass: *little-endian*' -t f32le --endian big sum x.bin
fails 2 'onepass: *little-endian*' -t '<f4' --endian big sum x.bin
# The type that was used is in JSON and in -v.
onepass -q --jsonl -t '>f4' sum x.bin | grep -o '"dtype":"[^"]*"'
onepass -v -t float32 sum x.bin 2>&1 >/dev/null | grep -o 'raw f32,'
