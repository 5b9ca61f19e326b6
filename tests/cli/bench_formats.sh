# CLI 24, 57: the table of --bench for programs.  What is declared or exact stands at the top of a record, all
# else under run, and --stable leaves that out: the rest is the same bytes everywhere.
. "$ROOT/tests/cli/helpers"
mkdata f64 1..1000 nan >x.f64
onepass -qq --jsonl --stable --skip-nan --bench 'sqrt|sum; max' x.f64 --runs 2 -j 3
onepass -qq --json --stable --bench 'sum' --size 1K -t i16be --runs 1 | tr -d '\n' && echo
onepass -qq --jsonl --bench 'sqrt|sum; max' x.f64 --runs 2 --warmup 0 | sed -E 's/.*,("run":\{.*)\}$/\1/' | grep -oE '"[a-z_]+":' | uniq | paste -sd' '
onepass -qq --jsonl --bench 'abs|sum' --size 1K --runs 7 | grep -oE '"seconds":\[[0-9.,]*\]' | tr -dc ',\n' | awk '{ print length }' | sort | uniq -c | awk '{ print $1, $2 }'
onepass -qq --jsonl --bench 'abs|sum' --size 1K --runs 1 | grep -o '"spread":null' | uniq -c | awk '{ print $1 }'
onepass -qq --tsv --bench 'sqrt|sum' --size 4000 -t u8 --runs 2 >table
head -n 1 table
tail -n +2 table | cut -f 1-5
tail -n 1 table | cut -f 10-13
# Of several values a row has the one with the largest error; the exact row has none.
onepass -qq --tsv --no-header --bench 'count, max, sum' x.f64 --skip-nan --runs 1 | cut -f 11,13 | tail -n 1
mkdata f64 1e16 1*9 -1e16 >lost.f64
onepass -qq --tsv --no-header --bench 'count, max, sum' lost.f64 --runs 1 -j 1 | awk -F'\t' '{ print $1, ($11 > 0), $13 }'
ONEPASS_READER=direct onepass -qq --tsv --no-header --bench sum x.f64 --runs 1 2>err | cut -f 2 | grep -vx 'memory\|direct\|pread\|mixed' | cat
onepass -qq --csv --bench 'sum' --size 4000 --runs 2 --no-header | cut -d, -f 1-5 | head -n 1
# Rows of programs hold positive numbers.
onepass -qq --tsv --no-header --bench 'sqrt|sum' --size 4000 --runs 2 | awk -F'\t' '!($6 > 0 && $7 >= 0 && $8 > 0 && $9 > 0 && $10 >= 1 && $10 <= 2 && NF == 14)'
# The data are those that mkdata makes, whatever their type.
for type in f16 bf16 f32be f64 i8 i16be i32 i64 u8 u16 u32 u64be bool; do
    case $type in i* | u* | bool) series=rand ;; *) series=normal ;; esac
    case $type in *64*) n=500 ;; *32*) n=1000 ;; *16*) n=2000 ;; *) n=4000 ;; esac
    mkdata "$type" "$series:1:$n" >y
    onepass -q -t "$type" sum y >want
    onepass -qq --tsv --no-header -t "$type" --bench sum --size 4000 --runs 1 | tail -n 1 | cut -f 12 | cmp - want
done
# The result to a file; stdout stays empty.
onepass -qq --csv --bench sum x.f64 --runs 1 -o out.csv && wc -l <out.csv
