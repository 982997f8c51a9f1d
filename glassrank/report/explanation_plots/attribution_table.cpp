#include "glassrank/report/explanation_plots/attribution_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace glassrank {

std::span<const std::pair<std::string_view, FeatureOrder>> EnumNames<FeatureOrder>::table() {
  static constexpr std::array<std::pair<std::string_view, FeatureOrder>, 3> kNames = {
      {{"importance", FeatureOrder::kImportance},
       {"spread", FeatureOrder::kSpread},
       {"given", FeatureOrder::kGiven}}};
  return kNames;
}

namespace {

// Ends of the runs of documents of one query.
std::vector<std::size_t> query_ends(const AttributionTable& table) {
  std::vector<std::size_t> ends;
  for (std::size_t d = 0; d < table.num_documents(); ++d) {
    const bool is_last = d + 1 == table.num_documents();
    if (is_last || (!table.queries.empty() && table.queries[d] != table.queries[d + 1])) {
      ends.push_back(d + 1);
    }
  }
  return ends;
}

double squares_around_mean(const AttributionTable& table, std::size_t f, std::size_t begin,
                           std::size_t end) {
  double mean = 0;
  for (std::size_t d = begin; d < end; ++d) mean += table.attribution(d, f);
  mean /= static_cast<double>(end - begin);
  double squares = 0;
  for (std::size_t d = begin; d < end; ++d) {
    const double difference = table.attribution(d, f) - mean;
    squares += difference * difference;
  }
  return squares;
}

}  // namespace

std::vector<double> feature_weights(const AttributionTable& table, FeatureOrder order) {
  std::vector<double> weights(table.num_features());
  const auto num_documents = static_cast<double>(std::max<std::size_t>(table.num_documents(), 1));
  const std::vector<std::size_t> ends = query_ends(table);
  for (std::size_t f = 0; f < weights.size(); ++f) {
    double sum = 0;
    if (order == FeatureOrder::kSpread) {
      for (std::size_t q = 0; q < ends.size(); ++q) {
        sum += squares_around_mean(table, f, q == 0 ? 0 : ends[q - 1], ends[q]);
      }
      weights[f] = std::sqrt(sum / num_documents);
    } else {
      for (std::size_t d = 0; d < table.num_documents(); ++d) {
        sum += std::abs(table.attribution(d, f));
      }
      weights[f] = sum / num_documents;
    }
  }
  return weights;
}

std::vector<std::size_t> ordered_features(const AttributionTable& table, FeatureOrder order) {
  std::vector<std::size_t> features(table.num_features());
  std::iota(features.begin(), features.end(), std::size_t{0});
  if (order == FeatureOrder::kGiven) return features;
  const std::vector<double> weights = feature_weights(table, order);
  std::ranges::stable_sort(features, std::greater<>(), [&](std::size_t f) { return weights[f]; });
  return features;
}

AttributionTable first_features(const AttributionTable& table, FeatureOrder order,
                                std::size_t most) {
  const std::vector<std::size_t> features = ordered_features(table, order);
  // One more line says which feature it is at no cost.
  const bool has_others = most > 0 && features.size() > most + 1;
  const std::size_t num_kept = has_others ? most : features.size();
  AttributionTable result = table;
  result.features.clear();
  result.attributions.clear();
  result.values.clear();
  for (std::size_t i = 0; i < num_kept; ++i) result.features.push_back(table.features[features[i]]);
  if (has_others) {
    result.features.push_back(fmt::format("{} other features", features.size() - num_kept));
  }
  for (std::size_t d = 0; d < table.num_documents(); ++d) {
    for (std::size_t i = 0; i < num_kept; ++i) {
      result.attributions.push_back(table.attribution(d, features[i]));
      result.values.push_back(table.value(d, features[i]));
    }
    if (!has_others) continue;
    double sum = 0;
    for (std::size_t i = num_kept; i < features.size(); ++i) {
      sum += table.attribution(d, features[i]);
    }
    result.attributions.push_back(sum);
    result.values.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

std::vector<double> percentiles(std::span<const double> column) {
  std::vector<double> sorted;
  for (const double value : column) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  std::ranges::sort(sorted);
  std::vector<double> places(column.begin(), column.end());
  // The middle of a value's equals, in documents from the start.
  const auto middle = [&](double value) {
    const auto [low, high] = std::ranges::equal_range(sorted, value);
    return static_cast<double>(low - sorted.begin()) + static_cast<double>(high - low) / 2;
  };
  const double first = sorted.empty() ? 0 : middle(sorted.front());
  const double last = sorted.empty() ? 0 : middle(sorted.back());
  for (double& place : places) {
    if (std::isnan(place)) continue;
    place = first < last ? (middle(place) - first) / (last - first) : 0.5;
  }
  return places;
}

std::vector<double> column_of(const AttributionTable& table, std::span<const double> cells,
                              std::size_t feature) {
  std::vector<double> column;
  for (std::size_t d = 0; d < table.num_documents(); ++d) {
    column.push_back(cells[d * table.num_features() + feature]);
  }
  return column;
}

}  // namespace glassrank
