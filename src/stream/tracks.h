/* Codes tracks: weights of a face, or any numbers. A track is predicted from the baseline and the motion
 * since the chain, in integers: 16 of them are a step, which is twice the bound. */
#ifndef QUATSIMD_STREAM_TRACKS_H
#define QUATSIMD_STREAM_TRACKS_H

#include "stream/state.h"

/* Returns the models of tracks, which are behind those of bodies. */
static inline track_models *track_models_of(const quatsimd_stream *s, models *m) {
  return (track_models *)(void *)((char *)m + s->track_models_at);
}
/* Sets the numbers of a stream that depend on the bound of tracks. */
void quatsimd_stream_init_tracks(quatsimd_stream *s, float bound);
void quatsimd_stream_first_track_models(track_models *m);

/* Returns the value of a track. */
float quatsimd_stream_track(const quatsimd_stream *s, const track *t);

/* Code all tracks and compute the tracks of the next state. r->base is NULL in a key packet. In others
 * quatsimd_stream_put_tracks returns false if the code goes beyond `end`. */
bool quatsimd_stream_put_tracks(quatsimd_stream *s, range_encoder *e, const references *r,
                                const unsigned char *end);
/* Returns false for tracks that no encoder writes. */
bool quatsimd_stream_take_tracks(quatsimd_stream *s, range_decoder *d, const references *r);

#endif
