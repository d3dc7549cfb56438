/* quatsimd measure: what packing does to the rotations of files, and how fast. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "base/angle_error.h"
#include "base/formats.h"
#include "readers/input.h"
#include "base/json.h"
#include "base/message.h"
#include "base/progress.h"
#include "base/speed.h"
#include "base/table.h"
#include "base/text.h"

/* All files together. */
struct collection {
  size_t files; /* those that could be read */
  struct input *input;
  size_t clips, tracks, keys, invalid;
  float *xyzw;
};

/* What was found out about a format. Speeds are zero where none were measured. */
struct result {
  quatsimd_format format;
  size_t packed_bytes; /* every file packed as one array */
  struct angle_error error;
  struct speed speed, scalar;
};

struct kernel_pair {
  const quatsimd_kernels *active, *scalar;
};

static struct kernel_pair kernels(void) {
  size_t last = 0;
  while (quatsimd_kernel_list[last + 1]) last++;
  return (struct kernel_pair){quatsimd_active_kernels(), quatsimd_kernel_list[last]};
}

/* Those that can be read; false if a file was bad, and complained of. */
static bool collect(struct collection *all, const char *const *paths, size_t files) {
  bool good = true;
  *all = (struct collection){.input = memory_get(files, sizeof *all->input)};
  for (size_t f = 0; f < files; f++) {
    struct input *input = &all->input[all->files];
    progress_show("reading", f, files, paths[f]);
    if (!input_read(paths[f], input)) {
      good = false;
      continue;
    }
    all->files++;
    all->keys += input->keys;
    all->clips += input->clips;
    for (size_t c = 0; c < input->clips; c++) {
      all->tracks += input->clip[c].tracks;
      all->invalid += input->clip[c].invalid;
    }
  }
  progress_clear();
  float *end = all->xyzw = memory_get(all->keys, 4 * sizeof *all->xyzw);
  for (size_t f = 0; f < all->files; f++) {
    memcpy(end, all->input[f].xyzw, all->input[f].keys * 4 * sizeof *end);
    end += all->input[f].keys * 4;
  }
  return good;
}

static void free_collection(struct collection *all) {
  for (size_t f = 0; f < all->files; f++) input_free(&all->input[f]);
  free(all->input);
  free(all->xyzw);
}

static void measure_error(const struct collection *all, struct result *result) {
  const size_t size = quatsimd_packed_size(result->format, all->keys);
  unsigned char *packed = memory_get(size, 1);
  float *unpacked = memory_get(all->keys, 4 * sizeof *unpacked);
  quatsimd_pack(result->format, packed, size, quatsimd_aos(all->xyzw), all->keys);
  quatsimd_unpack(result->format, quatsimd_aos_out(unpacked), packed, size, 0, all->keys);
  result->error = angle_error_measure(all->xyzw, unpacked, all->keys);
  for (size_t f = 0; f < all->files; f++)
    result->packed_bytes += quatsimd_packed_size(result->format, all->input[f].keys);
  free(unpacked);
  free(packed);
}

/* Times both sets of kernels and makes sure that they agree to the last bit, as the library promises. */
static bool measure_speed(const struct speed_data *data, struct kernel_pair pair, struct result *result) {
  const size_t size = quatsimd_packed_size(result->format, data->keys), floats = 4 * data->keys;
  unsigned char *packed = memory_get(2 * size, 1);
  float *unpacked = memory_get(2 * floats, sizeof *unpacked);
  result->speed = result->scalar = speed_measure(pair.active, result->format, data, packed, unpacked);
  bool same = true;
  if (pair.scalar != pair.active) {
    result->scalar = speed_measure(pair.scalar, result->format, data, packed + size, unpacked + floats);
    same = memcmp(packed, packed + size, size) == 0 &&
           memcmp(unpacked, unpacked + floats, floats * sizeof *unpacked) == 0;
    if (!same)
      complain(quatsimd_get_format_info(result->format)->name,
               "%s and scalar kernels differ on this data; please report it", pair.active->name);
  }
  free(unpacked);
  free(packed);
  return same;
}

/* What is printed. --------------------------------------------------------------------------------------- */

