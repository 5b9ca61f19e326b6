# From a pipe, raw and .npy, and -q drops the speed line.
printf '\0\0\200?' | onepass -q 'abs|sum' -t f32 -
mkdata --npy '<i2' 2,3 i16 1..6 | onepass -q 'sum, argmax' -
