#include "glassrank/models/gam/verify_report.h"

#include <utility>

#include "glassrank/models/display_names.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {

void VerifiedFeatures::visit(ResultVisitor& visitor) const {
  visitor.field("features", features, "their names");
  visitor.field("num_trees", num_trees, "of an effect of a forest: trees that use just these");
  visitor.field("tree", tree, "of a large tree: its number, from 0");
  visitor.field("without_curve", without_curve, "of an orphan: features without a curve");
}

void ReportedDirection::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("direction", direction, "never falls, never rises, falls and rises");
  visitor.field("largest_fall", largest_fall, "of the score, from a cell to the next; 0: none");
  visitor.field("fall_edge", fall_edge, "between the two cells");
  visitor.field("largest_rise", largest_rise, "of the score, from a cell to the next; 0: none");
  visitor.field("rise_edge", rise_edge, "between the two cells");
}

void VerificationReport::visit(ResultVisitor& visitor) const {
  visitor.field("model", model, "the model file");
  visitor.field("additive", is_additive, "no part of it uses three features or more");
  visitor.field("heredity", has_heredity, "both features of every surface have a curve");
  visitor.field("num_features", num_features, "features of the model");
  visitor.field("num_trees", num_trees, "trees of a forest");
  visitor.field("no_power", no_power, "features that cannot influence a score");
  visitor.list("effects", effects, "curves, then surfaces");
  visitor.list("constant", constant, "tables without effect");
  visitor.list("large_trees", large_trees, "trees with three features or more");
  visitor.list("orphans", orphans, "surfaces against heredity");
  visitor.list("directions", directions,
               "how the score changes as a feature grows; additive models");
}

VerificationReport verification_report(const std::string& model, const Verification& found,
                                       std::span<const VerifiedDirection> directions,
                                       std::span<const std::string> names) {
  const auto named = [&](std::span<const std::uint32_t> features) {
    std::vector<std::string> list;
    for (const std::uint32_t f : features) list.push_back(names[f]);
    return list;
  };
  VerificationReport report{.model = model,
                            .is_additive = found.is_additive(),
                            .has_heredity = found.has_heredity(),
                            .num_features = found.num_features,
                            .num_trees = {},
                            .no_power = named(found.without_power)};
  if (found.is_forest) report.num_trees = found.num_trees;
  for (const VerifiedEffect& effect : found.effects) {
    report.effects.push_back({.features = named(effect.features)});
    if (found.is_forest) report.effects.back().num_trees = effect.num_trees;
  }
  for (const auto& features : found.constant) {
    report.constant.push_back({.features = named(features)});
  }
  for (const auto& tree : found.large_trees) {
    report.large_trees.push_back({.features = named(tree.features)});
    report.large_trees.back().tree = tree.tree;
  }
  for (const auto& orphan : found.orphans) {
    report.orphans.push_back({.features = named(orphan.pair)});
    report.orphans.back().without_curve = named(orphan.without_curve);
  }
  for (const VerifiedDirection& each : directions) {
    const Monotonicity& change = each.change;
    ReportedDirection direction{.feature = names[each.feature],
                                .direction = std::string(each.text()),
                                .largest_fall = change.largest_fall,
                                .fall_edge = {},
                                .largest_rise = change.largest_rise,
                                .rise_edge = {}};
    if (!change.never_falls()) direction.fall_edge = change.fall_edge;
    if (!change.never_rises()) direction.rise_edge = change.rise_edge;
    report.directions.push_back(std::move(direction));
  }
  return report;
}

VerificationReport verification_report(const std::string& name, const Model& model) {
  const Verification found = verify(model);
  std::vector<VerifiedDirection> directions;
  if (found.is_additive()) directions = verify_directions(as_gam(model));
  return verification_report(name, found, directions,
                             display_names(num_features_of(model), feature_names_of(model), {}));
}

}  // namespace glassrank
