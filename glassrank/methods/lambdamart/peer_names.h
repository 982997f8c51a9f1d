#pragma once
// What people call our parameters who come from LightGBM, XGBoost, scikit-learn or CatBoost.
//
// LightGBM's table (lightgbm_table.h) has its names and their aliases, which are scikit-learn's and
// most of XGBoost's too; here stands only what that table does not say: names of others, and
// LightGBM's names that mean a parameter of ours only together with another one.

#include <optional>
#include <string>
#include <string_view>

namespace glassrank {

struct PeerName {
  std::string ours;
  bool zero_if_negative = false;  // their "none" or "all" is -1, ours is 0
  // A parameter that must be set too for `ours` to mean anything, and its value; empty: none.
  std::string also;
  std::string also_value;
};

// Of a name with underscores; nullopt for one that nothing here answers to.
std::optional<PeerName> find_peer_name(std::string_view name);

// What an option of RankLib or trec_eval is here, with one dash: "-tree" -> "RankLib's -tree is
// --num-trees here". Empty for one that neither has.
std::string dash_hint(std::string_view option);

}  // namespace glassrank
