#include "glassrank/methods/rankgam.h"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/methods/check_params.h"
#include "glassrank/methods/ebm/bagged_gam.h"
#include "glassrank/methods/ebm/bags.h"
#include "glassrank/methods/ebm/term_cells.h"
#include "glassrank/methods/rankgam/network.h"
#include "glassrank/methods/rankgam/trainer.h"
#include "glassrank/methods/same_features.h"
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

double metric_of(const Dataset& data, std::span<const double> scores, const MetricSpec& metric,
                 const Context& context) {
  return evaluate(DatasetLists(data, scores), std::span(&metric, 1), Convention{}, context)
      .metrics.front()
      .mean;
}

// The mean output of the tower over the training rows of each cell.
BaggedEffect table_of(const BinnedDataset& bins, std::size_t feature, const FeatureColumns& columns,
                      const RankgamNetwork& network) {
  BaggedEffect effect = curve_effect(bins, feature);
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
  const BinnedDataset bins =
      bin_dataset(train, {.max_bins = params.max_bins - 1, .min_bin_rows = 1}, context);
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

}  // namespace

void RankgamParams::visit(ParamVisitor& visitor) {
  visitor.field("first_units", first_units, "units of a tower's first layer", Range{1, 4096});
  visitor.field("second_units", second_units, "units of its second layer", Range{1, 4096});
  visitor.field("dropout", dropout, "chance that a unit is left out of a batch (in 256ths)",
                Range{.low = 0, .high = 0.99});
  visitor.field("temperature", temperature, "of ApproxNDCG: smaller is nearer to NDCG and rougher",
                kPositive);
  visitor.field("learning_rate", learning_rate, "of Adagrad", kPositive);
  visitor.field("batch_queries", batch_queries, "queries to a batch", Range{1, 1e9});
  visitor.field("max_epochs", max_epochs, "times every query is used, at most", Range{1, 1e9});
  visitor.field("patience", patience,
                "stop after so many epochs without a better validation metric; 0 never stops",
                kNotNegative);
  visitor.field("momentum", momentum, "of the running means of batch norm",
                Range{.low = 0, .high = 1, .open_high = true});
  visitor.field("clip", clip, "values are clipped to [-clip, clip]", kPositive);
  visitor.field("log1p", log1p, "replace values by sign(x) * log(1 + |x|)");
  visitor.field("max_bins", max_bins, "cells of a curve, the one of missing values among them",
                Range{3, 65535});
  visitor.field("valid_share", valid_share,
                "share of the queries that is held out when there is no validation data",
                Range{.low = 0, .high = 1, .open_low = true, .open_high = true});
  visitor.field("metric", metric, "what stops training and chooses the best epoch");
}

RankgamResult train_rankgam(const Dataset& train, const Dataset* valid, const RankgamParams& params,
                            const Context& context) {
  check_input(train, valid, params);
  const MetricSpec metric = parse_metric(params.metric);
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
  RankgamNetwork best = network;
  RankgamResult result;
  const auto max_epochs = static_cast<std::size_t>(params.max_epochs);
  const auto patience = static_cast<std::size_t>(params.patience);
  Progress progress(context, "training towers", "epochs", max_epochs);
  while (result.epochs.size() < max_epochs) {
    const double loss = trainer.train_epoch(result.epochs.size(), context);
    const double found =
        metric_of(parts.valid, network.score(valid_columns, context), metric, context);
    result.epochs.push_back({.loss = loss, .metric = found});
    if (result.best_epoch == 0 || found > result.best_metric) {
      result.best_epoch = result.epochs.size();
      result.best_metric = found;
      best = network;
    }
    progress.add(1);
    progress.report(
        fmt::format("valid {} {:.4f}, best {:.4f}", params.metric, found, result.best_metric));
    if (patience > 0 && result.epochs.size() >= result.best_epoch + patience) break;
  }
  result.gam = tables_of(train, columns, best, params, context);
  std::vector<double> scores;
  for (std::size_t r = 0; r < parts.valid.num_rows(); ++r) {
    scores.push_back(result.gam.score(parts.valid.row(r)));
  }
  result.table_metric = metric_of(parts.valid, scores, metric, context);
  return result;
}

}  // namespace glassrank
