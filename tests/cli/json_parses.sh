# Everything that JSON output can hold goes through a checker of RFC 8259's grammar, one value for json, one a
# line for jsonl.
. "$ROOT/tests/cli/helpers"
cat >checker.awk <<'EOF'
function bad(why) { if (!failed) print "wrong: " why " at " pos ": " substr(text, pos, 40); failed = 1 }
function eat(pattern) { # a token matched at pos
    if (failed || !match(substr(text, pos), "^" pattern)) return 0
    pos += RLENGTH
    return 1
}
function blanks() { eat("[ \t\n\r]*") }
function string() { return eat("\"([^\"\\\\\001-\037]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F])*\"") }
function members(    more) {
    blanks()
    if (eat("}")) return
    do {
        blanks()
        if (!string()) { bad("key expected"); return }
        blanks()
        if (!eat(":")) { bad("colon expected"); return }
        value()
        more = eat(",")
    } while (more && !failed)
    if (!eat("}")) bad("end of object expected")
}
function elements(    more) {
    blanks()
    if (eat("\\]")) return
    do { value(); more = eat(",") } while (more && !failed)
    if (!eat("\\]")) bad("end of array expected")
}
function value() {
    blanks()
    if (eat("\\{")) members()
    else if (eat("\\[")) elements()
    else if (!string() && !eat("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?") && !eat("true|false|null")) bad("value expected")
    blanks()
}
function check(t) { text = t; pos = 1; failed = 0; value(); if (!failed && pos <= length(text)) bad("text after the value"); n++ }
lines { check($0); next }
{ whole = whole $0 "\n" }
END { if (!lines) check(whole); print n " checked" }
EOF
# The checker itself can fail.
printf '{"a":nan}\n[1,]\n{"a" 1}\n[01]\n"\\x"\n[1e999,-0.5E+3,"\\u00e9",{}]\n' | awk -v lines=1 -f checker.awk | grep -c wrong
mkdata f64 nan inf -inf 1e300 5e-324 -0.0 0.1 >a.f64
mkdata u64 18446744073709551615*9 >b.u64
mkdata f32 nan >c.f32
: >empty.i8
mkdata --npy '<f4' '()' f32 1 >d.npy
odd=$'odd "\\\t\n\xff\x01 \xc3\xa4'
mkdata i8 -1 >"$odd.i8"
inputs=(a.f64 b.u64 c.f32 empty.i8 d.npy none.f32 "$odd.i8" "$odd")
for options in "" "--stable" "--skip-nan" "--concat" "-v" "--stable --concat --skip-nan"; do
    # shellcheck disable=SC2086 # options
    onepass -qq --json $options "$ALL; where(x > 0)|sqrt|max|log" "${inputs[@]}" 2>/dev/null | awk -f checker.awk
    # shellcheck disable=SC2086
    onepass -qq --jsonl $options "$ALL; where(x > 0)|sqrt|max|log" "${inputs[@]}" 2>/dev/null | awk -v lines=1 -f checker.awk
done
onepass -qq --jsonl --concat argmax a.f64 "$odd.i8" | awk -v lines=1 -f checker.awk
if command -v python3 >/dev/null; then
    onepass -qq --json "$ALL" "${inputs[@]}" 2>/dev/null | python3 -m json.tool >/dev/null
fi
