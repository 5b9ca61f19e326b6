# Each -e and -f is a program of its own: a comment ends with its part, none may be empty or end in another.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 3 4 5 >x.f32
gives $'sum\tmean\n15\t3' -e 'sum # total' -e mean x.f32
printf 'sum # total' >p
gives $'sum\tmean\n15\t3' -f p -e mean x.f32
fails 2 'onepass: empty pipeline*' -e sum -e '' x.f32
fails 2 'onepass: empty pipeline*' -e '' -e sum x.f32
fails 2 "onepass: 'sum' is a reduction*    sum(*" -e 'sum(' -e ')' x.f32
fails 2 "onepass: *    garbage((*" -e 'sum # a' -e 'garbage((' x.f32
fails 2 "onepass: standard input ('-') can be read only once*" -f - -f - x.f32
