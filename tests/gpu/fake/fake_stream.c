/* Streams: lists of work that is done at once, or, where FAKE_CUDA_STREAMS is "late", when somebody
 * waits for it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

struct CUstream_st {
    int device;
    struct fake_work *first, **end;
    cu_stream next;
};

struct CUevent_st {
    cu_stream stream; /* where it was recorded last; NULL: nowhere, or it has come */
    uint64_t record;  /* number of the work that records it */
};

static cu_stream streams;
static size_t nevents;
static uint64_t nrecords;

static int is_late(void) {
    const char *how = getenv("FAKE_CUDA_STREAMS");
    return how != NULL && strcmp(how, "late") == 0;
}

cu_result fake_stream_create(int device, cu_stream *out) {
    cu_stream s = calloc(1, sizeof *s);
    if (s == NULL) return CU_OUT_OF_MEMORY;
    s->device = device;
    s->end = &s->first;
    s->next = streams;
    streams = s;
    *out = s;
    return CU_SUCCESS;
}

int fake_stream_device(cu_stream stream) {
    return stream->device;
}

static void do_work(const struct fake_work *w) {
    switch (w->kind) {
    case FAKE_TO_DEVICE:
    case FAKE_TO_HOST:
        memcpy(w->to, w->from, w->nbytes);
        break;
    case FAKE_RECORD:
        if (w->event->record == w->number) w->event->stream = NULL;
        break;
    case FAKE_LAUNCH:
        fake_run(w->function, w->nblocks, &w->launch);
        break;
    }
    free(w->staged);
}

static void run_one(cu_stream s) {
    struct fake_work *w = s->first;
    s->first = w->next;
    if (s->first == NULL) s->end = &s->first;
    do_work(w);
    free(w);
}

void fake_stream_run(cu_stream stream) {
    while (stream->first != NULL)
        run_one(stream);
}

void fake_streams_run_all(void) {
    for (cu_stream s = streams; s != NULL; s = s->next)
        fake_stream_run(s);
}

cu_result fake_stream_add(cu_stream stream, const struct fake_work *work) {
    struct fake_work *w = malloc(sizeof *w);
    if (w == NULL) return CU_OUT_OF_MEMORY;
    *w = *work;
    w->next = NULL;
    *stream->end = w;
    stream->end = &w->next;
    if (w->kind == FAKE_RECORD) {
        w->event->stream = stream;
        w->event->record = w->number = ++nrecords;
    }
    if (!is_late()) fake_stream_run(stream);
    return CU_SUCCESS;
}

void fake_stream_destroy(cu_stream stream) {
    cu_stream *link = &streams;
    fake_stream_run(stream);
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    free(stream);
}

static int touches(const unsigned char *memory, size_t nbytes, const unsigned char *p, size_t n) {
    return p < memory + nbytes && memory < p + n;
}

int fake_streams_use(const void *memory, size_t nbytes) {
    for (cu_stream s = streams; s != NULL; s = s->next)
        for (const struct fake_work *w = s->first; w != NULL; w = w->next)
            if ((w->kind == FAKE_TO_DEVICE && touches(memory, nbytes, w->from, w->nbytes)) ||
                (w->kind == FAKE_TO_HOST && touches(memory, nbytes, w->to, w->nbytes)))
                return 1;
    return 0;
}

size_t fake_streams_left(void) {
    size_t n = 0;
    for (cu_stream s = streams; s != NULL; s = s->next)
        n++;
    return n;
}

/* ---- events ------------------------------------------------------------------------------------- */

cu_result fake_event_create(cu_event *out) {
    cu_event e = calloc(1, sizeof *e);
    if (e == NULL) return CU_OUT_OF_MEMORY;
    nevents++;
    *out = e;
    return CU_SUCCESS;
}

void fake_event_wait(cu_event event) {
    while (event->stream != NULL)
        run_one(event->stream);
}

/* Work that records it may still wait. */
void fake_event_destroy(cu_event event) {
    fake_event_wait(event);
    nevents--;
    free(event);
}

size_t fake_events_left(void) {
    return nevents;
}
