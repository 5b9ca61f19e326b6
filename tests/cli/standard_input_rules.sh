# CLI 43: standard input only as -, once; raw or .npy by content; from where the descriptor stands; writers that
# have more to say than --count takes.
. "$ROOT/tests/cli/helpers"
mkdata u8 1 2 3 >x.u8
mkdata --npy '<i2' 3 i16 10 20 30 >x.npy
gives 6 -t u8 sum - <x.u8
gives 60 sum - <x.npy
gives 60 --input-format npy sum - <x.npy
cat x.npy | gives 60 sum -
gives $'file\tsum\n-\t6\nx.u8\t6' -t u8 sum - x.u8 <x.u8
gives 12 --concat -t u8 sum - x.u8 <x.u8
: | gives $'sum\tcount\n0\t0' -t u8 'sum, count' -
gives 0 -t u8 sum - </dev/null
# The rest of a file that somebody has read from.
{ head -c 1 >/dev/null; gives 5 -t u8 sum -; } < <(cat x.u8)
{ dd bs=1 count=1 status=none >/dev/null; gives 5 -t u8 sum -; } <x.u8
{ dd bs=1 count=1 status=none >/dev/null; gives 3 -t u8 --offset 1 sum -; } <x.u8
# An endless writer.
yes | gives 100 --count 100 -t u8 count -
yes | gives 121 --count 1 --offset 3000000 -t u8 sum -
# A file called - is ./-
mkdata u8 9 >./-
gives 9 -t u8 sum ./-
fails 2 "onepass: standard input ('-') can be read only once*./-*" -t u8 sum - - </dev/null
fails 2 "onepass: standard input ('-') can be read only once*" -t u8 --concat sum - x.u8 - </dev/null
fails 2 'onepass: there is no input*- is standard input*' -t u8 sum <x.u8
# It is not touched without -: a loop's list stays whole.
printf '%s\n' x.u8 x.u8 x.u8 | while read -r name; do onepass -q sum "$name"; done
fails 4 'onepass: -: *npy*' -t u8 sum - <x.npy
fails 4 'onepass: -: *left-over*' -t f32 sum - <x.u8
fails 4 'onepass: -: the element type*' sum - <x.u8
