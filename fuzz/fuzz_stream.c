/* libFuzzer over streams: an encoder of any floats, and a decoder for each kernel that gets its packets,
 * among others: damaged, made up, cut off, with the checksum made good or not. A packet that is refused
 * changes nothing, so that the encoder's next one comes out within the bound; all that is decoded is of
 * length 1 and the same with all kernels. */
#include "fuzz.h"

#include "stream/checksum.h"

enum { MOST_BODIES = 150, MOST_FRAMES = 24 };

/* A decoder and where it writes. */
typedef struct receiver {
  const quatsimd_kernels *kernels;
  quatsimd_stream *stream;
  void *memory;
  fuzz_array to;
} receiver;

typedef struct channel {
  quatsimd_stream_options options;
  quatsimd_stream *sender;
  void *memory;
  receiver receivers[MAX_KERNELS];
  size_t count;  /* of receivers */
  bool together; /* receivers have every packet of the sender, and no other */
  fuzz_array packet;
  size_t frame_size;
  /* floats given, and the rotations of the packet before */
  float sent[4 * MOST_BODIES], last[4 * MOST_BODIES];
} channel;

static quatsimd_stream *stream_new(const quatsimd_stream_options *options, int predictors, void **memory) {
  quatsimd_stream *stream;
  const size_t size = quatsimd_stream_size(options);
  *memory = malloc(size);
  if (!*memory || quatsimd_stream_init(&stream, *memory, size, options) != QUATSIMD_OK)
    fuzz_fail("no stream");
  quatsimd_stream_use_predictors(stream, predictors);
  return stream;
}

/* The same packet to all; they agree about it. True if they take it. */
static bool deliver(channel *c, const unsigned char *bytes, size_t size) {
  fuzz_array packet = fuzz_array_new(size, 0);
  quatsimd_status status = QUATSIMD_OK;
  if (size) memcpy(packet.data, bytes, size);
  for (size_t r = 0; r < c->count; r++) {
    receiver *to = &c->receivers[r];
    memset(to->to.data, 0xa5, to->to.size);
    fuzz_use(to->kernels);
    const quatsimd_status now =
        quatsimd_stream_decode(to->stream, quatsimd_aos_out((float *)(void *)to->to.data), packet.data, size);
    if (r == 0) status = now;
    if (now != status)
      fuzz_fail("%s: %s, scalar: %s", to->kernels->name, quatsimd_status_string(now),
                quatsimd_status_string(status));
    if (memcmp(to->to.data, c->receivers[0].to.data, to->to.size) != 0)
      fuzz_fail("%s: not what scalar decodes", to->kernels->name);
  }
  fuzz_array_free(&packet);
  const unsigned char *got = c->receivers[0].to.data;
  for (size_t i = 0; i < c->receivers[0].to.size && status != QUATSIMD_OK; i++)
    if (got[i] != 0xa5) fuzz_fail("a packet that is refused writes rotations");
  for (size_t b = 0; b < c->options.bodies && status == QUATSIMD_OK; b++) {
    float q[4];
    memcpy(q, got + 16 * b, 16);
    if (!fuzz_is_unit(q)) fuzz_fail("body %zu: a rotation has length %.9g", b, fuzz_length(q));
  }
  return status == QUATSIMD_OK;
}

/* In most inputs few, up to more than a block, as they take the time; else about as many as a chunk, or
 * more. */
static size_t bodies_of(unsigned byte) { return byte < 240 ? byte % 20 + 1 : 120 + 2 * (size_t)(byte - 240); }

/* The sender's next packet, made with some kernels. */
static void encode(channel *c, fuzz_input *in, bool key) {
  const size_t first = fuzz_byte(in) % c->options.bodies,
               some = fuzz_byte(in) % (c->options.bodies - first) + 1;
  fuzz_take(in, c->sent + 4 * first, 16 * some); /* the others stay */
  fuzz_use(c->receivers[in->left % c->count].kernels);
  const quatsimd_status status = quatsimd_stream_encode(c->sender, c->packet.data, c->packet.size,
                                                        &c->frame_size, quatsimd_aos(c->sent), key);
  if (status != QUATSIMD_OK && status != QUATSIMD_WARNING_REPLACED_INVALID)
    fuzz_fail("encode: %s", quatsimd_status_string(status));
}