static void print_clips(const struct collection *all) {
  struct table table = {.columns = 4, .left = 1 << 3};
  table_row(&table, (const char *const[]){"tracks", "keys", "replaced", "clip"});
  for (size_t f = 0; f < all->files; f++)
    for (size_t c = 0; c < all->input[f].clips; c++) {
      const struct input_clip *clip = &all->input[f].clip[c];
      char *path = text_clean(all->input[f].path);
      table_cell(&table, "%s", text_number(clip->tracks));
      table_cell(&table, "%s", text_number(clip->keys));
      table_cell(&table, "%s", text_number(clip->invalid));
      table_cell(&table, "%s%s%s", path, *clip->name ? ": " : "", clip->name);
      free(path);
    }
  table_print(&table, 1, stdout);
  table_free(&table);
}

static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

static void print_title(const struct collection *all, struct kernel_pair pair,
                        const struct speed_data *timed) {
  printf("\nquatsimd %s: %s rotation%s, %s track%s, %s clip%s", quatsimd_version(), text_number(all->keys),
         plural(all->keys), text_number(all->tracks), plural(all->tracks), text_number(all->clips),
         plural(all->clips));
  printf(", %s file%s\n", text_number(all->files), plural(all->files));
  if (all->invalid)
    printf("%s invalid rotation%s replaced by the identity; the errors are those of the others\n",
           text_number(all->invalid), plural(all->invalid));
  if (timed)
    printf("speed: %s kernels on one thread, %s rotations per call%s\n", pair.active->name,
           text_number(timed->keys),
           pair.active == pair.scalar ? "" : "; the scalar kernels beside them gave the same bytes");
  putchar('\n');
}

/* The scalar kernels' beside it, unless it is theirs. */
static void print_speed_cells(struct table *table, double speed, double scalar, double bytes, bool both) {
  table_cell(table, "%.0f", speed / 1e6);
  table_cell(table, "%.1f", speed * bytes / 1e9);
  if (both) table_cell(table, "%.0f", scalar / 1e6);
}

/* Three lines of titles. */
static void print_titles(struct table *table, const char *isa, bool timed, bool both) {
  static const char *const titles[3][6] = {{"", "", "", "", "", ""},
                                           {"", "packed", "times", "worst error", "mean error", "worst"},
                                           {"format", "bytes", "smaller", "degrees", "degrees", "1-|dot|"}};
  for (int line = 0; line < 3; line++) {
    if (line == 0 && !timed) continue;
    for (int column = 0; column < 6; column++) table_cell(table, "%s", titles[line][column]);
    for (int packs = 1; timed && packs >= 0; packs--) {
      const char *const cells[3][3] = {
          {packs ? "pack" : "unpack", packs ? "pack" : "unpack", packs ? "pack" : "unpack"},
          {isa, isa, "scalar"},
          {"M/s", "GB/s", "M/s"}};
      for (int column = 0; column < (both ? 3 : 2); column++) table_cell(table, "%s", cells[line][column]);
    }
  }
}

static void print_results(const struct collection *all, const struct result *results, size_t count,
                          struct kernel_pair pair, bool timed) {
  const bool both = pair.active != pair.scalar;
  struct table table = {.columns = !timed ? 6 : both ? 12 : 10, .left = 1 << 0};
  print_titles(&table, pair.active->name, timed, both);
  for (size_t i = 0; i < count; i++) {
    const struct result *r = &results[i];
    const quatsimd_format_info *info = quatsimd_get_format_info(r->format);
    table_cell(&table, "%s", info->name);
    table_cell(&table, "%s", text_number(r->packed_bytes));
    table_cell(&table, "%.2f", 16 * (double)all->keys / (double)r->packed_bytes);
    if (r->error.keys > 0) {
      table_cell(&table, "%.6f", r->error.worst);
      table_cell(&table, "%.6f", r->error.mean);
      table_cell(&table, "%.1e", r->error.worst_dot);
    } else {
      for (int empty = 0; empty < 3; empty++) table_cell(&table, "-");
    }
    if (!timed) continue;
    const double bytes = 16 + info->bits / 8.0; /* read and written for a rotation */
    print_speed_cells(&table, r->speed.pack, r->scalar.pack, bytes, both);
    print_speed_cells(&table, r->speed.unpack, r->scalar.unpack, bytes, both);
  }
  table_print(&table, timed ? 3 : 2, stdout);
  table_free(&table);
}

