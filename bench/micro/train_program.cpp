// Times training LambdaMART in this process and prints the result as JSON, for bench/peers.
// Usage: train_program TRAIN TEST THREADS [name=value ...]
//   Files are anything the readers take (text or cache); name=value sets a boosting parameter or
//   one of sampling (sample.method=selective).
//   Prints ms per tree (wall, and of all processors together), where they went, the additions to
//   histogram tables, the share of rows that trees were grown on, the NDCG@10 of the test set and
//   the peak memory. later_ms_per_tree leaves out the first round, which even a sampler of
//   negatives gives every row.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/boosting/booster.h"
#include "glassrank/boosting/histogram/row_blocks.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/metrics/gain.h"
#include "glassrank/objectives/lambdarank.h"

namespace {

using namespace glassrank;

double dcg_at_10(std::span<const float> grades, std::span<const std::size_t> order) {
  double sum = 0;
  for (std::size_t r = 0; r < std::min<std::size_t>(10, order.size()); ++r) {
    sum += exponential_gain(grades[order[r]]) * discount(r);
  }
  return sum;
}

// Queries without gain count 1, as LightGBM has it.
double ndcg_at_10(const BinnedDataset& data, std::span<const double> scores) {
  double sum = 0;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), rows.begin);
    std::ranges::sort(order, {}, [&](std::size_t r) { return std::pair(-scores[r], r); });
    const double found = dcg_at_10(data.grades(), order);
    std::ranges::sort(order, std::greater<>(), [&](std::size_t r) { return data.grades()[r]; });
    const double ideal = dcg_at_10(data.grades(), order);
    sum += ideal > 0 ? found / ideal : 1.0;
  }
  return sum / static_cast<double>(data.num_queries());
}

struct Parameters {
  BoosterParams boosting{.num_trees = 20, .num_leaves = 64};
  SampleParams sample;
  void visit(ParamVisitor& visitor) {
    boosting.visit(visitor);
    visitor.group("sample", sample);
  }
};

struct KeepScores final : RoundObserver {
  std::vector<double> test;
  double rows = 0;  // over all rounds
  double first_seconds = 0;
  bool after_round(const RoundEvent& event) override {
    test = event.scores[1];
    rows += static_cast<double>(event.cost.rows);
    if (event.round == 0) first_seconds = event.cost.seconds;
    return true;
  }
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run(int argc, char** argv) {
  Context context;
  context.threads = std::make_shared<Threads>(std::atoi(argv[3]));
  Parameters params;
  for (int i = 4; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t at = text.find('=');
    const std::string value = at == std::string::npos ? "" : text.substr(at + 1);
    if (text.substr(0, at) == "seed") {
      context.seed = std::stoull(value);
    } else {
      set_param(params, text.substr(0, at), {value});
    }
  }
  const BinnedDataset train = bin_dataset(load_dataset(argv[1], {}, context), {}, context);
  const BinnedDataset test =
      bin_with(load_dataset(argv[2], {}, context), train.shared_edges(), context);
  Lambdarank objective({});
  const std::unique_ptr<Sampler> sampler = make_sampler(params.sample);
  KeepScores keep;
  BoostingTimes times;
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  const BoostingResult result = boost({.train = train,
                                       .valid = {test},
                                       .objective = &objective,
                                       .sampler = sampler.get(),
                                       .observers = {&keep}},
                                      params.boosting, context, &times);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const double cpu = cpu_seconds() - cpu_start;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double per_tree = 1e3 / static_cast<double>(result.num_rounds);
  const double rounds = static_cast<double>(result.num_rounds);
  const double first_seconds = keep.first_seconds - times.valid / rounds;
  const double later = (times.total - times.valid - first_seconds) / std::max(rounds - 1, 1.0);
  const double share = keep.rows / rounds / static_cast<double>(train.num_rows());
  const double updates = static_cast<double>(times.histogram_rows) *
                         static_cast<double>(RowBlocks(train, context).num_additions());
  fmt::print(
      "{{\"ms_per_tree\": {:.2f}, \"later_ms_per_tree\": {:.2f}, \"row_share\": {:.5f}, "
      "\"cpu_ms_per_tree\": {:.2f}, \"gradients\": {:.2f}, "
      "\"quantise\": {:.2f}, \"histograms\": "
      "{:.2f}, \"splits\": {:.2f}, \"partition\": {:.2f}, \"leaf_values\": {:.2f}, \"valid\": "
      "{:.2f}, \"setup_ms\": {:.1f}, \"ndcg@10\": {:.5f}, \"num_trees\": {}, \"peak_mb\": "
      "{:.0f}, \"updates_per_tree\": {:.0f}}}\n",
      (times.total - times.valid) * per_tree, later * 1e3, share, cpu * per_tree,
      times.gradients * per_tree, times.quantise * per_tree, times.histograms * per_tree,
      times.splits * per_tree, times.partition * per_tree, times.leaf_values * per_tree,
      times.valid * per_tree, (elapsed.count() - times.total) * 1e3, ndcg_at_10(test, keep.test),
      result.num_rounds, static_cast<double>(usage.ru_maxrss) / 1024,
      updates / static_cast<double>(result.num_rounds));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: train_program TRAIN TEST THREADS [name=value ...]\n");
    return 2;
  }
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "train_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
