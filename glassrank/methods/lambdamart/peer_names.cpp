#include "glassrank/methods/lambdamart/peer_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

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
    {"label_gain", "gain_table", "gain", "table"},
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

// With one dash. To add one: a line here.
struct DashRow {
  std::string_view theirs;
  std::string_view program;
  std::string_view ours;
};
constexpr auto kDashRows = std::to_array<DashRow>({
    {"-train", "RankLib", "--train"},
    {"-validate", "RankLib", "--valid"},
    {"-test", "RankLib", "--test"},
    {"-save", "RankLib", "--out"},
    {"-ranker", "RankLib", "--method"},
    {"-tree", "RankLib", "--num-trees"},
    {"-leaf", "RankLib", "--num-leaves"},
    {"-shrinkage", "RankLib", "--learning-rate"},
    {"-mls", "RankLib", "--min-leaf-rows"},
    {"-tc", "RankLib", "--max-bins"},
    {"-estop", "RankLib", "--patience"},
    {"-kcv", "RankLib", "--folds"},
    {"-metric2t", "RankLib", "--metric"},
    {"-metric2T", "RankLib", "--metric"},
    {"-load", "RankLib", "--model"},
    {"-rank", "RankLib", "--data of glassrank predict"},
    {"-score", "RankLib", "--out of glassrank predict"},
    {"-idv", "RankLib", "--per-query of glassrank evaluate"},
    {"-norm", "RankLib", "--normalise"},
    {"-m", "trec_eval", "--metric"},
    {"-l", "trec_eval", "--relevant-grade"},
});

PeerName peer_name(const PeerRow& row) {
  return {.ours = std::string(row.ours),
          .also = std::string(row.also),
          .also_value = std::string(row.also_value)};
}

}  // namespace

std::string dash_hint(std::string_view option) {
  const auto row = std::ranges::find(kDashRows, option, &DashRow::theirs);
  if (row == kDashRows.end()) return "";
  return fmt::format("{}'s {} is {} here", row->program, option, row->ours);
}

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
