#include "glassrank/explain/shapley/l1_selection.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/math/gram.h"
#include "glassrank/math/lars.h"

namespace glassrank {
namespace {

// Rows and targets times the root of their weight.
struct DoubledRows {
  DoubledRows(std::span<const WeightedCoalition> coalitions, std::size_t num_players, double gain)
      : width(num_players) {
    for (const WeightedCoalition& coalition : coalitions) {
      std::vector<double> members(width);
      double size = 0;
      for (std::size_t i = 0; i < width; ++i) {
        members[i] = (coalition.members[i] != 0) != coalition.is_complement ? 1 : 0;
        size += members[i];
      }
      const double with = std::sqrt(coalition.weight * (static_cast<double>(width) - size));
      const double without = std::sqrt(coalition.weight * size);
      add(members, 0, coalition.worth, with);
      add(members, 1, coalition.worth - gain, without);
    }
  }

  void add(const std::vector<double>& members, double less, double target, double factor) {
    for (const double member : members) rows.push_back(factor * (member - less));
    targets.push_back(factor * target);
  }
  void take_out_means() {
    const auto n = static_cast<double>(targets.size());
    double mean = 0;
    for (const double target : targets) mean += target / n;
    for (double& target : targets) target -= mean;
    for (std::size_t i = 0; i < width; ++i) {
      mean = 0;
      for (std::size_t r = 0; r < targets.size(); ++r) mean += rows[r * width + i] / n;
      for (std::size_t r = 0; r < targets.size(); ++r) rows[r * width + i] -= mean;
    }
  }

  std::size_t width;
  std::vector<double> rows;
  std::vector<double> targets;
};

std::vector<std::uint32_t> columns_used(std::span<const double> coefficients) {
  std::vector<std::uint32_t> used;
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    if (coefficients[j] != 0) used.push_back(static_cast<std::uint32_t>(j));
  }
  return used;
}

// Sum of squared residuals, from the sums of products.
double residual(const LarsSetup& setup, std::span<const double> theta, double target_square) {
  double sum = target_square;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (theta[i] == 0) continue;
    double product = 0;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      product += setup.gram[i * theta.size() + j] * theta[j];
    }
    sum += theta[i] * (product - 2 * setup.moments[i]);
  }
  return std::max(sum, 0.0);
}

std::vector<std::uint32_t> by_criterion(const LarsSetup& setup, double target_square,
                                        std::size_t num_rows, double price) {
  const LarsPath path = least_angle_path(setup);
  const std::size_t num_columns = setup.moments.size();
  const double degrees = static_cast<double>(num_rows) - static_cast<double>(num_columns) - 1;
  // Of a game that is a plain sum nothing is left; then every column that counts is worth its
  // price.
  const double variance = std::max(residual(setup, path.corners.back(), target_square) / degrees,
                                   1e-12 * target_square / static_cast<double>(num_rows));
  std::vector<std::uint32_t> best;
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& corner : path.corners) {
    std::vector<std::uint32_t> used = columns_used(corner);
    const double criterion = residual(setup, corner, target_square) / variance +
                             price * static_cast<double>(used.size());
    if (!(criterion < least)) continue;
    least = criterion;
    best = std::move(used);
  }
  return best;
}

}  // namespace

L1Reg parse_l1_reg(std::string_view text) {
  if (text == "none") return {};
  if (text == "aic") return {.kind = L1Kind::kAic};
  if (text == "bic") return {.kind = L1Kind::kBic};
  constexpr std::string_view kOpen = "num_features(";
  if (text.starts_with(kOpen) && text.ends_with(")")) {
    const std::string_view digits = text.substr(kOpen.size(), text.size() - kOpen.size() - 1);
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error == std::errc() && end == digits.data() + digits.size() && count > 0) {
      return {.kind = L1Kind::kNumFeatures, .num_features = count};
    }
  }
  fail(ErrorKind::kUsage,
       "l1_reg '{}' is not one of auto, none, aic, bic, num_features(K) with K from 1", text);
}

std::vector<std::uint32_t> select_players(std::span<const WeightedCoalition> coalitions,
                                          std::size_t num_players, double gain, const L1Reg& l1,
                                          const Context& context) {
  DoubledRows doubled(coalitions, num_players, gain);
  const std::size_t num_rows = doubled.targets.size();
  const bool by_count = l1.kind == L1Kind::kNumFeatures;
  if (!by_count) {
    if (num_rows < num_players + 2) {
      fail(ErrorKind::kUsage,
           "{} coalitions of {} features are too few to choose features by aic or bic; at least {} "
           "samples are needed",
           coalitions.size(), num_players, num_players / 2 + 2);
    }
    doubled.take_out_means();
  }
  const MatrixView<const double> rows(doubled.rows.data(), num_rows, num_players);
  const std::vector<double> ones(num_rows, 1.0);
  const std::vector<double> gram = weighted_gram(rows, ones, context);
  const std::vector<double> moments = weighted_moments(rows, ones, doubled.targets);
  LarsSetup setup{.gram = gram, .moments = moments, .lasso = !by_count};
  if (by_count) {
    setup.max_steps = l1.num_features;
    std::vector<std::uint32_t> chosen = least_angle_path(setup).active;
    std::ranges::sort(chosen);
    return chosen;
  }
  double target_square = 0;
  for (const double target : doubled.targets) target_square += target * target;
  const double price = l1.kind == L1Kind::kAic ? 2 : std::log(static_cast<double>(num_rows));
  return by_criterion(setup, target_square, num_rows, price);
}

}  // namespace glassrank
