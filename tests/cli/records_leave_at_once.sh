# CLI 16: a record is written whole, with one write, as soon as its input is done, in input order.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 >a.f32
mkdata f32 5 >b.f32
mkfifo fifo.f32
for format in plain tsv csv jsonl; do
    onepass -q --format $format --stable sum a.f32 b.f32 fifo.f32 a.f32 >out &
    exec 7>fifo.f32
    for _ in {1..200}; do
        [ "$(wc -l <out)" -ge 2 ] && [ "$(grep -c b.f32 out)" -eq 1 ] && break
        sleep 0.02
    done
    echo "$format: $(grep -c f32 out) records, ends whole: $([ -z "$(tail -c 1 out)" ] && echo yes)"
    mkdata f32 9 >&7
    exec 7>&-
    wait
    grep -oE '(a|b|fifo)\.f32' out | paste -sd' '
done
