/* Keys and values of JSON objects; numbers of the library come as texts. */
#include "json.h"

#include <string.h>

#include "escape.h"

void json_key(struct textbuf *out, const char *key) {
    textbuf_format(out, "\"%s\":", key);
}

void json_string(struct textbuf *out, const char *key, const char *value) {
    json_key(out, key);
    if (value)
        (void)escape_json(out, value, strlen(value));
    else
        textbuf_string(out, "null");
}

void json_count(struct textbuf *out, const char *key, uint64_t n) {
    textbuf_format(out, ",\"%s\":%llu", key, (unsigned long long)n);
}
