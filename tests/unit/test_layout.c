/* Where the elements of raw data lie: --offset, --count, --stride and --shape on regular files. */
#include <limits.h>

#include "check.h"
#include "gather.h"

static void fault_17_files_around_a_whole_number_of_pieces(void) {
    static unsigned char bytes[64 * 4 + 8];
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k * 7);
    for (size_t n = 0; n <= 66; n++) {
        onepass_input in = input(test_file("x.u32", bytes, n * 4), NULL);
        for (size_t capacity = 4; capacity <= 64; capacity *= 4) {
            struct gathered g = gather(&in, capacity + 3, 128); /* 3 bytes are no element */
            CHECK(g.rc == 0 && g.nelems == n && g.nbytes == 4 * n);
            CHECK(g.nextents == (n * 4 + capacity - 1) / capacity);
            for (size_t k = 0; k < n; k++) {
                uint32_t want = bytes[4 * k] | bytes[4 * k + 1] << 8 | bytes[4 * k + 2] << 16 |
                                (uint32_t)bytes[4 * k + 3] << 24;
                CHECK(g.values[k] == want);
            }
            free_values(&g);
        }
    }
}

static void fault_19_offsets_of_every_kind(void) {
    static const struct {
        const char *dtype;
        unsigned itemsize;
    } types[] = {{"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8}};
    for (size_t t = 0; t < 4; t++)
        for (uint64_t offset = 0; offset <= 17; offset++) {
            uint64_t n = (200 - offset) / types[t].itemsize;
            onepass_input in =
                input(counting_file("x.bin", (size_t)(offset + n * types[t].itemsize)), types[t].dtype);
            in.has_offset = 1;
            in.offset_bytes = offset;
            struct gathered g = gather(&in, 24, 256);
            CHECKF(g.rc == 0 && g.nelems == n, "%s at %d", types[t].dtype, (int)offset);
            for (uint64_t k = 0; k < n && types[t].itemsize < 8; k++) {
                double want = 0;
                for (unsigned b = types[t].itemsize; b-- > 0;)
                    want = want * 256 + counting_bytes[offset + k * types[t].itemsize + b];
                CHECKF(g.values[k] == want, "%s at %d", types[t].dtype, (int)offset);
            }
            CHECK(g.source.has_layout && g.source.offset_bytes == offset && g.source.count == n);
            free_values(&g);
        }
}

static void strides_take_every_k_th(void) {
    for (uint64_t n = 0; n <= 40; n++)
        for (uint64_t stride = 1; stride <= 9; stride++)
            for (size_t capacity = 2; capacity <= 50; capacity += 16) {
                onepass_input in = input(counting_file("x.u16", (size_t)(2 * n)), NULL);
                in.stride = stride;
                struct gathered g = gather(&in, capacity, 64);
                uint64_t want = (n + stride - 1) / stride;
                CHECKF(g.rc == 0 && g.nelems == want, "n %d stride %d", (int)n, (int)stride);
                CHECK(g.nbytes <= 2 * n);
                for (uint64_t k = 0; k < want; k++)
                    CHECK(g.values[k] ==
                          counting_bytes[2 * k * stride] + 256 * counting_bytes[2 * k * stride + 1]);
                CHECK(g.place.step == stride && g.place.shape[0] == want && g.source.stride == stride);
                free_values(&g);
            }
}

static void a_stride_beyond_the_buffer_reads_nothing_between(void) {
    onepass_input in = input(counting_file("x.u8", 256), NULL);
    in.stride = 100;
    struct gathered g = gather(&in, 16, 16);
    CHECK(g.rc == 0 && g.nelems == 3 && g.nextents == 3 && g.nbytes == 3);
    CHECK(g.values[0] == 0 && g.values[1] == 100 && g.values[2] == 200);
    free_values(&g);
    in.stride = INT64_MAX;
    g = gather(&in, 16, 16);
    CHECK(g.rc == 0 && g.nelems == 1);
    free_values(&g);
    in.stride = UINT64_MAX;
    g = gather(&in, 16, 16);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "the stride may be up to");
}

static void fault_23_left_over_bytes(void) {
    static unsigned char bytes[1003];
    onepass_input in = input(test_file("x.f32", bytes, 1003), NULL);
    struct gathered g = gather(&in, 64, 256);
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "1003 bytes of f32: 3 left-over bytes");
    CHECK(strstr(g.err.hint, "--count 250") != NULL);
    in.count = 250;
    g = gather(&in, 64, 256);
    CHECK(g.rc == 0 && g.nelems == 250);
    free_values(&g);
    in.count = ONEPASS_ALL;
    in.has_offset = 1;
    in.offset_bytes = 2;
    g = gather(&in, 64, 256);
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "1001 bytes of f32: 1 left-over byte");
    in.offset_bytes = 3;
    g = gather(&in, 64, 256);
    CHECK(g.rc == 0 && g.nelems == 250);
    free_values(&g);
    in.offset_bytes = 0;
    in.stride = 50; /* whatever lies behind the last strided element counts too */
    g = gather(&in, 64, 256);
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "3 left-over bytes");
}

