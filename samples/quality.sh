#!/bin/sh
# Are these data fit for use?  quality.sh FILE...
#
# Prints one line for each file that is not: NaN or infinities in it, no value at all, or every value
# the same (a sensor that got stuck).  Exit status 1 if there was one, 4 if a file could not be read.
set -u
[ $# -gt 0 ] || { echo "usage: quality.sh FILE..." >&2; exit 2; }

status=0
for file in "$@"; do
    values=$(onepass -q --tsv --no-header --no-filename 'nnan, ninf, range, count' "$file") || { status=4; continue; }
    # shellcheck disable=SC2086 # four numbers
    set -- $values
    if [ "$4" = 0 ]; then
        echo "$file: empty"
    elif [ "$1" != 0 ] || [ "$2" != 0 ]; then
        echo "$file: $1 NaN, $2 infinite"
    elif [ "$3" = 0 ]; then
        echo "$file: every value is the same"
    else
        continue
    fi
    [ "$status" -ne 0 ] || status=1
done
exit "$status"
