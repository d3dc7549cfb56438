/* As web/test/speed.mjs measures WebAssembly, but of a native library: speed FILE.qsb CLIP. Prints the
 * kernels, and microseconds of a pose sampled, of one with its matrices in model space, and of one joint.
 * speed FILE.qsb CLIP WORK POSES does work 0, 1 or 2 of these so many times, to be counted. */
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 60, POSES = 1000, WORKS = 3 };

static void check(int good, const char *what) {
  if (!good) fprintf(stderr, "speed: %s\n", what), exit(1);
}

static double microseconds(void) {
  struct timespec now;
  check(timespec_get(&now, TIME_UTC) == TIME_UTC, "no time");
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

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

int main(int argc, char **argv) {
  check(argc == 3 || argc == 5, "usage: speed FILE.qsb CLIP [WORK POSES]");
  size_t size;
  void *data = read_file(argv[1], &size);
  quatsimd_bundle_storage storage;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_bundle *bundle;
  quatsimd_skeleton *skeleton;
  quatsimd_clip *clip;
  check(!quatsimd_failed(quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size)), argv[1]);
  check(!quatsimd_failed(
            quatsimd_bundle_open_skeleton(bundle, &skeleton, &skeleton_storage, sizeof skeleton_storage)),
        argv[1]);
  const int64_t number = quatsimd_bundle_find_clip(bundle, argv[2]);
  check(number >= 0, argv[2]);
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton),
               clip_size = quatsimd_bundle_clip_memory_size(bundle, (size_t)number);
  void *memory = malloc(clip_size);
  float *block = calloc(26 * joints + tracks, sizeof *block), *matrices = block + 10 * joints + tracks;
  check(memory && block, "memory");
  check(!quatsimd_failed(quatsimd_bundle_open_clip(bundle, (size_t)number, &clip, memory, clip_size)),
        argv[2]);
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(block),
                            .translations = quatsimd_aos_out(block + 4 * joints),
                            .scales = quatsimd_aos_out(block + 7 * joints),
                            .tracks = tracks ? block + 10 * joints : NULL};
  quatsimd_pose_layer layer = {.clip = clip, .weight = 1};
  quatsimd_pose_job job = {.struct_size = sizeof job,
                           .layer_size = sizeof layer,
                           .skeleton = skeleton,
                           .layers = &layer,
                           .layer_count = 1,
                           .local = pose,
                           .model = matrices,
                           .layout = QUATSIMD_MATRIX_4X4};
  const size_t scratch_size = quatsimd_pose_scratch_size(&job, 1);
  void *scratch = malloc(scratch_size);
  double best[WORKS] = {1e9, 1e9, 1e9};
  const int counted = argc == 5 ? atoi(argv[3]) : -1, poses = argc == 5 ? atoi(argv[4]) : POSES;
  for (int round = 0; round < WORKS * ROUNDS; round++) {
    const int work = counted < 0 ? round % WORKS : counted;
    const double start = microseconds();
    for (int i = 0; i < poses; i++) {
      const double turn = i * 0.6180339887, at = turn - (int)turn;
      const uint32_t joint = (uint32_t)((size_t)i % joints);
      layer.time = quatsimd_clip_start(clip) + quatsimd_clip_duration(clip) * at;
      const quatsimd_status status =
          work == 0   ? quatsimd_clip_sample(clip, &pose, NULL, layer.time, layer.wrap, 0)
          : work == 1 ? quatsimd_pose_evaluate(&job, 1, scratch, scratch_size, NULL)
                      : quatsimd_clip_sample_joints(clip, &pose, NULL, layer.time, layer.wrap, &joint, 1, 0);
      check(!quatsimd_failed(status), quatsimd_status_string(status));
    }
    const double spent = (microseconds() - start) / poses;
    if (spent < best[work]) best[work] = spent;
    if (counted >= 0) break;
  }
  if (counted < 0) printf("%s %.3f %.3f %.3f\n", quatsimd_isa(), best[0], best[1], best[2]);
  free(scratch), free(block), free(memory), free(data);
  return 0;
}
