# Out of memory or of file descriptors: status 4 for that input, a message, no number; the others go on.
. "$ROOT/tests/cli/helpers"
[ -z "${SANITIZER:-}" ] || { echo "sanitizers need the memory themselves"; exit 77; }
truncate -s 4G big.u8
mkdata u8 1 2 >x.u8
(
    ulimit -v 300000
    fails 4 'onepass: big.u8: out of memory' -j 2 --piece-size 900M sum big.u8
    fails 4 'onepass: -: out of memory' -t u8 --piece-size 900M sum - <big.u8
    onepass -q -j 2 --piece-size 900M --csv sum big.u8 x.u8 2>/dev/null
    echo "status $?"
)
(
    ulimit -n 20
    for k in {1..30}; do cp x.u8 "$k.u8"; done
    fails 4 'onepass: *.u8: cannot open: Too many open files' --concat sum {1..30}.u8
    onepass -q --no-filename --no-header sum {1..30}.u8 | grep -c '^3$'
)