static void fault_23_counts_and_offsets_past_the_end(void) {
    onepass_input in = input(counting_file("x.f32", 100), NULL);
    in.count = 26;
    struct gathered g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END,
                   "count 26 reaches past the end: there are 25 elements of f32 (100 bytes)");
    in.count = 25;
    g = gather(&in, 64, 64);
    CHECK(g.rc == 0 && g.nelems == 25);
    free_values(&g);
    in.count = 0;
    g = gather(&in, 64, 64);
    CHECK(g.rc == 0 && g.nelems == 0);
    free_values(&g);
    in.count = UINT64_MAX - 1;
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "count 18446744073709551614");
    in.count = 13;
    in.stride = 2; /* the 13th lies at 24 of 25 */
    g = gather(&in, 64, 64);
    CHECK(g.rc == 0 && g.nelems == 13);
    free_values(&g);
    in.count = 14;
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "there are 13 elements");
    in = input(in.path, NULL);
    in.has_offset = 1;
    in.offset_bytes = 100;
    g = gather(&in, 64, 64);
    CHECK(g.rc == 0 && g.nelems == 0);
    free_values(&g);
    in.offset_bytes = 101;
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "offset 101 is past the end: there are 100 bytes");
    in.count = 0;
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "offset 101 is past the end");
    in.count = ONEPASS_ALL;
    in.offset_bytes = UINT64_MAX;
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "offset 18446744073709551615");
}

static struct gathered gather_shape(const char *path, uint64_t count, int ndim, int64_t a, int64_t b,
                                    int64_t c) {
    onepass_input in = input(path, NULL);
    in.count = count;
    in.ndim = ndim;
    in.shape[0] = a;
    in.shape[1] = b;
    in.shape[2] = c;
    return gather(&in, 64, 64);
}

static void shapes(void) {
    const char *path = counting_file("x.u8", 24);
    struct gathered g = gather_shape(path, ONEPASS_ALL, 3, 2, 3, 4);
    CHECK(g.rc == 0 && g.nelems == 24 && g.place.ndim == 3 && g.place.shape[2] == 4 &&
          !g.source.has_layout);
    free_values(&g);
    g = gather_shape(path, ONEPASS_ALL, 3, 2, -1, 4);
    CHECK(g.rc == 0 && g.place.shape[1] == 3);
    free_values(&g);
    g = gather_shape(path, 16, 3, 2, -1, 4);
    CHECK(g.rc == 0 && g.nelems == 16 && g.place.shape[1] == 2);
    free_values(&g);
    g = gather_shape(path, ONEPASS_ALL, 2, 4, 5, 0); /* a shape is a count */
    CHECK(g.rc == 0 && g.nelems == 20);
    free_values(&g);
    g = gather_shape(path, ONEPASS_ALL, 2, 3, 0, 0);
    CHECK(g.rc == 0 && g.nelems == 0 && g.place.ndim == 2);
    free_values(&g);
    g = gather_shape(path, ONEPASS_ALL, 2, 5, -1, 0);
    GATHERED_ERROR(g, ONEPASS_SHAPE_MISMATCH, "24 elements do not fill");
    g = gather_shape(path, ONEPASS_ALL, 2, 5, 5, 0);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "a shape of 25 elements");
    g = gather_shape(path, 24, 2, 5, 4, 0);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "the shape has 20 elements, the count says 24");
    g = gather_shape(path, ONEPASS_ALL, 2, -1, -1, 0);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "at most one may be -1");
    g = gather_shape(path, ONEPASS_ALL, 2, -2, 3, 0);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "0 or more");
    g = gather_shape(path, ONEPASS_ALL, 2, -1, 0, 0);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "-1 beside a 0");
    g = gather_shape(path, ONEPASS_ALL, 33, 1, 1, 1);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "1 to 32 dimensions");
    onepass_input in = input(path, NULL);
    in.ndim = 1;
    in.shape[0] = 3;
    in.stride = 2;
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "exclude each other");
}

