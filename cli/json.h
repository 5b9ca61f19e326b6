/* Pieces of JSON objects. */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>

#include "textbuf.h"

/* "key": */
void json_key(struct textbuf *out, const char *key);

/* "key":"value", or null. */
void json_string(struct textbuf *out, const char *key, const char *value);

/* ,"key":n */
void json_count(struct textbuf *out, const char *key, uint64_t n);

#endif
