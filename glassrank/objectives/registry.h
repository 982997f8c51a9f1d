#pragma once
// Every objective by name, and the parameters of all of them.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/objectives/lambdarank.h"
#include "glassrank/objectives/objective.h"
#include "glassrank/objectives/peer.h"

namespace glassrank {

// An objective that the caller brings: a function of a Python program, say. Made once per training.
struct OwnObjective {
  std::string name;
  std::function<std::unique_ptr<Objective>()> make;
};

// Parameters are flat and say which objectives they concern; the others do not look at them.
struct ObjectiveParams {
  std::string objective = "lambdarank";
  LambdarankParams lambdarank = {};  // peer's too; pairwise shares norm, pair_truncation and sigma
  PeerParams peer = {};
  // No parameter: one more objective that `objective` may name; null: none.
  std::shared_ptr<const OwnObjective> own = nullptr;

  void visit(ParamVisitor& visitor);
};

// Which objective looks at which parameter.
std::span<const ParamUse> objective_uses();

// An objective as `glassrank list objectives` shows it.
struct ObjectiveInfo {
  std::string_view name;
  std::string_view doc;
  std::unique_ptr<Objective> (*make)(const ObjectiveParams& params, std::uint64_t seed);
  // Compares documents of a query; without two different grades in one it has nothing to teach.
  bool compares_documents = true;
  bool is_least_squares = false;  // a linear model has its least value in closed form
};

// All of them, in the order in which they are listed.
std::span<const ObjectiveInfo> objective_table();

// What is known of the objective that is named; null: one of the caller's own, or none.
const ObjectiveInfo* find_objective(const ObjectiveParams& params);

// Those that are minimised in steps.
std::vector<std::string_view> names_beside_least_squares(const ObjectiveParams& params);

// Throws Error{kUsage} for an unknown name, with the nearest one, and for parameters the objective
// cannot use. `seed` is for those that draw (rank_xendcg, peer).
std::unique_ptr<Objective> make_objective(const ObjectiveParams& params, std::uint64_t seed);

}  // namespace glassrank
