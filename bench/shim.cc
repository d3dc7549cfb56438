// The only C++ here: Google Benchmark behind the C functions of shim.h.
#include "shim.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

namespace {
double default_min_time; // 0 if the command line has one
benchmark::State &unwrap(bench_state *state) { return *reinterpret_cast<benchmark::State *>(state); }
struct Quiet : benchmark::BenchmarkReporter {
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &) override {}
};
} // namespace

void bench_init(int *argc, char **argv, double min_time) {
  default_min_time = min_time;
  for (int i = 1; i < *argc; i++)
    if (!std::strncmp(argv[i], "--benchmark_min_time", 20)) default_min_time = 0;
  benchmark::Initialize(argc, argv);
}

void bench_add_context(const char *key, const char *value) { benchmark::AddCustomContext(key, value); }

void bench_register(const char *name, bench_fn *fn, void *context) {
  auto *registered = benchmark::RegisterBenchmark(
      name, [fn, context](benchmark::State &state) { fn(context, reinterpret_cast<bench_state *>(&state)); });
  registered->UseManualTime();
  if (default_min_time > 0) registered->MinTime(default_min_time);
}

void bench_run(int quiet) {
  Quiet reporter;
  if (quiet) benchmark::RunSpecifiedBenchmarks(&reporter);
  else benchmark::RunSpecifiedBenchmarks();
}

int bench_keep_running(bench_state *state, size_t calls) {
  return unwrap(state).KeepRunningBatch(static_cast<benchmark::IterationCount>(calls));
}

void bench_set_time(bench_state *state, double seconds) { unwrap(state).SetIterationTime(seconds); }

void bench_set_counter(bench_state *state, const char *name, double value) {
  unwrap(state).counters[name] = value;
}
