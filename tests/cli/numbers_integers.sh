# NUMBERS 1: integers stay exact through abs neg + sign relu floor ceil round trunc where and through min max
# clamp of integers; comparisons are of exact values; everything else rounds to binary64 once, with a note.
. "$ROOT/tests/cli/helpers"
mkdata i64 9007199254740993 -9223372036854775808 9223372036854775807 -1 0 >x.i64
mkdata u64 18446744073709551615*3 >x.u64
mkdata i64 9007199254740993 >one.i64
mkdata u8 0 1 2 255 >x.bool
gives $'sum\tmin\tmax\trange\tabsmax\tfirst\n9007199254740991\t-9223372036854775808\t9223372036854775807\t18446744073709551615\t9223372036854775808\t9007199254740993' \
    'sum, min, max, range, absmax, first' x.i64
gives $'sum\tsumsq\tmax\trange\tvar\n55340232221128654845\t1020847100762815390279443357853047324675\t18446744073709551615\t0\t0' \
    'sum, sumsq, max, range, var' x.u64
for map in x +x 'abs' '-(-x)' relu floor ceil round trunc 'where(x > 5)' 'where(x > 5, x, 0)' 'x > 5 ? x : 0' \
    'min(x, 18446744073709551615)' 'max(x, 7)' 'clamp(0, 9007199254740993)' 'min(9007199254740993)'; do
    gives 9007199254740993 -e "$map|max" one.i64
done
gives 9223372036854775808 'abs|max' x.i64
gives 9223372036854775808 norm1 --offset 8 --count 1 x.i64
gives -18446744073709551615 'neg|min' x.u64
gives -1 'sign|min' x.i64
gives 0 'sign|neg|min' --offset 32 x.i64
# Beside a binary64 arm, and through arithmetic, they round: 2^53 + 1 to 2^53.
for map in 'max(x, 0.5)' 'where(x > 5, x, 0.5)' 'clamp(0, inf)' 'x + 0' 'x * 1' 'x / 1' 'sub(0)'; do
    gives 9007199254740992 "$map|max" one.i64
done
says 'onepass: note: one.i64: *integers above 2^53 were rounded to binary64*'$'\n''1 i64, *' \
    9007199254740992 'x + 0|max' one.i64
says '1 i64, *' 9007199254740993 'abs|max' one.i64
# What an earlier where() dropped is not rounded, though a later condition is a sum or a product.
mkdata i64 1 2 9223372036854775807 >large.i64
for pipeline in 'where(x < 100)|where(x * 2 > 2)|sum' 'where(x < 100)|where(x * 2 > 2)|x * 2|x / 2|sum'; do
    says '3 i64, *' 2 "$pipeline" large.i64
done
says 'onepass: note: large.i64: *integers above 2^53 were rounded to binary64*'$'\n''3 i64, *' \
    1 'where(x * 2 < 4)|where(x < 100)|sum' large.i64
# Comparisons: literals are exact however spelt, and so is integer with binary64.
for test in 'x == 9007199254740993' 'x == 9007199254740993.0' 'x == 9.007199254740993e15' 'x != 9007199254740992' \
    'x > 9007199254740992' 'x < 9007199254740994' 'x > x + 0' 'x >= 9007199254740992.5' 'x == 0x1p53 ? 0 : 1' \
    '!(x == 0)' 'x && 1' '!isnan(x)' '!isinf(x)' 'isfinite'; do
    gives 1 "$test|sum" one.i64
done
# A condition is any value, true unless it is 0, beside arms of 64 bits too.
mkdata i64 3 >three.i64
for test in 3:'x - 2.5 ? x : 0' 3:'where(x / 4, x, 0)' -3:'where(abs(x / 4), -x, x)' 3:'inf ? x : 7' 3:'nan ? x : 7' \
    3:'where(x / 4 ? x : 0)' 7:'(-0.0) ? x : 7' 3:'x / -4 ? x : 7' 9223372036854775809:'0.5 ? 9223372036854775809 : 1' \
    3:'where(18446744073709551615, x, 7)' 3:'1e300 ? x : 18446744073709551615'; do
    gives "${test%%:*}" "${test#*:}|sum" three.i64
done
mkdata u64 18446744073709551615 5 >ends.u64
gives $'min\tmax\tsum\n5\t18446744073709551615\t18446744073709551620' 'where(x, x, 7)|min,max,sum' ends.u64
gives 1 'x == 18446744073709551615|all' x.u64
gives 0 'x == 18446744073709551614|any' x.u64
gives $'mean\tvar\n0.5\t0.25' 'x > 1|mean, var' x.bool -t u8
# Variance of {2^60, 2^60 + 1}; any nonzero byte is true.
mkdata i64 1152921504606846976..1152921504606846977 >far.i64
gives $'var\tstd\n0.25\t0.5' 'var, std' far.i64
gives $'sum\tmax\tmean\n3\t1\t0.75' 'sum, max, mean' x.bool
# Products are of binary64: 24 is 24, and the largest is rounded.
gives 24 prod - -t i8 < <(mkdata i8 1..4)
gives 6.277101735386681e+57 prod x.u64
# A post sees the value widened to binary64.
gives 9007199254740992 'max|x' one.i64
