# Every run of many statistics equals the single runs, for every element type, with and without a map.
. "$ROOT/tests/cli/helpers"
for type in f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool; do mkdata $type rand:4:75 >"x.$type"; done
for map in "" "where(x > 1)|"; do
    onepass -qq --tsv --no-filename --no-header "$map$ALL" x.* | cut -f1-28 >want
    wc -l <want
    column=0
    for name in ${ALL//,/}; do
        column=$((column + 1))
        onepass -qq --tsv --no-filename --no-header "$map$name" x.* | cut -f1 | cmp - <(cut -f$column want) ||
            echo "wrong: $map$name"
    done
done
onepass -q --csv stats x.i8 | head -n 1
onepass -qq --tsv --no-filename --no-header stats x.f32 x.i8 |
    cmp - <(onepass -qq --tsv --no-filename --no-header 'count, nnan, ninf, min, max, mean, std, sum' x.f32 x.i8)
# Aliases are what they stand for.
onepass -qq --tsv --no-filename --no-header 'l1, l2, avg, norminf' x.f32 |
    cmp - <(onepass -qq --tsv --no-filename --no-header 'norm1, norm2, mean, absmax' x.f32)
