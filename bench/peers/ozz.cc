// ozz-animation beside this library: poses, and crowds from clips to skinning matrices.
#include <ozz/animation/runtime/blending_job.h>
#include <ozz/animation/runtime/local_to_model_job.h>
#include <ozz/animation/runtime/sampling_job.h>
#include <ozz/base/maths/soa_transform.h>

#include "own.h"
#include "ozz_build.h"

using Soa = vector<math::SoaTransform>;
static void sample(const Animation &clip, SamplingJob::Context &context, float time, Soa &to) {
  SamplingJob job;
  job.animation = &clip, job.context = &context;
  job.ratio = time / clip.duration(), job.output = make_span(to);
  need(job.Run(), "ozz does not sample");
}

int main(int argc, char **argv) {
  const Input in(argc, argv);
  offline::RawSkeleton raw;
  add_children(in, -1, raw.roots);
  const unique_ptr<Skeleton> skeleton = offline::SkeletonBuilder()(raw);
  std::vector<int> numbers;
  for (const char *name : skeleton->joint_names()) numbers.push_back(std::atoi(name));
  std::vector<unique_ptr<Animation>> clips, added;
  size_t bytes = 0;
  for (const Frames &f : in.frames) {
    clips.push_back(build(in, f, *skeleton, numbers.data(), false)), bytes += clips.back()->size();
    added.push_back(build(in, f, *skeleton, numbers.data(), true));
  }
  print_bytes(in, "ozz", bytes);
  const size_t soa = (size_t)skeleton->num_soa_joints();
  std::vector<Joint> out(in.joints);
  const OwnPool own(in);
  Soa pose[LAYERS] = {Soa(soa), Soa(soa), Soa(soa)}, blended(soa);
  std::vector<SamplingJob::Context> contexts(CHARACTERS * LAYERS);
  for (auto &context : contexts) context.Resize((int)in.joints);
  const Player ozz{"ozz", [&](size_t c, float time) { sample(*clips[c], contexts[c], time, pose[0]); }, 0};
  const std::vector<Player> poses = {own.player(out.data()), ozz};
  from_cache("poses, random times", in, poses, Times::RANDOM);
  from_cache("poses, forward at 60 Hz", in, poses, Times::FORWARD);
  const Bundle additive(Input::argument(argc, argv, 5));
  OwnCrowd ours(in, additive);
  vector<math::Float4x4> matrices(CHARACTERS * in.joints * 2);
  const vector<math::Float4x4> binds(in.joints, math::Float4x4::identity()); // as fast as any others
  const auto play = [&](size_t i, const float *times) {
    BlendingJob::Layer layer[LAYERS];
    for (size_t l = 0; l < LAYERS; l++) {
      const size_t clip = layer_clip(in, i, l);
      sample(*(l + 1 < LAYERS ? clips : added)[clip], contexts[i * LAYERS + l], times[l], pose[l]);
      layer[l].weight = WEIGHTS[l], layer[l].transform = make_span(pose[l]);
    }
    BlendingJob blend;
    blend.layers = {layer, LAYERS - 1}, blend.additive_layers = {layer + LAYERS - 1, 1};
    blend.rest_pose = skeleton->joint_rest_poses(), blend.output = make_span(blended);
    math::Float4x4 *model = &matrices[i * in.joints * 2];
    LocalToModelJob to_model;
    to_model.skeleton = skeleton.get();
    to_model.input = make_span(blended), to_model.output = {model, in.joints};
    need(blend.Run() && to_model.Run(), "ozz does not blend");
    for (size_t j = 0; j < in.joints; j++) model[in.joints + j] = model[j] * binds[j];
  };
  const std::vector<Crowd> both = {
      {"quatsimd", [&](size_t first, const float(*times)[LAYERS]) { ours.play(first, times); }},
      {"ozz", [&](size_t first, const float(*times)[LAYERS]) {
         for (size_t i = 0; i < GROUP; i++) play(first + i, times[i]);
       }}};
  crowd("3 clips to skinning, forward at 60 Hz", in, both, Times::FORWARD);
  for (size_t i = 0; i < CHARACTERS; i += CHARACTERS - 1) // the first and the last
    for (size_t j = 0; j < in.joints; j++) {
      float place[4];
      math::StorePtrU(matrices[i * in.joints * 2 + j].cols[3], place);
      ours.compare(in, i, numbers[j], place);
    }
  crowd("3 clips to skinning, random times", in, both, Times::RANDOM);
}
