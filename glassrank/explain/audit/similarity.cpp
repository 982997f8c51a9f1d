#include "glassrank/explain/audit/similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "glassrank/explain/explanation.h"
#include "glassrank/math/rank_correlation.h"

namespace glassrank {
namespace {

// Whether each feature is among the first k.
std::vector<bool> first_features(std::span<const double> values, std::size_t k, ZeroPlaces zeros) {
  std::vector<bool> is_first(values.size(), false);
  const std::vector<std::uint32_t> top = top_features(values, k);
  for (const std::uint32_t f : top) is_first[f] = true;
  std::size_t left = zeros == ZeroPlaces::kByIndex ? std::min(k, values.size()) - top.size() : 0;
  for (std::size_t f = 0; f < values.size() && left > 0; ++f) {
    if (is_first[f]) continue;
    is_first[f] = true;
    --left;
  }
  return is_first;
}

std::vector<double> amounts(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value = std::abs(value);
  return result;
}

double length_of(std::span<const double> values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

}  // namespace

std::span<const std::pair<std::string_view, ZeroPlaces>> EnumNames<ZeroPlaces>::table() {
  static constexpr std::array<std::pair<std::string_view, ZeroPlaces>, 2> kNames = {
      {{"empty", ZeroPlaces::kEmpty}, {"by-index", ZeroPlaces::kByIndex}}};
  return kNames;
}

std::span<const std::pair<std::string_view, DistanceScale>> EnumNames<DistanceScale>::table() {
  static constexpr std::array<std::pair<std::string_view, DistanceScale>, 2> kNames = {
      {{"raw", DistanceScale::kRaw}, {"unit", DistanceScale::kUnit}}};
  return kNames;
}

std::span<const std::pair<std::string_view, Signs>> EnumNames<Signs>::table() {
  static constexpr std::array<std::pair<std::string_view, Signs>, 3> kNames = {
      {{"automatic", Signs::kAutomatic}, {"signed", Signs::kSigned}, {"amount", Signs::kAmount}}};
  return kNames;
}

std::optional<double> topk_auc(std::span<const double> truth, std::span<const double> attributions,
                               std::size_t k, ZeroPlaces zeros) {
  const std::vector<bool> is_true = first_features(truth, k, zeros);
  const std::vector<bool> is_named = first_features(attributions, k, zeros);
  const auto num_true = static_cast<double>(std::count(is_true.begin(), is_true.end(), true));
  const double num_false = static_cast<double>(truth.size()) - num_true;
  if (num_true == 0 || num_false == 0) return std::nullopt;
  double hits = 0;
  double mistakes = 0;
  for (std::size_t f = 0; f < truth.size(); ++f) {
    if (is_named[f]) (is_true[f] ? hits : mistakes) += 1;
  }
  return (1 + hits / num_true - mistakes / num_false) / 2;
}

std::optional<double> attribution_spearman(std::span<const double> truth,
                                           std::span<const double> attributions, Signs signs) {
  if (signs != Signs::kAmount) return spearman(truth, attributions);
  return spearman(amounts(truth), amounts(attributions));
}

double euclidean_similarity(std::span<const double> truth, std::span<const double> attributions,
                            DistanceScale scale) {
  double truth_length = 1;
  double own_length = 1;
  if (scale == DistanceScale::kUnit) {
    if (const double length = length_of(truth); length > 0) truth_length = length;
    if (const double length = length_of(attributions); length > 0) own_length = length;
  }
  double squares = 0;
  for (std::size_t f = 0; f < truth.size(); ++f) {
    const double difference = attributions[f] / own_length - truth[f] / truth_length;
    squares += difference * difference;
  }
  return 1 / (1 + std::sqrt(squares));
}

}  // namespace glassrank
