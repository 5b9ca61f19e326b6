# CLI 0: --concat is one array, the C-order elements of each input one after the other; different types are
# allowed, integers only together stay integer; one failed part: no combined number.
. "$ROOT/tests/cli/helpers"
mkdata i64 9007199254740993 5 >a.i64
mkdata u8 1 2 3 >b.u8
mkdata f32 0.5 100 >c.f32
mkdata --npy '<i4' 2,2 --fortran i32 1 7 2 8 >d.npy
: >empty.u8
: >part
printf abc >odd.i16
gives 9007199254741004 --concat sum a.i64 b.u8
gives 9007199254740993 --concat max a.i64 b.u8
gives 100 --concat max b.u8 c.f32
gives 106.5 --concat sum b.u8 c.f32
says '*note: *rounded to binary64*' 9007199254740992 --concat max a.i64 c.f32
gives $'count\tfirst\tlast\n5\t9007199254740993\t3' --concat --no-filename 'count, first, last' a.i64 b.u8 empty.u8
gives $'count\tfirst\tlast\n4\t1\t8' --concat --no-filename 'count, first, last' d.npy empty.u8
gives 3 --concat 'where(x < 9)|count' b.u8
where() { onepass -q --jsonl --stable --concat "$@" | grep -oE '"(index|file|file_index|file_coords|coords|shape|dtype|n)":("[^"]*"|\[[^]]*\]|[0-9]+)' | paste -sd' '; }
where argmax b.u8 c.f32 a.i64
where argmin a.i64 empty.u8 b.u8
where argmax b.u8 d.npy
where argmax b.u8 b.u8
where argmax b.u8
where --stride 2 'where(x < 3)|argmax' b.u8
# Index and values count through over many parts, whatever the pieces.
for k in {0..49}; do mkdata i16 $((k * 10))..$((k * 10 + 9)) >"part.$(printf %02d $k).i16"; done
for k in "-j 1" "-j 7 --piece-size 3" "-j 2 --piece-size 1M"; do
    # shellcheck disable=SC2086 # options
    gives $'sum\targmax\targmin\tfirst\tlast\n124750\t499\t0\t0\t499' $k --concat --no-filename 'sum, argmax, argmin, first, last' part.*
done
printf '\2\1' | gives 9 --concat -t u8 --no-filename sum b.u8 -
fails 4 'onepass: none.u8: cannot open: *' --concat sum b.u8 none.u8 c.f32
fails 4 'onepass: odd.i16: *left-over*' --concat sum b.u8 odd.i16
fails 4 'onepass: part: *element type*' --concat sum b.u8 part
onepass -q --csv --concat sum b.u8 none.u8 2>/dev/null
onepass -q --concat sum b.u8 none.u8 2>/dev/null || echo "status $?"
