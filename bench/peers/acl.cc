// ACL beside this library: the same frames, the same bound, the same output of 48 bytes a joint.
#include <acl/compression/compress.h>
#include <acl/core/ansi_allocator.h>
#include <acl/decompression/decompress.h>

#include "own.h"

using namespace acl;
namespace {
using Default = default_transform_decompression_settings;
struct Fast : Default {
  static constexpr bool clamp_sample_time() { return false; }
  static constexpr bool is_wrapping_supported() { return false; }
  static constexpr bool skip_initialize_safety_checks() { return true; }
  static constexpr auto version_supported() { return compressed_tracks_version16::latest; }
};
rtm::vector4f load(const float *v) { return rtm::vector_load(v); }

// Whole registers. What ACL left out because it equals the rest pose comes from the rest pose.
struct Writer : track_writer {
  Joint *to;
  const Joint *rest;
  static constexpr auto get_default_rotation_mode() { return default_sub_track_mode::variable; }
  static constexpr auto get_default_translation_mode() { return default_sub_track_mode::variable; }
  static constexpr auto get_default_scale_mode() { return default_sub_track_mode::variable; }
  rtm::quatf get_variable_default_rotation(uint32_t i) const { return rtm::quat_load(rest[i].rotation); }
  rtm::vector4f get_variable_default_translation(uint32_t i) const { return load(rest[i].translation); }
  rtm::vector4f get_variable_default_scale(uint32_t i) const { return load(rest[i].scale); }
  void write_rotation(uint32_t i, rtm::quatf_arg0 v) { rtm::quat_store(v, to[i].rotation); }
  void write_translation(uint32_t i, rtm::vector4f_arg0 v) { rtm::vector_store(v, to[i].translation); }
  void write_scale(uint32_t i, rtm::vector4f_arg0 v) { rtm::vector_store(v, to[i].scale); }
};

rtm::qvvf transform(const Joint &v) {
  return {rtm::quat_load(v.rotation), load(v.translation), load(v.scale)};
}
ansi_allocator allocator;
compressed_tracks *compress(const Input &in, const Frames &f) {
  track_array_qvvf list(allocator, (uint32_t)in.joints);
  for (uint32_t j = 0; j < in.joints; j++) {
    track_desc_transformf about; // k_invalid_track_index is -1
    about.output_index = j, about.parent_index = (uint32_t)quatsimd_skeleton_parent(in.skeleton, j);
    about.precision = in.bound, about.shell_distance = in.distance;
    about.default_value = transform(in.rest[j]);
    list[j] = track_qvvf::make_reserve(about, allocator, (uint32_t)f.count, f.rate);
    for (uint32_t i = 0; i < f.count; i++) list[j][i] = transform(f.poses[i * in.joints + j]);
  }
  qvvf_transform_error_metric metric;
  compression_settings settings = get_default_compression_settings(); // the medium level
  settings.error_metric = &metric;
  compressed_tracks *out = nullptr;
  output_stats stats;
  need(compress_track_list(allocator, list, settings, out, stats).empty(), "ACL does not compress");
  return out;
}

// A context for each clip of a pool, and how to play one.
template <class Settings> struct Pool {
  std::vector<decompression_context<Settings>> contexts;
  Pool(const std::vector<compressed_tracks *> &clips, size_t copies) : contexts(copies * clips.size()) {
    for (size_t i = 0; i < contexts.size(); i++) {
      const compressed_tracks *clip = clips[i % clips.size()];
      void *bytes = std::memcpy(allocator.allocate(clip->get_size(), 16), clip, clip->get_size());
      need(contexts[i].initialize(*(compressed_tracks *)bytes), "ACL does not open a clip");
    }
  }
  Player player(const char *name, Writer *to) {
    const auto play = [this, to](size_t clip, float time) {
      contexts[clip].seek(time, sample_rounding_policy::none), contexts[clip].decompress_tracks(*to);
    };
    return {name, play, contexts.size()};
  }
};
} // namespace

int main(int argc, char **argv) {
  const Input in(argc, argv);
  size_t bytes = 0;
  std::vector<compressed_tracks *> tracks;
  for (const Frames &f : in.frames) tracks.push_back(compress(in, f)), bytes += tracks.back()->get_size();
  print_bytes(in, "ACL", bytes);
  std::vector<Joint> out(in.joints);
  Writer to{{}, out.data(), in.rest.data()};
  Pool<Default> usual(tracks, copies_of(bytes));
  Pool<Fast> fast(tracks, copies_of(bytes));
  const OwnPool own(in);
  const std::vector<Player> poses = {own.player(out.data()), usual.player("ACL", &to),
                                     fast.player("ACL, fast settings", &to)};
  compare(in, poses, out.data());
  from_cache("poses, random times", in, poses, Times::RANDOM);
  from_cache("poses, forward at 60 Hz", in, poses, Times::FORWARD);
  from_memory("poses, random clips, from memory", in, poses);
  uint32_t number = 0; // another joint in each call
  const auto joint = [&](size_t c, float time) {
    usual.contexts[c].seek(time, sample_rounding_policy::none);
    usual.contexts[c].decompress_track(number++ % in.joints, to);
  };
  const std::vector<Player> joints = {own.one_joint(out.data(), &number), {"ACL", joint, 0}};
  from_cache("one joint, random times", in, joints, Times::RANDOM);
}
