/* A server sends the rotations of 20 bodies to a client over a link that loses and delays packets. */
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 20, PACKETS = 600, DELAY = 3 }; /* 60 packets a second, 50 ms each way */

static void must(quatsimd_status status, const char *what) {
  if (!quatsimd_failed(status)) return;
  fprintf(stderr, "%s: %s\n", what, quatsimd_status_string(status));
  exit(1);
}

/* One direction of the link: the messages on their way, a slot for each time of arrival. */
typedef struct link {
  unsigned char bytes[DELAY + 1][1200];
  size_t size[DELAY + 1]; /* 0: lost */
} link;
static void put(link *l, int now, const void *bytes, size_t size) {
  static unsigned random = 1;
  random = random * 1664525u + 1013904223u;
  const int slot = (now + DELAY) % (DELAY + 1);
  if (size > sizeof l->bytes[slot]) size = 0; /* a packet that is too long is lost, too */
  memcpy(l->bytes[slot], bytes, size);
  l->size[slot] = random >> 16 < 65536 / 20 ? 0 : size; /* 5 % are lost */
}

static quatsimd_stream *open_stream(const quatsimd_stream_options *options) {
  const size_t size = quatsimd_stream_memory_size(options);
  quatsimd_stream *stream = NULL;
  /* the stream is at the start of its memory */
  must(quatsimd_stream_init(&stream, malloc(size), size, options), "init");
  return stream;
}

int main(void) {
  /* both sides: the same bodies, bound, states and session */
  quatsimd_stream_options options;
  quatsimd_stream_options_init(&options, sizeof options);
  options.body_count = BODIES, options.bound = 0.00436f; /* a quarter of a degree */
  options.session = 20261126;                            /* told to the client when it connects */
  quatsimd_stream *const server = open_stream(&options), *const client = open_stream(&options);
  const size_t longest = quatsimd_stream_max_packet_size(&options);
  unsigned char *const packet = malloc(longest), acknowledgement[QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE];
  static link down, up;

  static float sent[DELAY + 1][BODIES][4], now[BODIES][4], turn[BODIES][4], got[BODIES][4];
  for (int b = 0; b < BODIES; b++) { /* each body turns about z at its own speed */
    const float half_angle = 0.002f * (float)b, step[4] = {0, 0, half_angle, 1};
    memcpy(turn[b], step, sizeof step), now[b][3] = 1;
  }

  size_t bytes = 0, shown = 0, lost = 0, wrong = 0;
  uint32_t newest = 0;
  for (int f = 0; f < PACKETS; f++) {
    /* the server: moves, reads what the client has, sends */
    quatsimd_multiply(quatsimd_aos_out(now[0]), quatsimd_aos(turn[0]), quatsimd_aos(now[0]), BODIES);
    quatsimd_normalize(quatsimd_aos_out(now[0]), quatsimd_aos(now[0]), BODIES);
    memcpy(sent[f % (DELAY + 1)], now, sizeof now);
    const int arrived = f % (DELAY + 1);
    if (up.size[arrived])
      must(quatsimd_stream_acknowledged(server, 0, up.bytes[arrived], up.size[arrived]), "acknowledged");
    up.size[arrived] = 0;
    size_t written;
    must(quatsimd_stream_encode(server, packet, longest, &written, quatsimd_aos(now[0]), (uint32_t)f, 0),
         "encode");
    put(&down, f, packet, written);
    bytes += written;

    /* the client: shows what arrives, says what it has */
    if (f < DELAY) continue;
    quatsimd_status status = QUATSIMD_ERROR_BAD_PACKET;
    uint32_t time = 0;
    if (down.size[arrived])
      status = quatsimd_stream_decode(client, quatsimd_aos_out(got[0]), &time, down.bytes[arrived],
                                      down.size[arrived]);
    quatsimd_stream_acknowledge(client, acknowledgement); /* even if nothing came */
    put(&up, f, acknowledgement, sizeof acknowledgement);
    lost += down.size[arrived] == 0;
    if (status != QUATSIMD_OK || (shown && (int32_t)(time - newest) <= 0)) continue; /* shows the last */
    newest = time;
    float angle[BODIES];
    quatsimd_angle_between(quatsimd_strided_out(angle, sizeof *angle),
                           quatsimd_aos(sent[time % (DELAY + 1)][0]), quatsimd_aos(got[0]), BODIES);
    for (int b = 0; b < BODIES; b++) wrong += angle[b] > options.bound;
    shown++;
  }
  printf("%d packets of %d rotations, %.1f bits for each; %zu arrived and were decoded, %zu were lost\n",
         PACKETS, BODIES, 8.0 * (double)bytes / PACKETS / BODIES, shown, lost);
  free(packet), free(client), free(server);
  return wrong == 0 && shown + lost == PACKETS - DELAY ? 0 : 1;
}
