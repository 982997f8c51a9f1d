#include "glassrank/explain/shapley/kernel_regression.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

#include "glassrank/math/constrained_least_squares.h"

namespace glassrank {
namespace {

constexpr std::size_t kMasksPerBatch = 4096;  // coalitions evaluated at a time
// A row that settles a value all alone has leverage 1: there is no regression without it.
constexpr double kLeastSlack = 1e-6;

// Rows and weights of the regression, of some of the players.
struct Design {
  Design(const CoalitionSet& set, std::span<const std::uint32_t> players)
      : num_players(players.size()) {
    rows.reserve(set.size() * num_players);
    weights.reserve(set.size());
    for (std::size_t e = 0; e < set.size(); ++e) {
      for (const std::uint32_t p : players) rows.push_back(set.row(e)[p]);
      weights.push_back(set.entries[e].weight);
    }
  }
  MatrixView<const double> view() const { return {rows.data(), weights.size(), num_players}; }

  std::size_t num_players;
  std::vector<double> rows;
  std::vector<double> weights;
};

// What each row says the sum of its members' values is.
std::vector<double> targets_of(const CoalitionSet& set, const CoalitionWorths& worths,
                               std::size_t output, const ShapleyValues& ends) {
  std::vector<double> targets(set.size());
  for (std::size_t e = 0; e < set.size(); ++e) {
    targets[e] = worths.of(e, output) - ends.base;
    if (set.entries[e].has_complement) {
      targets[e] = (targets[e] + ends.full - worths.of_complement(e, output)) / 2;
    }
  }
  return targets;
}

std::vector<double> standard_errors(const CoalitionSet& set, const Design& design,
                                    std::span<const double> influence,
                                    std::span<const double> targets,
                                    std::span<const double> values) {
  const std::size_t size = design.num_players;
  std::vector<double> variances(size);
  for (std::size_t e = 0; e < set.size(); ++e) {
    const double share = set.entries[e].sampling_share;
    if (share == 0) continue;
    const double* const row = &design.rows[e * size];
    const double* const moves = &influence[e * size];
    double rest = targets[e];
    double leverage = 0;
    for (std::size_t j = 0; j < size; ++j) {
      rest -= row[j] * values[j];
      leverage += row[j] * moves[j];
    }
    rest /= std::max(1 - leverage, kLeastSlack);
    for (std::size_t j = 0; j < size; ++j) {
      variances[j] += share * (moves[j] * rest) * (moves[j] * rest);
    }
  }
  for (double& variance : variances) variance = std::sqrt(variance);
  return variances;
}

// The regression for some of the players; all others get 0.
bool fit_players(const CoalitionSet& set, const CoalitionWorths& worths,
                 std::span<const std::uint32_t> players, std::size_t first_output,
                 std::span<ShapleyValues> outputs, const Context& context) {
  const Design design(set, players);
  const auto solver = ConstrainedLeastSquares::of(design.view(), design.weights, context);
  if (!solver) return false;
  const bool is_sampled = std::ranges::any_of(
      set.entries, [](const CoalitionSet::Entry& entry) { return entry.sampling_share > 0; });
  const std::vector<double> influence =
      is_sampled ? solver->influence(context) : std::vector<double>();
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    ShapleyValues& output = outputs[o];
    const std::vector<double> targets = targets_of(set, worths, first_output + o, output);
    const std::vector<double> values = solver->solve(targets, output.full - output.base);
    std::vector<double> errors(values.size());
    if (is_sampled) errors = standard_errors(set, design, influence, targets, values);
    std::ranges::fill(output.values, 0);
    std::ranges::fill(output.errors, 0);
    for (std::size_t j = 0; j < players.size(); ++j) {
      output.values[players[j]] = values[j];
      output.errors[players[j]] = errors[j];
    }
  }
  return true;
}

}  // namespace

void CoalitionWorths::evaluate(const CoalitionSet& set, const Context& context) {
  const std::size_t num_outputs = game_.num_outputs;
  const std::size_t width = set.num_players;
  std::vector<std::uint8_t> members;
  std::vector<double> worths;
  std::size_t begin = worths_.size() / num_outputs;
  while (begin < set.size()) {
    context.check_stop();
    const std::size_t end = std::min(set.size(), begin + kMasksPerBatch / 2);
    members.clear();
    for (std::size_t e = begin; e < end; ++e) {
      members.insert(members.end(), set.row(e), set.row(e) + width);
      if (!set.entries[e].has_complement) continue;
      for (std::size_t i = 0; i < width; ++i) members.push_back(set.row(e)[i] ^ 1);
    }
    worths.resize(members.size() / width * num_outputs);
    game_.evaluate({members.data(), members.size() / width, width}, worths);
    const double* next = worths.data();
    for (std::size_t e = begin; e < end; ++e) {
      worths_.insert(worths_.end(), next, next + num_outputs);
      next += num_outputs;
      if (set.entries[e].has_complement) {
        complements_.insert(complements_.end(), next, next + num_outputs);
        next += num_outputs;
      } else {
        complements_.insert(complements_.end(), num_outputs,
                            std::numeric_limits<double>::quiet_NaN());
      }
    }
    begin = end;
  }
}

bool fit_kernel_regression(const CoalitionSet& set, const CoalitionWorths& worths, const L1Reg& l1,
                           std::span<ShapleyValues> outputs, const Context& context) {
  if (l1.kind == L1Kind::kNone) {
    std::vector<std::uint32_t> all(set.num_players);
    std::iota(all.begin(), all.end(), 0U);
    return fit_players(set, worths, all, 0, outputs, context);
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const double gain = outputs[o].full - outputs[o].base;
    std::vector<WeightedCoalition> coalitions;
    for (std::size_t e = 0; e < set.size(); ++e) {
      const bool has_complement = set.entries[e].has_complement;
      const double weight = set.entries[e].weight / (has_complement ? 2 : 1);
      coalitions.push_back({.members = set.row(e),
                            .is_complement = false,
                            .weight = weight,
                            .worth = worths.of(e, o) - outputs[o].base});
      if (!has_complement) continue;
      coalitions.push_back({.members = set.row(e),
                            .is_complement = true,
                            .weight = weight,
                            .worth = worths.of_complement(e, o) - outputs[o].base});
    }
    const std::vector<std::uint32_t> players =
        select_players(coalitions, set.num_players, gain, l1, context);
    if (players.empty()) continue;  // nothing stands out: every value stays 0
    if (!fit_players(set, worths, players, o, outputs.subspan(o, 1), context)) return false;
  }
  return true;
}

}  // namespace glassrank
