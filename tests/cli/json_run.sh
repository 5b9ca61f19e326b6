# CLI 27, 55: what differs between runs and machines stands under run; --stable leaves it out; the rest is the
# same bytes.  No host, user or environment.
. "$ROOT/tests/cli/helpers"
mkdata f32 1*5000 >x.f32
touch -d @1000000000 x.f32
onepass -q --jsonl sum x.f32 | sed -E 's/.*,("run":\{.*)\}$/\1/; s/("(seconds|bytes_per_second)":)[0-9.]+/\1N/g; s/("levels":)\[[0-9]+,[0-9]+,[0-9]+\]/\1[N]/; s/"isa":"[a-z0-9]+"/"isa":"I"/; s/("start":")[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/\1UTC/; s/("commit":)("[0-9a-f]+(-dirty)?"|null)/\1C/; s/"version":"[0-9.]+"/"version":"V"/'
onepass -q -j 1 --jsonl sum x.f32 | sed -E 's/,"run":\{.*/}/' | cmp - <(onepass -q -j 7 --piece-size 100 --jsonl --stable sum x.f32)
mkdata f32 1 2 | onepass -q --jsonl -t f32 sum - | grep -oE '"(stored_bytes|decoded_bytes|size|mtime)":[^,}]*' | paste -sd' '
# Threads that took part: no more than asked for, one for a single piece.
onepass -q --jsonl -j 3 --piece-size 4 sum x.f32 | grep -oE '"threads":[1-3],' | sed 's/[1-3]/N/'
onepass -q --jsonl -j 1 sum x.f32 | grep -oE '"threads":1,'
# argv as it was, odd characters included.
onepass -q --jsonl --skip-nan $'sum\n' x.f32 | grep -oE '"argv":\[[^]]*\]' | sed 's/\[[^,]*onepass"/[PROGRAM/'
USER=nobody_special HOSTNAME=somewhere onepass -q --json sum x.f32 | grep -cE 'nobody_special|somewhere' || :
