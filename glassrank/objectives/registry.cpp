// To add an objective:
// 1. write objectives/<name>.h and .cpp: the formula in the header, gradients() pure per query;
// 2. if it has parameters, give it a struct with visit(), a member of ObjectiveParams, and a line
// in
//    its visit() below; their docs begin with the names of the objectives they concern;
// 3. list it below, and in objective_uses() with the parameters it looks at; add the files to
// CMakeLists.txt;
// 4. test it: a hand-computed example, finite differences of its loss, a slow oracle, and the live
//    peer in tests/compat/test_objective_parity.py;
// 5. describe it in docs/methods/objectives.md; run tools/generate_reference.py.
#include "glassrank/objectives/registry.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/objectives/listnet.h"
#include "glassrank/objectives/logistic.h"
#include "glassrank/objectives/pairwise.h"
#include "glassrank/objectives/rank_xendcg.h"
#include "glassrank/objectives/squared_error.h"

namespace glassrank {

namespace {

// What XGBoost calls an objective of ours.
std::string_view hint_of_xgboost(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kHints[] = {
      {"rank:ndcg", "XGBoost's is objective lambdarank with target ndcg here"},
      {"rank:map", "XGBoost's is objective lambdarank with target map here"},
      {"rank:pairwise", "XGBoost's is objective pairwise here"},
      {"reg:squarederror", "XGBoost's is objective squared_error here"},
      {"binary:logistic", "XGBoost's is objective logistic here"},
      {"binary:logitraw", "XGBoost's is objective logistic here"}};
  for (const auto& [theirs, hint] : kHints) {
    if (name == theirs) return hint;
  }
  return {};
}

}  // namespace

void ObjectiveParams::visit(ParamVisitor& visitor) {
  visitor.section("training");
  std::vector<std::string> names = names_in(objective_table());
  if (own) names.push_back(own->name);
  visitor.field("objective", objective, "what training minimises (glassrank list objectives)",
                std::move(names), ParamStyle{.hint = hint_of_xgboost});
  lambdarank.visit(visitor);
  peer.visit(visitor);
}

std::span<const ParamUse> objective_uses() {
  static const std::vector<ParamUse> uses = {
      {"norm", "objective", {"lambdarank", "peer", "pairwise"}},
      {"pair_truncation", "objective", {"lambdarank", "peer", "pairwise"}},
      {"ideal_truncation", "objective", {"lambdarank", "peer"}},
      {"ideal_truncation", "target", {"ndcg"}},
      {"sigma", "objective", {"lambdarank", "peer", "pairwise"}},
      {"target", "objective", {"lambdarank", "peer"}},
      {"peer_alpha", "objective", {"peer"}}};
  return uses;
}

std::span<const ObjectiveInfo> objective_table() {
  using Made = std::unique_ptr<Objective>;
  static const ObjectiveInfo table[] = {
      {"lambdarank", "pairs weighed by what exchanging them changes in a metric (see target)",
       [](const ObjectiveParams& params, std::uint64_t) -> Made {
         return std::make_unique<Lambdarank>(params.lambdarank);
       }},
      {"rank_xendcg", "cross-entropy of the list against randomised gains; bounds NDCG",
       [](const ObjectiveParams&, std::uint64_t seed) -> Made {
         return std::make_unique<RankXendcg>(seed);
       }},
      {"pairwise", "logistic loss of every pair in the wrong order (RankNet)",
       [](const ObjectiveParams& params, std::uint64_t) -> Made {
         return std::make_unique<Pairwise>(
             PairwiseParams{.norm = params.lambdarank.norm,
                            .pair_truncation = params.lambdarank.pair_truncation,
                            .sigma = params.lambdarank.sigma});
       }},
      {"peer", "lambdarank less what random grades would teach; for noisy grades (see peer_alpha)",
       [](const ObjectiveParams& params, std::uint64_t seed) -> Made {
         return std::make_unique<Peer>(params.peer, params.lambdarank, seed);
       }},
      {"listnet", "cross-entropy of the softmax of the grades and that of the scores",
       [](const ObjectiveParams&, std::uint64_t) -> Made { return std::make_unique<Listnet>(); }},
      {"squared_error", "squared difference of score and grade, whatever the query (MART)",
       [](const ObjectiveParams&, std::uint64_t) -> Made {
         return std::make_unique<SquaredError>();
       },
       /*compares_documents=*/false, /*is_least_squares=*/true},
      {"logistic", "logistic loss of grades between 0 and 1, whatever the query",
       [](const ObjectiveParams&, std::uint64_t) -> Made { return std::make_unique<Logistic>(); },
       /*compares_documents=*/false},
  };
  return table;
}

std::vector<std::string_view> names_beside_least_squares(const ObjectiveParams& params) {
  std::vector<std::string_view> names;
  for (const ObjectiveInfo& info : objective_table()) {
    if (!info.is_least_squares) names.push_back(info.name);
  }
  if (params.own) names.push_back(params.own->name);
  return names;
}

const ObjectiveInfo* find_objective(const ObjectiveParams& params) {
  if (params.own && params.objective == params.own->name) return nullptr;
  const auto found = std::ranges::find(objective_table(), params.objective, &ObjectiveInfo::name);
  return found == objective_table().end() ? nullptr : &*found;
}

std::unique_ptr<Objective> make_objective(const ObjectiveParams& params, std::uint64_t seed) {
  check_params(params);
  if (params.own && params.objective == params.own->name) return params.own->make();
  if (const ObjectiveInfo* info = find_objective(params)) return info->make(params, seed);
  throw Error(ErrorKind::kUsage,
              unknown_name_message("objective", params.objective, names_in(objective_table())));
}

}  // namespace glassrank
