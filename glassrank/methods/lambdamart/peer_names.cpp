#include "glassrank/methods/lambdamart/peer_names.h"

#include <algorithm>
#include <array>

#include "glassrank/methods/lambdamart/lightgbm_table.h"

namespace glassrank {
namespace {

struct PeerRow {
  std::string_view theirs;
  std::string_view ours;
  std::string_view also = {};
  std::string_view also_value = {};
};

// LightGBM's own names of parameters that its table maps together with others.
constexpr auto kPartRows = std::to_array<PeerRow>({
    {"bagging_fraction", "sample.fraction", "sample.method", "rows"},
    {"bagging_freq", "sample.every", "sample.method", "rows"},
    {"top_rate", "sample.top", "sample.method", "goss"},
    {"other_rate", "sample.other", "sample.method", "goss"},
    {"metric", "metric"},
    {"sigmoid", "sigma"},
    {"valid", "valid"},
    {"output_model", "out"},
    {"label_column", "read.grade_column"},
    {"group_column", "read.query_column"},
    {"weight_column", "read.weight_column"},
    {"ignore_column", "read.ignore_columns"},
    {"categorical_feature", "read.categorical"},
});

// Names that LightGBM does not know. To add one: a line here.
constexpr auto kOtherRows = std::to_array<PeerRow>({
    {"lr", "learning_rate"},
    {"shrinkage", "learning_rate"},
    {"num_boosting_rounds", "num_trees"},
    {"iterations", "num_trees"},
    {"gamma", "min_gain"},
    {"min_split_loss", "min_gain"},
    {"min_samples_split", "min_split_rows"},
    {"alpha", "l1"},
    {"l2_leaf_reg", "l2"},
    {"depth", "max_depth"},
    {"rsm", "feature_fraction"},
    {"max_features", "feature_fraction"},
    {"border_count", "max_bins"},
    {"od_wait", "patience"},
    {"cat_features", "read.categorical"},
    {"thread_count", "threads"},
    {"eval_metric", "metric"},
    {"eval_set", "valid"},
    {"train_file", "train"},
    {"valid_file", "valid"},
    {"test_file", "test"},
    {"model_file", "model"},
});

PeerName peer_name(const PeerRow& row) {
  return {.ours = std::string(row.ours),
          .also = std::string(row.also),
          .also_value = std::string(row.also_value)};
}

}  // namespace

std::optional<PeerName> find_peer_name(std::string_view name) {
  if (const auto row = std::ranges::find(kOtherRows, name, &PeerRow::theirs);
      row != kOtherRows.end()) {
    return peer_name(*row);
  }
  const LightgbmRow* theirs = find_lightgbm_row(name);
  if (theirs == nullptr) return std::nullopt;
  const auto row = std::ranges::find(kPartRows, theirs->name, &PeerRow::theirs);
  if (row != kPartRows.end()) return peer_name(*row);
  if (theirs->ours.empty()) return std::nullopt;
  return PeerName{.ours = std::string(theirs->ours),
                  .zero_if_negative = theirs->rule == LightgbmRule::kZeroIfNegative};
}

}  // namespace glassrank
