# CLI 38: every boolean has its --no- form, options may be repeated, and the last one counts.
. "$ROOT/tests/cli/helpers"
mkdata f32 nan 0.5 >x.f32
gives 0.5 --no-skip-nan --skip-nan max x.f32
gives nan --skip-nan --no-skip-nan max x.f32
gives $'max\nnan' --no-header --header max x.f32
gives nan --header --no-header max x.f32
gives $'file,max,error\nx.f32,nan,' --tsv --csv max x.f32
gives $'file\tmax\terror\nx.f32\tnan\t' --format csv --format tsv max x.f32
gives nan --json --format plain max x.f32
gives $'file\tmax\nx.f32\tnan' --no-filename -H max x.f32
gives nan -H --no-filename max x.f32
gives 1 -t f32 -t u8 --count 1 --count 1 --offset 5 --offset 7 'x > 60|sum' x.f32 --input-format raw
gives 0x1p-1 --digits 3 --hex last x.f32
gives 5.00e-01 --hex --ofmt %.2e last x.f32
gives 0.5 --hex --no-hex last x.f32
gives 0.5 --hex --digits 2 last x.f32
gives nan --concat --no-concat max x.f32
gives 0.5 -j 1 -j 2 --piece-size 1 --piece-size 64K last x.f32
gives 0.5 -q -q -qq --quiet last x.f32
gives 0.5 --progress --no-progress --color always --color never last x.f32
gives 0.5 --fail-fast --no-fail-fast last x.f32
onepass -q --jsonl --no-stable --stable last x.f32 | grep -c '"run"'
onepass -q --jsonl --stable --no-stable last x.f32 | grep -c '"run"'
gives 2 --columns max --columns n max x.f32
