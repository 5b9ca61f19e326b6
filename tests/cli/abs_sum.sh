# The first thing anyone does: a value on standard output, the speed line on standard error.
mkdata f32 -1 2 -3.5 >field.f32
onepass 'abs|sum' field.f32
