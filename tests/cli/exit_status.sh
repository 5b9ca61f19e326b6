# CLI 0, 7: 0 good, 2 usage, 3 device, 4 an input, 5 output; the first that applies of 2, 3, 5, 4.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 nan >x.f32
printf abc >odd.f32
mkdata f32 1 >data.bin
status() { # WANTED ARGUMENT...
    onepass "${@:2}" >/dev/null 2>err
    got=$?
    [ $got -eq "$1" ] || echo "wrong: status $got, wanted $1: ${*:2}"
    # Whatever starts an error has a status, and the other way round.
    grep -qE '^onepass: ' <(grep -vE '^onepass: (note|warning): ' err) && complained=1 || complained=0
    [ $complained -eq $((got != 0)) ] || echo "wrong: $(cat err) and status $got: ${*:2}"
}
status 0 sum x.f32
status 0 'where(x > 9)|mean' x.f32
status 0 --count 0 max x.f32
status 0 --version
status 0 -n sum x.f32
status 2 'sun' x.f32
status 2 --nonsense sum x.f32
status 2 sum
status 2 sum ''
status 2 -t f31 sum x.f32
status 2 --offset 99999999999999999999 sum x.f32
status 2 -t f32be --endian little sum x.f32
status 2 sum - -
status 2 --columns nothing sum x.f32
status 2 --columns n --json sum x.f32
status 3 --device cuda sum x.f32
status 4 sum none.f32
status 4 sum odd.f32
status 4 sum data.bin
status 4 --count 9 sum x.f32
status 4 --offset 9 sum x.f32
status 4 -n sum none.f32
status 4 sum x.f32 none.f32 x.f32
status 4 --concat sum x.f32 odd.f32
status 5 -o none/out sum x.f32
status 5 -o . sum x.f32
status 5 -o /dev/full sum x.f32
# Several at once.
status 2 --device cuda sun none.f32
status 2 --device cuda -o none/out --count x sum none.f32
status 2 --device cuda -o none/out sum ''
status 3 --device cuda -o none/out sum none.f32
status 5 -o none/out sum none.f32
status 5 -o /dev/full sum none.f32 x.f32
status 5 -o /dev/full --tsv sum none.f32
status 4 -o /dev/full sum none.f32
onepass sum x.f32 none.f32 >/dev/full 2>/dev/null
echo $?
