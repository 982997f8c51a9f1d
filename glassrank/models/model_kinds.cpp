// What the library answers by the kind of a model. A kind without a faster way of its own comes
// under the last case everywhere.

#include "glassrank/models/model_kinds.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/gam_forest.h"
#include "glassrank/models/gam/gam_scorer.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/io/xgboost_json.h"
#include "glassrank/models/linear/linear_steps.h"
#include "glassrank/models/row_scorer.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

using ScorerPointer = std::unique_ptr<const Scorer>;

template <typename Wanted, typename Body>
[[noreturn]] Wanted fail_as(const Body& /*body*/) {
  fail(ErrorKind::kInput,
       "a {} cannot be written as {}: its scores change everywhere, not in steps", Body::kKind,
       Wanted::kParts);
}

}  // namespace

ScorerPointer make_scorer(const Model& model) {
  return match(
      model,
      [](const Forest& forest) -> ScorerPointer { return std::make_unique<ForestScorer>(forest); },
      [](const Gam& gam) -> ScorerPointer { return std::make_unique<GamScorer>(gam); },
      []<typename Body>(const Body& body) -> ScorerPointer {
        return std::make_unique<RowScorer<Body>>(body);
      });
}

Forest as_forest(const Model& model) {
  return match(
      model, [](const Forest& forest) { return forest; },
      [](const Gam& gam) { return to_forest(gam); },
      [](const auto& other) { return fail_as<Forest>(other); });
}

Gam as_gam(const Model& model, const Dataset* data, const Context& context) {
  return match(
      model, [](const Forest& forest) { return distil(forest); },
      [](const Gam& gam) { return gam; },
      [&](const Linear& linear) {
        if (data == nullptr) {
          fail(ErrorKind::kUsage,
               "the lines of a linear model become tables by the values of some data, and none are "
               "given: edit and inspect --plots take --data");
        }
        return linear_steps(linear, *data, context);
      },
      [](const auto& other) { return fail_as<Gam>(other); });
}

Gam as_gam(const std::string& file, const Model& model, const Dataset* data,
           const Context& context) {
  try {
    return as_gam(model, data, context);
  } catch (Error& error) {
    error.add_context(file);
    throw;
  }
}

Verification verify(const Model& model) {
  return match(model, [](const auto& body) { return verify(body); });
}

std::vector<VerifiedDirection> verify_directions(const Model& model) {
  return match(
      model, [](const Forest& forest) { return verify_directions(distil(forest)); },
      [](const Gam& gam) { return verify_directions(gam); },
      [](const Linear& linear) { return verify_directions(linear); },
      [](const auto& other) { return verify_directions(fail_as<Gam>(other)); });
}

namespace {

ForestParts parts_of(const Forest& forest) {
  return {.trees = {forest.trees().begin(), forest.trees().end()},
          .num_features = forest.num_features(),
          .feature_names = {forest.feature_names().begin(), forest.feature_names().end()},
          .base_score = forest.base_score(),
          .objective = forest.objective(),
          .categories = forest.categories()};
}

Forest known_forest(const Forest& forest) {
  ForestParts parts = parts_of(forest);
  for (Tree& tree : parts.trees) {
    for (TreeNode& node : tree.nodes) {
      if (node.asks_category()) {
        node.missing_left = node.categories.contains(0);
        continue;
      }
      // Where zero counts as missing the two go the same way already.
      if (!node.zero_is_missing) node.missing_left = 0.0F <= node.threshold;
    }
  }
  return Forest(std::move(parts));
}

// Copies what a value of 0 gets to what a missing one gets, along every axis.
Gam known_gam(const Gam& gam) {
  GamParts parts = gam.parts();
  for (GamEffect& effect : parts.effects) {
    for (std::size_t a = 0; a < effect.axes.size(); ++a) {
      const GamAxis& axis = effect.axes[a];
      const std::size_t stride = a + 1 == effect.axes.size() ? 1 : effect.axes.back().num_cells();
      for (std::size_t c = 0; c < effect.values.size(); ++c) {
        if (c / stride % axis.num_cells() != axis.missing_cell()) continue;
        const std::size_t zero = c - (axis.missing_cell() - axis.cell(0)) * stride;
        effect.values[c] = effect.values[zero];
        if (!effect.errors.empty()) effect.errors[c] = effect.errors[zero];
      }
    }
  }
  return Gam(std::move(parts));
}

// The features of every node or axis, one on or back.
void shift_features(ForestParts& parts, int by) {
  for (Tree& tree : parts.trees) {
    for (TreeNode& node : tree.nodes) node.feature += static_cast<std::uint32_t>(by);
  }
}
void shift_features(GamParts& parts, int by) {
  for (GamEffect& effect : parts.effects) {
    for (GamAxis& axis : effect.axes) axis.feature += static_cast<std::uint32_t>(by);
  }
}

template <typename Body, typename Parts>
Body shifted(Parts parts, int by) {
  shift_features(parts, by);
  parts.num_features += static_cast<std::size_t>(by);
  if (!parts.categories.empty()) {
    CategoryNames& own = parts.categories;
    if (by > 0) {
      own.insert(own.begin(), CategoryNames::value_type());
    } else {
      own.erase(own.begin());
    }
  }
  std::vector<std::string>& names = parts.feature_names;
  // Numbers stay those of the text; other names mean nothing to who reads the text.
  const bool has_numbers = !names.empty() && names.front() == (by > 0 ? "1" : "0");
  if (!has_numbers) {
    names.clear();
  } else if (by > 0) {
    names.insert(names.begin(), "0");
  } else {
    names.erase(names.begin());
  }
  return Body(std::move(parts));
}

Model shifted(const Model& model, int by) {
  Model result{.body = Forest(), .provenance = model.provenance};
  match(
      model, [&](const Forest& forest) { result.body = shifted<Forest>(parts_of(forest), by); },
      [&](const Gam& gam) { result.body = shifted<Gam>(gam.parts(), by); },
      []<typename Body>(const Body&) {
        fail(ErrorKind::kInput, "LightGBM and XGBoost have no {}: there are no columns to count",
             Body::kKind);
      });
  // What was known of each column by its number.
  std::erase_if(result.provenance, [](const auto& line) {
    return line.first == "lightgbm.feature_infos" || line.first == "lightgbm.categorical_feature" ||
           line.first == kXgboostFirstFeature;
  });
  return result;
}

// Names that count go on counting: "1", "2", ... or "Column_0", ....
void lengthen(std::vector<std::string>& names, std::size_t count) {
  if (names.empty()) return;
  const std::string& first = names.front();
  const std::string stem = first.starts_with("Column_") ? "Column_" : "";
  const std::string_view number = std::string_view(first).substr(stem.size());
  if (number != "0" && number != "1") {
    fail(ErrorKind::kUsage,
         "the model knows its features by name, '{}' and so on; --num-features is for models that "
         "count them",
         first);
  }
  for (std::size_t i = names.size() + (number == "1" ? 1 : 0); names.size() < count; ++i) {
    names.push_back(fmt::format("{}{}", stem, i));
  }
}

template <typename Body, typename Parts>
Body widened(Parts parts, std::size_t count) {
  lengthen(parts.feature_names, count);
  parts.num_features = count;
  if (!parts.categories.empty()) parts.categories.resize(count);
  return Body(std::move(parts));
}

}  // namespace

