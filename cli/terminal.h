/* What a descriptor is connected to: terminal or not, its width, and whether colour is wanted there. */
#ifndef TERMINAL_H
#define TERMINAL_H

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* --color, else: a terminal, NO_COLOR unset or empty, TERM set and not "dumb". */
int terminal_colour(enum colour_when when, int fd);

/* A terminal that understands a carriage return, and of which this process has the foreground. */
int terminal_can_redraw(int fd);

/* Columns: the terminal's own, else COLUMNS, else 79; never less than 20. */
int terminal_width(int fd);

#endif
