# One sign of infinity: that one. Both: nan. Squares and magnitudes: inf. Spread: nan.
reductions='sum, mean, min, max, norm1, norm2, rms, var, std, prod'
mkdata f32 1 -inf 2 >minus.f32
mkdata f32 1 inf 2 >plus.f32
mkdata f32 1 inf -inf >both.f32
onepass -q "$reductions" minus.f32 plus.f32 both.f32
