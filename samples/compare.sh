#!/bin/sh
# Did the data change?  compare.sh RECORD.jsonl FILE...
#
# The first run records exact statistics of the files; later runs compute them again and show what
# differs, with exit status 1.  Results do not depend on machine, threads or version of the compiler,
# so that any difference is one of the data.  (Equal statistics do not prove equal data.)
set -eu
record=${1:?usage: compare.sh RECORD.jsonl FILE...}
shift
now=$(mktemp)
trap 'rm -f "$now"' EXIT

onepass --jsonl --stable 'nnan, ninf; where(isfinite(x))|count, sum, sumsq, min, max, argmin, argmax' "$@" >"$now"
if [ ! -e "$record" ]; then
    cp "$now" "$record"
    echo "recorded $# files in $record"
elif diff "$record" "$now"; then
    echo "$# files are as recorded"
else
    exit 1
fi
