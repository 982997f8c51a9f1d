#include "glassrank/explain/registry.h"

#include <algorithm>
#include <string>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/greedy/greedy_explainer.h"
#include "glassrank/explain/greedy/optimum_explainer.h"
#include "glassrank/explain/greedy/random_explainer.h"
#include "glassrank/explain/shapley/kernel_shap.h"
#include "glassrank/explain/shapley/ranking_shap.h"
#include "glassrank/explain/surrogate/local_surrogate.h"
#include "glassrank/explain/tree_shap/decision_path_explainer.h"
#include "glassrank/explain/tree_shap/tree_shap_explainer.h"

namespace glassrank {
namespace {

template <typename E>
std::unique_ptr<Explainer> make() {
  return std::make_unique<E>();
}

template <GreedyVariant kVariant>
std::unique_ptr<Explainer> make_greedy() {
  return std::make_unique<GreedyExplainer>(kVariant);
}

}  // namespace

// To add an explainer: explainer.h.
std::span<const ExplainerInfo> explainer_table() {
  static constexpr ExplainerInfo kTable[] = {
      {"tree-shap",
       "what each feature adds to a document's score: exact Shapley values, for forests, additive "
       "and linear models",
       [] { return make_tree_shap({}); }},
      {"kernel-shap",
       "what each feature adds to a document's score: Shapley values by sampling, for any ranker",
       make<KernelShap>},
      {"ranking-shap",
       "what each feature adds to the order of a ranking, a document's rank or a pair: Shapley "
       "values of the order, not of scores",
       make<RankingShap>},
      {"lirme",
       "a lasso fitted to the scores of rows around the document, its features redrawn by quartile",
       make_lirme},
      {"exs",
       "support vector regression fitted to the scores of the document with random features masked",
       make_exs},
      {"decision-path", "what the decisions on a document's way through the trees did to its score",
       [] { return make_decision_path({}); }},
      {"greedy", "the few features that alone keep the order, added one by one",
       make_greedy<GreedyVariant::kGreedy>},
      {"greedy-cover", "greedy, each feature chosen for the pairs that are not in order yet",
       make_greedy<GreedyVariant::kCover>},
      {"greedy-cover-eps", "greedy-cover, where a pair must be well in order to be left alone",
       make_greedy<GreedyVariant::kCoverEps>},
      {"optimum", "the 1, 2 or 3 features that keep the order best: every set is tried",
       make<OptimumExplainer>},
      {"random", "features drawn at random: what other sets of features must beat",
       make<RandomExplainer>},
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
