/* quatsimd stream: the cost of sending the rotations of files, packet by packet, over a bad network. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/quantity.h"
#include "base/text.h"
#include "commands/command.h"
#include "readers/limits.h"
#include "report/stream_report.h"
#include "scene/input.h"

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}
static void sort_ages(struct stream_result *r) { qsort(r->age, r->ages, sizeof *r->age, compare_numbers); }

static void add_part(struct stream_part *sum, const struct stream_part *part) {
  sum->packets += part->packets, sum->bytes += part->bytes, sum->rotations += part->rotations;
  if (part->longest > sum->longest) sum->longest = part->longest;
}

/* All streams together. Its ages are to be freed. */
static struct stream_result sum_of(const struct stream_result *results, size_t count) {
  struct stream_result sum = {0};
  for (size_t i = 0; i < count; i++) sum.ages += results[i].ages;
  sum.age = memory_get(sum.ages, sizeof *sum.age);
  sum.ages = 0;
  for (size_t i = 0; i < count; i++) {
    const struct stream_result *r = &results[i];
    add_part(&sum.all, &r->all), add_part(&sum.key, &r->key);
    sum.invalid += r->invalid, sum.seconds += r->seconds;
    sum.arrived += r->arrived, sum.decoded += r->decoded, sum.late += r->late,
        sum.duplicates += r->duplicates;
    sum.encode += r->encode, sum.decode += r->decode;
    angle_error_add(&sum.error, &r->error);
    if (r->ages) memcpy(sum.age + sum.ages, r->age, r->ages * sizeof *r->age);
    sum.ages += r->ages;
  }
  sort_ages(&sum);
  return sum;
}

static int send_all(const struct stream_settings *settings, const struct motions *files, size_t count) {
  size_t streams = 0, left_out = 0, r = 0;
  for (size_t f = 0; f < count; f++) streams += files[f].count, left_out += files[f].left_out;
  struct stream_result *results = memory_get(streams, sizeof *results);
  bool good = true;
  for (size_t f = 0; f < count; f++)
    for (size_t m = 0; m < files[f].count; m++, r++) {
      results[r].path = files[f].path;
      results[r].motion = &files[f].motion[m];
      progress_show("sending", r, streams,
                    *results[r].motion->name ? results[r].motion->name : files[f].path);
      good = stream_send(settings, r, &results[r]) && good;
      sort_ages(&results[r]);
    }
  progress_clear();
  const struct stream_result sum = sum_of(results, streams);
  if (sum.all.packets == 0) good = false; /* complained of */
  else {
    const struct stream_report report = {settings, results, streams, &sum, left_out};
    (settings->json ? stream_report_print_json : stream_report_print)(&report);
  }
  for (r = 0; r < streams; r++) free(results[r].age);
  free(results), free(sum.age);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

static int run_with(const struct arguments *a, const struct stream_settings *settings, bool w_first) {
  struct motions *files = memory_get(a->count, sizeof *files);
  size_t readable = 0, whole = 0;
  for (size_t f = 0; f < a->count; f++) {
    progress_show("reading", f, a->count, a->operands[f]);
    if (!motions_read(a->operands[f], w_first, settings->frame_rate, &files[f])) continue;
    readable++;
    whole += files[f].unread == 0;
  }
  progress_clear();
  int status = readable ? send_all(settings, files, a->count) : STATUS_BAD_INPUT;
  if (whole < a->count) status = STATUS_BAD_INPUT;
  for (size_t f = 0; f < a->count; f++) motions_free(&files[f]);
  free(files);
  return status;
}

/* The options as texts; null: one that is not given. */
struct texts {
  const char *bound, *rate, *frame_rate, *loss, *burst, *duplicate, *delay, *jitter, *order;
};

/* STATUS_OK, or that of the complaint. */
static int understand_link(struct link_settings *link, const struct texts *t, bool reliable) {
  if (!quantity_share("stream", "--loss", t->loss, &link->loss) ||
      !quantity_share("stream", "--duplicate", t->duplicate, &link->duplicate) ||
      !quantity_time("stream", "--delay", t->delay, &link->delay) ||
      !quantity_time("stream", "--jitter", t->jitter, &link->jitter) ||
      !quantity_number("stream", "--burst", t->burst, &link->burst))
    return STATUS_BAD_USAGE;
  if (link->loss == 1) return usage_error("stream", "--loss: with 100%% nothing would arrive");
  const double alone = 1 / (1 - link->loss); /* in a row on average if each one is lost or not by itself */
  if (!t->burst) link->burst = alone;
  if (link->burst < 1) return usage_error("stream", "--burst: %g is less than 1", link->burst);
  if (link->burst < link->loss * alone)
    return usage_error("stream", "--burst: if %g%% are lost, at least %g are lost in a row on average",
                       100 * link->loss, link->loss * alone);
  if (t->burst && link->loss == 0) return usage_error("stream", "--burst needs --loss");
  if (link->reorder && link->jitter == 0) return usage_error("stream", "--reorder needs --jitter");
  if (reliable && (link->loss > 0 || link->duplicate > 0 || link->reorder))
    return usage_error("stream", "--reliable does not go with --loss, --duplicate and --reorder");
  return STATUS_OK;
}

static int understand(struct stream_settings *s, const struct texts *t, int key) {
  if (key < 0) return usage_error("stream", "--key: %d is negative", key);
  s->key = (size_t)key;
  s->options.body_count = 1;
  if (quatsimd_stream_memory_size(&s->options) == 0)
    return usage_error("stream", "--states: %d is not 16, 32, 64, 128 or 256", s->options.state_count);
  double radians = 0.25 / DEGREES;
  if (!quantity_angle("stream", "--bound", t->bound, &radians) ||
      !quantity_number("stream", "--rate", t->rate, &s->rate) ||
      !quantity_number("stream", "--fps", t->frame_rate, &s->frame_rate))
    return STATUS_BAD_USAGE;
  s->options.bound = quantity_bound(radians);
  s->bound = radians * DEGREES;
  return understand_link(&s->link, t, s->options.reliable);
}

static int run(int argc, char **argv) {
  struct stream_settings settings = {.frame_rate = 60};
  quatsimd_stream_options_init(&settings.options, sizeof settings.options);
  struct texts texts = {0};
  bool untimed = false, reliable = false, w_first;
  int key = 0, status;
  const struct option_row options[] = {{"bound", 'b', .text = &texts.bound},
                                       {"states", 0, .whole = &settings.options.state_count},
                                       {"reliable", 0, .flag = &reliable},
                                       {"key", 'k', .whole = &key},
                                       {"rate", 'r', .text = &texts.rate},
                                       {"fps", 0, .text = &texts.frame_rate},
                                       {"loss", 0, .text = &texts.loss},
                                       {"burst", 0, .text = &texts.burst},
                                       {"duplicate", 0, .text = &texts.duplicate},
                                       {"delay", 0, .text = &texts.delay},
                                       {"jitter", 0, .text = &texts.jitter},
                                       {"reorder", 0, .flag = &settings.link.reorder},
                                       {"seed", 0, .whole = &settings.link.seed},
                                       {"order", 0, .text = &texts.order, .values = "xyzw wxyz"},
                                       {"json", 0, .flag = &settings.json},
                                       {"no-speed", 0, .flag = &untimed},
                                       READER_OPTIONS,
                                       {0}};
  const struct command_line line = {"stream", command_stream.help, options, 1, ANY_NUMBER};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) {
    settings.options.reliable = reliable;
    settings.timed = !untimed;
    status = understand(&settings, &texts, key);
    if (status == STATUS_OK && !input_order("stream", texts.order, &w_first)) status = STATUS_BAD_USAGE;
    if (status == STATUS_OK) status = run_with(&a, &settings, w_first);
  }
  return status;
}

