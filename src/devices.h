/* Where a run is wished to compute, and which GPUs there are. */
#ifndef DEVICES_H
#define DEVICES_H

#include "cuda_api.h"
#include "onepass.h"

#define MOST_GPUS 64

enum device_kind { DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA };

/* "auto" (NULL: the same), "cpu", "cuda", "cuda:LIST". */
struct device_wish {
    enum device_kind kind;
    char list[1024]; /* behind "cuda:": "0,1", "all", "GPU-..."; "": the first GPU */
};

/* The words alone, without a look at what there is: 0 or ONEPASS_BAD_ARGUMENT. */
int device_wish_parse(const char *text, struct device_wish *out, onepass_error *err);

/* Opens the driver, starts it and counts GPUs: at least one, or ONEPASS_NO_DEVICE.  Making a device
 * ready to compute (a context) is not part of it. */
int devices_open(struct cuda_driver *driver, size_t *ngpus, onepass_error *err);

/* What GPU `number` is; ONEPASS_NO_DEVICE where the driver does not tell. */
int devices_describe(const struct cuda_driver *driver, size_t number, onepass_gpu *out,
                     onepass_error *err);

/* Numbers of the GPUs that a DEVICE_CUDA or DEVICE_AUTO wish means, in its order, all below ngpus and
 * different; numbers[] has room for MOST_GPUS.  A GPU that is not there: ONEPASS_NO_DEVICE. */
int devices_choose(const struct cuda_driver *driver, size_t ngpus, const struct device_wish *wish,
                   size_t *numbers, size_t *n, onepass_error *err);

#endif
