# The answer does not depend on how the data are split over files, nor on their order.
. "$ROOT/tests/cli/helpers"
orderless=${ALL/argmin, argmax, /}
orderless=${orderless/, first, last/}
for type in f32 f64 i64; do
    mkdata $type rand:11:420 rand:12:1 >"x.$type"
    itemsize=$(($(stat -c %s x.$type) / 421))
    onepass -qq --tsv --no-filename "$ALL" x.$type >want
    # In pieces of 1, 7 and 100 elements, in order: indices included.
    for n in 1 7 100; do
        rm -f part.*
        split -b $((n * itemsize)) -a 3 --additional-suffix=.$type x.$type part.
        onepass -qq --tsv --no-filename --concat "$ALL" part.* | cmp - want
    done
    # Backwards: all but places and ends.
    onepass -qq --tsv --no-filename "$orderless" x.$type >want
    rm -f part.*
    split -b $itemsize -a 3 x.$type part.
    printf '%s\n' part.* | tac | xargs cat >back.$type
    ! cmp -s back.$type x.$type || echo "wrong: not reversed"
    onepass -qq --tsv --no-filename "$orderless" back.$type | cmp - want
    # The highest of distinct values lies where it was, seen from the other end.
    there=$(onepass -q argmax x.$type) back=$(onepass -q argmax back.$type)
    [ $((there + back)) -eq 420 ] || echo "wrong: argmax $there and $back"
    [ "$(onepass -q first x.$type)" = "$(onepass -q last back.$type)" ] || echo "wrong: first and last"
done
