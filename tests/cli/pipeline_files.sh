# -f reads a pipeline with comments and line breaks; -e and -f join with ';'; errors have FILE:LINE:COLUMN.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 -3 >x.f32
cat >one <<'END'
# the largest magnitude
abs     # of each
| max;  # and a semicolon at the end
END
gives 3 -f one x.f32
gives 3 --from-file one x.f32
gives $'max\tsum\n3\t0' -f one -e sum x.f32
gives $'sum\tmax\n0\t3' -e sum x.f32 -f one
gives $'1:sum\t2:sum\t3:sum\n0\t0\t0' -e 'sum; sum' -e sum x.f32
printf 'sum;mean' | gives $'sum\tmean\n0\t0' -f - x.f32
printf 'x\r\n|sum\r\n' >dos
gives 0 -f dos x.f32
: >empty
fails 2 'onepass: *' -f empty x.f32
fails 2 'onepass: none: cannot read the pipeline: No such file or directory' -f none x.f32
fails 2 'onepass: .: cannot read the pipeline: Is a directory' -f . x.f32
fails 2 'onepass: *empty*' -f '' x.f32
printf 'sum' | fails 2 "onepass: standard input ('-') can be read only once*" -f - -
printf 'abs\n  | sqrt\n  | sun\n' >bad
fails 2 $'onepass: bad:3:5: unknown*\'sun\'*\n      | sun\n        ^^^\nhint: *sum*' -f bad x.f32
printf '# first\n\tabs |\t|sum' >tab
fails 2 $'onepass: tab:2:8: empty stage*\n     abs | |sum\n           ^\n*' -f tab x.f32
printf 'sum;\nabs|mean|1 +\n' >end
fails 2 $'onepass: end:2:1[0-3]: expected a value*' -f end x.f32
fails 2 $'onepass: bad:3:5: *' -e sum -f bad x.f32
fails 2 $'onepass: unknown*\'sum3\'*' -f one -e sum3 x.f32
# Several files of pipelines: the line is that of its own file.
fails 2 $'onepass: bad:3:5: *' -f one -f bad x.f32
