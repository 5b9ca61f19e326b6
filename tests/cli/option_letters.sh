# CLI 39: a letter never changes its meaning and never has a value that may be left out.  This list only grows.
onepass --help | grep -oE '^  -[A-Za-z](, --[a-z[-]*\]?[a-z-]*)?( [A-Z]+|\[=[a-z]+\])?' | sed 's/^  //' | LC_ALL=C sort