Model with_num_features(const Model& model, std::size_t count) {
  const std::size_t own = num_features_of(model);
  if (count == own) return model;
  if (count < own) {
    fail(ErrorKind::kUsage, "the model has {} features; --num-features {} would take some away",
         own, count);
  }
  Model result = model;
  match(
      model, [&](const Forest& forest) { result.body = widened<Forest>(parts_of(forest), count); },
      [&](const Gam& gam) { result.body = widened<Gam>(gam.parts(), count); },
      [&]<typename Body>(const Body&) {
        fail(ErrorKind::kUsage, "--num-features is for trees and tables; a {} has {} features",
             Body::kKind, own);
      });
  std::erase_if(result.provenance,
                [](const auto& line) { return line.first == "lightgbm.feature_infos"; });
  return result;
}

Model with_numbers_for_names(const Model& model) {
  Model result = model;
  const auto number = [](auto parts) {
    for (std::size_t f = 0; f < parts.num_features; ++f) {
      parts.feature_names.push_back(fmt::to_string(f + 1));
    }
    return parts;
  };
  if (!feature_names_of(model).empty()) return result;
  match(
      model, [&](const Forest& forest) { result.body = Forest(number(parts_of(forest))); },
      [&](const Gam& gam) { result.body = Gam(number(gam.parts())); }, [](const auto&) {});
  return result;
}

Model missing_as_zero(const Model& model) {
  Model result = model;
  match(
      model, [&](const Forest& forest) { result.body = known_forest(forest); },
      [&](const Gam& gam) { result.body = known_gam(gam); },
      [&]<typename Body>(const Body& body) {
        auto parts = body.parts();
        parts.fills.clear();
        result.body = Body(std::move(parts));
      });
  return result;
}

bool uses_feature(const Model& model, std::uint32_t feature) {
  return match(
      model,
      [&](const Forest& forest) {
        return std::ranges::any_of(forest.trees(), [&](const Tree& tree) {
          return std::ranges::find(tree.nodes, feature, &TreeNode::feature) != tree.nodes.end();
        });
      },
      [&](const Gam& gam) {
        return std::ranges::any_of(gam.effects(), [&](const GamEffect& effect) {
          return std::ranges::find(effect.axes, feature, &GamAxis::feature) != effect.axes.end();
        });
      },
      [&](const auto& body) {
        const std::vector<std::uint32_t> used = body.used_features();
        return std::ranges::binary_search(used, feature);
      });
}

Model with_unused_first(const Model& model) { return shifted(model, 1); }

Model for_their_text(const Model& model, std::string_view format) {
  // Ids that begin with 0 are their columns already.
  const std::span<const std::string> names = feature_names_of(model);
  const bool has_zero = !names.empty() && (names.front() == "0" || names.front() == "Column_0");
  const Model counted = has_zero ? model : with_unused_first(model);
  return format.starts_with("xgboost") ? missing_as_zero(counted) : counted;
}

Model without_first(const Model& model) {
  if (num_features_of(model) == 0 || uses_feature(model, 0)) {
    fail(ErrorKind::kInput, "the model uses its first feature, so that it cannot be left out");
  }
  return shifted(model, -1);
}

}  // namespace glassrank
