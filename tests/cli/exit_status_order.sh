# The first that applies of 2, 3, 5, 4: what is wrong with the words comes before the device, the device
# before the output, the output before the inputs.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >x.f32
fails 2 '*no column*' --device cuda --columns foo sum x.f32
fails 2 '*no column*' -n --columns foo sum x.f32
fails 2 '*unknown element type*' --device cuda -t f99 sum x.f32
fails 2 '*unknown element type*' -o /nowhere/x -t f99 sum x.f32
fails 3 '*no NVIDIA driver*' --device cuda -o /nowhere/x sum x.f32
fails 5 '*/nowhere/x*' -o /nowhere/x sum none.f32
fails 4 '*cannot open*' sum none.f32
fails 2 '*FILE is empty*' -o '' sum x.f32
fails 2 "*'x.f32be' says big-endian, not little-endian*--dtype*" --endian little sum x.f32be
