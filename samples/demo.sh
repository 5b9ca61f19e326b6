#!/bin/sh
# What `make demo` shows: demo.sh ONEPASS.
set -eu
PATH=$(dirname "$(realpath "$1")"):$PATH
cd "$(dirname "$0")/.."

show() {
    printf '$ %s\n' "$1"
    sh -c "$1"
    echo
}

show "onepass 'abs|sum' samples/temperature.f32"
show "onepass -q 'where(x > 25)|count; mean, min, max' samples/temperature.f32"
show "onepass -q 'stats' --skip-nan samples/elevation.npy samples/sealevel.npy"
show "printf '\\0\\0\\200?' | onepass -q 'abs|sum' -t f32 -"
