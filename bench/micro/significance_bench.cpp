// Seconds for the resampling tests at the size of a large test collection.
// Arguments: queries, permutations or resamples.

#include <vector>

#include <benchmark/benchmark.h>

#include "glassrank/base/random.h"
#include "glassrank/math/studentized_range.h"
#include "glassrank/metrics/bootstrap.h"
#include "glassrank/metrics/fisher_randomisation.h"

namespace glassrank {
namespace {

std::vector<std::vector<double>> two_systems(std::size_t num_queries) {
  std::vector<std::vector<double>> systems(2, std::vector<double>(num_queries));
  const CounterRandom random(1, "bench");
  for (std::size_t q = 0; q < num_queries; ++q) {
    systems[0][q] = random.uniform(2 * q);
    systems[1][q] = random.uniform(2 * q + 1);
  }
  return systems;
}

void fisher(benchmark::State& state) {
  const auto systems = two_systems(static_cast<std::size_t>(state.range(0)));
  const Context context;
  for (auto _ : state) {
    benchmark::DoNotOptimize(fisher_randomisation(
        systems[0], systems[1], static_cast<std::uint64_t>(state.range(1)), context));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}
BENCHMARK(fisher)
    ->Args({10'000, 100'000})
    ->Args({1'000, 100'000})
    ->Args({50, 100'000})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void bootstrap(benchmark::State& state) {
  const auto systems = two_systems(static_cast<std::size_t>(state.range(0)));
  const Context context;
  for (auto _ : state) {
    const BootstrapMeans means(systems, static_cast<std::uint64_t>(state.range(1)), context);
    benchmark::DoNotOptimize(means.difference_interval(0, 1));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}
BENCHMARK(bootstrap)
    ->Args({10'000, 10'000})
    ->Args({1'000, 10'000})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void studentized_range(benchmark::State& state) {
  const auto degrees = static_cast<double>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(studentized_range_upper(3.5, 5, degrees));
}
BENCHMARK(studentized_range)->Arg(1)->Arg(10)->Arg(40'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace glassrank
