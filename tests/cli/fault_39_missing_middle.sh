# The middle file of three is missing: the others are reported, the status says so.
mkdata i32 1 2 3 >a.i32
mkdata i32 4 5 6 >c.i32
onepass -q sum a.i32 b.i32 c.i32
