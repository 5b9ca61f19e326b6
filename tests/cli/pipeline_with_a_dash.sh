# CLI 40: a pipeline that starts with a dash needs -e or --; the message about the unknown option says so.
. "$ROOT/tests/cli/helpers"
mkdata f32 -3 5 -8 >x.f32
gives 8 -e '-x|max' x.f32
gives 8 --expression='-x|max' x.f32
gives 8 -- '-x|max' x.f32
gives 8 x.f32 -e '-x|max'
for pipeline in '-x|max' '-(x)|max' '-x^2|min' '-abs(x)|max' '-exp(x)|max' '-floor(x)|max'; do
    fails 2 'onepass: *-e *--*' "$pipeline" x.f32
done
fails 2 $'onepass: \'-x|max\' is a pipeline that starts with a dash*\nhint: -e PIPELINE, or -- before it\n*' '-x|max' x.f32