static void fault_16_a_shape_whose_product_wraps(void) {
    const char *path = counting_file("x.u8", 24);
    const int64_t two_32 = INT64_C(1) << 32;
    struct gathered g = gather_shape(path, ONEPASS_ALL, 2, two_32, two_32, 0);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "more than 2^64 elements");
    g = gather_shape(path, ONEPASS_ALL, 3, two_32, two_32, 0); /* in any order: 0 elements */
    CHECK(g.rc == 0 && g.nelems == 0);
    free_values(&g);
    g = gather_shape(path, ONEPASS_ALL, 2, 3037000500, 3037000500, 0); /* > 2^63 */
    GATHERED_ERROR(g, ONEPASS_PAST_END, "9223372037000250000");
    g = gather_shape(path, ONEPASS_ALL, 2, 65536, 65537, 0); /* wraps in 32 bits to 65536 */
    GATHERED_ERROR(g, ONEPASS_PAST_END, "4295032832");
}

static void fault_16_sizes_around_2_31_and_2_32(void) {
    static const uint64_t sizes[] = {UINT64_C(0x7fffffff),  UINT64_C(0x80000000),
                                     UINT64_C(0x80000001),  UINT64_C(0xffffffff),
                                     UINT64_C(0x100000000), UINT64_C(0x100000001)};
    const char *path = test_file("x.u8", "", 0);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (truncate(path, (off_t)sizes[k]) != 0) {
            SKIP("no room for sparse files of 4 GiB");
            return;
        }
        onepass_input in = input(path, NULL);
        struct gathered g = gather(&in, (1 << 20) - 1, 0); /* the extents only, without reading */
        CHECKF(g.rc == 0 && g.nelems == sizes[k] && g.nbytes == sizes[k], "%s", g.err.message);
        CHECK(g.source.total_bytes == sizes[k] && g.place.shape[0] == sizes[k]);
        free_values(&g);
        in.has_offset = 1; /* the last elements, really read */
        in.offset_bytes = sizes[k] - 40;
        int fd = open(path, O_WRONLY);
        CHECK(pwrite(fd, "\3\5", 2, (off_t)sizes[k] - 2) == 2 && close(fd) == 0);
        g = gather(&in, 7, 64);
        CHECK(g.rc == 0 && g.nelems == 40 && g.values[38] == 3 && g.values[39] == 5 &&
              g.values[0] == 0);
        free_values(&g);
        CHECK(truncate(path, 0) == 0);
    }
    unlink(path);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"fault_17_files_around_a_whole_number_of_pieces",
         fault_17_files_around_a_whole_number_of_pieces},
        {"fault_19_offsets_of_every_kind", fault_19_offsets_of_every_kind},
        {"layout_strides_take_every_k_th", strides_take_every_k_th},
        {"layout_a_stride_beyond_the_buffer", a_stride_beyond_the_buffer_reads_nothing_between},
        {"fault_23_left_over_bytes", fault_23_left_over_bytes},
        {"fault_23_counts_and_offsets_past_the_end", fault_23_counts_and_offsets_past_the_end},
        {"layout_shapes", shapes},
        {"fault_16_a_shape_whose_product_wraps", fault_16_a_shape_whose_product_wraps},
        {"fault_16_sizes_around_2_31_and_2_32", fault_16_sizes_around_2_31_and_2_32},
    };
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
