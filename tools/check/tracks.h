/* How far the tracks of a clip are from their source. */
#ifndef CLIP_TRACKS_H
#define CLIP_TRACKS_H

#include "check/check.h"
#include "clips/source.h"

struct clip_track_error {
  size_t tracks;        /* that the source has keys of */
  struct clip_tally of; /* all of them */
  size_t track;         /* of the worst */
  /* the largest part that is used of a track's bound, by its own error, 0: without one; of it */
  double share, share_off, share_bound, share_time;
  size_t share_track;
};

/* Samples the clip at the times of all keys, the source's and its own, and of its frames, and at the quarters
 * between. A time may be off by 2^-23 of the largest one. bound: of tracks that have none of their own; 0:
 * none. */
struct clip_track_error clip_tracks_check(const struct clip_pair *pair, double bound);

/* True if a track is beyond its bound by more than floats are rounded. */
bool clip_tracks_beyond(const struct clip_track_error *error);

/* False and a complaint of the path if a track is beyond its bound, but for what floats are rounded. ours: as
 * in bounds_hold. */
bool clip_tracks_hold(const struct clip_track_error *error, const struct clip_source *source,
                      const char *path, bool ours);

#endif
