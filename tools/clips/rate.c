/* Clips at the rate that people ask for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "clips/encode.h"
#include "clips/frames.h"
#include "clips/source.h"
#include "terminal/message.h"

/* A clip that may be the one. */
struct attempt {
  enum clip_outcome outcome;
  struct clip_result result;
  struct messages messages;
};

static bool is_made(const struct attempt *a) { return a->outcome != CLIP_BAD && a->outcome != CLIP_EMPTY; }

static void encode(const struct clip_plan *plan, size_t animation, const struct clip_keys *keys,
                   struct attempt *a) {
  a->messages = (struct messages){0};
  struct messages *before = messages_keep(&a->messages);
  a->outcome = clip_encode_keys(plan, animation, keys, &a->result);
  messages_keep(before);
}

static void drop(struct attempt *a) {
  if (is_made(a)) clip_result_free(&a->result);
  messages_free(&a->messages);
}

/* Encodes these keys with 1/16 of each bound: what is off beyond that, they lose. keys->part becomes what is
 * left for the clip. False if that is below 1/4; why: in words. */
static bool frames_are_enough(const struct clip_plan *plan, size_t animation, const struct clip_result *all,
                              struct clip_keys *keys, double *seconds, char why[160]) {
  struct attempt trial;
  keys->part = 1.0 / 16;
  encode(plan, animation, keys, &trial);
  const struct clip_result *r = &trial.result;
  const bool made = is_made(&trial), same = made && r->looping == all->looping && r->closed == all->closed;
  double used = 1;
  snprintf(why, 160, made ? "it cannot loop as it does" : "it cannot be encoded");
  if (same) {
    used = r->track_error.share;
    for (int of = 0; of < CLIP_CHECK_ERRORS; of++) used = fmax(used, r->share[of]);
    int length = snprintf(
        why, 160, used > 1 ? "it is off by %.3g times its bound" : "it loses %.3g of its bound", used);
    if (r->nearest && r->nearest_share >= used)
      snprintf(why + length, 160 - (size_t)length, " (%.*s, %.2f s)", (int)text_cut(r->nearest, 60),
               r->nearest, r->nearest_time);
  }
  if (made) *seconds += r->encode_seconds;
  drop(&trial);
  keys->part = 1 - keys->part - used;
  return same && keys->part >= 0.25;
}

/* So many frames, or twice as many, and so on until they are enough. False: none are; why: the first ones are
 * not; empty if they are. */
static bool find_frames(const struct clip_plan *plan, size_t animation, const struct clip_source *from,
                        const struct clip_result *all, struct clip_keys *keys, double *seconds,
                        char why[160]) {
  const double first = clip_frames_intervals(from, plan->settings->rate),
               rate = clip_frames_rate(from, plan->settings->rate);
  *why = '\0';
  for (double n = first; clip_frames_are_fewer(from, n); n *= 2) {
    char others[160];
    *keys = (struct clip_keys){n, rate * (n / first), 1, all->looping};
    if (frames_are_enough(plan, animation, all, keys, seconds, *why ? others : why)) {
      if (n == first) *why = '\0';
      return true;
    }
  }
  return false;
}

/* True if it has frames, as many as at this rate. */
static bool has_intervals_of(const quatsimd_clip_report *report, const struct clip_source *from,
                             double rate) {
  return report->rate > 0 && clip_frames_intervals(from, report->rate) == clip_frames_intervals(from, rate);
}

static const struct clip_keys all_keys = {0, 0, 1, false};

/* Encodes a clip at the rate, or at one that is twice as high, and so on, unless it is better off with all
 * keys at their own rate; why: then, or where the rate is another. */
static bool find_better(const struct clip_plan *plan, size_t animation, const struct clip_source *from,
                        const struct attempt *all, struct attempt *other, double *seconds, char why[160]) {
  struct clip_keys keys = {0, clip_frames_rate(from, plan->settings->rate), 1, false};
  const bool fewer =
      !plan->settings->base && clip_frames_are_fewer(from, clip_frames_intervals(from, plan->settings->rate));
  *why = '\0';
  if (fewer && !find_frames(plan, animation, from, &all->result, &keys, seconds, why)) return false;
  encode(plan, animation, &keys, other);
  if (is_made(other)) *seconds += other->result.encode_seconds;
  return other->outcome == CLIP_GOOD;
}

enum clip_outcome clip_encode(const struct clip_plan *plan, size_t animation, struct clip_result *result) {
  struct clip_source from;
  struct attempt best, other = {.outcome = CLIP_EMPTY};
  char why[160] = "";
  clip_source_make(&from, plan->skeleton, animation, plan->settings->only);
  const double rate = clip_frames_rate(&from, plan->settings->rate);
  const struct clip_keys asked = {0, rate, 1, false};
  /* as few frames as keys, too: their rate may be just above that which was asked for */
  const bool lower =
      rate > 0 && from.seconds > 0 && clip_frames_are_fewer(&from, clip_frames_intervals(&from, rate) - 1);
  encode(plan, animation, lower ? &all_keys : &asked, &best);
  double seconds = is_made(&best) ? best.result.encode_seconds : 0;
  bool found = false;
  if (lower && is_made(&best) && !has_intervals_of(&best.result.report, &from, rate))
    found = find_better(plan, animation, &from, &best, &other, &seconds, why);
  else if (rate > 0 && is_made(&best) && clip_own_keys(&best.result.report) > 0) {
    other = best, found = other.outcome == CLIP_GOOD;
    encode(plan, animation, &all_keys, &best);
    if (is_made(&best)) seconds += best.result.encode_seconds;
  }
  if (found && is_made(&best) && other.result.size > best.result.size) {
    found = false;
    if (!*why)
      snprintf(why, sizeof why, "it takes %s bytes in place of %s", text_number(other.result.size),
               text_number(best.result.size));
  }
  if (found || (!is_made(&best) && is_made(&other))) {
    const struct attempt former = best;
    best = other, other = former;
  }
  if (*why) {
    char has[40] = "it has a frame at each key";
    if (found) snprintf(has, sizeof has, "it has %.4g", best.result.report.rate);
    else if (is_made(&best) && best.result.report.rate > 0)
      snprintf(has, sizeof has, "it has the rate of its keys");
    complain(plan->path, "%s: at %g frames per second %s; %s", from.title, plan->settings->rate, why, has);
  }
  messages_print(&best.messages);
  *result = best.result;
  if (is_made(&best)) result->encode_seconds = seconds;
  messages_free(&best.messages);
  drop(&other);
  clip_source_free(&from);
  return best.outcome;
}
