#!/bin/sh
# One row of statistics per file, in a table that grows: table.sh TABLE.tsv FILE...
#
# Files that the table already has are passed over, so a job that was interrupted, or had files that
# could not be read, goes on where it stopped: run the same line again.  The exit status is that of the
# last file that failed, 0 if none did.
set -u
table=${1:?usage: table.sh TABLE.tsv FILE...}
shift
status=0
if [ -s "$table" ] && ! head -n 1 "$table" | grep -q "^file	"; then
    echo "table.sh: $table is no table of this script" >&2
    exit 2
fi

for file in "$@"; do
    [ -s "$table" ] && header=--no-header || header=--header
    cut -f 1 "$table" 2>/dev/null | grep -Fqx -e "$file" && continue
    if rows=$(onepass --tsv "$header" 'count, nnan, min, max, mean, std' "$file"); then
        printf '%s\n' "$rows" >>"$table" || exit 1
    else
        status=$?
    fi
done
exit "$status"
