/* Regular files as sources: what they are taken for, and files that misbehave. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "check.h"
#include "gather.h"

/* ---- a pread that misbehaves -------------------------------------------------------------------- */

static size_t pread_limit;      /* most bytes a call gives; 0: as many as asked */
static int pread_interruptions; /* calls that end with EINTR first */
static size_t pread_asked;      /* the largest request seen */

/* In place of libc's for the whole program. */
ssize_t pread(int fd, void *buffer, size_t nbytes, off_t offset) {
    if (nbytes > pread_asked) pread_asked = nbytes;
    if (pread_interruptions > 0) {
        pread_interruptions--;
        errno = EINTR;
        return -1;
    }
    if (pread_limit != 0 && nbytes > pread_limit) nbytes = pread_limit;
    return syscall(SYS_pread64, fd, buffer, nbytes, offset);
}

/* ---- element types ---------------------------------------------------------------------------- */

static void types_by_extension_and_option(void) {
    const unsigned char two[4] = {0, 0, 0, 0x40}; /* 2.0f little-endian */
    struct gathered g = gather_path(test_file("a.f32", two, 4), NULL);
    CHECK(g.rc == 0 && g.nelems == 1 && g.values[0] == 2 && !g.source.big_endian);
    CHECK(strcmp(g.source.ops->name, "raw") == 0 && g.source.dtype == DTYPE_F32);
    free_values(&g);
    g = gather_path(test_file("a.f32be", "\x40\0\0\0", 4), NULL);
    CHECK(g.rc == 0 && g.values[0] == 2 && g.source.big_endian);
    free_values(&g);
    g = gather_path(test_file("a.u16be", "\1\2", 2), "u8"); /* -t wins over the name */
    CHECK(g.rc == 0 && g.nelems == 2 && g.values[0] == 1);
    free_values(&g);
    onepass_input in = input(test_file("a.bin", "\1\2", 2), "u16");
    in.endian = 'b';
    g = gather(&in, 64, 64);
    CHECK(g.rc == 0 && g.values[0] == 258);
    free_values(&g);
    in = input(test_file("a.u16be", "\1\2", 2), NULL);
    in.endian = 'l';
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "big-endian, not little-endian");
    in.dtype = "u16";
    g = gather(&in, 64, 64);
    CHECK(g.rc == 0 && g.values[0] == 513);
    free_values(&g);
    in = input(test_file("a.bin", "\1\2", 2), "u16be");
    in.endian = 'l';
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "big-endian, not little-endian");
}

static void raw_data_without_a_type(void) {
    static const char *const names[] = {"a.bin", "a.raw", "a.dat", "a", "f32", "a.F32x", "a.txt"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct gathered g = gather_path(test_file(names[k], "\1\2\3\4", 4), NULL);
        CHECKF(g.rc == ONEPASS_NO_DTYPE && strstr(g.err.hint, "--dtype") != NULL, "%s: %d", names[k],
               g.rc);
        g = gather_path(test_file(names[k], "", 0), NULL);
        CHECKF(g.rc == ONEPASS_NO_DTYPE, "empty %s: %d", names[k], g.rc);
    }
    struct gathered g = gather_path(test_file("a.f64", "", 0), NULL);
    CHECK(g.rc == 0 && g.nelems == 0 && g.place.ndim == 1 && g.place.shape[0] == 0);
    free_values(&g);
}

/* ---- formats ---------------------------------------------------------------------------------- */

#define MAGIC(bytes) bytes, sizeof bytes - 1

