# A sum in the type of the elements sticks at 2048 (f16), 256 (bf16) and 2^24 (f32): ones.
. "$ROOT/tests/cli/helpers"
mkdata f16 1*65520 | gives $'sum\tmean\n65520\t1' 'sum, mean' -t f16 -
mkdata bf16 1*20000 | gives $'sum\tmean\n20000\t1' 'sum, mean' -t bf16 -
mkdata f32 1*33554432 | gives $'sum\tmean\tsumsq\n33554432\t1\t33554432' 'sum, mean, sumsq' -t f32 -
# 2^28 + 1: odd, so that a result to 24 or 53 bits of 2^28 terms cannot pass for it.
[ -n "${SANITIZER:-}" ] || mkdata f32 1*268435457 | gives 268435457 sum -t f32 -
