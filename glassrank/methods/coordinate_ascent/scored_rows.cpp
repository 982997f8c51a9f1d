#include "glassrank/methods/coordinate_ascent/scored_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kQueriesPerChunk = 16;
// Looking where a pair changes places costs about as much as ranking a quarter of a document.
constexpr std::size_t kPairsPerDocument = 4;
constexpr std::size_t kRankingInDocuments = 60;  // what a ranking costs beside its documents

// A query counts by the mean weight of its rows.
double query_weight(const Dataset& data, std::size_t query) {
  const RowRange rows = data.queries().rows(query);
  double sum = 0;
  for (std::size_t r = rows.begin; r < rows.end; ++r) sum += data.weight(r);
  return sum / static_cast<double>(rows.size());
}

double largest_amount(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// How many of the ascending values, padded with infinity to a power of two, are below `limit`.
std::size_t num_below(std::span<const double> padded, double limit) {
  std::size_t place = 0;
  for (std::size_t step = padded.size() / 2; step > 0; step /= 2) {
    place += padded[place + step - 1] < limit ? step : 0;
  }
  return place;
}

// A document in a sweep.
struct Moving {
  double score;
  double x;
  std::uint32_t slot;
};

bool is_above(const Moving& a, const Moving& b, double change) {
  const double score_a = a.score + change * a.x;
  const double score_b = b.score + change * b.x;
  return score_a != score_b ? score_a > score_b : a.slot < b.slot;
}

}  // namespace

ScoredRows::ScoredRows(const Dataset& data, const FeatureScaling& scaling, const WatchParams& watch)
    : data_(data),
      num_features_(scaling.num_features()),
      columns_(num_features_ * data.num_rows()),
      varies_(num_features_ * data.num_queries()),
      scores_(data.num_rows(), 0.0),
      values_(data.num_queries(), 0.0),
      query_weights_(data.num_queries(), 1.0),
      metric_(data.grades(), data.queries(), std::vector<MetricSpec>{stop_metric(watch)},
              watch.convention()),
      scratch_((data.num_queries() + kQueriesPerChunk - 1) / kQueriesPerChunk) {
  std::vector<double> row(num_features_);
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    scaling.apply(data.row(r), row);
    for (std::size_t f = 0; f < num_features_; ++f) columns_[f * data.num_rows() + r] = row[f];
  }
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    query_weights_[q] = query_weight(data, q);
    order_stride_ = std::max(order_stride_, metric_.order_size(q));
    for (std::size_t f = 0; f < num_features_; ++f) {
      const auto own = column(f, q);
      varies_[f * data.num_queries() + q] =
          std::ranges::any_of(own, [&](double x) { return x != own.front(); }) ? 1 : 0;
    }
  }
  orders_.resize(data.num_queries() * order_stride_);
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const auto order = order_of(q);
    std::iota(order.begin(), order.end(), 0U);
  }
  group_by_grade();
}

void ScoredRows::group_by_grade() {
  by_grade_.resize(data_.num_rows());
  group_end_.resize(data_.num_rows());
  has_pairs_.assign(data_.num_queries(), 0);
  for (std::size_t q = 0; q < data_.num_queries(); ++q) {
    const RowRange rows = data_.queries().rows(q);
    const auto grades = data_.grades().subspan(rows.begin, rows.size());
    const auto slots = std::span(by_grade_).subspan(rows.begin, rows.size());
    std::iota(slots.begin(), slots.end(), 0U);
    std::ranges::stable_sort(slots, {}, [&](std::uint32_t slot) { return grades[slot]; });
    std::size_t num_pairs = 0;
    std::size_t end = rows.size();
    for (std::size_t i = rows.size(); i-- > 0;) {
      if (i + 1 < rows.size() && grades[slots[i]] != grades[slots[i + 1]]) end = i + 1;
      group_end_[rows.begin + i] = static_cast<std::uint32_t>(end);
      num_pairs += rows.size() - end;
    }
    const bool is_worth_it = num_pairs < kPairsPerDocument * (rows.size() + kRankingInDocuments);
    has_pairs_[q] = is_worth_it && metric_.looks_at_grades_alone() ? 1 : 0;
  }
}

std::span<const double> ScoredRows::column(std::size_t feature, std::size_t query) const {
  const RowRange rows = data_.queries().rows(query);
  return std::span(columns_).subspan(feature * data_.num_rows() + rows.begin, rows.size());
}

std::span<std::uint32_t> ScoredRows::order_of(std::size_t query) {
  return std::span(orders_).subspan(query * order_stride_, metric_.order_size(query));
}

double ScoredRows::mean() const {
  double sum = 0;
  double weight = 0;
  for (std::size_t q = 0; q < values_.size(); ++q) {
    if (std::isnan(values_[q])) continue;
    sum += query_weights_[q] * values_[q];
    weight += query_weights_[q];
  }
  return sum / weight;
}

double ScoredRows::value_at(std::size_t query, std::span<const double> x, double change,
                            std::span<std::uint32_t> order, Scratch& scratch) const {
  const RowRange rows = data_.queries().rows(query);
  scratch.scores.resize(rows.size());
  for (std::size_t d = 0; d < rows.size(); ++d) {
    scratch.scores[d] = scores_[rows.begin + d] + change * x[d];
  }
  double value = 0;
  metric_.values(query, scratch.scores, order, scratch.ranking, {&value, 1});
  return value;
}

