#include "glassrank/methods/rankgam/rankgam.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/params.h"
#include "glassrank/boosting/observers.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/methods/ebm/bagged_gam.h"
#include "glassrank/methods/ebm/effect_cells.h"
#include "glassrank/methods/rankgam/network.h"
#include "glassrank/methods/rankgam/trainer.h"
#include "glassrank/methods/training/bags.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/metrics/evaluate.h"

namespace glassrank {
namespace {

void check_values(const Dataset& data) {
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    const std::span<const float> row = data.row(r);
    for (std::size_t f = 0; f < row.size(); ++f) {
      if (!std::isinf(row[f])) continue;
      fail(ErrorKind::kInput, "row {}: feature '{}' is infinite; a network cannot use that", r + 1,
           data.feature_names()[f]);
    }
  }
}

void check_input(const Dataset& train, const Dataset* valid, const RankgamParams& params) {
  check_params(params);
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  check_values(train);
  bool has_gain = false;
  for (const float grade : train.grades()) has_gain = has_gain || grade > 0;
  if (!has_gain) fail(ErrorKind::kInput, "the training data has no document with a grade above 0");
  if (valid == nullptr) return;
  check_same_features(train.feature_names(), valid->feature_names());
  check_values(*valid);
}

// Training rows and validation data, held out or given.
struct Parts {
  DatasetView train;
  Dataset valid;
};

Parts split(const Dataset& train, const Dataset* valid, const RankgamParams& params,
            std::uint64_t seed) {
  if (valid != nullptr) return {.train = DatasetView(train), .valid = *valid};
  if (train.num_queries() < 2) {
    fail(ErrorKind::kInput,
         "the training data has one query; give validation data, or two queries so that one can be "
         "held out");
  }
  BagSplitRows rows = split_bag(train.queries(), {.share = params.valid_share}, seed, 0);
  return {.train = DatasetView(train, std::move(rows.train)),
          .valid = DatasetView(train, std::move(rows.held_out)).materialise()};
}

void check_finite(std::span<const double> scores, std::size_t epoch) {
  const auto bad = std::ranges::find_if_not(scores, [](double s) { return std::isfinite(s); });
  if (bad == scores.end()) return;
  fail(ErrorKind::kInput,
       "epoch {}: a score has become {}; scores must be finite: the learning rate is too large",
       epoch + 1, *bad);
}

double metric_of(const Dataset& data, std::span<const double> scores, const WatchParams& watch,
                 const Context& context) {
  const MetricSpec metric = stop_metric(watch);
  return evaluate(DatasetLists(data, scores), std::span(&metric, 1), watch.convention(), context)
      .metrics.front()
      .mean;
}

// The mean output of the tower over the training rows of each cell.
BaggedEffect table_of(const BinnedDataset& bins, std::size_t feature, const FeatureColumns& columns,
                      const RankgamNetwork& network) {
  BaggedEffect effect = curve_effect(bins, feature, *Communicator::alone());
  std::vector<float> outputs(bins.num_rows());
  network.score_feature(feature, columns.column(feature), outputs);
  std::vector<double> table(bins.num_bins(feature));
  std::vector<double> totals(table.size());
  const BinColumn codes = bins.column(feature);
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    table[codes[r]] += double{outputs[r]};
    totals[codes[r]] += 1;
  }
  for (std::size_t c = 0; c < table.size(); ++c) {
    if (totals[c] > 0) table[c] /= totals[c];
  }
  effect.tables.push_back(std::move(table));
  return effect;
}

