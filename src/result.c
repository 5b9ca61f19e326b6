/* From a merged state to an onepass_result: finishing, posts, texts, coordinates, warnings. */
#include "result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "error.h"
#include "finish.h"
#include "number.h"
#include "text.h"

struct whole_result {
    onepass_result pub; /* first: what the caller holds */
    struct arena arena; /* owns everything pub points to */
};

struct maker {
    const struct run *run;
    struct state *state;
    struct whole_result *r;
    struct text warned[WARN_OVERFLOW + 1]; /* columns concerned, by enum finish_warning */
    size_t nwarned[WARN_OVERFLOW + 1];
    size_t column; /* of the value being made, over all pipelines */
    int nan_made;  /* NaN that reached the reductions has made a result of the pipeline at hand NaN */
    const char **notes;
    size_t nnotes;
};

static void add_note(struct maker *m, struct text *line) {
    m->r->arena.failed |= line->failed;
    if (!line->failed) m->notes[m->nnotes++] = arena_copy(&m->r->arena, line->bytes);
    free(line->bytes);
}

/* ---- one value ------------------------------------------------------------------------------- */

static uint64_t count_of(const struct maker *m, int32_t acc) {
    return m->state->acc[acc].count;
}

static void finish_input_of(const struct maker *m, const struct lowered_pipeline *p,
                            const struct lowered_reduction *r, struct finish_input *in) {
    memset(in, 0, sizeof *in);
    for (int kind = 0; kind < NACCUMULATORS; kind++)
        if (r->acc[kind] >= 0) in->acc[kind] = &m->state->acc[r->acc[kind]];
    in->skip_nan = m->run->program->skip_nan;
    in->nan = count_of(m, p->nan);
    in->nan_index = m->state->acc[p->nan].kept.index;
    in->posinf = count_of(m, p->posinf);
    in->neginf = count_of(m, p->neginf);
    in->n = count_of(m, p->count) - (in->skip_nan ? in->nan : 0);
    in->integer = m->run->program->nodes[p->value].type == TYPE_INT;
}

int result_posts(const struct onepass_program *ast, const struct ast_pipeline *p, double *x,
                 onepass_error *err) {
    for (size_t k = 0; k < p->nposts; k++) {
        struct scalar value;
        int rc = program_constant(ast->nodes, ast->nnodes, p->posts[k], x, &value, err);
        if (rc != 0) return rc;
        *x = scalar_f64(&value);
    }
    return 0;
}

/* Posts see the value widened to binary64, and make it one. */
static int apply_posts(const struct onepass_program *ast, const struct ast_pipeline *p,
                       struct finished *f, onepass_error *err) {
    double x = f->is_integer ? bignum_round(&f->mag, 0, 0) : f->real;
    if (f->is_integer && f->neg) x = -x;
    int rc = result_posts(ast, p, &x, err);
    if (rc != 0) return rc;
    f->is_integer = f->has_index = f->kept_value = 0;
    f->real = x;
    return 0;
}

static void set_text(struct maker *m, onepass_value *v, const struct finished *f, int own) {
    char text[NUMBER_BIG_TEXT];
    struct arena *arena = &m->r->arena;
    const struct dtype_info *type = &dtype_table[m->run->sources[0]->dtype];
    v->kind = f->is_integer ? ONEPASS_INTEGER : ONEPASS_REAL;
    if (f->is_integer) {
        v->value = bignum_round(&f->mag, 0, 0);
        if (f->neg) v->value = -v->value;
        number_format_integer(&f->mag, f->neg, text);
        v->type = "integer";
        v->text = v->hex = arena_copy(arena, text);
        return;
    }
    v->value = isnan(f->real) ? NAN : f->real;
    v->type = own ? type->name : "f64";
    number_format(v->value, own ? type->text : FLOAT_F64, text);
    v->text = arena_copy(arena, text);
    if (!isfinite(v->value)) return;
    number_format_hex(v->value, text);
    v->hex = arena_copy(arena, text);
}

/* Coordinates of an input's own index. */
static const uint64_t *make_coords(struct maker *m, const struct source *s, uint64_t index) {
    uint64_t *coords = arena_alloc(&m->r->arena, sizeof *coords * ONEPASS_MAX_DIMS);
    if (coords == NULL) return NULL;
    place_coords(&s->place, index, coords);
    return coords;
}

static void set_index(struct maker *m, onepass_value *v, uint64_t index) {
    const struct run *run = m->run;
    size_t part = 0;
    while (part + 1 < run->nsources && index >= run->sources[part + 1]->place.base)
        part++;
    const struct source *s = run->sources[part];
    v->has_index = 1;
    v->index = index;
    v->part = part;
    v->part_index = index - s->place.base;
    v->part_ncoords = s->place.ndim;
    v->part_coords = make_coords(m, s, v->part_index);
    if (run->nsources == 1) {
        v->ncoords = v->part_ncoords;
        v->coords = v->part_coords;
    }
}

