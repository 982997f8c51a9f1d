#include "glassrank/data/stats.h"

#include <algorithm>
#include <limits>

#include "glassrank/base/parallel.h"
#include "glassrank/data/duplicates.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerChunk = 4096;

// Up to kDistinctCap + 1 different values; sorted, so that merging is cheap and exact.
class DistinctValues {
 public:
  void add(std::uint32_t bits) {
    if (full()) return;
    const auto place = std::ranges::lower_bound(values_, bits);
    if (place == values_.end() || *place != bits) values_.insert(place, bits);
  }
  void merge(const DistinctValues& other) {
    for (const std::uint32_t bits : other.values_) add(bits);
  }
  std::size_t size() const { return std::min(values_.size(), kDistinctCap); }
  bool full() const { return values_.size() > kDistinctCap; }

 private:
  std::vector<std::uint32_t> values_;
};

// What one chunk of rows knows of each column; structure of arrays so that loops over a row
// vectorise.
struct ColumnSums {
  explicit ColumnSums(std::size_t width)
      : min(width, std::numeric_limits<float>::infinity()),
        max(width, -std::numeric_limits<float>::infinity()),
        sum(width, 0.0),
        present(width, 0),
        zeros(width, 0),
        hash(width, 0) {}

  void add_row(std::span<const float> row, std::uint64_t row_key) {
    for (std::size_t f = 0; f < row.size(); ++f) {
      const float value = row[f];
      const bool there = value == value;
      min[f] = value < min[f] ? value : min[f];  // false for NaN
      max[f] = value > max[f] ? value : max[f];
      sum[f] += there ? static_cast<double>(value) : 0.0;
      present[f] += there ? 1U : 0U;
      zeros[f] += value == 0 ? 1U : 0U;
      hash[f] += value_bits(value) * row_key;
    }
  }
  void merge(const ColumnSums& other) {
    for (std::size_t f = 0; f < min.size(); ++f) {
      min[f] = std::min(min[f], other.min[f]);
      max[f] = std::max(max[f], other.max[f]);
      sum[f] += other.sum[f];
      present[f] += other.present[f];
      zeros[f] += other.zeros[f];
      hash[f] += other.hash[f];
    }
  }

  std::vector<float> min;
  std::vector<float> max;
  std::vector<double> sum;
  std::vector<std::uint64_t> present;
  std::vector<std::uint64_t> zeros;
  std::vector<std::uint64_t> hash;
};

// Also writes the hash of every row.
ColumnSums sum_columns(const Dataset& data, const Context& context,
                       std::vector<std::uint64_t>& row_hashes) {
  const std::size_t width = data.num_features();
  std::vector<std::uint64_t> column_keys(width);
  for (std::size_t f = 0; f < width; ++f) column_keys[f] = hash_key(f);
  const auto map = [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    ColumnSums sums(width);
    for (std::size_t r = begin; r < end; ++r) {
      const auto row = data.row(r);
      sums.add_row(row, hash_key(r));
      std::uint64_t hash = 0;
      for (std::size_t f = 0; f < width; ++f) hash += value_bits(row[f]) * column_keys[f];
      row_hashes[r] = hash;
    }
    return sums;
  };
  return ordered_reduce(context, data.num_rows(), kRowsPerChunk, ColumnSums(width), map,
                        [](ColumnSums& total, ColumnSums&& part) { total.merge(part); });
}

std::vector<FeatureStats> feature_stats(const ColumnSums& sums, std::size_t num_rows) {
  std::vector<FeatureStats> features(sums.min.size());
  for (std::size_t f = 0; f < features.size(); ++f) {
    const std::size_t present = sums.present[f];
    FeatureStats& feature = features[f];
    feature.missing = num_rows - present;
    feature.zeros = sums.zeros[f];
    if (present > 0) {
      feature.min = sums.min[f];
      feature.max = sums.max[f];
      feature.mean = sums.sum[f] / static_cast<double>(present);
    }
    feature.constant =
        num_rows > 0 && (present == 0 || (present == num_rows && feature.min == feature.max));
  }
  return features;
}