Gam tables_of(const Dataset& train, const FeatureColumns& columns, const RankgamNetwork& network,
              const RankgamParams& params, const Context& context) {
  const BinnedDataset bins = bin_dataset(
      train, {.max_bins = params.max_bins - 1, .min_bin_rows = 1, .max_categories = 0}, context);
  const auto names = train.feature_names();
  BaggedModel model{.intercepts = {0},
                    .num_features = train.num_features(),
                    .feature_names = {names.begin(), names.end()},
                    .objective = "approx_ndcg"};
  std::vector<std::size_t> features;
  for (std::size_t f = 0; f < train.num_features(); ++f) {
    if (!bins.is_constant(f)) features.push_back(f);
  }
  model.effects.resize(features.size());
  parallel_for(context, features.size(), 1, [&](std::size_t i, std::size_t) {
    model.effects[i] = table_of(bins, features[i], columns, network);
  });
  return average_bags(std::move(model));
}

// Shows the last epoch to the caller; false: the caller wants no more of them.
bool call_back(const WatchParams& watch, bool has_valid, const RankgamResult& result) {
  if (!watch.after_round) return true;
  const std::vector<std::string> names = {"loss",
                                          stopping_name(watch, has_valid ? "valid" : "held-out")};
  const std::vector<double> values = {result.epochs.back().loss, result.epochs.back().metric};
  return watch.goes_on(
      {.training = {}, .round = result.epochs.size(), .names = names, .metrics = values});
}

// What the epochs have come to, and whether there is another one.
class BestTowers {
 public:
  BestTowers(const RankgamParams& params, RankgamNetwork& network, RankgamTrainer& trainer,
             const RankgamRun& run, const Context& context)
      : towers(network),
        params_(params),
        metric_name_(to_text(stop_metric(params.watch))),
        network_(network),
        trainer_(trainer),
        context_(context),
        run_(run),
        progress_(shown(context, run.log_every), "training towers", "epochs",
                  static_cast<std::uint64_t>(params.max_epochs)) {
    if (std::optional<std::string> state = load_bytes(run.checkpoints, {})) {
      StateArchive archive(*std::move(state));
      archive_state(archive);
      progress_.add(result.epochs.size());
    }
  }

  bool goes_on() const {
    const auto patience = static_cast<std::size_t>(params_.patience);
    const std::size_t num_epochs = result.epochs.size();
    if (patience > 0 && num_epochs > 0 && num_epochs >= result.best_epoch + patience) return false;
    return num_epochs < static_cast<std::size_t>(params_.max_epochs);
  }

  void note(const RankgamEpoch& epoch) {
    result.epochs.push_back(epoch);
    if (result.best_epoch == 0 || epoch.metric > result.best_metric) {
      result.best_epoch = result.epochs.size();
      result.best_metric = epoch.metric;
      towers = network_;
    }
    progress_.add(1);
    progress_.report(fmt::format("valid {} (best {} @{})", short_number(epoch.metric),
                                 short_number(result.best_metric), result.best_epoch));
    if (run_.checkpoints != nullptr && run_.checkpoints->every() > 0 &&
        result.epochs.size() % run_.checkpoints->every() == 0) {
      run_.checkpoints->save({}, state());
    }
    if (run_.log_every == 0 || result.epochs.size() % run_.log_every != 0) return;
    context_.info(fmt::format("[{}] loss: {:.6f}  valid {}: {:.6f}", result.epochs.size(),
                              epoch.loss, metric_name_, epoch.metric));
  }

  // Everything that the next epoch depends on, and what was best.
  std::string state() {
    StateArchive archive;
    archive_state(archive);
    return std::move(archive).bytes();
  }

  RankgamNetwork towers;
  RankgamResult result;

 private:
  void archive_state(StateArchive& archive) {
    archive(result.epochs, result.best_epoch, result.best_metric);
    trainer_.archive(archive);
    network_.archive(archive);
    towers.archive(archive);
  }

  // Lines of the log stand for the progress line.
  static Context shown(Context context, std::size_t log_every) {
    if (log_every > 0) context.progress_sink = nullptr;
    return context;
  }

  const RankgamParams& params_;
  std::string metric_name_;
  RankgamNetwork& network_;
  RankgamTrainer& trainer_;
  const Context& context_;
  const RankgamRun& run_;
  Progress progress_;
};

}  // namespace

void RankgamParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("first_units", first_units, "units of a tower's first layer", Range{1, 4096});
  visitor.field("second_units", second_units, "units of a tower's second layer", Range{1, 4096});
  visitor.field("dropout", dropout, "chance that a unit is left out of a batch (in 256ths)",
                Range{.low = 0, .high = 0.99});
  visitor.field("temperature", temperature,
                "temperature of ApproxNDCG: a smaller one is nearer to NDCG and less smooth",
                kPositive);
  visitor.field("learning_rate", learning_rate, "learning rate of Adagrad", kPositive);
  visitor.field("batch_queries", batch_queries, "queries per batch", Range{1, 1e9});
  visitor.field("max_epochs", max_epochs, "maximum number of passes over the queries",
                Range{1, 1e9});
  visitor.field("patience", patience,
                "stop after this many epochs without a better validation metric; 0 never stops",
                kNotNegative);
  visitor.section("advanced");
  visitor.field("momentum", momentum, "momentum of the running means of batch norm",
                Range{.low = 0, .high = 1, .open_high = true});
  visitor.field("clip", clip, "values are clipped to [-clip, clip]", kPositive);
  visitor.field("log1p", log1p, "replace values by sign(x) * log(1 + |x|)");
  visitor.field("max_bins", max_bins,
                "maximum number of cells of a curve, including the one for missing values",
                Range{3, 65535});
  visitor.field("valid_share", valid_share,
                "share of the queries that is held out when there is no validation data",
                Range{.low = 0, .high = 1, .open_low = true, .open_high = true});
  watch.visit(visitor);
}

RankgamResult train_rankgam(const Dataset& train, const Dataset* valid, const RankgamParams& params,
                            const Context& context, const RankgamRun& run) {
  check_input(train, valid, params);
  stop_metric(params.watch);  // complains of what it does not know
  const Parts parts = split(train, valid, params, context.seed);
  const ValueTransform transform{.clip = static_cast<float>(params.clip), .log1p = params.log1p};
  const FeatureColumns columns(train, transform, context);
  const FeatureColumns valid_columns(parts.valid, transform, context);
  RankgamNetwork network(train.num_features(),
                         {.first = static_cast<std::size_t>(params.first_units),
                          .second = static_cast<std::size_t>(params.second_units),
                          .dropout = params.dropout},
                         context.seed);
  RankgamTrainer trainer(parts.train, columns, network, params);
  BestTowers best(params, network, trainer, run, context);
  // An epoch that is cut short leaves the network halfway, so the state is kept before each.
  std::string state;
  try {
    while (best.goes_on()) {
      if (run.checkpoints != nullptr) state = best.state();
      const double loss = trainer.train_epoch(best.result.epochs.size(), context);
      const std::vector<double> scores = network.score(valid_columns, context);
      check_finite(scores, best.result.epochs.size());
      best.note({.loss = loss, .metric = metric_of(parts.valid, scores, params.watch, context)});
      if (!call_back(params.watch, valid != nullptr, best.result)) break;
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted || best.result.epochs.empty()) throw;
    best.result.is_interrupted = true;
  }
  if (run.checkpoints != nullptr) {
    const bool is_interrupted = best.result.is_interrupted;
    run.checkpoints->save_end({}, is_interrupted ? state : best.state(), is_interrupted);
  }
  RankgamResult result = std::move(best.result);
  const Context finishing = context.finishing();
  result.gam = tables_of(train, columns, best.towers, params, finishing);
  std::vector<double> scores;
  for (std::size_t r = 0; r < parts.valid.num_rows(); ++r) {
    scores.push_back(result.gam.score(parts.valid.row(r)));
  }
  result.table_metric = metric_of(parts.valid, scores, params.watch, finishing);
  return result;
}

}  // namespace glassrank
