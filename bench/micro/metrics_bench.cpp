// Metrics over 1 M documents in 10,000 queries of 100, arrays already in memory.
//
// With `--dump DIR` the arrays are written for bench/peers/metrics_bench.py, so that peers are
// timed on the same data: grades.f32, scores.f64 (raw, 10,000 x 100), and each metric's mean in
// means.json.

#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "glassrank/metrics/evaluate.h"

namespace {

using namespace glassrank;

constexpr std::size_t kNumQueries = 10'000;
constexpr std::size_t kDocuments = 100;

// Web-search-like grades (mostly 0) and scores that follow them loosely, from one fixed generator.
struct Arrays {
  std::vector<float> grades;
  std::vector<double> scores;
  Arrays() {
    std::uint64_t state = 1;
    const auto draw = [&] {
      state = state * 6364136223846793005U + 1442695040888963407U;
      return static_cast<double>(state >> 11) / 9007199254740992.0;
    };
    for (std::size_t i = 0; i < kNumQueries * kDocuments; ++i) {
      const double u = draw();
      const float grade = u < 0.55 ? 0 : u < 0.85 ? 1 : u < 0.95 ? 2 : u < 0.985 ? 3 : 4;
      grades.push_back(grade);
      scores.push_back(grade * 0.3 + 2 * draw());
    }
  }
};

class ArrayLists final : public ListSource {
 public:
  explicit ArrayLists(const Arrays& arrays) : arrays_(arrays) {}
  std::size_t num_queries() const override { return kNumQueries; }
  RankedList list(std::size_t query, bool /*with_ids*/,
                  std::vector<std::string_view>& /*ids*/) const override {
    return {.scores = {arrays_.scores.data() + query * kDocuments, kDocuments},
            .grades = {arrays_.grades.data() + query * kDocuments, kDocuments},
            .document_ids = {},
            .missed_grades = {}};
  }
  std::string query_name(std::size_t query) const override { return fmt::format("{}", query); }
  std::string document_name(std::size_t, std::size_t slot) const override {
    return fmt::format("{}", slot);
  }

 private:
  const Arrays& arrays_;
};

const Arrays& arrays() {
  static const Arrays kArrays;
  return kArrays;
}

void run_metric(benchmark::State& state, const char* metric, Ties ties) {
  const ArrayLists lists(arrays());
  const MetricSpec spec = parse_metric(metric);
  Context context;
  context.threads = std::make_shared<Threads>(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate(lists, {&spec, 1}, {.ties = ties}, context).metrics[0].mean);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kNumQueries * kDocuments));
}

void dump(const std::string& folder) {
  const auto write = [&](const char* name, const void* bytes, std::size_t size) {
    std::ofstream(folder + "/" + name, std::ios::binary)
        .write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  };
  write("grades.f32", arrays().grades.data(), arrays().grades.size() * sizeof(float));
  write("scores.f64", arrays().scores.data(), arrays().scores.size() * sizeof(double));
  const MetricSpec spec = parse_metric("ndcg@10");
  const double linear =
      evaluate(ArrayLists(arrays()), {&spec, 1}, find_convention("sklearn"), Context{})
          .metrics[0]
          .mean;
  std::ofstream(folder + "/means.json") << fmt::format("{{\"ndcg@10 linear\": {}}}\n", linear);
}

}  // namespace

BENCHMARK_CAPTURE(run_metric, ndcg_10, "ndcg@10", Ties::kInput)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(run_metric, ndcg, "ndcg", Ties::kInput)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(run_metric, map, "map", Ties::kInput)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(run_metric, err_10, "err@10", Ties::kInput)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--dump") == 0) {
    dump(argv[2]);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
