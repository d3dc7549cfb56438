/* A crowd from one bundle: crowd FILE.qsb [OUT.svg]. Each of 1,000 characters blends two of the bundle's
 * clips, at its own times. Prints how long a frame takes, and draws some characters as stick figures. */
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 1000, FRAMES = 20, DRAWN = 60, ROW = 20 };

static void check(int good, const char *what) {
  if (!good) fprintf(stderr, "%s\n", what), exit(1);
}

static double milliseconds(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; } /* of the CPU */

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  check(file && fseek(file, 0, SEEK_END) == 0, path);
  *size = (size_t)ftell(file);
  void *data = malloc(*size);
  rewind(file);
  check(data && fread(data, 1, *size, file) == *size, path);
  fclose(file);
  return data;
}

/* From the front, the y axis up; a line from each joint to the one above it. */
static void draw(const char *path, const quatsimd_skeleton *skeleton, const float *matrices, double height) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton), rows = DRAWN / ROW + 1;
  FILE *svg = fopen(path, "w");
  check(svg != NULL, path);
  fprintf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%g %g %g %g\">\n", -height, -1.5 * height,
          ROW * height + height, (double)rows * height);
  fprintf(svg, "<path fill=\"none\" stroke=\"#246\" stroke-width=\"%g\" d=\"", 0.02 * height);
  for (size_t i = 0; i < DRAWN * joints; i++) {
    const size_t character = i / joints, row = character / ROW;
    const int64_t parent = quatsimd_skeleton_parent(skeleton, i % joints);
    if (parent < 0 || quatsimd_skeleton_parent(skeleton, (size_t)parent) < 0)
      continue; /* no line from the origin to the first joint */
    const float *to = matrices + 16 * i + 12,
                *from = matrices + 16 * (character * joints + (size_t)parent) + 12;
    const double x = (double)(character % ROW) * height, y = (double)row * height;
    fprintf(svg, "M%.4g %.4gL%.4g %.4g", x + (double)from[0], y - (double)from[1], x + (double)to[0],
            y - (double)to[1]);
  }
  check(fputs("\"/>\n</svg>\n", svg) >= 0 && fclose(svg) == 0, path);
}

int main(int argc, char **argv) {
  check(argc == 2 || argc == 3, "usage: crowd FILE.qsb [OUT.svg]");
  size_t size;
  void *data = read_file(argv[1], &size);
  quatsimd_bundle_storage storage;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_bundle *bundle;
  quatsimd_skeleton *skeleton;
  check(quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size) == QUATSIMD_OK, argv[1]);
  check(quatsimd_bundle_open_skeleton(bundle, &skeleton, &skeleton_storage, sizeof skeleton_storage) ==
            QUATSIMD_OK,
        argv[1]);
  const size_t clips = quatsimd_bundle_clip_count(bundle), joints = quatsimd_skeleton_joint_count(skeleton);
  check(clips > 0, argv[1]);
  size_t clip_bytes = 0;
  for (size_t c = 0; c < clips; c++) clip_bytes += quatsimd_bundle_clip_memory_size(bundle, c);
  char *memory = malloc(clip_bytes + 1), *at = memory; /* for all opened clips */
  quatsimd_clip **clip = calloc(clips, sizeof(quatsimd_clip *));
  float *matrices = malloc(COUNT * joints * 16 * sizeof *matrices);
  quatsimd_pose_job *job = calloc(COUNT, sizeof *job);
  quatsimd_pose_layer(*layer)[2] = calloc(COUNT, sizeof *layer);
  check(memory && clip && matrices && job && layer, argv[1]);
  for (size_t c = 0, bytes; c < clips; c++, at += bytes) {
    bytes = quatsimd_bundle_clip_memory_size(bundle, c);
    check(quatsimd_bundle_open_clip(bundle, c, &clip[c], at, bytes) == QUATSIMD_OK, argv[1]);
  }
  for (size_t i = 0; i < COUNT; i++) {
    for (size_t l = 0; l < 2; l++)
      layer[i][l] = (quatsimd_pose_layer){
          .clip = clip[(i * 7 + l) % clips], .wrap = QUATSIMD_CLIP_WRAP_LOOP, .weight = l ? 0.3f : 0.7f};
    job[i] = (quatsimd_pose_job){.struct_size = sizeof job[i],
                                 .layer_size = sizeof layer[i][0],
                                 .skeleton = skeleton,
                                 .layers = layer[i],
                                 .layer_count = 2,
                                 .model = matrices + i * joints * 16,
                                 .layout = QUATSIMD_MATRIX_4X4};
  }
  const size_t scratch_size = quatsimd_pose_scratch_size(job, COUNT);
  void *scratch = malloc(scratch_size);
  quatsimd_pose_report report; /* which character is wrong, and why */
  quatsimd_pose_report_init(&report, sizeof report);
  double best = 1e9;
  for (int frame = 0; frame < FRAMES; frame++) {
    for (size_t i = 0; i < COUNT; i++)
      for (size_t l = 0; l < 2; l++) layer[i][l].time = frame / 60.0 + (double)i * 0.13;
    const double start = milliseconds();
    const quatsimd_status status = quatsimd_pose_evaluate(job, COUNT, scratch, scratch_size, &report);
    if (status != QUATSIMD_OK) fprintf(stderr, "character %zu: %s\n", report.job, report.error), exit(1);
    const double spent = milliseconds() - start;
    if (spent < best) best = spent;
  }
  printf("%d characters of %zu joints, two of %zu clips each: %.2f ms a frame, %.0f ns a character\n", COUNT,
         joints, clips, best, best * 1e6 / COUNT);
  float top = 0;
  for (size_t j = 0; j < joints; j++)
    if (matrices[16 * j + 13] > top) top = matrices[16 * j + 13];
  if (argc == 3) draw(argv[2], skeleton, matrices, (double)top * 1.3);
  free(scratch), free(layer), free(job), free(matrices), free(clip), free(memory), free(data);
  return 0;
}
