# CLI 0, 29: the layout depends on the command line only.  One value in all stands alone; else a table with a
# header, with names for several inputs; tsv and csv are always full and end with error.
. "$ROOT/tests/cli/helpers"
mkdata i16 1 2 >a.i16
mkdata i16 4 >b.i16
gives 3 sum a.i16
gives $'sum\tmax\n3\t2' 'sum, max' a.i16
gives $'1:sum\t2:sum\n3\t3' 'sum; sum' a.i16
gives $'file\tsum\na.i16\t3\nb.i16\t4' sum a.i16 b.i16
gives $'file\tsum\na.i16\t3\na.i16\t3' sum a.i16 a.i16
gives 7 --concat sum a.i16 b.i16
gives $'file\tsum\tmax\na.i16+b.i16\t7\t4' --concat 'sum, max' a.i16 b.i16
gives $'sum\n3' --header sum a.i16
gives $'file\tsum\na.i16\t3' -H sum a.i16
gives $'a.i16\t3' -H --no-header sum a.i16
gives $'a.i16\t3\nb.i16\t4' --no-header sum a.i16 b.i16
gives $'sum\n3\n4' --no-filename sum a.i16 b.i16
gives $'3\n4' --no-filename --no-header sum a.i16 b.i16
gives 3 --no-filename sum a.i16
gives 3 --no-header sum a.i16
gives $'3\t2' --no-header 'sum, max' a.i16
gives $'file\tsum\terror\na.i16\t3\t' --tsv sum a.i16
gives $'file,sum,error\na.i16,3,' --csv sum a.i16
gives $'file,sum,error\na.i16,3,\nb.i16,4,' --format=csv sum a.i16 b.i16
gives $'sum,error\n3,' --csv --no-filename sum a.i16
gives $'a.i16\t3\t' --tsv --no-header sum a.i16
gives $'file\tsum\terror\na.i16+b.i16\t7\t' --tsv --concat sum a.i16 b.i16
# plain, tsv and csv have the same columns, order and digits.
onepass -q --format plain -H stats a.i16 b.i16 >plain
onepass -q --tsv stats a.i16 b.i16 | sed 's/\t[^\t]*$//' | cmp - plain
onepass -q --csv stats a.i16 b.i16 | tr , '\t' | sed 's/\t[^\t]*$//' | cmp - plain
# A failed input changes nothing of that.
onepass -q sum none.i16 b.i16 2>/dev/null
onepass -q sum none.i16 none2.i16 2>/dev/null
onepass -q --tsv 'sum, max' none.i16 2>/dev/null
onepass -q --csv --no-filename sum none.i16 2>/dev/null
:
