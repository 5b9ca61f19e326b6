# 1003 bytes are not whole f32 elements: an error, no number.
head -c 1003 /dev/zero >odd.f32
onepass sum odd.f32
