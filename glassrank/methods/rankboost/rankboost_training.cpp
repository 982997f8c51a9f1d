#include "glassrank/methods/rankboost/rankboost_training.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/methods/rankboost/rankboost.h"
#include "glassrank/methods/training/graded_pairs.h"
#include "glassrank/methods/training/round_lines.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/metrics/repeated_evaluation.h"
#include "glassrank/models/gam/distil.h"

namespace glassrank {
namespace {

constexpr double kMostR = 1 - 1e-9;

// "train ndcg@10" and so on.
void add_names(std::string_view set, std::span<const MetricSpec> metrics,
               std::vector<std::string>& names) {
  for (const MetricSpec& metric : metrics) {
    names.push_back(fmt::format("{} {}", set, to_text(metric)));
  }
}

void measure(RepeatedEvaluation& evaluation, std::span<const double> votes, const Context& context,
             std::vector<double>& values) {
  for (const double mean : evaluation.means(votes, context)) values.push_back(mean);
}

void check_data(const Dataset& train, const Dataset* valid) {
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (valid != nullptr) check_same_features(train.feature_names(), valid->feature_names());
  check_graded_pairs(train, "RankBoost");
  check_row_weights(train);
  check_features_differ(train);
}

class Training {
 public:
  Training(const Dataset& train, const Dataset* valid, const RankboostParams& params,
           const Context& context)
      : params_(params),
        metrics_(watched_metrics(params.watch)),
        valid_(valid),
        pairs_(train),
        cells_(find_cells(train, pairs_.rows(), params.thresholds, context)),
        train_votes_(train.num_rows(), 0.0),
        valid_votes_(valid == nullptr ? 0 : valid->num_rows(), 0.0) {
    const auto metrics_of = [&](const Dataset& data) {
      return RepeatedEvaluation(data.grades(), data.queries(), metrics_, params.watch.convention());
    };
    if (params.watch.train_metric) {
      add_names("train", metrics_, result.curve_names);
      train_metrics_.emplace(metrics_of(train));
    }
    if (valid != nullptr) {
      add_names("valid", metrics_, result.curve_names);
      valid_metrics_.emplace(metrics_of(*valid));
    }
    result.best_metric = std::numeric_limits<double>::quiet_NaN();
  }

  // Rounds that were done before, without looking for them again.
  void replay(std::span<const RankboostRound> rounds, const Context& context) {
    for (const RankboostRound& round : rounds) add(round, context);
  }

  // False: no test is left that helps.
  bool next(const Context& context) {
    const double z = pairs_.z();
    if (!(z > 0)) {
      fail(ErrorKind::kInput, "RankBoost: no pair of documents with different grades has a weight");
    }
    const WeakRanker best = best_ranker(cells_, pairs_.potentials(), z, context);
    if (best.r <= 0) return false;
    const double r = std::min(best.r, kMostR);
    add({.feature = best.feature,
         .threshold = cells_.thresholds[best.feature][best.threshold],
         .alpha = 0.5 * portable_log((1 + r) / (1 - r))},
        context);
    return best.r < kMostR;
  }

  bool is_over() const {
    const std::size_t num_rounds = result.rounds.size();
    if (num_rounds >= static_cast<std::size_t>(params_.num_rounds)) return true;
    return valid_ != nullptr && params_.patience > 0 &&
           num_rounds >= result.best_round + static_cast<std::size_t>(params_.patience);
  }

  RankboostResult result;

 private:
  void add(const RankboostRound& round, const Context& context) {
    result.rounds.push_back(round);
    const std::vector<float>& thresholds = cells_.thresholds[round.feature];
    const auto threshold = static_cast<std::uint32_t>(
        std::ranges::lower_bound(thresholds, round.threshold) - thresholds.begin());
    pairs_.vote(cells_.cells[round.feature], threshold, round.alpha, context);
    std::vector<double> values;
    if (train_metrics_) {
      pairs_.copy_votes(train_votes_);
      measure(*train_metrics_, train_votes_, context, values);
    }
    if (valid_ == nullptr) {
      result.curve.push_back(std::move(values));
      result.best_round = result.rounds.size();
      return;
    }
    for (std::size_t r = 0; r < valid_votes_.size(); ++r) {
      if (valid_->features()(r, round.feature) > round.threshold) valid_votes_[r] += round.alpha;
    }
    const std::size_t first = values.size();
    measure(*valid_metrics_, valid_votes_, context, values);
    const auto stop = std::ranges::find(metrics_, stop_metric(params_.watch)) - metrics_.begin();
    const double value = values[first + static_cast<std::size_t>(stop)];
    if (result.rounds.size() == 1 || value > result.best_metric) {
      result.best_metric = value;
      result.best_round = result.rounds.size();
    }
    result.curve.push_back(std::move(values));
  }

