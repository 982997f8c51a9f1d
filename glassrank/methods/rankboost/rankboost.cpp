#include "glassrank/methods/rankboost/rankboost.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/bin_edges.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostThresholds = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kQueriesToTask = 64;
constexpr std::size_t kFeaturesToTask = 4;

}  // namespace

double find_potentials(const PairedQuery& query, std::span<double> potentials) {
  // Only differences within a query count: taken from the middle, exponents stay small.
  const auto [least, most] = std::ranges::minmax(query.votes);
  const double middle = (least + most) / 2;
  const std::size_t n = query.votes.size();
  for (std::size_t d = 0; d < n; ++d) potentials[d] = query.votes[d] - middle;
  portable_exp_all(potentials);
  // By grade: the sums of root weight * exp(vote) of worse grades, and of root weight * exp(-vote)
  // of better ones.
  std::vector<double> worse(query.num_levels + 1, 0.0);
  std::vector<double> better(query.num_levels + 1, 0.0);
  for (std::size_t d = 0; d < n; ++d) {
    worse[query.levels[d] + 1] += query.root_weights[d] * potentials[d];
    better[query.levels[d]] += query.root_weights[d] / potentials[d];
  }
  for (std::size_t l = 1; l <= query.num_levels; ++l) worse[l] += worse[l - 1];
  for (std::size_t l = query.num_levels; l-- > 0;) better[l] += better[l + 1];
  double z = 0;
  for (std::size_t d = 0; d < n; ++d) {
    const double exponential = potentials[d];
    const double won = query.root_weights[d] / exponential * worse[query.levels[d]];
    const double lost = query.root_weights[d] * exponential * better[query.levels[d] + 1];
    potentials[d] = won - lost;
    z += won;
  }
  return z;
}

PairedRows::PairedRows(const Dataset& data) {
  std::vector<float> grades;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    const auto own = data.grades().subspan(rows.begin, rows.size());
    grades.assign(own.begin(), own.end());
    std::ranges::sort(grades);
    grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
    if (grades.size() < 2) continue;
    queries_.push_back(
        {.begin = rows_.size(), .end = rows_.size() + rows.size(), .num_levels = grades.size()});
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      rows_.push_back(static_cast<std::uint32_t>(r));
      levels_.push_back(static_cast<std::uint32_t>(
          std::ranges::lower_bound(grades, data.grades()[r]) - grades.begin()));
      root_weights_.push_back(std::sqrt(data.weight(r)));
    }
  }
  votes_.assign(rows_.size(), 0.0);
  potentials_.assign(rows_.size(), 0.0);
  z_.assign(queries_.size(), 0.0);
  for (std::size_t q = 0; q < queries_.size(); ++q) update(queries_[q], z_[q]);
}

void PairedRows::update(const Query& query, double& z) {
  const std::size_t size = query.end - query.begin;
  z = find_potentials({.levels = std::span(levels_).subspan(query.begin, size),
                       .num_levels = query.num_levels,
                       .votes = std::span(votes_).subspan(query.begin, size),
                       .root_weights = std::span(root_weights_).subspan(query.begin, size)},
                      std::span(potentials_).subspan(query.begin, size));
}

double PairedRows::z() const {
  double sum = 0;
  for (const double own : z_) sum += own;
  return sum;
}

void PairedRows::copy_votes(std::span<double> votes) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) votes[rows_[i]] = votes_[i];
}

void PairedRows::vote(std::span<const std::uint16_t> cells, std::uint32_t threshold, double alpha,
                      const Context& context) {
  parallel_for(context, queries_.size(), kQueriesToTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      const Query& query = queries_[q];
      const auto own = cells.subspan(query.begin, query.end - query.begin);
      const auto num_above =
          std::ranges::count_if(own, [&](std::uint16_t cell) { return cell > threshold; });
      if (num_above == 0 || static_cast<std::size_t>(num_above) == own.size()) continue;
      for (std::size_t d = 0; d < own.size(); ++d) {
        if (own[d] > threshold) votes_[query.begin + d] += alpha;
      }
      update(query, z_[q]);
    }
  });
}

