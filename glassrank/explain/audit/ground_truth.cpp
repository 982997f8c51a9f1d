#include "glassrank/explain/audit/ground_truth.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/audit/path_depth.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/models/model.h"

namespace glassrank {
namespace {

// Temporary.
class DecisionPaths {
 public:
  DecisionPaths(const Forest& forest, Cover cover, bool exclude_leaf)
      : forest_(forest), exclude_leaf_(exclude_leaf) {
    for (const Tree& tree : forest.trees())
      means_.push_back(node_means(tree, node_shares(tree, resolve_cover(forest, cover))));
  }
  std::vector<double> impurity(std::span<const float> row) const {
    std::vector<double> out(forest_.num_features());
    for (std::size_t t = 0; t < forest_.trees().size(); ++t) {
      const Tree& tree = forest_.trees()[t];
      if (tree.nodes.empty()) continue;
      std::int32_t at = 0;
      while (at >= 0) {
        const TreeNode& n = tree.nodes[static_cast<std::size_t>(at)];
        const std::int32_t next = goes_left(n, row[n.feature]) ? n.left : n.right;
        const double here = means_[t][static_cast<std::size_t>(at)];
        if (next >= 0) {
          out[n.feature] += means_[t][static_cast<std::size_t>(next)] - here;
        } else if (!exclude_leaf_) {
          out[n.feature] += tree.leaf_values[static_cast<std::size_t>(~next)] - here;
        }
        at = next;
      }
    }
    for (double& v : out) v /= static_cast<double>(forest_.trees().size());
    return out;
  }
  std::vector<double> frequency(std::span<const float> row) const {
    std::vector<double> out(forest_.num_features());
    for (const Tree& tree : forest_.trees()) {
      if (tree.nodes.empty()) continue;
      std::vector<std::uint32_t> fs;
      std::int32_t at = 0;
      while (at >= 0) {
        const TreeNode& n = tree.nodes[static_cast<std::size_t>(at)];
        fs.push_back(n.feature);
        at = goes_left(n, row[n.feature]) ? n.left : n.right;
      }
      for (const auto f : fs) out[f] += 1.0 / static_cast<double>(fs.size());
    }
    for (double& v : out) v /= static_cast<double>(forest_.trees().size());
    return out;
  }

 private:
  Forest forest_;
  bool exclude_leaf_;
  std::vector<std::vector<double>> means_;
};

const std::vector<std::string>& known_truths() {
  static const std::vector<std::string> names = {"impurity", "frequency", "none"};
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

bool has_cover(const Forest& forest) {
  try {
    resolve_cover(forest, Cover::kAuto);
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

void GroundTruthParams::visit(ParamVisitor& visitor) {
  visitor.field(
      "truth", truth,
      "what documents' explanations are compared with: impurity, frequency (of features on "
      "decision paths), or none; both where the model is a forest",
      {.value_name = "NAMES"});
  visitor.field("exclude_leaf", exclude_leaf,
                "impurity: leave out the step to the leaf, as the decision-path paper says");
}

GroundTruth make_ground_truth(const Subject& subject, const GroundTruthParams& params,
                              const Context& context) {
  check_names(params.truth);
  std::vector<std::string> wanted = params.truth;
  const std::optional<Forest> forest = forest_of(subject);
  if (wanted.empty() && forest) wanted = {"impurity", "frequency"};
  if (wanted.empty() || wanted.front() == "none") return {};
  if (!forest) {
    fail(ErrorKind::kUsage, "truth {}: decision paths need a forest; this ranker is {}",
         wanted.front(), subject.model == nullptr ? "a black box" : fmt::format("an {}", kind_of(*subject.model)));
  }
  const Forest covered =
      has_cover(*forest) ? *forest : with_cover_from(*forest, subject.background, context);
  const auto paths =
      std::make_shared<const DecisionPaths>(covered, Cover::kAuto, params.exclude_leaf);
  GroundTruth truth;
  for (const std::string& name : wanted) {
    const bool is_impurity = name == "impurity";
    truth.sources.push_back(
        {.name = name,
         .importance = [paths, is_impurity](const ExplainedQuery& query, std::uint32_t document) {
           const auto row = query.rows.row(document);
           return is_impurity ? paths->impurity(row) : paths->frequency(row);
         }});
  }
  truth.depth = [covered](const ExplainedQuery& query, std::uint32_t document) {
    return path_depth(covered, query.rows.row(document));
  };
  return truth;
}

}  // namespace glassrank
