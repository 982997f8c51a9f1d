#include "cli/train/train_model_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "cli/clean_table.h"
#include "glassrank/base/json.h"

namespace glassrank::cli {
namespace {

const IlmartBags* bags_in(const LambdamartResult& result) {
  return result.ilmart && result.ilmart->bags ? &*result.ilmart->bags : nullptr;
}

// The metric that stopped the bags, mean over them; NaN where nothing did.
double mean_held_out(const IlmartBags& bags) {
  double sum = 0;
  for (const IlmartBag& bag : bags.reports) sum += bag.metric;
  return sum / static_cast<double>(bags.reports.size());
}

// Every metric after the last round kept; of the mean model with bags.
std::vector<NamedValue> best_values(const LambdamartResult& result) {
  std::vector<NamedValue> values;
  if (const IlmartBags* bags = bags_in(result)) {
    for (const auto& [name, value] : bags->metrics) values.push_back({name, value});
    return values;
  }
  if (result.best_round == 0) return values;
  for (std::size_t m = 0; m < result.curve_names.size(); ++m) {
    values.push_back({result.curve_names[m], result.curve[result.best_round - 1][m]});
  }
  return values;
}

// Main effects and pairs of an ILMART model, by number.
struct GlassCounts {
  std::size_t features = 0;
  std::size_t main_trees = 0;
  std::size_t pair_trees = 0;
};

GlassCounts glass_counts(const LambdamartResult& result) {
  const std::size_t main_trees = result.ilmart->main_effects.trees().size();
  return {.features = features_of(result.ilmart->main_effects.trees()).size(),
          .main_trees = main_trees,
          .pair_trees = result.forest.trees().size() - main_trees};
}

Json bags_json(const IlmartBags& bags) {
  Json json = Json::array();
  for (const IlmartBag& bag : bags.reports) {
    json.push_back({{"rows", bag.num_rows},
                    {"held_out_rows", bag.num_held_out_rows},
                    {"rounds", bag.num_rounds},
                    {"main_trees", bag.main_trees},
                    {"pair_trees", bag.pair_trees},
                    {"metric", std::isnan(bag.metric) ? Json() : Json(bag.metric)}});
  }
  return json;
}

void add_ilmart(Json& json, const LambdamartResult& result, const BinnedDataset& train) {
  const IlmartSteps& steps = *result.ilmart;
  const GlassCounts counts = glass_counts(result);
  json["main_effects"] = counts.features;
  json["main_trees"] = counts.main_trees;
  json["main_rounds"] = steps.main_rounds;
  if (!std::isnan(steps.main_metric)) json["main_metric"] = steps.main_metric;
  json["interaction_rounds"] = steps.interaction_rounds;
  Json pairs = Json::array();
  for (const RankedPair& pair : steps.selected) {
    const bool is_used = std::ranges::binary_search(steps.used, std::pair(pair.first, pair.second));
    pairs.push_back(
        {{"features", {train.feature_names()[pair.first], train.feature_names()[pair.second]}},
         {"statistic", pair.gain},
         {"used", is_used}});
  }
  json["pairs"] = std::move(pairs);
  if (steps.bags) json["bags"] = bags_json(*steps.bags);
}

// "8 bags of 120 to 260 trees; held-out ndcg@10 0.781234, mean over bags".
void print_bags(const TrainOptions& options, const IlmartBags& bags, Output& output) {
  std::vector<std::size_t> sizes;
  for (const Forest& forest : bags.forests) sizes.push_back(forest.trees().size());
  const auto [low, high] = std::ranges::minmax(sizes);
  fmt::print(output.out, "{} bag{} of {}", sizes.size(), sizes.size() == 1 ? "" : "s", low);
  if (low != high) fmt::print(output.out, " to {}", high);
  fmt::print(output.out, " trees");
  const double held_out = mean_held_out(bags);
  if (options.ilmart.stop_on == StopOn::kBag && !std::isnan(held_out)) {
    fmt::print(output.out, "; {} {:.6f}", stopping_name(options.params, "held-out"), held_out);
    if (sizes.size() > 1) fmt::print(output.out, ", mean over bags");
  }
  fmt::print(output.out, "\n");
}

void print_ilmart(const LambdamartResult& result, const BinnedDataset& train, Output& output) {
  const IlmartSteps& steps = *result.ilmart;
  const GlassCounts counts = glass_counts(result);
  fmt::print(output.out, "{} main effects in {} trees", counts.features, counts.main_trees);
  if (!steps.selected.empty()) {
    fmt::print(output.out, ", {} of {} pairs in {} trees", steps.used.size(), steps.selected.size(),
               counts.pair_trees);
  }
  fmt::print(output.out, "\n");
  constexpr std::size_t kShown = 5;
  std::vector<std::string> names;
  for (const RankedPair& pair : steps.selected) {
    if (names.size() == kShown) break;
    names.push_back(fmt::format("{} x {}", train.feature_names()[pair.first],
                                train.feature_names()[pair.second]));
  }
  if (!names.empty()) fmt::print(output.out, "first pairs: {}\n", fmt::join(names, ", "));
}

}  // namespace

std::string end_text(const LambdamartResult& result) {
  switch (result.end) {
    case BoostingEnd::kStoppedByObserver:
      return fmt::format("stopped early after {} rounds", result.num_rounds);
    case BoostingEnd::kNoSplitLeft:
      return fmt::format("no split left after {} rounds", result.num_rounds);
    case BoostingEnd::kInterrupted:
      return fmt::format("stopped after {} rounds", result.num_rounds);
    case BoostingEnd::kAllRounds:
      break;
  }
  return fmt::format("{} rounds", result.num_rounds);
}

std::string kept_text(const LambdamartResult& result, const TrainOptions& options) {
  std::string trees = fmt::format("{} trees", result.forest.trees().size());
  const IlmartBags* bags = bags_in(result);
  if (bags == nullptr) return trees;
  return fmt::format("{} of {} of {} bags", trees, bags->reports.size(), options.ilmart.outer_bags);
}

std::string curve_text(const LambdamartResult& result) {
  const IlmartBags* bags = bags_in(result);
  const std::vector<BagRound> places =
      bags == nullptr ? std::vector<BagRound>{} : bag_rounds(*bags);
  std::string text = bags == nullptr ? "round" : "bag\tround";
  for (const std::string& name : result.curve_names) text += fmt::format("\t{}", name);
  text += '\n';
  for (std::size_t round = 0; round < result.curve.size(); ++round) {
    text += bags == nullptr ? fmt::format("{}", round + 1)
                            : fmt::format("{}\t{}", places[round].bag, places[round].round);
    for (const double value : result.curve[round]) text += fmt::format("\t{}", value);
    text += '\n';
  }
  return text;
}

void print_json(const TrainOptions& options, const TrainedModel& trained, Output& output) {
  const CleanedResult& cleaned = trained.cleaned;
  const LambdamartResult& result = cleaned.result;
  Json json = {{"model", options.out},
               {"trees", result.forest.trees().size()},
               {"rounds", result.num_rounds},
               {"best_round", result.best_round},
               {"end", end_text(result)}};
  if (options.has_clean()) {
    json["cleaning"] = cleaned.cleaning.summary;
    json["dropped"] = cleaned.cleaning.dropped.size();
  }
  if (!cleaned.grid.empty()) {
    json["grid"] = grid_json(cleaned, trained.train.num_rows(), stopping_name(options.params));
  }
  if (result.ilmart) add_ilmart(json, result, trained.train);
  const MeanCost cost = mean_cost(result.costs);
  if (cost.num_rounds > 0) {
    json["row_share"] = cost.row_share;
    json["ms_per_tree"] = 1e3 * cost.seconds;
  }
  for (const NamedValue& value : best_values(result)) json[value.name] = value.value;
  for (const NamedValue& value : trained.test) json[value.name] = value.value;
  output.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_text(const TrainOptions& options, const TrainedModel& trained, Output& output) {
  const CleanedResult& cleaned = trained.cleaned;
  const LambdamartResult& result = cleaned.result;
  if (!cleaned.grid.empty()) {
    output.out << grid_text(cleaned, trained.train.num_rows(), stopping_name(options.params));
  }
  if (options.has_clean()) fmt::print(output.out, "{}\n", cleaned.cleaning.summary);
  fmt::print(output.out, "{} trees kept, {}: {}\n", result.forest.trees().size(), end_text(result),
             options.out);
  if (result.ilmart) print_ilmart(result, trained.train, output);
  const std::vector<NamedValue> best = best_values(result);
  const bool is_chosen = !options.valid.empty() && options.params.patience > 0;
  if (const IlmartBags* bags = bags_in(result)) {
    print_bags(options, *bags, output);
  } else if (is_chosen) {
    fmt::print(output.out, "best round {}\n", result.best_round);
  }
  const MeanCost cost = mean_cost(result.costs);
  if (options.params.sample.method != SampleMethod::kNone && cost.num_rounds > 0) {
    fmt::print(output.out, "trees saw {:.2f} % of the rows and took {:.1f} ms each\n",
               100 * cost.row_share, 1e3 * cost.seconds);
  }
  for (const NamedValue& value : best) {
    fmt::print(output.out, "{} {:.6f}\n", value.name, value.value);
  }
  for (const NamedValue& value : trained.test) {
    fmt::print(output.out, "{} {:.6f}\n", value.name, value.value);
  }
}

}  // namespace glassrank::cli
