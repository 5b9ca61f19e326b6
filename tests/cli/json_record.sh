# CLI 0, 23-27: the JSON record, golden: every key in its place.  Keys are only ever added.
. "$ROOT/tests/cli/helpers"
mkdata --npy '<f4' 2,2 f32 1 nan -2 0.1 >a.npy
mkdata i64 9007199254740993 -4 >b.i64
mkdata u16be 1 2 3 4 5 6 >c.u16be
echo "-- json, two inputs, two pipelines"
onepass -q --json --stable 'min, argmax; where(x < 2)|sum, mean|x * 2' a.npy b.i64
echo "-- raw layout"
onepass -q --jsonl --stable --offset 2 --count 2 --stride 2 'argmax, last' c.u16be
onepass -q --jsonl --stable --shape 3,2 'argmax' c.u16be
echo "-- concat"
onepass -q --jsonl --stable --concat 'argmin, max' b.i64 c.u16be
onepass -q --jsonl --stable --concat 'argmax' c.u16be
echo "-- errors in their place"
onepass -q --json --stable count none.f32 b.i64 2>/dev/null
onepass -q --json --stable count none.f32 2>/dev/null
echo "-- --digits, --hex and --ofmt do not touch it"
onepass -q --jsonl --stable max a.npy | cmp - <(onepass -q --jsonl --stable --digits 2 max a.npy)
onepass -q --jsonl --stable max a.npy | cmp - <(onepass -q --jsonl --stable --hex max a.npy)
onepass -q --jsonl --stable max a.npy | cmp - <(onepass -q --jsonl --stable --ofmt %f max a.npy)
onepass -q --jsonl --stable --no-header --no-filename max a.npy | cmp - <(onepass -q --jsonl --stable max a.npy)
