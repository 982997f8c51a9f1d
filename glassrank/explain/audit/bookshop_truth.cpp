#include "glassrank/explain/audit/bookshop_truth.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/data/synth/bookshop_features.h"

namespace glassrank {
namespace {

std::size_t column_of(const Dataset& data, std::string_view feature) {
  const auto found = std::ranges::find(data.feature_names(), feature);
  if (found == data.feature_names().end()) {
    fail(ErrorKind::kUsage,
         "the data has no feature {}: only the book shop's true effects are known (glassrank data "
         "synth)",
         feature);
  }
  return static_cast<std::size_t>(found - data.feature_names().begin());
}

}  // namespace

BookshopTruth::BookshopTruth(const Dataset& background) : background_(background) {
  for (const BookEffect& effect : book_effects()) {
    effects_.push_back({.column = column_of(background, effect.feature), .curve = effect.curve});
  }
  for (const BookInteraction& pair : book_interactions()) {
    pairs_.push_back({.first = column_of(background, pair.first),
                      .second = column_of(background, pair.second),
                      .effect = pair.effect});
  }
  if (background.num_rows() == 0) {
    fail(ErrorKind::kUsage, "the background data has no rows; true effects compare with its rows");
  }
  const auto num_rows = static_cast<double>(background.num_rows());
  for (std::size_t r = 0; r < background.num_rows(); ++r) {
    const auto row = background.row(r);
    for (Effect& effect : effects_) effect.mean += value(effect, row) / num_rows;
    for (Pair& pair : pairs_) {
      pair.mean += pair.effect(row[pair.first], row[pair.second]) / num_rows;
    }
  }
  for (const Effect& effect : effects_) base_value_ += effect.mean;
  for (const Pair& pair : pairs_) base_value_ += pair.mean;
}

double BookshopTruth::value(const Effect& effect, std::span<const float> row) {
  const double x = row[effect.column];
  return std::isnan(x) ? 0 : effect.curve(x);
}

double BookshopTruth::utility(std::span<const float> row) const {
  double sum = 0;
  for (const Effect& effect : effects_) sum += value(effect, row);
  for (const Pair& pair : pairs_) sum += pair.effect(row[pair.first], row[pair.second]);
  return sum;
}

std::vector<double> BookshopTruth::contributions(std::span<const float> row) const {
  std::vector<double> result(background_.num_features());
  for (const Effect& effect : effects_) result[effect.column] += value(effect, row) - effect.mean;
  for (const Pair& pair : pairs_) {
    const double x = row[pair.first];
    const double y = row[pair.second];
    double with_first = 0;
    double with_second = 0;
    for (std::size_t r = 0; r < background_.num_rows(); ++r) {
      with_first += pair.effect(x, background_.row(r)[pair.second]);
      with_second += pair.effect(background_.row(r)[pair.first], y);
    }
    with_first /= static_cast<double>(background_.num_rows());
    with_second /= static_cast<double>(background_.num_rows());
    const double both = pair.effect(x, y);
    result[pair.first] += ((with_first - pair.mean) + (both - with_second)) / 2;
    result[pair.second] += ((with_second - pair.mean) + (both - with_first)) / 2;
  }
  return result;
}

}  // namespace glassrank
