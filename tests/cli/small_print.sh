# CLI 0, small print: empty inputs, empty names, cores, lower-case names, literals that underflow, help beside a bad
# option, and what is decided without a look at an input.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 >x.f32
gives 0 --count 0 sum x.f32
gives 3 -j 1000 sum x.f32
fails 2 "onepass: the name of input 1 is empty*" sum ''
fails 2 "onepass: the name of input 2 is empty*" sum x.f32 '' x.f32
fails 2 "onepass: *'SUM'*" SUM x.f32
fails 2 "onepass: *'Abs'*" 'Abs|sum' x.f32
gives 0 'x * 1e-9999|sum' x.f32
gives 2 'max(x, 1e-400)|max' x.f32
fails 2 "onepass: *'1e999'*" 'x < 1e999|sum' x.f32
fails 2 "onepass: option --offset: '9223372036854775808' *" --offset 9223372036854775808 sum none.f32
fails 2 "onepass: option --offset: '8E' *" --offset 8E sum none.f32
onepass --nonsense --help | cmp - <(onepass --help)
# Two things wrong: usage comes first, whatever the inputs are.
fails 2 "onepass: *unknown element type*" -t f31 sum none.f32
fails 2 "onepass: *'nothing'*" --columns nothing sum none.f32
fails 2 "onepass: unknown*" sun none.f32
# A comparison with nan finds none: a note that says so.
says $'onepass: note: \'x == nan\' is always 0, for NaN too; \'isnan(x)\' tells what is NaN\n2 f32, *' 0 'where(x == nan)|count' x.f32
says $'onepass: note: \'x != nan\' is always 1, for NaN too; \'!isnan(x)\' tells what is NaN\n2 f32, *' 2 'where(x != nan)|count' x.f32
says '2 f32, *' 0 'where(isnan(x))|count' x.f32
# .npy: trailing bytes, a doubled key.
{ mkdata --npy '|u1' 2 u8 1 2 && printf x; } >trailing.npy
fails 4 'onepass: trailing.npy: *1 byte*after the data*' sum trailing.npy
# A million empty stages or names: an answer or an error, soon.
head -c 1000000 /dev/zero | tr '\0' '|' >bars
timeout 20 onepass -f bars x.f32 >/dev/null 2>&1
echo "status $?"
{ printf sum && printf ';sum%.0s' {1..300}; } >many
timeout 20 onepass -q --no-header --tsv --no-filename -f many x.f32 2>/dev/null | tr '\t' '\n' | sort | uniq -c | tr -s ' '
