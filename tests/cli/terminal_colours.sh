# CLI 21: colour and bold only on a terminal, without NO_COLOR (empty is unset), where TERM is set and not dumb;
# --color overrides; never in tsv, csv and json.
. "$ROOT/tests/cli/helpers"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no script(1) that gives a terminal"; exit 77; }
mkdata f32 1 2 >x.f32
escapes() { # LABEL VARIABLES... COMMAND: are there any?
    local label=$1
    shift
    env "${@:1:$#-1}" script -qec "${*: -1}" /dev/null </dev/null >shown
    if grep -q $'\033' shown; then echo "$label: colour"; else echo "$label: none"; fi
}
bad='onepass sun x.f32'
table='onepass -q "sum, max" x.f32'
escapes terminal TERM=xterm "$bad"
escapes terminal TERM=xterm "$table"
escapes empty TERM=xterm NO_COLOR= "$bad"
escapes no_color TERM=xterm NO_COLOR=1 "$bad"
escapes no_color TERM=xterm NO_COLOR=0 "$table"
escapes dumb TERM=dumb "$bad"
escapes unset -u TERM "$bad"
escapes never TERM=xterm "$bad --color never"
escapes always TERM=dumb NO_COLOR=1 "$bad --color always"
escapes always TERM=dumb NO_COLOR=1 "$table --color always"
escapes tsv TERM=xterm "$table --tsv --color always"
escapes json TERM=xterm "$table --json --color always"
escapes piped TERM=xterm "$table | cat"
escapes "stderr to a file" TERM=xterm "$bad 2>err; cat err"
onepass --color always sun x.f32 2>&1 | grep -c $'\033'
onepass -q --color always 'sum, max' x.f32 | grep -c $'\033'
TERM=xterm onepass sun x.f32 2>&1 | grep -c $'\033' || :
