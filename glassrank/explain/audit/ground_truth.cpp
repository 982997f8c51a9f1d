#include "glassrank/explain/audit/ground_truth.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/audit/path_depth.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/explain/tree_shap/decision_path.h"
#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/models/model.h"

namespace glassrank {
namespace {

constexpr std::size_t kBackgroundRows = 500;  // of Shapley values, as of kernel-shap

// A document at a time has nothing to share.
std::shared_ptr<const Threads> one_thread() {
  static const auto threads = std::make_shared<const Threads>(1);
  return threads;
}

const std::vector<std::string>& known_truths() {
  static const std::vector<std::string> names = {"impurity", "frequency", "shapley", "none"};
  return names;
}

void check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(known_truths(), name) != known_truths().end()) continue;
    throw Error(ErrorKind::kUsage, unknown_name_message("truth", name, known_truths()));
  }
  if (names.size() > 1 && std::ranges::find(names, "none") != names.end()) {
    fail(ErrorKind::kUsage, "truth: none goes with no other");
  }
}

std::optional<Forest> forest_of(const Subject& subject) {
  if (subject.model == nullptr) return std::nullopt;
  return match(
      *subject.model, [](const Forest& forest) { return std::optional(forest); },
      [](const auto&) { return std::optional<Forest>(); });
}

// Without trees and exact Shapley values a model shows nothing that could be taken for the truth.
std::vector<std::string> usual_truths(const Model& model) {
  using Names = std::vector<std::string>;
  return match(
      model, [](const Forest&) { return Names{"impurity", "frequency"}; },
      [&](const auto&) { return has_shap_engine(model) ? Names{"shapley"} : Names{}; });
}

bool has_cover(const Forest& forest) {
  try {
    resolve_cover(forest, Cover::kAuto);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// From anything with values(rows, values, context) of rows x features.
template <typename Engine>
TruthSource source_of(std::string name, std::shared_ptr<const Engine> engine) {
  return {.name = std::move(name),
          .importance = [engine](const ExplainedQuery& query, std::uint32_t document) {
            std::vector<double> values(engine->num_features());
            engine->values({query.rows.row(document).data(), 1, query.rows.num_columns()},
                           {values.data(), 1, values.size()}, Context{.threads = one_thread()});
            return values;
          }};
}

TruthSource path_source(const std::string& name, const Forest& forest, bool exclude_leaf) {
  const DecisionPathParams params{
      .measure = name == "impurity" ? PathMeasure::kContribution : PathMeasure::kFrequency,
      .total = PathTotal::kMean,
      .exclude_leaf = exclude_leaf};
  TruthSource source = source_of(name, std::make_shared<const DecisionPaths>(forest, params));
  source.has_signs = params.measure == PathMeasure::kContribution;
  return source;
}

TruthSource shapley_source(const Subject& subject, const Context& context) {
  if (subject.model == nullptr) {
    fail(ErrorKind::kUsage, "truth shapley: exact Shapley values need a model, not a black box");
  }
  const RowMatrix rows = sample_background(subject, kBackgroundRows, context.seed);
  return source_of(
      "shapley", std::shared_ptr<const ShapEngine>(make_shap_engine(
                     *subject.model, {.game = ShapGame::kInterventional, .background = rows.view()},
                     context)));
}

}  // namespace

void GroundTruthParams::visit(ParamVisitor& visitor) {
  visitor.field("truth", truth,
                "truth to compare documents' explanations with: impurity or frequency (of features "
                "on decision paths), shapley (exact values), or none; by default the first two for "
                "a forest, and shapley for additive and linear models",
                {.value_name = "NAMES"});
  visitor.field("exclude_leaf", exclude_leaf,
                "impurity: leave out the step to the leaf, as the decision-path paper says");
}

GroundTruth make_ground_truth(const Subject& subject, const GroundTruthParams& params,
                              const Context& context) {
  check_names(params.truth);
  std::vector<std::string> wanted = params.truth;
  const std::optional<Forest> forest = forest_of(subject);
  if (wanted.empty() && subject.model != nullptr) wanted = usual_truths(*subject.model);
  if (wanted.empty() || wanted.front() == "none") return {};
  const Forest covered = !forest || has_cover(*forest)
                             ? forest.value_or(Forest())
                             : with_cover_from(*forest, subject.background, context);
  GroundTruth truth;
  for (const std::string& name : wanted) {
    if (name == "shapley") {
      truth.sources.push_back(shapley_source(subject, context));
      continue;
    }
    if (subject.model == nullptr) {
      fail(ErrorKind::kUsage, "truth {} needs a forest; this is a black box", name);
    }
    require_forest(*subject.model, fmt::format("truth {}", name));
    truth.sources.push_back(path_source(name, covered, params.exclude_leaf));
  }
  if (forest) {
    truth.depth = [covered](const ExplainedQuery& query, std::uint32_t document) {
      return path_depth(covered, query.rows.row(document));
    };
  }
  return truth;
}

}  // namespace glassrank
