# --count and --shape past the end, bytes left over behind an offset or a stride: errors that name the figures.
. "$ROOT/tests/cli/helpers"
head -c 1003 /dev/zero >x.f32
fails 4 'onepass: x.f32: 1003 bytes of f32: 3 left-over bytes*' sum x.f32
fails 4 'onepass: x.f32: 1003 bytes of f32: 3 left-over bytes*' --stride 10 sum x.f32
fails 4 'onepass: x.f32: * 1 left-over byte*' --offset 2 sum x.f32
fails 4 'onepass: x.f32: * 3 left-over bytes'$'\n''hint: a size in place of -1 *' --shape 10,-1 sum x.f32
fails 4 'onepass: x.f32: count 251 reaches past the end: there are 250 elements of f32*' --count 251 sum x.f32
fails 4 'onepass: x.f32: *250 elements of f32*' --shape 251 sum x.f32
fails 4 'onepass: -: *3 left-over bytes*' -t f32 sum - <x.f32
fails 4 'onepass: -: *251*' -t f32 --count 251 sum - < <(cat x.f32)
fails 4 'onepass: x.f32: *left-over*' --concat -t f32 count x.f32 x.f32
gives 250 --count 250 count x.f32
gives 250 --offset 3 count x.f32
gives 26 --offset 3 --stride 10 'count|x + 1' x.f32
