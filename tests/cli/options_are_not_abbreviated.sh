# CLI 37: a prefix of an option is unknown, with the full name as a suggestion.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >x.f32
for pair in --thread:--threads --vers:--version --dtyp:--dtype --quie:--quiet --colum:--columns --skip-na:--skip-nan \
    --hel:--help --no-heade:--no-header --expres:--expression; do
    fails 2 "onepass: unknown option '${pair%:*}'"$'\n'"hint: *${pair#*:}*"$'\n*' "${pair%:*}" sum x.f32
done
fails 2 "onepass: unknown option '--form'*--format*" --form=json sum x.f32
fails 2 "onepass: unknown option '--h'*" --h sum x.f32
fails 2 "onepass: unknown option '--Json'*--json*" --Json sum x.f32
