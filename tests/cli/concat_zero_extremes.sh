# Integers beside floating point: an extreme that is zero is +0 in integers, of either sign in the others.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 >one.f32
mkdata f32 -0.0 >minus.f32
for type in u8 i8 u16 i16 u32 i32 i64 u64 bool; do
    mkdata $type 0 0 1 >zero.$type
    gives $'min\tmax\trange\tabsmax\targmin\targmax\n0\t1\t1\t1\t0\t2' --no-filename --concat 'min,max,range,absmax,argmin,argmax' zero.$type one.f32
    gives $'min\targmin\tabsmax\n0\t1\t1' --no-filename --concat 'min,argmin,absmax' one.f32 zero.$type
    gives $'min\targmin\tmax\n-0.0\t3\t1' --no-filename --concat 'min,argmin,max' zero.$type minus.f32
    gives $'min\targmin\tmax\n-0.0\t0\t1' --no-filename --concat 'min,argmin,max' minus.f32 zero.$type
    case $type in i*)
        mkdata $type -1 0 >below.$type
        gives $'max\targmax\n0\t1' --no-filename --concat 'max,argmax' below.$type minus.f32
        gives $'max\targmax\n0\t2' --no-filename --concat 'max,argmax' minus.f32 below.$type ;;
    esac
done
