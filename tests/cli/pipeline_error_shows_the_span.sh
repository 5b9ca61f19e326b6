# An op without brackets inside an expression: the text, the span, what is right.
mkdata f32 1 >x.f32
onepass 'abs - 1|sum' x.f32
