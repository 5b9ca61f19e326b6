# CLI 7, 38: what does not go with --bench is said before anything is opened; a table that cannot be had is an
# error of the input.
. "$ROOT/tests/cli/helpers"
mkdata f32 1..100 >x.f32
try="
try 'onepass --help'"
fails 2 "onepass: --bench takes one file, or none: there are 2$try" --bench sum x.f32 x.f32
fails 2 "onepass: --bench reads its data many times, which standard input cannot be
hint: name a file; or no input, and data of --size bytes are made$try" --bench sum -
fails 2 "onepass: --bench and --concat cannot be combined$try" --bench --concat sum x.f32
fails 2 "onepass: --size is for data that are made: of a FILE all is measured
hint: --count takes a part of raw data$try" --bench sum --size 1K x.f32
fails 2 "onepass: --bench and --columns cannot be combined*" --bench --columns n sum x.f32
fails 2 "onepass: --bench has no column for file names*" --bench -H sum x.f32
fails 2 "onepass: --bench has no column for file names*" --bench --no-filename sum x.f32
for option in --offset=4 --count=4 --stride=4 --shape=4 --input-format=raw; do
    fails 2 "onepass: ${option%=*} describes a FILE, and --bench has none
hint: --size says how much data are made, --dtype of which type$try" --bench sum $option
done
fails 2 "onepass: --explain and --bench cannot be combined$try" --explain --bench sum x.f32
fails 2 "onepass: --bench and --version cannot be combined$try" --bench --version
for option in --size=1K --runs=2 --warmup=0; do
    fails 2 "onepass: --size, --runs and --warmup work with --bench only$try" $option sum x.f32
done
fails 2 "onepass: option --runs: '0' is not a whole number from 1 to 10000$try" --bench sum --runs 0
fails 2 "onepass: option --warmup: '-1' is not a whole number from 0 to 10000$try" --bench sum --warmup -1
fails 2 "onepass: option --size: '0' is not a whole number from 1 to *" --bench sum --size 0
fails 2 "onepass: option --size: '1Q' is not a whole number *
hint: suffixes: *" --bench sum --size 1Q
fails 2 "onepass: 3 bytes hold no element of f32$try" --bench sum --size 3
fails 2 "onepass: unknown element type 'f33'*" --bench sum -t f33
# The pipeline as in any run.
fails 2 "onepass: pipeline 'abs' has no reduction and no input
hint: quote it: *" --bench abs
fails 2 "onepass: *" --bench 'abs|' x.f32
fails 2 "onepass: there is no pipeline and no input*" --bench
fails 3 "onepass: --device cuda: *" --bench sum --device cuda
# Inputs.
fails 4 "onepass: none.f32: cannot open: *" --bench sum none.f32
fails 4 "onepass: /dev/null: is no regular file, and a benchmark reads its data many times" -t f32 --bench sum /dev/null
mkdata u8 1 2 3 >odd.f32
fails 4 "onepass: odd.f32: *" --bench sum odd.f32
# More memory than there is: refused, not killed, and nothing was made or read before.
fails 4 "onepass: the data and the arrays of the naive row take * MB, and * MB of memory are available
hint: a smaller --size, or fewer stages" --bench 'abs|sum' --size 900T
truncate -s 8T huge.f32 2>/dev/null || truncate -s 1T huge.f32
fails 4 "onepass: huge.f32: the data and the arrays of the naive row take * MB, and * MB of memory are available
hint: --count takes a part of the file" --bench 'abs|sum' huge.f32
onepass -qq --bench 'abs|sum' --count 1000 huge.f32 --runs 1 --csv | cut -d, -f 12 | paste -sd' '
# The output.
onepass -qq --bench sum --size 1K --runs 1 >/dev/full
echo "full: $?"
cp x.f32 y.f32
onepass --bench sum y.f32 -o y.f32
echo "itself: $?"
cmp x.f32 y.f32
