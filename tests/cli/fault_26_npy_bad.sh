# .npy that lies or that no number can be made of: status 4, a message, no number.
. "$ROOT/tests/cli/helpers"
npy() { # VERSION TEXT DATA
    local n=$((${#2} + 1)) more=
    [ "$1" -eq 1 ] || more='\x00\x00'
    printf "\\x93NUMPY\\x0$1\\x00\\x$(printf %02x $((n % 256)))\\x$(printf %02x $((n / 256)))$more%s\n" "$2"
    printf %s "$3"
}
bad() { # MESSAGE TEXT [DATA]
    npy 1 "$2" "${3-abcd}" >x.npy
    fails 4 "onepass: x.npy: $1" sum x.npy
    fails 4 "onepass: -: *" sum - <x.npy
}
u1="'descr': '|u1', 'fortran_order': False"
bad '*data end early: 4 of 5 bytes*' "{$u1, 'shape': (5,)}"
bad '*1 byte*after the data*' "{$u1, 'shape': (3,)}"
bad '*data end early: 4 of 4000000000000*' "{$u1, 'shape': (2000000, 2000000)}"
bad '*bytes*' "{$u1, 'shape': (4294967296, 4294967296)}"
bad '*' "{$u1, 'shape': (18446744073709551617,)}"
bad '*' "{$u1, 'shape': (-4,)}"
bad '*' "{$u1, 'shape': (4)}"
bad '*' "{$u1, 'shape': 4}"
bad '*' "{$u1, 'shape': (4,}"
bad '*' "{$u1, 'shape': (4.0,)}"
bad '*no shape*' "{$u1}"
bad '*no descr*' "{'fortran_order': False, 'shape': (4,)}"
bad '*shape is there twice*' "{$u1, 'shape': (4,), 'shape': (4,)}"
bad "*unknown key*extra*" "{$u1, 'shape': (4,), 'extra': 1}"
bad '*' "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (4,)}"
bad '*' "{'descr': '|u1', 'fortran_order': 0, 'shape': (4,)}"
bad '*' "{$u1, 'shape': (4,)} + 1"
bad '*' ''
bad '*' 'descr'
bad '*Python objects*' "{'descr': '|O', 'fortran_order': False, 'shape': (4,)}"
bad '*complex*' "{'descr': '<c8', 'fortran_order': False, 'shape': (4,)}"
bad '*dates*' "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (4,)}"
bad '*strings*' "{'descr': '<U4', 'fortran_order': False, 'shape': (4,)}"
bad '*128 bits*' "{'descr': '<f16', 'fortran_order': False, 'shape': (4,)}"
bad '*structured*' "{'descr': [('a', '<i2'), ('b', '<f4')], 'fortran_order': False, 'shape': (4,)}"
bad '*' "{'descr': '<q9', 'fortran_order': False, 'shape': (4,)}"
bad '*' "{'descr': '', 'fortran_order': False, 'shape': (4,)}"
bad '*32 dimensions*' "{$u1, 'shape': ($(printf '1, %.0s' {1..33}))}"
# Versions there are not, and files that end too soon.
npy 4 "{$u1, 'shape': (4,)}" abcd >x.npy
fails 4 'onepass: x.npy: *' sum x.npy
npy 1 "{$u1, 'shape': (4,)}" abcd >y.npy
for n in 1 5 6 7 9 10 30 61; do
    head -c $n y.npy >x.npy
    fails 4 'onepass: x.npy: *' sum x.npy
    head -c $n y.npy | fails 4 'onepass: -: *' sum -
done
: >x.npy
fails 4 'onepass: x.npy: *empty*' sum x.npy
printf '\x93NUMPY\x02\x00\xff\xff\xff\xff{' >x.npy
fails 4 'onepass: x.npy: *' sum x.npy
# What describes itself takes no description.
for option in "-t f32" "--endian big" "--offset 4" "--count 1" "--stride 2" "--shape 2,2"; do
    # shellcheck disable=SC2086 # an option and its value
    fails 4 'onepass: y.npy: *describes itself*' $option sum y.npy
done
