# CLI 1: -h is short, --help complete; both on standard output, status 0, at most 79 columns; they win over
# everything else on the line and touch no file.
. "$ROOT/tests/cli/helpers"
for help in -h --help; do
    onepass $help >"out$help" 2>"err$help"
    echo "$help: status $?, $(wc -c <"err$help") bytes of errors, $(awk 'length > 79' "out$help" | wc -l) wide lines"
done
[ "$(wc -l <out-h)" -le 24 ] || echo "wrong: -h has $(wc -l <out-h) lines"
head -n 1 out-h | grep -c '^onepass: '
grep -c '^usage: onepass' out-h
grep -cE "^  (onepass|.*\| onepass) " out-h
[ "$(grep -cE '^ +-' out-h)" -eq 12 ] || echo "wrong: -h has $(grep -cE '^ +-' out-h) options"
tail -n 1 out-h | grep -o -- '--help'
tail -n 1 out--help
# Every option that the completions know stands in --help, with its default.
onepass --generate bash | sed -n "s/.*local options='\(.*\)'/\1/p" | grep -oE -- '--[a-z][a-z-]*' | while read -r option; do
    plain=${option#--no-}
    grep -qE -- "(^| )(--(\[no-\])?${plain#--}|$option|Alias: $option\.?)( |\[|=|$|\.)" out--help || echo "wrong: no $option"
done
grep -o 'default: by content, then by' out--help
# They win.
for line in "--nonsense" "--count 4x" "sum none.f32" "--version" "-o out.txt" "-f none" "--device cuda" "-t f32" "--json sum none.f32"; do
    # shellcheck disable=SC2086 # several words
    onepass --help $line | cmp - out--help
    # shellcheck disable=SC2086
    onepass $line --help | cmp - out--help
    # shellcheck disable=SC2086
    onepass -h $line | cmp - out-h
done
[ ! -e out.txt ] || echo "wrong: --help wrote a file"
ONEPASS_DEVICE=cuda onepass --help | cmp - out--help
onepass --help >/dev/full
echo "full: $?"
onepass -h >&-
echo "closed: $?"
# After -- it is an operand.
fails 2 'onepass: *' -- --help