static void known_formats_are_named(void) {
    static const struct {
        const char *bytes;
        size_t nbytes;
        const char *title, *own_name;
        int is_wrapper;
    } formats[] = {
        {MAGIC("\211HDF\r\n\032\n........"), "HDF5", "x.h5", 0},
        {MAGIC("CDF\1...."), "netCDF classic", "x.nc", 0},
        {MAGIC("CDF\2...."), "netCDF classic", "x.nc", 0},
        {MAGIC("CDF\5...."), "netCDF classic", "x.nc", 0},
        {MAGIC("\x28\xb5\x2f\xfd...."), "zstd", "x.f32.zst", 1},
        {MAGIC("\x5e\x2a\x4d\x18\4\0\0\0...."), "zstd", "x.f32.zst", 1},
        {MAGIC("\x25\xb5\x2f\xfd...."), "zstd", "x.f32.zst", 1},
        {MAGIC("\x1f\x8b\x08\0"), "gzip", "x.f32.gz", 1},
        {MAGIC("\xfd"
               "7zXZ\0.."),
         "xz", "x.xz", 1},
        {MAGIC("BZh9\x31\x41\x59\x26\x53\x59.."), "bzip2", "x.bz2", 1},
        {MAGIC("\x04\x22\x4d\x18...."), "lz4", "x.lz4", 1},
        {MAGIC("PK\3\4...."), "zip (.npz)", "x.npz", 0},
        {MAGIC("SIMPLE  =                    T  "), "FITS", "x.fits", 0},
    };
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        const char *bytes = formats[k].bytes, *title = formats[k].title;
        size_t n = formats[k].nbytes;
        struct gathered g = gather_path(test_file("x.bin", bytes, n), NULL);
        CHECKF(g.rc == ONEPASS_UNSUPPORTED && strstr(g.err.message, title), "%s: %d", title, g.rc);
        g = gather_path(test_file("x.bin", bytes, n), "u8");
        CHECKF(g.rc == ONEPASS_FORMAT_MISMATCH && strstr(g.err.message, title), "-t %s: %d", title,
               g.rc);
        CHECK(strstr(g.err.hint, "--input-format raw") != NULL);
        g = gather_path(test_file("x.u8", bytes, n), NULL);
        CHECKF(g.rc == ONEPASS_FORMAT_MISMATCH && strstr(g.err.message, title), "%s.u8: %d", title,
               g.rc);
        g = gather_path(test_file(formats[k].own_name, bytes, n), "u8");
        CHECKF(g.rc == (formats[k].is_wrapper ? ONEPASS_UNSUPPORTED : ONEPASS_FORMAT_MISMATCH),
               "%s: %d", formats[k].own_name, g.rc);
        onepass_input in = input(test_file("x.bin", bytes, n), "u8");
        in.format = "raw";
        g = gather(&in, 64, 64);
        CHECKF(g.rc == 0 && g.nelems == n, "forced %s: %d", title, g.rc);
        free_values(&g);
        g = gather_path(test_file(formats[k].own_name, "no such magic", 13), NULL);
        CHECKF(g.rc == ONEPASS_FORMAT_MISMATCH && strstr(g.err.message, "the content is not"), "%s: %d",
               formats[k].own_name, g.rc);
    }
}

static void bzip2_needs_more_than_three_letters(void) {
    struct gathered g = gather_path(test_file("x.u8", "BZh9 is a word here", 19), NULL);
    CHECK(g.rc == 0 && g.nelems == 19);
    free_values(&g);
    g = gather_path(test_file("x.u8", "BZh9\x31\x41\x59", 7), NULL); /* cut within the magic */
    CHECK(g.rc == 0 && g.nelems == 7);
    free_values(&g);
}

static void hdf5_behind_a_user_block(void) {
    static unsigned char bytes[1 << 17];
    for (size_t at = 512; at < sizeof bytes; at *= 2) {
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes + at, "\211HDF\r\n\032\n", 8);
        onepass_input in = input(test_file("x.u8", bytes, at + 8), NULL);
        struct gathered g = gather(&in, 1 << 20, 1 << 18);
        CHECKF(g.rc == ONEPASS_FORMAT_MISMATCH && strstr(g.err.message, "HDF5"), "at %zu: %d", at,
               g.rc);
        free_values(&g);
        in = input(test_file("x.u8", bytes, at + 7), NULL); /* the signature is cut */
        g = gather(&in, 1 << 20, 1 << 18);
        CHECKF(g.rc == 0 && g.nelems == at + 7, "cut at %zu: %d", at, g.rc);
        free_values(&g);
    }
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes + 768, "\211HDF\r\n\032\n", 8); /* no place for a superblock */
    onepass_input in = input(test_file("x.u8", bytes, 4096), NULL);
    struct gathered g = gather(&in, 1 << 20, 1 << 18);
    CHECK(g.rc == 0);
    free_values(&g);
}

static const char npy_of_one[] =
    "\223NUMPY\1\0\x39\0{'descr':'|u1','fortran_order':False,'shape':(1,)}      \n\7";

static const char *npy_path(const char *name) {
    return test_file(name, npy_of_one, sizeof npy_of_one - 1);
}