static int make_value(struct maker *m, const struct onepass_program *ast, size_t pipeline, size_t k,
                      onepass_value *v, onepass_error *err) {
    const struct ast_pipeline *written = &ast->pipelines[pipeline];
    const struct lowered_pipeline *p = &m->run->program->pipelines[pipeline];
    struct finish_input in;
    struct finished f = {0};
    finish_input_of(m, p, &p->reductions[k], &in);
    p->reductions[k].info->finish(&in, &f);
    enum finish_warning warning = f.warning;
    if (written->nposts > 0) {
        int rc = apply_posts(ast, written, &f, err);
        if (rc != 0) return rc;
    }
    m->nan_made |= !f.is_integer && isnan(f.real) && in.nan > 0 && !in.skip_nan;
    v->size = sizeof *v;
    v->name = arena_copy(&m->r->arena, written->reductions[k].name);
    v->column = arena_copy(&m->r->arena, ast->columns[m->column++]);
    int own = f.kept_value && m->run->same_dtype && m->run->program->nodes[p->value].own;
    set_text(m, v, &f, own);
    if (f.has_index) set_index(m, v, f.index);
    if (warning != WARN_NONE && v->column != NULL) {
        /* With posts the column may well be a number. */
        const char *which = written->nposts > 0 ? v->name : v->column;
        text_add(&m->warned[warning], "%s%s", m->nwarned[warning]++ ? ", " : "", which);
    }
    return 0;
}

/* ---- pipelines ------------------------------------------------------------------------------- */

/* Whether the input had the NaN or a map made them is not known here, and the remedy is the same. */
static void note_nan(struct maker *m, const onepass_pipeline *p) {
    struct text line = {0};
    text_add(&line,
             "nan in '%s', since NaN reached it; --skip-nan leaves those out: %llu of %llu values",
             p->text, (unsigned long long)p->nan, (unsigned long long)p->used);
    add_note(m, &line);
}

static int make_pipeline(struct maker *m, const struct onepass_program *ast, size_t number,
                         onepass_pipeline *out, onepass_error *err) {
    const struct lowered_pipeline *p = &m->run->program->pipelines[number];
    uint64_t reached = count_of(m, p->count);
    out->size = sizeof *out;
    out->text = arena_copy(&m->r->arena, ast->pipelines[number].text);
    out->nan = count_of(m, p->nan);
    out->posinf = count_of(m, p->posinf);
    out->neginf = count_of(m, p->neginf);
    out->skipped = m->run->program->skip_nan ? out->nan : 0;
    out->used = reached - out->skipped;
    out->dropped = m->state->nelems - reached;
    out->nvalues = p->nreductions;
    m->nan_made = 0;
    onepass_value *values = arena_alloc(&m->r->arena, sizeof *values * p->nreductions);
    if (values == NULL) return error_no_memory(err);
    out->values = values;
    for (size_t k = 0; k < p->nreductions; k++) {
        int rc = make_value(m, ast, number, k, &values[k], err);
        if (rc != 0) return rc;
    }
    if (m->nan_made) note_nan(m, out);
    return 0;
}

