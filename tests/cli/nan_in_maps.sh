# min, max, clamp and relu pass NaN on; every comparison with NaN is 0 but !=, for 64-bit integers too.
mkdata f32 nan -1 5 >x.f32
mkdata i64 9223372036854775807 -1 0 >x.i64
onepass -q 'max(2) | nnan; min(2) | nnan; max(2, x) | nnan; max(x, nan) | nnan; clamp(0, 1) | nnan; relu | nnan; sign | nnan' x.f32
onepass -q 'x < nan | sum; x >= nan | sum; x == nan | sum; x != nan | sum' x.f32 x.i64
onepass -q 'x == x | sum; x != x | sum; !x | sum; x && 1 | sum' x.f32
