/* The functions of NVIDIA's driver, NVRTC and nvJitLink that onepass uses, found at run time by dlopen:
 * a binary runs where there is none of them, and is built where there is no toolkit.  Types and
 * constants are as in cuda.h, nvrtc.h and nvJitLink.h (tests/gpu/api_check.c compares them where those
 * are there); the functions' table is cuda_api.def. */
#ifndef CUDA_API_H
#define CUDA_API_H

#include <stddef.h>
#include <stdint.h>

#include "onepass.h"

/* ---- the driver: CUresult, CUdevice, CUdeviceptr ... ----------------------------------------- */

typedef unsigned cu_result; /* 0: good; others only through cuda_check, but for those below */
typedef int cu_device;
typedef unsigned long long cu_pointer; /* into device memory */
typedef struct CUctx_st *cu_context;
typedef struct CUmod_st *cu_module;
typedef struct CUfunc_st *cu_function;
typedef struct CUstream_st *cu_stream;
typedef struct CUevent_st *cu_event;
typedef struct CUlinkState_st *cu_link;
struct CUuuid_st; /* CU_UUID_BYTES bytes */

#define CU_UUID_BYTES 16

enum {
    CU_SUCCESS = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_NO_DEVICE = 100,
    CU_INVALID_IMAGE = 200,
    CU_NO_BINARY_FOR_GPU = 209,
    CU_JIT_COMPILER_NOT_FOUND = 221,
    CU_UNSUPPORTED_PTX_VERSION = 222
};

enum { /* of device_get_attribute */
       CU_MULTIPROCESSOR_COUNT = 16,
       CU_PCI_BUS_ID = 33,
       CU_PCI_DEVICE_ID = 34,
       CU_PCI_DOMAIN_ID = 50,
       CU_COMPUTE_CAPABILITY_MAJOR = 75,
       CU_COMPUTE_CAPABILITY_MINOR = 76,
       CU_SINGLE_TO_DOUBLE_RATIO = 87 /* single-precision rate over that of double precision */
};

enum { /* flags */
       CU_HOST_REGISTER_PORTABLE = 1,
       CU_STREAM_NONBLOCKING = 1, /* does not wait for stream 0 */
       CU_EVENT_BLOCKING = 1,     /* event_synchronize sleeps instead of spinning */
       CU_EVENT_NO_TIMING = 2
};

enum { /* link_create's options, link_add_data's types */
       CU_LINK_INFO_LOG = 3,
       CU_LINK_INFO_LOG_BYTES = 4,
       CU_LINK_ERROR_LOG = 5,
       CU_LINK_ERROR_LOG_BYTES = 6,
       CU_LINK_CUBIN = 0,
       CU_LINK_PTX = 1
};

/* ---- NVRTC and nvJitLink --------------------------------------------------------------------- */

typedef unsigned nvrtc_result; /* 0: good */
typedef struct _nvrtcProgram *nvrtc_program;

enum { NVRTC_COMPILATION_FAILED = 6 };

typedef unsigned nvjitlink_result; /* 0: good */
typedef struct nvJitLink *nvjitlink_handle;

enum { NVJITLINK_CUBIN = 1, NVJITLINK_PTX = 2 };

/* ---- the libraries --------------------------------------------------------------------------- */

struct cuda_driver {
    void *library;
    int version; /* the newest CUDA that it supports: 13000 for 13.0 */
#define DRIVER(member, symbol, parameters) cu_result(*member) parameters;
#include "cuda_api.def"
};

struct nvrtc {
    void *library;
    int major, minor;
#define NVRTC(returns, member, symbol, parameters) returns(*member) parameters;
#include "cuda_api.def"
};

struct nvjitlink {
    void *library;
    int major, minor; /* minor -1: an older one, which does not say */
#define NVJITLINK(member, symbol, parameters) nvjitlink_result(*member) parameters;
#include "cuda_api.def"
};

/* Each opens a library and looks up all its functions.  0, or ONEPASS_NO_DEVICE: the message names the
 * library or the function that is missing; *out is then all zero.  None of them starts anything on a
 * device: init is the caller's.
 *
 * dir: the only directory to look into, for tests; NULL: where the loader looks, then where toolkits
 * are put.  Of NVRTC the newest is taken that driver_version (0: any) supports, else the newest;
 * nvJitLink's major version must be NVRTC's. */
int cuda_driver_open(const char *dir, struct cuda_driver *out, onepass_error *err);
int nvrtc_open(const char *dir, int driver_version, struct nvrtc *out, onepass_error *err);
int nvjitlink_open(const char *dir, int major, struct nvjitlink *out, onepass_error *err);

/* Accept one that was not opened, and leave it so.  Libraries stay in the process: their threads and
 * handlers at exit do not survive being unmapped. */
void cuda_driver_close(struct cuda_driver *driver);
void nvrtc_close(struct nvrtc *nvrtc);
void nvjitlink_close(struct nvjitlink *nvjitlink);

/* 0 for CU_SUCCESS; of other results ONEPASS_NO_DEVICE with "WHAT: name of the error: its text". */
int cuda_check(const struct cuda_driver *driver, cu_result result, const char *what,
               onepass_error *err);

#endif
