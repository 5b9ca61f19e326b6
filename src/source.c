/* Opening an input: what it is, by content, then by name, and whether that agrees with what was said.
 *
 * Owns the decisions and their messages; bytes are input_file.c's, magics input_format.c's, and each
 * kind of source has its own file. */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "input_format.h"
#include "source_parts.h"

/* What was said of the input before anybody looked at it. */
struct claim {
    const char *path;
    int forced;              /* enum input_format, -1: not said */
    enum input_format named; /* by the extension */
    int has_type;
    int type_from_name;       /* the extension said it, not the caller */
    const char *overridden;   /* the type that the extension says, where the caller says another */
    struct raw_layout layout; /* if has_type */
};

/* What cannot be read is no text: reading it for its elements will say why. */
static int looks_like_text(struct input_file *f, uint64_t offset, const atomic_int *cancel) {
    unsigned char bytes[INPUT_TEXT_BYTES];
    if (f->is_stream) {
        if (input_file_peek(f, INPUT_HEAD, cancel, NULL) != 0) return 0;
        return input_format_is_text(f->head, f->nhead);
    }
    uint64_t left = offset < f->size ? f->size - offset : 0;
    size_t n = left < sizeof bytes ? (size_t)left : sizeof bytes;
    return input_file_read_at(f, offset, bytes, n, NULL) == 0 && input_format_is_text(bytes, n);
}

/* Elements of one byte may well be text, and so may be what lies before an offset.  A stream's first
 * bytes are waited for when its elements are. */
static int is_text_by_mistake(const struct claim *c, struct input_file *f) {
    if (!c->has_type || f->is_stream || dtype_table[c->layout.dtype].itemsize == 1) return 0;
    return looks_like_text(f, c->layout.offset_bytes, NULL);
}

static int no_dtype(const char *path, struct input_file *f, const atomic_int *cancel,
                    onepass_error *err) {
    onepass_error why = ONEPASS_ERROR_INIT;
    if (dtype_ordered_byte(path, &why)) {
        why.code = ONEPASS_NO_DTYPE;
        return error_copy(err, &why);
    }
    error_set(err, ONEPASS_NO_DTYPE, "the element type of raw data must be given");
    enum dtype type;
    if (dtype_from_capitals(path, &type))
        error_hint(err, "extensions are lower case: --dtype %s, or a name that ends in .%s",
                   dtype_table[type].name, dtype_table[type].name);
    else if (looks_like_text(f, 0, cancel))
        error_hint(err, "this looks like text, which is not read: numbers are in binary form, of a "
                        "type such as --dtype f32");
    else
        error_hint(err, f->is_stream ? "--dtype f32, or another of --list-dtypes"
                                     : "--dtype f32, or another of --list-dtypes, or a name such as "
                                       "data.f32");
    return ONEPASS_NO_DTYPE;
}

/* ---- what was said ---------------------------------------------------------------------------- */

static int read_format(const char *name, int *forced, onepass_error *err) {
    *forced = name == NULL ? -1 : input_format_by_name(name);
    if (name == NULL) return 0;
    if (*forced >= 0 && input_format_table[*forced].doc != NULL) return 0;
    error_set(err, ONEPASS_BAD_ARGUMENT, "input format '%s' is %s", name,
              *forced >= 0 ? "not in this version" : "not known");
    error_hint(err, "raw and npy are");
    return ONEPASS_BAD_ARGUMENT;
}

/* Byte order: as the type says, else as the option, else little. */
static int read_endian(const onepass_input *in, int from_name, int *big_endian, onepass_error *err) {
    if (in->endian != 0 && in->endian != 'l' && in->endian != 'b')
        return error_set(err, ONEPASS_BAD_ARGUMENT, "the byte order is 'l' (little) or 'b' (big)");
    int said = in->endian == 0 ? -1 : in->endian == 'b';
    if (*big_endian >= 0 && said >= 0 && *big_endian != said) {
        error_set(err, ONEPASS_BAD_ARGUMENT, "%s '%s' says %s-endian, not %s-endian",
                  from_name ? "the file name" : "the element type", from_name ? in->path : in->dtype,
                  *big_endian ? "big" : "little", said ? "big" : "little");
        if (from_name) error_hint(err, "--dtype overrides what a name says");
        return ONEPASS_BAD_ARGUMENT;
    }
    if (said >= 0) *big_endian = said;
    if (*big_endian < 0) *big_endian = 0;
    return 0;
}

/* The type of a name that says another one, or the other byte order; else NULL. */
static const char *overridden_type(const char *path, enum dtype dtype, int big_endian) {
    enum dtype named;
    int named_big;
    if (!dtype_from_extension(path, &named, &named_big)) return NULL;
    int same = named == dtype && (named_big == 1) == big_endian;
    return same ? NULL : strrchr(path, '.') + 1;
}