static void check_bound(channel *c) {
  for (size_t b = 0; b < c->options.bodies; b++) {
    float q[4];
    memcpy(q, c->receivers[0].to.data + 16 * b, 16);
    const float *wanted = fuzz_is_valid(c->sent + 4 * b) ? c->sent + 4 * b : c->last + 4 * b;
    if (fuzz_is_valid(c->sent + 4 * b) >= 0 && fuzz_angle(wanted, q) > (double)c->options.bound + 1e-7)
      fuzz_fail("body %zu is %.6g off, and the bound is %.6g", b, fuzz_angle(wanted, q),
                (double)c->options.bound);
    memcpy(c->last + 4 * b, q, 16);
  }
}

/* A packet that no sender made: the last one with changes, or any bytes. sealed: with the number and
 * checksum that decoders want. */
static void disturb(channel *c, fuzz_input *in, unsigned how) {
  unsigned char bytes[512];
  const quatsimd_stream *s = c->receivers[0].stream;
  size_t size = fuzz_short(in) % sizeof bytes;
  if (how & 8) {
    fuzz_take(in, bytes, size);
  } else {
    if (size > c->frame_size) size = c->frame_size;
    memcpy(bytes, c->packet.data, size);
    for (unsigned changes = fuzz_byte(in) % 8; changes > 0 && size; changes--) {
      const size_t at = fuzz_short(in) % size;
      bytes[at] ^= fuzz_byte(in);
    }
  }
  if (how & 16 && size >= HEAD_BYTES) {
    const unsigned head = (s->number & 0x7fff) << 1 | (how >> 5 & 1);
    const uint16_t check = stream_checksum(s, head, bytes, size);
    bytes[0] = (unsigned char)head, bytes[1] = (unsigned char)(head >> 8), bytes[2] = (unsigned char)check,
    bytes[3] = (unsigned char)(check >> 8);
  }
  if (deliver(c, bytes, size)) c->together = false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  static channel c;
  fuzz_input in = {data, size};
  c = (channel){.count = fuzz_tables(tables), .together = true};
  const unsigned kind = fuzz_byte(&in);
  c.options =
      (quatsimd_stream_options){sizeof c.options, bodies_of(fuzz_byte(&in)), fuzz_float(&in), kind & 1};
  if (quatsimd_stream_size(&c.options) == 0) c.options.bound = 0.01f;
  c.sender = stream_new(&c.options, kind / 2 % 4, &c.memory);
  c.packet = fuzz_array_new(quatsimd_stream_max_packet(&c.options), 0);
  for (size_t r = 0; r < c.count; r++) {
    c.receivers[r].kernels = tables[r];
    c.receivers[r].stream = stream_new(&c.options, QUATSIMD_PREDICT_BOTH, &c.receivers[r].memory);
    c.receivers[r].to = fuzz_array_new(16 * c.options.bodies, 0);
  }
  for (size_t b = 0; b < c.options.bodies; b++) c.sent[4 * b + 3] = c.last[4 * b + 3] = 1;
  for (int f = 0; f < MOST_FRAMES && in.left; f++) {
    const unsigned how = fuzz_byte(&in);
    if (how & 1) {
      disturb(&c, &in, how);
      continue;
    }
    encode(&c, &in, how & 2);
    for (unsigned others = how >> 2 & 3; others > 0; others--) disturb(&c, &in, fuzz_byte(&in));
    const bool taken = deliver(&c, c.packet.data, c.frame_size);
    if (c.together && !taken) fuzz_fail("a packet of the sender is refused");
    if (c.together) check_bound(&c);
  }
  for (size_t r = 0; r < c.count; r++) fuzz_array_free(&c.receivers[r].to), free(c.receivers[r].memory);
  fuzz_array_free(&c.packet);
  free(c.memory);
  return 0;
}
