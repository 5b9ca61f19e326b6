# CLI 52: line 1 is exactly "onepass X.Y.Z", on standard output, status 0; with -q the number alone.
. "$ROOT/tests/cli/helpers"
number=$(sed -n 's/^#define ONEPASS_VERSION "\(.*\)"$/\1/p' "$ROOT/src/onepass.h")
[[ $number =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || echo "wrong: $number"
for option in -V --version; do
    [ "$(onepass $option | head -n 1)" = "onepass $number" ] || echo "wrong: $option"
    onepass $option 2>&1 >/dev/null | wc -c
    onepass $option >/dev/full
    echo "full: $?"
done
for option in -qV "-V -q" "--quiet --version" -Vq; do
    # shellcheck disable=SC2086 # two words
    [ "$(onepass $option)" = "$number" ] || echo "wrong: $option"
done
onepass --version | grep -cE '^features: ([+-][a-z0-9]+ ?)+$|^features: none$'
onepass --version | grep -cE '^cpu: |^cuda: '
onepass --version | grep -cE '^cpu: [a-z0-9-]+ with kernels for ([a-z0-9]+, )+noflags; here [a-z0-9]+(, as ONEPASS_CPU says)?$'
ONEPASS_CPU=portable onepass --version | grep -c '; here portable, as ONEPASS_CPU says$'
ONEPASS_CPU=avx onepass --version | grep '^cpu' | sed 's/.*; here/here/'
onepass -vV | grep -ciE '^compiler: .*(gcc|clang) '
onepass -vV | head -n 1 | cmp - <(onepass -V | head -n 1)
ONEPASS_DEVICE=cuda onepass -qV | cmp - <(onepass -qV)
