/* quatsimd formats: what there is. */
#include <stdbool.h>

#include "base/json.h"
#include "base/quantity.h"
#include "commands/command.h"
#include "quatsimd/codec.h"
#include "terminal/table.h"

static void print_table(void) {
  struct table table = {.columns = 7, .left = 1 << 0 | 1 << 6};
  table_row(&table,
            (const char *const[]){"", "bits per", "bytes per", "worst error", "mean error", "identity", ""});
  table_row(&table,
            (const char *const[]){"format", "rotation", "1000", "degrees", "degrees", "exact", "origin"});
  quatsimd_format format;
  for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK; i++) {
    const quatsimd_format_info *info = quatsimd_get_format_info(format);
    table_cell(&table, "%s", info->name);
    table_cell(&table, "%u", info->bits);
    table_cell(&table, "%zu", quatsimd_packed_size(format, 1000));
    table_cell(&table, "%.3g", info->worst_error * DEGREES);
    table_cell(&table, "%.3g", info->mean_error * DEGREES);
    table_cell(&table, "%s", info->exact_identity ? "yes" : "no");
    table_cell(&table, "%s", info->origin);
  }
  table_print(&table, 2);
}

static void print_json(void) {
  cJSON *list = cJSON_CreateArray();
  quatsimd_format format;
  for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK; i++) {
    const quatsimd_format_info *info = quatsimd_get_format_info(format);
    cJSON *entry = json_append(list);
    cJSON_AddStringToObject(entry, "name", info->name);
    json_add_number(entry, "number", format);
    json_add_number(entry, "bits", info->bits);
    json_add_number(entry, "bytes_per_1000", (double)quatsimd_packed_size(format, 1000));
    json_add_number(entry, "worst_error_degrees", info->worst_error * DEGREES);
    json_add_number(entry, "mean_error_degrees", info->mean_error * DEGREES);
    cJSON_AddBoolToObject(entry, "exact_identity", info->exact_identity);
    cJSON_AddStringToObject(entry, "origin", info->origin);
  }
  json_print(list);
}

static int run(int argc, char **argv) {
  bool json = false;
  int status;
  const struct option_row options[] = {{"json", 0, .flag = &json}, {0}};
  const struct command_line line = {"formats", command_formats.help, options, 0, 0};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) {
    if (json) print_json();
    else print_table();
  }
  return status;
}

const struct command command_formats = {
    "formats",
    "list the formats with their sizes and errors",
    {"Usage: quatsimd formats [--json]\n"
     "\n"
     "Lists the formats of packed rotations: bits per rotation, bytes of 1000, the\n"
     "worst and the mean error in degrees, whether the identity is exact, and where\n"
     "the format comes from. smallest3:N and mirage:N are bit-packed, N from 4 to 20;\n"
     "meshopt:N takes N from 4 to 16.\n"
     "\n"
     "  --json      print JSON\n"
     "  -h, --help  print this text\n"
     "\n"
     "Examples:\n"
     "  quatsimd formats                      a table of all formats\n"
     "  quatsimd formats --json | jq '.[] | select(.bits == 32) | .name'\n"
     "                                        the formats of 32 bits\n"
     "\n"
     "docs/codec.md describes each format.\n"},
    run,
};
