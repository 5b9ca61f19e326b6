# CLI 41: numbers are checked: the message has the option, the value and what is allowed.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 3 >x.f32
for value in 4x -1 '' 1e30 ' 4' +4 0x4 4.0 99999999999999999999 4,5 4K; do
    fails 2 "onepass: option --threads: '$value' is not a whole number from 0 to 4096"$'\n*' "--threads=$value" sum x.f32
    fails 2 "onepass: option --count: '$value' is not a whole number from 0 to *" "--count=$value" sum x.f32
    fails 2 "onepass: option --stride: '$value' is not a whole number from 1 to *" "--stride=$value" sum x.f32
    fails 2 "onepass: option --digits: '$value' is not a whole number from 1 to *" "--digits=$value" sum x.f32
done
for value in 4x -1 '' 1e30 K 4KK 4Kib 4kiB4 16E 8E 18446744073709551616 '4 K'; do
    fails 2 "onepass: option --offset: '$value' is not a whole number from 0 to *" "--offset=$value" sum x.f32
    fails 2 "onepass: option --piece-size: '$value' is not a whole number from 1 to *" "--piece-size=$value" sum x.f32
done
fails 2 "onepass: option --threads: '4097' is not *" -j 4097 sum x.f32
fails 2 "onepass: option --stride: '0' is not *" --stride 0 sum x.f32
fails 2 "onepass: option --piece-size: '0' is not *" --piece-size 0 sum x.f32
fails 2 "onepass: option --digits: '0' is not *" --digits 0 sum x.f32
for value in '' ',' '2,' ,2 2,,3 -2 -1,-1 2x3 2,3.0 9223372036854775807,2; do
    fails 2 "onepass: option --shape: '$value' is not *--shape 100,200*" "--shape=$value" sum x.f32
done
gives 1 --count 1 sum x.f32
gives 6 -j 4096 --count 0003 --stride 01 --digits 017 sum x.f32
