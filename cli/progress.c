/* Progress on standard error: redrawn in place on a terminal (after a second, five times a second at
 * most), a line every ten seconds where it was forced elsewhere, and the line that SIGUSR1 asks for.
 * Everything is driven by the engine's callback, which runs in main's thread: no thread, no timer. */
#include "progress.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "escape.h"
#include "message.h"
#include "signals.h"
#include "terminal.h"

static const double FIRST_AFTER = 1.0, REDRAW_EVERY = 0.2, LINE_EVERY = 10.0, RATE_WINDOW = 3.0;
enum { NSAMPLES = 32 };

static struct {
    int wanted, quiet;
    const char *name;
    size_t number, total;
    double start; /* of the first input */
    double last;  /* drawn */
    int drawn;    /* a line stands on the terminal */
    struct {
        double seconds;
        uint64_t nbytes;
    } samples[NSAMPLES]; /* ring: the rate is measured over the last seconds */
    size_t nsamples;
} state;

double progress_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_setup(int wanted, int quiet) {
    state.wanted = wanted;
    state.quiet = quiet;
}

void progress_begin(const char *name, size_t k, size_t n) {
    state.name = name;
    state.number = k;
    state.total = n;
    state.nsamples = 0;
    if (state.start == 0.0) state.start = progress_now();
}

void progress_add_bytes(struct textbuf *out, double nbytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t k = 0;
    while (nbytes >= 999.5 && k < 6) {
        nbytes /= 1000.0;
        k++;
    }
    int decimals = k == 0 || nbytes >= 99.95 ? 0 : nbytes >= 9.995 ? 1 : 2;
    textbuf_format(out, "%.*f %s", decimals, nbytes, units[k]);
}

/* Bytes a second over the window, 0 while there is nothing to tell. */
static double measure_rate(const onepass_progress *p) {
    size_t newest = state.nsamples;
    size_t oldest = newest > NSAMPLES ? newest - NSAMPLES : 0;
    while (oldest + 1 < newest && p->seconds - state.samples[oldest % NSAMPLES].seconds > RATE_WINDOW)
        oldest++;
    double since = 0.0;
    uint64_t from = 0;
    if (newest > 0) {
        since = state.samples[oldest % NSAMPLES].seconds;
        from = state.samples[oldest % NSAMPLES].nbytes;
    }
    double seconds = p->seconds - since;
    return seconds > 0.0 && p->done_bytes >= from ? (double)(p->done_bytes - from) / seconds : 0.0;
}

static void add_sample(const onepass_progress *p) {
    size_t last = state.nsamples;
    if (last > 0 && p->seconds - state.samples[(last - 1) % NSAMPLES].seconds < 0.1) return;
    state.samples[last % NSAMPLES].seconds = p->seconds;
    state.samples[last % NSAMPLES].nbytes = p->done_bytes;
    state.nsamples++;
}

/* "FILE (2 of 5): 45%, 1.20 GB of 2.60 GB, 5.30 GB/s, 12 s left" */
static void describe(struct textbuf *out, const onepass_progress *p) {
    double rate = measure_rate(p);
    escape_visible(out, state.name, strlen(state.name));
    if (state.total > 1) textbuf_format(out, " (%zu of %zu)", state.number + 1, state.total);
    textbuf_string(out, ": ");
    int known = p->total_bytes != UINT64_MAX && p->total_bytes > 0;
    if (known)
        textbuf_format(out, "%.0f%%, ", 100.0 * ((double)p->done_bytes / (double)p->total_bytes));
    progress_add_bytes(out, (double)p->done_bytes);
    if (known) {
        textbuf_string(out, " of ");
        progress_add_bytes(out, (double)p->total_bytes);
    }
    textbuf_string(out, ", ");
    progress_add_bytes(out, rate);
    textbuf_string(out, "/s");
    if (known && rate > 0.0 && p->done_bytes <= p->total_bytes)
        textbuf_format(out, ", %.0f s left", (double)(p->total_bytes - p->done_bytes) / rate);
}

static void write_line(const onepass_progress *p) {
    struct textbuf line = {0};
    textbuf_string(&line, "onepass: ");
    describe(&line, p);
    textbuf_format(&line, ", %llu elements, %.1f s\n", (unsigned long long)p->nelems, p->seconds);
    message_write(&line);
    textbuf_free(&line);
}

/* One line of the terminal, never more: a wrapped line could not be taken back. */
static void redraw(const onepass_progress *p) {
    struct textbuf text = {0}, line = {0};
    size_t room = (size_t)terminal_width(STDERR_FILENO) - 1, nbytes = 0;
    describe(&text, p);
    const char *shown = textbuf_text(&text);
    /* The end of a line that is too long matters more than the beginning of a file's name. */
    while (escape_width(shown + nbytes, text.nbytes - nbytes) > room) {
        size_t length = escape_utf8(shown + nbytes, text.nbytes - nbytes);
        nbytes += length ? length : 1;
    }
    textbuf_string(&line, "\r");
    textbuf_add(&line, shown + nbytes, text.nbytes - nbytes);
    textbuf_string(&line, "\033[K");
    if (!line.failed && write(STDERR_FILENO, line.data, line.nbytes) > 0) state.drawn = 1;
    textbuf_free(&text);
    textbuf_free(&line);
}

void progress_callback(void *user, const onepass_progress *p) {
    (void)user;
    if (signals_take_status()) write_line(p);
    add_sample(p);
    if (state.wanted == 0 || (state.wanted < 0 && state.quiet)) return;
    double now = progress_now();
    if (now - state.start < FIRST_AFTER) return;
    if (terminal_can_redraw(STDERR_FILENO)) {
        if (now - state.last < REDRAW_EVERY) return;
        redraw(p);
    } else {
        if (state.wanted < 1 || now - state.last < LINE_EVERY || now - state.start < LINE_EVERY) return;
        write_line(p);
    }
    state.last = now;
}

void progress_erase(void) {
    if (!state.drawn) return;
    state.drawn = 0;
    if (write(STDERR_FILENO, "\r\033[K", 4) < 0) return; /* no place left to say so */
}

void progress_poll(void) {
    if (!state.name || !signals_take_status()) return;
    const onepass_progress none = {.size = sizeof(none), .total_bytes = UINT64_MAX};
    write_line(&none);
}
