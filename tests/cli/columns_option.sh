# --columns: which and in what order; reductions by their heading, books by name, 2:used of one pipeline.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 nan 3 >x.f32
mkdata u8 5 >y.u8
gives $'max\tsum\n3\t4' --columns max,sum --skip-nan 'sum, mean, max' x.f32
gives $'n\tfile\tsum\n3\tx.f32\tnan\n1\ty.u8\t5' --columns n,file,sum sum x.f32 y.u8
gives $'dtype,n,sum,error\nf32,3,nan,' --csv --columns dtype,n,sum sum x.f32
gives $'dtype\terror\nf32\t\nu8\t' --tsv --columns error,dtype sum x.f32 y.u8 # error is the last, always
gives $'max|x - 1\tmissing\n2\t0' --columns 'max | x-1, missing' --skip-nan 'max|x-1' x.f32
gives $'max|clamp(0, 2)\tn\n2\t3' --columns 'max|clamp(0,2),n' --skip-nan 'max|clamp(0, 2)' x.f32
gives $'2:sum\t1:sum\n9\t4' --columns 2:sum,1:sum --skip-nan 'sum; where(x > 1)|x * 3|sum' x.f32
gives $'1:used\t2:used\n2\t1' --columns 1:used,2:used --skip-nan 'sum; where(x > 1)|sum' x.f32
gives $'sum\tsum\n4\t4' --columns sum,sum --skip-nan sum x.f32
gives $'file\tsum\nx.f32\tnan' -H --columns sum sum x.f32
gives $'dataset\tused\n\t3' --columns dataset,used sum x.f32
onepass -q --tsv --columns seconds,bytes_per_second,threads,n sum x.f32 | tail -n 1 | grep -cE '^0\.[0-9]{6}	[0-9]+	1	3	$'
fails 2 "onepass: option --columns: there is no column 'mean'*" --columns mean sum x.f32
fails 2 'onepass: option --columns: *empty*' --columns '' sum x.f32
fails 2 "onepass: option --columns: there is no column ''*" --columns sum, sum x.f32
fails 2 "onepass: option --columns: *1:used*" --columns used 'sum; max' x.f32
fails 2 "onepass: option --columns: there is no column '3:used'*" --columns 3:used 'sum; max' x.f32
fails 2 "onepass: option --columns: there is no column '1:n'*" --columns 1:n 'sum; max' x.f32
# Decided before any input is looked at.
fails 2 "onepass: option --columns: there is no column 'used2'*" --columns used2 sum none.f32
