# How files are read never shows in a result: ONEPASS_READER forces a way, and what a system refuses or breaks off is
# either done without or one clear error.
. "$ROOT/tests/cli/helpers"
mkdata f32 normal:3:1400000 >x.f32 # 5.6 MB, no whole number of pages
want=$(onepass -q -j 1 --piece-size 4096 'abs|sum' x.f32)
gives "$want" 'abs|sum' x.f32
ONEPASS_READER=pread gives "$want" 'abs|sum' x.f32
reader() { onepass -q --jsonl "$@" | grep -oE '"reader":"[a-z_]+"'; }
ONEPASS_READER=pread reader sum x.f32
reader -t f32 sum - <x.f32
cat x.f32 | reader -t f32 sum -
ONEPASS_READER=mmap fails 2 $'onepass: ONEPASS_READER=mmap: the reader \'mmap\' is not known\nhint: pread, direct and uring*' sum x.f32
ONEPASS_CPU=avx fails 2 $'onepass: ONEPASS_CPU=avx: the instruction set \'avx\' is not known\nhint: *portable and noflags are\n*' sum x.f32
mkdata f32 1 2 3 >small.f32
for way in direct uring; do
    if ! ONEPASS_READER=$way onepass -q sum small.f32 >out 2>err; then
        grep -q 'cannot' err || echo "wrong: $(cat err)"
        continue # this file system or kernel has none; below that is made so
    fi
    echo 6 | cmp - out
    for size in 5 4096 100000 1048576 67108864; do
        [ "$size" -gt 5 ] || head -c 40000 x.f32 >y.f32
        file=x.f32
        [ "$size" -gt 5 ] || file=y.f32
        ONEPASS_READER=$way gives "$(ONEPASS_READER=pread onepass -q 'abs|sum, last' $file)" \
            --piece-size "$size" 'abs|sum, last' $file
    done
    for offset in 1 3 4095 4096 4097; do
        ONEPASS_READER=$way gives "$(ONEPASS_READER=pread onepass -q -t u16 --offset $offset --count 2000000 sum x.f32)" \
            -t u16 --offset $offset --count 2000000 sum x.f32
    done
done

# A library in front of libc that refuses and breaks.
[ -z "${SANITIZER:-}" ] || exit 0 # a sanitizer has to be the first library
cat >fault.c <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is(const char *fault) { const char *f = getenv("FAULT"); return f && strstr(f, fault); }
long syscall(long n, ...) {
    long a[6];
    va_list l;
    va_start(l, n);
    for (int k = 0; k < 6; k++) a[k] = va_arg(l, long);
    va_end(l);
    if (n == 425 && is("no_ring")) { errno = EPERM; return -1; }
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long rc = real(n, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (n == 451 && rc == 0) memset((void *)a[2], 0, 40); /* nothing is in the page cache */
    return rc;
}
static int direct(int fd) { int f = fcntl(fd, F_GETFL); return f >= 0 && (f & O_DIRECT); }
static ssize_t any_pread(const char *name, int fd, void *b, size_t n, off_t at) {
    ssize_t (*real)(int, void *, size_t, off_t) = (ssize_t (*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, name);
    if (direct(fd) && is("broken") && at >= 2 << 20) { errno = EIO; return -1; }
    if (direct(fd) && is("unwilling")) { errno = EINVAL; return -1; }
    if (direct(fd) && is("short") && n > 1 << 16) n = 1 << 16;
    return real(fd, b, n, at);
}
ssize_t pread(int fd, void *b, size_t n, off_t at) { return any_pread("pread", fd, b, n, at); }
ssize_t pread64(int fd, void *b, size_t n, off_t at) { return any_pread("pread64", fd, b, n, at); }
static int any_open(const char *path, int flags, mode_t mode) {
    if ((flags & O_DIRECT) && is("no_direct")) { errno = EINVAL; return -1; }
    return openat(AT_FDCWD, path, flags, mode);
}
int open(const char *path, int flags, ...) { return any_open(path, flags, 0600); }
int open64(const char *path, int flags, ...) { return any_open(path, flags, 0600); }
END
gcc -w -D_GNU_SOURCE -shared -fPIC -o fault.so fault.c || exit
with() { # FAULTS COMMAND...
    FAULT=$1 LD_PRELOAD=$PWD/fault.so "${@:2}"
}
for faults in none no_ring no_direct no_ring,short no_ring,unwilling; do
    got=$(with $faults onepass -q -j 2 'abs|sum' x.f32 2>&1) && [ "$got" = "$want" ] || echo "wrong: $faults: $got"
done
with no_direct onepass -q --jsonl sum x.f32 | grep -oE '"reader":"[a-z_]+"'
ONEPASS_READER=uring with no_ring onepass sum x.f32 2>&1
echo "status $?"
ONEPASS_READER=direct with no_direct onepass sum x.f32 2>&1
echo "status $?"
# An error of the disk: one line, no number.
if ONEPASS_READER=direct onepass -q sum x.f32 >/dev/null 2>&1; then
    for threads in 1 4; do
        with no_ring,broken onepass -j $threads sum x.f32 2>&1
        echo "status $?"
    done
else
    printf 'onepass: x.f32: cannot read: Input/output error\nstatus 4\n%.0s' 1 2
fi
