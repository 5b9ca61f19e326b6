# CLI 2: a line that names the option and the value, a hint where there is one, where help is; never the usage.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 >x.f32
try=$'\ntry \'onepass --help\''
fails 2 "onepass: there is no pipeline and no input"$'\n'"hint: *$try"
fails 2 "onepass: there is no input"$'\n'"hint: * - is standard input$try" sum
fails 2 "onepass: unknown option '--nonsense'$try" --nonsense sum x.f32
fails 2 "onepass: unknown option '-Z'*$try" -Z sum x.f32
fails 2 "onepass: unknown option '-Z' in '-qZ'*$try" -qZ sum x.f32
fails 2 "onepass: option '--count' needs a value: N$try" sum x.f32 --count
fails 2 "onepass: option '-t' needs a value: TYPE$try" sum x.f32 -t
fails 2 "onepass: option '--json' takes no value$try" --json=yes sum x.f32
fails 2 "onepass: option --format: 'xml' is not plain, tsv, csv, json or jsonl$try" --format xml sum x.f32
fails 2 "onepass: option --color: 'sometimes' is not auto, always or never$try" --color sometimes sum x.f32
fails 2 "onepass: option --endian: 'middle' is not little or big$try" --endian middle sum x.f32
fails 2 "onepass: option --input-format: 'nmpy' is not *$try" --input-format nmpy sum x.f32
fails 2 "onepass: *unknown element type 'float31'*" -t float31 sum x.f32
fails 2 "onepass: 'x.f32' is a file: the pipeline comes first"$'\nhint: onepass \'sum\' x.f32' x.f32 sum
fails 2 "onepass: 'x.f32' is a file: the pipeline comes first*" x.f32
fails 2 "onepass: standard input ('-') can be read only once*" sum - -
fails 2 "onepass: *cannot be combined*" --list-ops --list-dtypes
fails 2 "onepass: *cannot be combined*" --version -n sum x.f32
fails 2 "onepass: --shape*" --shape 2 --count 1 sum x.f32
fails 2 "onepass: --shape*" --shape 2 --stride 2 sum x.f32
fails 2 "onepass: --columns *" --json --columns n sum x.f32
# Options of later versions are known, and say so.
for option in --zip --diff --exit-status --recursive --total --dataset=d --select=0 --merge; do
    fails 2 "onepass: option '$option' is not in this version$try" "$option" sum x.f32
done
# All of it on standard error, and never more than four lines.
onepass --nonsense sum x.f32 2>err
echo "status $?, $(($(wc -l <err) <= 4))"
