// The clips of a bundle, and the frames that a peer compresses. Frames are those of a second bundle of the
// same file, at a fiftieth of the bound, so that no adapter needs a reader of files.
#ifndef QUATSIMD_BENCH_PEERS_INPUT_H
#define QUATSIMD_BENCH_PEERS_INPUT_H

#include <quatsimd/quatsimd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void need(bool good, const char *what) {
  if (!good) std::fprintf(stderr, "%s\n", what), std::exit(1);
}

struct alignas(16) Joint { // rtm::qvvf of ACL has this layout
  float rotation[4], translation[4], scale[4];
};
inline quatsimd_pose_out writes(Joint *p) {
  return {quatsimd_strided_out(p->rotation, sizeof *p), quatsimd_strided_out(p->translation, sizeof *p),
          quatsimd_strided_out(p->scale, sizeof *p), nullptr};
}
inline quatsimd_pose_in reads(const Joint *p) {
  return {quatsimd_strided(p->rotation, sizeof *p), quatsimd_strided(p->translation, sizeof *p),
          quatsimd_strided(p->scale, sizeof *p), nullptr};
}

struct Bundle {
  std::vector<char> data, memory;
  quatsimd_bundle *bundle;
  quatsimd_bundle_storage storage;
  std::vector<const quatsimd_clip *> clips;
  explicit Bundle(const char *path) {
    FILE *file = std::fopen(path, "rb");
    need(file != nullptr, path);
    for (int c; (c = std::getc(file)) != EOF;) data.push_back((char)c);
    std::fclose(file);
    open();
  }
  Bundle(const Bundle &other) : data(other.data) { open(); } // its own bytes, to be read from memory
  void open() {
    need(!quatsimd_bundle_open(&bundle, &storage, sizeof storage, data.data(), data.size()), "not a bundle");
    const size_t count = quatsimd_bundle_clip_count(bundle);
    size_t all = 16;
    for (size_t i = 0; i < count; i++) all += quatsimd_bundle_clip_memory_size(bundle, i);
    memory.resize(all);
    char *at = memory.data() + (16 - (uintptr_t)memory.data() % 16);
    for (size_t i = 0; i < count; i++) {
      quatsimd_clip *clip;
      const size_t size = quatsimd_bundle_clip_memory_size(bundle, i);
      need(!quatsimd_bundle_open_clip(bundle, i, &clip, at, size), "a clip does not open");
      clips.push_back(clip);
      at += size;
    }
  }
};

struct Frames { // an animation as a peer gets it, with a common rate
  size_t count;
  float rate, duration;
  std::vector<Joint> poses; // a pose of all joints for each frame
};

struct Input {
  float bound, distance;
  Bundle ours, exact;
  quatsimd_skeleton *skeleton;
  quatsimd_skeleton_storage storage;
  size_t joints;
  std::vector<Joint> rest;
  std::vector<Frames> frames;
  Input(int argc, char **argv)
      : bound((float)std::atof(argument(argc, argv, 1))), distance((float)std::atof(argument(argc, argv, 2))),
        ours(argument(argc, argv, 3)), exact(argument(argc, argv, 4)) {
    need(!quatsimd_bundle_open_skeleton(ours.bundle, &skeleton, &storage, sizeof storage), "no skeleton");
    joints = quatsimd_skeleton_joint_count(skeleton);
    rest.assign(joints, {{0, 0, 0, 1}, {}, {1, 1, 1}});
    quatsimd_pose_out pose = writes(rest.data());
    need(!quatsimd_skeleton_rest_pose(skeleton, &pose, 0, joints), "no rest pose");
    need(ours.clips.size() == exact.clips.size(), "bundles of two files");
    for (const quatsimd_clip *clip : exact.clips) frames.push_back(frames_of(clip));
  }
  void sample(const quatsimd_clip *clip, double time, Joint *to) const {
    quatsimd_pose_out pose = writes(to);
    const quatsimd_pose_in under = reads(rest.data());
    need(!quatsimd_clip_sample(clip, &pose, &under, time, QUATSIMD_CLIP_WRAP_CLAMP, 0),
         "a clip is not sampled");
  }
  static const char *argument(int argc, char **argv, int i) {
    need(i < argc, "usage: quatsimd-peer-NAME BOUND DISTANCE BUNDLE EXACT_BUNDLE [ADDITIVE_BUNDLE]");
    return argv[i];
  }
  Frames frames_of(const quatsimd_clip *clip) const {
    const double duration = quatsimd_clip_duration(clip), rate = quatsimd_clip_rate(clip);
    Frames f{quatsimd_clip_frame_count(clip), 60, (float)duration, {}};
    if (f.count > 1) f.rate = (float)(rate > 0 ? rate : (double)(f.count - 1) / duration);
    f.poses.assign(f.count * joints, {{0, 0, 0, 1}, {}, {1, 1, 1}});
    for (size_t i = 0; i < f.count; i++)
      sample(clip, quatsimd_clip_start(clip) + (double)i / (double)f.rate, &f.poses[i * joints]);
    return f;
  }
};

#endif
