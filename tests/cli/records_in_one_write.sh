# CLI 16: one write() a record; json has one more that closes the array.
. "$ROOT/tests/cli/helpers"
[ -z "${SANITIZER:-}" ] || { echo "sanitizers do not run under strace"; exit 77; }
strace -o calls true 2>/dev/null || { echo "no strace here"; exit 77; }
mkdata f32 1 2 >a.f32
mkdata f32 5 >b.f32
for format in plain tsv csv json jsonl; do
    strace -f -e trace=write -e signal=none -o calls onepass -q --format $format stats a.f32 b.f32 none.f32 >out 2>err
    echo "$format: $(grep -c 'write(1' calls) to standard output, $(grep -c 'write(2' calls) to standard error"
done
