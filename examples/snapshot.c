/* A server sends 64 bodies to a client, another process, 60 times a second for two seconds, over UDP on this
 * machine. One packet in 20 is dropped. For POSIX systems. Link with -lm. */
#define _POSIX_C_SOURCE 200809L
#include "loopback.h"

#include <math.h>
#include <quatsimd/quatsimd.h>

enum { BODIES = 64, PACKETS = 120, MOST = 4096 };
static const float BOUND = 0.001f; /* a millimetre, of positions */
static float place[BODIES][3], turn[BODIES][4], got_place[BODIES][3], got_turn[BODIES][4];
static quatsimd_stream *stream; /* the server's, and in the other process the client's */
static unsigned char packet[MOST], ack[QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE];

/* Both processes know where the bodies are at a time; the client only compares. */
static void move(uint32_t time) {
  for (int b = 0; b < BODIES; b++) {
    const float t = (float)time / 60 * (b % 4 ? 1 : 0), angle = t * (0.2f + 0.05f * (float)b); /* some rest */
    place[b][0] = 2 * (float)(b % 8) + cosf(angle);
    place[b][2] = 0.25f * (float)(b - b % 8) + sinf(angle);
    place[b][1] = 0.5f + fabsf(sinf(3 * t + (float)b)); /* they bounce */
    turn[b][1] = sinf(angle), turn[b][3] = cosf(angle);
  }
}

static void serve(int link) {
  size_t size, bytes = 0;
  const quatsimd_pose_in pose = {quatsimd_aos(turn[0]), quatsimd_strided(place[0], 12), {0}, NULL};
  for (uint32_t n = 0; n < PACKETS; n++) {
    while (recv(link, ack, sizeof ack, MSG_DONTWAIT) == (ssize_t)sizeof ack)
      quatsimd_stream_acknowledged(stream, 0, ack, sizeof ack);
    move(n);
    must(quatsimd_stream_encode_pose(stream, packet, MOST, &size, &pose, n, 0) == QUATSIMD_OK, "encode");
    if (n % 20 != 10) send(link, packet, size, 0);
    bytes += size;
    poll(NULL, 0, 1000 / 60);
  }
  printf("%d packets of %d bodies, %.1f bytes each\n", PACKETS, BODIES, (double)bytes / PACKETS);
}

static int play(int link) {
  int decoded = 0;
  float worst = 0;
  quatsimd_pose_out pose = {quatsimd_aos_out(got_turn[0]), quatsimd_strided_out(got_place[0], 12), {0}, NULL};
  while (arrives(link, 700)) {
    const ssize_t size = recv(link, packet, sizeof packet, 0);
    if (size < 0) continue;
    uint32_t time;
    const int good = quatsimd_stream_decode_pose(stream, &pose, &time, packet, (size_t)size) == QUATSIMD_OK;
    quatsimd_stream_acknowledge(stream, ack); /* whatever came */
    send(link, ack, sizeof ack, 0);
    if (good) move(time), decoded++;
    for (int b = 0; b < BODIES && good; b++) {
      const float *const p = place[b], *const q = got_place[b];
      worst = fmaxf(worst, hypotf(hypotf(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
    }
  }
  printf("%d packets were decoded; the worst position was %.3f mm off\n", decoded, 1000 * (double)worst);
  return decoded > PACKETS / 2 && worst < 1.001f * BOUND ? 0 : 1;
}

int main(void) {
  int link;
  quatsimd_stream_options options; /* the same on both sides */
  quatsimd_stream_options_init(&options, sizeof options);
  options.body_count = options.position_count = BODIES, options.position_bound = BOUND;
  const size_t size = quatsimd_stream_memory_size(&options);
  const pid_t client = fork_with_link(&link);
  must(quatsimd_stream_init(&stream, malloc(size), size, &options) == QUATSIMD_OK, "init");
  if (client == 0) return play(link);
  serve(link);
  return status_of(client);
}
