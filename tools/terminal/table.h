/* Tables whose columns line up. */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#include "terminal/message.h"

struct table {
  unsigned columns;
  /* bit i: column i is aligned to the left; the others are numbers, aligned to the right */
  unsigned left;
  size_t cells;
  char **cell; /* row after row, as many columns each */
};

/* Appends the next cell. Cells are ASCII but in the last column. */
void table_cell(struct table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* Appends a row of such cells without a format. */
void table_row(struct table *table, const char *const *cells);

/* Prints the rows, a rule below the first header_rows of them. */
void table_print(const struct table *table, size_t header_rows, FILE *file);
void table_free(struct table *table);

#endif
