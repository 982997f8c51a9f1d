#include "glassrank/boosting/booster_params.h"

#include <array>
#include <vector>

namespace glassrank {
namespace {

// Below this many rows a tree costs little, and a sample would only add noise.
constexpr std::uint64_t kRowsForSharing = 100'000;

}  // namespace

std::span<const std::pair<std::string_view, Precision>> EnumNames<Precision>::table() {
  static constexpr std::array<std::pair<std::string_view, Precision>, 2> kNames = {
      {{"fast", Precision::kFast}, {"full", Precision::kFull}}};
  return kNames;
}

std::span<const std::pair<std::string_view, ActiveRows>> EnumNames<ActiveRows>::table() {
  static constexpr std::array<std::pair<std::string_view, ActiveRows>, 3> kNames = {
      {{"auto", ActiveRows::kAuto}, {"all", ActiveRows::kAll}, {"share", ActiveRows::kSome}}};
  return kNames;
}

void BoosterParams::visit(ParamVisitor& v) {
  v.section("model");
  v.field("num_trees", num_trees, "maximum number of trees", kNotNegative,
          ParamStyle{.default_note = "1000 with validation data"});
  v.field("learning_rate", learning_rate, "factor for every leaf value", kPositive);
  v.field("num_leaves", num_leaves, "maximum number of leaves of a tree",
          Range{.low = 1, .high = 65'536});
  v.section("advanced");
  v.field("max_depth", max_depth, "maximum number of splits on the path to a leaf; 0 for no limit",
          kNotNegative);
  v.field("growth", growth, "which leaf is split next: the best one, or level by level");
  v.section("model");
  v.field("min_leaf_rows", min_leaf_rows, "minimum number of rows in a leaf", kNotNegative);
  v.section("advanced");
  v.field("min_leaf_hessian", min_leaf_hessian, "minimum sum of hessians in a leaf", kNotNegative);
  v.field("l1", l1, "L1 penalty on leaf values", kNotNegative);
  v.section("model");
  v.field("l2", l2, "L2 penalty on leaf values", kNotNegative);
  v.section("advanced");
  v.field("min_gain", min_gain, "a split must gain more than this", kNotNegative);
  v.field(
      "cat_smooth", cat_smooth,
      "categories are sorted by gradient / (hessian + this) before they are divided; a category "
      "with fewer rows than this stays with the rest",
      kNotNegative);
  v.field("cat_l2", cat_l2, "L2 penalty on splits by categories, added to l2", kNotNegative);
  v.field("max_cat_to_onehot", max_cat_to_onehot,
          "a feature with at most this many categories splits off one category at a time",
          kNotNegative);
  v.field("max_cat_threshold", max_cat_threshold,
          "maximum number of categories that a split sends to the left",
          Range{.low = 1, .high = 256});
  v.field("min_data_per_group", min_data_per_group,
          "minimum number of rows that categories must add to a split before it is tried again",
          kNotNegative);
  v.section("model");
  v.field("feature_fraction", feature_fraction, "share of the features each tree may use",
          Range{.low = 0, .high = 1, .open_low = true});
  v.section("advanced");
  v.field("precision", precision,
          "precision of histograms: fast rounds gradients to small integers, full sums doubles");
  v.field("active", active,
          "rows that precision = fast puts into histograms: all, or a share drawn by gradient; "
          "auto draws a share from 100,000 rows on");
  v.field("active_share", active_share, "share of the rows that active = share draws",
          Range{.low = 0, .high = 1, .open_low = true});
}

std::span<const std::string_view> category_params() {
  static constexpr std::array<std::string_view, 6> kNames = {
      "cat_smooth",         "cat_l2",        "max_cat_to_onehot", "max_cat_threshold",
      "min_data_per_group", "max_categories"};
  return kNames;
}

std::span<const ParamUse> booster_uses() {
  static const std::vector<ParamUse> uses = {{"active", "precision", {"fast"}},
                                             {"active_share", "precision", {"fast"}},
                                             {"active_share", "active", {"auto", "share"}}};
  return uses;
}

SplitRules split_rules(const BoosterParams& params) {
  return {.l1 = params.l1,
          .l2 = params.l2,
          .min_gain = params.min_gain,
          .min_leaf_hessian = params.min_leaf_hessian,
          .min_leaf_rows = static_cast<std::size_t>(params.min_leaf_rows),
          .categories = {.smooth = params.cat_smooth,
                         .l2 = params.cat_l2,
                         .max_one_hot = static_cast<std::size_t>(params.max_cat_to_onehot),
                         .max_set = static_cast<std::size_t>(params.max_cat_threshold),
                         .min_group_rows = static_cast<std::size_t>(params.min_data_per_group)}};
}

ActiveShare active_rows(const BoosterParams& params) {
  if (params.active == ActiveRows::kAll) return {.share = 1};
  const bool is_auto = params.active == ActiveRows::kAuto;
  return {.share = params.active_share, .from_rows = is_auto ? kRowsForSharing : 0};
}

}  // namespace glassrank
