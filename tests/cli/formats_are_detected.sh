# CLI 0: the format is that of the content, then of the name; raw on content that says otherwise is an error
# that --input-format raw overrules; known formats that are not built are named.
. "$ROOT/tests/cli/helpers"
mkdata --npy '<i2' 3 i16 1 2 3 >a.npy
nbytes=$(stat -c %s a.npy)
for name in a b.npy c.bin d.dat e.raw f.xyz; do
    [ $name = a ] || cp a.npy $name
done
cp a.npy a
for name in a b.npy c.bin d.dat e.raw f.xyz; do gives 6 sum $name; done
gives 6 --input-format npy sum a
# Content npy, name or -t raw: an error; insisting reads the bytes.
cp a.npy g.u8
fails 4 'onepass: g.u8: *npy*' sum g.u8
fails 4 'onepass: a.npy: *npy*' -t u8 sum a.npy
fails 4 'onepass: -: *npy*' -t u8 sum - <a.npy
gives "$nbytes" --input-format raw count g.u8
gives "$nbytes" --input-format raw -t u8 count a.npy
gives "$nbytes" --input-format raw -t u8 count - <a.npy
# Raw data without a type.
mkdata u8 1 2 3 4 >x.bin
for name in x.bin x.raw x.dat x x.txt .f32; do
    [ $name = x.bin ] || cp x.bin $name
    fails 4 "onepass: $name: the element type*"$'\nhint: *--dtype*' sum $name
    gives 10 -t u8 sum $name
done
fails 4 'onepass: -: the element type*' sum - <x.bin
# Names of element types as extensions; the last one counts; -t overrules it.
for type in f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool f16be bf16be f32be f64be i16be i32be i64be u16be u32be u64be; do
    mkdata $type 1 0 1 >"x.y.$type"
    gives $'dtype\tsum\n'"$type"$'\t2' --columns dtype,sum sum "x.y.$type"
done
mkdata f32 5 >x.f32le
gives 5 sum x.f32le
gives 10 -t u8 sum - <x.bin
cp x.bin y.f64
gives 10 -t u8 sum y.f64
# The marks of other formats.
mark() { # NAME BYTES
    printf "$2" >"other.u8"
    printf '0123456789abcdef' >>other.u8
    cp other.u8 other
    fails 4 "onepass: other.u8: *$1*" sum other.u8
    fails 4 "onepass: other: *$1*" -t u8 sum other
    fails 4 "onepass: other: *$1*not in this version*" sum other
    fails 4 "onepass: -: *$1*" -t u8 sum - <other
    gives "$(stat -c %s other)" --input-format raw -t u8 count other
}
mark HDF5 '\x89HDF\r\n\x1a\n'
mark zstd '\x28\xb5\x2f\xfd'
mark gzip '\x1f\x8b\x08'
mark netCDF 'CDF\x01'
mark netCDF 'CDF\x02'
mark netCDF 'CDF\x05'
mark FITS 'SIMPLE  =                    T'
# By name alone.
for name in x.h5 x.nc x.npz x.f32.zst x.npy.gz x.f32.xz x.fits; do
    cp x.bin $name
    fails 4 "onepass: $name: *" sum $name
done
cp x.bin not.npy
fails 4 'onepass: not.npy: *npy*' sum not.npy
fails 4 'onepass: x.bin: *npy*' --input-format npy sum x.bin
mkdata --npy '<c8' 1 f32 1 2 >complex.npy
fails 4 'onepass: complex.npy: *complex*' sum complex.npy
mkdir store && : >store/zarr.json
fails 4 'onepass: store: *Zarr*' sum store
for format in hdf5 zstd; do fails 2 "onepass: option --input-format: '$format' is not *" --input-format $format sum x.bin; done
