#include "glassrank/models/gam/verify_gam.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/counted.h"
#include "glassrank/base/text_columns.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxListed = 20;

using Features = std::vector<std::uint32_t>;

// Whether a table's value changes anywhere along an axis.
bool changes_along(const GamEffect& effect, std::size_t axis) {
  const std::size_t step = axis + 1 == effect.axes.size() ? 1 : effect.axes.back().num_cells();
  const std::size_t num_cells = effect.axes[axis].num_cells();
  for (std::size_t c = 0; c < effect.values.size(); ++c) {
    const std::size_t along = c / step % num_cells;
    if (effect.values[c] != effect.values[c - along * step]) return true;
  }
  return false;
}

// Effects by size and features, with their trees.
using Effects = std::map<std::pair<std::size_t, Features>, std::size_t>;

Effects effects_of(const Gam& gam, Verification& result) {
  Effects effects;
  for (const GamEffect& effect : gam.effects()) {
    Features all;
    Features features;
    for (std::size_t a = 0; a < effect.axes.size(); ++a) {
      all.push_back(effect.axes[a].feature);
      if (changes_along(effect, a)) features.push_back(all.back());
    }
    if (features.empty()) result.constant.push_back(all);
    if (!features.empty()) effects[{features.size(), features}] = 1;
  }
  return effects;
}

Effects effects_of(const Forest& forest, Verification& result) {
  Effects effects;
  const std::span<const Tree> trees = forest.trees();
  result.is_forest = true;
  result.num_trees = trees.size();
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Features features = features_of(trees[t]);
    if (features.empty()) continue;
    if (features.size() > 2) result.large_trees.push_back({t, features});
    ++effects[{features.size(), features}];
  }
  return effects;
}

template <typename Body>
Verification verify_body(const Body& body) {
  Verification result;
  result.num_features = body.num_features();
  const Effects effects = effects_of(body, result);
  std::vector<bool> used(result.num_features, false);
  for (const auto& [key, num_trees] : effects) {
    const Features& features = key.second;
    for (const std::uint32_t f : features) used[f] = true;
    if (features.size() > 2) continue;
    result.effects.push_back({features, num_trees});
    if (features.size() < 2) continue;
    Verification::Orphan orphan{.pair = features, .without_curve = {}};
    for (const std::uint32_t f : features) {
      if (!effects.contains({1, {f}})) orphan.without_curve.push_back(f);
    }
    if (!orphan.without_curve.empty()) result.orphans.push_back(std::move(orphan));
  }
  for (std::uint32_t f = 0; f < result.num_features; ++f) {
    if (!used[f]) result.without_power.push_back(f);
  }
  return result;
}
std::string joined(const Features& features, std::span<const std::string> names,
                   std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < std::min(features.size(), kMaxListed); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : between, names[features[i]]);
  }
  if (features.size() > kMaxListed) {
    text += fmt::format(" and {} more", features.size() - kMaxListed);
  }
  return text;
}

std::string effects_text(const Verification& verification, std::span<const std::string> names) {
  TextColumns table;
  table.align_right(1);
  table.add({"effect", verification.is_forest ? "trees" : ""});
  for (const VerifiedEffect& effect : verification.effects) {
    table.add({joined(effect.features, names, " x "),
               verification.is_forest ? fmt::format("{}", effect.num_trees) : ""});
  }
  return verification.effects.empty() ? "" : table.text();
}

std::string list_of_trees(const Verification& verification, std::span<const std::string> names) {
  std::string text;
  const auto& trees = verification.large_trees;
  for (std::size_t i = 0; i < std::min(trees.size(), kMaxListed); ++i) {
    text +=
        fmt::format("  tree {} uses {}\n", trees[i].tree, joined(trees[i].features, names, ", "));
  }
  if (trees.size() > kMaxListed) text += fmt::format("  and {} more\n", trees.size() - kMaxListed);
  return text;
}

}  // namespace

Verification verify(const Forest& forest) { return verify_body(forest); }

Verification verify(const Gam& gam) { return verify_body(gam); }

