#include "terminal/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "terminal/print.h"

static void add_cell(struct table *table, const char *format, va_list arguments) {
  table->cell = memory_grow(table->cell, table->cells, sizeof *table->cell);
  table->cell[table->cells++] = text_clean_formatted(format, arguments);
}

void table_cell(struct table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_cell(table, format, arguments);
  va_end(arguments);
}

void table_cell_if(struct table *table, bool known, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (known) add_cell(table, format, arguments);
  else table_cell(table, "-");
  va_end(arguments);
}

void table_row(struct table *table, const char *const *cells) {
  for (unsigned i = 0; i < table->columns; i++) table_cell(table, "%s", cells[i]);
}

static int width(const struct table *table, unsigned column) {
  size_t widest = 0;
  for (size_t i = column; i < table->cells; i += table->columns) {
    const size_t length = strlen(table->cell[i]);
    if (length > widest) widest = length;
  }
  return (int)widest;
}

static void print_rule(int length) {
  while (length-- > 0) print("-");
  print("\n");
}

void table_print(struct table *table, size_t header_rows) {
  int *widths = memory_get(table->columns, sizeof *widths), total = 0;
  for (unsigned c = 0; c < table->columns; c++) total += (widths[c] = width(table, c)) + (c ? 2 : 0);
  unsigned column = 0;
  size_t row = 1;
  for (size_t i = 0; i < table->cells; i++) {
    const int last = column + 1 == table->columns, left = table->left >> column & 1;
    const int padded = left ? (last ? 0 : -widths[column]) : widths[column];
    if (!last || *table->cell[i]) /* no spaces at the end of a line */
      print("%s%*s", column ? "  " : "", padded, table->cell[i]);
    if (last) print("\n");
    if (last && row == header_rows) print_rule(total);
    column = last ? 0 : column + 1, row += (size_t)last;
  }
  free(widths);
  for (size_t i = 0; i < table->cells; i++) free(table->cell[i]);
  free(table->cell);
}