static void npy_is_known_by_its_content(void) {
    struct gathered g = gather_path(npy_path("x.dat"), NULL);
    CHECKF(g.rc == 0 && g.nelems == 1, "%s", g.err.message);
    CHECK(g.rc == 0 && g.values[0] == 7);
    free_values(&g);
    g = gather_path(npy_path("x.f32"), NULL);
    GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, "the name says raw f32, but the content is .npy");
    onepass_input in = input(npy_path("x.npy"), "u8");
    in.format = "raw";
    g = gather(&in, 128, 128);
    CHECK(g.rc == 0 && g.nelems == sizeof npy_of_one - 1);
    free_values(&g);
    in = input(test_file("x.bin", "1234", 4), NULL);
    in.format = "npy";
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, "the content is not .npy");
    g = gather_path(test_file("x.npy", "", 0), NULL);
    GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, "the file is empty");
    in.format = "hdf5";
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "not in this version");
    in.format = "parquet";
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "'parquet' is not known");
}

static void npy_describes_itself(void) {
    onepass_input in[6];
    static const char *const words[6] = {"element type", "byte order", "offset",
                                         "count",        "stride",     "shape"};
    const char *path = npy_path("x.npy");
    for (int k = 0; k < 6; k++)
        in[k] = input(path, NULL);
    in[0].dtype = "u8";
    in[1].endian = 'l';
    in[2].has_offset = 1;
    in[3].count = 1;
    in[4].stride = 1;
    in[5].ndim = 1;
    in[5].shape[0] = 1;
    for (int k = 0; k < 6; k++) {
        struct gathered g = gather(&in[k], 64, 64);
        GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, "describes itself");
        GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, words[k]);
        in[k].format = "npy";
        g = gather(&in[k], 64, 64);
        GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, words[k]);
    }
}

static void formats_are_listed(void) {
    onepass_name name = {.size = sizeof name};
    CHECK(onepass_format(0, &name) == 1 && strcmp(name.name, "raw") == 0);
    CHECK(onepass_format(1, &name) == 1 && strcmp(name.name, "npy") == 0 && strstr(name.usage, ".npy"));
    CHECK(onepass_format(2, &name) == 0);
}

/* ---- files that misbehave --------------------------------------------------------------------- */

static void fault_25_short_and_interrupted_reads(void) {
    onepass_input in = input(counting_file("x.u8", 200), NULL);
    for (size_t limit = 1; limit <= 64; limit += 9) {
        pread_limit = limit;
        pread_interruptions = 3;
        struct gathered g = gather(&in, 64, 256);
        CHECKF(g.rc == 0 && g.nelems == 200 && pread_interruptions == 0, "%s", g.err.message);
        for (size_t k = 0; k < g.nelems; k++)
            CHECK(g.values[k] == counting_bytes[k]);
        free_values(&g);
    }
    pread_limit = 0;
}

static void fault_25_no_read_above_0x7ffff000(void) {
    onepass_input in = input(test_file("x.u8", "1", 1), NULL);
    struct source *s;
    struct extent e;
    onepass_error err = ONEPASS_ERROR_INIT;
    if (truncate(in.path, INT64_C(0x80000000)) != 0) {
        SKIP("no room for a sparse file of 2 GiB");
        return;
    }
    CHECK(source_open(&in, NULL, &s, &err) == 0);
    CHECK(s->ops->next(s, NULL, (size_t)1 << 32, NULL, &e, &err) == 0 &&
          e.nelems == INT64_C(0x80000000));
    CHECK(truncate(in.path, 0) == 0); /* so that nothing is read, only asked for */
    unsigned char *nowhere = malloc(1 << 20);
    pread_asked = 0;
    pread_limit = 1 << 20;
    CHECK(s->ops->fetch(s, &e, nowhere, &err) == ONEPASS_CHANGED);
    CHECK(pread_asked > 0 && pread_asked <= 0x7ffff000);
    pread_limit = 0;
    free(nowhere);
    source_close(s);
}

static void fault_25_the_file_shrinks_while_read(void) {
    onepass_input in = input(counting_file("x.u8", 200), NULL);
    struct source *s;
    struct extent e;
    unsigned char buffer[64];
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(source_open(&in, NULL, &s, &err) == 0);
    CHECK(s->ops->next(s, buffer, 64, NULL, &e, &err) == 0 && s->ops->fetch(s, &e, buffer, &err) == 0);
    CHECK(truncate(in.path, 100) == 0);
    CHECK(s->ops->next(s, buffer, 64, NULL, &e, &err) == 0);
    CHECK(s->ops->fetch(s, &e, buffer, &err) == ONEPASS_CHANGED);
    CHECKF(strstr(err.message, "ends at byte 100 of 200") != NULL, "%s", err.message);
    CHECK(s->ops->check(s, &err) == ONEPASS_CHANGED &&
          strstr(err.message, "had 200 bytes, now 100") != NULL);
    source_close(s);
}

