/* The first probabilities of a stream's models, counted: see generate/stream_models.py. Reads motions from
 * standard input, each as two int32, frames and bodies, and frames * bodies quaternions of floats; prints the
 * rows of src/stream/first_models.h. */
#include <stdio.h>
#include <stdlib.h>

#include "stream/range_coder.h"

static void put_counted(range_encoder *e, model *first, model *m, bool bit);
/* in point.h, m is all models */
#define put_bit(e, its_model, bit) put_counted(e, (model *)(void *)m, its_model, bit)
#include "stream/point.h"
#undef put_bit

#include "stream/encode.c"

enum { MODELS = sizeof(point_models) / sizeof(model) };
static double counts[MODELS][2];

/* Of points that were coded whole in the end, too: there are few. */
static void put_counted(range_encoder *e, model *first, model *m, bool bit) {
  counts[m - first][bit]++;
  put_bit(e, m, bit);
}

static void check(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "stream_models: %s\n", what);
  exit(1);
}

/* Every `step`-th frame is a packet, coded against the one `late` packets before. */
static void count_stream(const float *rotations, int frames, int bodies, float degrees, int step, int late) {
  quatsimd_stream_options options;
  quatsimd_stream_options_init(&options, sizeof options);
  options.body_count = (size_t)bodies, options.bound = degrees * 0.01745329f;
  const size_t size = quatsimd_stream_memory_size(&options), room = quatsimd_stream_max_packet_size(&options);
  unsigned char *const packet = malloc(room),
                       (*const said)[QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE] = calloc(64, sizeof *said);
  float *const out = malloc((size_t)bodies * 4 * sizeof(float));
  quatsimd_stream *sender, *receiver;
  check(packet && said && out && quatsimd_stream_init(&sender, malloc(size), size, &options) == QUATSIMD_OK &&
            quatsimd_stream_init(&receiver, malloc(size), size, &options) == QUATSIMD_OK,
        "no memory");
  for (int f = 0; f * step < frames; f++) {
    size_t written;
    uint32_t time;
    if (f >= late) quatsimd_stream_acknowledged(sender, 0, said[(f - late) % 64], sizeof *said);
    check(quatsimd_stream_encode(sender, packet, room, &written,
                                 quatsimd_aos(rotations + (size_t)f * (size_t)step * (size_t)bodies * 4),
                                 (uint32_t)f, 0) >= 0 &&
              quatsimd_stream_decode(receiver, quatsimd_aos_out(out), &time, packet, written) == QUATSIMD_OK,
          "a packet was not decoded");
    quatsimd_stream_acknowledge(receiver, said[f % 64]);
  }
  free(packet), free(said), free(out), free(sender), free(receiver);
}

static int byte_of(const double count[2]) {
  const double p = (count[1] + 1) / (count[0] + count[1] + 2) * 256;
  return p < 1 ? 1 : p > 254 ? 254 : (int)p;
}

int main(void) {
  int32_t shape[2];
  while (fread(shape, sizeof shape, 1, stdin) == 1) {
    const size_t floats = (size_t)shape[0] * (size_t)shape[1] * 4;
    float *const rotations = malloc(floats * sizeof(float));
    check(rotations && fread(rotations, sizeof(float), floats, stdin) == floats, "the input ends too early");
    static const float bounds[] = {1, 0.25f, 0.05f};
    for (int b = 0; b < 3; b++)
      for (int step = 1; step <= 4; step *= 2)
        for (int late = 1; late * step <= 12; late = late < 3 ? 3 : 4 * late)
          count_stream(rotations, shape[0], shape[1], bounds[b], step, late);
    free(rotations);
  }
  for (int i = 0; i < MODELS; i++)
    printf("%d,%s", byte_of(counts[i]),
           i < 2 * LEVELS ? (i % LEVELS == LEVELS - 1 ? "\n" : " ")
                          : ((i - 2 * LEVELS) % (2 * STEPS) == 2 * STEPS - 1 ? "\n" : " "));
  return 0;
}
