# CLI 5: the nearest names are suggested, at most three, and never taken instead.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >x.f32
hint() { fails 2 "onepass: *$1*"$'\n'"*hint: *$2*" "${@:3}" x.f32; }
hint "'--theads'" --threads --theads 1 sum
hint "'--jason'" --json --jason sum
hint "'--progres'" --progress --progres sum
hint "'--axis'" 'no reduction along an axis' --axis=0 mean
hint "'--axis'" 'no reduction along an axis' --axis 0 mean
hint "'--keepdims'" 'no reduction along an axis' --keepdims mean
hint "'--ddof'" 'std1 and var1 by n - 1' --ddof=1 std
hint "'--skipna'" --skip-nan --skipna mean
hint "'--no-skipna'" --no-skip-nan --no-skipna mean
hint "'--delimiter'" 'text is not read' --delimiter=, mean
hint "'.abs'" "'abs | sum'" 'x.abs()|sum'
hint "'map'" "'abs | sum'" 'map(abs)|sum'
hint "'e'" 'exp(x)' 'e^x|sum'
hint "'meen'" mean meen
hint "'maxx'" max maxx
hint "'sqtr'" sqrt 'sqtr|sum'
hint "'flor'" floor 'flor(x)|sum'
hint "'Abs'" abs 'Abs|sum'
hint "'f23'" f32 -t f23 sum
hint "'flaot32'" float32 -t flaot32 sum
hint "'double'" f64 -t double sum
hint "'float'" 'f32 (as in C) or f64' -t float sum
hint "'be'" "'big'" --endian be sum
hint "'mean'" 'no reduction along an axis' 'mean(axis=0)'
hint "'mean'" 'reductions take no arguments' 'mean(ddof=1)'
hint "'where'" "'where(x > 0)'" 'where x > 0 | mean'
hint "'select'" 'where(c), which keeps' 'select(x > 0)|sum'
for arrow in '>' '->' '→'; do hint "a pipe '|' is missing*'sum'" "'abs | sum'" "abs $arrow sum"; done
hint "'|>'" "joined by '|'" 'x |> sum'
fails 4 $'onepass: mean: cannot open: No such file or directory\nhint: mean is a reduction: \'sum, mean\'' sum mean
# Files without a type.
cp x.f32 x.F32
printf '1.5,2.5\n3.5,4.5\n' >table.csv
printf 'RIFF\044\0\0\0WAVEfmt ' >sound.wav
for file in x.F32 table.csv sound.wav; do onepass sum $file 2>&1; done
onepass sum - <table.csv 2>&1 | tail -n 1
onepass -q -t u8 count table.csv
# Text read as numbers all the same: a note, from a file, behind an offset, from a stream; not where it is no text.
says 'onepass: note: table.csv: the input looks like text; it is read as f32 all the same
4 f32, *' 4 -t f32 count table.csv
says $'onepass: note: table.csv: the input looks like text; it is read as i16be all the same\n*' 4 -t i16be --offset 8 count table.csv
says $'onepass: note: -: the input looks like text; it is read as f64 all the same\n*' 2 -t f64 count - < <(cat table.csv)
{ cat table.csv && mkdata f32 1 2; } >headed.f32
says '2 f32, *' 3 --offset 16 sum headed.f32
says '2 f32, *' 3 --offset 16 -t f32 sum - < <(cat headed.f32)
says '16 u8, *' 16 -t u8 count table.csv
says $'onepass: note: -: the input has no elements\n*' 0 -t f32 count - </dev/null
{ printf ABCD && sleep 5; } | timeout 3 onepass -q -t f32 --count 1 count -
hint "'jsnl'" jsonl --format jsnl sum
hint "'rwa'" raw --input-format rwa sum
hint "'nadn'" nan --columns nadn sum
hint "'fish2'" fish --generate fish2 sum
for line in "--zzzzzzzz sum" "-t zzzzzzz sum" "qqqqqq"; do
    # shellcheck disable=SC2086 # several words
    onepass $line x.f32 2>&1 | grep -c 'did you mean'
done
# Never more than three.
onepass -e 'sa|sum' x.f32 2>&1 | grep -oE 'did you mean.*' | grep -oE '[a-z0-9]+( or|,|\?)' | wc -l | awk '$1 > 3 { print "wrong: " $0 }'
