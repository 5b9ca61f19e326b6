/* The instruction sets that kernels are compiled for, and which of them this CPU has. */
#include "kernels.h"

#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "block_sums.h"
#include "error.h"

#define DECLARE(isa)                                                                                   \
    extern const struct load_kernels load_kernels_##isa;                                               \
    extern const struct map_kernels map_kernels_##isa;                                                 \
    extern const struct integer_kernels integer_kernels_##isa;                                         \
    extern const struct sum_kernels sum_kernels_##isa;
DECLARE(portable)
extern const struct sum_kernels sum_kernels_noflags;

/* Without an instruction for fma maps read flags, too (guarded_maps.c). */
#ifdef __x86_64__
extern const struct map_kernels map_kernels_guarded, map_kernels_noflags;
#define PORTABLE_MAPS guarded
#define NOFLAGS_MAPS  noflags
#else
#define PORTABLE_MAPS portable
#define NOFLAGS_MAPS  portable
#endif

#define KERNELS2(name, isa, maps, sums)                                                                \
    { name, &load_kernels_##isa, &map_kernels_##maps, &integer_kernels_##isa, &sum_kernels_##sums }
#define KERNELS(name, isa, maps, sums) KERNELS2(name, isa, maps, sums)
const struct kernels kernels_portable = KERNELS("portable", portable, PORTABLE_MAPS, portable);

static int always(void) {
    return 1;
}

#ifdef __x86_64__
DECLARE(avx2)
DECLARE(avx512)

/* x86-64-v3: what the compiler may use under -march=x86-64-v3.  __builtin_cpu_supports knows whether
 * the system saves the registers, but not all of the bits. */
static int has_avx2(void) {
    unsigned a, b, c, d;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
        return 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_F16C) || !(c & bit_MOVBE)) return 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

static int has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
}
#endif

/* Best first. */
static const struct {
    struct kernels kernels;
    int (*runs)(void);
} table[] = {
#ifdef __x86_64__
    {KERNELS("avx512", avx512, avx512, avx512), has_avx512},
    {KERNELS("avx2", avx2, avx2, avx2), has_avx2},
#endif
    {KERNELS("portable", portable, PORTABLE_MAPS, portable), always},
    {KERNELS("noflags", portable, NOFLAGS_MAPS, noflags), always},
};
#define NKERNELS (sizeof table / sizeof *table)

int kernels_find(const char *name, const struct kernels **out, onepass_error *err) {
    int usable = block_sums_flags_work();
    for (size_t k = 0; k < NKERNELS; k++) {
        const struct kernels *candidate = *out = &table[k].kernels;
        if (name != NULL && strcmp(name, candidate->name) != 0) continue;
        int is_last = k + 1 == NKERNELS; /* it needs no flags */
        if (table[k].runs() && (usable || is_last)) return 0;
        if (name != NULL)
            return error_set(err, ONEPASS_NO_DEVICE,
                             "the instruction set '%s' is not usable on this CPU", name);
    }
    error_set(err, ONEPASS_BAD_ARGUMENT, "the instruction set '%s' is not known", name);
    error_hint(err, "portable, avx2, avx512 and noflags are");
    return ONEPASS_BAD_ARGUMENT;
}
