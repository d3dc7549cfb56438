/* Tables whose columns line up. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "terminal/message.h"

struct table {
  unsigned columns;
  /* bit i: column i is aligned to the left; the others are numbers, aligned to the right */
  unsigned left;
  size_t cells;
  char **cell; /* row after row, as many columns each */
};

/* Appends the next cell, cleaned (text_clean). Cells are ASCII but in the last column. */
void table_cell(struct table *table, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same, or "-" of what is not known. */
void table_cell_if(struct table *table, bool known, const char *format, ...) PRINTF_LIKE(3, 4);

/* Appends a row of such cells without a format. */
void table_row(struct table *table, const char *const *cells);

/* Prints the rows on standard output, a rule below the first header_rows of them, and frees the table. */
void table_print(struct table *table, size_t header_rows);

#endif
