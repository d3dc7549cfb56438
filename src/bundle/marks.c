/* Checks the events and masks of a bundle when it is opened, and finds them afterwards. */
#include "bundle/layout.h"
#include "skeleton/layout.h"
#include "skeleton/name.h"

/* Returns true if the text consists of sorted names without gaps between them. */
static bool are_names(clip_reader text) {
  const unsigned char *before = NULL;
  while (text.size > 0) {
    const unsigned char *name = text.at;
    const size_t bytes = quatsimd_name_bytes(name, text.size);
    if (bytes == 0 || (before && quatsimd_name_compare(before, name) >= 0)) return false;
    clip_take(&text, bytes), before = name;
  }
  return true;
}

/* ---- events ---- */

static bool begins_name(const clip_reader *text, size_t place) {
  return place < text->size && (place == 0 || text->at[place - 1] == 0);
}

/* Each clip's events must be sorted by time, then by name. */
static bool check_events(const quatsimd_bundle *b, const bundle_section *section) {
  clip_reader reader = {section->at, section->size, true};
  const unsigned char *count = clip_take(&reader, 4), *ends = clip_take(&reader, 4 * (uint64_t)b->clips);
  if (!reader.ok) return false;
  const unsigned char *entry = clip_take(&reader, (uint64_t)CLIP_EVENT_ENTRY * load_u32(count));
  size_t at = 0;
  if (!entry || !are_names(reader)) return false;
  for (size_t i = 0; i < b->clips; i++) {
    const size_t end = load_u32(ends + 4 * i);
    if (end < at || end > load_u32(count)) return false;
    for (size_t first = at; at < end; at++, entry += CLIP_EVENT_ENTRY) {
      const uint64_t time = load_u64(entry + CLIP_EVENT_TIME);
      const uint32_t name = load_u32(entry + CLIP_EVENT_NAME);
      if (!bundle_is_time(time) || !begins_name(&reader, name)) return false;
      if (at == first) continue;
      const unsigned char *former = entry - CLIP_EVENT_ENTRY;
      const uint64_t before = load_u64(former + CLIP_EVENT_TIME);
      if (bundle_time_order(before) > bundle_time_order(time) ||
          (before == time && load_u32(former + CLIP_EVENT_NAME) > name))
        return false;
    }
  }
  return at == load_u32(count);
}

bool quatsimd_bundle_open_events(quatsimd_bundle *b, const bundle_section *section) {
  b->events = section->at;
  return !section->at || (bundle_section_is_whole(section) && check_events(b, section));
}

quatsimd_clip_events quatsimd_bundle_events_of(const quatsimd_bundle *b, size_t clip) {
  if (!b->events) return (quatsimd_clip_events){NULL, 0, 0};
  const unsigned char *ends = b->events + 4, *entries = ends + 4 * b->clips;
  const uint32_t first = clip ? load_u32(ends + 4 * (clip - 1)) : 0;
  return (quatsimd_clip_events){.first = entries + (size_t)CLIP_EVENT_ENTRY * first,
                                .count = load_u32(ends + 4 * clip) - first,
                                .text_after = load_u32(b->events) - first};
}

/* ---- masks ---- */

static bool check_masks(const quatsimd_bundle *b, const bundle_section *section) {
  clip_reader reader = {section->at, section->size, true};
  const unsigned char *count = clip_take(&reader, 4);
  if (!count) return false;
  const size_t masks = load_u32(count), weights = b->joints + b->tracks;
  const unsigned char *places = clip_take(&reader, 4 * (uint64_t)masks),
                      *weight = clip_take(&reader, 4 * (uint64_t)masks * weights);
  if (!reader.ok || !are_names(reader)) return false;
  for (size_t i = 0; i < masks * weights; i++)
    if (!skeleton_is_finite(load_u32(weight + 4 * i))) return false;
  size_t end = 0;
  for (size_t i = 0; i < masks; i++) {
    if (end >= reader.size || load_u32(places + 4 * i) != end) return false;
    end += quatsimd_name_bytes(reader.at + end, reader.size - end);
  }
  return end == reader.size;
}

bool quatsimd_bundle_open_masks(quatsimd_bundle *b, const bundle_section *section) {
  b->masks = section->at;
  return !section->at || (bundle_section_is_whole(section) && check_masks(b, section));
}

size_t quatsimd_bundle_mask_count(const quatsimd_bundle *bundle) {
  return bundle && bundle->masks ? load_u32(bundle->masks) : 0;
}

/* Returns the weights of a mask. For quatsimd_bundle_mask_count, returns the text of names. */
static const unsigned char *weights_at(const quatsimd_bundle *b, size_t mask) {
  const size_t masks = load_u32(b->masks);
  return b->masks + 4 + 4 * masks + 4 * (b->joints + b->tracks) * mask;
}

const char *quatsimd_bundle_mask_name(const quatsimd_bundle *bundle, size_t number) {
  const size_t masks = quatsimd_bundle_mask_count(bundle);
  if (number >= masks) return NULL;
  return (const char *)weights_at(bundle, masks) + load_u32(bundle->masks + 4 + 4 * number);
}

quatsimd_status quatsimd_bundle_mask(const quatsimd_bundle *bundle, const char *name, float *joint_weights,
                                     float *track_weights) {
  if (!bundle || !name) return QUATSIMD_ERROR_BAD_ARGUMENT;
  size_t low = 0, high = quatsimd_bundle_mask_count(bundle);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int compared = quatsimd_name_compare(
        (const unsigned char *)quatsimd_bundle_mask_name(bundle, middle), (const unsigned char *)name);
    if (compared == 0) {
      const unsigned char *weights = weights_at(bundle, middle);
      if (joint_weights) load_floats(joint_weights, weights, bundle->joints);
      if (track_weights) load_floats(track_weights, weights + 4 * bundle->joints, bundle->tracks);
      return QUATSIMD_OK;
    }
    if (compared < 0) low = middle + 1;
    else high = middle;
  }
  return QUATSIMD_ERROR_NO_SUCH_MASK;
}
