/* Names of devices, and what the driver tells of its GPUs.  Their numbers are the driver's: those after
 * CUDA_VISIBLE_DEVICES, which it reads itself. */
#include "devices.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "number.h"

#define UUID_PREFIX   "GPU-"
#define NUMBER_LENGTH 3 /* digits of a GPU's number, at most */

/* ---- the words ------------------------------------------------------------------------------- */

/* The next item of a list, *at behind it and its comma. */
struct item {
    const char *text;
    size_t nbytes;
};

static int next_item(const char **at, struct item *item) {
    if (*at == NULL) return 0;
    item->text = *at;
    item->nbytes = strcspn(*at, ",");
    *at = item->text[item->nbytes] == ',' ? item->text + item->nbytes + 1 : NULL;
    return 1;
}

static int item_number(const struct item *item, size_t *number) {
    uint64_t value;
    if (item->nbytes > NUMBER_LENGTH) return 0;
    if (number_parse_count(item->text, item->nbytes, &value) != 0) return 0;
    *number = (size_t)value;
    return 1;
}

/* "GPU-" and hexadecimal digits with dashes among them, or the beginning of that. */
static int is_uuid(const struct item *item) {
    size_t prefix = strlen(UUID_PREFIX);
    if (item->nbytes <= prefix || strncasecmp(item->text, UUID_PREFIX, prefix) != 0) return 0;
    for (size_t k = prefix; k < item->nbytes; k++)
        if (!isxdigit((unsigned char)item->text[k]) && item->text[k] != '-') return 0;
    return 1;
}

static int is_same(const struct item *a, const struct item *b) {
    return a->nbytes == b->nbytes && strncasecmp(a->text, b->text, a->nbytes) == 0;
}

static int bad_list(const char *text, onepass_error *err) {
    error_set(err, ONEPASS_BAD_ARGUMENT, "'%s' is no list of GPUs", text);
    error_hint(err, "cuda, cuda:0, cuda:0,1, cuda:all and cuda:GPU-... (a uuid) are; "
                    "--list-devices shows what there is");
    return ONEPASS_BAD_ARGUMENT;
}

static int check_list(const char *list, const char *text, onepass_error *err) {
    struct item item, other;
    size_t number;
    if (strcmp(list, "all") == 0) return 0;
    for (const char *at = list; next_item(&at, &item);) {
        if (!item_number(&item, &number) && !is_uuid(&item)) return bad_list(text, err);
        for (const char *rest = at; next_item(&rest, &other);)
            if (is_same(&item, &other))
                return error_set(err, ONEPASS_BAD_ARGUMENT, "'%s' names GPU %.*s twice", text,
                                 (int)item.nbytes, item.text);
    }
    return 0;
}

int device_wish_parse(const char *text, struct device_wish *out, onepass_error *err) {
    *out = (struct device_wish){.kind = DEVICE_AUTO};
    if (text == NULL || strcmp(text, "auto") == 0) return 0;
    if (strcmp(text, "cpu") == 0) {
        out->kind = DEVICE_CPU;
        return 0;
    }
    if (strncmp(text, "cuda", 4) != 0 || (text[4] != '\0' && text[4] != ':')) {
        error_set(err, ONEPASS_BAD_ARGUMENT, "'%s' is not auto, cpu, cuda or cuda:LIST", text);
        error_hint(err, "LIST is 0,1 or all or a GPU's uuid");
        return ONEPASS_BAD_ARGUMENT;
    }
    out->kind = DEVICE_CUDA;
    if (text[4] == '\0') return 0;
    if (strlen(text + 5) >= sizeof out->list) return bad_list("cuda:...", err);
    strcpy(out->list, text + 5);
    return check_list(out->list, text, err);
}

int onepass_device_check(const char *text, onepass_error *err) {
    struct device_wish wish;
    return device_wish_parse(text, &wish, err);
}

/* ---- what there is --------------------------------------------------------------------------- */

int devices_open(struct cuda_driver *driver, size_t *ngpus, onepass_error *err) {
    int count = 0;
    *ngpus = 0;
    int rc = cuda_driver_open(NULL, driver, err);
    if (rc != 0) {
        error_hint(err, "--device cpu computes the same without a GPU");
        return rc;
    }
    cu_result started = driver->init(0);
    if (started == CU_SUCCESS) started = driver->device_get_count(&count);
    if (started == CU_NO_DEVICE || (started == CU_SUCCESS && count <= 0))
        rc = error_set(err, ONEPASS_NO_DEVICE,
                       "the NVIDIA driver sees no GPU (CUDA_VISIBLE_DEVICES can hide them)");
    else
        rc = cuda_check(driver, started, "cannot start the NVIDIA driver", err);
    *ngpus = count < MOST_GPUS ? (size_t)count : MOST_GPUS;
    if (rc == 0) return 0;
    error_hint(err, "--device cpu computes the same without a GPU");
    cuda_driver_close(driver);
    return rc;
}

