#include "glassrank/studies/sampling_study.h"

#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/metrics/fisher_randomisation.h"
#include "glassrank/models/forest/forest_scorer.h"

namespace glassrank {
namespace {

class CostWatch final : public RoundObserver {
 public:
  explicit CostWatch(std::size_t num_rows) : num_rows_(num_rows) {}
  bool after_round(const RoundEvent& event) override {
    shares.push_back(static_cast<double>(event.cost.rows) / static_cast<double>(num_rows_));
    seconds.push_back(event.cost.seconds);
    return true;
  }

  std::vector<double> shares;
  std::vector<double> seconds;

 private:
  std::size_t num_rows_;
};

SampleParams sample_of(const std::string& system, const SampleParams& given,
                       const SamplingStudyParams& study) {
  SampleParams selective = given;
  selective.method = SampleMethod::kSelective;
  selective.top = study.selective_top;
  SampleParams high_low = given;
  high_low.method = SampleMethod::kHighLow;
  high_low.top = study.high_low_top;
  high_low.bottom = study.high_low_bottom;
  high_low.adaptive = AdaptiveStrategy::kNone;
  if (system == "full") return {};
  if (system == "selective") return selective;
  if (system == "high-low") return high_low;
  const std::vector<std::string> known = {"full", "selective", "high-low"};
  throw Error(ErrorKind::kUsage, unknown_name_message("system", system, known));
}

double mean_or_nan(const std::vector<double>& values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : mean_of(values);
}

SampledTraining train_once(const LambdamartData& data, const LambdamartParams& params,
                           const Context& context, Forest& forest) {
  CostWatch watch(data.train.num_rows());
  LambdamartRun run;
  run.observers = {&watch};
  const LambdamartResult result = train_lambdamart(data, params, run, context);
  if (result.end == BoostingEnd::kInterrupted) context.check_stop();
  forest = result.forest;
  SampledTraining training{
      .num_rounds = result.num_rounds,
      .num_trees = result.forest.trees().size(),
      .share = mean_or_nan(watch.shares),
      .seconds_per_tree = mean_or_nan(watch.seconds),
      .seconds = std::accumulate(watch.seconds.begin(), watch.seconds.end(), 0.0),
      .round_shares = watch.shares,
      .round_seconds = watch.seconds};
  const std::string stopping = stopping_name(params.watch);
  for (std::size_t m = 0; m < result.curve_names.size(); ++m) {
    if (result.curve_names[m] != stopping) continue;
    for (const auto& round : result.curve) training.curve.push_back(round[m]);
  }
  return training;
}

}  // namespace

void SamplingStudyParams::visit(ParamVisitor& visitor) {
  visitor.field("systems", systems, "systems to train: full, selective, high-low");
  visitor.field("selective_top", selective_top, "share of the negatives that selective keeps",
                kShare);
  visitor.field("high_low_top", high_low_top,
                "share of the negatives that high-low keeps from the top", kShare);
  visitor.field("high_low_bottom", high_low_bottom,
                "share of the negatives that high-low keeps from the bottom", kShare);
  visitor.field("permutations", permutations, "number of random swaps in Fisher's test",
                Range{.low = 1, .high = kMostPermutations});
}

SamplingStudy study_sampling(const Dataset& train, const Dataset& valid, const Dataset* test,
                             const LambdamartParams& params, const SamplingStudyParams& study,
                             const Context& context) {
  check_params(study);
  stop_metric(params.watch);  // throws for metrics that are none
  if (params.sample.method != SampleMethod::kNone) {
    fail(ErrorKind::kUsage, "the samplers of this study are --systems; leave sample.method out");
  }
  for (const std::string& name : study.systems) {
    make_sampler(sample_of(name, params.sample, study));
  };
  SamplingStudy result{.metric = params.watch.metric.front(), .systems = {}};
  const LambdamartData data = prepare_lambdamart(train, &valid, params, context);
  std::vector<double> full;
  for (const std::string& name : study.systems) {
    LambdamartParams sampled = params;
    sampled.sample = sample_of(name, params.sample, study);
    Forest forest;
    SampledTraining training = train_once(data, sampled, context, forest);
    training.system = name;
    training.mean = std::numeric_limits<double>::quiet_NaN();
    if (test != nullptr) {
      const std::vector<double> values =
          query_values(ForestScorer(forest), *test, parse_metric(result.metric), context,
                       params.watch.convention());
      training.mean = mean_of(values);
      if (full.empty()) {
        full = values;
      } else {
        training.p = fisher_randomisation(values, full, study.permutations, context).p;
      }
    }
    context.info(fmt::format("{}: {} trees, {:.1f} % of the rows, {:.2f} ms a tree", name,
                             training.num_trees, 100 * training.share,
                             1000 * training.seconds_per_tree));
    result.systems.push_back(std::move(training));
  }
  return result;
}

}  // namespace glassrank
