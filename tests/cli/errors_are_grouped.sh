# CLI 4: at most ten lines of one kind, then a line with how many more; -v shows all; the records carry each.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >ok.f32
printf abc >odd.f32
missing=(m{1..14}.f32)
onepass -q sum "${missing[@]}" ok.f32 odd.f32 2>&1
echo "status $?"
onepass -qv --no-progress sum "${missing[@]}" 2>&1 | grep -c 'cannot open'
onepass -q --jsonl sum "${missing[@]}" ok.f32 2>/dev/null | grep -c '"code":"open_failed"'
onepass -q --tsv sum "${missing[@]}" 2>/dev/null | grep -c 'open_failed'
# Ten of a kind are not grouped; each kind counts for itself.
onepass -q sum m{1..10}.f32 odd.f32 odd.f32 2>&1 | grep -c onepass
onepass -qq sum m{1..11}.f32 2>&1 | tail -n 1
# The same for warnings.
: >empty.f32
# shellcheck disable=SC2046 # many operands
onepass -q max $(printf 'empty.f32 %.0s' {1..13}) 2>&1 >/dev/null | tail -n 1
# shellcheck disable=SC2046
onepass -q max $(printf 'empty.f32 %.0s' {1..13}) 2>&1 >/dev/null | grep -c .
