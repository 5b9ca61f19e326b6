/* Compares cuda_api.h and cuda_api.def with NVIDIA's own headers; compiling it is the test.
 *
 * Where a toolkit's headers define a function under another version's name by a macro (cuMemAlloc is
 * cuMemAlloc_v2), the table's symbol is what the macro gives. */
#include "cuda_api.h"

#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#define SAME_TYPE(a, b)                                                                                \
    _Static_assert(__builtin_types_compatible_p(a, b), "declarations differ: " #a " and " #b)
#define SAME(a, b) _Static_assert((unsigned)(a) == (unsigned)(b), "constants differ: " #a)

#define DRIVER(member, symbol, parameters)                                                             \
    SAME_TYPE(__typeof__(*((struct cuda_driver *)0)->member), __typeof__(symbol));
#define NVRTC(returns, member, symbol, parameters)                                                     \
    SAME_TYPE(__typeof__(*((struct nvrtc *)0)->member), __typeof__(symbol));
#if CUDA_VERSION >= 13000 /* the version is in the names: older headers have many others */
#define NVJITLINK(member, symbol, parameters)                                                          \
    SAME_TYPE(__typeof__(*((struct nvjitlink *)0)->member), __typeof__(__##symbol##_13_0));
#endif
#include "cuda_api.def"

SAME_TYPE(cu_result, CUresult);
SAME_TYPE(cu_device, CUdevice);
SAME_TYPE(cu_pointer, CUdeviceptr);
SAME_TYPE(cu_context, CUcontext);
SAME_TYPE(cu_module, CUmodule);
SAME_TYPE(cu_function, CUfunction);
SAME_TYPE(cu_stream, CUstream);
SAME_TYPE(cu_event, CUevent);
SAME_TYPE(cu_link, CUlinkState);
SAME_TYPE(nvrtc_result, nvrtcResult);
SAME_TYPE(nvrtc_program, nvrtcProgram);
SAME_TYPE(nvjitlink_result, nvJitLinkResult);
SAME_TYPE(nvjitlink_handle, nvJitLinkHandle);
_Static_assert(sizeof(CUuuid) == CU_UUID_BYTES, "bytes of a uuid");

SAME(CU_SUCCESS, CUDA_SUCCESS);
SAME(CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME(CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(CU_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE);
SAME(CU_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(CU_JIT_COMPILER_NOT_FOUND, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
SAME(CU_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(CU_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(CU_PCI_BUS_ID, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
SAME(CU_PCI_DEVICE_ID, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
SAME(CU_PCI_DOMAIN_ID, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
SAME(CU_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(CU_COMPUTE_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(CU_SINGLE_TO_DOUBLE_RATIO, CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
SAME(CU_HOST_REGISTER_PORTABLE, CU_MEMHOSTREGISTER_PORTABLE);
SAME(CU_STREAM_NONBLOCKING, CU_STREAM_NON_BLOCKING);
SAME(CU_EVENT_BLOCKING, CU_EVENT_BLOCKING_SYNC);
SAME(CU_EVENT_NO_TIMING, CU_EVENT_DISABLE_TIMING);
SAME(CU_LINK_INFO_LOG, CU_JIT_INFO_LOG_BUFFER);
SAME(CU_LINK_INFO_LOG_BYTES, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME(CU_LINK_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER);
SAME(CU_LINK_ERROR_LOG_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(CU_LINK_CUBIN, CU_JIT_INPUT_CUBIN);
SAME(CU_LINK_PTX, CU_JIT_INPUT_PTX);
SAME(NVRTC_COMPILATION_FAILED, NVRTC_ERROR_COMPILATION);
SAME(NVJITLINK_CUBIN, NVJITLINK_INPUT_CUBIN);
SAME(NVJITLINK_PTX, NVJITLINK_INPUT_PTX);