  const RankboostParams& params_;
  const std::vector<MetricSpec> metrics_;
  std::optional<RepeatedEvaluation> train_metrics_;  // if they are watched
  std::optional<RepeatedEvaluation> valid_metrics_;
  const Dataset* valid_;
  PairedRows pairs_;
  const ThresholdCells cells_;
  std::vector<double> train_votes_;
  std::vector<double> valid_votes_;
};

std::string state_of(std::vector<RankboostRound> rounds) {
  StateArchive archive;
  archive(rounds);
  return std::move(archive).bytes();
}

}  // namespace

void RankboostParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("num_rounds", num_rounds, "number of voting tests \"feature above threshold\"",
                Range{.low = 1});
  visitor.field(
      "thresholds", thresholds,
      "number of thresholds to try per feature, evenly from its greatest value down; 0 tries all",
      Range{.low = 0, .high = 65'535});
  watch.visit(visitor);
  visitor.section("training");
  visitor.field("patience", patience,
                "stop after this many rounds without a better validation metric; 0 never stops. "
                "The best round is kept in any case",
                kNotNegative);
}

Gam rankboost_gam(std::span<const RankboostRound> rounds, const Dataset& train,
                  const Context& context) {
  std::map<std::uint32_t, std::map<float, double>> steps;
  for (const RankboostRound& round : rounds) steps[round.feature][round.threshold] += round.alpha;
  GamParts parts;
  parts.num_features = train.num_features();
  parts.feature_names = {train.feature_names().begin(), train.feature_names().end()};
  parts.objective = "rankboost";
  for (const auto& [feature, own] : steps) {
    GamEffect curve;
    curve.axes.push_back({.feature = feature, .edges = {}});
    double sum = 0;
    curve.values.push_back(sum);
    for (const auto& [threshold, alpha] : own) {
      curve.axes[0].edges.push_back(threshold);
      curve.values.push_back(sum += alpha);
    }
    curve.values.push_back(0);  // a missing value is above no threshold
    parts.effects.push_back(std::move(curve));
  }
  return with_weights(Gam(std::move(parts)), train, context);
}

RankboostResult train_rankboost(const Dataset& train, const Dataset* valid,
                                const RankboostParams& params, const Context& context,
                                const RankboostRun& run) {
  check_params(params);
  check_data(train, valid);
  Training training(train, valid, params, context);
  if (const auto bytes = load_bytes(run.checkpoints, {})) {
    std::vector<RankboostRound> rounds;
    StateArchive archive(*bytes);
    archive(rounds);
    training.replay(rounds, context);
  }
  RankboostResult& result = training.result;
  const std::size_t every = run.checkpoints == nullptr ? 0 : run.checkpoints->every();
  RoundLines lines(context, {.name = run.name,
                             .unit = "rounds",
                             .most = static_cast<std::size_t>(params.num_rounds),
                             .log_every = run.log_every});
  lines.skip(result.rounds.size());
  while (!training.is_over()) {
    if (context.is_stopped()) {
      if (result.rounds.empty()) context.check_stop();
      result.is_interrupted = true;
      break;
    }
    const bool may_go_on = training.next(context.finishing());
    if (!result.curve.empty()) {
      lines.show(result.rounds.size(), result.curve_names, result.curve.back());
    }
    if (!may_go_on) break;
    if (every > 0 && result.rounds.size() % every == 0) {
      run.checkpoints->save({}, state_of(result.rounds));
    }
    if (!params.watch.goes_on({.training = run.name,
                               .round = result.rounds.size(),
                               .names = result.curve_names,
                               .metrics = result.curve.back()})) {
      break;
    }
  }
  if (run.checkpoints != nullptr) {
    run.checkpoints->save_end({}, state_of(result.rounds), result.is_interrupted);
  }
  if (result.rounds.empty()) {
    context.warn(
        "RankBoost: no test of a feature above a threshold puts the better documents above; the "
        "model is empty and all its scores are 0");
  }
  result.gam =
      rankboost_gam(std::span(result.rounds).first(result.best_round), train, context.finishing());
  return std::move(result);
}

}  // namespace glassrank
