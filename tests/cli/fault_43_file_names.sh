# Files may be called anything: blanks, newlines, colons, leading dashes, bytes that are not UTF-8.  Nothing of
# it reaches a terminal or a table raw, and nothing is lost in JSON.
. "$ROOT/tests/cli/helpers"
names=('with blank.f32' $'new\nline.f32' $'tab\t.f32' 'co:lon.f32' 'run.f32:/T.f32' -dash.f32 $'bad\xff\xfe.f32'
    $'esc\033[31m.f32' 'quo"te,comma.f32' 'back\slash.f32' $'uml\xc3\xa4ut.f32' '*.f32' $'c1\xc2\x9b.f32' 'a=b;c|d.f32')
mkdir run.f32:
k=0
for name in "${names[@]}"; do
    k=$((k + 1))
    mkdata f32 $k >"./$name"
    gives "$k" sum -- "$name"
done
for format in plain tsv csv jsonl; do
    echo "-- $format"
    onepass -q --format $format --stable sum -- "${names[@]}" | sed 's/,"dataset".*"value":/ ... /; s/,"text".*//'
done
# In messages too.
echo "-- errors"
for name in "${names[@]}"; do rm -- "./$name"; done
onepass -qv sum -- "${names[@]}" 2>&1
onepass -q --csv sum -- $'no\nfile.f32' 2>/dev/null
# -- is needed before a dash, ./ does too.
mkdata f32 5 >./-dash.f32
gives 5 sum ./-dash.f32
fails 2 "onepass: unknown option '-x' in '-x.f32'"$'\nhint: an operand that starts with a dash goes after --\n*' sum -x.f32
# A colon: the file of that name comes first; else the shortest that exists before a colon would hold datasets.
mkdata f32 1 2 >plain.f32
fails 4 $'onepass: plain.f32:x: cannot open: No such file or directory\nhint: \'plain.f32\' exists, but *' sum plain.f32:x
fails 4 'onepass: none.h5:x: cannot open: No such file or directory' sum none.h5:x
printf '\x89HDF\r\n\x1a\n' >run.h5
fails 4 'onepass: run.h5:/fields/T: *HDF5*not in this version*' sum run.h5:/fields/T
fails 2 'onepass: the name of input 1 is empty*' sum ''