/* Everything that can be wrong without a look at the input. */
static int read_claim(const onepass_input *in, struct claim *c, onepass_error *err) {
    memset(c, 0, sizeof *c);
    if (in->size < sizeof *in)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "the input was not begun as ONEPASS_INPUT_INIT");
    if (in->path == NULL || in->path[0] == '\0')
        return error_set(err, ONEPASS_BAD_ARGUMENT, "the file name is empty");
    c->path = in->path;
    int is_stdin = strcmp(in->path, "-") == 0, big_endian = -1;
    enum dtype dtype = DTYPE_F32;
    int rc = read_format(in->format, &c->forced, err);
    if (rc != 0) return rc;
    if (!is_stdin) c->named = input_format_by_extension(in->path);
    if (in->dtype != NULL) {
        rc = dtype_parse(in->dtype, strlen(in->dtype), &dtype, &big_endian, err);
        if (rc != 0) return rc;
        c->has_type = 1;
    } else if (!is_stdin) {
        c->has_type = c->type_from_name = dtype_from_extension(in->path, &dtype, &big_endian);
    }
    rc = read_endian(in, c->type_from_name, &big_endian, err);
    if (rc != 0 || !c->has_type) return rc;
    if (in->dtype != NULL && !is_stdin) c->overridden = overridden_type(in->path, dtype, big_endian);
    return raw_layout_read(&c->layout, in, dtype, big_endian, err);
}

int onepass_input_check(const onepass_input *input, onepass_error *err) {
    struct claim unused;
    return read_claim(input, &unused, err);
}

/* ---- what it is ------------------------------------------------------------------------------- */

/* HDF5 may start behind a user block of 512 bytes, 1024, 2048 and so on: a few tiny reads.  Each is a
 * page from the disk if the file is not cached, so blocks above 16 MiB, which nobody writes, are not
 * looked for. */
#define LARGEST_USER_BLOCK ((uint64_t)16 << 20)

static int has_hdf5_user_block(const struct input_file *f, int *yes, onepass_error *err) {
    unsigned char bytes[HDF5_SIGNATURE_BYTES];
    *yes = 0;
    uint64_t last = f->size - HDF5_SIGNATURE_BYTES;
    if (last > LARGEST_USER_BLOCK) last = LARGEST_USER_BLOCK;
    for (uint64_t at = 512; !*yes && at <= last; at *= 2) {
        int rc = input_file_read_at(f, at, bytes, sizeof bytes, err);
        if (rc != 0) return rc;
        *yes = memcmp(bytes, HDF5_SIGNATURE, sizeof bytes) == 0;
    }
    return 0;
}

/* The content's format, INPUT_RAW if it has no magic.  Of a stream no more is read than it takes. */
static int detect(struct input_file *f, const atomic_int *cancel, enum input_format *found,
                  onepass_error *err) {
    int format = -1;
    for (size_t n = 1; format < 0 && n <= INPUT_HEAD; n++) {
        int rc = input_file_peek(f, n, cancel, err);
        if (rc != 0) return rc;
        format = input_format_detect(f->head, f->nhead);
        if (f->nhead < n) break;
    }
    *found = format < 0 ? INPUT_RAW : (enum input_format)format;
    if (*found != INPUT_RAW || f->is_stream || f->size < 512 + HDF5_SIGNATURE_BYTES) return 0;
    int yes, rc = has_hdf5_user_block(f, &yes, err);
    if (rc == 0 && yes) *found = INPUT_HDF5;
    return rc;
}

/* ---- whether they agree ----------------------------------------------------------------------- */

static int mismatch(const onepass_input *in, const struct claim *c, enum input_format found,
                    onepass_error *err) {
    const char *title = input_format_table[found].title, *said = raw_layout_said(in);
    if (said != NULL)
        error_set(err, ONEPASS_FORMAT_MISMATCH, "the content is %s, which %s, so no %s can be given",
                  title, input_format_table[found].is_wrapper ? "is no raw data" : "describes itself",
                  said);
    else
        error_set(err, ONEPASS_FORMAT_MISMATCH, "the name says raw %s, but the content is %s",
                  dtype_table[c->layout.dtype].name, title);
    if (said != NULL && !input_format_table[found].is_wrapper)
        error_hint(err, "leave it out, or --input-format raw takes all bytes, the header's too");
    else
        error_hint(err, "--input-format raw takes the bytes as they are");
    return ONEPASS_FORMAT_MISMATCH;
}

