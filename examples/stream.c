#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 20, PACKETS = 300 };

static void fail(const char *what, quatsimd_status status) {
  fprintf(stderr, "%s: %s\n", what, quatsimd_status_string(status));
  exit(1);
}

int main(void) {
  /* both sides: the same options, memory for the state, a stream in it */
  quatsimd_stream_options options;
  quatsimd_stream_options_init(&options, sizeof options);
  options.bodies = BODIES, options.bound = 0.00436f; /* a quarter of a degree */
  const size_t size = quatsimd_stream_size(&options), longest = quatsimd_stream_max_packet(&options);
  void *sender_memory = malloc(size), *receiver_memory = malloc(size);
  unsigned char *packet = malloc(longest);
  quatsimd_stream *sender, *receiver;
  quatsimd_status status = quatsimd_stream_init(&sender, sender_memory, size, &options);
  if (status == QUATSIMD_OK) status = quatsimd_stream_init(&receiver, receiver_memory, size, &options);
  if (status != QUATSIMD_OK || !packet) fail("no stream", status);

  float turn[BODIES][4], sent[BODIES][4], got[BODIES][4];
  for (int b = 0; b < BODIES; b++) { /* each body turns about z at its own speed */
    const float half_angle = 0.002f * (float)b;
    const float start[4] = {0, 0, 0, 1}, step[4] = {0, 0, half_angle, 1 - half_angle * half_angle / 2};
    for (int c = 0; c < 4; c++) sent[b][c] = start[c], turn[b][c] = step[c];
  }

  size_t bytes = 0, lost = 0, shown = 0;
  int want_key = 0; /* what the receiver has asked for */
  for (int f = 0; f < PACKETS; f++) {
    quatsimd_multiply(quatsimd_aos_out(sent[0]), quatsimd_aos(turn[0]), quatsimd_aos(sent[0]), BODIES);
    quatsimd_normalize(quatsimd_aos_out(sent[0]), quatsimd_aos(sent[0]), BODIES);

    /* the sender; invalid rotations, which are a warning, would be sent as the last ones */
    size_t written;
    status = quatsimd_stream_encode(sender, packet, longest, &written, quatsimd_aos(sent[0]), want_key);
    if (status < 0) fail("encode", status);
    bytes += written;
    want_key = 0;

    if (f % 100 == 50) { /* the network drops a packet */
      lost++;
      continue;
    }

    /* the receiver */
    status = quatsimd_stream_decode(receiver, quatsimd_aos_out(got[0]), packet, written);
    if (status == QUATSIMD_OK) {
      float angle[BODIES];
      shown++;
      quatsimd_angle_between(quatsimd_strided_out(angle, sizeof *angle), quatsimd_aos(sent[0]),
                             quatsimd_aos(got[0]), BODIES);
      for (int b = 0; b < BODIES; b++)
        if (angle[b] > options.bound) fail("beyond the bound", QUATSIMD_OK);
    } else if (status == QUATSIMD_ERROR_NEED_KEY || status == QUATSIMD_ERROR_BAD_PACKET) {
      want_key = 1; /* goes to the sender; until the key packet comes, the receiver shows what it has */
    } else if (status != QUATSIMD_ERROR_OLD_PACKET) { /* which is passed over */
      fail("decode", status);
    }
  }

  printf("%d packets of %d rotations, %.1f bits for each; %zu lost, %zu shown\n", PACKETS, BODIES,
         8.0 * (double)bytes / PACKETS / BODIES, lost, shown);
  free(packet), free(receiver_memory), free(sender_memory);
  return shown == PACKETS - 2 * lost ? 0 : 1; /* a key packet comes one packet after it was asked for */
}
