# var and std divide by n, var1, std1 and sem by n-1, and the root is of the exact variance: of 8.56
# rounded it would be 2.925747767665559.
mkdata u8 0 1 2 5 8 >x.u8
onepass -q 'var, std, var1, std1, sem' x.u8
onepass -q -t f64 'var, var1' - < <(mkdata f64 1e12 1e12 1000000000001 999999999999)
onepass -q 'var, std' - -t f32 < <(mkdata f32 0.1*1000)
