#include "glassrank/explain/shapley/shapley.h"

#include <algorithm>
#include <array>

#include "glassrank/base/error.h"
#include "glassrank/explain/shapley/exact_shapley.h"
#include "glassrank/explain/shapley/kernel_regression.h"
#include "glassrank/explain/shapley/paired_coalitions.h"
#include "glassrank/explain/shapley/permutation_shapley.h"
#include "glassrank/explain/shapley/shap_coalitions.h"

namespace glassrank {
namespace {

// shap chooses features by itself when it saw less than this share of all coalitions.
constexpr double kShapAutoShare = 0.2;

// 2^M - 2, or 2^30 where that is more.
std::uint64_t num_proper_coalitions(std::size_t num_players) {
  return num_players > 30 ? std::uint64_t{1} << 30 : (std::uint64_t{1} << num_players) - 2;
}

[[noreturn]] void fail_too_few(std::uint64_t samples, std::size_t num_players,
                               std::uint64_t needed) {
  fail(ErrorKind::kUsage,
       "{} samples are too few for {} features that count; take at least {} (samples), or let few "
       "features in (mode = shap, or l1_reg = num_features(K))",
       samples, num_players, needed);
}

class Sampling {
 public:
  Sampling(const Game& game, const ShapleyParams& params, std::uint64_t samples,
           CounterRandom random, const Context& context)
      : game_(game), params_(params), samples_(samples), random_(random), context_(context) {}

  ShapleyResult paired() const {
    const L1Reg l1 = params_.l1_reg == "auto" ? L1Reg{} : parse_l1_reg(params_.l1_reg);
    const std::size_t num_players = game_.num_players;
    // A pair settles one value; one more tells an error.
    const std::uint64_t needed = 2 * (num_players + 1);
    if (l1.kind == L1Kind::kNone && samples_ < needed) {
      fail_too_few(samples_, num_players, needed);
    }
    ShapleyResult result{.outputs = evaluate_ends(game_)};
    PairedCoalitions coalitions(num_players, samples_, random_);
    CoalitionWorths worths(game_);
    // The first round has more than the sizes that are complete: they alone would seem exact.
    const std::uint64_t first =
        std::max<std::uint64_t>({256, 2 * needed, 2 * coalitions.set().num_evaluations()});
    for (std::uint64_t size = l1.kind == L1Kind::kNone ? std::min(samples_, first) : samples_;;
         size = std::min(samples_, 2 * size)) {
      coalitions.grow(size);
      worths.evaluate(coalitions.set(), context_);
      result.num_evaluated = coalitions.set().num_evaluations();
      fit(coalitions.set(), worths, l1, result);
      if (size == samples_ || is_settled(result.outputs, params_.max_error)) return result;
    }
  }

  ShapleyResult shap() const {
    const CoalitionSet set = shap_coalitions(game_.num_players, samples_, random_);
    const double share = static_cast<double>(set.num_evaluations()) /
                         static_cast<double>(num_proper_coalitions(game_.num_players));
    L1Reg l1;
    if (params_.l1_reg != "auto") {
      l1 = parse_l1_reg(params_.l1_reg);
    } else if (share < kShapAutoShare) {
      l1 = {.kind = L1Kind::kAic};
    }
    ShapleyResult result{.outputs = evaluate_ends(game_), .num_evaluated = set.num_evaluations()};
    CoalitionWorths worths(game_);
    worths.evaluate(set, context_);
    fit(set, worths, l1, result);
    return result;
  }

  ShapleyResult permutation() const {
    const std::uint64_t pair_cost = 2 * (game_.num_players - 1);
    if (samples_ < 2 * pair_cost) fail_too_few(samples_, game_.num_players, 2 * pair_cost);
    PermutationShapley orders(game_, evaluate_ends(game_), random_);
    const auto most = static_cast<std::size_t>(samples_ / pair_cost);
    ShapleyResult result;
    for (std::size_t size = std::min<std::size_t>(most, 4);; size = std::min(most, 2 * size)) {
      orders.grow(size, context_);
      result.outputs = orders.values();
      result.num_evaluated = size * pair_cost;
      if (size == most || is_settled(result.outputs, params_.max_error)) return result;
    }
  }

 private:
  void fit(const CoalitionSet& set, const CoalitionWorths& worths, const L1Reg& l1,
           ShapleyResult& result) const {
    if (fit_kernel_regression(set, worths, l1, result.outputs, context_)) return;
    fail_too_few(samples_, game_.num_players, 4 * (game_.num_players + 1));
  }

  const Game& game_;
  const ShapleyParams& params_;
  std::uint64_t samples_;
  CounterRandom random_;
  const Context& context_;
};

}  // namespace

std::span<const std::pair<std::string_view, ShapleyMode>> EnumNames<ShapleyMode>::table() {
  static constexpr std::array<std::pair<std::string_view, ShapleyMode>, 4> kNames = {
      {{"paired", ShapleyMode::kPaired},
       {"shap", ShapleyMode::kShap},
       {"permutation", ShapleyMode::kPermutation},
       {"exact", ShapleyMode::kExact}}};
  return kNames;
}

void ShapleyParams::visit(ParamVisitor& visitor) {
  visitor.field("mode", mode,
                "how coalitions are sampled: in pairs weighted by probability (paired), as shap's "
                "KernelExplainer (shap), along random orders and their reverses (permutation), or "
                "all of them (exact)");
  visitor.field(
      "samples", samples,
      "maximum number of coalitions to evaluate; 0 is 2 M + 2048 for M features that vary");
  visitor.field("max_error", max_error,
                "stop sampling when the largest standard error is below this share of the range of "
                "the attributions; 0 uses all samples",
                kShare);
  visitor.field("l1_reg", l1_reg,
                "choice of the features that get an attribution: none chooses all of them, or aic, "
                "bic, num_features(K); auto is none, but aic if mode = shap samples less than a "
                "fifth of all coalitions",
                ParamStyle{.value_name = "RULE"});
}

bool is_settled(const std::vector<ShapleyValues>& outputs, double share) {
  return std::ranges::all_of(outputs, [&](const ShapleyValues& output) {
    if (output.values.empty()) return true;
    const auto [least, most] = std::ranges::minmax(output.values);
    return std::ranges::max(output.errors) <= share * (most - least);
  });
}

ShapleyResult shapley_values(const Game& game, const ShapleyParams& params, CounterRandom random,
                             const Context& context) {
  if (params.l1_reg != "auto") parse_l1_reg(params.l1_reg);  // a wrong one is an error in any mode
  const std::size_t num_players = game.num_players;
  const std::uint64_t all = num_players < 2 ? 0 : num_proper_coalitions(num_players);
  const std::uint64_t asked = params.samples == 0 ? 2 * num_players + 2048 : params.samples;
  const bool chooses = params.l1_reg != "auto" && params.l1_reg != "none";
  // All coalitions are no more than were allowed; but where features are chosen, or as shap does
  // it, the regression decides.
  const bool is_regression = chooses || params.mode == ShapleyMode::kShap;
  if (params.mode == ShapleyMode::kExact || num_players < 2 ||
      (asked >= all && num_players <= kMaxExactPlayers && !is_regression)) {
    return {.outputs = exact_shapley(game, context),
            .num_evaluated = static_cast<std::size_t>(all),
            .is_exact = true};
  }
  const Sampling sampling(game, params, std::min(asked, all), random, context);
  switch (params.mode) {
    case ShapleyMode::kShap:
      return sampling.shap();
    case ShapleyMode::kPermutation:
      return sampling.permutation();
    default:
      return sampling.paired();
  }
}

}  // namespace glassrank
