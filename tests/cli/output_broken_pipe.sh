# CLI 15: a reader that goes away kills it quietly, also where the parent ignores SIGPIPE.
. "$ROOT/tests/cli/helpers"
exec 3>&1
mkdata f32 1 2 >x.f32
late() { # runs onepass when nobody reads any more
    sleep 0.3
    "$@" 2>err
    echo "status $?, $(wc -c <err) bytes of messages" >&3
}
late onepass sum x.f32 | true
late onepass --help | true
late onepass --json sum x.f32 x.f32 | true
(
    trap '' PIPE
    late onepass -q sum x.f32 | true
)
