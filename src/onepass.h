/* onepass: fused, exact array reductions in one pass over files.  The public C API.
 *
 * A pipeline text is compiled once (onepass_program), inputs are described (onepass_input), and
 * onepass_run reads them and returns every reduction of every pipeline (onepass_result).  Sums and
 * everything built on them are exact and rounded once, so results do not depend on threads, piece
 * sizes or file order.  The numeric rules are in onepass(1) and onepass-pipeline(7).
 *
 * Conventions.  A function that can fail returns 0 for success and a onepass_code otherwise, and
 * fills *err when err is not NULL.  Every struct starts with its own size, so that it can grow:
 * set it (the _INIT macros do) before handing it in.  The library never prints, exits, installs
 * signal handlers, reads environment variables or changes the locale, and has no global state.
 * Texts handed in are not kept unless said; texts handed out belong to the object they came from.
 */
#ifndef ONEPASS_H
#define ONEPASS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ONEPASS_VERSION "0.1.0"
#define ONEPASS_SCHEMA  "onepass/1"

/* Version of the library in use, as "1.2.3". */
const char *onepass_version(void);

/* An optional feature of this build: 1 built in, 0 known but left out, -1 unknown name. */
int onepass_has(const char *feature);

/* Names of the optional features, k = 0, 1, ...; NULL after the last. */
const char *onepass_feature(size_t k);

/* Instruction sets that this build has kernels for, k = 0, 1, ..., best first; NULL after the last. */
const char *onepass_isa(size_t k);

/* Compute capabilities of GPUs that this build has kernels of common programs for, k = 0, 1, ..., 90 is
 * 9.0; 0 after the last.  Other kernels are compiled when they are needed. */
int onepass_cuda_arch(size_t k);

/* ---- errors ---------------------------------------------------------------------------------- */

/* Numbers never change and are only appended to. */
typedef enum onepass_code {
    ONEPASS_OK = 0,
    ONEPASS_BAD_PIPELINE = 1, /* the text of the pipeline; span_start .. span_end say where */
    ONEPASS_BAD_ARGUMENT = 2, /* an option's value, decided without opening an input */
    ONEPASS_NO_MEMORY = 3,
    ONEPASS_NO_DEVICE = 4,     /* a device was asked for and cannot be used */
    ONEPASS_CANCELLED = 5,     /* onepass_context_cancel was called */
    ONEPASS_OPEN_FAILED = 10,  /* sys_errno says why */
    ONEPASS_READ_FAILED = 11,  /* sys_errno says why */
    ONEPASS_NOT_READABLE = 12, /* a directory, a device that is no stream, a terminal */
    ONEPASS_CHANGED = 13,      /* size or modification time changed during the run */
    ONEPASS_TRUNCATED = 14,    /* the file ends before its header says */
    ONEPASS_NO_DTYPE = 20,     /* raw data whose element type nobody named */
    ONEPASS_LEFT_OVER_BYTES = 21,
    ONEPASS_PAST_END = 22, /* offset, count or shape reach past the end */
    ONEPASS_BAD_HEADER = 23,
    ONEPASS_UNSUPPORTED = 24,     /* a known format or element type that this version cannot read */
    ONEPASS_FORMAT_MISMATCH = 25, /* content and what was said of it disagree */
    ONEPASS_SHAPE_MISMATCH = 26,
    ONEPASS_BAD_STATE = 30, /* a serialised state: damaged, or of another program or version */
    ONEPASS_INTERNAL = 99
} onepass_code;

/* The stable word of a code, as in JSON records ("left_over_bytes"); "unknown" for others. */
const char *onepass_strerror(int code);

/* What kind of trouble a code is; the command line maps each to one exit status. */
typedef enum onepass_error_class {
    ONEPASS_CLASS_NONE = 0,
    ONEPASS_CLASS_USAGE = 2, /* decided without opening an input */
    ONEPASS_CLASS_DEVICE = 3,
    ONEPASS_CLASS_INPUT = 4,
    ONEPASS_CLASS_CANCELLED = 6
} onepass_error_class;
onepass_error_class onepass_classify(int code);

