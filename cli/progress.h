/* The progress line and the status line of SIGUSR1. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stddef.h>
#include <stdint.h>

#include "onepass.h"
#include "textbuf.h"

/* wanted: 1 or 0 as --progress or --no-progress said, -1: on a terminal unless quiet. */
void progress_setup(int wanted, int quiet);

/* Input number k (from 0) of n begins. */
void progress_begin(const char *name, size_t k, size_t n);

/* For onepass_config: draws when it is time, answers SIGUSR1. */
void progress_callback(void *user, const onepass_progress *p);

/* Takes the line off the terminal, before anything else is written. */
void progress_erase(void);

/* Answers a SIGUSR1 that came between two runs. */
void progress_poll(void);

/* "1.07 GB": three digits, powers of 1000. */
void progress_add_bytes(struct textbuf *out, double nbytes);

/* Seconds of the monotonic clock. */
double progress_now(void);

#endif
