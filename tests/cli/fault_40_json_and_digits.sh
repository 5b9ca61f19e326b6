# JSON has no bare NaN or Infinity; whole numbers keep their digits; f32 prints as f32; no comma for a point.
. "$ROOT/tests/cli/helpers"
mkdata f32 nan inf -inf 0.1 >x.f32
mkdata f32 41943040 >y.f32
mkdata f64 1.5 -0.0 1e300 5e-324 >z.f64
for format in --json --jsonl; do
    onepass -qq $format --stable 'max, min, mean, first, last; where(x < 0)|sum, max' x.f32 >out
    sed 's/"[^"]*"//g' out | grep -niE 'nan|inf|[0-9]e[+]?[0-9]{3}$' && echo "wrong: $format"
done
onepass -qq --jsonl --stable 'max, min, mean, last' x.f32 | grep -oE '"value":[^,]*,"text":"[^"]*","hex":[^,]*'
gives 41943040 sum y.f32
gives 41943040 max y.f32
gives 0.1 last x.f32
onepass -q --jsonl --stable sum y.f32 | grep -oE '"value":[^,]*'
# Where the decimal point is a comma.
grep_comma() { LC_ALL=de_DE.UTF-8 bash -c 'printf "%.1f" 1,5' 2>/dev/null | grep -q ,; }
grep_comma || [ -z "${LOCPATH:-}" ] || echo "wrong: LOCPATH has no de_DE.UTF-8"
LC_ALL=C onepass -q --json --stable "$ALL" z.f64 x.f32 >want 2>/dev/null
for locale in de_DE.UTF-8 de_DE C.UTF-8 nonsense; do
    { export LC_ALL=$locale LC_NUMERIC=$locale LANG=$locale; } 2>/dev/null # bash warns of the unknown ones
    onepass -q --json --stable "$ALL" z.f64 x.f32 2>/dev/null | cmp - want
    gives 1.5 'x * 1.0|first' z.f64
    gives 3.25 'x + 1.75|first' z.f64
    gives 1.50 --ofmt %.2f first z.f64
    gives 1.5 --digits 3 first z.f64
    gives 0x1.8p+0 --hex first z.f64
    says '*,* in *.* s, *' 1.5 first z.f64
done
