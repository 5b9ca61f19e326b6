# CLI 32, 33: --digits as %.Ng, --hex as %a, --ofmt through our own parser; integers and JSON are not touched; the
# same digits in plain, tsv and csv.
. "$ROOT/tests/cli/helpers"
mkdata f64 3.14159265358979 >pi.f64
mkdata f64 -1234567.890625 >big.f64
mkdata f64 0.000012345 >small.f64
mkdata f64 nan >nan.f64
mkdata f64 -inf >inf.f64
mkdata f64 -0.0 >zero.f64
mkdata f32 0.1 >x.f32
mkdata i64 9007199254740993 >int.i64
d() { gives "$1" --digits "$2" sum "$3"; }
d 3.1 2 pi.f64
d 3 1 pi.f64
d -1.23e+06 3 big.f64
d -1234568 7 big.f64
d 1.23e-05 3 small.f64
d nan 3 nan.f64
d -inf 3 inf.f64
d 9007199254740993 3 int.i64
gives -0 --digits 3 first zero.f64
gives 0.1 --digits 5 max x.f32
gives 0.10000000149011612 --digits 17 max x.f32
gives 0.1000000014901161193847656 --digits 25 sum x.f32
h() { gives "$1" --hex first "$2"; }
h 0x1.921fb54442d11p+1 pi.f64
h -0x1.2d687e4p+20 big.f64
h nan nan.f64
h -inf inf.f64
h -0x0p+0 zero.f64
h 0x1.99999ap-4 x.f32
h 9007199254740993 int.i64
o() { gives "$1" --ofmt "$2" first "$3"; }
o 3.14 %.2f pi.f64
o 3.142e+00 %.3e pi.f64
o 3.142 %.4g pi.f64
o '[  3.1]' '[%5.1f]' pi.f64
o '[3.1  ]' '[%-5.1f]' pi.f64
o '[+03.1]' '[%+05.1f]' pi.f64
o '[ 3.1]' '[% .1f]' pi.f64
o '3.' '%#.0f' pi.f64
o '50%: 3.1 %s' '50%%: %.1f %%s' pi.f64
o 0x1.9p+1 %.1a pi.f64
o '[  nan]' '[%05.1f]' nan.f64
o '[ -inf]' '[%05.1f]' inf.f64
o -0.0 %.1f zero.f64
o 9007199254740993 %.2f int.i64
o 0.100 %.3f x.f32
for bad in '' '%' '%%' 'no' '%d' '%s' '%n' '%5' '%.2lf' '%*f' '%1$f' '%f %f' '%.2f%' '%Lf' '%c' '%600f' '%.2000f' '%hf' '%x'; do
    fails 2 "onepass: option --ofmt: '*': *" "--ofmt=$bad" sum pi.f64
done
# The last one counts, and all tables agree.
gives 0x1.99999ap-4 --digits 2 --ofmt %f --hex max x.f32
gives $'file\tsum\terror\npi.f64\t3.1\t' --tsv --digits 2 sum pi.f64
gives $'file,sum,error\npi.f64,"3,1",' --csv --ofmt '%.0f,1' sum pi.f64
gives $'file\tsum\terror\npi.f64\t3\\t\t' --tsv --ofmt $'%.0f\t' sum pi.f64
