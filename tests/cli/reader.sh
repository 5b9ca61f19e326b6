# How files are read never shows in a result: ONEPASS_READER forces a way.
. "$ROOT/tests/cli/helpers"
mkdata f32 normal:3:1400000 >x.f32 # 5.6 MB, no whole number of pages
want=$(onepass -q -j 1 --piece-size 4096 'abs|sum' x.f32)
gives "$want" 'abs|sum' x.f32
ONEPASS_READER=pread gives "$want" 'abs|sum' x.f32
reader() { onepass -q --jsonl "$@" | grep -oE '"reader":"[a-z_]+"'; }
ONEPASS_READER=pread reader sum x.f32
reader -t f32 sum - <x.f32
cat x.f32 | reader -t f32 sum -
ONEPASS_READER=mmap fails 2 $'onepass: ONEPASS_READER=mmap: the reader \'mmap\' is not known\nhint: pread, direct and uring*' sum x.f32
ONEPASS_CPU=avx fails 2 $'onepass: ONEPASS_CPU=avx: the instruction set \'avx\' is not known\nhint: *portable and noflags are\n*' sum x.f32
mkdata f32 1 2 3 >small.f32
for way in direct uring; do
    if ! ONEPASS_READER=$way onepass -q sum small.f32 >out 2>err; then
        grep -q 'cannot' err || echo "wrong: $(cat err)"
        continue # this file system or kernel has none; reader_refused.sh makes that so
    fi
    echo 6 | cmp - out
    for size in 5 4096 100000 1048576 67108864; do
        [ "$size" -gt 5 ] || head -c 40000 x.f32 >y.f32
        file=x.f32
        [ "$size" -gt 5 ] || file=y.f32
        ONEPASS_READER=$way gives "$(ONEPASS_READER=pread onepass -q 'abs|sum, last' $file)" \
            --piece-size "$size" 'abs|sum, last' $file
    done
    for offset in 1 3 4095 4096 4097; do
        ONEPASS_READER=$way gives "$(ONEPASS_READER=pread onepass -q -t u16 --offset $offset --count 2000000 sum x.f32)" \
            -t u16 --offset $offset --count 2000000 sum x.f32
    done
done
