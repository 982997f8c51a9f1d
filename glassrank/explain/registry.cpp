#include "glassrank/explain/registry.h"

#include <algorithm>
#include <string>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/shapley/kernel_shap.h"
#include "glassrank/explain/shapley/ranking_shap.h"
#include "glassrank/explain/tree_shap/decision_path_explainer.h"
#include "glassrank/explain/tree_shap/tree_shap_explainer.h"

namespace glassrank {
namespace {

template <typename E>
std::unique_ptr<Explainer> make() {
  return std::make_unique<E>();
}

}  // namespace

// To add an explainer: explainer.h.
std::span<const ExplainerInfo> explainer_table() {
  static constexpr ExplainerInfo kTable[] = {
      {"tree-shap",
       "what each feature adds to a document's score: exact Shapley values of forests, additive "
       "and "
       "linear models",
       [] { return make_tree_shap({}); }},
      {"kernel-shap",
       "what each feature adds to a document's score: Shapley values by sampling, for any ranker",
       make<KernelShap>},
      {"ranking-shap",
       "what each feature adds to the order of a ranking, a document's rank or a pair: Shapley "
       "values of the order, not of scores",
       make<RankingShap>},
      {"decision-path", "what the decisions on a document's way through the trees did to its score",
       [] { return make_decision_path({}); }},
  };
  return kTable;
}

std::unique_ptr<Explainer> make_explainer(std::string_view name) {
  const auto found = std::ranges::find(explainer_table(), name, &ExplainerInfo::name);
  if (found != explainer_table().end()) return found->make();
  std::vector<std::string> known;
  for (const ExplainerInfo& info : explainer_table()) known.emplace_back(info.name);
  throw Error(ErrorKind::kUsage, unknown_name_message("explainer", std::string(name), known));
}

}  // namespace glassrank