static int make_pipelines(struct maker *m, onepass_error *err) {
    const struct onepass_program *ast = m->run->program->ast;
    onepass_pipeline *pipelines = arena_alloc(&m->r->arena, sizeof *pipelines * ast->npipelines);
    if (pipelines == NULL) return error_no_memory(err);
    m->r->pub.npipelines = ast->npipelines;
    m->r->pub.pipelines = pipelines;
    for (size_t k = 0; k < ast->npipelines; k++) {
        int rc = make_pipeline(m, ast, k, &pipelines[k], err);
        if (rc != 0) return rc;
    }
    return 0;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int same_layout(const struct run *run) {
    const struct source *first = run->sources[0];
    int same = first->has_layout;
    for (size_t k = 1; k < run->nsources; k++) {
        const struct source *s = run->sources[k];
        same &= s->has_layout && s->offset_bytes == first->offset_bytes && s->count == first->count &&
                s->stride == first->stride;
    }
    return same;
}

static void describe_inputs(struct maker *m) {
    const struct run *run = m->run;
    const struct source *first = run->sources[0];
    onepass_result *r = &m->r->pub;
    r->format = first->ops->name;
    r->dtype = run_dtype_name(run);
    r->big_endian = run->same_dtype && dtype_table[first->dtype].itemsize > 1;
    for (size_t k = 0; k < run->nsources; k++) {
        const struct source *s = run->sources[k];
        r->decoded_bytes += s->nelems * dtype_table[s->dtype].itemsize;
        r->big_endian &= s->big_endian;
        if (s->ops != first->ops) r->format = "mixed";
    }
    r->has_layout = same_layout(run);
    r->offset_bytes = first->offset_bytes, r->count = first->count, r->stride = first->stride;
    uint64_t *shape = arena_alloc(&m->r->arena, sizeof *shape * ONEPASS_MAX_DIMS);
    if (shape == NULL) return;
    r->shape = shape;
    if (run->nsources > 1) {
        r->ndim = 1;
        shape[0] = m->state->nelems;
        return;
    }
    r->ndim = first->place.ndim;
    memcpy(shape, first->place.shape, sizeof *shape * (size_t)r->ndim);
    r->file_size = first->file_size, r->mtime = first->mtime;
}

static const char *const warning_reasons[] = {
    [WARN_EMPTY] = "nothing to reduce",
    [WARN_TOO_FEW] = "fewer than 2 elements",
    [WARN_OVERFLOW] = "beyond the range of binary64",
};

static void make_warnings(struct maker *m) {
    const char **list = arena_alloc(&m->r->arena, sizeof *list * (WARN_OVERFLOW + 1));
    size_t n = 0;
    for (int why = WARN_EMPTY; list != NULL && why <= WARN_OVERFLOW; why++) {
        struct text line = {0};
        if (m->nwarned[why] == 0) continue;
        text_add(&line, "%s: %s %s %s", warning_reasons[why],
                 m->warned[why].failed ? "" : m->warned[why].bytes, m->nwarned[why] > 1 ? "are" : "is",
                 why == WARN_OVERFLOW ? "infinite" : "nan");
        m->r->arena.failed |= line.failed | m->warned[why].failed;
        list[n++] = arena_copy(&m->r->arena, line.bytes);
        free(line.bytes);
    }
    m->r->pub.warnings = list;
}

/* A shape that is smaller than the file may well be a wrong one. */
static void note_unread(struct maker *m) {
    uint64_t unread = 0;
    struct text line = {0};
    for (size_t k = 0; k < m->run->nsources; k++)
        unread += m->run->sources[k]->unread_bytes;
    if (unread == 0) return;
    text_add(&line, "the shape leaves %llu bytes of the file unread", (unsigned long long)unread);
    add_note(m, &line);
}

/* The first file whose name says another type than the caller did. */
static void note_overridden(struct maker *m) {
    struct text line = {0};
    size_t k = 0;
    while (k < m->run->nsources && m->run->sources[k]->overridden == NULL)
        k++;
    if (k == m->run->nsources) return;
    const struct source *s = m->run->sources[k];
    text_add(&line, "read as %s%s, as --dtype says; the name says %s", dtype_table[s->dtype].name,
             s->big_endian ? "be" : "", s->overridden);
    add_note(m, &line);
}

/* Whoever gives a text's name and a type gets a number, and no other sign that it means nothing. */
static void note_text(struct maker *m) {
    struct text line = {0};
    size_t k = 0;
    while (k < m->run->nsources && !m->run->sources[k]->is_text)
        k++;
    if (k == m->run->nsources) return;
    const struct source *s = m->run->sources[k];
    text_add(&line, "the input looks like text; it is read as %s%s all the same",
             dtype_table[s->dtype].name, s->big_endian ? "be" : "");
    add_note(m, &line);
}

/* Room for every note: one a pipeline, five, and the run's. */
static int begin_notes(struct maker *m) {
    size_t n = m->run->program->ast->npipelines + 5 + (size_t)m->run->nnotes;
    m->notes = arena_alloc(&m->r->arena, sizeof *m->notes * (n + 1));
    m->r->pub.notes = m->notes;
    return m->notes == NULL;
}

static void make_notes(struct maker *m) {
    if (m->state->nelems == 0) m->notes[m->nnotes++] = "the input has no elements";
    if (m->state->rounded)
        m->notes[m->nnotes++] = "integers above 2^53 were rounded to binary64 on the way";
    note_text(m);
    note_overridden(m);
    note_unread(m);
    for (int k = 0; k < m->run->nnotes; k++)
        m->notes[m->nnotes++] = arena_copy(&m->r->arena, m->run->notes[k]);
}

static void describe_device(struct maker *m) {
    onepass_result *r = &m->r->pub;
    r->device = arena_copy(&m->r->arena, m->run->device);
    r->isa = arena_copy(&m->r->arena, m->run->isa);
    r->jit = m->run->jit;
}

int result_make(const struct run *run, struct state *state, onepass_result **out, onepass_error *err) {
    struct maker m = {.run = run, .state = state};
    m.r = calloc(1, sizeof *m.r);
    if (m.r == NULL) return error_no_memory(err);
    onepass_result *r = &m.r->pub;
    r->size = sizeof *r;
    r->n = state->nelems;
    describe_inputs(&m);
    describe_device(&m);
    int rc = begin_notes(&m) ? error_no_memory(err) : 0;
    if (rc == 0) make_notes(&m);
    if (rc == 0) rc = make_pipelines(&m, err);
    if (rc == 0) {
        make_warnings(&m);
        if (m.r->arena.failed) rc = error_no_memory(err);
    }
    for (int why = 0; why <= WARN_OVERFLOW; why++)
        free(m.warned[why].bytes);
    if (rc != 0)
        onepass_result_free(r);
    else
        *out = r;
    return rc;
}

void onepass_result_free(onepass_result *result) {
    if (result == NULL) return;
    struct whole_result *r = (struct whole_result *)result;
    arena_free(&r->arena);
    free(r);
}
