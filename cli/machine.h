/* What a benchmark ran on. */
#ifndef MACHINE_H
#define MACHINE_H

#include "textbuf.h"

/* The processor as the kernel names it: "AMD EPYC 9R14 96-Core Processor". */
void machine_add_cpu(struct textbuf *out);

/* "Linux 6.1.0-18-amd64 x86_64"; no name of the host. */
void machine_add_system(struct textbuf *out);

#endif
