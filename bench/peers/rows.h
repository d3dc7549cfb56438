// Times of a peer beside this library's: in turns, in one process, the least of many rounds.
#ifndef QUATSIMD_BENCH_PEERS_ROWS_H
#define QUATSIMD_BENCH_PEERS_ROWS_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "input.h"

struct Random { // the same numbers for every player in a round
  uint64_t state;
  explicit Random(size_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  size_t below(size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((state >> 32) * n >> 32);
  }
  float fraction() { return (float)below(1 << 24) * 0x1p-24f; }
};

// Computes something at a time of a clip. Clips beyond those of the file are copies, for times from memory.
struct Player {
  const char *name;
  std::function<void(size_t clip, float time)> play;
  size_t clips;
};

// The least nanoseconds of each way to do `units` of work. The first round is not counted.
using Way = std::function<void(size_t round)>;
inline std::vector<double> least(const std::vector<Way> &ways, size_t rounds, size_t units) {
  std::vector<double> ns(ways.size(), 1e18);
  for (size_t round = 0; round < rounds; round++)
    for (size_t w = 0; w < ways.size(); w++) {
      const auto start = std::chrono::steady_clock::now();
      ways[w](round);
      const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
      if (round > 0) ns[w] = std::min(ns[w], spent.count() / (double)units);
    }
  return ns;
}

// Nanoseconds of all, and those of this library, which is the first, as a multiple of each other's.
inline void print_row(const char *what, const std::vector<Player> &players, const std::vector<double> &ns) {
  std::printf("%-40s", what);
  for (size_t i = 0; i < ns.size(); i++) {
    std::printf("  %s %.0f", players[i].name, ns[i]);
    if (i > 0) std::printf(" (%.2f)", ns[0] / ns[i]);
  }
  std::printf("\n"), std::fflush(stdout);
}

inline float wrap(float time, float duration) { return duration > 0 ? std::fmod(time, duration) : 0; }
enum class Times { RANDOM, FORWARD }; // FORWARD: from frame to frame of a screen of 60 Hz

// One clip after the other, 60 rounds of 200 calls each: the mean over the clips.
inline void from_cache(const char *what, const Input &in, const std::vector<Player> &players, Times times) {
  const size_t calls = 200, clips = in.frames.size();
  std::vector<double> mean(players.size());
  for (size_t c = 0; c < clips; c++) {
    const float duration = in.frames[c].duration;
    std::vector<Way> ways;
    for (const Player &player : players)
      ways.push_back([&, c](size_t round) {
        Random random(round);
        for (size_t i = 0; i < calls; i++)
          player.play(c, times == Times::RANDOM ? duration * random.fraction()
                                                : wrap((float)(round * calls + i) / 60, duration));
      });
    const std::vector<double> ns = least(ways, 60, calls);
    for (size_t p = 0; p < ns.size(); p++) mean[p] += ns[p] / (double)clips;
  }
  print_row(what, players, mean);
}

// Any clip of a pool that no cache holds, at any time: 100 rounds of 2,000 calls.
inline void from_memory(const char *what, const Input &in, const std::vector<Player> &players) {
  const size_t calls = 2000, clips = in.frames.size();
  std::vector<Way> ways;
  for (const Player &player : players)
    ways.push_back([&](size_t round) {
      Random random(round);
      for (size_t i = 0; i < calls; i++) {
        const size_t clip = random.below(player.clips);
        player.play(clip, in.frames[clip % clips].duration * random.fraction());
      }
    });
  print_row(what, players, least(ways, 100, calls));
}

// How many copies of so many bytes make a pool that no cache holds: 128 MiB.
inline size_t copies_of(size_t bytes) { return ((size_t)128 << 20) / bytes + 1; }

// A crowd: each character has two clips that are blended, and one that is added. Work is done for a group of
// characters at a time, at times of their own; the groups of all players take turns, 40 times.
constexpr size_t CHARACTERS = 1000, GROUP = 100, LAYERS = 3;
constexpr float WEIGHTS[LAYERS] = {0.7f, 0.3f, 0.5f};
inline size_t layer_clip(const Input &in, size_t character, size_t layer) {
  return (7 * character + layer) % in.frames.size();
}
struct Crowd {
  const char *name;
  std::function<void(size_t first, const float (*times)[LAYERS])> play;
};
inline void crowd(const char *what, const Input &in, const std::vector<Crowd> &players, Times times) {
  std::vector<Way> ways;
  static float at[GROUP][LAYERS];
  for (size_t first = 0; first < CHARACTERS; first += GROUP) {
    ways.push_back([&in, times, first](size_t round) { // not a player: sets the times of the group
      Random random(round * CHARACTERS + first);
      for (size_t i = 0; i < GROUP; i++)
        for (size_t l = 0; l < LAYERS; l++) {
          const float duration = in.frames[layer_clip(in, first + i, l)].duration;
          const float now = (float)round / 60 + 0.37f * (float)(first + i);
          at[i][l] = times == Times::RANDOM ? duration * random.fraction() : wrap(now, duration);
        }
    });
    for (const Crowd &player : players) ways.push_back([&player, first](size_t) { player.play(first, at); });
  }
  const std::vector<double> ns = least(ways, 41, GROUP);
  std::vector<double> mean(players.size());
  std::vector<Player> names;
  for (size_t i = 0; i < ns.size(); i++)
    if (const size_t p = i % (players.size() + 1)) mean[p - 1] += ns[i] * GROUP / CHARACTERS;
  for (const Crowd &player : players) names.push_back({player.name, nullptr, 0});
  print_row(what, names, mean);
}

#endif
