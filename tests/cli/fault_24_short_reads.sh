# A pipe delivers what it likes: elements cut in two by a sleeping writer, a byte at a time, many small writes.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 3.5 >x.f32
mkdata --npy '<f8' 2,2 f64 1 2 3 4 >x.npy
slowly() { # FILE COUNT: the first COUNT bytes, a nap, the rest
    head -c "$2" "$1"
    sleep 0.1
    tail -c +$(($2 + 1)) "$1"
}
for cut in 1 2 3 5 7 11; do
    slowly x.f32 $cut | gives 6.5 -t f32 sum -
done &
for cut in 1 5 7 9 40 127 129 135 159; do
    slowly x.npy $cut | gives $'sum\targmax\n10\t3' 'sum, argmax' -
done
wait
bytes() { # FILE: one write each
    od -An -v -to1 -w1 "$1" | while read -r octal; do printf %b "\\0$octal"; done
}
bytes x.f32 | gives 6.5 -t f32 sum -
bytes x.npy | gives 10 sum -
mkdata i16 1..3000 >y.i16
bytes y.i16 | gives $'sum\tlast\n4501500\t3000' -t i16 --piece-size 7 'sum, last' -
for _ in {1..200}; do mkdata u8 1 2 3; done | gives $'sum\tcount\n1200\t600' -t u8 'sum, count' -
# A pipe that ends within an element, or before the header's end, is not a short read.
slowly x.f32 5 | head -c 11 | fails 4 'onepass: -: *3 left-over bytes*' -t f32 sum -
slowly x.npy 50 | head -c 60 | fails 4 'onepass: -: *' sum -
slowly x.npy 140 | head -c 150 | fails 4 'onepass: -: *end early*' sum -
