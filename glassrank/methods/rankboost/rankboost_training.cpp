#include "glassrank/methods/rankboost/rankboost_training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/methods/rankboost/rankboost.h"
#include "glassrank/methods/training/round_lines.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/metrics/evaluate.h"

namespace glassrank {
namespace {

constexpr double kMostR = 1 - 1e-9;

// Votes of one set of rows, and its metrics.
class VotedRows {
 public:
  VotedRows(const Dataset& data, std::string name)
      : data_(data), name_(std::move(name)), votes_(data.num_rows(), 0.0) {}

  std::span<const double> votes() const { return votes_; }
  void add_names(std::span<const MetricSpec> metrics, std::vector<std::string>& names) const {
    for (const MetricSpec& metric : metrics) {
      names.push_back(fmt::format("{} {}", name_, to_text(metric)));
    }
  }
  void vote(const RankboostRound& round) {
    for (std::size_t r = 0; r < votes_.size(); ++r) {
      if (data_.features()(r, round.feature) > round.threshold) votes_[r] += round.alpha;
    }
  }
  void measure(std::span<const MetricSpec> metrics, const Context& context,
               std::vector<double>& values) const {
    const Evaluation found = evaluate(DatasetLists(data_, votes_), metrics, Convention{}, context);
    for (const MetricValues& own : found.metrics) values.push_back(own.mean);
  }

 private:
  const Dataset& data_;
  std::string name_;
  std::vector<double> votes_;
};

void check_data(const Dataset& train, const Dataset* valid) {
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (valid != nullptr) check_same_features(train.feature_names(), valid->feature_names());
}

class Training {
 public:
  Training(const Dataset& train, const Dataset* valid, const RankboostParams& params,
           const Context& context)
      : train_(train),
        params_(params),
        metrics_(watched_metrics(params.watch)),
        cells_(find_cells(train, params.thresholds, context)),
        train_votes_(train, "train") {
    root_weights_.resize(train.num_rows());
    for (std::size_t r = 0; r < root_weights_.size(); ++r) {
      root_weights_[r] = std::sqrt(train.weight(r));
    }
    if (valid != nullptr) valid_votes_.emplace(*valid, "valid");
    if (params.watch.train_metric) train_votes_.add_names(metrics_, result.curve_names);
    if (valid_votes_) valid_votes_->add_names(metrics_, result.curve_names);
    result.best_metric = std::numeric_limits<double>::quiet_NaN();
  }

  // Rounds that were done before, without looking for them again.
  void replay(std::span<const RankboostRound> rounds, const Context& context) {
    for (const RankboostRound& round : rounds) add(round, context);
  }

  // False: no test is left that helps.
  bool next(const Context& context) {
    PairPotentials sums{.potentials = std::vector<double>(train_.num_rows())};
    for (std::size_t q = 0; q < train_.num_queries(); ++q) {
      const RowRange rows = train_.queries().rows(q);
      add_potentials(train_.grades().subspan(rows.begin, rows.size()),
                     train_votes_.votes().subspan(rows.begin, rows.size()),
                     std::span<const double>(root_weights_).subspan(rows.begin, rows.size()),
                     rows.begin, sums);
    }
    if (!(sums.z > 0)) {
      fail(ErrorKind::kInput,
           "RankBoost learns from pairs of documents with different grades, and no query has one");
    }
    const WeakRanker best = best_ranker(cells_, sums.potentials, sums.z, context);
    if (best.r <= 0) return false;
    const double r = std::min(best.r, kMostR);
    add({.feature = best.feature,
         .threshold = cells_.thresholds[best.feature][best.threshold],
         .alpha = 0.5 * std::log((1 + r) / (1 - r))},
        context);
    return best.r < kMostR;
  }

  bool is_over() const {
    const std::size_t num_rounds = result.rounds.size();
    if (num_rounds >= static_cast<std::size_t>(params_.num_rounds)) return true;
    return valid_votes_ && params_.patience > 0 &&
           num_rounds >= result.best_round + static_cast<std::size_t>(params_.patience);
  }

  RankboostResult result;

 private:
  void add(const RankboostRound& round, const Context& context) {
    result.rounds.push_back(round);
    train_votes_.vote(round);
    std::vector<double> values;
    if (params_.watch.train_metric) train_votes_.measure(metrics_, context, values);
    if (!valid_votes_) {
      result.curve.push_back(std::move(values));
      result.best_round = result.rounds.size();
      return;
    }
    valid_votes_->vote(round);
    const std::size_t first = values.size();
    valid_votes_->measure(metrics_, context, values);
    const auto stop = std::ranges::find(metrics_, stop_metric(params_.watch)) - metrics_.begin();
    const double value = values[first + static_cast<std::size_t>(stop)];
    if (result.rounds.size() == 1 || value > result.best_metric) {
      result.best_metric = value;
      result.best_round = result.rounds.size();
    }
    result.curve.push_back(std::move(values));
  }

  const Dataset& train_;
  const RankboostParams& params_;
  const std::vector<MetricSpec> metrics_;
  const ThresholdCells cells_;
  std::vector<double> root_weights_;
  VotedRows train_votes_;
  std::optional<VotedRows> valid_votes_;
};

std::string state_of(std::vector<RankboostRound> rounds) {
  StateArchive archive;
  archive(rounds);
  return std::move(archive).bytes();
}

}  // namespace

void RankboostParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("num_rounds", num_rounds, "tests \"feature above threshold\" to vote",
                Range{.low = 1});
  visitor.field("thresholds", thresholds,
                "steps from a feature's greatest value down that are tried; 0 tries all",
                Range{.low = 0, .high = 65'535});
  watch.visit(visitor);
  visitor.section("training");
  visitor.field("patience", patience,
                "stop after so many rounds without a better validation metric; 0 never stops. The "
                "best round is kept either way",
                kNotNegative);
}

Gam rankboost_gam(std::span<const RankboostRound> rounds, const Dataset& train) {
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
  return Gam(std::move(parts));
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
  }
  if (run.checkpoints != nullptr) {
    run.checkpoints->save_end({}, state_of(result.rounds), result.is_interrupted);
  }
  result.gam = rankboost_gam(std::span(result.rounds).first(result.best_round), train);
  return std::move(result);
}

}  // namespace glassrank