void count_distinct(const Dataset& data, const Context& context,
                    std::vector<FeatureStats>& features) {
  using Sets = std::vector<DistinctValues>;
  const std::size_t width = data.num_features();
  const auto map = [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    Sets sets(width);
    for (std::size_t r = begin; r < end; ++r) {
      const auto row = data.row(r);
      for (std::size_t f = 0; f < width; ++f) {
        if (row[f] == row[f]) sets[f].add(value_bits(row[f]));
      }
    }
    return sets;
  };
  // Large chunks: most features are beyond the cap after a few thousand rows.
  const Sets sets = ordered_reduce(context, data.num_rows(), 16 * kRowsPerChunk, Sets(width), map,
                                   [](Sets& total, Sets&& part) {
                                     for (std::size_t f = 0; f < total.size(); ++f) {
                                       total[f].merge(part[f]);
                                     }
                                   });
  for (std::size_t f = 0; f < width; ++f) {
    features[f].distinct = sets[f].size();
    features[f].distinct_capped = sets[f].full();
  }
}

void add_query_stats(const Dataset& data, DataStats& stats) {
  std::vector<std::size_t> sizes;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    const auto grades = data.grades().subspan(rows.begin, rows.size());
    sizes.push_back(rows.size());
    if (rows.size() == 1) ++stats.queries_with_one_document;
    if (!stats.has_grades) continue;
    if (std::ranges::none_of(grades, [](float g) { return g > 0; })) {
      ++stats.queries_without_relevant;
    }
    const bool one_grade = std::ranges::all_of(grades, [&](float g) { return g == grades[0]; });
    if (rows.size() > 1 && one_grade) ++stats.queries_with_one_grade;
  }
  if (sizes.empty()) return;
  std::ranges::sort(sizes);
  const std::size_t middle = sizes.size() / 2;
  const auto upper = static_cast<double>(sizes[middle]);
  stats.documents_per_query = {
      .min = sizes.front(),
      .median =
          sizes.size() % 2 == 1 ? upper : (static_cast<double>(sizes[middle - 1]) + upper) / 2,
      .mean = static_cast<double>(data.num_rows()) / static_cast<double>(sizes.size()),
      .max = sizes.back()};
}

DuplicateStats duplicate_stats(const Dataset& data, std::span<const std::uint64_t> row_hashes) {
  DuplicateStats stats;
  const auto query_of = data.queries().query_of_rows();
  for (const auto& group : equal_rows(data.features(), row_hashes)) {
    stats.rows += group.size() - 1;
    // Rows ascend, so those of one query are neighbours.
    for (std::size_t first = 0; first < group.size();) {
      const std::size_t query = query_of[group[first]];
      GradeConflict same{.query = query, .rows = {}};
      bool conflict = false;
      for (; first < group.size() && query_of[group[first]] == query; ++first) {
        same.rows.push_back(group[first]);
        conflict |= data.grades()[group[first]] != data.grades()[same.rows.front()];
      }
      stats.rows_within_query += same.rows.size() - 1;
      if (conflict) stats.conflicts.push_back(std::move(same));
    }
  }
  std::ranges::sort(stats.conflicts, {}, [](const GradeConflict& c) { return c.rows.front(); });
  return stats;
}

}  // namespace

DataStats data_stats(const Dataset& data, const StatsParams& params, const Context& context) {
  DataStats stats;
  stats.num_rows = data.num_rows();
  stats.num_features = data.num_features();
  stats.num_queries = data.num_queries();
  stats.has_grades = data.table().has_grades;
  if (stats.has_grades) {
    for (const float grade : data.grades()) ++stats.grades[grade];
  }
  add_query_stats(data, stats);
  std::vector<std::uint64_t> row_hashes(data.num_rows());
  const ColumnSums sums = sum_columns(data, context, row_hashes);
  stats.features = feature_stats(sums, data.num_rows());
  if (params.count_distinct) count_distinct(data, context, stats.features);
  for (std::size_t f = 0; f < stats.features.size(); ++f) {
    stats.missing += stats.features[f].missing;
    if (stats.features[f].constant) stats.constant_features.push_back(f);
  }
  if (data.num_rows() > 0) {
    stats.duplicate_features = equal_columns(data.features(), sums.hash, context);
    stats.duplicates = duplicate_stats(data, row_hashes);
  }
  return stats;
}

}  // namespace glassrank
