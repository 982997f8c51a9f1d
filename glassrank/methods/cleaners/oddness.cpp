#include "glassrank/methods/cleaners/oddness.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/data/row_sample.h"

namespace glassrank {
namespace {

bool is_below(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  return a < b;
}

std::vector<std::uint32_t> sample_of(std::span<const std::uint32_t> rows, std::uint64_t seed) {
  const RowSample sample(rows.size(), Oddness::kSampleRows, seed);
  std::vector<std::uint32_t> chosen(sample.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = rows[sample.row(i)];
  return chosen;
}

using RowsByGrade = std::map<float, std::vector<std::uint32_t>>;

// Leaves the most frequent ones, of equally frequent ones the lowest.
void keep_frequent(RowsByGrade& grades, std::size_t count) {
  if (grades.size() <= count) return;
  std::vector<std::pair<std::size_t, float>> by_size;
  for (const auto& [grade, rows] : grades) by_size.emplace_back(rows.size(), grade);
  std::ranges::stable_sort(by_size, std::greater<>(),
                           [](const auto& entry) { return entry.first; });
  for (std::size_t i = count; i < by_size.size(); ++i) grades.erase(by_size[i].second);
}

// Of an even number of values the lower of the two in the middle: a value that occurs.
float median(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle, is_below);
  return *middle;
}

bool is_same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool varies_within_a_query(const Dataset& data, std::size_t feature) {
  const auto values = data.features();
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t row = rows.begin + 1; row < rows.end; ++row) {
      if (!is_same(values(row, feature), values(rows.begin, feature))) return true;
    }
  }
  return false;
}

}  // namespace

Oddness::Oddness(const Dataset& data, const Context& context)
    : data_(data),
      sorted_(data.num_features()),
      typical_(data.num_features()),
      typical_place_(data.num_features()) {
  RowsByGrade by_grade;
  std::vector<std::uint32_t> all(data.num_rows());
  for (std::uint32_t row = 0; row < all.size(); ++row) {
    all[row] = row;
    by_grade[data.grades()[row]].push_back(row);
  }
  keep_frequent(by_grade, kMaxGrades);
  std::vector<std::vector<std::uint32_t>> samples;
  for (const auto& [grade, rows] : by_grade) {
    grades_.push_back(grade);
    samples.push_back(sample_of(rows, context.seed));
  }
  samples.push_back(sample_of(all, context.seed));
  std::vector<char> varies(data.num_features());
  parallel_for(context, data.num_features(), 1, [&](std::size_t feature, std::size_t) {
    summarise(feature, samples);
    varies[feature] = varies_within_a_query(data, feature) ? 1 : 0;
  });
  for (std::uint32_t feature = 0; feature < varies.size(); ++feature) {
    if (varies[feature] != 0) features_.push_back(feature);
  }
}

void Oddness::summarise(std::size_t feature, std::span<const std::vector<std::uint32_t>> samples) {
  const auto features = data_.features();
  for (const std::vector<std::uint32_t>& rows : samples) {
    std::vector<float> values;
    values.reserve(rows.size());
    for (const std::uint32_t row : rows) values.push_back(features(row, feature));
    typical_[feature].push_back(values.empty() ? 0.0F : median(values));
    if (&rows == &samples.back()) {
      std::ranges::sort(values, is_below);
      sorted_[feature] = std::move(values);
    }
  }
  for (const float value : typical_[feature]) {
    typical_place_[feature].push_back(place(feature, value));
  }
}

double Oddness::place(std::size_t feature, float value) const {
  const std::vector<float>& sorted = sorted_[feature];
  const auto [first, last] = std::ranges::equal_range(sorted, value, is_below);
  const auto num_below = static_cast<double>(first - sorted.begin());
  const auto num_equal = static_cast<double>(last - first);
  return (num_below + num_equal / 2) / static_cast<double>(std::max<std::size_t>(sorted.size(), 1));
}

std::size_t Oddness::grade_index(float grade) const {
  const auto at = std::ranges::lower_bound(grades_, grade);
  return at != grades_.end() && *at == grade ? static_cast<std::size_t>(at - grades_.begin())
                                             : grades_.size();
}

float Oddness::typical(std::size_t feature, float grade) const {
  return typical_[feature][grade_index(grade)];
}

OddRow Oddness::of_row(std::uint32_t row, std::size_t num_features) const {
  const auto values = data_.row(row);
  const std::size_t own = grade_index(data_.grades()[row]);
  std::vector<double> distances(grades_.size() + 1);
  std::vector<OddFeature> features;
  for (const std::uint32_t f : features_) {
    const double here = place(f, values[f]);
    for (std::size_t g = 0; g < distances.size(); ++g) {
      distances[g] += std::abs(here - typical_place_[f][g]);
    }
    features.push_back({.feature = f,
                        .value = values[f],
                        .typical = typical_[f][own],
                        .difference = here - typical_place_[f][own]});
  }
  const double scale = 1.0 / static_cast<double>(std::max<std::size_t>(features_.size(), 1));
  const std::span<const double> graded(distances.data(), grades_.size());
  auto nearest = static_cast<std::size_t>(std::ranges::min_element(graded) - graded.begin());
  if (distances[own] <= distances[nearest]) nearest = own;
  const std::size_t count = std::min(num_features, features.size());
  std::ranges::partial_sort(features, features.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const OddFeature& a, const OddFeature& b) {
                              const double x = std::abs(a.difference);
                              const double y = std::abs(b.difference);
                              return x != y ? x > y : a.feature < b.feature;
                            });
  features.resize(count);
  return {.features = std::move(features),
          .looks_like = nearest < grades_.size() ? grades_[nearest] : data_.grades()[row],
          .distance = distances[nearest] * scale,
          .own_distance = distances[own] * scale};
}

std::vector<OddRow> Oddness::of(std::span<const std::uint32_t> rows, std::size_t num_features,
                                const Context& context) const {
  std::vector<OddRow> odd(rows.size());
  parallel_for(context, rows.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) odd[i] = of_row(rows[i], num_features);
  });
  return odd;
}

}  // namespace glassrank
