/* Questions about terminals.  Asked once at start or per progress line; nothing here writes. */
#include "terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "environment.h"

enum { DEFAULT_WIDTH = 79, SMALLEST_WIDTH = 20, LARGEST_WIDTH = 1000 };

static int is_smart(void) {
    const char *term = environment_get(VARIABLE_TERM);
    return term && strcmp(term, "dumb") != 0;
}

int terminal_colour(enum colour_when when, int fd) {
    if (when != COLOUR_AUTO) return when == COLOUR_ALWAYS;
    return isatty(fd) && !environment_get(VARIABLE_NO_COLOR) && is_smart();
}

int terminal_can_redraw(int fd) {
    return isatty(fd) && is_smart() && tcgetpgrp(fd) == getpgrp();
}

int terminal_width(int fd) {
    struct winsize size;
    long width = 0;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    if (width <= 0) {
        const char *columns = environment_get(VARIABLE_COLUMNS);
        for (; columns && *columns >= '0' && *columns <= '9' && width < LARGEST_WIDTH; columns++)
            width = 10 * width + (*columns - '0');
        if (!columns || *columns) width = 0; /* not a number: as if unset */
    }
    if (width <= 0) width = DEFAULT_WIDTH;
    if (width < SMALLEST_WIDTH) width = SMALLEST_WIDTH;
    return width < LARGEST_WIDTH ? (int)width : LARGEST_WIDTH;
}
