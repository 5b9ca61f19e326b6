/* A driver without a device: the functions of libcuda that onepass calls, on the CPU, for tests.  What
 * they share: one lock around everything, memory, and streams.
 *
 * Environment:
 *   FAKE_CUDA_DEVICES=N       devices, 1; 0: there is none
 *   FAKE_CUDA_ARCH=70         compute capability, of which there are no images made ahead of time
 *   FAKE_CUDA_MEMORY=BYTES    memory of a device, 1 GiB
 *   FAKE_CUDA_STREAMS=late    work is done when somebody waits for it, not when it is given: what is
 *                             used without waiting is old then, and what is overwritten too early is
 *                             seen
 *   FAKE_CUDA_FAIL=FUNCTION:N[+][=CODE],...
 *                             call N (1, 2 ...) of the function, or all from it on, fails with the
 *                             code, by default the function's usual; codes that tell of a lost device
 *                             or of a failed launch are the results of all calls from then on
 *   FAKE_CUDA_REPORT=FILE     at exit, a line "NAME CALLS" for each function that was called, and
 *                             "left NAME N" for memory, streams, events and modules that were not
 *                             freed */
#ifndef FAKE_H
#define FAKE_H

#include <stddef.h>

#include "cuda_api.h"
#include "launch.h"

enum { /* results that only drivers give */
       FAKE_INVALID_VALUE = 1,
       FAKE_NOT_INITIALIZED = 3,
       FAKE_INVALID_DEVICE = 101,
       FAKE_INVALID_IMAGE = 200,
       FAKE_INVALID_CONTEXT = 201,
       FAKE_INVALID_HANDLE = 400,
       FAKE_NOT_FOUND = 500,
       FAKE_ALREADY_REGISTERED = 712,
       FAKE_NOT_REGISTERED = 713,
       FAKE_LAUNCH_FAILED = 719
};

#define FAKE_MAX_DEVICES 16

/* ---- calls (fake_calls.c) ---- */

/* Takes the lock, which fake_leave gives back; not CU_SUCCESS: the call's result. */
cu_result fake_enter(const char *function);
cu_result fake_leave(cu_result result);
/* The name of an error, or its text. */
cu_result fake_describe(cu_result error, int name, const char **text);

/* ---- memory (fake_memory.c) ---- */

/* Memory of a device ends before a page that nobody may touch, and begins as rubbish. */
cu_result fake_allocate(int device, size_t nbytes, cu_pointer *out);
cu_result fake_free(cu_pointer memory);
/* Whether the bytes lie in one allocation of the device. */
int fake_is_allocated(int device, cu_pointer memory, size_t nbytes);
size_t fake_memory_total(void);

cu_result fake_register(void *memory, size_t nbytes);
/* *nbytes: what was registered at memory. */
cu_result fake_unregister(void *memory, size_t *nbytes);
int fake_is_registered(const void *memory, size_t nbytes);

size_t fake_allocations_left(void);

/* ---- streams and events (fake_stream.c) ---- */

struct CUstream_st;
struct CUevent_st;

enum fake_work_kind { FAKE_TO_DEVICE, FAKE_TO_HOST, FAKE_RECORD, FAKE_LAUNCH };

/* A piece of a stream's work. */
struct fake_work {
    enum fake_work_kind kind;
    unsigned char *to;
    const unsigned char *from;
    size_t nbytes;
    void *staged; /* from points to it, freed afterwards; or NULL */
    cu_event event;
    uint64_t number; /* of a FAKE_RECORD */
    cu_function function;
    unsigned nblocks;
    struct onepass_launch launch;
    struct fake_work *next;
};

cu_result fake_stream_create(int device, cu_stream *out);
void fake_stream_destroy(cu_stream stream);
int fake_stream_device(cu_stream stream);
/* Takes a copy of the work; does it, or lets it wait. */
cu_result fake_stream_add(cu_stream stream, const struct fake_work *work);
void fake_stream_run(cu_stream stream);
void fake_streams_run_all(void);
/* Whether work that waits reads or writes these bytes of the host's. */
int fake_streams_use(const void *memory, size_t nbytes);
size_t fake_streams_left(void);

cu_result fake_event_create(cu_event *out);
void fake_event_destroy(cu_event event);
void fake_event_wait(cu_event event);
size_t fake_events_left(void);

/* ---- kernels (fake_driver.c) ---- */

size_t fake_modules_left(void);
void fake_run(cu_function function, unsigned nblocks, const struct onepass_launch *launch);

#endif