static void format_uuid(const unsigned char *b, char *out, size_t capacity) {
    snprintf(out, capacity,
             UUID_PREFIX "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
             b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
             b[15]);
}

int devices_describe(const struct cuda_driver *driver, size_t number, onepass_gpu *out,
                     onepass_error *err) {
    static const char what[] = "cannot ask the GPU what it is";
    unsigned char uuid[CU_UUID_BYTES];
    size_t nbytes = 0;
    cu_device device;
    struct {
        int *to;
        unsigned attribute;
    } wanted[] = {{&out->major, CU_COMPUTE_CAPABILITY_MAJOR},
                  {&out->minor, CU_COMPUTE_CAPABILITY_MINOR},
                  {&out->multiprocessors, CU_MULTIPROCESSOR_COUNT},
                  {&out->single_to_double, CU_SINGLE_TO_DOUBLE_RATIO}};
    *out = (onepass_gpu){.size = sizeof *out, .number = (int)number};
    int rc = cuda_check(driver, driver->device_get(&device, (int)number), what, err);
    if (rc == 0)
        rc =
            cuda_check(driver, driver->device_get_name(out->name, sizeof out->name, device), what, err);
    if (rc == 0)
        rc = cuda_check(driver, driver->device_get_uuid((struct CUuuid_st *)uuid, device), what, err);
    if (rc == 0) rc = cuda_check(driver, driver->device_total_mem(&nbytes, device), what, err);
    for (size_t k = 0; rc == 0 && k < sizeof wanted / sizeof wanted[0]; k++)
        rc = cuda_check(driver, driver->device_get_attribute(wanted[k].to, wanted[k].attribute, device),
                        what, err);
    if (rc != 0) return rc;
    out->name[sizeof out->name - 1] = '\0';
    out->memory_bytes = nbytes;
    format_uuid(uuid, out->uuid, sizeof out->uuid);
    return 0;
}

int onepass_device(size_t k, onepass_gpu *out, onepass_error *err) {
    struct cuda_driver driver;
    size_t ngpus;
    if (devices_open(&driver, &ngpus, err) != 0) return 0;
    int there = k < ngpus && devices_describe(&driver, k, out, err) == 0;
    cuda_driver_close(&driver);
    return there;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* The one GPU whose uuid begins so. */
static int find_uuid(const struct cuda_driver *driver, size_t ngpus, const struct item *item,
                     size_t *number, onepass_error *err) {
    size_t nfound = 0;
    for (size_t k = 0; k < ngpus; k++) {
        onepass_gpu gpu;
        int rc = devices_describe(driver, k, &gpu, err);
        if (rc != 0) return rc;
        if (strncasecmp(gpu.uuid, item->text, item->nbytes) != 0) continue;
        *number = k;
        nfound++;
    }
    if (nfound == 1) return 0;
    error_set(err, ONEPASS_NO_DEVICE, "%s has a uuid that begins with %.*s",
              nfound == 0 ? "no GPU" : "more than one GPU", (int)item->nbytes, item->text);
    error_hint(err, "--list-devices shows what there is");
    return ONEPASS_NO_DEVICE;
}

static int find_number(size_t ngpus, size_t number, onepass_error *err) {
    if (number < ngpus) return 0;
    error_set(err, ONEPASS_NO_DEVICE, "there is no GPU %zu: the driver sees %zu, numbered from 0",
              number, ngpus);
    error_hint(err, "--list-devices shows them; CUDA_VISIBLE_DEVICES can hide some");
    return ONEPASS_NO_DEVICE;
}

int devices_choose(const struct cuda_driver *driver, size_t ngpus, const struct device_wish *wish,
                   size_t *numbers, size_t *n, onepass_error *err) {
    struct item item;
    int all = strcmp(wish->list, "all") == 0;
    *n = 0;
    if (all || wish->list[0] == '\0') {
        for (; *n < (all ? ngpus : 1); ++*n)
            numbers[*n] = *n;
        return 0;
    }
    for (const char *at = wish->list; next_item(&at, &item);) {
        size_t number;
        int rc = item_number(&item, &number) ? find_number(ngpus, number, err)
                                             : find_uuid(driver, ngpus, &item, &number, err);
        if (rc != 0) return rc;
        for (size_t k = 0; k < *n; k++)
            if (numbers[k] == number)
                return error_set(err, ONEPASS_NO_DEVICE, "the list names GPU %zu twice", number);
        numbers[(*n)++] = number;
    }
    return 0;
}
