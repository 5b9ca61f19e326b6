# Numbers of every spelling and sign, brackets, precedence, and long text.
. "$ROOT/tests/cli/helpers"
mkdata f64 2 >x.f64
value() { gives "$1" -e "$2|first" x.f64; }
value -0.002 'x * -1e-3'
value 1 'x*.5'
value 10 'x * 5.'
value 0.25 'x * 0x1p-3'
value inf 'x * inf'
value -inf 'x * -inf'
value nan 'x * nan'
value nan 'x + -nan'
value 0 'x * 1e-400'
value 3 'max(-1e-3, x) + 1'
value -4 '-x^2'
value 0.5 'x^-1'
value 512 'x^3^2'
value 512 'x**3**x'
value -8 '-2 ** 3 * x / 2'
value 7 '1 + x * 3'
value 1 '1 < x == 1'
value 1 '1 || x && 0'
value 5 'x > 5 ? 1 : x > 1 ? 5 : 7'
value 3 '+x - -1'
value 0 '!x'
value 1 '!!x'
value 2 '- - x'
value 3.141592653589793 'pi * x / 2'
value 2 'max(min(x, 3), -7)'
value 2 'clamp(-3, 5)'
value 2 'where(1)'
value 1 1
value 3 "$(printf '(%.0s' {1..200})x + 1$(printf ')%.0s' {1..200})"
value 3 $'x\n+\t1'
long=x
for k in {1..1500}; do long="$long + 0 * $k"; done
[ ${#long} -gt 10000 ] || echo "wrong: too short"
value 2 "$long"
gives 2 "$(printf ' %.0s' {1..10000})sum" x.f64
{ printf 'sum #' && head -c 10000 /dev/zero | tr '\0' y; } >comment
gives 2 -f comment x.f64
gives $'1:sum\t2:sum\n2\t2' 'sum; sum' x.f64
gives $'sum|sqrt|x + 1\tmean|sqrt|x + 1\n5\t5' 'x * 8|sum, mean|sqrt|x+1' x.f64