void ScoredRows::set_weights(std::span<const double> weights, const Context& context) {
  parallel_for(context, values_.size(), kQueriesPerChunk, [&](std::size_t begin, std::size_t end) {
    Scratch& scratch = scratch_[begin / kQueriesPerChunk];
    const std::size_t first = data_.queries().rows(begin).begin;
    const std::size_t last = data_.queries().rows(end - 1).end;
    std::fill(scores_.begin() + static_cast<std::ptrdiff_t>(first),
              scores_.begin() + static_cast<std::ptrdiff_t>(last), 0.0);
    for (std::size_t f = 0; f < num_features_; ++f) {
      const double* x = columns_.data() + f * data_.num_rows();
      for (std::size_t r = first; r < last; ++r) scores_[r] += weights[f] * x[r];
    }
    for (std::size_t q = begin; q < end; ++q) {
      values_[q] = value_at(q, column(0, q), 0, order_of(q), scratch);
    }
  });
}

// Where, in ascending order, some pair of different grades may have changed places since the change
// before.
void ScoredRows::mark_places(std::size_t query, std::span<const double> x, const Sweep& sweep,
                             Scratch& scratch) const {
  const RowRange rows = data_.queries().rows(query);
  const std::size_t size = rows.size();
  const auto slots = std::span(by_grade_).subspan(rows.begin, size);
  scratch.own_scores.resize(size);
  scratch.own_values.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    scratch.own_scores[i] = scores_[rows.begin + slots[i]];
    scratch.own_values[i] = x[slots[i]];
  }
  const double* score = scratch.own_scores.data();
  const double* value = scratch.own_values.data();
  const std::vector<double>& changes = sweep.changes;
  // More than rounding can make of the difference of two scores at any of the changes.
  const double doubt =
      16 * std::numeric_limits<double>::epsilon() *
      (largest_amount(scratch.own_scores) + sweep.largest * largest_amount(scratch.own_values));
  const auto compare_all = [&](std::size_t i, std::size_t j) {
    const Moving a{score[i], value[i], slots[i]};
    const Moving b{score[j], value[j], slots[j]};
    bool before = is_above(a, b, changes[0]);
    for (std::size_t k = 1; k < changes.size(); ++k) {
      const bool now = is_above(a, b, changes[k]);
      if (now != before) scratch.is_new[k] = 1;
      before = now;
    }
  };
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = group_end_[rows.begin + i]; j < size; ++j) {
      const double score_gap = score[i] - score[j];
      const double value_gap = value[i] - value[j];
      if (value_gap == 0) {
        if (score_gap != 0 && !(std::abs(score_gap) > doubt)) compare_all(i, j);
        continue;
      }
      const std::size_t place = num_below(sweep.padded, -score_gap / value_gap);
      // The gap is a straight line over the changes: no other is nearer to 0 than these two.
      const auto is_sure = [&](std::size_t k) {
        return std::abs(score_gap + changes[k] * value_gap) > doubt;
      };
      const bool has_left = place > 0;
      const bool has_right = place < changes.size();
      if ((has_left && !is_sure(place - 1)) || (has_right && !is_sure(place))) {
        compare_all(i, j);
      } else if (has_left && has_right) {
        scratch.is_new[place] = 1;
      }
    }
  }
}

void ScoredRows::sweep_query(std::size_t query, std::size_t feature, const Sweep& sweep,
                             Scratch& scratch, std::span<double> values) const {
  const auto x = column(feature, query);
  scratch.is_new.assign(values.size(), has_pairs_[query] != 0 ? 0 : 1);
  if (has_pairs_[query] != 0) mark_places(query, x, sweep, scratch);
  const std::size_t size = metric_.order_size(query);
  const auto order = std::span(orders_).subspan(query * order_stride_, size);
  scratch.order.assign(order.begin(), order.end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = k > 0 && scratch.is_new[k] == 0
                    ? values[k - 1]
                    : value_at(query, x, sweep.changes[k], scratch.order, scratch);
  }
}

std::vector<double> ScoredRows::means_with(std::size_t feature, std::span<const double> changes,
                                           const Context& context) {
  std::vector<std::size_t> ascending(changes.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::ranges::sort(ascending, {}, [&](std::size_t i) { return changes[i]; });
  Sweep sweep{.changes = {}, .padded = {}, .largest = largest_amount(changes)};
  for (const std::size_t i : ascending) sweep.changes.push_back(changes[i]);
  sweep.padded = sweep.changes;
  // One more than there are, so that a place behind all of them can be found.
  sweep.padded.resize(std::bit_ceil(changes.size() + 1), std::numeric_limits<double>::infinity());
  const std::size_t width = changes.size();
  found_.resize(values_.size() * width);
  parallel_for(context, values_.size(), kQueriesPerChunk, [&](std::size_t begin, std::size_t end) {
    Scratch& scratch = scratch_[begin / kQueriesPerChunk];
    for (std::size_t q = begin; q < end; ++q) {
      const auto own = std::span(found_).subspan(q * width, width);
      if (metric_.is_settled(q) || !varies(feature, q)) {
        std::ranges::fill(own, values_[q]);
      } else {
        sweep_query(q, feature, sweep, scratch, own);
      }
    }
  });
  // In order of queries, as mean() adds.
  std::vector<double> sums(width, 0.0);
  std::vector<double> weights(width, 0.0);
  for (std::size_t q = 0; q < values_.size(); ++q) {
    for (std::size_t k = 0; k < width; ++k) {
      const double value = found_[q * width + k];
      const bool counts = value == value;  // not NaN
      sums[k] += counts ? query_weights_[q] * value : 0.0;
      weights[k] += counts ? query_weights_[q] : 0.0;
    }
  }
  std::vector<double> means(width);
  for (std::size_t k = 0; k < width; ++k) means[ascending[k]] = sums[k] / weights[k];
  return means;
}

}  // namespace glassrank