std::string verification_text(const Verification& verification,
                              std::span<const std::string> names) {
  const auto is_pair = [](const VerifiedEffect& effect) { return effect.features.size() == 2; };
  const auto num_pairs =
      static_cast<std::size_t>(std::ranges::count_if(verification.effects, is_pair));
  const std::size_t num_large = verification.large_trees.size();
  std::string text;
  if (!verification.joined.empty()) {
    text += fmt::format("additive    no: {} features meet in the units of a neural network\n",
                        verification.joined.size());
  } else if (!verification.is_additive()) {
    text += fmt::format("additive    no: {} of {} trees use more than two features\n{}", num_large,
                        verification.num_trees, list_of_trees(verification, names));
  } else if (verification.is_forest) {
    text += fmt::format("additive    yes: each of the {} trees uses at most two features\n",
                        verification.num_trees);
  } else if (verification.has_lines) {
    text += "additive    yes: the model is a weighted sum of its features\n";
  } else {
    text += "additive    yes: the model is tables of one or two features\n";
  }
  text +=
      fmt::format("effects     {}, {}\n", counted(verification.effects.size() - num_pairs, "curve"),
                  counted(num_pairs, "surface"));
  if (!verification.constant.empty()) {
    std::vector<std::string> tables;
    for (const Features& features : verification.constant) {
      if (tables.size() == kMaxListed) break;
      tables.push_back(joined(features, names, " x "));
    }
    const std::size_t more = verification.constant.size() - tables.size();
    text +=
        fmt::format("constant    {} {} one value everywhere: {}{}\n", verification.constant.size(),
                    verification.constant.size() == 1 ? "table holds" : "tables hold",
                    fmt::join(tables, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  }
  if (!verification.is_additive() && verification.orphans.empty()) {
    text += "heredity    does not apply\n";
  } else if (verification.has_heredity()) {
    text += "heredity    yes: every feature of a surface has a curve\n";
  } else {
    text += "heredity    no\n";
    for (const Verification::Orphan& orphan : verification.orphans) {
      text += fmt::format("  {}: no curve of {}\n", joined(orphan.pair, names, " x "),
                          joined(orphan.without_curve, names, " and "));
    }
  }
  const Features& none = verification.without_power;
  text +=
      fmt::format("no power    {} of {} features cannot influence a score{}{}\n", none.size(),
                  verification.num_features, none.empty() ? "" : ": ", joined(none, names, ", "));
  const std::string effects = effects_text(verification, names);
  return effects.empty() ? text : fmt::format("{}\n{}", text, effects);
}

std::string_view VerifiedDirection::text() const {
  if (change.never_falls()) return "never falls";
  return change.never_rises() ? "never rises" : "falls and rises";
}

std::vector<VerifiedDirection> verify_directions(const Gam& gam) {
  std::vector<VerifiedDirection> directions;
  const Verification found = verify(gam);
  for (std::uint32_t f = 0; f < gam.num_features(); ++f) {
    if (std::ranges::binary_search(found.without_power, f)) continue;
    if (!names_of(gam.categories(), f).empty()) continue;  // categories have no direction
    directions.push_back({.feature = f, .change = monotonicity(gam, f)});
  }
  return directions;
}

std::vector<VerifiedDirection> verify_directions(const Linear& linear) {
  std::vector<VerifiedDirection> directions;
  for (const std::uint32_t f : linear.used_features()) {
    const double weight = linear.weights()[f];
    directions.push_back(
        {.feature = f,
         .change = {.largest_fall = std::max(-weight, 0.0), .largest_rise = std::max(weight, 0.0)},
         .is_line = true});
  }
  return directions;
}

std::string directions_text(std::span<const VerifiedDirection> directions,
                            std::span<const std::string> names) {
  if (directions.empty()) return "";
  TextColumns table;
  table.align_right(2);
  table.align_right(3);
  table.add({"as it grows", "the score", "falls by up to", "rises by up to"});
  const auto step = [](double size, float edge, bool is_line) {
    if (size == 0) return std::string("-");
    if (is_line) return fmt::format("{:.4g} times its growth", size);
    return fmt::format("{:.4g} at {:.6g}", size, edge);
  };
  for (const VerifiedDirection& each : directions) {
    const Monotonicity& change = each.change;
    table.add({names[each.feature], std::string(each.text()),
               step(change.largest_fall, change.fall_edge, each.is_line),
               step(change.largest_rise, change.rise_edge, each.is_line)});
  }
  return table.text();
}

}  // namespace glassrank
