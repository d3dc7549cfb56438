// The only C++ here: Google Benchmark behind the C functions of shim.h.
#include "shim.h"

#include <benchmark/benchmark.h>

#include <string>

namespace {
benchmark::State &unwrap(bench_state *state) { return *reinterpret_cast<benchmark::State *>(state); }
} // namespace

void bench_init(int *argc, char **argv) { benchmark::Initialize(argc, argv); }

void bench_add_context(const char *key, const char *value) { benchmark::AddCustomContext(key, value); }

void bench_register(const char *name, bench_fn *fn, void *context) {
  benchmark::RegisterBenchmark(
      name, [fn, context](benchmark::State &state) { fn(context, reinterpret_cast<bench_state *>(&state)); })
      ->UseManualTime()
      ->Iterations(1);
}

void bench_run(void) { benchmark::RunSpecifiedBenchmarks(); }

void bench_set_time(bench_state *state, timing call) {
  while (unwrap(state).KeepRunning()) unwrap(state).SetIterationTime(call.seconds);
  bench_set_counter(state, "spread", call.spread);
  if (call.spread > NOISE)
    unwrap(state).SetLabel("repeats differ by " + std::to_string(static_cast<int>(100 * call.spread)) + " %");
}

void bench_set_counter(bench_state *state, const char *name, double value) {
  unwrap(state).counters[name] = value;
}
