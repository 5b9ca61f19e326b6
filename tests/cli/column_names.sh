# CLI 0: a column is the reduction's text with its posts, canonical, numbered only where it is not unique.
. "$ROOT/tests/cli/helpers"
mkdata f64 4 >x.f64
names() { onepass -qq --no-filename --header "$1" x.f64 | head -n 1; }
names 'sum,mean'
names 'sum;mean'
names 'sum ; mean ; abs|sum'
names 'sum; abs|sum; max'
names 'mean , max|sqrt'
names 'max | x-1'
names 'max|x - 1'
names 'max|log( x )|1+x*2'
names '  abs |sum|  -x^2'
names 'stats'
names 'where(x>0)|stats; sum|sqrt'
names 'avg, l1, l2, norminf'
names 'sum|max(x,3); sum | max(3)'
names 'max|x*(x+1)-(x/2)/x'
names 'max|x>1&&x<5?x:-x'
# The canonical text of a pipeline reads back as itself.
for pipeline in ' abs |sqrt| sum' 'where( x>0 &&x<5 )|sum,mean' '-x^2+(1-(x-1))|max' 'x**3|max' 'x>1?x:2|sum|sqrt' \
    'clamp(0,1e-3)|sum' '2^-1*x|max' '(x+1)*2|sum' '!(x>2)|all' 'where(x,1,2)|max'; do
    text=$(onepass -qq --jsonl --stable -e "$pipeline" x.f64 | sed 's/.*"text":"\([^"]*\)","used.*/\1/')
    again=$(onepass -qq --jsonl --stable -e "$text" x.f64 | sed 's/.*"text":"\([^"]*\)","used.*/\1/')
    [ "$text" = "$again" ] || echo "wrong: $pipeline, $text, $again"
    case $text in *' |'* | *'| '*) echo "wrong: blanks in $text" ;; esac
    [ "$(onepass -qq -e "$pipeline" x.f64)" = "$(onepass -qq -e "$text" x.f64)" ] || echo "wrong: $text is not $pipeline"
done
