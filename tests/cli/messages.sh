# CLI 0, 12, 13: the speed line; what -q, -qq and an explicit machine format leave out; notes and warnings; -v.
. "$ROOT/tests/cli/helpers"
mkdata f32 1..250000 >x.f32
mkdata u8 1 2 >y.u8
mkdata i64 9007199254740993 >big.i64
mkdata f64 1e308 1e308 >huge.f64
says "250000 f32, 1.00 MB in *.* s, *B/s (cpu, * thread*)" 31250125000 sum x.f32
says "2 u8, 2 B in *.* s, *B/s (cpu, 1 thread)" 3 sum y.u8
says "250002 mixed, 1.00 MB in *.* s, *B/s (cpu, *)" $'file\tsum\nx.f32\t31250125000\ny.u8\t3' sum x.f32 y.u8
says "250002 mixed, 1.00 MB in *" 31250125003 --concat sum x.f32 y.u8
says "4 u8, 4 B in *" $'file\tsum\ny.u8\t3\ny.u8\t3' sum y.u8 y.u8
says "2 u8, 2 B in *" 3 --format plain sum y.u8
for quiet in -q -qq --quiet "--format tsv" "--tsv" "--csv" "--json" "--jsonl" "--format jsonl"; do
    # shellcheck disable=SC2086 # two words
    onepass $quiet sum y.u8 2>&1 >/dev/null | sed "s/^/wrong: $quiet: /"
done
# Stored bytes only where they differ: what lies between the elements is read too.
mkdata i16 0..9999 >s.i16
says '100 i16, 200 B [(]19.8 kB stored[)] in *' 495000 --stride 100 sum s.i16
# No speed without a result.
fails 4 'onepass: none.f32: cannot open: No such file or directory' sum none.f32
# A note: dropped by -q.  A warning: by -qq.  An error: never.
note='onepass: note: big.i64: *integers above 2^53 were rounded to binary64*'
warning='onepass: warning: huge.f64: beyond the range of binary64: sum is infinite'
says "$note"$'\n''1 i64, *' 9007199254740992 'x + 0|sum' big.i64
says "" 9007199254740992 -q 'x + 0|sum' big.i64
says "$warning"$'\n''2 f64, *' inf sum huge.f64
says "$warning" inf -q sum huge.f64
says "" inf -qq sum huge.f64
fails 4 'onepass: none.f32: cannot open: No such file or directory' -qq sum none.f32
fails 2 'onepass: unknown*' -qqqq sun x.f32
onepass --json sum huge.f64 2>&1 >/dev/null | grep -c "beyond the range"
onepass --json 'x + 0|sum' big.i64 2>&1 >/dev/null | grep -c "above 2^53"
# x>0|count counts all: legal, with a note that shows what was meant.
says 'onepass: note: *where(x > 1)*count*nonzero*'$'\n''2 u8, *' 2 'x > 1|count' y.u8
says '' 2 -q 'x > 1|count' y.u8
# A type that overrides a name's, and a nan that NaN made: one line each, not with -q.
says $'onepass: note: y.u8: read as i8, as --dtype says; the name says u8\n2 i8, *' 2 -t i8 count y.u8
says '2 u8, *' 2 -t u8 count y.u8
mkdata f32 1 nan 3 nan >n.f32
says $'onepass: note: n.f32: nan in \'sum,count,mean\', since NaN reached it; --skip-nan leaves those out: 2 of 4 values\n4 f32, *' \
    $'sum\tcount\tmean\nnan\t4\tnan' 'sum, count, mean' n.f32
says '4 f32, *' 4 count n.f32
says '4 f32, *' 4 --skip-nan sum n.f32
says '' nan -q sum n.f32
for format in json csv; do onepass --$format --stable sum n.f32 2>&1 >/dev/null; done
for k in 1 2 3 4 5 6 7 8 9 10 11 12; do mkdata f32 nan 1*$k >many$k.f32; done
onepass --csv sum many*.f32 2>&1 >/dev/null | tail -n 1
# -v says how each input was read.
says 'onepass: note: y.u8: raw u8, shape [[]2], 2 bytes read by pread, 1 thread, *, blocks by level *'$'\n''2 u8, *' 3 -v sum y.u8
mkdata --npy '>f4' 2,3 f32be 1..6 >z.npy
says 'onepass: note: z.npy: npy f32be, shape [[]2,3], *'$'\n''6 f32be, 24 B *' 21 -v sum z.npy
# The program's name is onepass whatever it is called.
(exec -a other onepass sum none.f32) 2>&1 || :
