# Pipelines that are wrong: status 2, a message, the text with marks under it, a hint where there is a right
# way to write it, no number.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >x.f32
bad() { # MESSAGE PIPELINE [HINT]
    fails 2 "onepass: $1"$'\n'"    *"$'\n'" *^*${3:+hint: $3}" -e "$2" x.f32
}
bad 'empty stage*' 'abs|'
bad 'empty stage*' '|abs|sum'
bad 'empty stage*' 'abs| |sum'
bad 'empty stage*||*' 'abs||sum'
bad '*no reduction*' 'abs' '*sum*'
bad '*no reduction*' 'x + 1'
bad '*empty pipeline*' 'sum;;mean'
bad "*unknown*'sun'*" 'sun' '*sum*'
bad "*unknown*'foo'*" 'foo(x)|sum'
bad "*unknown*'SUM'*" 'SUM' '*sum*'
bad '*1e400*' 'x * 1e400|sum' '*inf*'
bad '*abs*argument*' 'abs(x, 1)|sum'
bad '*clamp*argument*' 'clamp(1, 2, 3, x)|sum'
bad '*pow*argument*' 'pow|sum' '*pow*'
bad "'(' is never closed" 'abs(x|sum'
bad "'(' is never closed" '((x)|sum'
bad "*')'*" 'abs(x))|sum'
bad '*comparisons do not chain*' '1 < x < 3|sum' '*1 < x && x < 3*'
bad "*'='*" 'where(x = 3)|sum' '*==*'
bad "*'&'*" 'where(x > 1 & x < 2)|sum' '*&&*'
bad "*'%'*" 'x % 2|sum' '*mod*'
bad "*'//'*" 'x // 2|sum' '*floor*'
bad "unknown name 'a': the only variable is x*" 'a - x|sum' 'x is the value of an element'
bad "*'median'*not in this version*" median
bad "*'quantile'*not in this version*" 'quantile(0.5)'
bad "*'stddev'*" stddev '*std *std1*'
bad "*'variance'*" variance '*var *var1*'
bad "'abs' needs its brackets here*" 'abs - 1|sum' "*'abs[(]x[)] - 1'*"
bad "'sum' is a reduction*" 'sum(abs(x))' "*'abs | sum'*"
bad '*map*beside*' 'abs, sum' "*'abs | sum'*"
bad '*reduction follows a reduction*' 'sum | mean' "*'sum, mean'*"
bad '*where*' 'sum | where(x > 1)'
bad "'log[(]2[)]' does not use x*" 'log(2)|sum' '*log2*log[(]x[)] / log[(]b[)]*'
bad "'round[(]2[)]' does not use x*" 'round(2)|sum'
bad '*not in this version*' 'mean, std | std / mean'
bad "*'min[(]3[)]' has no reduction" 'min(3)'
bad "*expected an operator*" 'x 3|sum'
bad "*'3x'*" '3x|sum' "*'3 [*] x'*"
bad "*expected a value*'+'*" 'x +|sum'
bad '*' 'x ? 1|sum' "*'c [?] a : b'*"
bad 'where takes 1 or 3 arguments*' 'where()|sum'
bad 'where takes 1 or 3 arguments*' 'where(x, 1)|sum'
bad 'where needs a condition*' 'where|sum'
bad $'*\xc3\xa9*' $'x \xc3\xa9 1|sum'
bad '*\\xff*' $'x \xff 1|sum'
bad '*\\x01*' $'x \x01|sum'
bad "*'e'*" 'e^x|sum' '*exp*'
# What a hint proposes can be written, and drops nothing that was.
bad '*is a reduction*' 'abs(x-mean(x))|mean' '*cannot stand in an expression*'
bad '*stage of its own*' 'where(x>0) && where(x<1)|sum' "write 'where[(]x > 0 && x < 1[)]'"
bad '*stage of its own*' 'where(x>0) where(x<1)|sum' "write 'where[(]x > 0 && x < 1[)]'"
bad '*map*beside*' 'abs | sum, sqrt' "*'abs | sqrt | sum'"
bad "*found 'is'" 'x is nan | sum' '*isnan(x)*'
bad "*found 'sum'" 'abs(x)^2 sum' "*'abs(x) ^ 2 | sum'"
bad "*found 'std'" 'max(x, 1) std' "*'max(x, 1) | std'"
bad "*found 'min'" 'x min 3|sum' "write 'min(x, 3)'"
bad '*needs its brackets*' 'abs)|sum' "write 'abs(x)'"
bad '*needs its brackets*' 'where=x > 0)|sum' "write 'where(x > 0)'"
bad '*is a reduction*' 'std(x, 1)|sum' '*std1 and var1*'
fails 2 $'onepass: *\n*' '' x.f32
fails 2 $'onepass: *\n*' ' ' x.f32
# 1000 levels deep; a megabyte: an error, or an answer, soon.
deep=$(printf '(%.0s' {1..1000})
bad 'nested deeper*' "${deep}x${deep//(/)}|sum"
bad 'nested deeper*' "$deep|sum"
bad 'nested deeper*' "$(printf -- '-%.0s' {1..1000})x|sum"
{ printf x && printf ' + 1%.0s' {1..250000} && printf '|sum'; } >long
timeout 20 onepass -q -f long x.f32 >out 2>err
case $?,$(cat out) in
0,250001) ;;
2,) [ -s err ] || echo "wrong: no message" ;;
*) echo "wrong: $(cat out err)" ;;
esac
