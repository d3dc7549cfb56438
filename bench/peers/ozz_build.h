// Gives ozz-animation the same skeleton and frames, optimised with the bound as tolerance.
#ifndef QUATSIMD_BENCH_PEERS_OZZ_BUILD_H
#define QUATSIMD_BENCH_PEERS_OZZ_BUILD_H

#include <ozz/animation/offline/additive_animation_builder.h>
#include <ozz/animation/offline/animation_builder.h>
#include <ozz/animation/offline/animation_optimizer.h>
#include <ozz/animation/offline/raw_animation.h>
#include <ozz/animation/offline/raw_skeleton.h>
#include <ozz/animation/offline/skeleton_builder.h>
#include <ozz/animation/runtime/animation.h>
#include <ozz/animation/runtime/skeleton.h>

#include <string>

#include "input.h"

using namespace ozz;
using namespace ozz::animation;

inline math::Transform transform(const Joint &v) {
  const float *t = v.translation, *q = v.rotation, *s = v.scale;
  return {{t[0], t[1], t[2]}, {q[0], q[1], q[2], q[3]}, {s[0], s[1], s[2]}};
}

// ozz sorts joints; the name of a joint is its number in the file.
inline void add_children(const Input &in, int64_t parent, offline::RawSkeleton::Joint::Children &to) {
  for (size_t j = 0; j < in.joints; j++) {
    if (quatsimd_skeleton_parent(in.skeleton, j) != parent) continue;
    to.emplace_back(), to.back().name = std::to_string(j).c_str();
    to.back().transform = transform(in.rest[j]);
    add_children(in, (int64_t)j, to.back().children);
  }
}

inline unique_ptr<Animation> build(const Input &in, const Frames &f, const Skeleton &skeleton,
                                   const int *numbers, bool additive) {
  offline::RawAnimation raw, delta, optimised;
  raw.duration = std::max(f.duration, 1 / 60.f), raw.tracks.resize(in.joints);
  for (size_t i = 0; i < f.count; i++)
    for (size_t j = 0; j < in.joints; j++) {
      const math::Transform v = transform(f.poses[i * in.joints + (size_t)numbers[j]]);
      const float time = std::min((float)i / f.rate, raw.duration);
      raw.tracks[j].rotations.push_back({time, v.rotation});
      raw.tracks[j].translations.push_back({time, v.translation});
      raw.tracks[j].scales.push_back({time, v.scale});
    }
  need(!additive || offline::AdditiveAnimationBuilder()(raw, &delta), "ozz makes no additive animation");
  offline::AnimationOptimizer optimizer;
  optimizer.setting = {in.bound, in.distance};
  need(optimizer(additive ? delta : raw, skeleton, &optimised), "ozz does not optimise");
  offline::AnimationBuilder builder;
  builder.iframe_interval = 10; // as in ozz's own importer
  return builder(optimised);
}

#endif