static cJSON *json_of_clips(const struct collection *all) {
  cJSON *list = cJSON_CreateArray();
  for (size_t f = 0; f < all->files; f++)
    for (size_t c = 0; c < all->input[f].clips; c++) {
      const struct input_clip *clip = &all->input[f].clip[c];
      cJSON *entry = cJSON_CreateObject();
      cJSON_AddItemToArray(list, entry);
      json_add_text(entry, "file", all->input[f].path);
      json_add_text(entry, "animation", clip->name);
      cJSON_AddNumberToObject(entry, "tracks", (double)clip->tracks);
      cJSON_AddNumberToObject(entry, "keys", (double)clip->keys);
      cJSON_AddNumberToObject(entry, "replaced", (double)clip->invalid);
    }
  return list;
}

static void json_add_speed(cJSON *object, const char *key, struct speed speed) {
  cJSON *entry = cJSON_AddObjectToObject(object, key);
  cJSON_AddNumberToObject(entry, "pack_rotations_per_second", speed.pack);
  cJSON_AddNumberToObject(entry, "unpack_rotations_per_second", speed.unpack);
}

static cJSON *json_of_results(const struct collection *all, const struct result *results, size_t count,
                              bool timed) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < count; i++) {
    const struct result *r = &results[i];
    const bool known = r->error.keys > 0;
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddItemToArray(list, entry);
    cJSON_AddStringToObject(entry, "format", quatsimd_get_format_info(r->format)->name);
    cJSON_AddNumberToObject(entry, "keys", (double)all->keys);
    cJSON_AddNumberToObject(entry, "packed_bytes", (double)r->packed_bytes);
    cJSON_AddNumberToObject(entry, "times_smaller", 16 * (double)all->keys / (double)r->packed_bytes);
    json_add_figure(entry, "worst_error_degrees", r->error.worst, known);
    json_add_figure(entry, "mean_error_degrees", r->error.mean, known);
    json_add_figure(entry, "worst_one_minus_dot", r->error.worst_dot, known);
    if (timed) {
      json_add_speed(entry, "speed", r->speed);
      json_add_speed(entry, "scalar_speed", r->scalar);
    }
  }
  return list;
}

static void print_json(const struct collection *all, const struct result *results, size_t count,
                       struct kernel_pair pair, const struct speed_data *timed) {
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "version", quatsimd_version());
  cJSON_AddStringToObject(tree, "kernels", pair.active->name);
  cJSON_AddNumberToObject(tree, "files", (double)all->files);
  cJSON_AddNumberToObject(tree, "tracks", (double)all->tracks);
  cJSON_AddNumberToObject(tree, "keys", (double)all->keys);
  cJSON_AddNumberToObject(tree, "replaced", (double)all->invalid);
  if (timed) cJSON_AddNumberToObject(tree, "timed_rotations", (double)timed->keys);
  cJSON_AddItemToObject(tree, "clips", json_of_clips(all));
  cJSON_AddItemToObject(tree, "formats", json_of_results(all, results, count, timed != NULL));
  json_print(tree);
}

/* -------------------------------------------------------------------------------------------------------- */

