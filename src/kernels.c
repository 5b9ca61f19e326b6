/* The instruction sets that kernels are compiled for, and which of them this CPU has. */
#include "kernels.h"

#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "block_stats.h"
#include "error.h"

#define DECLARE(isa)                                                                                   \
    extern const struct load_kernels load_kernels_##isa;                                               \
    extern const struct map_kernels map_kernels_##isa;                                                 \
    extern const struct compact_kernels compact_kernels_##isa;                                         \
    extern const struct integer_kernels integer_kernels_##isa;                                         \
    extern const struct sum_kernels sum_kernels_##isa;                                                 \
    extern const struct stats_kernels stats_kernels_##isa;                                             \
    extern const struct inexact_kernels inexact_kernels_##isa;
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
    {                                                                                                  \
        name, &load_kernels_##isa, &map_kernels_##maps, &compact_kernels_##isa,                        \
            &integer_kernels_##isa, &sum_kernels_##sums, &stats_kernels_##isa, &inexact_kernels_##isa  \
    }
#define KERNELS(name, isa, maps, sums) KERNELS2(name, isa, maps, sums)
const struct kernels kernels_portable = KERNELS("portable", portable, NOFLAGS_MAPS, portable);

static int always(void) {
    return 1;
}

#ifndef __x86_64__
static int never(void) {
    return 0;
}
#else
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

/* Best first.  What other architectures have is known by name. */
static const struct {
    struct kernels kernels;
    int (*runs)(void);
    int reads_flags;
} table[] = {
#ifdef __x86_64__
    {KERNELS("avx512", avx512, avx512, avx512), has_avx512, 1},
    {KERNELS("avx2", avx2, avx2, avx2), has_avx2, 1},
#else
    {{.name = "avx512"}, never, 1},
    {{.name = "avx2"}, never, 1},
#endif
    {KERNELS("portable", portable, PORTABLE_MAPS, portable), always, 1},
    {KERNELS("noflags", portable, NOFLAGS_MAPS, noflags), always, 0},
};
#define NKERNELS (sizeof table / sizeof *table)

const char *onepass_isa(size_t k) {
    for (size_t i = 0; i < NKERNELS; i++)
        if (table[i].kernels.maps != NULL && k-- == 0) return table[i].kernels.name;
    return NULL;
}

/* "avx512, avx2, portable and noflags are" */
static void hint_names(onepass_error *err) {
    char names[128];
    size_t n = 0;
    for (size_t k = 0; k < NKERNELS && n < sizeof names; k++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s",
                              k == 0             ? ""
                              : k + 1 < NKERNELS ? ", "
                                                 : " and ",
                              table[k].kernels.name);
    error_hint(err, "%s are", names);
}

int kernels_find(const char *name, const struct kernels **out, onepass_error *err) {
    int usable = block_sums_flags_work();
    for (size_t k = 0; k < NKERNELS; k++) {
        *out = &table[k].kernels;
        if (name != NULL && strcmp(name, table[k].kernels.name) != 0) continue;
        if (table[k].runs() && (usable || !table[k].reads_flags)) return 0;
        if (name != NULL)
            return error_set(err, ONEPASS_NO_DEVICE,
                             "the instruction set '%s' is not usable on this CPU", name);
    }
    error_set(err, ONEPASS_BAD_ARGUMENT, "the instruction set '%s' is not known", name);
    hint_names(err);
    return ONEPASS_BAD_ARGUMENT;
}
