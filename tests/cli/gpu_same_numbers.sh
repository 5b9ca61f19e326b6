# A GPU gives the CPU's bytes, for every way in which elements lie and come.
. "$ROOT/tests/cli/helpers"
. "$ROOT/tests/cli/gpu_helpers"
export FAKE_CUDA_STREAMS=late # work is done as late as it may be
all='sum, mean, var, min, argmax, first, last, nonzero'
mkdata f32 0..9999 >a.f32
mkdata f32 5 -0 nan inf 1e-40 3 >odd.f32
mkdata i16 -300..300 >b.i16
: >none.f32
same "$all" a.f32
same 'abs|sum; nnan, ninf, sum' odd.f32
same "$all" none.f32
same "$all" b.i16
same -t i16be "$all" b.i16
same --offset 3 -t u8 "$all" b.i16
same -t f32 --stride 7 "$all" a.f32
same -t f32 --stride 3000 "$all" a.f32
mkdata --npy '<f4' 20,30 --fortran f32 0..599 >f.npy
same "$all" f.npy
same -j 2 --piece-size 100 "argmax, last, first" f.npy
# In pieces, by several workers on several devices; more extents than there are buffers.
for threads in 1 3; do
    for piece in 4096 9000; do
        same -j $threads --piece-size $piece "$all" a.f32
        DEVICE=cuda:all FAKE_CUDA_DEVICES=2 same -j $threads --piece-size $piece "$all" a.f32
    done
done
DEVICE=cuda:2,0 FAKE_CUDA_DEVICES=3 same -j 3 --piece-size 4K "$all" a.f32
# Past the page cache, from a pipe, several inputs of different types as one array, many as a batch.
ONEPASS_READER=pread same -j 2 "$all" a.f32
for reader in direct uring; do
    ONEPASS_READER=$reader onepass -q sum a.f32 >/dev/null 2>&1 || continue
    ONEPASS_READER=$reader same -j 2 --piece-size 4K "$all" a.f32
done
want=$(onepass -q --csv --no-header "$all" a.f32)
got=$(cat a.f32 | gpu -q --csv --no-header --device cuda --piece-size 4K -t f32 "$all" -)
[ "${got#*,}" = "${want#*,}" ] || echo "wrong: a pipe: $got"
same --concat "$all" a.f32 b.i16 odd.f32 none.f32
same "sum, last" a.f32 odd.f32 none.f32 a.f32
same --skip-nan 'sum, first, last' odd.f32
