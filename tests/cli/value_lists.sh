# CLI 5: =? lists what an option takes, on standard output, status 0; nothing is run.
. "$ROOT/tests/cli/helpers"
names() { onepass "$@" | awk '{ print $1 }' | paste -sd' '; }
names --dtype=?
names -t '?'
names --format=?
names --input-format=?
names --device=?
names --columns=?
names --color=?
names --endian=?
names --generate=?
names --dtype=? sum none.f32
names --format '?' --json sum none.f32
onepass --dtype=? >/dev/full
echo "full: $?"
# The long tables have a header and come as tsv and csv too.
for list in --list-ops --ops --list-dtypes --list-formats; do
    onepass $list >plain && onepass $list --tsv >tsv && onepass $list --csv --no-header >csv
    echo "$(head -n 1 tsv | tr '\t' ' '), $(($(wc -l <tsv) - $(wc -l <csv)))"
    [ "$(awk -F'\t' '{ print NF }' tsv | sort -u | wc -l)" -eq 1 ] || echo "wrong: ragged $list"
done
fails 2 'onepass: *json*' --json --list-ops
# Everything that has to be there, by its group.
onepass --list-ops --tsv | cut -f1,2 >have
need() { for name in "${@:2}"; do grep -qxF "$1"$'\t'"$name" have || echo "wrong: no $1 $name"; done; }
need map abs neg sign square cube sqrt cbrt recip rsqrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos \
    atan sinh cosh tanh asinh acosh atanh atan2 hypot floor ceil round trunc fmod mod erf erfc lgamma sigmoid relu degrees \
    radians isnan isinf isfinite add sub mul div pow min max clamp where
need reduction sum mean min max range absmax argmin argmax count nonzero any all nnan ninf sumsq norm1 norm2 rms var std \
    var1 std1 sem prod geomean first last
need alias l1 l2 avg norminf finite
grep -c stats have
mkdata f32 4 >x.f32
onepass --list-ops --tsv --no-header | awk -F'\t' '$1 == "reduction" { print $2 }' | while read -r name; do
    onepass -qq "$name" x.f32 >/dev/null || echo "wrong: $name"
done
onepass --list-ops --tsv --no-header | awk -F'\t' '$1 == "map" && $3 == $2 { print $2 }' | while read -r name; do
    onepass -qq "$name|sum" x.f32 >/dev/null || echo "wrong: $name"
done
