/* quatsimd measure: what packing does to the rotations of files, and how fast. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/formats.h"
#include "base/text.h"
#include "commands/command.h"
#include "readers/limits.h"
#include "report/measure_report.h"
#include "terminal/message.h"
#include "terminal/progress.h"

static struct kernel_pair kernels(void) {
  size_t last = 0;
  while (quatsimd_kernel_list[last + 1]) last++;
  return (struct kernel_pair){quatsimd_active_kernels(), quatsimd_kernel_list[last]};
}

/* Those that can be read; false if a file was bad, and complained of. */
static bool collect(struct measured_files *all, const char *const *paths, size_t files, bool w_first) {
  bool good = true;
  *all = (struct measured_files){.input = memory_get(files, sizeof *all->input)};
  for (size_t f = 0; f < files; f++) {
    struct input *input = &all->input[all->files];
    progress_show("reading", f, files, paths[f]);
    if (!input_read(paths[f], w_first, input)) {
      good = false;
      continue;
    }
    all->files++;
    all->keys += input->keys;
    all->animations += input->animations;
    good = good && input->unread == 0;
    for (size_t a = 0; a < input->animations; a++) {
      all->curves += input->animation[a].curves;
      all->invalid += input->animation[a].invalid;
    }
  }
  progress_clear();
  return good;
}

/* Returns the first keys of all files, as many as are timed. */
static struct speed_data timed_keys(const struct measured_files *all) {
  const size_t most = all->keys < SPEED_MOST ? all->keys : SPEED_MOST;
  float *xyzw = memory_get(most, 4 * sizeof *xyzw);
  for (size_t f = 0, keys = 0; f < all->files && keys < most; keys += all->input[f].keys, f++) {
    const size_t rest = most - keys, own = all->input[f].keys;
    memcpy(xyzw + 4 * keys, all->input[f].xyzw, (own < rest ? own : rest) * 4 * sizeof *xyzw);
  }
  const struct speed_data data = speed_data(xyzw, most);
  free(xyzw);
  return data;
}

static void free_collection(struct measured_files *all) {
  for (size_t f = 0; f < all->files; f++) input_free(&all->input[f]);
  free(all->input);
}

static void measure_error(const struct measured_files *all, struct measured_format *result) {
  enum { MOST = 1 << 16 }; /* keys at a time */
  const size_t room = quatsimd_packed_size(result->format, MOST);
  unsigned char *packed = memory_get(room, 1);
  float *unpacked = memory_get(MOST, 4 * sizeof *unpacked);
  for (size_t f = 0; f < all->files; f++) {
    const struct input *input = &all->input[f];
    result->packed_bytes += quatsimd_packed_size(result->format, input->keys);
    for (size_t k = 0; k < input->keys; k += MOST) {
      const size_t keys = input->keys - k < MOST ? input->keys - k : MOST;
      const size_t size = quatsimd_packed_size(result->format, keys);
      quatsimd_pack(result->format, packed, size, quatsimd_aos(input->xyzw + 4 * k), keys);
      quatsimd_unpack(result->format, quatsimd_aos_out(unpacked), packed, size, 0, keys);
      const struct angle_error error = angle_error_measure(input->xyzw + 4 * k, unpacked, keys);
      angle_error_add(&result->error, &error);
    }
  }
  free(unpacked);
  free(packed);
}

/* Times both sets of kernels and makes sure that they agree to the last bit, as the library promises. */
static bool measure_speed(const struct speed_data *data, struct kernel_pair pair,
                          struct measured_format *result) {
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

/* -------------------------------------------------------------------------------------------------------- */

static int measure(const struct measured_files *all, const struct formats *formats, bool json, bool timed) {
  const struct kernel_pair pair = kernels();
  struct measured_format *results = memory_get(formats->count, sizeof *results);
  struct speed_data data = {0};
  bool good = true;
  if (timed) data = timed_keys(all);
  for (size_t i = 0; i < formats->count; i++) {
    results[i].format = formats->format[i];
    progress_show("measuring", i, formats->count, quatsimd_get_format_info(results[i].format)->name);
    measure_error(all, &results[i]);
    if (timed) good = measure_speed(&data, pair, &results[i]) && good;
  }
  progress_clear();
  const struct measure_report report = {all, results, formats->count, pair, timed ? &data : NULL};
  if (good) (json ? measure_report_print_json : measure_report_print)(&report);
  speed_data_free(&data);
  free(results);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

struct request {
  const char **names, *order; /* null where not given */
  bool json, untimed;
};

static int run_with(struct arguments *a, const struct request *r) {
  struct formats formats;
  bool w_first;
  if (!input_order("measure", r->order, &w_first)) return STATUS_BAD_USAGE;
  if (!r->names) formats = formats_default();
  else if (!formats_from_names("measure", r->names, &formats)) return STATUS_BAD_USAGE;
  struct measured_files all;
  const bool good = collect(&all, a->operands, a->count, w_first);
  int status = all.files > 0 ? measure(&all, &formats, r->json, !r->untimed) : STATUS_BAD_INPUT;
  if (!good) status = STATUS_BAD_INPUT;
  free_collection(&all);
  formats_free(&formats);
  return status;
}

static int run(int argc, char **argv) {
  struct request r = {0};
  int status;
  const struct option_row options[] = {{"format", 'f', .texts = &r.names, .values = formats_words()},
                                       {"order", 0, .text = &r.order, .values = "xyzw wxyz"},
                                       {"json", 0, .flag = &r.json},
                                       {"no-speed", 0, .flag = &r.untimed},
                                       READER_OPTIONS,
                                       {0}};
  const struct command_line line = {"measure", command_measure.help, options, 1, ANY_NUMBER};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) status = run_with(&a, &r);
  free(r.names);
  return status;
}

const struct command command_measure = {
    "measure",
    "measure every format on the rotations of files",
    {"Usage: quatsimd measure [--format F]... [--order O] [--no-speed] [--json]\n"
     "                        FILE...\n"
     "\n"
     "Packs and unpacks the rotations of all files in each format, and prints size,\n"
     "error and speed. A FILE is one of:\n"
     "  - animations: glTF 2.0 (.gltf, .glb), BVH or FBX\n"
     "  - a .npy array of floats x, y, z, w, of shape (..., 4), or a .npz archive\n"
     "    with one such array\n"
     "  - a scene of Gaussian splats: .splat or binary .ply\n"
     "\n"
     "  -f, --format F  measure this format. May be given several times. `all` means\n"
     "                  every format. Default: every format without :N in its name,\n"
     "                  smallest3:9 and mirage:10\n"
     "  --order O       order of the quaternions in arrays: xyzw (default) or wxyz\n"
     "  --no-speed      measure size and error only; these are the same on every CPU\n"
     "  --json          print JSON, with all digits\n"
     "  -h, --help      print this text\n" READER_HELP "\n"
     "Examples:\n"
     "  quatsimd measure walk.bvh run.bvh     all rotations of both files together\n"
     "  quatsimd measure --format smallest3_48 --format half4 hero.glb\n"
     "                                        two formats\n"
     "  quatsimd measure --format all --json recording.npy > report.json\n"
     "                                        every format, for a program to read\n"
     "\n"
     "docs/command.md explains the columns.\n"},
    run,
};