/* Content with a magic: either it may be read, or the message says why not. */
static int judge_known(const onepass_input *in, const struct claim *c, enum input_format found,
                       onepass_error *err) {
    const struct input_format_info *f = &input_format_table[found];
    int overruled = c->type_from_name && c->forced >= 0; /* the option counts, not the name */
    int said_raw = raw_layout_said(in) != NULL || (c->has_type && !overruled);
    /* An element type beside x.f32.zst speaks of what is inside. */
    if (said_raw && !(f->is_wrapper && c->named == found)) return mismatch(in, c, found, err);
    if (f->doc != NULL) return 0;
    return error_set(err, ONEPASS_UNSUPPORTED, "the content is %s: reading %s is not in this version",
                     f->title, f->title);
}

/* Content without a magic under a name that promises one. */
static int judge_nameless(const struct claim *c, uint64_t nbytes, int is_stream, onepass_error *err) {
    if (c->named == INPUT_RAW) return 0;
    const char *title = input_format_table[c->named].title;
    error_set(err, ONEPASS_FORMAT_MISMATCH,
              nbytes == 0 && !is_stream ? "the name says %s, but the file is empty"
                                        : "the name says %s, but the content is not",
              title);
    error_hint(err, "--input-format raw takes the bytes as they are");
    return ONEPASS_FORMAT_MISMATCH;
}

/* The format to read it in. */
static int decide(const onepass_input *in, const struct claim *c, struct input_file *f,
                  const atomic_int *cancel, enum input_format *format, onepass_error *err) {
    enum input_format found;
    *format = INPUT_RAW;
    if (c->forced == INPUT_RAW) return 0;
    int rc = detect(f, cancel, &found, err);
    if (rc != 0) return rc;
    *format = found;
    if (found != INPUT_RAW && (c->forced < 0 || c->forced == (int)found))
        return judge_known(in, c, found, err);
    if (c->forced >= 0)
        return error_set(err, ONEPASS_FORMAT_MISMATCH, "the content is not %s",
                         input_format_table[c->forced].title);
    return judge_nameless(c, f->size, f->is_stream, err);
}

/* ---- opening ---------------------------------------------------------------------------------- */

static int open_raw(const struct claim *c, struct input_file *f, const atomic_int *cancel,
                    struct source **out, onepass_error *err) {
    if (!c->has_type) return no_dtype(c->path, f, cancel, err);
    int rc = f->is_stream ? stream_source_open_raw(&c->layout, f, out, err)
                          : raw_source_open(&c->layout, f, out, err);
    if (rc == 0) (*out)->overridden = c->overridden;
    return rc;
}

/* A name that does not exist may be FILE:DATASET: the shortest prefix that is a file counts.  Returns
 * the code of what is to be said, which is already in *err unless there is more to say. */
static int explain_dataset(const char *path, onepass_error *err) {
    for (const char *colon = strchr(path, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        struct input_file f;
        enum input_format found = INPUT_RAW;
        char *prefix = strndup(path, (size_t)(colon - path));
        if (prefix == NULL) break;
        int opened =
            prefix[0] != '\0' && strcmp(prefix, "-") != 0 && input_file_open(&f, prefix, -1, NULL) == 0;
        if (opened && !f.is_stream) detect(&f, NULL, &found, NULL);
        if (opened) input_file_close(&f);
        if (opened && found == INPUT_HDF5)
            error_set(err, ONEPASS_UNSUPPORTED, "'%s' is HDF5: reading HDF5 is not in this version",
                      prefix);
        else if (opened)
            error_hint(err, "'%s' exists, but is no file with datasets", prefix);
        free(prefix);
        if (opened) return found == INPUT_HDF5 ? ONEPASS_UNSUPPORTED : ONEPASS_OPEN_FAILED;
    }
    return ONEPASS_OPEN_FAILED;
}

int source_open(const onepass_input *input, const atomic_int *cancel, struct source **out,
                onepass_error *err) {
    struct claim c;
    struct input_file f;
    enum input_format format;
    onepass_error own = ONEPASS_ERROR_INIT;
    int is_text = 0;
    *out = NULL;
    if (err == NULL) err = &own;
    int rc = read_claim(input, &c, err);
    if (rc != 0) return rc;
    rc = input_file_open(&f, input->path, input->fd, err);
    if (rc == ONEPASS_OPEN_FAILED && (err->sys_errno == ENOENT || err->sys_errno == ENOTDIR))
        return explain_dataset(input->path, err);
    if (rc != 0) return rc;
    if (!f.is_stream) input_file_read_ahead(&f, 0);
    rc = decide(input, &c, &f, cancel, &format, err);
    if (rc == 0 && format == INPUT_RAW) is_text = is_text_by_mistake(&c, &f);
    if (!f.is_stream) input_file_read_ahead(&f, 1);
    if (rc == 0)
        rc = format == INPUT_NPY ? npy_source_open(&f, cancel, out, err)
                                 : open_raw(&c, &f, cancel, out, err);
    if (rc == 0)
        (*out)->is_text = is_text;
    else
        input_file_close(&f);
    return rc;
}

void source_close(struct source *s) {
    if (s != NULL) s->ops->close(s);
}
