/* quatsimd stream: the cost of sending the rotations of files, packet by packet, over a bad network. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/quantity.h"
#include "base/text.h"
#include "commands/command.h"
#include "readers/child.h"
#include "readers/input.h"
#include "report/stream_report.h"

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
  if (link->loss == 1) return usage_error("stream", "--loss: nothing would arrive");
  const double alone = 1 / (1 - link->loss); /* in a row on average if each one is lost or not by itself */
  if (!t->burst) link->burst = alone;
  if (link->burst < 1) return usage_error("stream", "--burst: %g is less than 1", link->burst);
  if (link->burst < link->loss * alone)
    return usage_error("stream", "--burst: where %g%% are lost, the mean is %g in a row at least",
                       100 * link->loss, link->loss * alone);
  if (t->burst && link->loss == 0) return usage_error("stream", "--burst needs --loss");
  if (link->reorder && link->jitter == 0) return usage_error("stream", "--reorder needs --jitter");
  if (reliable && (link->loss > 0 || link->duplicate > 0 || link->reorder))
    return usage_error("stream", "--reliable: then nothing is lost, repeated or reordered; leave --loss, "
                                 "--duplicate and --reorder out");
  return STATUS_OK;
}

static int understand(struct stream_settings *s, const struct texts *t, int key) {
  if (key < 0) return usage_error("stream", "--key: %d is negative", key);
  s->key = (size_t)key;
  s->options.bodies = 1;
  if (quatsimd_stream_size(&s->options) == 0)
    return usage_error("stream", "--states: %d is not 16, 32, 64, 128 or 256", s->options.states);
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
                                       {"states", 0, .whole = &settings.options.states},
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
                                       CHILD_OPTIONS,
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
    "send the motion of files over a bad network: size, error, delay",
    {"Usage: quatsimd stream [--bound ANGLE] [--states N] [--reliable] [--key N]\n"
     "                       [--rate R] [--fps R] [--loss P] [--burst N]\n"
     "                       [--duplicate P] [--delay T] [--jitter T] [--reorder]\n"
     "                       [--seed N] [--order O] [--no-speed] [--json] FILE...\n"
     "\n"
     "Sends the rotations of all files through streams, as a game or a motion\n"
     "capture would send them over a network, and prints what that costs. The link\n"
     "between sender and receiver is simulated: it can be late, lose packets, repeat\n"
     "them and change their order. The receiver acknowledges each packet that comes,\n"
     "over a link that is as bad. The sender codes each packet against the newest\n"
     "that was acknowledged: so all that arrive are decoded, and the longer a round\n"
     "trip takes, the more bits they have. Each rotation that comes out is compared\n"
     "with the original. A FILE is one of:\n"
     "  - animations: glTF 2.0 (.gltf, .glb), BVH or anything else that Assimp reads,\n"
     "    FBX, Collada and others. Curves of an animation that have the same key\n"
     "    times are the bodies of one stream, a packet for each key. Curves of one\n"
     "    key are left out\n"
     "  - a .npy array of floats x, y, z, w of shape (frames, 4): one body, or\n"
     "    (frames, bodies, 4)\n"
     "\n"
     "  -b, --bound ANGLE    no rotation comes out with a larger error; as 0.05,\n"
     "                       0.05deg or 0.001rad. Without it: 0.25deg\n"
     "  --states N           how many packets both sides remember: 16, 32, 64, 128 or\n"
     "                       256; without it 64. As many as go out in a round trip\n"
     "                       must fit into three quarters of them\n"
     "  --reliable           no packet is lost, as in a file or over TCP: each is\n"
     "                       coded against the one before, acknowledged or not\n"
     "  -k, --key N          every N-th packet is a key packet, with which a receiver\n"
     "                       can begin. 0, or without it: those alone that must be,\n"
     "                       until an acknowledgement has come\n"
     "  -r, --rate R         about R packets a second: keys between are not sent.\n"
     "                       Without it: a packet for each key\n"
     "  --fps R              frames per second of arrays, and of animations whose\n"
     "                       times make no sense. Without it: 60\n"
     "  --order O            of the quaternions of arrays: xyzw, as without it, or\n"
     "                       wxyz\n"
     "  --no-speed           do not measure speed\n"
     "  --json               as JSON, with all digits and more figures\n"
     "  -h, --help           this text\n"
     "\n",
     "The link, the same for packets and for acknowledgements. Without these options\n"
     "all arrives at once. A share P is as 5% or 0.05, a time T as 100ms or 0.1s.\n"
     "  --loss P             how many are lost\n"
     "  --burst N            on average N in a row. Without it each is lost or not by\n"
     "                       itself\n"
     "  --duplicate P        how many come twice\n"
     "  --delay T            how late each is, one way: half a round trip\n"
     "  --jitter T           each is late by 0 to T more\n"
     "  --reorder            with --jitter: packets overtake others. Without it they\n"
     "                       wait for those sent before\n"
     "  --seed N             other luck: a whole number. The same options and files\n"
     "                       have the same luck always. Without it: 0\n"
     "\n" CHILD_HELP "\n",
     "The columns of all that is sent, whether it comes or not:\n"
     "  key packets    their share of all packets. They need no other packet, and\n"
     "                 have many more bits\n"
     "  bytes          of all packets, heads and key packets included;\n"
     "                 acknowledgements, 12 bytes each, are not, nor heads of UDP\n"
     "  longest        bytes of the longest packet: a key packet, most often. 1,200\n"
     "  packet         pass through any network in one piece\n"
     "  kbit per       those bytes as bits, divided by the time of the motion\n"
     "  second\n"
     "  bits per       those bytes as bits, divided by bodies * packets\n"
     "  rotation\n"
     "  payload bits   the same of packets that are no key packets, without their\n"
     "                 heads of 4 bytes: what a long stream of many bodies comes to\n"
     "  encode ns      nanoseconds per rotation, without a link: the best of several\n"
     "  decode ns      runs on one thread\n"
     "\n"
     "The columns of what came:\n"
     "  lost           packets of which nothing came\n"
     "  twice          came again, and were passed over\n"
     "  late           came later than others by a quarter of the states or more, and\n"
     "                 could not be decoded any more\n"
     "  decoded        share of all others that came. Less than 100% is a bug: the\n"
     "                 exit status is 1 then\n"
     "  error          angle of the rotation between the input, normalised, and what\n"
     "                 was decoded. One beyond the bound is a bug, too\n"
     "  age            of the newest that is decoded, whenever a packet goes out:\n"
     "                 the median, and what 99% are not beyond\n"
     "The row of all streams has means, in which each rotation, packet or second\n"
     "counts the same; so its kbit per second are those of one stream, on average.\n"
     "\n"
     "Invalid rotations (a component is NaN or infinite, or the length is outside\n"
     "[2^-32, 2^32]) are counted and not compared: the receiver keeps the last one.\n"
     "A file or an animation that cannot be read is reported, the others go on, and\n"
     "the exit status is 1.\n"
     "\n"
     "docs/stream.md explains streams and has tables of what to expect.\n"
     "\n"
     "Examples:\n"
     "  quatsimd stream walk.bvh                     at a quarter of a degree, each\n"
     "                                               against the packet before\n"
     "  quatsimd stream --rate 30 --delay 50ms walk.bvh\n"
     "                                               30 packets a second, a round\n"
     "                                               trip of 100 ms\n"
     "  quatsimd stream --delay 50ms --jitter 20ms --reorder --loss 5% walk.bvh\n"
     "                                               a bad mobile network\n"
     "  quatsimd stream --bound 0.01 --reliable walk.bvh run.bvh\n"
     "                                               a finer recording, in files\n"
     "  quatsimd stream --fps 286 --json recording.npy > report.json\n"},
    run,
};
