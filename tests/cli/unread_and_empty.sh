# A shape smaller than the file, and an input without elements, are worth a note: both may be mistakes.
. "$ROOT/tests/cli/helpers"
mkdata f32 1..10 >x.f32
says '*note: x.f32: the shape leaves 16 bytes of the file unread*' 21 --shape 2,3 sum x.f32
says '10 f32, *' 55 --shape 2,-1 sum x.f32
says '2 f32, *' 3 --count 2 sum x.f32
: >empty.f32
says '*note: empty.f32: the input has no elements*' 0 sum empty.f32
