// Times what following outliers adds to the base training of SOUR, in this process, and prints the
// result as JSON, for bench/peers.
// Usage: track_program TRAIN THREADS ROUNDS [name=value ...]
//   Trains with and without an OutlierTracker in turn, ROUNDS times each; name=value sets a
//   boosting parameter. No metric is computed in either. Prints ms per tree of every run, and the
//   tracker's bytes a document.

#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/boosting/booster.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/methods/cleaners/outlier_tracker.h"
#include "glassrank/objectives/lambdarank.h"

namespace {

using namespace glassrank;

// The tracker, and the time spent in it: steadier than the difference of two trainings.
struct TimedTracker final : RoundObserver {
  explicit TimedTracker(OutlierTracker& wrapped) : tracker(wrapped) {}
  bool after_round(const RoundEvent& event) override {
    const auto start = std::chrono::steady_clock::now();
    tracker.after_round(event);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return true;
  }
  OutlierTracker& tracker;
  double seconds = 0;
};

double ms_per_tree(const BinnedDataset& train, const BoosterParams& params, RoundObserver* observer,
                   const Context& context) {
  Lambdarank objective({});
  BoostingTimes times;
  BoostingTask task{.train = train, .objective = &objective};
  if (observer != nullptr) task.observers = {observer};
  const BoostingResult result = boost(task, params, context, &times);
  return 1e3 * times.total / static_cast<double>(result.num_rounds);
}

void run(int argc, char** argv) {
  Context context;
  context.threads = std::make_shared<Threads>(std::atoi(argv[2]));
  BoosterParams params{.num_trees = 20, .num_leaves = 64};
  for (int i = 4; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t at = text.find('=');
    set_param(params, text.substr(0, at), {at == std::string::npos ? "" : text.substr(at + 1)});
  }
  const BinnedDataset train = bin_dataset(load_dataset(argv[1], {}, context), {}, context);
  std::vector<double> without;
  std::vector<double> with;
  std::vector<double> inside;
  std::size_t num_bytes = 0;
  for (int round = 0; round < std::atoi(argv[3]); ++round) {
    OutlierTracker tracker(train, {}, context);
    num_bytes = tracker.num_bytes();
    without.push_back(ms_per_tree(train, params, nullptr, context));
    TimedTracker timed(tracker);
    with.push_back(ms_per_tree(train, params, &timed, context));
    inside.push_back(1e3 * timed.seconds / static_cast<double>(tracker.num_rounds()));
  }
  fmt::print(
      "{{\"without\": [{:.3f}], \"with\": [{:.3f}], \"tracker\": [{:.3f}], \"rows\": {}, "
      "\"queries\": {}, \"features\": "
      "{}, \"bytes_per_document\": {:.3f}}}\n",
      fmt::join(without, ", "), fmt::join(with, ", "), fmt::join(inside, ", "), train.num_rows(),
      train.num_queries(), train.num_features(),
      static_cast<double>(num_bytes) / static_cast<double>(train.num_rows()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: track_program TRAIN THREADS ROUNDS [name=value ...]\n");
    return 2;
  }
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "track_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
