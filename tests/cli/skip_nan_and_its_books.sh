# NaN decides unless skipped; nnan counts them all the same, also those that a map made.
mkdata f32 4 nan 9 -1 >x.f32
onepass -q 'count, nnan, sum, mean, min, argmax, all' x.f32
onepass -q --skip-nan 'count, nnan, sum, mean, min, argmax, all' x.f32
onepass -q --skip-nan 'sqrt | count, nnan, sum, mean' x.f32
onepass --jsonl --stable --skip-nan 'where(x < 9) | mean' x.f32 | grep -o '"used".*"nan":[0-9]*'
onepass --jsonl --stable --skip-nan 'where(x != 9) | mean' x.f32 | grep -o '"used".*"nan":[0-9]*'
