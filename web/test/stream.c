/* Does again, with the native library, what stream.test.mjs did in WebAssembly: web_stream <CALLS >RESULTS.
 * CALLS has for each call a letter, the number of the side and the arguments. RESULTS has the status of each
 * call, and what it wrote unless it failed. */
#include <quatsimd/quatsimd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDES = 256 };
static struct {
  quatsimd_stream *stream;
  void *memory;
  quatsimd_stream_options options;
  float gravity[3], *bounds, *rest, *rotations, *positions, *tracks;
  unsigned char *packet;
} sides[SIDES], *s;

static void must(int good, const char *what) {
  if (!good) fprintf(stderr, "web_stream: %s\n", what), exit(1);
}
static void *room(size_t count, size_t size) {
  void *const p = calloc(count + 1, size);
  must(p != NULL, "out of memory");
  return p;
}
static void take(void *to, size_t size) {
  must(fread(to, 1, size, stdin) == size, "the calls end too early");
}
static uint32_t take_word(void) {
  uint32_t w;
  take(&w, sizeof w);
  return w;
}
static void give(const void *from, size_t size) {
  must(fwrite(from, 1, size, stdout) == size, "no room for results");
}
static quatsimd_status give_status(quatsimd_status status) {
  const int32_t number = status;
  give(&number, sizeof number);
  return status;
}

static void make(void) {
  quatsimd_stream_options *const o = &s->options;
  must(quatsimd_stream_options_init(o, sizeof *o) == QUATSIMD_OK, "options");
  o->body_count = take_word(), o->position_count = take_word(), o->state_count = (int)take_word();
  o->receiver_count = (int)take_word(), o->reliable = (int)take_word(), o->limit = take_word();
  o->track_count = take_word();
  const int has_bounds = take_word() != 0, has_rest = take_word() != 0;
  take(&o->session, sizeof o->session), take(&o->bound, 4), take(&o->position_bound, 4),
      take(&o->track_bound, 4);
  take(s->gravity, sizeof s->gravity), o->gravity = s->gravity;
  s->bounds = room(o->body_count, sizeof(float));
  if (has_bounds) take(s->bounds, 4 * o->body_count), o->bounds = s->bounds;
  s->rest = room(4 * o->body_count, sizeof(float));
  if (has_rest) take(s->rest, 16 * o->body_count), o->rest = s->rest;
  const size_t size = quatsimd_stream_memory_size(o);
  s->memory = room(size, 1), s->packet = room(quatsimd_stream_max_packet_size(o) + 1, 1);
  s->rotations = room(4 * o->body_count, sizeof(float));
  s->positions = room(3 * o->position_count, sizeof(float)), s->tracks = room(o->track_count, sizeof(float));
  give_status(quatsimd_stream_init(&s->stream, s->memory, size, o));
}

static void restart(void) {
  take(&s->options.session, sizeof s->options.session);
  give_status(
      quatsimd_stream_init(&s->stream, s->memory, quatsimd_stream_memory_size(&s->options), &s->options));
}

static void encode(void) {
  const uint32_t time = take_word(), key = take_word();
  size_t written;
  take(s->rotations, 16 * s->options.body_count), take(s->positions, 12 * s->options.position_count);
  take(s->tracks, 4 * s->options.track_count);
  const quatsimd_pose_in pose = {.rotations = quatsimd_aos(s->rotations),
                                 .translations = quatsimd_aos(s->positions),
                                 .tracks = s->tracks};
  if (give_status(quatsimd_stream_encode_pose(s->stream, s->packet,
                                              quatsimd_stream_max_packet_size(&s->options), &written, &pose,
                                              time, (int)key)) >= 0)
    give(s->packet, written);
}

static void decode(void) {
  const size_t size = take_word();
  unsigned char *const packet = room(size, 1);
  uint32_t time;
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(s->rotations),
                            .translations = quatsimd_aos_out(s->positions),
                            .tracks = s->tracks};
  take(packet, size);
  if (give_status(quatsimd_stream_decode_pose(s->stream, &pose, &time, packet, size)) == QUATSIMD_OK) {
    give(&time, sizeof time);
    give(s->rotations, 16 * s->options.body_count), give(s->positions, 12 * s->options.position_count);
    give(s->tracks, 4 * s->options.track_count);
  }
  free(packet);
}

static void acknowledge(void) {
  unsigned char bytes[QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE];
  give_status(quatsimd_stream_acknowledge(s->stream, bytes)), give(bytes, sizeof bytes);
}

static void acknowledged(void) {
  const size_t receiver = take_word(), size = take_word();
  unsigned char *const bytes = room(size, 1);
  take(bytes, size);
  give_status(quatsimd_stream_acknowledged(s->stream, receiver, bytes, size));
  free(bytes);
}

int main(void) {
  for (int call; (call = getchar()) != EOF;) {
    const int side = getchar();
    must(side != EOF, "a call of no side");
    s = &sides[side];
    switch (call) {
    case 'm': make(); break;
    case 'r': restart(); break;
    case 'e': encode(); break;
    case 'd': decode(); break;
    case 'k': acknowledge(); break;
    case 'a': acknowledged(); break;
    case 'l': give_status(quatsimd_stream_leave(s->stream, take_word())); break;
    default: must(0, "no such call");
    }
  }
  return 0;
}
