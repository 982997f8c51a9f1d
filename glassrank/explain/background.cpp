#include "glassrank/explain/background.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

float mean_of_column(MatrixView<const float> rows, std::size_t feature) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const float value = rows(r, feature);
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count == 0 ? kMissing : static_cast<float>(sum / static_cast<double>(count));
}

// The lower of the two in the middle: a value that occurs.
float median_of_column(MatrixView<const float> rows, std::size_t feature) {
  std::vector<float> values;
  values.reserve(rows.num_rows());
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    if (!std::isnan(rows(r, feature))) values.push_back(rows(r, feature));
  }
  if (values.empty()) return kMissing;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::span<const std::pair<std::string_view, Typical>> EnumNames<Typical>::table() {
  static constexpr std::array<std::pair<std::string_view, Typical>, 4> kNames = {
      {{"mean", Typical::kMean},
       {"median", Typical::kMedian},
       {"zero", Typical::kZero},
       {"query-mean", Typical::kQueryMean}}};
  return kNames;
}

MatrixView<const float> RowMatrix::view() const {
  return {values.data(), num_rows(), num_features};
}

bool is_one_row(const Subject& subject) {
  const Dataset& data = subject.background;
  const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const std::span<const float> first = data.row(0).first(subject.num_features());
  for (std::size_t r = 1; r < data.num_rows(); ++r) {
    const std::span<const float> row = data.row(r).first(subject.num_features());
    if (!std::ranges::equal(first, row, same)) return false;
  }
  return true;
}

RowMatrix sample_background(const Subject& subject, std::size_t num_rows, std::uint64_t seed) {
  const std::size_t num_features = subject.num_features();
  const std::size_t available = subject.background.num_rows();
  std::vector<std::uint32_t> chosen(available);
  for (std::size_t r = 0; r < available; ++r) chosen[r] = static_cast<std::uint32_t>(r);
  if (num_rows < available) {
    // The first steps of a Fisher-Yates shuffle draw without replacement.
    RandomSequence random(CounterRandom(seed, "background"));
    for (std::size_t i = 0; i < num_rows; ++i) {
      std::swap(chosen[i], chosen[i + random.below(available - i)]);
    }
    chosen.resize(num_rows);
    std::sort(chosen.begin(), chosen.end());
  }
  RowMatrix rows{.values = {}, .num_features = num_features};
  rows.values.reserve(chosen.size() * num_features);
  for (const std::uint32_t r : chosen) {
    const auto row = subject.background.row(r).first(num_features);
    rows.values.insert(rows.values.end(), row.begin(), row.end());
  }
  return rows;
}

std::vector<float> typical_row(const Subject& subject, Typical typical, const Context& context) {
  if (typical == Typical::kQueryMean) return {};
  std::vector<float> row(subject.num_features(), 0);
  if (typical == Typical::kZero) return row;
  const auto column = typical == Typical::kMean ? mean_of_column : median_of_column;
  const auto rows = subject.background.features();
  parallel_for(context, row.size(), 1,
               [&](std::size_t begin, std::size_t) { row[begin] = column(rows, begin); });
  return row;
}

std::vector<float> query_mean(const ExplainedQuery& query, std::size_t num_features) {
  std::vector<float> row(num_features);
  for (std::size_t f = 0; f < num_features; ++f) row[f] = mean_of_column(query.rows, f);
  return row;
}

std::vector<float> typical_row_of(const ExplainedQuery& query, std::span<const float> row,
                                  std::size_t num_features) {
  if (row.empty()) return query_mean(query, num_features);
  return {row.begin(), row.end()};
}

}  // namespace glassrank
