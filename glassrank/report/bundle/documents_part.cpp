#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "glassrank/report/bundle/parts.h"

namespace glassrank {
namespace {

// Beyond so many values they are rounded, and attributions have fewer steps: a page must open
// quickly.
constexpr std::size_t kExactValues = 600'000;
constexpr int kFineSteps = 32'767;
constexpr int kCoarseSteps = 1'023;
constexpr std::uint32_t kDroppedBits = 12;  // 11 bits are left: three digits

// To the nearest float with fewer bits; 0, infinities and NaN stay.
float rounded(float value) {
  if (!std::isfinite(value)) return value;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t half = 1U << (kDroppedBits - 1U);
  const auto result = std::bit_cast<float>((bits + half) & ~((1U << kDroppedBits) - 1U));
  return std::isfinite(result) ? result : value;
}

BundleColumn pack_column(std::vector<float> values) {
  std::vector<float> levels;
  bool has_missing = false;
  for (float& value : values) {
    if (value == 0) value = 0;  // -0 is 0
    if (std::isnan(value)) {
      has_missing = true;
    } else {
      levels.push_back(value);
    }
  }
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  const auto missing = static_cast<std::uint32_t>(levels.size());
  std::vector<std::uint32_t> codes;
  for (const float value : values) {
    codes.push_back(
        std::isnan(value)
            ? missing
            : static_cast<std::uint32_t>(std::ranges::lower_bound(levels, value) - levels.begin()));
  }
  if (has_missing) levels.push_back(std::numeric_limits<float>::quiet_NaN());
  BundleColumn column{.levels = pack(std::span<const float>(levels)), .codes = {}};
  if (levels.size() <= 256) {
    const std::vector<std::uint8_t> narrow(codes.begin(), codes.end());
    column.codes = pack(std::span<const std::uint8_t>(narrow));
  } else if (levels.size() <= 65'536) {
    const std::vector<std::uint16_t> narrow(codes.begin(), codes.end());
    column.codes = pack(std::span<const std::uint16_t>(narrow));
  } else {
    column.codes = pack(std::span<const std::uint32_t>(codes));
  }
  return column;
}

}  // namespace

ShownQueries choose_queries(const Dataset& data, std::size_t most_documents) {
  const std::size_t num_queries = data.num_queries();
  ShownQueries shown;
  if (data.num_rows() <= most_documents) {
    for (std::size_t q = 0; q < num_queries; ++q) shown.queries.push_back(q);
    shown.data = data;
    return shown;
  }
  // From the number that would fit if all queries were alike, down to one that does.
  for (std::size_t count = num_queries; count > 0;) {
    std::size_t num_documents = 0;
    shown.queries.clear();
    for (std::size_t i = 0; i < count; ++i) {
      shown.queries.push_back(i * num_queries / count);
      num_documents += data.queries().rows(shown.queries.back()).size();
    }
    if (num_documents <= most_documents) break;
    count = std::min(count - 1, std::max<std::size_t>(1, count * most_documents / num_documents));
  }
  shown.data = select_queries(data, shown.queries).materialise();
  return shown;
}

BundleDocuments bundle_documents(const ShownQueries& shown, std::size_t num_features,
                                 std::size_t num_left_out) {
  const Dataset& data = shown.data;
  BundleDocuments documents{.grades = pack(data.grades()),
                            .is_rounded = data.num_rows() * num_features > kExactValues,
                            .num_left_out = num_left_out};
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    documents.queries.push_back(data.queries().id(q));
    documents.first.push_back(static_cast<std::uint32_t>(data.queries().rows(q).begin));
  }
  documents.first.push_back(static_cast<std::uint32_t>(data.num_rows()));
  for (std::size_t row = 0; row < data.num_rows(); ++row) {
    documents.names.push_back(data.document_name(row));
  }
  for (std::size_t f = 0; f < num_features; ++f) {
    std::vector<float> column(data.num_rows());
    for (std::size_t row = 0; row < column.size(); ++row) {
      column[row] = documents.is_rounded ? rounded(data.row(row)[f]) : data.row(row)[f];
    }
    documents.values.push_back(pack_column(std::move(column)));
  }
  return documents;
}

BundleAttributions pack_attributions(std::span<const std::vector<double>> attributions,
                                     std::span<const double> base_values,
                                     std::size_t num_features) {
  const std::size_t num_documents = attributions.size();
  const int most_steps = num_documents * num_features > kExactValues ? kCoarseSteps : kFineSteps;
  std::vector<float> steps(num_documents);
  std::vector<std::int16_t> amounts(num_documents * num_features);
  for (std::size_t d = 0; d < num_documents; ++d) {
    double largest = 0;
    for (const double value : attributions[d]) largest = std::max(largest, std::abs(value));
    steps[d] = static_cast<float>(largest / most_steps);
    if (steps[d] == 0) continue;
    for (std::size_t f = 0; f < num_features; ++f) {
      amounts[f * num_documents + d] = static_cast<std::int16_t>(
          std::clamp(std::lround(attributions[d][f] / static_cast<double>(steps[d])),
                     static_cast<long>(-kFineSteps), static_cast<long>(kFineSteps)));
    }
  }
  return {.base_values = pack(base_values),
          .steps = pack(std::span<const float>(steps)),
          .amounts = pack(std::span<const std::int16_t>(amounts))};
}

void pack_errors(std::span<const std::vector<double>> errors, std::size_t num_features,
                 BundleAttributions& attributions) {
  constexpr double kMostSteps = 255;
  const std::size_t num_documents = errors.size();
  std::vector<float> steps(num_documents);
  std::vector<std::uint8_t> packed(num_documents * num_features);
  for (std::size_t d = 0; d < num_documents; ++d) {
    const double largest = errors[d].empty() ? 0 : std::ranges::max(errors[d]);
    steps[d] = static_cast<float>(largest / kMostSteps);
    if (steps[d] == 0) continue;
    for (std::size_t f = 0; f < errors[d].size(); ++f) {
      packed[f * num_documents + d] = static_cast<std::uint8_t>(
          std::clamp(std::round(errors[d][f] / static_cast<double>(steps[d])), 0.0, kMostSteps));
    }
  }
  attributions.error_steps = pack(std::span<const float>(steps));
  attributions.errors = pack(std::span<const std::uint8_t>(packed));
}

}  // namespace glassrank