const struct command command_stream = {
    "stream",
    "simulate sending rotations over a network: size, error, delay",
    {"Usage: quatsimd stream [--bound ANGLE] [--states N] [--reliable] [--key N]\n"
     "                       [--rate R] [--fps R] [--loss P] [--burst N]\n"
     "                       [--duplicate P] [--delay T] [--jitter T] [--reorder]\n"
     "                       [--seed N] [--order O] [--no-speed] [--json] FILE...\n"
     "\n"
     "Sends the rotations of all files through streams, as a game or a motion capture\n"
     "system sends them over a network, and prints size, error and delay.\n"
     "docs/stream.md explains streams.\n"
     "\n"
     "The link between sender and receiver is simulated. It can delay packets, lose\n"
     "them, repeat them and change their order. The receiver acknowledges each packet\n"
     "that arrives, over a link with the same faults. The sender codes each packet\n"
     "against the newest acknowledged packet. Every packet that arrives can therefore\n"
     "be decoded, and a longer round trip makes packets longer. Each decoded rotation\n"
     "is compared with the original.\n"
     "\n"
     "A FILE is one of:\n"
     "  - animations: glTF 2.0 (.gltf, .glb), BVH or FBX. Curves of an animation with\n"
     "    the same key times are the bodies of one stream, with one packet for each\n"
     "    key. Curves with a single key are left out\n"
     "  - a .npy array of floats x, y, z, w, of shape (frames, 4) for one body, or\n"
     "    (frames, bodies, 4), or a .npz archive with one such array\n"
     "\n"
     "  -b, --bound ANGLE    largest error of a rotation, such as 0.05, 0.05deg or\n"
     "                       0.001rad. A number alone is in degrees. Default: 0.25deg\n"
     "  --states N           number of packets that both sides remember: 16, 32, 64,\n"
     "                       128 or 256. Default: 64. If a round trip takes longer\n"
     "                       than three quarters of N packets, all packets are key\n"
     "                       packets\n"
     "  --reliable           no packet is lost, as in a file or over TCP. Each packet\n"
     "                       is coded against the one before, without\n"
     "                       acknowledgements\n"
     "  -k, --key N          make every N-th packet a key packet, with which a\n"
     "                       receiver can start. Default: 0, which means only the\n"
     "                       necessary ones, until the first acknowledgement\n"
     "  -r, --rate R         send about R packets per second and leave out the keys\n"
     "                       between. Default: one packet for each key\n"
     "  --fps R              frames per second of arrays, and of animations without\n"
     "                       valid times. Default: 60\n"
     "  --order O            order of the quaternions in arrays: xyzw (default) or\n"
     "                       wxyz\n"
     "  --no-speed           do not measure speed\n"
     "  --json               print JSON, with all digits and more figures\n"
     "  -h, --help           print this text\n"
     "\n",
     "The following options describe the link, the same for packets and for\n"
     "acknowledgements. Without them everything arrives immediately. A share P is a\n"
     "number such as 5% or 0.05, a time T one such as 100ms or 0.1s.\n"
     "  --loss P             share of packets that are lost\n"
     "  --burst N            packets are lost N in a row on average. Default: each\n"
     "                       packet is lost independently\n"
     "  --duplicate P        share of packets that arrive twice\n"
     "  --delay T            delay in one direction: half a round trip\n"
     "  --jitter T           additional random delay of each packet, from 0 to T\n"
     "  --reorder            with --jitter: packets can overtake each other.\n"
     "                       Default: a packet waits for those sent before it\n"
     "  --seed N             seed of the random numbers, a whole number. The same\n"
     "                       seed, options and files always give the same result.\n"
     "                       Default: 0\n"
     "\n" READER_HELP "\n"
     "The columns about packets that were sent, whether or not they arrived:\n"
     "  key packets        share of key packets among all packets. A key packet needs\n"
     "                     no other packet, and is much longer\n"
     "  bytes              all packets with their heads. Acknowledgements of 12 bytes\n"
     "                     each and UDP heads are not included\n"
     "  longest packet     in bytes; usually a key packet. A packet of up to\n"
     "                     1,200 bytes passes through any network in one piece\n"
     "  kbit per second    the bytes as bits, divided by the duration of the motion\n"
     "  bits per rotation  the bytes as bits, divided by bodies * packets\n"
     "  payload bits       bits per rotation of all packets but key packets, without\n"
     "                     their heads of 4 bytes. A long stream of many bodies comes\n"
     "                     close to this value\n"
     "  encode ns          nanoseconds per rotation on one thread, without the link:\n"
     "                     the best of several runs\n"
     "  decode ns          the same for decoding\n"
     "\n"
     "The columns about packets that were received:\n"
     "  lost               packets that never arrived\n"
     "  twice              packets that arrived again and were ignored\n"
     "  late               packets that arrived when the newest one was ahead by a\n"
     "                     quarter of the states or more, and that could no longer be\n"
     "                     decoded\n"
     "  decoded            share of decoded packets among those that arrived and were\n"
     "                     not late. Less than 100% is a bug, and the exit status is\n"
     "                     1\n"
     "  error              angle in degrees between the input rotation, normalised,\n"
     "                     and the decoded rotation. An error above the bound is a\n"
     "                     bug, too\n"
     "  age                age of the newest decoded packet, at each moment that a\n"
     "                     packet is sent, in milliseconds: the median, and the age\n"
     "                     that 99% do not exceed\n"
     "\n"
     "In the last row, `all streams`, means count each rotation, packet or second the\n"
     "same. The kbit per second are therefore those of one stream, on average.\n"
     "\n"
     "Invalid rotations (a component is NaN or infinite, or the length is outside\n"
     "[2^-32, 2^32]) are counted and not compared. The receiver keeps the last valid\n"
     "one. If a file or an animation cannot be read, the command reports it and\n"
     "continues with the others. The exit status is then 1.\n"
     "\n",
     "Examples:\n"
     "  quatsimd stream walk.bvh                     no delay: each packet is coded\n"
     "                                               against the one before\n"
     "  quatsimd stream --rate 30 --delay 50ms walk.bvh\n"
     "                                               30 packets per second, a round\n"
     "                                               trip of 100 ms\n"
     "  quatsimd stream --delay 50ms --jitter 20ms --reorder --loss 5% walk.bvh\n"
     "                                               a bad mobile network\n"
     "  quatsimd stream --bound 0.01 --reliable walk.bvh run.bvh\n"
     "                                               precise recordings, in files\n"
     "  quatsimd stream --fps 286 --json recording.npy > report.json\n"
     "                                               an array, for a program to read\n"},
    run,
};
