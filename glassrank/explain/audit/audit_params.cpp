#include "glassrank/explain/audit/audit_params.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

const std::vector<Measure>& ranking_measures() {
  static const std::vector<Measure> measures = {
      {.name = "validity",
       .doc = "tau between the ranking and that with only the k features known"},
      {.name = "completeness",
       .doc = "tau between the ranking and that without the k features",
       .higher_is_better = false},
      {.name = "preservation",
       .doc = "as validity, mean over background rows that stand in for what is not known"},
      {.name = "deletion",
       .doc = "as completeness, mean over background rows",
       .higher_is_better = false},
      {.name = "stability", .doc = "share of the k features that come again with another seed"},
      {.name = "additivity_residual",
       .doc = "what attributions miss, as a share of the largest",
       .higher_is_better = false},
      {.name = "error_share",
       .doc = "largest standard error, as a share of the largest attribution",
       .higher_is_better = false},
      {.name = "fit", .doc = "share of the variance of its samples that a fitted line explains"},
      {.name = "reliability", .doc = "the least of what an explanation's own audit measures"},
  };
  return measures;
}

std::string doc_of(std::string_view kind, const std::string& truth) {
  if (kind == "auc") return fmt::format("top-k AUC against {}", truth);
  if (kind == "spearman") return fmt::format("rank correlation with {}", truth);
  return fmt::format("1 / (1 + distance) from {}", truth);
}

}  // namespace

void SimilarityParams::visit(ParamVisitor& visitor) {
  visitor.field("zeros", zeros,
                "places among the k most important features for which only zeros are left: empty, "
                "or filled by feature number, as in the decision-path paper");
  visitor.field("signs", signs,
                "rank correlation of signed values, or of their amounts; auto takes signed values "
                "unless the truth has no signs (frequency)");
  visitor.field(
      "distance", distance,
      "distance of raw values, as in the decision-path paper, or of values scaled to length 1");
}

void AuditParams::visit(ParamVisitor& visitor) {
  visitor.section("audit");
  visitor.field("k", k, "number of features that every explanation names", Range{.low = 1});
  visitor.field("sizes", sizes,
                "also measure validity and top-k AUC with these numbers of features",
                Range{.low = 1});
  visitor.field("queries", queries, "number of queries to audit, drawn at random; 0 for all",
                kNotNegative);
  visitor.field("documents", documents,
                "number of first documents of each ranking to compare with the truth; 0 for all",
                kNotNegative);
  visitor.field("seeds", seeds, "number of times to explain with an explainer that is random",
                Range{.low = 1, .high = 1000});
  auditor.visit(visitor);
  visitor.section("advanced");
  visitor.field(
      "background_rows", background_rows,
      "background rows used to measure preservation and deletion; 0 does not measure them",
      kNotNegative);
  visitor.group("similarity", similarity);
  visitor.group("compare", compare);
}

void AuditParams::check(std::size_t num_features) const {
  check_params(*this);
  for (const double size : sizes) {
    if (size == std::floor(size)) continue;
    fail(ErrorKind::kUsage, "sizes: {} is not a whole number of features", size);
  }
  if (most_features() > num_features) {
    fail(ErrorKind::kUsage, "{} features cannot be named; the ranker has {}", most_features(),
         num_features);
  }
}

std::size_t AuditParams::most_features() const {
  double most = k;
  for (const double size : sizes) most = std::max(most, size);
  return static_cast<std::size_t>(most);
}

std::string at_size(std::string_view measure, std::size_t size) {
  return fmt::format("{}@{}", measure, size);
}

std::vector<Measure> audit_measures(const AuditParams& params,
                                    std::span<const std::string> truths) {
  std::vector<Measure> measures;
  for (const Measure& measure : ranking_measures()) {
    const bool needs_background = measure.name == "preservation" || measure.name == "deletion";
    if (params.background_rows > 0 || !needs_background) measures.push_back(measure);
  }
  for (const std::string& truth : truths) {
    for (const std::string_view kind : kTruthMeasures) {
      measures.push_back({.name = fmt::format("{}_{}", truth, kind),
                          .doc = doc_of(kind, truth),
                          .is_of_documents = true});
    }
  }
  for (const double number : params.sizes) {
    const auto size = static_cast<std::size_t>(number);
    measures.push_back({.name = at_size("validity", size),
                        .doc = fmt::format("validity of the first {} features", size)});
    measures.push_back({.name = at_size("completeness", size),
                        .doc = fmt::format("completeness of the first {} features", size),
                        .higher_is_better = false});
    for (const std::string& truth : truths) {
      measures.push_back({.name = at_size(truth + "_auc", size),
                          .doc = fmt::format("top-{} AUC against {}", size, truth),
                          .is_of_documents = true});
    }
  }
  return measures;
}

}  // namespace glassrank