typedef struct onepass_error {
    size_t size;
    int code;          /* onepass_code */
    int sys_errno;     /* errno behind it, or 0 */
    size_t part;       /* which input of the run failed, from 0 */
    size_t span_start; /* for ONEPASS_BAD_PIPELINE: bytes [span_start, span_end) of the text */
    size_t span_end;
    char message[768]; /* one line, lower case, no full stop, without the input's name */
    char hint[512];    /* what to do instead, or "" */
} onepass_error;
#define ONEPASS_ERROR_INIT                                                                             \
    { sizeof(onepass_error), 0, 0, 0, 0, 0, "", "" }

/* ---- context --------------------------------------------------------------------------------- */

typedef struct onepass_progress {
    size_t size;
    uint64_t done_bytes;  /* read so far, over all inputs of the run */
    uint64_t total_bytes; /* UINT64_MAX when unknown (a pipe) */
    uint64_t nelems;      /* reduced so far */
    double seconds;       /* since the run began */
} onepass_progress;

typedef struct onepass_config {
    size_t size;
    int threads;          /* 0: min(CPUs this process may use, control group quota) */
    uint64_t piece_bytes; /* bytes a worker takes at a time; 0: default; rounded up to an element */
    const char *cpu;      /* instruction set: "portable", "avx2", "avx512", "noflags"; NULL: the best */
    /* Called about ten times a second, and never after onepass_run returned, from the thread that
     * called onepass_run.  NULL: none. */
    void (*progress)(void *user, const onepass_progress *p);
    void *user;
    /* How files are read: "pread" through the page cache, "direct" past it, "uring" past it and many
     * reads at a time.  NULL: by what is in the page cache; what the system refuses is done without.
     * One that is named and refused is an error, ONEPASS_NO_DEVICE. */
    const char *reader;
    /* Where runs compute: "auto" (NULL: the same), "cpu", "cuda", "cuda:0,1", "cuda:all",
     * "cuda:GPU-uuid".  A GPU that was asked for and cannot be used is an error, ONEPASS_NO_DEVICE.
     * Runs on GPUs, and onepass_context_free after them, leave another context of NVIDIA's driver
     * current in the calling thread than they found. */
    const char *device;
    const char *jit;       /* forces a step from kernel text to machine code: "a" .. "d"; NULL: any */
    const char *gpu_sum;   /* forces exact sums by "fp64" or "int"; NULL: by what the GPU is good at */
    const char *cache_dir; /* for compiled kernels; NULL: none are kept */
} onepass_config;
#define ONEPASS_CONFIG_INIT                                                                            \
    { sizeof(onepass_config), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/* Threads, piece size, cancel flag and progress callback of runs.  One run at a time; different
 * contexts may be used by different threads at once. */
typedef struct onepass_context onepass_context;
int onepass_context_create(const onepass_config *config, onepass_context **out, onepass_error *err);
void onepass_context_free(onepass_context *ctx); /* accepts NULL */

/* The instruction set of its kernels, one of onepass_isa. */
const char *onepass_context_isa(const onepass_context *ctx);

/* Makes the run in progress, and later ones, end soon with ONEPASS_CANCELLED.  May be called from a
 * signal handler and from any thread. */
void onepass_context_cancel(onepass_context *ctx);

/* CPUs that this process may use: min(affinity mask, control group quota rounded up), at least 1. */
int onepass_cpu_count(void);

/* ---- devices --------------------------------------------------------------------------------- */

/* A GPU that runs can compute on. */
typedef struct onepass_gpu {
    size_t size;
    int number; /* "cuda:NUMBER": as the driver counts them, after CUDA_VISIBLE_DEVICES */
    char name[256];
    char uuid[48]; /* "GPU-...": the same in every process */
    uint64_t memory_bytes;
    int major, minor; /* compute capability */
    int multiprocessors;
    int single_to_double; /* rate of binary32 operations over that of binary64 ones */
} onepass_gpu;

/* The k-th GPU: 1, or 0 after the last; then, or if there is none at all, *err says why.  Opens the
 * driver, which may take 0.1 s. */
int onepass_device(size_t k, onepass_gpu *out, onepass_error *err);

/* What can be wrong with a device's words (onepass_config.device) without a look at what there is: 0 or
 * ONEPASS_BAD_ARGUMENT. */
int onepass_device_check(const char *text, onepass_error *err);

/* ---- programs -------------------------------------------------------------------------------- */

/* A parsed pipeline text.  Read-only once made: any number of threads may use it. */
typedef struct onepass_program onepass_program;
int onepass_program_parse(const char *text, size_t nbytes, onepass_program **out, onepass_error *err);
void onepass_program_free(onepass_program *program); /* accepts NULL */

size_t onepass_program_npipelines(const onepass_program *program);
/* Canonical text of pipeline k, without blanks around '|'. */
const char *onepass_program_text(const onepass_program *program, size_t k);
/* Results over all pipelines in written order; the name of column k, with its posts, prefixed by
 * "1:", "2:" (the pipeline) where it would not be unique. */
size_t onepass_program_ncolumns(const onepass_program *program);
const char *onepass_program_column(const onepass_program *program, size_t k);
/* Remarks about legal but doubtful text; NULL after the last. */
const char *onepass_program_note(const onepass_program *program, size_t k);

/* ---- inputs ---------------------------------------------------------------------------------- */

#define ONEPASS_ALL      UINT64_MAX
#define ONEPASS_MAX_DIMS 32

typedef struct onepass_input {
    size_t size;
    const char *path;      /* file to open; "-" reads descriptor `fd` instead */
    int fd;                /* for "-": stays open, owned by the caller */
    const char *format;    /* NULL: by content, then extension; "raw", "npy" */
    const char *dtype;     /* element type of raw data, NULL: by extension */
    int endian;            /* 0 as dtype says, 'l' little, 'b' big; raw data only */
    int has_offset;        /* offset was given: an error on self-describing input */
    uint64_t offset_bytes; /* bytes to skip */
    uint64_t count;        /* elements to take; ONEPASS_ALL: every whole element there is */
    uint64_t stride;       /* 0: not given (1); element k lies at offset + k * stride * itemsize */
    int ndim;              /* shape of raw data; 0: not given */
    int64_t shape[ONEPASS_MAX_DIMS]; /* one may be -1: as many as there are */
} onepass_input;
#define ONEPASS_INPUT_INIT                                                                             \
    {                                                                                                  \
        sizeof(onepass_input), NULL, 0, NULL, NULL, 0, 0, 0, ONEPASS_ALL, 0, 0, {                      \
            0                                                                                          \
        }                                                                                              \
    }

/* What can be wrong with the description itself, without a look at the file: its name, format, element
 * type, byte order, shape.  onepass_run checks the same. */
int onepass_input_check(const onepass_input *input, onepass_error *err);

/* ---- running --------------------------------------------------------------------------------- */

typedef struct onepass_options {
    size_t size;
    int skip_nan; /* drop NaN where they reach a reduction */
} onepass_options;
#define ONEPASS_OPTIONS_INIT                                                                           \
    { sizeof(onepass_options), 0 }

typedef enum onepass_kind {
    ONEPASS_REAL,   /* binary64 */
    ONEPASS_INTEGER /* exact; may exceed 64 bits, see text */
} onepass_kind;

/* One reduction's result. */
typedef struct onepass_value {
    size_t size;
    const char *name;   /* the reduction alone: "max" */
    const char *column; /* with posts and, where not unique, the pipeline: "2:max|sqrt" */
    onepass_kind kind;
    const char *type; /* "f64", "integer", or "f16" "bf16" "f32": prints in the file's type */
    double value;     /* rounded to binary64 once; NaN is the canonical quiet NaN */
    const char *text; /* exact shortest text, the same in every output format */
    const char *hex;  /* "%a" of a binary64, decimal of an integer; NULL for NaN and Inf */
    int has_index;    /* argmin, argmax, without posts, of at least one element */
    uint64_t index;   /* C-order element number in the array before filters */
    int ncoords;      /* 0 with several inputs */
    const uint64_t *coords;
    size_t part; /* with several inputs: which one holds it, its own index, coordinates */
    uint64_t part_index;
    int part_ncoords;
    const uint64_t *part_coords;
} onepass_value;

typedef struct onepass_pipeline {
    size_t size;
    const char *text;             /* canonical */
    uint64_t used;                /* elements that reached the reductions */
    uint64_t dropped;             /* by where */
    uint64_t skipped;             /* NaN left out by skip_nan; n = used + dropped + skipped + missing */
    uint64_t nan, posinf, neginf; /* mapped values that reach the reductions, skipped ones included */
    size_t nvalues;
    const onepass_value *values;
} onepass_pipeline;

typedef struct onepass_result {
    size_t size;
    const char *format; /* "raw", "npy"; of several inputs: "mixed" if they differ */
    const char *dtype;  /* "f32", ...; "mixed" */
    int big_endian;     /* elements of more than one byte, all of one type, all stored so */
    int ndim;
    const uint64_t *shape;
    int has_layout; /* raw data, the same for all inputs: offset, count or stride was given */
    uint64_t offset_bytes, count, stride;
    uint64_t n; /* elements read */
    uint64_t missing;
    size_t npipelines;
    const onepass_pipeline *pipelines;
    const char *const *warnings; /* NULL-terminated: a result is nan or inf for want of data or range */
    const char *const *notes;    /* NULL-terminated: remarks that -q drops */
    /* volatile: */
    double seconds;         /* from opening to result */
    uint64_t stored_bytes;  /* read from the inputs */
    uint64_t decoded_bytes; /* of array elements */
    uint64_t file_size;     /* of a single regular file, else 0 */
    int64_t mtime;          /* likewise, seconds since 1970 */
    int threads;            /* workers that took part */
    const char *device;     /* "cpu", "cuda:0", "cuda:0,1" */
    const char *isa;        /* instruction set of the kernels: "avx2", "sm_90" */
    uint64_t levels[3];     /* blocks whose exact sums took plain additions, two windows, bins; of each
                             * sum on a GPU tiles of a thread: at once, at the second try, by limbs */
    const char *reader;     /* "pread", "direct", "uring", "stream", "mixed"; "none": nothing to read */
    const char *jit;        /* step from kernel text to machine code, "a" .. "d"; NULL: on the CPU */
} onepass_result;

/* Reduces one array: the input, or with ninputs > 1 the C-order elements of all inputs one after the
 * other.  *out is the caller's, to be freed by onepass_result_free; nothing is returned on error. */
int onepass_run(onepass_context *ctx, const onepass_program *program, const onepass_input *inputs,
                size_t ninputs, const onepass_options *options, onepass_result **out,
                onepass_error *err);
void onepass_result_free(onepass_result *result); /* accepts NULL */

/* The plan of such a run as text, several lines, each ended by a newline; reads metadata only.
 * *out is the caller's, to be freed by free(). */
int onepass_explain(onepass_context *ctx, const onepass_program *program, const onepass_input *inputs,
                    size_t ninputs, const onepass_options *options, char **out, onepass_error *err);

/* The CUDA kernels of such a run as text, whether there is a GPU or not; otherwise the same. */
int onepass_explain_cuda(onepass_context *ctx, const onepass_program *program,
                         const onepass_input *inputs, size_t ninputs, const onepass_options *options,
                         char **out, onepass_error *err);

/* ---- benchmarks ------------------------------------------------------------------------------ */

typedef struct onepass_bench_options {
    size_t size;
    int runs;        /* that are timed, 1 .. 10000 */
    int warmup;      /* before those, 0 .. 10000 */
    uint64_t nbytes; /* of data to make where there is no file */
    int skip_nan;    /* as in onepass_options */
} onepass_bench_options;
#define ONEPASS_BENCH_OPTIONS_INIT                                                                     \
    { sizeof(onepass_bench_options), 10, 1, UINT64_C(1) << 30, 0 }

#define ONEPASS_NO_ULPS UINT64_MAX /* one of two values is a finite number, the other is not */

/* One way to compute the same. */
typedef struct onepass_bench_row {
    size_t size;
    const char *name;            /* "naive", "fused inexact", "onepass exact" */
    const char *reads;           /* where its data lie: "memory", "file" */
    uint64_t passes;             /* over all elements, of the data or of intermediate results */
    uint64_t intermediate_bytes; /* of results written to memory between passes */
    uint64_t moved_bytes;        /* read and written by all passes, as declared, not as measured */
    const double *seconds;       /* of each run, in their order */
    double median_seconds;
    double spread; /* half the distance between the quartiles over the median; NaN of a single run */
    double bytes_per_second;     /* bytes of the data over the median */
    double speedup;              /* the first row's median over this one's */
    uint64_t ndistinct;          /* different results, all values taken together, among the runs */
    const onepass_value *values; /* of the last run, as many as the program has columns */
    const uint64_t *ulps; /* of each: binary64 numbers from the exact value to it, or ONEPASS_NO_ULPS */
    const char *reader;   /* how its last run read: "memory", else as in onepass_result */
} onepass_bench_row;

typedef struct onepass_bench_report {
    size_t size;
    size_t nrows;
    const onepass_bench_row *rows; /* the naive one first, onepass itself last */
    size_t nvalues;
    int runs, warmup, threads;
    uint64_t nbytes; /* of the data */
    int made;        /* the data were made: `series` of `seed` and the element's number */
    uint64_t seed;
    const char *series;           /* "normal" (onepass(1) says how), or "random bits" of integers */
    const onepass_result *result; /* of onepass's last run */
    const char *fault; /* NULL: every run of onepass gave the values that one thread of portable code
                          gives; else which did not */
} onepass_bench_report;

/* Measures a program on one input: what passes with intermediate arrays cost, what fusing them saves,
 * and what exactness costs then.  input->path NULL: data are made, in memory, of its element type (f32)
 * and byte order.  A file must be a regular one.  Runs of the rows take turns.  The progress callback
 * is called between runs.  *out is the caller's, to be freed by onepass_bench_report_free. */
int onepass_bench(onepass_context *ctx, const onepass_program *program, const onepass_input *input,
                  const onepass_bench_options *options, onepass_bench_report **out, onepass_error *err);
void onepass_bench_report_free(onepass_bench_report *report); /* accepts NULL */

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct onepass_name {
    size_t size;
    const char *group; /* "map", "operator", "reduction", "alias" */
    const char *name;
    const char *usage; /* "pow(b)"; of a dtype: its other spellings; of a format: extensions */
    const char *doc;
} onepass_name;

/* The k-th op or reduction, element type, input format; 0 after the last.  Static storage. */
int onepass_op(size_t k, onepass_name *out);
int onepass_dtype(size_t k, onepass_name *out);
int onepass_format(size_t k, onepass_name *out);

/* Up to three of names[0 .. nnames) that a writer of `word` may have meant, nearest first.
 * Returns how many were put into best[]. */
size_t onepass_nearest(const char *word, size_t nbytes, const char *const *names, size_t nnames,
                       const char *best[3]);

#ifdef __cplusplus
}
#endif
#endif
