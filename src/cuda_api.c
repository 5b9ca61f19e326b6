/* Opening NVIDIA's libraries and filling the tables of their functions. */
#include "cuda_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

/* Function pointers are stored through this: ISO C has no conversion from dlsym's void *. */
typedef void (*any_function)(void);

/* Where a symbol's pointer goes in a struct. */
struct entry {
    const char *symbol;
    size_t offset;
};

static const struct entry DRIVER_TABLE[] = {
#define DRIVER(member, symbol, parameters) {#symbol, offsetof(struct cuda_driver, member)},
#include "cuda_api.def"
};

static const struct entry NVRTC_TABLE[] = {
#define NVRTC(returns, member, symbol, parameters) {#symbol, offsetof(struct nvrtc, member)},
#include "cuda_api.def"
};

static const struct entry NVJITLINK_TABLE[] = {
#define NVJITLINK(member, symbol, parameters) {#symbol, offsetof(struct nvjitlink, member)},
#include "cuda_api.def"
};

/* Of toolkits, newest first. */
static const int MAJORS[] = {13, 12};
enum { NMAJORS = sizeof(MAJORS) / sizeof(MAJORS[0]) };

/* Where toolkits are put without the loader being told. */
static const char *const PLACES[] = {"/usr/local/cuda/lib64", "/usr/local/cuda/lib", "/opt/cuda/lib64",
                                     "/usr/lib/wsl/lib"};

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))

static void *open_at(const char *dir, const char *name) {
    char path[4096];
    int length = snprintf(path, sizeof(path), "%s%s%s", dir ? dir : "", dir ? "/" : "", name);
    if (length < 0 || (size_t)length >= sizeof(path)) return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static void *open_library(const char *dir, const char *name) {
    void *library = open_at(dir, name);
    for (size_t k = 0; !dir && !library && k < LENGTH(PLACES); k++)
        library = open_at(PLACES[k], name);
    return library;
}

/* major: 0, or the number in symbols of the form __NAME_13_0. */
static int look_up(void *library, const char *name, const struct entry *table, size_t n, int major,
                   void *out, onepass_error *err) {
    for (size_t k = 0; k < n; k++) {
        char symbol[80];
        if (major)
            snprintf(symbol, sizeof(symbol), "__%s_%d_0", table[k].symbol, major);
        else
            snprintf(symbol, sizeof(symbol), "%s", table[k].symbol);
        void *found = dlsym(library, symbol);
        if (!found) return error_set(err, ONEPASS_NO_DEVICE, "%s has no function %s", name, symbol);
        memcpy((char *)out + table[k].offset, &found, sizeof(any_function));
    }
    return 0;
}

static void *load(const char *dir, const char *name, const char *what, onepass_error *err) {
    void *library = open_library(dir, name);
    if (!library) error_set(err, ONEPASS_NO_DEVICE, "%s: %s not found", what, name);
    return library;
}

int cuda_driver_open(const char *dir, struct cuda_driver *out, onepass_error *err) {
    static const char NAME[] = "libcuda.so.1";
    memset(out, 0, sizeof(*out));
    out->library = load(dir, NAME, "no NVIDIA driver", err);
    if (!out->library) return ONEPASS_NO_DEVICE;
    int status = look_up(out->library, NAME, DRIVER_TABLE, LENGTH(DRIVER_TABLE), 0, out, err);
    if (!status) /* works before init */
        status = cuda_check(out, out->driver_get_version(&out->version), "version of the driver", err);
    if (status) cuda_driver_close(out);
    return status;
}

/* The newest that the driver supports, else the newest. */
static void *load_nvrtc(const char *dir, int driver_version, char *name, size_t capacity) {
    for (int newer = 0; newer < 2; newer++)
        for (int k = 0; k < NMAJORS; k++) {
            if ((driver_version && MAJORS[k] > driver_version / 1000) != newer) continue;
            snprintf(name, capacity, "libnvrtc.so.%d", MAJORS[k]);
            void *library = open_library(dir, name);
            if (library) return library;
        }
    return NULL;
}

int nvrtc_open(const char *dir, int driver_version, struct nvrtc *out, onepass_error *err) {
    char name[32];
    memset(out, 0, sizeof(*out));
    out->library = load_nvrtc(dir, driver_version, name, sizeof(name));
    if (!out->library)
        return error_set(err, ONEPASS_NO_DEVICE, "no NVRTC: neither libnvrtc.so.%d nor .%d found",
                         MAJORS[0], MAJORS[NMAJORS - 1]);
    int status = look_up(out->library, name, NVRTC_TABLE, LENGTH(NVRTC_TABLE), 0, out, err);
    if (!status && out->version(&out->major, &out->minor))
        status = error_set(err, ONEPASS_NO_DEVICE, "%s does not say its version", name);
    if (status) nvrtc_close(out);
    return status;
}

int nvjitlink_open(const char *dir, int major, struct nvjitlink *out, onepass_error *err) {
    char name[32];
    memset(out, 0, sizeof(*out));
    snprintf(name, sizeof(name), "libnvJitLink.so.%d", major);
    out->library = load(dir, name, "no nvJitLink", err);
    if (!out->library) return ONEPASS_NO_DEVICE;
    int status = look_up(out->library, name, NVJITLINK_TABLE, LENGTH(NVJITLINK_TABLE), major, out, err);
    if (status) {
        nvjitlink_close(out);
        return status;
    }
    unsigned found_major = (unsigned)major, found_minor = 0;
    nvjitlink_result (*version)(unsigned *, unsigned *) = NULL;
    void *symbol = dlsym(out->library, "nvJitLinkVersion");
    memcpy(&version, &symbol, sizeof(version));
    int said = version && version(&found_major, &found_minor) == 0;
    out->major = major;
    out->minor = said ? (int)found_minor : -1;
    return 0;
}

static void close_library(void *library) {
    if (library) dlclose(library);
}

void cuda_driver_close(struct cuda_driver *driver) {
    close_library(driver->library);
    memset(driver, 0, sizeof(*driver));
}

void nvrtc_close(struct nvrtc *nvrtc) {
    close_library(nvrtc->library);
    memset(nvrtc, 0, sizeof(*nvrtc));
}

void nvjitlink_close(struct nvjitlink *nvjitlink) {
    close_library(nvjitlink->library);
    memset(nvjitlink, 0, sizeof(*nvjitlink));
}

int cuda_check(const struct cuda_driver *driver, cu_result result, const char *what,
               onepass_error *err) {
    if (result == CU_SUCCESS) return 0;
    const char *name = NULL, *text = NULL;
    if (driver->get_error_name(result, &name) || !name)
        return error_set(err, ONEPASS_NO_DEVICE, "%s: CUDA error %u", what, result);
    if (driver->get_error_string(result, &text) || !text) text = "no text";
    return error_set(err, ONEPASS_NO_DEVICE, "%s: %s (%s)", what, name, text);
}
