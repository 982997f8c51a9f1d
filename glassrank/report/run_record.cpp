#include "glassrank/report/run_record.h"

#include <cmath>
#include <utility>
#include <vector>

#include "glassrank/base/json.h"

namespace glassrank {
namespace {

Json round_json(const LambdamartResult& result, std::size_t round) {
  Json json = {{"round", round + 1}, {"rows", nullptr}, {"row_share", nullptr}, {"ms", nullptr}};
  const RoundCost& cost = result.costs[round];
  if (cost.all_rows > 0) {
    json["rows"] = cost.rows;
    json["row_share"] = static_cast<double>(cost.rows) / static_cast<double>(cost.all_rows);
    json["ms"] = 1e3 * cost.seconds;
  }
  for (std::size_t m = 0; m < result.curve_names.size(); ++m) {
    const double value = result.curve[round][m];
    json[result.curve_names[m]] = std::isnan(value) ? Json() : Json(value);
  }
  return json;
}

}  // namespace

std::string run_record_json(const Provenance& run, const LambdamartResult& result,
                            std::string_view end) {
  Json settings = Json::object();
  for (const auto& [name, value] : run) settings[name] = value;
  const MeanCost cost = mean_cost(result.costs);
  const bool is_new = cost.num_rounds > 0;
  Json rounds = Json::array();
  for (std::size_t r = 0; r < result.costs.size(); ++r) rounds.push_back(round_json(result, r));
  if (result.ilmart && result.ilmart->bags) {
    const std::vector<BagRound> places = bag_rounds(*result.ilmart->bags);
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      rounds[r]["bag"] = places[r].bag;
      rounds[r]["round"] = places[r].round;
    }
  }
  Json record = {{"run", std::move(settings)},
                 {"end", std::string(end)},
                 {"trees", result.forest.trees().size()},
                 {"row_share", is_new ? Json(cost.row_share) : Json()},
                 {"ms_per_tree", is_new ? Json(1e3 * cost.seconds) : Json()},
                 {"rounds", std::move(rounds)}};
  if (result.ilmart) {
    record["main_trees"] = result.ilmart->main_effects.trees().size();
    Json pairs = Json::array();  // numbers from 1, as files count features
    for (const RankedPair& pair : result.ilmart->selected) {
      pairs.push_back({{"features", {pair.first + 1, pair.second + 1}}, {"statistic", pair.gain}});
    }
    record["pairs"] = std::move(pairs);
  }
  return record.dump(1) + "\n";
}

}  // namespace glassrank