static int measure(const struct collection *all, const struct formats *formats, bool json, bool timed) {
  const struct kernel_pair pair = kernels();
  struct result *results = memory_get(formats->count, sizeof *results);
  struct speed_data data = {0};
  bool good = true;
  if (timed) data = speed_data(all->xyzw, all->keys);
  for (size_t i = 0; i < formats->count; i++) {
    results[i].format = formats->format[i];
    progress_show("measuring", i, formats->count, quatsimd_get_format_info(results[i].format)->name);
    measure_error(all, &results[i]);
    if (timed) good = measure_speed(&data, pair, &results[i]) && good;
  }
  progress_clear();
  if (good && json) {
    print_json(all, results, formats->count, pair, timed ? &data : NULL);
  } else if (good) {
    print_clips(all);
    print_title(all, pair, timed ? &data : NULL);
    print_results(all, results, formats->count, pair, timed);
  }
  speed_data_free(&data);
  free(results);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

static int run_with(struct arguments *a, const char *const *names, bool json, bool timed) {
  struct formats formats;
  if (!names) formats = formats_default();
  else if (!formats_from_names("measure", names, &formats)) return STATUS_BAD_USAGE;
  struct collection all;
  const bool good = collect(&all, a->operands, a->count);
  int status = all.files > 0 ? measure(&all, &formats, json, timed) : STATUS_BAD_INPUT;
  if (!good) status = STATUS_BAD_INPUT;
  free_collection(&all);
  formats_free(&formats);
  return status;
}

static int run(int argc, const char **argv) {
  int json = 0, untimed = 0, status;
  const char **names = NULL;
  const struct poptOption options[] = {{"format", 'f', POPT_ARG_ARGV, &names, 0, NULL, NULL},
                                       {"json", 0, POPT_ARG_NONE, &json, 0, NULL, NULL},
                                       {"no-speed", 0, POPT_ARG_NONE, &untimed, 0, NULL, NULL},
                                       COMMON_OPTIONS};
  struct arguments a;
  if (arguments_parse(&a, &command_measure, argc, argv, options, 1, (size_t)-1, &status))
    status = run_with(&a, names, json, !untimed);
  for (size_t i = 0; names && names[i]; i++) free((char *)names[i]);
  free(names);
  arguments_free(&a);
  return status;
}

const struct command command_measure = {
    "measure",
    "pack the rotations of files in every format: size, error, speed",
    "Usage: quatsimd measure [--format F]... [--no-speed] [--json] FILE...\n"
    "\n"
    "Reads the rotations of all files, packs and unpacks them in each format and\n"
    "prints what that costs: size, error and time. A FILE is one of:\n"
    "  - a .npy array of floats x, y, z, w of shape (..., 4)\n"
    "  - a scene of Gaussian splats: binary PLY with the properties rot_0 to rot_3\n"
    "    (w, x, y, z), or .splat\n"
    "  - an animation clip that Assimp reads: BVH, glTF, GLB, FBX, Collada and\n"
    "    others\n"
    "\n"
    "  -f, --format F  only this format; may be given several times. `all` is every\n"
    "                  format there is. Without it: all formats without a width,\n"
    "                  smallest3:9 and mirage:10\n"
    "  --no-speed      do not measure speed: size and error alone, which are the\n"
    "                  same on every CPU\n"
    "  --json          as JSON, with all digits\n"
    "  -h, --help      this text\n"
    "\n"
    "What the columns say:\n"
    "  packed bytes   all rotations of a file packed as one array, summed over the\n"
    "                 files\n"
    "  times smaller  than four floats, 16 bytes, per rotation\n"
    "  error          angle of the rotation between the input, normalised, and what\n"
    "                 was unpacked\n"
    "  1-|dot|        the worst error as 1 minus the dot product of the quaternions\n"
    "  M/s            million rotations per second: the best of several runs on one\n"
    "                 thread over all rotations. Fewer than 65,536 are repeated to\n"
    "                 262,144; beyond 1,048,576 they are cut\n"
    "  GB/s           floats and packed bytes together, 10^9 bytes per second\n"
    "  replaced       rotations that are none: a component is NaN or infinite, or\n"
    "                 the length is outside [2^-32, 2^32]. They are packed as the\n"
    "                 identity and left out of the errors\n"
    "\n"
    "Arrays of doubles are rounded to floats first. Clips are taken as Assimp\n"
    "stores them: it turns Euler angles (BVH, FBX, Collada) into quaternions, and\n"
    "gives a node that moves but never turns one key with its rest rotation.\n"
    "A file that cannot be read is reported, the others go on, and the exit status\n"
    "is 1.\n"
    "\n"
    "The environment variable QUATSIMD_ISA picks the kernels: scalar, sse2, avx2,\n"
    "avx512, neon or simd128.\n"
    "\n"
    "Examples:\n"
    "  quatsimd measure walk.bvh run.bvh\n"
    "  quatsimd measure --format smallest3_48 --format half4 character.glb\n"
    "  quatsimd measure --format all --no-speed --json recording.npy > report.json\n",
    run,
};
