// This library as a player, beside each peer.
#ifndef QUATSIMD_BENCH_PEERS_OWN_H
#define QUATSIMD_BENCH_PEERS_OWN_H

#include <memory>

#include "rows.h"

// This library's clips: those of the file, and of copies of it.
struct OwnPool {
  const Input &in;
  std::vector<std::unique_ptr<Bundle>> bundles;
  std::vector<const quatsimd_clip *> clips;
  explicit OwnPool(const Input &input) : in(input) {
    for (size_t copies = copies_of(in.ours.data.size() + in.ours.memory.size()); copies > 0; copies--) {
      bundles.emplace_back(new Bundle(in.ours));
      clips.insert(clips.end(), bundles.back()->clips.begin(), bundles.back()->clips.end());
    }
  }
  Player player(Joint *to) const {
    return {"quatsimd",
            [this, to](size_t c, float time) {
              in.sample(clips[c], quatsimd_clip_start(clips[c]) + (double)time, to);
            },
            clips.size()};
  }
  Player one_joint(Joint *to, uint32_t *number) const {
    return {"quatsimd",
            [this, to, number](size_t c, float time) {
              quatsimd_pose_out pose = writes(to);
              const quatsimd_pose_in rest = reads(in.rest.data());
              const uint32_t joint = (*number)++ % (uint32_t)in.joints;
              need(!quatsimd_clip_sample_joints(clips[c], &pose, &rest,
                                                quatsimd_clip_start(clips[c]) + (double)time,
                                                QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0),
                   "a joint is not sampled");
            },
            0};
  }
};

inline void print_bytes(const Input &in, const char *peer, size_t bytes) {
  std::printf("%zu clips, %zu joints, kernels %s\n", in.frames.size(), in.joints, quatsimd_isa());
  std::printf("%-40s  bundle with skeleton %zu  %s %zu\n", "bytes", in.ours.data.size(), peer, bytes);
}

// Ends the program if the players do not play the same: all joints' translations, in the middle of each clip.
inline void compare(const Input &in, const std::vector<Player> &players, const Joint *out) {
  for (size_t c = 0; c < in.frames.size(); c++) {
    std::vector<Joint> first;
    for (const Player &player : players) {
      player.play(c, in.frames[c].duration / 2);
      if (first.empty()) first.assign(out, out + in.joints);
      for (size_t j = 0; j < in.joints; j++)
        for (int k = 0; k < 3; k++)
          need(std::fabs(out[j].translation[k] - first[j].translation[k]) < 100 * in.bound,
               "the poses differ");
    }
  }
}

// A character is a job. The additive clips are those of a bundle of their own.
struct OwnCrowd {
  std::vector<quatsimd_pose_layer> layers;
  std::vector<quatsimd_pose_job> jobs;
  std::vector<float> matrices; // of a character: in model space, then for skinning
  std::vector<double> scratch;
  OwnCrowd(const Input &in, const Bundle &additive)
      : layers(CHARACTERS * LAYERS), jobs(CHARACTERS), matrices(CHARACTERS * in.joints * 32) {
    need(additive.clips.size() == in.frames.size(), "an additive bundle of another file");
    for (size_t i = 0; i < CHARACTERS; i++) {
      for (size_t l = 0; l < LAYERS; l++) {
        quatsimd_pose_layer &layer = layers[i * LAYERS + l];
        layer.clip = (l + 1 < LAYERS ? in.ours : additive).clips[layer_clip(in, i, l)];
        layer.weight = WEIGHTS[l], layer.wrap = QUATSIMD_CLIP_WRAP_CLAMP;
      }
      jobs[i].struct_size = sizeof jobs[i], jobs[i].layer_size = sizeof layers[0];
      jobs[i].skeleton = in.skeleton, jobs[i].layers = &layers[i * LAYERS], jobs[i].layer_count = LAYERS;
      jobs[i].model = &matrices[i * in.joints * 32], jobs[i].skinning = jobs[i].model + in.joints * 16;
      jobs[i].layout = QUATSIMD_MATRIX_4X4;
    }
    scratch.resize(quatsimd_pose_scratch_size(jobs.data(), CHARACTERS) / 8 + 1);
  }
  void play(size_t first, const float (*times)[LAYERS]) {
    for (size_t i = 0; i < GROUP * LAYERS; i++) {
      quatsimd_pose_layer &layer = layers[first * LAYERS + i];
      layer.time = quatsimd_clip_start(layer.clip) + (double)times[i / LAYERS][i % LAYERS];
    }
    const quatsimd_status status =
        quatsimd_pose_evaluate(&jobs[first], GROUP, scratch.data(), scratch.size() * 8, nullptr);
    need(!status, quatsimd_status_string(status));
  }
  // Ends the program if a joint is elsewhere in a peer's crowd, which was at the same times last.
  void compare(const Input &in, size_t character, int joint, const float *place) const {
    for (int k = 0; k < 3; k++)
      need(std::fabs(jobs[character].model[16 * joint + 12 + k] - place[k]) < 300 * in.bound,
           "the poses differ");
  }
};

#endif
