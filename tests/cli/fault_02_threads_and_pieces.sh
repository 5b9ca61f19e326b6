# The answer does not depend on threads and pieces: the same bytes of JSON, one element to 64 MiB at a time.
. "$ROOT/tests/cli/helpers"
mkdata f32 rand:7:3000 1e16 1 -1e16 1 -0.0 normal:8:2000 >x.f32
mkdata f64 rand:9:700 nan inf normal:3:900 >x.f64
mkdata i64 rand:5:900 -9223372036854775808*3 >x.i64
mkdata --npy '>i2' 30,41 --fortran i16be rand:3:1230 >x.npy
pipelines="$ALL; where(x > 1)|sqrt|mean, argmin, last"
onepass --json --stable "$pipelines" x.f32 x.f64 x.i64 x.npy 2>/dev/null >want
onepass --json --stable --concat "$pipelines" x.f32 x.f64 x.i64 x.npy 2>/dev/null >want.concat
for threads in 1 2 7; do
    for piece in 1 7 104 4099 65536 64MiB; do
        onepass -j $threads --piece-size $piece --json --stable "$pipelines" x.f32 x.f64 x.i64 x.npy 2>/dev/null |
            cmp - want
        onepass -j $threads --piece-size $piece --json --stable --concat "$pipelines" x.f32 x.f64 x.i64 x.npy \
            2>/dev/null | cmp - want.concat
    done
done
grep -c '"type":"result"' want
