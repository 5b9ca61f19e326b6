# CLI 5: the nearest names are suggested, at most three, and never taken instead.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >x.f32
hint() { fails 2 "onepass: *$1*"$'\n'"*hint: *$2*" "${@:3}" x.f32; }
hint "'--theads'" --threads --theads 1 sum
hint "'--jason'" --json --jason sum
hint "'--progres'" --progress --progres sum
hint "'meen'" mean meen
hint "'maxx'" max maxx
hint "'sqtr'" sqrt 'sqtr|sum'
hint "'flor'" floor 'flor(x)|sum'
hint "'Abs'" abs 'Abs|sum'
hint "'f23'" f32 -t f23 sum
hint "'flaot32'" float32 -t flaot32 sum
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
