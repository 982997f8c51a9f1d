#include "glassrank/explain/tree_shap/leaf_game.h"

#include <algorithm>
#include <bit>

namespace glassrank {
namespace {

std::uint64_t all_bits(std::size_t num_features) {
  return num_features == kMaxPatternBits ? ~std::uint64_t{0}
                                         : (std::uint64_t{1} << num_features) - 1;
}

std::size_t count(std::uint64_t bits) { return static_cast<std::size_t>(std::popcount(bits)); }

template <typename Visit>
void for_each_bit(std::uint64_t bits, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

bool has_bit(std::uint64_t bits, std::size_t i) { return (bits >> i & 1) != 0; }

// The game of a wide leaf with one background row.
struct WideGame {
  std::vector<std::size_t> row_only;
  std::vector<std::size_t> background_only;
  bool plays = true;  // no feature is passed by neither

  WideGame(std::span<const std::uint8_t> row, std::span<const std::uint8_t> background) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == 0 && background[i] == 0) plays = false;
      if (row[i] == background[i]) continue;
      (row[i] != 0 ? row_only : background_only).push_back(i);
    }
  }
};

}  // namespace

LeafBackground count_patterns(std::span<const std::uint64_t> of_rows) {
  std::vector<std::uint64_t> sorted(of_rows.begin(), of_rows.end());
  std::ranges::sort(sorted);
  LeafBackground result;
  for (const std::uint64_t pattern : sorted) {
    if (result.patterns.empty() || result.patterns.back() != pattern) {
      result.patterns.push_back(pattern);
      result.counts.push_back(0);
    }
    ++result.counts.back();
  }
  return result;
}

bool LeafGame::values(std::uint64_t pattern, std::span<double> values) const {
  const std::uint64_t all = all_bits(num_features());
  const std::uint64_t failed = all & ~pattern;
  const std::size_t n = count(failed);
  double of_failed = 0;
  bool plays = false;
  for (std::size_t b = 0; b < background.patterns.size(); ++b) {
    const std::uint64_t other = background.patterns[b];
    if ((other & failed) != failed) continue;
    if (!plays) std::ranges::fill(values, 0.0);
    plays = true;
    const std::uint64_t row_only = all & ~other;
    const std::size_t a = count(row_only);
    if (n > 0) of_failed += background.counts[b] * weights.of_background(a, n);
    if (a == 0) continue;
    const double of_passed = background.counts[b] * weights.of_row(a, n);
    for_each_bit(row_only, [&](std::size_t i) { values[i] += of_passed; });
  }
  if (!plays) return false;
  for (std::size_t i = 0; i < num_features(); ++i) {
    values[i] = scale * (has_bit(failed, i) ? -of_failed : values[i]);
  }
  return true;
}

bool LeafGame::interactions(std::uint64_t pattern, std::span<double> interactions) const {
  const std::size_t d = num_features();
  const std::uint64_t all = all_bits(d);
  const std::uint64_t failed = all & ~pattern;
  const std::size_t n = count(failed);
  double both_failed = 0;
  std::vector<double> one_failed(d);
  bool plays = false;
  for (std::size_t b = 0; b < background.patterns.size(); ++b) {
    const std::uint64_t other = background.patterns[b];
    if ((other & failed) != failed) continue;
    if (!plays) std::ranges::fill(interactions, 0.0);
    plays = true;
    const double rows = background.counts[b];
    const std::uint64_t row_only = all & ~other;
    const std::size_t a = count(row_only);
    if (n >= 2) both_failed += rows * weights.of_pair(a, n - 2);
    if (n >= 1 && a >= 1) {
      const double weight = rows * weights.of_pair(a - 1, n - 1);
      for_each_bit(row_only, [&](std::size_t i) { one_failed[i] += weight; });
    }
    if (a < 2) continue;
    const double weight = rows * weights.of_pair(a - 2, n);
    for_each_bit(row_only, [&](std::size_t j) {
      const std::uint64_t below = (std::uint64_t{1} << j) - 1;
      for_each_bit(row_only & below,
                   [&](std::size_t i) { interactions[place_of_pair(i, j)] += weight; });
    });
  }
  if (!plays) return false;
  for (std::size_t j = 1; j < d; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      double& interaction = interactions[place_of_pair(i, j)];
      if (has_bit(failed, i) && has_bit(failed, j)) {
        interaction = both_failed;
      } else if (has_bit(failed, i) || has_bit(failed, j)) {
        interaction = -one_failed[has_bit(failed, i) ? j : i];
      }
      interaction *= scale;
    }
  }
  return true;
}

void LeafGame::wide_values(std::span<const std::uint8_t> passes, std::span<double> values) const {
  std::ranges::fill(values, 0.0);
  for (const std::vector<std::uint8_t>& other : background.wide) {
    const WideGame game(passes, other);
    if (!game.plays) continue;
    const std::size_t a = game.row_only.size();
    const std::size_t n = game.background_only.size();
    for (const std::size_t i : game.row_only) values[i] += scale * weights.of_row(a, n);
    for (const std::size_t i : game.background_only) {
      values[i] -= scale * weights.of_background(a, n);
    }
  }
}

void LeafGame::wide_interactions(std::span<const std::uint8_t> passes,
                                 std::span<double> interactions) const {
  std::ranges::fill(interactions, 0.0);
  for (const std::vector<std::uint8_t>& other : background.wide) {
    const WideGame game(passes, other);
    if (!game.plays) continue;
    const std::size_t a = game.row_only.size();
    const std::size_t n = game.background_only.size();
    const auto add = [&](std::size_t i, std::size_t j, double weight) {
      interactions[place_of_pair(std::min(i, j), std::max(i, j))] += scale * weight;
    };
    for (std::size_t k = 0; k < a; ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        add(game.row_only[k], game.row_only[l], weights.of_pair(a - 2, n));
      }
      for (const std::size_t i : game.background_only) {
        add(game.row_only[k], i, -weights.of_pair(a - 1, n - 1));
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        add(game.background_only[k], game.background_only[l], weights.of_pair(a, n - 2));
      }
    }
  }
}

}  // namespace glassrank
