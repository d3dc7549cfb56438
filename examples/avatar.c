/* An avatar with a face, 30 times a second for two seconds, from one process to another over UDP on this
 * machine: a root, 20 joints and 52 weights. For POSIX systems. Link with -lm. */
#define _POSIX_C_SOURCE 200809L
#include "avatar.h"
#include "loopback.h"

enum { PACKETS = 60, MOST = 4096 };
static const float POINTS = 0.005f, WEIGHT = 0.01f; /* the bounds: 5 mm at 10 cm from a joint, 1 % */
static quatsimd_stream *stream;                     /* the server's, and in the other process the client's */
static unsigned char packet[MOST], ack[QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE];

static void serve(int link) {
  size_t size, bytes = 0;
  const quatsimd_pose_in pose = {quatsimd_aos(turns[0]), quatsimd_strided(places[0], 12), {0}, weights};
  for (uint32_t n = 0; n < PACKETS; n++) {
    while (recv(link, ack, sizeof ack, MSG_DONTWAIT) == (ssize_t)sizeof ack)
      quatsimd_stream_acknowledged(stream, 0, ack, sizeof ack);
    move(n);
    must(quatsimd_stream_encode_pose(stream, packet, MOST, &size, &pose, n, 0) == QUATSIMD_OK, "encode");
    if (n % 20 != 10) send(link, packet, size, 0);
    bytes += size;
    poll(NULL, 0, 1000 / 30);
  }
  printf("%d packets of %d joints and %d weights, %.1f bytes each\n", PACKETS, JOINTS, WEIGHTS,
         (double)bytes / PACKETS);
}

static int play(int link) {
  int decoded = 0;
  float point = 0, weight = 0;
  quatsimd_pose_out pose = {
      quatsimd_aos_out(got_turns[0]), quatsimd_strided_out(got_places[0], 12), {0}, got_weights};
  while (arrives(link, 700)) {
    const ssize_t size = recv(link, packet, sizeof packet, 0);
    if (size < 0) continue;
    uint32_t time;
    const int good = quatsimd_stream_decode_pose(stream, &pose, &time, packet, (size_t)size) == QUATSIMD_OK;
    quatsimd_stream_acknowledge(stream, ack); /* whatever came */
    send(link, ack, sizeof ack, 0);
    if (!good) continue;
    move(time), decoded++;
    point = fmaxf(point, worst_point());
    for (int w = 0; w < WEIGHTS; w++) weight = fmaxf(weight, fabsf(got_weights[w] - weights[w]));
  }
  printf("%d packets were decoded; at worst a point was %.2f mm off and a weight %.4f\n", decoded,
         1000 * (double)point, (double)weight);
  return decoded > PACKETS / 2 && point <= POINTS && weight <= WEIGHT ? 0 : 1;
}

int main(void) {
  float bounds[JOINTS];
  must(make_skeleton(), "skeleton");
  quatsimd_stream_options options;
  quatsimd_stream_options_init(&options, sizeof options);
  move(0);
  for (int j = 0; j < JOINTS; j++) bounds[j] = (float)(j < JOINTS - 1); /* 0: it never turns */
  must(quatsimd_stream_bounds(bounds, &options.position_bound, skeleton, 1, POINTS, 0.1f) == QUATSIMD_OK,
       "bounds"); /* made once: both sides need the same */
  options.body_count = JOINTS, options.bounds = bounds, options.rest = turns[0];
  options.position_count = 1, options.track_count = WEIGHTS, options.track_bound = WEIGHT;
  int link;
  const pid_t client = fork_with_link(&link);
  if (client) /* the server alone knows what the joints carry */
    options.skeleton = skeleton, options.object_bound = POINTS, options.object_distance = 0.1f;
  const size_t size = quatsimd_stream_memory_size(&options);
  must(quatsimd_stream_init(&stream, malloc(size), size, &options) == QUATSIMD_OK, "init");
  if (client == 0) return play(link);
  serve(link);
  return status_of(client);
}