std::vector<float> rankboost_thresholds(std::span<const float> column, int thresholds) {
  std::vector<float> values;
  for (const float x : column) {
    if (!std::isnan(x)) values.push_back(x);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<float> found;
  if (values.size() < 2) return found;
  if (thresholds == 0) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      found.push_back(cut_between(values[i - 1], values[i]));
    }
    return found;
  }
  const double greatest = values.back();
  const double step = (greatest - values.front()) / thresholds;
  for (int i = thresholds - 1; i > 0; --i) {
    const auto threshold = static_cast<float>(greatest - i * step);
    if (found.empty() || threshold > found.back()) found.push_back(threshold);
  }
  return found;
}

ThresholdCells find_cells(const Dataset& data, std::span<const std::uint32_t> rows, int thresholds,
                          const Context& context) {
  const std::size_t num_features = data.num_features();
  ThresholdCells result{.thresholds = std::vector<std::vector<float>>(num_features),
                        .cells = std::vector<std::vector<std::uint16_t>>(num_features)};
  parallel_for(context, num_features, 1, [&](std::size_t f, std::size_t) {
    std::vector<float> column(data.num_rows());
    for (std::size_t r = 0; r < column.size(); ++r) {
      column[r] = data.features()(r, f);
      if (std::isinf(column[r])) {
        fail(ErrorKind::kInput, "row {}: feature {} is infinite", r + 1, data.feature_names()[f]);
      }
    }
    std::vector<float>& own = result.thresholds[f];
    own = rankboost_thresholds(column, thresholds);
    if (own.size() > kMostThresholds) {
      fail(ErrorKind::kInput,
           "feature {} has {} different values, more than {} thresholds can tell apart; give "
           "thresholds a number",
           data.feature_names()[f], own.size() + 1, kMostThresholds);
    }
    result.cells[f].resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const float x = column[rows[i]];
      if (std::isnan(x)) continue;
      result.cells[f][i] =
          static_cast<std::uint16_t>(std::ranges::lower_bound(own, x) - own.begin());
    }
  });
  return result;
}

namespace {

// Sums of potentials by cell. Rows of a column tend to fall into one cell over and over, and each
// addition would wait for the one before: row i goes to table i mod kTables instead, and the tables
// are added up in their order. Many cells need no such help and would not fit the cache.
template <std::size_t kTables>
void sum_by_cell(std::span<const std::uint16_t> cells, std::span<const double> potentials,
                 std::size_t num_cells, std::vector<double>& sums) {
  sums.assign(num_cells * kTables, 0.0);
  double* const tables = sums.data();
  const std::size_t whole = cells.size() / kTables * kTables;
  for (std::size_t r = 0; r < whole; r += kTables) {
    for (std::size_t k = 0; k < kTables; ++k) {
      tables[k * num_cells + cells[r + k]] += potentials[r + k];
    }
  }
  for (std::size_t r = whole; r < cells.size(); ++r) {
    tables[(r - whole) * num_cells + cells[r]] += potentials[r];
  }
  for (std::size_t k = 1; k < kTables; ++k) {
    for (std::size_t c = 0; c < num_cells; ++c) tables[c] += tables[k * num_cells + c];
  }
}

}  // namespace

WeakRanker best_ranker(const ThresholdCells& cells, std::span<const double> potentials, double z,
                       const Context& context) {
  constexpr std::size_t kTables = 8;
  constexpr std::size_t kMostOfTables = 256;
  const std::size_t num_features = cells.cells.size();
  std::vector<WeakRanker> best(num_features);
  parallel_for(context, num_features, kFeaturesToTask, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums;
    for (std::size_t f = begin; f < end; ++f) {
      best[f].feature = static_cast<std::uint32_t>(f);
      const std::size_t num_thresholds = cells.thresholds[f].size();
      if (num_thresholds == 0) continue;
      const bool is_small = num_thresholds < kMostOfTables;
      (is_small ? sum_by_cell<kTables> : sum_by_cell<1>)(cells.cells[f], potentials,
                                                         num_thresholds + 1, sums);
      double above = 0;
      for (std::size_t t = num_thresholds; t-- > 0;) {
        above += sums[t + 1];
        if (above <= best[f].r) continue;
        best[f].r = above;
        best[f].threshold = static_cast<std::uint32_t>(t);
      }
    }
  });
  WeakRanker winner;
  for (const WeakRanker& own : best) {
    if (own.r > winner.r) winner = own;
  }
  winner.r /= z;
  return winner;
}

}  // namespace glassrank
