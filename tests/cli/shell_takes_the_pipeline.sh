# Trap 1: unquoted, the shell runs its own `sum` and onepass is left with 'abs': it has to be loud.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >field.f32
fails 2 $'onepass: pipeline \'abs\' has no reduction and no input\nhint: quote it: onepass \'abs|sum\' FILE' abs
fails 2 $'onepass: pipeline \'x + 1\' has no reduction and no input\nhint: quote it: *' 'x + 1'
# shellcheck disable=SC2216,SC2260 # as somebody would write it
{ onepass abs | sum field.f32 >/dev/null; } 2>&1 | head -n 2