static void a_file_that_was_written_to_is_noticed(void) {
    onepass_input in = input(counting_file("x.u8", 20), NULL);
    struct source *s;
    onepass_error err = ONEPASS_ERROR_INIT;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1000000000, .tv_nsec = 5}};
    CHECK(utimensat(AT_FDCWD, in.path, times, 0) == 0);
    CHECK(source_open(&in, NULL, &s, &err) == 0 && s->file_size == 20 && s->mtime == 1000000000);
    CHECK(s->ops->check(s, &err) == 0);
    times[1].tv_nsec = 6;
    CHECK(utimensat(AT_FDCWD, in.path, times, 0) == 0);
    CHECK(s->ops->check(s, &err) == ONEPASS_CHANGED && strstr(err.message, "written to") != NULL);
    CHECK(truncate(in.path, 21) == 0);
    CHECK(s->ops->check(s, &err) == ONEPASS_CHANGED && strstr(err.message, "now 21") != NULL);
    source_close(s);
}

static void fault_25_directories_and_missing_files(void) {
    char directory[300];
    counting_file("x.u8", 1);
    snprintf(directory, sizeof directory, "%s", test_directory);
    struct gathered g = gather_path(directory, "u8");
    GATHERED_ERROR(g, ONEPASS_NOT_READABLE, "is a directory");
    test_file(".zarray", "{}", 2);
    g = gather_path(directory, "u8");
    GATHERED_ERROR(g, ONEPASS_UNSUPPORTED, "Zarr is not in this version");
    unlink(test_path(".zarray"));
    g = gather_path(test_path("missing.f32"), NULL);
    GATHERED_ERROR(g, ONEPASS_OPEN_FAILED, "No such file");
    CHECK(g.err.sys_errno == ENOENT);
    g = gather_path("", "u8");
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "the file name is empty");
    g = gather_path(NULL, "u8");
    GATHERED_ERROR(g, ONEPASS_BAD_ARGUMENT, "the file name is empty");
    g = gather_path(test_path("missing.f32"), "f31"); /* usage comes before a look at the file */
    CHECK(g.rc == ONEPASS_BAD_ARGUMENT);
}

static void names_with_colons(void) {
    char path[600];
    struct gathered g = gather_path(counting_file("a:b.u8", 3), NULL);
    CHECK(g.rc == 0 && g.nelems == 3);
    free_values(&g);
    snprintf(path, sizeof path, "%s:/T", test_file("x.h5", "\211HDF\r\n\032\n", 8));
    g = gather_path(path, NULL);
    GATHERED_ERROR(g, ONEPASS_UNSUPPORTED, "is HDF5: reading HDF5 is not in this version");
    snprintf(path, sizeof path, "%s:/T:u", counting_file("y.u8", 3));
    g = gather_path(path, NULL);
    GATHERED_ERROR(g, ONEPASS_OPEN_FAILED, "No such file");
    CHECK(strstr(g.err.hint, "exists, but is no file with datasets") != NULL);
    g = gather_path("-:no", NULL);
    GATHERED_ERROR(g, ONEPASS_OPEN_FAILED, "No such file");
}

static int open_descriptors(void) {
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static void errors_leave_no_descriptor_open(void) {
    int before = open_descriptors();
    known_formats_are_named();
    npy_describes_itself();
    fault_25_directories_and_missing_files();
    names_with_colons();
    raw_data_without_a_type();
    CHECK(open_descriptors() == before);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"source_types_by_extension_and_option", types_by_extension_and_option},
        {"source_raw_data_without_a_type", raw_data_without_a_type},
        {"source_known_formats_are_named", known_formats_are_named},
        {"source_bzip2_needs_more_than_three_letters", bzip2_needs_more_than_three_letters},
        {"source_hdf5_behind_a_user_block", hdf5_behind_a_user_block},
        {"source_npy_is_known_by_its_content", npy_is_known_by_its_content},
        {"fault_26_npy_describes_itself", npy_describes_itself},
        {"source_formats_are_listed", formats_are_listed},
        {"fault_25_short_and_interrupted_reads", fault_25_short_and_interrupted_reads},
        {"fault_25_no_read_above_0x7ffff000", fault_25_no_read_above_0x7ffff000},
        {"fault_25_the_file_shrinks_while_read", fault_25_the_file_shrinks_while_read},
        {"source_a_file_that_was_written_to_is_noticed", a_file_that_was_written_to_is_noticed},
        {"fault_25_directories_and_missing_files", fault_25_directories_and_missing_files},
        {"fault_43_names_with_colons", names_with_colons},
        {"source_errors_leave_no_descriptor_open", errors_leave_no_descriptor_open},
    };
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
