# NUMBERS 1: min max first last absmax print in the file's type while the values are still its own: after
# raw, where(c), abs, neg and relu, however spelt; not after where(c,a,b), min, max, clamp or arithmetic.
. "$ROOT/tests/cli/helpers"
mkdata f32 0.1 >x.f32
mkdata f32 -0.1 >minus.f32
mkdata f16 0.1 >x.f16
mkdata bf16 0.1 >x.bf16
mkdata f64 0.1 >x.f64
for map in x abs 'abs(x)' 'where(x > 0)' relu '-(-x)' 'neg|neg' 'where(1)|abs|relu'; do
    gives $'min\tmax\tfirst\tlast\tabsmax\n0.1\t0.1\t0.1\t0.1\t0.1' -e "$map|min, max, first, last, absmax" x.f32
done
gives 0.1 -e '-x|max' minus.f32
for map in 'where(x > 0, x, 0)' 'x > 0 ? x : 0' 'min(x, 1)' 'max(0)' 'clamp(0, 1)' 'x + 0' 'x * 1'; do
    gives 0.10000000149011612 "$map|max" x.f32
done
# Posts, and reductions that are no element, have binary64.
gives 0.10000000149011612 'max|x' x.f32
gives $'sum\tmean\trange\trms\n0.10000000149011612\t0.10000000149011612\t0\t0.10000000149011612' 'sum, mean, range, rms' x.f32
gives $'max\tsum\n0.1\t0.0999755859375' 'max, sum' x.f16
gives $'max\tsum\n0.1\t0.10009765625' 'max, sum' x.bf16
# --concat: only of one type.
gives 0.1 --concat max x.f32 x.f32
gives 0.10000000149011612 --concat max x.f32 x.f64
gives 0.1 --concat min x.f32 x.f64
onepass -q --jsonl --stable 'max, mean' x.f32 | grep -oE '"value":.*"type":"[^"]*"'
