#pragma once
// Attributions of many documents: what pictures of a query or of a whole data set draw.
//
// Pictures of one explanation draw that explanation; those of several (beeswarm, heat map,
// decision, stacked force, dependence) draw this table, whichever explainer filled it. Row-major:
// it grows by documents (add_documents).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"

namespace glassrank {

struct AttributionTable {
  std::vector<std::string> features;
  std::vector<std::string> documents;
  std::vector<double> attributions;  // [document][feature]
  std::vector<double> values;        // the same; NaN: missing, or of a sum of features
  std::vector<double> scores;        // by document
  std::vector<double> grades = {};   // by document, or empty
  // The query of each document, ascending; empty: one query.
  std::vector<std::uint32_t> queries = {};
  double base_value = 0;

  std::size_t num_documents() const { return documents.size(); }
  std::size_t num_features() const { return features.size(); }
  double attribution(std::size_t d, std::size_t f) const {
    return attributions[d * num_features() + f];
  }
  double value(std::size_t d, std::size_t f) const { return values[d * num_features() + f]; }
};

// importance  mean |attribution|: what moves scores
// spread      standard deviation of the attributions within queries: what tells documents of a
//             query apart, and so moves rankings. A feature that gives every document of a query
//             the same has none, whatever its amount
// given       as they come
enum class FeatureOrder { kImportance, kSpread, kGiven };
template <>
struct EnumNames<FeatureOrder> {
  static std::span<const std::pair<std::string_view, FeatureOrder>> table();
};

// What the order goes by, one per feature; of kGiven, the mean amounts.
std::vector<double> feature_weights(const AttributionTable& table, FeatureOrder order);
// Features in this order; equal ones as they come.
std::vector<std::size_t> ordered_features(const AttributionTable& table, FeatureOrder order);
// The first `most` features of the order (0: all), then the sum of the others under one name.
AttributionTable first_features(const AttributionTable& table, FeatureOrder order,
                                std::size_t most);

// Where each value stands among its column's, from 0 (the smallest) to 1 (the largest); equal
// values share a place, NaN stays.
std::vector<double> percentiles(std::span<const double> column);
std::vector<double> column_of(const AttributionTable& table, std::span<const double> cells,
                              std::size_t feature);

}  // namespace glassrank
